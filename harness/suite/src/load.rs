//! Reads corpus files: YAML or JSON becomes [`node::Node`]s with places, and these become cases, toolsets and a taxonomy. All errors
//! of shape and meaning are collected, not only the first.

pub(crate) mod case;
pub(crate) mod expect;
pub(crate) mod json;
pub(crate) mod node;
pub(crate) mod raw;
pub(crate) mod report;
pub(crate) mod tools;
pub(crate) mod tree;
pub(crate) mod yaml;

use std::path::Path;

use node::Node;
use report::Report;

/// Largest corpus file, also of a `raw_file`: 64 MiB. The largest model output on record is under 1 MiB; the largest generated
/// one 10 MiB.
pub(crate) const MAX_FILE: u64 = 64 << 20;

/// A syntax error: line, column, message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Syntax {
    pub line: usize,
    pub column: usize,
    pub message: String,
}

/// The bytes of a file, or an error in `report`.
pub(crate) fn read_bytes(path: &Path, report: &mut Report) -> Option<Vec<u8>> {
    let meta = match std::fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) => {
            report.file(path, &format!("cannot be read: {error}; check that it exists, is readable, and is no loop of links"));
            return None;
        }
    };
    if !meta.is_file() {
        report.file(path, "is not a file; a corpus holds files and folders only");
        return None;
    }
    if meta.len() > MAX_FILE {
        report.file(path, &format!("has {} bytes, more than {MAX_FILE}; split it, or use `generate`", meta.len()));
        return None;
    }
    match std::fs::read(path) {
        Ok(bytes) => Some(bytes),
        Err(error) => {
            report.file(path, &format!("cannot be read: {error}"));
            None
        }
    }
}

/// A file's tree, or an error in `report`. A file whose first non-space byte is `{` or `[` is JSON, every other YAML.
pub(crate) fn read_tree(path: &Path, bytes: &[u8], report: &mut Report) -> Option<Node> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(error) => {
            let before = &bytes[..error.valid_up_to()];
            let line = 1 + memchr::memchr_iter(b'\n', before).count();
            let column = 1 + before.iter().rev().take_while(|&&b| b != b'\n').count();
            report.at(path, (line, column), "the file is not UTF-8; save it as UTF-8, and write other bytes with `raw_base64`");
            return None;
        }
    };
    let is_json = text.trim_start_matches([' ', '\t', '\r', '\n']).starts_with(['{', '[']);
    let tree = if is_json { json::parse(text) } else { yaml::parse(text) };
    match tree {
        Ok(tree) => {
            tree.repeated_keys(&mut |place, message| report.at(path, place, message));
            Some(tree)
        }
        Err(error) => {
            report.at(path, (error.line, error.column), &error.message);
            None
        }
    }
}
