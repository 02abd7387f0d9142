//! The folder of goldens: where each case's file is, and what is wrong with the folder as a whole.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::case::Case;
use crate::golden::surface::LIST;
use crate::golden::{Golden, read};

/// Folders under `goldens/` that hold other things than cases' replies.
const OTHER_FOLDERS: &[&str] = &["known", "costs", "surfaces"];

/// Deepest folder: `recorded/<model>/<topic>` is 3.
const MAX_DEPTH: usize = 4;

/// Something wrong with the goldens. Each fails `streakstone check`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GoldenFault {
    /// The case has no golden.
    #[error("{}: missing: case {case} has no golden; run `streakstone bless {case}`", path.display())]
    Missing {
        /// Where it belongs.
        path: PathBuf,
        /// The case.
        case: String,
    },
    /// The golden was written for another input.
    #[error("{}: case changed: the input of {case} is not the one this golden was written for; review it and run `streakstone bless {case}`", path.display())]
    Stale {
        /// The file.
        path: PathBuf,
        /// The case.
        case: String,
    },
    /// No case has this golden.
    #[error("{}: unreferenced: no case is named {case}; delete the file, or rename it with its case and run `streakstone bless`", path.display())]
    Unreferenced {
        /// The file.
        path: PathBuf,
        /// The name it would belong to.
        case: String,
    },
    /// The list of the surfaces' goldens does not name its case.
    #[error("{}: unreferenced: corpus/{LIST} does not name {case}; add the name, or delete the file", path.display())]
    Unlisted {
        /// The file.
        path: PathBuf,
        /// The case.
        case: String,
    },
    /// A golden waits for review.
    #[error("{}: pending: review it with `cargo insta review`, or `streakstone bless {case}`", path.display())]
    Pending {
        /// The `.snap.new` file.
        path: PathBuf,
        /// The case.
        case: String,
    },
    /// The file cannot be read, is damaged, or was edited by hand.
    #[error("{}:{line}: {what}", path.display())]
    Corrupt {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong and what to do.
        what: String,
    },
}

impl GoldenFault {
    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Missing { path, .. }
            | Self::Stale { path, .. }
            | Self::Unreferenced { path, .. }
            | Self::Unlisted { path, .. }
            | Self::Pending { path, .. }
            | Self::Corrupt { path, .. } => path,
        }
    }
}

/// A folder of goldens.
#[derive(Debug, Clone)]
pub struct Goldens {
    root: PathBuf,
}

impl GoldenFault {
    /// The faults that no case's own trial reports: all but missing and pending goldens. One line each.
    #[must_use]
    pub fn stray(faults: &[Self]) -> Vec<String> {
        faults.iter().filter(|f| !matches!(f, Self::Missing { .. } | Self::Pending { .. })).map(ToString::to_string).collect()
    }
}

impl Goldens {
    /// The goldens under `root`; nothing is read yet.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the golden of a case is: `<root>/<folder>/<topic>/<id>.snap`.
    #[must_use]
    pub fn path_for(&self, case: &Case) -> PathBuf {
        self.path_of(&case.name)
    }

    fn path_of(&self, name: &str) -> PathBuf {
        file_of(&self.root, name)
    }

