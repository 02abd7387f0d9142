//! The Rust SDK: implement [`Adapter`] around a parser and call [`serve`]. `examples/mini_hermes` is a whole one.
//!
//! A panic of the parser is the result `raised` and ends nothing but its reading. Standard output is moved away before the first line is
//! read, so that a parser that prints breaks no answer.

mod answer;
mod clock;
mod panic;
mod read;

use std::io::{self, BufRead as _, BufReader, Read as _, Write};

pub use answer::{answer, run};
pub use read::{How, read};

use crate::MAX_LINE;
use crate::message::{Answer, End, Event, Hello, Measure, Reasoning, Run, ToolChoice, Trouble, Unit};

/// A parser, as the harness sees it.
pub trait Adapter {
    /// What it says of itself. The clock is filled in.
    fn hello(&self) -> Hello;

    /// Reads a finished text through the parser's own entry point for finished texts.
    ///
    /// # Errors
    /// What came instead of a reply. The default is `unsupported`.
    fn whole(&self, _request: &Request) -> Result<Vec<Event>, No> {
        Err(No::Unsupported("it has no entry point for finished texts".to_owned()))
    }

    /// Begins a stream with a fresh parser.
    ///
    /// # Errors
    /// What came instead of a session. The default is `unsupported`.
    fn open<'a>(&'a self, _request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        Err(No::Unsupported("it has no entry point for streams".to_owned()))
    }
}

/// One stream.
pub trait Session {
    /// Takes in a delta and gives what leaves because of it.
    ///
    /// # Errors
    /// What came instead. The reading ends there.
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No>;

    /// Ends the stream and gives what was still held.
    ///
    /// # Errors
    /// As [`Self::push`].
    fn finish(&mut self, end: End) -> Result<Vec<Event>, No>;

    /// The last delta together with the finish, where the parser tells the two apart; else it is pushed, and the finish comes after it.
    fn last(&mut self, _delta: Delta<'_>, _end: End) -> Option<Result<Vec<Event>, No>> {
        None
    }
}

/// What came instead of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum No {
    /// The parser said no.
    Rejected(String),
    /// It threw; a panic is caught and need not be turned into this.
    Raised(String),
    /// It has no such entry point.
    Unsupported(String),
    /// The adapter itself is broken, say a file is missing: no result of the parser.
    Fault(String),
}

/// A text and its request.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The word of the hello's dialects.
    pub dialect: String,
    /// The raw text: UTF-8, unless the hello's unit is `bytes`.
    pub raw: Vec<u8>,
    /// OpenAI tool objects; `None` where the request has no tools.
    pub tools: Option<Vec<serde_json::Value>>,
    /// The request's choice.
    pub tool_choice: ToolChoice,
    /// The request's `parallel_tool_calls`.
    pub parallel_tool_calls: bool,
    /// Whether the prompt opened the reasoning span.
    pub reasoning: Reasoning,
    /// Why the text ended.
    pub end: End,
    /// Byte ranges that are special tokens; only where the hello's unit is `tokens`.
    pub special: Vec<[usize; 2]>,
}

impl Request {
    /// The raw text. Bytes that are no UTF-8, which come only to a unit of `bytes`, are U+FFFD here.
    #[must_use]
    pub fn text(&self) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(&self.raw)
    }

    /// The functions of the tools: name and JSON Schema of the parameters, `{}` where a tool has none.
    pub fn functions(&self) -> impl Iterator<Item = (&str, serde_json::Value)> {
        let functions = self.tools.iter().flatten().filter_map(|tool| tool.get("function"));
        functions.filter_map(|f| {
            let parameters = f.get("parameters").cloned().unwrap_or_else(|| serde_json::Value::Object(serde_json::Map::new()));
            Some((f.get("name")?.as_str()?, parameters))
        })
    }

    fn new(run: &Run, unit: Unit) -> Result<Self, String> {
        let request = Self {
            dialect: run.dialect.clone(),
            raw: run.raw()?,
            tools: run.tools.clone(),
            tool_choice: run.tool_choice.clone(),
            parallel_tool_calls: run.parallel_tool_calls,
            reasoning: run.reasoning,
            end: run.end,
            special: run.special.clone(),
        };
        request.checked(unit)
    }

    fn of_measure(measure: &Measure, unit: Unit) -> Result<Self, String> {
        let request = Self {
            dialect: measure.dialect.clone(),
            raw: measure.raw()?,
            tools: measure.tools.clone(),
            tool_choice: measure.tool_choice.clone(),
            parallel_tool_calls: measure.parallel_tool_calls,
            reasoning: measure.reasoning,
            end: measure.end,
            special: Vec::new(),
        };
        request.checked(unit)
    }

    fn checked(self, unit: Unit) -> Result<Self, String> {
        match std::str::from_utf8(&self.raw) {
            Err(e) if unit != Unit::Bytes => Err(format!("the text is no UTF-8, which only a unit of `bytes` takes: {e}")),
            _ => Ok(self),
        }
    }
}

