//! The thing under test, as the judge sees it: raw bytes and cut lists go in, readings come out.

use streakstone_model::{Dialect, End, Event, Policies, ReadOptions, Tool};

use crate::law::Law;

/// What a subject can be judged by. A law that needs more is `unsupported`, never `pass`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent abilities")]
pub struct Abilities {
    /// Its events carry true spans that tile the raw bytes.
    pub spans: bool,
    /// It tells how much it holds back after each push.
    pub held: bool,
    /// It obeys policies other than the defaults.
    pub policies: bool,
    /// It has the `eager` delivery too.
    pub eager: bool,
}

/// What a subject says of itself: the documented choices that it is judged under, and what of its answers can be trusted. The
/// default is the reference's: no choice of its own, everything told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Declared {
    /// Its version, as it says it; empty if the description has it.
    pub version: String,
    /// The documented choices that differ from our defaults, the delivery among them. A reply that they explain is `policy`.
    pub policies: Policies,
    /// True if its engine never hands over a part of a special token: what cuts inside one show is kept apart.
    pub whole_special_tokens: bool,
    /// What its answers do not say.
    pub silent: Vec<Silent>,
    /// Laws it cannot be judged by, each with the reason. `no-crash`, `deadline`, `expect` and `golden` cannot be excused.
    pub cannot: Vec<(Law, String)>,
    /// Parts that are not the real ones, such as a tokenizer.
    pub stubs: Vec<String>,
    /// One line for the report.
    pub notes: String,
}

/// Something that a subject's answers do not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Silent {
    /// The ids that the model wrote.
    Ids,
    /// Reasoning apart from content.
    Reasoning,
    /// Text before and after calls.
    Order,
    /// The finish reason.
    Finish,
}

/// What one reading depends on besides the bytes and the cuts.
#[derive(Debug, Clone, Copy)]
pub struct Ask<'a> {
    /// The dialect's row.
    pub dialect: &'static Dialect,
    /// The declared tools; `None` = the request has no `tools` key.
    pub tools: Option<&'a [Tool]>,
    /// Request options, policies, caps.
    pub options: &'a ReadOptions,
    /// Why the text ended.
    pub end: End,
}

/// One way to hand over the raw bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chunking {
    /// Ascending byte offsets where a chunk ends and the next begins; a repeated offset, 0 or the length makes an empty chunk.
    pub cuts: Vec<usize>,
    /// True if the end cause rides on the last chunk instead of coming after it.
    pub last_with_finish: bool,
    /// True if the same instance reads the text twice; the second reading is the one that counts.
    pub reuse: bool,
    /// True if markers are special tokens: a subject that takes tokens is given them as such.
    pub special: bool,
}

impl Chunking {
    /// The chunks of `raw` under these cuts; always at least one.
    pub fn chunks<'a>(&'a self, raw: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let starts = std::iter::once(0).chain(self.cuts.iter().copied());
        let ends = self.cuts.iter().copied().chain(std::iter::once(raw.len()));
        starts.zip(ends).map(|(start, end)| &raw[start..end])
    }
}

/// What a subject holds back after a push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// Bytes taken in that no event has spoken of.
    pub bytes: usize,
    /// True if a unit is open, in which case holding is its right.
    pub unit_open: bool,
}

/// What one reading gave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reading {
    /// All events in order.
    pub events: Vec<Event>,
    /// Number of events after each chunk; one entry a chunk. Events beyond the last entry came with the finish.
    pub marks: Vec<usize>,
    /// What was held after each chunk; empty if the subject does not tell.
    pub held: Vec<Held>,
}

/// How one reading ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A reading.
    Reading(Reading),
    /// The parser said no.
    Rejected(String),
    /// It panicked or threw.
    Raised(String),
    /// It ran past the deadline that the subject itself keeps (a process that was killed).
    TimedOut,
    /// The adapter broke, not the parser: a protocol error, a lost connection.
    AdapterFault(String),
}

/// A parser under test.
pub trait Subject: Send + Sync {
    /// Its id, such as `reference`.
    fn name(&self) -> &str;
    /// One line on what it is, with its version.
    fn description(&self) -> String;
    /// The law that its planted fault must break; `None` for a real subject.
    fn planted(&self) -> Option<&'static str> {
        None
    }
    /// What it can be judged by.
    fn abilities(&self) -> Abilities;
    /// What it says of itself.
    fn declared(&self) -> Declared {
        Declared::default()
    }
    /// True if it reads the dialect.
    fn supports(&self, dialect: &Dialect) -> bool;
    /// Reads `raw` once per chunking, each time with a fresh parser, and hands every outcome to `each` with the chunking's
    /// place in the list, in the order of the list. A subject may batch.
    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome));
    /// Work done on one reading, counted in a unit of its own that does not depend on the machine (bytes looked at, loop
    /// iterations); `None` if it does not count. Growth is judged by it more sharply than by time.
    fn steps(&self, _ask: &Ask<'_>, _raw: &[u8], _chunking: &Chunking) -> Option<u64> {
        None
    }
}
