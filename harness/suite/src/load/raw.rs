//! The raw text of a case in its five forms, and the lists of pieces and chunks.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::case::Generate;
use crate::load::node::{Fields, Node, Place, Value};
use crate::load::report::FileReport;
use crate::load::{MAX_FILE, read_bytes};

/// The keys of which a case has exactly one.
const FORMS: &[&str] = &["raw", "raw_base64", "raw_file", "pieces", "generate"];

/// Where `raw_file`s may lie, and those read so far, by path below the root.
pub(crate) struct RawFiles<'a> {
    /// The corpus, without links.
    pub root: &'a Path,
    /// Bytes of every file named, for the corpus' digest.
    pub read: BTreeMap<PathBuf, Vec<u8>>,
}

/// A raw text.
#[derive(Default)]
pub(crate) struct Raw {
    pub bytes: Vec<u8>,
    pub pieces: Option<Vec<usize>>,
    pub generate: Option<Generate>,
}

/// The raw text of a case; `None` with an error in the report.
pub(crate) fn read(fields: &Fields<'_>, files: &mut RawFiles<'_>, report: &mut FileReport<'_>) -> Option<Raw> {
    let given: Vec<&'static str> = FORMS.iter().copied().filter(|key| fields.raw(key).is_some()).collect();
    let [form] = given[..] else {
        let what =
            if given.is_empty() { "has no text".to_owned() } else { format!("has its text {} times ({})", given.len(), given.join(", ")) };
        report.at(fields.place, format!("the case {what}; give exactly one of {}", FORMS.join(", ")));
        return None;
    };
    let node = fields.raw(form)?;
    let bytes = |bytes| Raw { bytes, ..Raw::default() };
    match form {
        "raw_base64" => base64(node, form, report).map(bytes),
        "raw_file" => file(node, files, report).map(bytes),
        "pieces" => pieces(node, form, report).map(|(bytes, cuts)| Raw { bytes, pieces: Some(cuts), generate: None }),
        "generate" => generate(node, report),
        _ => {
            let text = node.string().map(|text| bytes(text.as_bytes().to_vec()));
            if text.is_none() {
                report.at(
                    node.place,
                    format!("`raw` must be a string, not {}; put it in quotes (`raw: \"\"` is the empty text)", node.value.kind()),
                );
            }
            text
        }
    }
}

fn base64(node: &Node, key: &str, report: &mut FileReport<'_>) -> Option<Vec<u8>> {
    let Some(text) = node.string() else {
        report.at(node.place, format!("`{key}` must be a base64 string, not {}", node.value.kind()));
        return None;
    };
    // A folded block leaves spaces and newlines between the groups.
    let packed: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
    STANDARD
        .decode(packed)
        .map_err(|e| report.at(node.place, format!("`{key}` is no base64: {e}; write it with padding, as `base64` does")))
        .ok()
}

/// Strings or `{base64: ...}`, joined, with the cuts between them.
pub(crate) fn pieces(node: &Node, key: &'static str, report: &mut FileReport<'_>) -> Option<(Vec<u8>, Vec<usize>)> {
    let Value::List(items) = &node.value else {
        report.at(node.place, format!("`{key}` must be a list of strings or `{{base64: ...}}`, not {}", node.value.kind()));
        return None;
    };
    let (mut bytes, mut cuts) = (Vec::new(), Vec::new());
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            cuts.push(bytes.len());
        }
        match &item.value {
            Value::String(text) => bytes.extend_from_slice(text.as_bytes()),
            Value::Map(_) => {
                let fields = Fields::of(item, "a piece", &["base64"], report)?;
                let inner = fields.raw("base64").or_else(|| {
                    report.at(item.place, "a piece that is a mapping must have the key `base64`");
                    None
                })?;
                bytes.extend(base64(inner, "base64", report)?);
            }
            other => {
                report.at(
                    item.place,
                    format!("item {} of `{key}` must be a string or `{{base64: ...}}`, not {}; put it in quotes", index + 1, other.kind()),
                );
                return None;
            }
        }
    }
    Some((bytes, cuts))
}

