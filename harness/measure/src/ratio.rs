//! What the reference parsers cost over copying: the same chunks pushed into a parser whose sink collects into strings, and
//! into a string with one `memchr` for the dialect's first marker byte. Never asserted in a timed test: figures for a person.

use std::time::Duration;

use streakstone_model::{ByteUse, CallOutcome, Delivery, Dialect, End, Finish, ReadOptions, Sink, Span};
use streakstone_parsers::{Parser, ToolSet};

use crate::clock;
use crate::generators::fill;

/// Bytes of each text.
pub const TEXT_BYTES: usize = 64 * 1024;
/// Calls in the text of calls, below the default cap.
const MOST_CALLS: usize = 1000;
/// Bytes of the argument of each call: a short file, as in `peer-bench`.
const ARGUMENT: &str = "fn main() { let x = vec![1, 2, 3]; println!(x, x.len()); } // end of the file, nothing else here to see";
/// Prose without a byte that could begin a marker, and prose as it comes.
const PLAIN: &str = "The quick brown fox jumps over the lazy dog, and then it writes a short note about what it saw.\n";
/// The aim for calls, times the baseline.
pub const CALLS_AIM: f64 = 5.0;
/// The aim for prose, times the baseline.
pub const PROSE_AIM: f64 = 1.6;

/// A sink as a client has it: text and arguments collected into strings.
#[derive(Debug, Default)]
pub struct Collected {
    /// Content.
    pub content: String,
    /// Reasoning.
    pub reasoning: String,
    /// Name and arguments of each call.
    pub calls: Vec<(String, String)>,
}

impl Sink for Collected {
    fn text(&mut self, text: &str, _span: Span) {
        self.content.push_str(text);
    }

    fn reasoning(&mut self, text: &str, _span: Span) {
        self.reasoning.push_str(text);
    }

    fn call_begin(&mut self, _index: usize, name: &str, _id: &str, _minted: bool) {
        self.calls.push((name.to_owned(), String::new()));
    }

    fn arguments(&mut self, index: usize, fragment: &str) {
        if let Some((_, arguments)) = self.calls.get_mut(index) {
            arguments.push_str(fragment);
        }
    }

    fn call_end(&mut self, _index: usize, _outcome: CallOutcome) {}

    fn bytes(&mut self, _what: ByteUse, _span: Span) {}

    fn finish(&mut self, _reason: Finish) {}
}

/// One figure: a text, streamed.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratio {
    /// The row's name.
    pub dialect: &'static str,
    /// `calls` or `prose`.
    pub text: &'static str,
    /// The delivery.
    pub delivery: Delivery,
    /// Bytes a chunk, at least; cuts fall on characters.
    pub chunk: usize,
    /// Chunks in the text.
    pub chunks: usize,
    /// Bytes in the text.
    pub bytes: usize,
    /// Nanoseconds of the parser, best of all rounds.
    pub parser_ns: u64,
    /// Nanoseconds of the baseline, best of all rounds.
    pub baseline_ns: u64,
}

#[expect(clippy::cast_precision_loss, reason = "times and counts are far below 2^52")]
impl Ratio {
    /// Parser over baseline.
    #[must_use]
    pub fn ratio(&self) -> f64 {
        self.parser_ns as f64 / self.baseline_ns.max(1) as f64
    }

    /// Nanoseconds a chunk of the parser and of the baseline.
    #[must_use]
    pub fn ns_per_chunk(&self) -> (f64, f64) {
        (self.parser_ns as f64 / self.chunks as f64, self.baseline_ns as f64 / self.chunks as f64)
    }

    /// What the ratio is to stay within.
    #[must_use]
    pub fn aim(&self) -> f64 {
        if self.text == "calls" { CALLS_AIM } else { PROSE_AIM }
    }
}

/// A text of calls: as many as [`TEXT_BYTES`] holds, with a line of prose between blocks where the dialect has blocks of one.
#[must_use]
pub fn calls_text(dialect: &Dialect) -> String {
    let shape = dialect.grammar.spelling();
    let one = shape.bare_call("write_file", ARGUMENT).len() + shape.separator.len();
    let count = (TEXT_BYTES / one).clamp(1, MOST_CALLS);
    let call = shape.bare_call("write_file", ARGUMENT);
    format!("{}{}{}", shape.first, vec![call; count].join(&shape.separator), shape.last)
}

/// A text of prose without markers.
#[must_use]
pub fn prose_text() -> String {
    fill("", PLAIN, "", TEXT_BYTES)
}

/// Cuts `text` into chunks of at least `size` bytes, on characters.
#[must_use]
pub fn chunks(text: &str, size: usize) -> Vec<&str> {
    let mut all = Vec::with_capacity(text.len() / size.max(1) + 1);
    let mut rest = text;
    while !rest.is_empty() {
        let (chunk, more) = rest.split_at(rest.ceil_char_boundary(size.clamp(1, rest.len())));
        all.push(chunk);
        rest = more;
    }
    all
}

/// The baseline: every chunk copied and searched once.
#[must_use]
pub fn baseline(chunks: &[&str], first: u8) -> (String, usize) {
    let (mut text, mut hits) = (String::new(), 0);
    for chunk in chunks {
        hits += usize::from(memchr::memchr(first, chunk.as_bytes()).is_some());
        text.push_str(chunk);
    }
    (text, hits)
}

/// The parser over the same chunks.
#[must_use]
pub fn parse(dialect: &'static Dialect, options: &ReadOptions, chunks: &[&str]) -> Collected {
    let tools = ToolSet::new(None);
    let mut parser = Parser::new(dialect, &tools, options);
    let mut sink = Collected::default();
    for chunk in chunks {
        parser.push_str(chunk, &mut sink);
    }
    parser.finish(End::Stop, &mut sink);
    sink
}

/// Measures calls and prose of a row, parser and baseline in turn, the best of `rounds`.
#[must_use]
pub fn measure_ratio(dialect: &'static Dialect, delivery: Delivery, chunk: usize, rounds: usize) -> Vec<Ratio> {
    let mut options = ReadOptions::default();
    options.policies.delivery = delivery;
    let first = dialect.grammar.spelling().open.as_bytes()[0];
    let texts = [("calls", calls_text(dialect)), ("prose", prose_text())];
    let figure = |(name, text): &(&'static str, String)| {
        let pieces = chunks(text, chunk);
        let (mut parser, mut copy) = (Duration::MAX, Duration::MAX);
        for _ in 0..rounds.max(1) {
            copy = copy.min(clock::time(|| baseline(&pieces, first)).0);
            parser = parser.min(clock::time(|| parse(dialect, &options, &pieces)).0);
        }
        Ratio {
            dialect: dialect.name,
            text: name,
            delivery,
            chunk,
            chunks: pieces.len(),
            bytes: text.len(),
            parser_ns: u64::try_from(parser.as_nanos()).unwrap_or(u64::MAX),
            baseline_ns: u64::try_from(copy.as_nanos()).unwrap_or(u64::MAX),
        }
    };
    texts.iter().map(figure).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_join_to_the_text_and_cut_no_character() {
        let text = "ab｜cdé漢漢漢";
        for size in 1..9 {
            let pieces = chunks(text, size);
            assert_eq!(pieces.concat(), text);
            assert!(pieces.iter().rev().skip(1).all(|p| p.len() >= size));
        }
    }

    #[test]
    fn the_baseline_copies_every_chunk() {
        assert_eq!(baseline(&["a<", "b", "<<"], b'<'), ("a<b<<".to_owned(), 2));
    }
}
