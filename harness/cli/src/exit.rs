//! The exit codes, and the errors that carry one.

use std::fmt;
use std::process::ExitCode;

/// How the program ends. The numbers are a promise to scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Exit {
    /// 0: everything was as expected.
    AsExpected = 0,
    /// 1: a result was not as expected.
    Unexpected = 1,
    /// 2: wrong usage, or an invalid corpus, golden or known list.
    Usage = 2,
    /// 3: the harness or an adapter is at fault, not a parser.
    Fault = 3,
    /// 4: nothing was selected.
    NothingSelected = 4,
    /// 5: the run was interrupted or its log is incomplete.
    Incomplete = 5,
}

impl Exit {
    /// Every code with its meaning, for the help text.
    pub const TABLE: &'static str = "\
Exit codes:
  0  as expected
  1  unexpected result
  2  usage, or invalid corpus, golden or known list
  3  harness or adapter fault
  4  nothing selected
  5  incomplete";
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error that ends the program with a code of its own.
#[derive(Debug)]
pub struct Stop {
    /// The code.
    pub exit: Exit,
    /// Path first, what happened, what to type next. May have several lines.
    pub message: String,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Stop {}

/// An error that ends the program with `exit`.
pub fn stop(exit: Exit, message: impl Into<String>) -> anyhow::Error {
    anyhow::Error::new(Stop { exit, message: message.into() })
}

/// The code of an error: its own, or [`Exit::Fault`].
pub fn code_of(error: &anyhow::Error) -> Exit {
    error.downcast_ref::<Stop>().map_or(Exit::Fault, |s| s.exit)
}

/// Shows an error on stderr, its causes too, and gives its code.
pub fn report(error: &anyhow::Error) -> Exit {
    let text: Vec<String> = error.chain().map(|cause| streakstone_report::escape::printable(&cause.to_string())).collect();
    crate::output::notice(&format!("error: {}", text.join(": ")));
    code_of(error)
}
