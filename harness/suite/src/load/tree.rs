//! Which files of a corpus are what.
//!
//! `taxonomy.yaml`, `toolsets/<name>.yaml`, `<folder>/<topic>.yaml` (also `.yml` and `.json`) and `recorded/<model>/<topic>.yaml`. `scenarios/`,
//! names that begin with a dot, and files with other endings (texts for `raw_file`, notes) are left alone.

use std::fs;
use std::path::{Path, PathBuf};

use crate::load::case::is_name;
use crate::load::report::Report;

/// The endings of files that are read.
const ENDINGS: &[&str] = &["yaml", "yml", "json"];
/// The one of them that files of other kinds have too, so that it is no error in an odd place.
const JSON: &str = "json";
/// The tag list.
const TAXONOMY: &str = "taxonomy";
/// Tools by name.
const TOOLSETS: &str = "toolsets";
/// Cases by model.
const RECORDED: &str = "recorded";
/// Read by other verbs.
const SCENARIOS: &str = "scenarios";

/// The files of a corpus, each list sorted by name.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub taxonomy: Option<PathBuf>,
    /// Name and file.
    pub toolsets: Vec<(String, PathBuf)>,
    /// `folder/topic` and file.
    pub cases: Vec<(String, PathBuf)>,
}

/// One entry of a folder.
struct Entry {
    path: PathBuf,
    name: String,
    folder: bool,
    link: bool,
}

impl Entry {
    /// The name without its ending, if the ending is one of ours.
    fn stem(&self) -> Option<&str> {
        let (stem, ending) = self.name.rsplit_once('.')?;
        (!self.folder && ENDINGS.contains(&ending)).then_some(stem)
    }

    /// True for what can only be a corpus file.
    fn is_yaml(&self) -> bool {
        self.stem().is_some() && self.name.rsplit_once('.').is_some_and(|(_, ending)| ending != JSON)
    }
}

/// Lists a corpus. `root` must be a folder.
pub(crate) fn list(root: &Path, report: &mut Report) -> Tree {
    let mut tree = Tree::default();
    for entry in entries(root, report) {
        if !entry.folder {
            match entry.stem() {
                Some(TAXONOMY) if tree.taxonomy.is_none() => tree.taxonomy = Some(entry.path),
                _ if entry.is_yaml() => {
                    report.file(&entry.path, "a case file lies in a folder of its dialect; move it to `<dialect>/<topic>.yaml`");
                }
                _ => {}
            }
            continue;
        }
        match entry.name.as_str() {
            SCENARIOS => {}
            TOOLSETS => {
                for file in entries(&entry.path, report) {
                    if let Some(stem) = file.stem() {
                        tree.toolsets.push((stem.to_owned(), file.path.clone()));
                    }
                }
            }
            RECORDED => {
                for model in entries(&entry.path, report) {
                    if model.folder {
                        topics(&model.path, &format!("{RECORDED}/{}", model.name), &mut tree, report);
                    } else if model.stem().is_some() {
                        report.file(
                            &model.path,
                            "a recorded case file lies in a folder of its model; move it to `recorded/<model>/<topic>.yaml`",
                        );
                    }
                }
            }
            folder => topics(&entry.path, folder, &mut tree, report),
        }
    }
    for (list, what) in [(&tree.toolsets, "toolset"), (&tree.cases, "case file")] {
        for pair in list.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            report.file(&pair[1].1, &format!("a second {what} `{}` next to {}; keep one of them", pair[1].0, pair[0].1.display()));
        }
    }
    tree
}

/// The case files of one folder.
fn topics(folder: &Path, prefix: &str, tree: &mut Tree, report: &mut Report) {
    let listed = entries(folder, report);
    if listed.is_empty() {
        report.file(folder, "the folder is empty; add `<topic>.yaml`, or remove it");
    }
    if let Some(word) = prefix.split('/').find(|word| !is_name(word)) {
        report.file(folder, &format!("`{word}` cannot be part of a case's name; rename the folder to letters, digits, `-`, `_` and `.`"));
        return;
    }
    for entry in listed {
        match entry.stem() {
            Some(stem) if is_name(stem) => tree.cases.push((format!("{prefix}/{stem}"), entry.path)),
            Some(stem) => {
                report.file(&entry.path, &format!("`{stem}` cannot be a topic; rename the file to letters, digits, `-`, `_` and `.`"));
            }
            // A folder may hold texts for `raw_file`; a link to one could lead in circles.
            None if entry.folder && !entry.link => {
                for inner in entries(&entry.path, report) {
                    if inner.is_yaml() {
                        report.file(&inner.path, "a case file lies directly in the folder of its dialect; move it up one folder");
                    }
                }
            }
            None => {}
        }
    }
}

/// The entries of a folder, sorted by name, without those that begin with a dot.
fn entries(folder: &Path, report: &mut Report) -> Vec<Entry> {
    let listed = match fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(listed) => listed,
        Err(error) => {
            report.file(folder, &format!("cannot be listed: {error}; check that it exists and is readable"));
            return Vec::new();
        }
    };
    let mut all = Vec::new();
    for entry in listed {
        let path = entry.path();
        let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
            report.file(&path, "the name is not UTF-8; rename it");
            continue;
        };
        if name.starts_with('.') {
            continue;
        }
        match fs::metadata(&path) {
            Ok(meta) => all.push(Entry { folder: meta.is_dir(), link: path.is_symlink(), path, name }),
            Err(error) => report.file(&path, &format!("cannot be read: {error}; mend or remove the link")),
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    all
}
