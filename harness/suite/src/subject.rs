//! The thing under test, as the judge sees it: raw bytes and cut lists go in, readings come out.

use streakstone_model::{Dialect, End, Event, Policies, ReadOptions, Tool, stop_tokens};

use crate::law::Law;
use crate::plan::Plan;

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
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts")]
pub struct Chunking {
    /// Ascending byte offsets where a chunk ends and the next begins; a repeated offset, 0 or the length makes an empty chunk.
    pub cuts: Vec<usize>,
    /// True if the end cause rides on the last chunk instead of coming after it.
    pub last_with_finish: bool,
    /// True if the same instance reads the text twice; the second reading is the one that counts.
    pub reuse: bool,
    /// True if markers are special tokens: a subject that takes tokens is given them as such.
    pub special: bool,
    /// True if the text goes through the subject's own entry point for finished texts, if it has one, and not as a stream of one chunk.
    pub whole: bool,
}

impl Chunking {
    /// The finished text, not cut.
    #[must_use]
    pub fn whole() -> Self {
        Self { whole: true, ..Self::default() }
    }

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
    /// Its process died, again with the same readings.
    Died(String),
    /// It has no entry point for this reading.
    Unsupported(String),
    /// It ran past the deadline that the subject itself keeps (a process that was killed).
    TimedOut,
    /// The adapter broke, not the parser: a protocol error, a lost connection.
    AdapterFault(String),
}

/// What a subject says of itself, so that it is judged by what it can do and shown as what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "ten independent facts")]
pub struct Declared {
    /// Its name, as [`Subject::name`].
    pub name: String,
    /// Its version.
    pub version: String,
    /// The documented choices that differ from the defaults; the delivery is not among them.
    pub policies: Policies,
    /// True if its engine never hands over a part of a special token: cuts inside one are read, but shown apart.
    pub special_tokens_whole: bool,
    /// Rows whose engine takes away the token that ended a reply: the subject is handed the text without it.
    pub stop_tokens_cut: Vec<&'static str>,
    /// True if a `tool_choice` that forbids calls is answered for around it, not by it.
    pub ignores_none: bool,
    /// The same of one that names a function.
    pub ignores_named: bool,
    /// The same of `parallel_tool_calls`.
    pub ignores_parallel: bool,
    /// True if it types text by rules of its own: where only the type of a value differs, that is its documented choice.
    pub types_by_own_rules: bool,
    /// Laws it cannot be judged by, each with the reason.
    pub cannot: Vec<(Law, String)>,
    /// Parts that are not the real ones, such as a tokenizer.
    pub stubs: Vec<String>,
    /// One line for the report.
    pub notes: String,
    /// What its answers say.
    pub tells: Tells,
    /// True if it takes chunks that end inside a UTF-8 character, and texts that are no UTF-8.
    pub bytewise: bool,
    /// It is no part of this process.
    pub outside: bool,
    /// It has an entry point of its own for finished texts, unlike a stream of one chunk.
    pub whole: bool,
    /// It takes chunks.
    pub stream: bool,
    /// Its stream sends the head and the arguments of a call as they come. Only said of a subject without policies: another has the
    /// deliveries that it is asked for.
    pub eager: bool,
}

/// What a subject's answers say. What is not told is not held against it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts")]
pub struct Tells {
    /// The model's ids; else all are minted.
    pub ids: bool,
    /// Reasoning apart from content.
    pub reasoning: bool,
    /// The order of text, reasoning and calls; else a reply is judged on the joins.
    pub order: bool,
    /// The finish reason.
    pub finish: bool,
}

impl Tells {
    /// All of it.
    pub const ALL: Self = Self { ids: true, reasoning: true, order: true, finish: true };
}

