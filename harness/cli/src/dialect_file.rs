//! Dialects that are no row of the table, read before any verb runs.

use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::Result;
use clap::Args;
use streakstone_dialects::{MAX_FILE, load};
use streakstone_model::register;

use crate::exit::{Exit, stop, stop_lines, stop_next};

/// The files that were registered, which are as much of the process as the dialects that they made known.
static GIVEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The dialect files of this invocation.
pub fn given() -> Vec<PathBuf> {
    GIVEN.lock().map(|given| given.clone()).unwrap_or_default()
}

/// Options of every verb: a dialect word may stand anywhere.
#[derive(Debug, Default, Args)]
pub struct DialectArgs {
    /// A dialect that is not in the table: a dialect file (`streakstone schema dialect`), or NAME= and a JSON file with the
    /// `response_template` of a checkpoint. Several times for several, all before the verb or all behind it
    #[arg(long, global = true, value_name = "[NAME=]FILE", help_heading = "Places")]
    pub dialect_file: Vec<String>,
}

impl DialectArgs {
    /// Makes the dialects known, in the order given: a later file may be like an earlier one.
    ///
    /// # Errors
    /// Exit 2 with everything that is wrong with the first file that is.
    pub fn register(&self) -> Result<()> {
        self.dialect_file.iter().try_for_each(|word| {
            let (name, file) = parts(word);
            let unread = |why: String| {
                stop_next(Exit::Usage, format!("{file}: cannot be read: {why}."), "correct --dialect-file; it takes FILE or NAME=FILE")
            };
            let bytes = std::fs::metadata(file).map_err(|e| unread(e.to_string()))?.len();
            if bytes > MAX_FILE as u64 {
                return Err(unread(format!("it has more than {MAX_FILE} bytes")));
            }
            let text = std::fs::read_to_string(file).map_err(|e| unread(e.to_string()))?;
            let dialect = load(file, &text, name).map_err(|e| stop_lines(Exit::Usage, e.lines().to_vec()))?;
            register(dialect).map_err(|e| stop(Exit::Usage, format!("{file}:1: {e}")))?;
            if let Ok(mut given) = GIVEN.lock() {
                given.push(PathBuf::from(file));
            }
            Ok(())
        })
    }
}

/// `NAME=FILE` or `FILE`. What stands before `=` is a name if it could be one and not a path.
fn parts(word: &str) -> (Option<&str>, &str) {
    match word.split_once('=') {
        Some((name, file)) if !name.is_empty() && !name.contains(['/', '\\']) => (Some(name), file),
        _ => (None, word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stands_before_the_file_unless_it_is_a_path() {
        assert_eq!(parts("mine=a/tokenizer_config.json"), (Some("mine"), "a/tokenizer_config.json"));
        assert_eq!(parts("a/mine.yaml"), (None, "a/mine.yaml"));
        assert_eq!(parts("./a=b.yaml"), (None, "./a=b.yaml"));
    }
}
