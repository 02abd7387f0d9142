//! What the reference parsers allocate: fixed texts of every row for the golden `goldens/costs/reference.yaml`, and the bounds
//! that hold for texts of any size.
//!
//! Nothing here counts: a counting allocator is the whole program's, so the test `costs` brings one and hands it in as
//! [`Count`]. The sink throws every step away, so that the reply itself is never counted.

use std::fmt::Write as _;

use streakstone_model::{ByteUse, CallOutcome, Delivery, Dialect, End, Finish, ReadOptions, Sink, Span};
use streakstone_parsers::{Parser, ToolSet};

use crate::generators::{self, Generator, fill};
use crate::ratio::Collected;

/// Bytes that a parser may hold besides an open call, whatever the text.
pub const SLACK: u64 = 64 * 1024;
/// Times the bytes of an open call that a parser may hold: a buffer that doubles is less than twice what is in it.
const TIMES: u64 = 2;
/// Bytes of the long texts of the golden.
const LONG: usize = 100_000;
/// Bytes a chunk, beside the whole text at once: about a token.
pub const CHUNK: usize = 4;
/// The generators of texts without a call, those the row has: a parser holds next to nothing of them.
pub const PROSE: &[&str] = &[
    "prose",
    "prose-lt",
    "prose-bracket",
    "prose-brace",
    "prose-newlines",
    "prose-newlines-letter",
    "prose-non-ascii",
    "prose-backslashes",
    "near-openers",
    "closers",
    "control-tokens",
    "near-control-tokens",
    "stop-tokens-with-letter",
    "reasoning-without-end",
    "reasoning-near-closers",
    "prompt-opened-prose",
];
/// The generators of texts that are one call, which therefore may be held until it ends. Its parameters are few: about 150 bytes
/// are noted of each, up to the cap on parameters.
pub const ONE_CALL: &[&str] =
    &["huge-string", "huge-string-declared", "huge-escapes", "huge-non-ascii", "calls-in-a-string", "flat-list-closed"];
/// Bytes by which arguments are found again in the text.
const PREFIX: usize = 64;

/// What a piece of work allocated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Requests to the allocator, new and grown.
    pub allocations: u64,
    /// Most bytes held at one time, of those requested by the work.
    pub peak: u64,
}

/// Counts what a piece of work allocates.
pub type Count<'a> = &'a dyn Fn(&mut dyn FnMut()) -> Cost;

/// A sink that keeps nothing.
#[derive(Debug, Clone, Copy)]
struct Discard;

impl Sink for Discard {
    fn text(&mut self, _text: &str, _span: Span) {}
    fn reasoning(&mut self, _text: &str, _span: Span) {}
    fn call_begin(&mut self, _index: usize, _name: &str, _id: &str, _minted: bool) {}
    fn arguments(&mut self, _index: usize, _fragment: &str) {}
    fn call_end(&mut self, _index: usize, _outcome: CallOutcome) {}
    fn bytes(&mut self, _what: ByteUse, _span: Span) {}
    fn finish(&mut self, _reason: Finish) {}
}

/// One reading, from opening the parser to its end.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The row.
    pub dialect: &'static Dialect,
    /// The request's tools, compiled.
    pub tools: &'a ToolSet,
    /// The options.
    pub options: &'a ReadOptions,
    /// The text.
    pub raw: &'a str,
    /// Bytes a chunk; 0 for the whole text at once. Cuts fall where they fall, inside characters too.
    pub chunk: usize,
}

impl Job<'_> {
    fn read<S: Sink>(&self, sink: &mut S) {
        let raw = self.raw.as_bytes();
        let mut parser = Parser::new(self.dialect, self.tools, self.options);
        for delta in raw.chunks(if self.chunk == 0 { raw.len().max(1) } else { self.chunk }) {
            parser.push(delta, sink);
        }
        parser.finish(End::Stop, sink);
    }

    /// What the reading costs.
    #[must_use]
    pub fn cost(&self, count: Count<'_>) -> Cost {
        // The row itself is made ready on the first use in a process.
        drop(Parser::new(self.dialect, self.tools, self.options));
        count(&mut || self.read(&mut Discard))
    }

    /// What opening the parser costs.
    #[must_use]
    pub fn opening(&self, count: Count<'_>) -> Cost {
        drop(Parser::new(self.dialect, self.tools, self.options));
        count(&mut || drop(Parser::new(self.dialect, self.tools, self.options)))
    }

    /// Bytes that may be held while the text is one open call: twice the text, in case the call fails, the arguments where they are
    /// not the model's own bytes, as they are part of the reply, and [`SLACK`].
    #[must_use]
    pub fn open_call(&self) -> u64 {
        let mut reply = Collected::default();
        self.read(&mut reply);
        let own = |arguments: &str| {
            let prefix = &arguments[..arguments.floor_char_boundary(PREFIX)];
            self.raw.match_indices(prefix).any(|(at, _)| self.raw[at..].starts_with(arguments))
        };
        let rewritten = reply.calls.iter().map(|(_, arguments)| arguments.as_str()).filter(|arguments| !own(arguments));
        TIMES * self.raw.len() as u64 + rewritten.map(str::len).sum::<usize>() as u64 + SLACK
    }
}

/// The generators of `names` that the row has.
pub fn generators_of(dialect: &'static Dialect, names: &[&str]) -> impl Iterator<Item = &'static Generator> {
    generators::of(dialect).filter(move |generator| names.contains(&generator.name))
}

/// The texts of the golden.
fn texts(dialect: &Dialect) -> [(&'static str, String); 4] {
    let shape = dialect.grammar.spelling();
    [
        ("one-call", shape.call("f", "v")),
        ("ten-calls", shape.calls(10, "v")),
        ("prose-100k", fill("", generators::PROSE, "", LONG)),
        ("string-100k", fill(&shape.in_string(), "abcdefg ", &shape.string_to_end(), LONG)),
    ]
}

/// The golden's lines for a row: `[allocations, peak bytes]` of opening a parser, and of each text in both deliveries, whole and
/// in chunks of [`CHUNK`] bytes.
#[must_use]
pub fn row(dialect: &'static Dialect, count: Count<'_>) -> String {
    let tools = ToolSet::new(Some(&generators::tools()));
    let mut options = ReadOptions::default();
    let open = Job { dialect, tools: &tools, options: &options, raw: "", chunk: 0 }.opening(count);
    let mut lines = format!("{}:\n  open: [{}, {}]\n", dialect.name, open.allocations, open.peak);
    for (name, raw) in texts(dialect) {
        let deliveries = [Delivery::Validated, Delivery::Eager].map(|delivery| {
            options.policies.delivery = delivery;
            let [whole, chunks] = [0, CHUNK].map(|chunk| Job { dialect, tools: &tools, options: &options, raw: &raw, chunk }.cost(count));
            let pair = |cost: Cost| format!("[{}, {}]", cost.allocations, cost.peak);
            format!("{}: {{whole: {}, chunks: {}}}", delivery.as_str(), pair(whole), pair(chunks))
        });
        let _ = writeln!(lines, "  {name}: {{{}}}", deliveries.join(", "));
    }
    lines
}