impl Declared {
    /// A subject in this process, of this build, that tells everything and takes bytes.
    #[must_use]
    pub fn in_process(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            policies: Policies::default(),
            special_tokens_whole: false,
            stop_tokens_cut: Vec::new(),
            ignores_none: false,
            ignores_named: false,
            ignores_parallel: false,
            types_by_own_rules: false,
            cannot: Vec::new(),
            stubs: Vec::new(),
            notes: String::new(),
            tells: Tells::ALL,
            bytewise: true,
            outside: false,
            whole: false,
            stream: true,
            eager: false,
        }
    }

    /// True if it is outside this process and takes streams only. One in this process reads a prefix as it reads a text.
    #[must_use]
    pub const fn stream_only(&self) -> bool {
        self.outside && !self.whole
    }

    /// The documented choices other than the defaults, as `name=value`.
    #[must_use]
    pub fn choices(&self) -> Vec<String> {
        let mut pairs = self.policies.changed();
        if self.types_by_own_rules {
            pairs.push("coercion=own".to_owned());
        }
        pairs
    }

    /// The parts of a request that are answered for around it, in the words of the protocol.
    #[must_use]
    pub fn ignores(&self) -> Vec<String> {
        let named = self.ignores_named && !self.ignores_none;
        let all = [(self.ignores_none, "tool_choice"), (named, "named_tool_choice"), (self.ignores_parallel, "parallel_tool_calls")];
        all.into_iter().filter(|(said, _)| *said).map(|(_, word)| word.to_owned()).collect()
    }

    /// The part of `raw` that its engine hands over: all, or without the token at which the model stopped.
    #[must_use]
    pub fn handed<'r>(&self, dialect: &Dialect, raw: &'r [u8], end: End) -> &'r [u8] {
        if !self.stop_tokens_cut.contains(&dialect.name) || end != End::Stop {
            return raw;
        }
        stop_tokens(dialect).iter().find_map(|token| raw.strip_suffix(token.as_bytes())).unwrap_or(raw)
    }

    /// True if it is not judged by this law, and why.
    #[must_use]
    pub fn excuse(&self, law: Law) -> Option<&str> {
        if let Some((_, why)) = self.cannot.iter().find(|(cannot, _)| *cannot == law) {
            return Some(why);
        }
        match law {
            Law::IdValidUnique if !self.tells.ids => Some("the subject does not tell the model's ids"),
            Law::FinishHonest if !self.tells.finish => Some("the subject does not tell the finish reason"),
            Law::NoByteLost if !self.tells.order => Some("the subject does not tell the order of text and calls"),
            _ => None,
        }
    }
}

/// All readings of one case under one setting.
#[derive(Debug, Clone, Default)]
pub struct Batch<'a> {
    /// The plans; the first reading of the first is the whole one.
    pub plans: Vec<(Plan, &'a [Chunking])>,
    /// Lengths of prefixes, each to be read as a finished text that the length limit ended.
    pub prefixes: &'a [usize],
}

/// What a [`Batch`] gave.
#[derive(Debug, Clone, Default)]
pub struct Answers {
    /// For each plan each outcome; `None` if the reading was not made, which a note explains.
    pub plans: Vec<Vec<Option<Outcome>>>,
    /// For each prefix.
    pub prefixes: Vec<Option<Outcome>>,
    /// What the readings cost by the subject's own clock, in nanoseconds; 0 if it has none.
    pub cpu_ns: u64,
    /// What the reader of the result should know, a sentence each: a second start, the end of standard error.
    pub notes: Vec<String>,
}

impl Answers {
    /// What the readings of a batch's plans gave, for [`Subject::read`] of a subject that batches: readings that were not made are left out.
    pub fn hand_over(self, each: &mut dyn FnMut(usize, Outcome)) {
        let outcomes = self.plans.into_iter().flatten().enumerate();
        outcomes.filter_map(|(place, outcome)| Some((place, outcome?))).for_each(|(place, outcome)| each(place, outcome));
    }
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
        Declared::in_process(self.name())
    }
    /// True if it reads the dialect.
    fn supports(&self, dialect: &Dialect) -> bool;
    /// Reads `raw` once per chunking, each time with a fresh parser, and hands every outcome to `each` with the chunking's
    /// place in the list, in the order of the list. A subject may batch.
    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome));
    /// True if asking is dear, so that the judge asks for all readings of a case at once, by [`Self::read_batch`].
    fn batches(&self) -> bool {
        false
    }
    /// Reads all of `batch` at once, if [`Self::batches`] is true.
    fn read_batch(&self, _ask: &Ask<'_>, _raw: &[u8], _batch: &Batch<'_>) -> Answers {
        Answers::default()
    }
    /// Ends what it has running, and says what that did wrong after its last answer, if anything: a fault of the adapter. It can be asked
    /// again.
    fn end(&self) -> Option<String> {
        None
    }
    /// Times of `repeat` readings by the subject's own clock, in nanoseconds, or why there are none; `None` for a subject that is timed from
    /// outside.
    fn measure(&self, _ask: &Ask<'_>, _raw: &[u8], _chunking: &Chunking, _repeat: usize) -> Option<Result<Vec<u64>, String>> {
        None
    }
    /// Work done on one reading, counted in a unit of its own that does not depend on the machine (bytes looked at, loop
    /// iterations); `None` if it does not count. Growth is judged by it more sharply than by time.
    fn steps(&self, _ask: &Ask<'_>, _raw: &[u8], _chunking: &Chunking) -> Option<u64> {
        None
    }
}
