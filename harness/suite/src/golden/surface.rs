//! Goldens of the API surfaces: how a case leaves a server by each of the three, in the four ways a client can ask for it.
//!
//! `corpus/surfaces.txt` names the cases that have one. A file has an insta header and a JSON body of twelve sections, one line a body
//! or an event:
//!
//! ```text
//! {
//!   "chat": {
//!     "whole": {"id":"<id1>",...},
//!     "stream": [
//!       {"id":"<id1>",...},
//!       "[DONE]"
//!     ],
//!     "single": "as whole",
//!     "single-stream": "as stream"
//!   },
//!   "responses": {...},
//!   "anthropic": {...},
//!   "input": "5d41402abc4b2a76b9719d911017c592"
//! }
//! ```
//!
//! `single` is the answer to a request that allows one call. A section that is the same as the one before it in its mode says so. What an
//! event looks like is the writer's business; here is the file's form, the list, and the folder.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::case::Case;
use crate::corpus::Corpus;
use crate::golden::print::{self, escape_json};
use crate::golden::store::{file_of, list};
use crate::golden::{GoldenError, GoldenFault, read};

/// The list of cases, in the corpus.
pub const LIST: &str = "surfaces.txt";
/// The `source` of the header.
pub const SURFACE_SOURCE: &str = "tests/surfaces.rs";
/// The folder under `goldens/`.
const FOLDER: &str = "surfaces";
/// The surfaces, in the order of the file.
const SURFACES: [&str; 3] = ["chat", "responses", "anthropic"];
/// The four ways to ask, in the order of the file.
const WAYS: [&str; 4] = ["whole", "stream", "single", "single-stream"];

/// What a client gets in one way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Section {
    /// A body: compact JSON.
    Body(String),
    /// The events of a stream, each as compact JSON.
    Stream(Vec<String>),
}

/// The golden of a case on all surfaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SurfaceGolden {
    /// The full name of the case.
    pub case: String,
    /// For each surface, in the order of [`surface_sections`], what comes whole, streamed, and both for one call only.
    pub sections: [[Section; 4]; 3],
    /// [`Case::input_digest`] when it was written.
    pub input: String,
}

/// The names of the twelve sections, in the order of the file.
pub fn surface_sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    SURFACES.into_iter().flat_map(|surface| WAYS.into_iter().map(move |way| (surface, way)))
}

impl SurfaceGolden {
    /// The body: what `insta::assert_snapshot!` gets. No newline at its end.
    #[must_use]
    pub fn render(&self) -> String {
        let mut out = String::from("{\n");
        // Writing to a String does not fail, here and below.
        for (surface, sections) in SURFACES.iter().zip(&self.sections) {
            let _ = writeln!(out, "  \"{surface}\": {{");
            for (at, (way, section)) in WAYS.iter().zip(sections).enumerate() {
                let _ = write!(out, "    \"{way}\": ");
                match section {
                    _ if at >= 2 && *section == sections[at - 2] => {
                        let _ = write!(out, "\"as {}\"", WAYS[at - 2]);
                    }
                    Section::Body(body) => out.push_str(&escape_json(body)),
                    Section::Stream(events) => {
                        let lines: Vec<String> = events.iter().map(|event| format!("      {}", escape_json(event))).collect();
                        let _ = write!(out, "[\n{}\n    ]", lines.join(",\n"));
                    }
                }
                out.push_str(if at + 1 < WAYS.len() { ",\n" } else { "\n" });
            }
            out.push_str("  },\n");
        }
        let _ = write!(out, "  \"input\": \"{}\"\n}}", self.input);
        out
    }

    /// The whole file: header, body and one newline.
    #[must_use]
    pub fn snap_file(&self) -> String {
        format!("{}{}\n", print::header(SURFACE_SOURCE, &self.case), self.render())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    #[serde(rename = "chat")]
    _chat: Ways,
    #[serde(rename = "responses")]
    _responses: Ways,
    #[serde(rename = "anthropic")]
    _anthropic: Ways,
    input: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ways {
    #[serde(rename = "whole")]
    _whole: IgnoredAny,
    #[serde(rename = "stream")]
    _stream: IgnoredAny,
    #[serde(rename = "single")]
    _single: IgnoredAny,
    #[serde(rename = "single-stream")]
    _single_stream: IgnoredAny,
}

/// A golden as it lies in its folder.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stored {
    case: String,
    body: String,
    input: String,
}

fn parse(file: &str) -> Result<Stored, GoldenError> {
    let fault = |line, what: String| GoldenError { line, what: format!("{what}; {}", read::AGAIN) };
    let (case, line, body) = read::header(file).map_err(|(line, what)| fault(line, what))?;
    let parsed: Body = serde_json::from_str(body).map_err(|e| {
        let message = e.to_string();
        let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what);
        fault(line + e.line().max(1) - 1, format!("the body is damaged: {what}"))
    })?;
    Ok(Stored { case, body: body.strip_suffix('\n').unwrap_or(body).to_owned(), input: parsed.input })
}

