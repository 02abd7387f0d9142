//! The laws: properties that need no golden. Their exact words are those of `semantics.md` 9 and the design page. Here is what
//! each asks of the readings it is given; which readings are made is the judge's business.

pub mod bytes;
pub mod reply;
pub mod stream;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::difference::Difference;

/// A law, or one of the two comparisons that a result reports in the same way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// Judged on the hostile plans.
    SplitInvariance,
    /// Judged on the realistic plans.
    WholeEqualsStream,
    /// See [`bytes::no_byte_lost`].
    NoByteLost,
    /// See [`bytes::no_marker_leak`].
    NoMarkerLeak,
    /// See [`stream::never_retracted`].
    NeverRetracted,
    /// See [`stream::arguments_join`].
    ArgumentsJoin,
    /// See [`reply::arguments_json`].
    ArgumentsJson,
    /// See [`stream::fault_law`].
    NameOnceFirst,
    /// See [`stream::fault_law`].
    IndexDense,
    /// See [`reply::id_valid_unique`].
    IdValidUnique,
    /// See [`reply::finish_honest`].
    FinishHonest,
    /// See [`stream::prose_not_held`].
    ProseNotHeld,
    /// See [`reply::deliveries_agree`].
    DeliveriesAgree,
    /// See [`reply::prefix_honest`].
    PrefixHonest,
    /// Judged on the plan `reuse`: each second reply against a first one under the same cuts.
    Reusable,
    /// Two whole readings.
    Deterministic,
    /// No reading raises.
    NoCrash,
    /// All readings of a case end in time.
    Deadline,
    /// Growth; measured by the measure crate, only named here.
    Linear,
    /// Memory; measured by the measure crate, only named here.
    BoundedMemory,
    /// No law: the reply is what the case expects.
    Expect,
    /// No law: the reply is the reviewed golden.
    Golden,
}

/// No law of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown law `{word}`; the laws are {all}", all = Law::ALL.map(Law::as_str).join(", "))]
pub struct UnknownLaw {
    /// What was asked.
    pub word: String,
}

/// What a law says of a reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It holds.
    Holds,
    /// It is broken.
    Broken(Finding),
    /// The subject, or the case, cannot be judged by it. Never a pass.
    Unsupported(&'static str),
}

/// How a law is broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// One sentence.
    pub message: String,
    /// Byte of the raw text, where one is to blame other than the cut.
    pub at: Option<usize>,
    /// The first difference, with the words for its two sides.
    pub difference: Option<(Difference, Sides)>,
}

/// The words for the two sides of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sides {
    /// The whole reading and a split one.
    WholeSplit,
    /// What was expected and what came.
    ExpectedGot,
    /// The two deliveries.
    ValidatedEager,
    /// The first and the second reading.
    FirstSecond,
    /// The full text and a prefix of it.
    FullPrefix,
}

impl Sides {
    /// The words.
    #[must_use]
    pub const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::WholeSplit => ("whole", "split"),
            Self::ExpectedGot => ("expected", "got"),
            Self::ValidatedEager => ("validated", "eager"),
            Self::FirstSecond => ("first", "second"),
            Self::FullPrefix => ("full", "prefix"),
        }
    }
}

impl Judgement {
    /// Broken, with one sentence.
    pub(crate) fn broken(message: impl Into<String>) -> Self {
        Self::Broken(Finding { message: message.into(), at: None, difference: None })
    }

    /// Broken at a byte of the raw text.
    pub(crate) fn broken_at(message: impl Into<String>, at: usize) -> Self {
        Self::Broken(Finding { message: message.into(), at: Some(at), difference: None })
    }

    /// Broken, with a difference.
    pub(crate) fn differs(message: impl Into<String>, difference: Difference, sides: Sides) -> Self {
        Self::Broken(Finding { message: message.into(), at: None, difference: Some((difference, sides)) })
    }
}

impl Law {
    /// All laws, then the two comparisons.
    pub const ALL: [Self; 22] = [
        Self::SplitInvariance,
        Self::WholeEqualsStream,
        Self::NoByteLost,
        Self::NoMarkerLeak,
        Self::NeverRetracted,
        Self::ArgumentsJoin,
        Self::ArgumentsJson,
        Self::NameOnceFirst,
        Self::IndexDense,
        Self::IdValidUnique,
        Self::FinishHonest,
        Self::ProseNotHeld,
        Self::DeliveriesAgree,
        Self::PrefixHonest,
        Self::Reusable,
        Self::Deterministic,
        Self::NoCrash,
        Self::Deadline,
        Self::Linear,
        Self::BoundedMemory,
        Self::Expect,
        Self::Golden,
    ];