    /// Reads the golden of a case: `Ok(None)` if there is none.
    ///
    /// # Errors
    /// The file is damaged or stale.
    pub fn load(&self, case: &Case) -> Result<Option<Golden>, GoldenFault> {
        let path = self.path_for(case);
        let corrupt = |line, what| GoldenFault::Corrupt { path: path.clone(), line, what };
        let text = match fs::read(&path) {
            Ok(bytes) => String::from_utf8(bytes).map_err(|_| corrupt(1, "the file is not UTF-8".to_owned()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(corrupt(1, format!("the file cannot be read: {error}"))),
        };
        let golden = Golden::parse(&text).map_err(|e| corrupt(e.line, e.what))?;
        if !read::is_header_of(&text, &case.name) {
            let what = format!(
                "the golden says it is of {}, but lies where {} belongs; run `streakstone bless {}`",
                golden.case, case.name, case.name
            );
            return Err(corrupt(3, what));
        }
        if golden.input != case.input_digest() {
            return Err(GoldenFault::Stale { path, case: case.name.clone() });
        }
        Ok(Some(golden))
    }

    /// All `.snap` and `.snap.new` files of replies, sorted; an absent folder has none.
    ///
    /// # Errors
    /// A folder cannot be listed.
    pub fn files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        if self.root.is_dir() {
            list(&self.root, 0, &mut files)?;
        }
        files.sort();
        Ok(files)
    }

    /// Everything wrong with the folder, given all cases of the corpus, sorted by file: missing, stale, unreferenced, pending and
    /// damaged goldens.
    ///
    /// # Errors
    /// A folder cannot be listed.
    pub fn audit(&self, cases: &[Case]) -> io::Result<Vec<GoldenFault>> {
        let mut faults = Vec::new();
        let mut known = BTreeSet::new();
        for case in cases {
            let path = self.path_for(case);
            match self.load(case) {
                Ok(Some(_)) => {}
                Ok(None) => faults.push(GoldenFault::Missing { path: path.clone(), case: case.name.clone() }),
                Err(fault) => faults.push(fault),
            }
            known.insert(path);
        }
        for path in self.files()? {
            let relative = path.strip_prefix(&self.root).unwrap_or(&path);
            let words: Vec<_> = relative.iter().map(|w| w.to_string_lossy()).collect();
            let name = words.join("/");
            if let Some(name) = name.strip_suffix(".snap.new") {
                faults.push(GoldenFault::Pending { case: name.to_owned(), path });
            } else if !known.contains(&path) {
                let case = name.strip_suffix(".snap").unwrap_or(&name).to_owned();
                faults.push(GoldenFault::Unreferenced { case, path });
            }
        }
        faults.sort_by(|a, b| a.path().cmp(b.path()));
        Ok(faults)
    }
}

/// `<root>/<folder>/<topic>/<id>.snap`.
pub(super) fn file_of(root: &Path, name: &str) -> PathBuf {
    let mut path = root.to_owned();
    path.extend(name.split('/'));
    // Not `with_extension`: an id may hold a dot.
    path.as_mut_os_string().push(".snap");
    path
}

pub(super) fn list(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        // A link is not followed: a golden is a file of the repository.
        let kind = entry.file_type()?;
        if kind.is_dir() {
            if depth < MAX_DEPTH && !(depth == 0 && OTHER_FOLDERS.contains(&name.as_ref())) {
                list(&entry.path(), depth + 1, files)?;
            }
        } else if name.ends_with(".snap") || name.ends_with(".snap.new") {
            files.push(entry.path());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::tests::case;
    use streakstone_model::{Finish, Part, Reply};

    fn reply() -> Reply {
        Reply { parts: vec![Part::Text("hi".to_owned())], finish: Finish::Stop, spans: Vec::new() }
    }

    fn write(goldens: &Goldens, case: &Case) -> PathBuf {
        let path = goldens.path_for(case);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, Golden::new(case, &reply(), None).snap_file()).unwrap();
        path
    }

    #[test]
    fn a_folder_in_order_has_no_fault() {
        let dir = tempfile::tempdir().unwrap();
        let goldens = Goldens::new(dir.path());
        let cases = [case("hermes/strings/v1.2"), case("recorded/m/t/c")];
        for case in &cases {
            write(&goldens, case);
        }
        assert!(goldens.path_for(&cases[0]).ends_with("hermes/strings/v1.2.snap"));
        fs::create_dir_all(dir.path().join("known")).unwrap();
        fs::write(dir.path().join("known/x.snap"), "").unwrap();
        assert_eq!(goldens.audit(&cases).unwrap(), []);
        assert_eq!(goldens.files().unwrap().len(), 2);
        assert_eq!(Goldens::new("no/such/folder").files().unwrap(), Vec::<PathBuf>::new());
    }

    #[test]
    fn missing_stale_unreferenced_pending_and_damaged_goldens_are_told_apart() {
        let dir = tempfile::tempdir().unwrap();
        let goldens = Goldens::new(dir.path());
        let mut cases: Vec<Case> = ["a", "b", "c", "d", "e"].map(|id| case(&format!("hermes/t/{id}"))).into();
        for case in &cases[1..] {
            write(&goldens, case);
        }
        cases[1].raw = b"another text".to_vec();
        let damaged = goldens.path_for(&cases[2]);
        fs::write(&damaged, fs::read_to_string(&damaged).unwrap().replace("  \"input\"", "  \"inpt\"")).unwrap();
        fs::rename(goldens.path_for(&cases[3]), dir.path().join("hermes/t/z.snap")).unwrap();
        fs::write(dir.path().join("hermes/t/e.snap.new"), "").unwrap();
        let faults: Vec<String> = goldens.audit(&cases).unwrap().into_iter().map(|f| f.to_string()).collect();
        let words =
            ["a.snap: missing", "b.snap: case changed", "c.snap:", "d.snap: missing", "e.snap.new: pending", "z.snap: unreferenced"];
        assert_eq!(faults.len(), words.len(), "{faults:#?}");
        for (fault, word) in faults.iter().zip(words) {
            assert!(fault.contains(word), "{fault} has no {word}");
            assert!(fault.contains("streakstone bless"), "{fault}");
        }
    }

    #[test]
    fn a_golden_of_another_case_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let goldens = Goldens::new(dir.path());
        let (one, two) = (case("hermes/t/one"), case("hermes/t/two"));
        let path = write(&goldens, &one);
        fs::rename(path, goldens.path_for(&two)).unwrap();
        let fault = goldens.load(&two).unwrap_err();
        assert!(fault.to_string().contains("says it is of hermes/t/one"), "{fault}");
    }
}
