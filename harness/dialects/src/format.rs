//! YAML, TOML and JSON to typed data. The only file here that knows the crates of the formats. Why `serde-saphyr` reads YAML:
//! `harness/suite/src/load/yaml.rs`.

use serde_json::Value;
use serde_yaml::options::{DuplicateKeyPolicy, MergeKeyPolicy};

use crate::file::File;

/// Deepest nesting: a grammar section in a file has four levels.
const MAX_DEPTH: usize = 32;
/// Most values of a dialect file.
const MAX_NODES: usize = 100_000;
/// Keys of a response template; a JSON object with either is one.
const TEMPLATE_KEYS: [&str; 2] = ["response_template", "fields"];

/// What a file holds.
pub(crate) enum Document {
    /// A dialect file.
    File(Box<File>),
    /// A response template.
    Template {
        /// The key it stands under; empty if it is the file.
        at: &'static str,
        template: Value,
    },
}

/// Reads `text`; a fault is its line and what is wrong.
pub(crate) fn parse(file: &str, text: &str) -> Result<Document, (usize, String)> {
    if std::path::Path::new(file).extension().is_some_and(|e| e.eq_ignore_ascii_case("toml")) {
        return toml(text).map(Document::File);
    }
    if text.trim_start().starts_with('{') { json(text) } else { yaml(text).map(Document::File) }
}

fn json(text: &str) -> Result<Document, (usize, String)> {
    let fault = |error: &serde_json::Error| (error.line().max(1), explained("JSON", before_place(&error.to_string())));
    let mut value: Value = serde_json::from_str(text).map_err(|e| fault(&e))?;
    if TEMPLATE_KEYS.iter().any(|key| value.get(key).is_some()) {
        let [outer, _] = TEMPLATE_KEYS;
        return Ok(match value.get_mut(outer) {
            Some(inner) => Document::Template { at: outer, template: inner.take() },
            None => Document::Template { at: "", template: value },
        });
    }
    serde_json::from_str(text).map(Document::File).map_err(|e| fault(&e))
}

fn toml(text: &str) -> Result<Box<File>, (usize, String)> {
    ::toml::from_str(text).map_err(|error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
        (before.matches('\n').count() + 1, explained("TOML", error.message()))
    })
}

fn yaml(text: &str) -> Result<Box<File>, (usize, String)> {
    let options = serde_yaml::options! {
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::AsOrdinary,
        strict_booleans: true,
        reject_unsupported_tags: true,
        with_snippet: false,
        budget: serde_yaml::budget! { max_depth: MAX_DEPTH, max_nodes: MAX_NODES, max_events: MAX_NODES * 2 },
    };
    serde_yaml::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(1, |at| usize::try_from(at.line()).unwrap_or(1).max(1));
        (line, explained("YAML", before_place(&error.to_string())))
    })
}

/// Two of the crates append the place, which stands before our messages.
fn before_place(said: &str) -> &str {
    said.split(" at line ").next().unwrap_or(said)
}

fn explained(format: &str, said: &str) -> String {
    format!("{}; read as {format}, see `streakstone schema dialect`", said.trim_end().replace('\n', " "))
}