    /// Its stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::SplitInvariance => "split-invariance",
            Self::WholeEqualsStream => "whole-equals-stream",
            Self::NoByteLost => "no-byte-lost",
            Self::NoMarkerLeak => "no-marker-leak",
            Self::NeverRetracted => "never-retracted",
            Self::ArgumentsJoin => "arguments-join",
            Self::ArgumentsJson => "arguments-json",
            Self::NameOnceFirst => "name-once-first",
            Self::IndexDense => "index-dense",
            Self::IdValidUnique => "id-valid-unique",
            Self::FinishHonest => "finish-honest",
            Self::ProseNotHeld => "prose-not-held",
            Self::DeliveriesAgree => "deliveries-agree",
            Self::PrefixHonest => "prefix-honest",
            Self::Reusable => "reusable",
            Self::Deterministic => "deterministic",
            Self::NoCrash => "no-crash",
            Self::Deadline => "deadline",
            Self::Linear => "linear",
            Self::BoundedMemory => "bounded-memory",
            Self::Expect => "expect",
            Self::Golden => "golden",
        }
    }

    /// What it says, in one line.
    #[must_use]
    pub const fn statement(self) -> &'static str {
        match self {
            Self::SplitInvariance => "Whatever the cuts, the reply is that of the whole text.",
            Self::WholeEqualsStream => "A stream cut as servers cut it gives the reply of the whole text.",
            Self::NoByteLost => "Every raw byte is content, reasoning, a call, framing, or dropped for an announced reason.",
            Self::NoMarkerLeak => "No byte of a promoted call or of its framing is in content or reasoning.",
            Self::NeverRetracted => "What a stream has sent is at all times a prefix of the whole reply.",
            Self::ArgumentsJoin => "The fragments of a call join to the arguments of the whole reading.",
            Self::ArgumentsJson => "The arguments of a complete call are one strict JSON object.",
            Self::NameOnceFirst => "A call's name comes once, not empty, before its arguments.",
            Self::IndexDense => "Calls are numbered 0, 1, 2 in the order they begin.",
            Self::IdValidUnique => "Every call has an id of 1 to 64 letters, digits, `_` or `-`, unlike all others of the reply.",
            Self::FinishHonest => {
                "Each call ends, then the reply, once: length at the limit, else tool_calls if a call is complete, else stop."
            }
            Self::ProseNotHeld => "Outside a call, no more is held than could begin a marker or be framing white space.",
            Self::DeliveriesAgree => "Validated and eager replies are equal, up to the first incomplete call.",
            Self::PrefixHonest => "A text cut off by the length limit gives the first of the complete calls of the full text.",
            Self::Reusable => "A second reply on the same instance is like the first.",
            Self::Deterministic => "The same text read twice gives the same reply.",
            Self::NoCrash => "No input makes the parser panic or throw.",
            Self::Deadline => "All readings of a case end before the deadline.",
            Self::Linear => "Time grows in proportion to the length of the text.",
            Self::BoundedMemory => "Memory grows at most in proportion to the length of the text.",
            Self::Expect => "The reply is what the case expects.",
            Self::Golden => "The reply is the reviewed golden.",
        }
    }

    /// True if it is broken or kept by the readings of one case; the others are measured.
    #[must_use]
    pub const fn in_process(self) -> bool {
        !matches!(self, Self::Linear | Self::BoundedMemory)
    }

    /// True if what it says depends on the case's own text, so that a shorter text says nothing of it.
    #[must_use]
    pub const fn needs_the_text(self) -> bool {
        matches!(self, Self::Expect | Self::Golden)
    }
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Law {
    type Err = UnknownLaw;

    fn from_str(word: &str) -> Result<Self, UnknownLaw> {
        Self::ALL.into_iter().find(|l| l.as_str() == word).ok_or_else(|| UnknownLaw { word: word.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_law_is_found_by_its_name_and_has_a_statement() {
        for law in Law::ALL {
            assert_eq!(law.as_str().parse(), Ok(law));
            assert_eq!(serde_json::to_value(law).unwrap(), law.as_str());
            assert!(law.statement().ends_with('.'));
        }
        assert!("split".parse::<Law>().unwrap_err().to_string().contains("split-invariance"));
    }
}
