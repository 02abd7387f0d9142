//! One step of a streamed reading, and the sink that receives it.

use serde::{Deserialize, Serialize};

/// A half-open range `start..end` of raw input bytes, counted from the first byte of the reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start)
    }

    /// True if the span holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }
}

/// Why raw bytes are in no part of the reply (semantics 9, `no-byte-lost`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DropReason {
    /// A call after the first under `parallel=first`.
    Parallel,
    /// A call whose name the policy `undeclared=drop` refuses.
    Undeclared,
    /// A call cut short under `truncated=drop`.
    Truncated,
    /// A call past the cap on calls.
    CallCap,
}

/// What raw bytes that are not text were used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum ByteUse {
    /// Markers, separators and framing white space.
    Framing,
    /// The body of the call with this index.
    Call {
        /// Index of the call.
        index: usize,
    },
    /// Left out of the reply, announced.
    Dropped {
        /// Why.
        reason: DropReason,
    },
}

/// Whose framing raw bytes are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FramingOf {
    /// A call's: opener, closer, separators and white space that it owns.
    Call,
    /// The envelope's: reasoning markers, control tokens, message headers, and white space around them.
    Envelope,
}

/// Why a call did not become complete (semantics 1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Incomplete {
    /// The text ended inside the unit.
    Truncated,
    /// The unit's own grammar was broken.
    Malformed,
    /// A cap was reached.
    Cap,
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum CallOutcome {
    /// Its body closed: the fragments join to one strict JSON object.
    Complete,
    /// It did not close; the fragments are the bytes that came.
    Incomplete {
        /// Why.
        reason: Incomplete,
    },
}

/// The finish reason of a reply (semantics 9, `finish-honest`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// No complete call.
    Stop,
    /// At least one complete call.
    ToolCalls,
    /// The end cause was the length limit; never overwritten.
    Length,
}

impl Finish {
    /// The word of the APIs: `stop`, `tool_calls`, `length`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::ToolCalls => "tool_calls",
            Self::Length => "length",
        }
    }
}

/// An owned step of a reading. The borrowed form is a call of [`Sink`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "event", deny_unknown_fields)]
pub enum Event {
    /// Content.
    Text {
        /// The text, U+FFFD for what was no UTF-8.
        text: String,
        /// Where it stood.
        span: Span,
    },
    /// Reasoning.
    Reasoning {
        /// The text.
        text: String,
        /// Where it stood.
        span: Span,
    },
    /// A call begins: index, name and id, once and first.
    CallBegin {
        /// 0, 1, 2 ... in order of appearance.
        index: usize,
        /// The name as sent to the client.
        name: String,
        /// The id as sent to the client.
        id: String,
        /// True if the id was minted by us and is not the model's.
        minted: bool,
    },
    /// A fragment of the arguments' JSON text.
    Arguments {
        /// Index of the call.
        index: usize,
        /// The fragment.
        fragment: String,
    },
    /// A call ends.
    CallEnd {
        /// Index of the call.
        index: usize,
        /// How.
        outcome: CallOutcome,
    },
    /// Raw bytes that are no text: framing, a call's body, or dropped.
    Bytes {
        /// What for.
        what: ByteUse,
        /// Which.
        span: Span,
    },
    /// The reply is over; the last event.
    Finish {
        /// The finish reason.
        reason: Finish,
    },
}

/// Receives the steps of a reading as they happen. Spans of `text`, `reasoning` and `bytes` tile the raw input in order.
pub trait Sink {
    /// Content.
    fn text(&mut self, text: &str, span: Span);
    /// Reasoning.
    fn reasoning(&mut self, text: &str, span: Span);
    /// A call begins.
    fn call_begin(&mut self, index: usize, name: &str, id: &str, minted: bool);
    /// A fragment of the arguments of call `index`.
    fn arguments(&mut self, index: usize, fragment: &str);
    /// Call `index` ends.
    fn call_end(&mut self, index: usize, outcome: CallOutcome);
    /// Raw bytes that are no text.
    fn bytes(&mut self, what: ByteUse, span: Span);
    /// Raw bytes that are framing. Who does not ask whose they are gets them as [`ByteUse::Framing`].
    fn framing(&mut self, _of: FramingOf, span: Span) {
        self.bytes(ByteUse::Framing, span);
    }
    /// The reply is over.
    fn finish(&mut self, reason: Finish);
}

impl Sink for Vec<Event> {
    fn text(&mut self, text: &str, span: Span) {
        self.push(Event::Text { text: text.to_owned(), span });
    }

    fn reasoning(&mut self, text: &str, span: Span) {
        self.push(Event::Reasoning { text: text.to_owned(), span });
    }

    fn call_begin(&mut self, index: usize, name: &str, id: &str, minted: bool) {
        self.push(Event::CallBegin { index, name: name.to_owned(), id: id.to_owned(), minted });
    }

    fn arguments(&mut self, index: usize, fragment: &str) {
        self.push(Event::Arguments { index, fragment: fragment.to_owned() });
    }

    fn call_end(&mut self, index: usize, outcome: CallOutcome) {
        self.push(Event::CallEnd { index, outcome });
    }

    fn bytes(&mut self, what: ByteUse, span: Span) {
        self.push(Event::Bytes { what, span });
    }

    fn finish(&mut self, reason: Finish) {
        self.push(Event::Finish { reason });
    }
}
