//! The exit codes, and the errors that carry one.

use std::fmt;
use std::process::ExitCode;

use streakstone_report::escape::visible;

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
    /// 5: the run was interrupted, its log is incomplete, or nothing at all was judged of an adapter.
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

/// An error that ends the program with a code of its own. Its lines are ours; whatever text stands in one cannot begin another.
#[derive(Debug)]
pub struct Stop {
    exit: Exit,
    /// Path first, what happened.
    lines: Vec<String>,
    /// What to type next.
    next: Option<String>,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.lines.iter().map(|line| visible(line)).collect();
        f.write_str(&lines.join("\n"))?;
        self.next.as_ref().map_or(Ok(()), |next| write!(f, "\n  next  {}", visible(next)))
    }
}

impl std::error::Error for Stop {}

/// An error of one line that ends the program with `exit`.
pub fn stop(exit: Exit, message: impl fmt::Display) -> anyhow::Error {
    stop_lines(exit, [message.to_string()])
}

/// An error of several lines that ends the program with `exit`.
pub fn stop_lines(exit: Exit, lines: impl IntoIterator<Item = String>) -> anyhow::Error {
    anyhow::Error::new(Stop { exit, lines: lines.into_iter().collect(), next: None })
}

/// An error that ends the program with `exit`, and what to type or to do next.
pub fn stop_next(exit: Exit, message: impl fmt::Display, next: impl fmt::Display) -> anyhow::Error {
    anyhow::Error::new(Stop { exit, lines: vec![message.to_string()], next: Some(next.to_string()) })
}

/// The code of an error: its own, or [`Exit::Fault`].
pub fn code_of(error: &anyhow::Error) -> Exit {
    error.downcast_ref::<Stop>().map_or(Exit::Fault, |s| s.exit)
}

/// The lines of an error, to be shown among others; what to do next ends the last one.
pub fn lines_of(error: &anyhow::Error) -> Vec<String> {
    let Some(stop) = error.downcast_ref::<Stop>() else { return vec![format!("{error:#}")] };
    let mut lines = stop.lines.clone();
    if let (Some(last), Some(next)) = (lines.last_mut(), &stop.next) {
        *last = format!("{}; {next}", last.trim_end_matches('.'));
    }
    lines
}

/// Shows an error on stderr, its causes too, and gives its code.
pub fn report(error: &anyhow::Error) -> Exit {
    let text = |cause: &(dyn std::error::Error + 'static)| {
        let said = cause.to_string();
        if cause.is::<Stop>() { said } else { visible(&said) }
    };
    let text: Vec<String> = error.chain().map(text).collect();
    crate::output::notice(&format!("error: {}", text.join(": ")));
    code_of(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_in_a_message_begins_a_line_or_names_the_next_command() {
        let hostile = "x\nerror: none\n  next  rm -r .\u{1b}[2J";
        let lines = |error: anyhow::Error| error.to_string().lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(lines(stop(Exit::Usage, hostile)), ["x↵error: none↵  next  rm -r .␛[2J"]);
        assert_eq!(lines(stop_next(Exit::Usage, hostile, "a\nb")), ["x↵error: none↵  next  rm -r .␛[2J", "  next  a↵b"]);
        assert_eq!(lines(stop_lines(Exit::Usage, ["a\nb".to_owned(), "c".to_owned()])), ["a↵b", "c"]);
    }
}
