//! How a case can end.

use serde::{Deserialize, Serialize};

/// The verdict of one subject on one case. The order is from best to worst; the worst of several wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// As expected.
    Pass,
    /// Equal but for white space in content or reasoning.
    Soft,
    /// Not the default, but what a named policy gives.
    Policy,
    /// One of several legitimate outcomes, not the first.
    Disputed,
    /// The case or the law asks for what the subject cannot do.
    Unsupported,
    /// It was selected but did not run.
    NotRun,
    /// A law is broken, or the reply differs from `expect` or the golden.
    Fail,
    /// It ran past its deadline.
    TimedOut,
    /// It panicked, threw or died.
    Crashed,
    /// The adapter, not the parser, is at fault.
    AdapterFault,
}

impl Verdict {
    /// The word used in logs and reports.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Soft => "soft",
            Self::Policy => "policy",
            Self::Disputed => "disputed",
            Self::Unsupported => "unsupported",
            Self::NotRun => "not-run",
            Self::Fail => "fail",
            Self::TimedOut => "timed-out",
            Self::Crashed => "crashed",
            Self::AdapterFault => "adapter-fault",
        }
    }

    /// True if the subject is at fault: `fail`, `timed-out`, `crashed`. Neither a fault of the adapter nor of the harness.
    #[must_use]
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Fail | Self::TimedOut | Self::Crashed)
    }

    /// All verdicts, best first.
    pub const ALL: &'static [Self] = &[
        Self::Pass,
        Self::Soft,
        Self::Policy,
        Self::Disputed,
        Self::Unsupported,
        Self::NotRun,
        Self::Fail,
        Self::TimedOut,
        Self::Crashed,
        Self::AdapterFault,
    ];

    /// The verdict of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.as_str() == word)
    }
}
