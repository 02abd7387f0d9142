//! What can be wrong with a file, and where.

use std::fmt;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The keys that lead to it, joined by dots; empty for the file as a whole.
    pub at: String,
    /// What is wrong and what to do.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(at: &str, message: impl Into<String>) -> Self {
        Self { at: at.to_owned(), message: message.into() }
    }

    pub(crate) fn of_file(message: impl Into<String>) -> Self {
        Self::new("", message)
    }

    /// The same below the key `outer`.
    pub(crate) fn within(self, outer: &str) -> Self {
        let at = [outer, &self.at].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(".");
        Self { at, ..self }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.is_empty() { f.write_str(&self.message) } else { write!(f, "`{}`: {}", self.at, self.message) }
    }
}

/// Why a file makes no dialect: a line `file:line: message` for each fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .lines.join("\n"))]
pub struct LoadError {
    lines: Vec<String>,
}

impl LoadError {
    /// A line a fault.
    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    pub(crate) fn new(file: &str, faults: impl IntoIterator<Item = (usize, String)>) -> Self {
        Self { lines: faults.into_iter().map(|(line, message)| format!("{file}:{line}: {message}")).collect() }
    }
}
