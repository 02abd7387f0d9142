//! How does a user add a dialect without Rust? A dialect file (YAML, TOML or JSON), or the `response_template` that a checkpoint
//! carries, becomes a row like those of the table.
//!
//! Pure: text in, row out. Files are read by the caller, and [`streakstone_model::register`] makes a row known. Nothing here reads
//! model text.
//!
//! Rows live as long as the program, so the strings of a row are leaked, those of a refused file too. A program loads few.

mod check;
mod error;
mod file;
mod format;
mod place;
mod section;
mod template;

pub use error::{Fault, LoadError};
use format::Document;
use streakstone_model::Dialect;
pub use template::from_response_template;

/// The JSON Schema of a dialect file.
pub const SCHEMA: &str = include_str!("../schema/dialect.json");

/// Largest file, in bytes: a tokenizer configuration lists a token a line, and vocabularies of 20,000 added tokens exist.
pub const MAX_FILE: usize = 16 << 20;

/// The row of a dialect file, or of a JSON file that holds a response template: bare, or under the key `response_template` as in a
/// `tokenizer_config.json`. `file` is what messages call it; its ending `.toml` makes it TOML. `name` is the name of the row if the
/// file gives none: a template has none, a dialect file has one.
///
/// # Errors
/// All faults of the file, each with its line; of syntax and types the first.
pub fn load(file: &str, text: &str, name: Option<&str>) -> Result<Dialect, LoadError> {
    let located = |faults: Vec<Fault>| LoadError::new(file, faults.into_iter().map(|fault| (place::line(text, &fault.at), fault.message)));
    if text.len() > MAX_FILE {
        return Err(located(vec![Fault::of_file(format!("has more than {MAX_FILE} bytes; a dialect file is short"))]));
    }
    match format::parse(file, text).map_err(|fault| LoadError::new(file, [fault]))? {
        Document::File(own) => match name {
            Some(_) => Err(located(vec![Fault::new("name", "the file names its dialect itself; leave out the name before `=`")])),
            None => own.dialect().map_err(located),
        },
        Document::Template { at, template } => match name {
            Some(name) => {
                from_response_template(name, &template).map_err(|faults| located(faults.into_iter().map(|f| f.within(at)).collect()))
            }
            None => Err(located(vec![Fault::new(
                at,
                "a response template has no name; write NAME= before the file, for example my_model=FILE",
            )])),
        },
    }
}