/// The goldens of the surfaces, and the list of the cases that have one.
#[derive(Debug, Clone)]
pub struct SurfaceGoldens {
    root: PathBuf,
    list: PathBuf,
    /// Name and line.
    chosen: Vec<(String, usize)>,
}

impl SurfaceGoldens {
    /// The goldens under `goldens/surfaces` and the list in the corpus; no list names no case.
    ///
    /// # Errors
    /// The list cannot be read.
    pub fn open(goldens: &Path, corpus: &Path) -> io::Result<Self> {
        let file = corpus.join(LIST);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).zip(1..);
        let chosen = lines.filter(|(name, _)| !name.is_empty()).map(|(name, line)| (name.to_owned(), line)).collect();
        Ok(Self { root: goldens.join(FOLDER), list: file, chosen })
    }

    /// The names of the list.
    #[must_use]
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.chosen.iter().map(|(name, _)| name.as_str())
    }

    /// True if the list names it.
    #[must_use]
    pub fn names_case(&self, case: &Case) -> bool {
        self.names().any(|name| name == case.name)
    }

    /// Where the golden of a case is: `goldens/surfaces/<folder>/<topic>/<id>.snap`.
    #[must_use]
    pub fn path_for(&self, case: &Case) -> PathBuf {
        file_of(&self.root, &case.name)
    }

    /// The body of a case's golden, as [`SurfaceGolden::render`] would write it: `Ok(None)` if there is none.
    ///
    /// # Errors
    /// The file is damaged or stale.
    pub fn load(&self, case: &Case) -> Result<Option<String>, GoldenFault> {
        let path = self.path_for(case);
        let corrupt = |line, what| GoldenFault::Corrupt { path: path.clone(), line, what };
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(corrupt(1, format!("the file cannot be read: {error}"))),
        };
        let stored = parse(&text).map_err(|e| corrupt(e.line, e.what))?;
        if stored.case != case.name {
            let what = format!(
                "the golden says it is of {}, but lies where {} belongs; run `streakstone bless {}`",
                stored.case, case.name, case.name
            );
            return Err(corrupt(3, what));
        }
        if stored.input != case.input_digest() {
            return Err(GoldenFault::Stale { path, case: case.name.clone() });
        }
        Ok(Some(stored.body))
    }

    /// Everything wrong with the list and the folder, sorted by file.
    ///
    /// # Errors
    /// A folder cannot be listed.
    pub fn audit(&self, corpus: &Corpus) -> io::Result<Vec<GoldenFault>> {
        let mut faults = Vec::new();
        let mut known: BTreeMap<PathBuf, &str> = BTreeMap::new();
        for (name, line) in &self.chosen {
            let wrong = |what| GoldenFault::Corrupt { path: self.list.clone(), line: *line, what };
            let Some(case) = corpus.case(name) else {
                let near = corpus.nearest(name).unwrap_or_default();
                faults.push(wrong(format!("no case is named `{name}`; the nearest is `{near}`")));
                continue;
            };
            let path = self.path_for(case);
            match self.load(case) {
                Ok(Some(_)) => {}
                Ok(None) => faults.push(GoldenFault::Missing { path: path.clone(), case: name.clone() }),
                Err(fault) => faults.push(fault),
            }
            if known.insert(path, name).is_some() {
                faults.push(wrong(format!("`{name}` is named twice; remove one of the lines")));
            }
        }
        let mut files = Vec::new();
        if self.root.is_dir() {
            list(&self.root, 0, &mut files)?;
        }
        for path in files {
            let relative = path.strip_prefix(&self.root).unwrap_or(&path);
            let name = relative.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join("/");
            if let Some(name) = name.strip_suffix(".snap.new") {
                faults.push(GoldenFault::Pending { case: name.to_owned(), path });
            } else if !known.contains_key(&path) {
                let case = name.strip_suffix(".snap").unwrap_or(&name).to_owned();
                faults.push(GoldenFault::Unlisted { case, path });
            }
        }
        faults.sort_by(|a, b| a.path().cmp(b.path()));
        Ok(faults)
    }
}

#[cfg(test)]
#[path = "surface_tests.rs"]
mod tests;
