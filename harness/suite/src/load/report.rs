//! Collects errors of a corpus.

use std::path::{Path, PathBuf};

use crate::corpus::CorpusError;

/// The errors found so far.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub errors: Vec<CorpusError>,
}

impl Report {
    /// An error at a line and column of a file.
    pub fn at(&mut self, file: &Path, (line, column): (usize, usize), message: &str) {
        self.errors.push(CorpusError { file: file.to_owned(), line, column, message: message.to_owned() });
    }

    /// An error of a file or folder as a whole.
    pub fn file(&mut self, file: &Path, message: &str) {
        self.at(file, (1, 1), message);
    }
}

/// Errors of one file.
pub(crate) struct FileReport<'a> {
    pub file: PathBuf,
    pub report: &'a mut Report,
}

impl FileReport<'_> {
    /// An error at a place of this file.
    pub fn at(&mut self, place: (usize, usize), message: impl AsRef<str>) {
        self.report.at(&self.file, place, message.as_ref());
    }
}
