//! A corpus: a folder of case files, read strictly.
//!
//! Layout: `<folder>/<topic>.yaml`, `recorded/<model>/<topic>.yaml`, and optionally `toolsets/<name>.yaml` and `taxonomy.yaml` (a mapping of
//! each tag to one line on what it means). A case's full name is `<folder>/<topic>/<id>`; the folder need not be the dialect's
//! name. YAML errors stop a file at its first; errors of shape and meaning are all collected over all files.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use streakstone_model::{Tool, nearest};

use crate::case::Case;
use crate::digest::Digester;
use crate::load::node::Value;
use crate::load::raw::RawFiles;
use crate::load::report::{FileReport, Report};
use crate::load::{self, case, tools, tree};

/// How much a case must say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strictness {
    /// Our own corpus: `why`, `source`, a tag, and content, calls and finish of every expectation are required.
    Own,
    /// A corpus from elsewhere (`--corpus DIR`): only an id and a text are required; without `expect` the laws judge alone.
    External,
}

/// One error of a corpus.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CorpusError {
    /// The file or folder.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong and what to do.
    pub message: String,
}

impl fmt::Display for CorpusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file.display(), self.line, self.column, self.message)
    }
}

/// All errors of a corpus, sorted by place; never empty.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CorpusErrors(pub Vec<CorpusError>);

impl fmt::Display for CorpusErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for error in &self.0 {
            writeln!(f, "{error}")?;
        }
        f.write_str(&self.summary())
    }
}

impl CorpusErrors {
    /// How many there are and what to do, in one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let (count, s) = (self.0.len(), if self.0.len() == 1 { "" } else { "s" });
        format!("{count} error{s} in the corpus; nothing was run. Mend the files and run the same command again")
    }
}

/// A corpus without errors.
#[derive(Debug, Clone)]
pub struct Corpus {
    /// The folder as given.
    pub root: PathBuf,
    /// How strictly it was read.
    pub strictness: Strictness,
    /// All cases, sorted by name.
    pub cases: Vec<Case>,
    /// Tags and their meaning; `None` if there is no `taxonomy.yaml`, and then any tag will do.
    pub taxonomy: Option<BTreeMap<String, String>>,
    /// The named toolsets.
    pub toolsets: BTreeMap<String, Arc<Vec<Tool>>>,
    /// SHA-256 over the names and bytes of all files read, sorted; 64 hex digits.
    pub digest: String,
}

impl Corpus {
    /// Reads the corpus in `dir`.
    ///
    /// # Errors
    /// All errors of all files.
    pub fn load(dir: &Path, strictness: Strictness) -> Result<Self, CorpusErrors> {
        let mut report = Report::default();
        let corpus = read(dir, strictness, &mut report);
        match corpus {
            Some(corpus) if report.errors.is_empty() => Ok(corpus),
            _ => {
                report.errors.sort();
                report.errors.dedup();
                Err(CorpusErrors(report.errors))
            }
        }
    }

    /// The case of this full name.
    #[must_use]
    pub fn case(&self, name: &str) -> Option<&Case> {
        let place = self.cases.binary_search_by(|case| case.name.as_str().cmp(name)).ok()?;
        self.cases.get(place)
    }

    /// The full name nearest to `name`, for messages.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.cases.iter().map(|case| case.name.as_str()))
    }
}

fn read(dir: &Path, strictness: Strictness, report: &mut Report) -> Option<Corpus> {
    let root = match dir.canonicalize() {
        Ok(root) if root.is_dir() => root,
        Ok(_) => {
            report.file(dir, "is not a folder; `--corpus` takes the folder that holds `<dialect>/<topic>.yaml`");
            return None;
        }
        Err(error) => {
            report.file(dir, &format!("cannot be read: {error}; `--corpus` takes the folder that holds `<dialect>/<topic>.yaml`"));
            return None;
        }
    };
    let tree = tree::list(dir, report);
    let mut sources: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    let mut open = |path: &Path, report: &mut Report| {
        let bytes = load::read_bytes(path, report)?;
        let node = load::read_tree(path, &bytes, report);
        sources.insert(path.strip_prefix(dir).unwrap_or(path).to_owned(), bytes);
        node
    };
    let taxonomy = tree.taxonomy.as_deref().and_then(|path| {
        let node = open(path, report)?;
        taxonomy(&node, &mut FileReport { file: path.to_owned(), report })
    });
    let mut toolsets = BTreeMap::new();
    for (name, path) in &tree.toolsets {
        let node = open(path, report);
        let list = node.and_then(|node| tools::list(&node, &mut FileReport { file: path.clone(), report }));
        toolsets.insert(name.clone(), list);
    }
    let context = case::Context { strictness, taxonomy: taxonomy.as_ref(), toolsets: &toolsets };
    let mut files = RawFiles { root: &root, read: BTreeMap::new() };
    let name = root.file_name().map_or_else(|| PathBuf::from("corpus"), PathBuf::from);
    let mut cases = Vec::new();
    for (prefix, path) in &tree.cases {
        let Some(node) = open(path, report) else { continue };
        let shown = name.join(path.strip_prefix(dir).unwrap_or(path));
        let mut report = FileReport { file: path.clone(), report };
        cases.extend(case::read(&node, prefix, &shown, &context, &mut files, &mut report));
    }
    if tree.cases.is_empty() && report.errors.is_empty() {
        report.file(dir, "holds no case file; add `<dialect>/<topic>.yaml` (see corpus/README.md)");
    }
    sources.extend(files.read);
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    Some(Corpus {
        root: dir.to_owned(),
        strictness,
        cases,
        digest: digest(&sources),
        toolsets: toolsets.into_iter().filter_map(|(name, list)| Some((name, list?))).collect(),
        taxonomy,
    })
}

/// A mapping of each tag to one line on what it means. `Some` even with errors, so that tags are still checked.
fn taxonomy(node: &load::node::Node, report: &mut FileReport<'_>) -> Option<BTreeMap<String, String>> {
    let Value::Map(members) = &node.value else {
        report.at(node.place, format!("the taxonomy must map each tag to one line on what it means, not be {}", node.value.kind()));
        return None;
    };
    let mut tags = BTreeMap::new();
    for (key, value) in members {
        let meaning = value.string().unwrap_or_default().trim();
        if meaning.is_empty() {
            report.at(value.place, format!("tag `{}` needs one line on what it means", key.text));
        }
        if !case::is_name(&key.text) {
            report.at(key.place, format!("`{}` is no tag; use letters, digits and `-`", key.text));
        }
        tags.insert(key.text.clone(), meaning.to_owned());
    }
    Some(tags)
}

fn digest(files: &BTreeMap<PathBuf, Vec<u8>>) -> String {
    let mut digest = Digester::new();
    for (name, bytes) in files {
        let words: Vec<_> = name.iter().map(|word| word.to_string_lossy()).collect();
        digest.part(words.join("/").as_bytes()).part(bytes);
    }
    digest.hex(32)
}

#[cfg(test)]
#[path = "corpus_tests.rs"]
mod tests;