/// A delta of a stream.
#[derive(Debug, Clone, Copy)]
pub struct Delta<'a> {
    bytes: &'a [u8],
    start: usize,
    special: &'a [[usize; 2]],
}

impl<'a> Delta<'a> {
    /// The bytes; whole UTF-8 characters, unless the hello's unit is `bytes`.
    #[must_use]
    pub const fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// The text; empty if a unit of `bytes` cut a character.
    #[must_use]
    pub fn text(self) -> &'a str {
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }

    /// The text in pieces, each with whether it is a special token. A special token that a cut splits is text.
    pub fn pieces(self) -> impl Iterator<Item = (&'a str, bool)> {
        let end = self.start + self.bytes.len();
        let mut whole: Vec<_> = self.special.iter().filter(|s| s[0] >= self.start && s[0] < s[1] && s[1] <= end).collect();
        whole.sort_unstable();
        let mut pieces = Vec::new();
        let mut at = self.start;
        for &&[from, to] in &whole {
            if from >= at {
                pieces.extend([(at, from, false), (from, to, true)]);
                at = to;
            }
        }
        pieces.push((at, end, false));
        let text = move |from, to| std::str::from_utf8(&self.bytes[from - self.start..to - self.start]).unwrap_or_default();
        pieces.into_iter().filter(|(from, to, _)| from < to).map(move |(from, to, special)| (text(from, to), special))
    }
}

/// Answers on standard output what comes on standard input, until `stop` or the end. Call it first and alone in `main`.
///
/// # Errors
/// A stream broke.
pub fn serve(adapter: &dyn Adapter) -> io::Result<()> {
    let mut out = own_output()?;
    panic::keep_quiet();
    let mut input = BufReader::new(io::stdin().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        // One byte more than a line may have, so that a longer one is seen and not cut.
        (&mut input).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        let Some(answered) = answer(adapter, &line) else { return Ok(()) };
        write(&mut out, &answered)?;
    }
}

fn write(out: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let mut line = serde_json::to_vec(answer)?;
    if line.len() > MAX_LINE {
        let id = match answer {
            Answer::Result(result) => Some(result.id),
            Answer::Measured(measured) => Some(measured.id),
            Answer::Hello(_) | Answer::Error(_) => None,
        };
        let message = format!("the answer has {} bytes, a line at most {MAX_LINE}", line.len());
        line = serde_json::to_vec(&Answer::Error(Trouble { id, message }))?;
    }
    line.push(b'\n');
    out.write_all(&line)?;
    out.flush()
}

/// A copy of standard output for the answers. What anything else prints goes to standard error from here on.
#[cfg(unix)]
fn own_output() -> io::Result<impl Write> {
    let own = rustix::io::dup(rustix::stdio::stdout())?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok(std::fs::File::from(own))
}

/// Standard output itself: there is no safe way here to move it. A parser that prints breaks the protocol.
#[cfg(not(unix))]
fn own_output() -> io::Result<impl Write> {
    Ok(io::stdout().lock())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_special_token_is_a_piece_unless_a_cut_splits_it() {
        static SPECIAL: [[usize; 2]; 2] = [[0, 3], [5, 8]];
        let delta = |start, bytes: &'static [u8]| Delta { bytes, start, special: &SPECIAL };
        let pieces = |d: Delta<'static>| d.pieces().map(|(t, s)| (t.to_owned(), s)).collect::<Vec<_>>();
        let own = |all: &[(&str, bool)]| all.iter().map(|(t, s)| ((*t).to_owned(), *s)).collect::<Vec<_>>();
        assert_eq!(pieces(delta(0, b"<a>xy<b>z")), own(&[("<a>", true), ("xy", false), ("<b>", true), ("z", false)]));
        assert_eq!(pieces(delta(1, b"a>xy<b")), own(&[("a>xy<b", false)]));
        assert_eq!(pieces(delta(3, b"")), Vec::new());
    }
}