/// The extra chunkings, as cut lists; one that does not join to `raw` is an error.
pub(crate) fn chunks(fields: &Fields<'_>, raw: Option<&[u8]>, report: &mut FileReport<'_>) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    for (index, item) in fields.list("chunks", report).into_iter().flatten().enumerate() {
        let (Some((joined, cuts)), Some(raw)) = (pieces(item, "chunks", report), raw) else { continue };
        if joined == raw {
            all.push(cuts);
        } else {
            let same = joined.iter().zip(raw).take_while(|(a, b)| a == b).count();
            report.at(
                item.place,
                format!(
                    "chunking {} does not join to the raw text: {} bytes against {}, the first difference is at byte {same}; copy the text exactly",
                    index + 1,
                    joined.len(),
                    raw.len()
                ),
            );
        }
    }
    all
}

fn file(node: &Node, files: &mut RawFiles<'_>, report: &mut FileReport<'_>) -> Option<Vec<u8>> {
    let Some(name) = node.string() else {
        report.at(node.place, format!("`raw_file` must be a path, not {}", node.value.kind()));
        return None;
    };
    let given = Path::new(name);
    let outside = "it must lie inside the corpus, named relative to this file";
    if name.is_empty() || given.components().any(|c| matches!(c, Component::RootDir | Component::Prefix(_))) {
        report.at(node.place, format!("raw_file `{name}`: {outside}"));
        return None;
    }
    let folder = report.file.parent().unwrap_or(Path::new("."));
    let found = match folder.join(given).canonicalize() {
        Ok(found) => found,
        Err(error) => {
            report.at(node.place, format!("raw_file `{name}` cannot be read: {error}; the path is relative to this file"));
            return None;
        }
    };
    let Ok(below) = found.strip_prefix(files.root) else {
        report.at(node.place, format!("raw_file `{name}` lies outside the corpus; {outside}"));
        return None;
    };
    let bytes = read_bytes(&found, report.report)?;
    files.read.insert(below.to_owned(), bytes.clone());
    Some(bytes)
}

fn generate(node: &Node, report: &mut FileReport<'_>) -> Option<Raw> {
    let fields = Fields::of(node, "generate", &["unit", "repeat", "sizes"], report)?;
    let unit = fields.string("unit", report).filter(|unit| !unit.is_empty());
    let Some(unit) = unit else {
        report.at(node.place, "`generate` needs `unit`, a text of at least one byte");
        return None;
    };
    let mut sizes = Vec::new();
    for item in fields.list("sizes", report).into_iter().flatten() {
        sizes.push(number(item, "a size", report)?);
    }
    let repeat = match (fields.get("repeat"), sizes.iter().min()) {
        (Some(node), _) => number(node, "`repeat`", report)?,
        // About the smallest size, and never nothing.
        (None, Some(smallest)) => (smallest / unit.len()).max(1),
        (None, None) => {
            report.at(node.place, "`generate` needs `repeat`, or `sizes` to take the smallest of");
            return None;
        }
    };
    let length = unit.len().checked_mul(repeat).filter(|&n| n as u64 <= MAX_FILE);
    let largest = sizes.iter().copied().max().unwrap_or(0);
    if length.is_none() || largest as u64 > MAX_FILE {
        report.at(node.place, format!("`generate` makes more than {MAX_FILE} bytes; take a smaller `repeat` or size"));
        return None;
    }
    let generate = Generate { unit: unit.to_owned(), repeat, sizes };
    Some(Raw { bytes: unit.repeat(repeat).into_bytes(), pieces: None, generate: Some(generate) })
}

fn number(node: &Node, what: &str, report: &mut FileReport<'_>) -> Option<usize> {
    if let Value::Number(text) = &node.value
        && let Ok(number) = text.parse()
        && number > 0
    {
        return Some(number);
    }
    let place: Place = node.place;
    report.at(place, format!("{what} must be a whole number above 0"));
    None
}
