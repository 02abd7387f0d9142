//! The run log: the one JSON Lines file a run writes. Every report is a pure function of it.
//!
//! First line: the header (the receipt). Then one `result` a subject and case, and `growth` lines of measurements. Last line:
//! the footer with the number of results of each verdict. A log without a footer, or with counts that do not add up, is
//! refused. Nothing is rendered here.

mod condense;
mod diff;
mod merge;
mod partial;
mod read;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use streakstone_model::Delivery;

use crate::difference::Excerpt;
use crate::law::Law;
use crate::plan::Plan;
use crate::subject::Subject;
use crate::verdict::Verdict;

pub use condense::condense;
pub use diff::{Change, Diff, Incomparable, diff};
pub use merge::{MergeError, merge};
pub use partial::Partial;
pub use read::LogError;
pub use write::LogWriter;

#[cfg(test)]
pub(crate) use read::tests;

/// The format's number; a reader refuses any other.
pub const FORMAT: u32 = 1;

/// What a run was: enough to repeat it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// Version of streakstone.
    pub version: String,
    /// Commit of the checkout; empty if unknown.
    #[serde(default)]
    pub commit: String,
    /// The corpus, as given.
    pub corpus: String,
    /// Digest of the corpus.
    pub corpus_digest: String,
    /// Seeds of the random plans.
    #[serde(default)]
    pub seeds: Vec<u64>,
    /// The command line after the program's name.
    #[serde(default)]
    pub args: Vec<String>,
    /// The subjects that were selected.
    #[serde(default)]
    pub subjects: Vec<String>,
    /// The plans that were run.
    #[serde(default)]
    pub plans: Vec<String>,
    /// The CPU's model.
    #[serde(default)]
    pub cpu: String,
    /// Operating system and architecture.
    #[serde(default)]
    pub os: String,
    /// Start of the run, RFC 3339, UTC.
    #[serde(default)]
    pub started: String,
    /// What each subject says of itself, by its id; only of those that say something.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub about: BTreeMap<String, About>,
    /// True if the log is a published one: of each law only a few findings are shown with their values.
    #[serde(default, skip_serializing_if = "is_false")]
    pub condensed: bool,
    /// `k/n` if the run was one shard of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

/// What a subject says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct About {
    /// Its version.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// One line on what it is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Documented choices other than the defaults, as `name=value`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<String>,
    /// True if its engine never hands over a part of a special token.
    #[serde(default, skip_serializing_if = "is_false")]
    pub special_tokens_whole: bool,
    /// True if it is another program, behind an adapter. Only such a subject has `modes`, `unit` and `tells`.
    #[serde(default, skip_serializing_if = "is_false")]
    pub outside: bool,
    /// The entry points it has: `whole`, `stream`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modes: Vec<String>,
    /// What a cut may split: `bytes`, or nothing below a character, `text`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub unit: String,
    /// What its answers say: `ids`, `reasoning`, `order`, `finish`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tells: Vec<String>,
    /// Rows whose engine takes away the token that ended a reply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts_stop_tokens: Vec<String>,
    /// Parts of a request that are answered for around it, not by it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignores: Vec<String>,
    /// True if its stream sends a call's head and arguments as they come.
    #[serde(default, skip_serializing_if = "is_false")]
    pub eager: bool,
    /// Laws it cannot be judged by, and why.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cannot: BTreeMap<Law, String>,
    /// Parts that are not the real ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stubs: Vec<String>,
    /// One line for the report.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub notes: String,
}

impl About {
    /// What `subject` says.
    #[must_use]
    pub fn of(subject: &dyn Subject) -> Self {
        let declared = subject.declared();
        // What a part of this build can do is known from its version.
        let of_adapter = |words: &[(bool, &str)]| {
            let said = words.iter().filter(|(said, _)| declared.outside && *said);
            said.map(|(_, word)| (*word).to_owned()).collect::<Vec<_>>()
        };
        let tells = declared.tells;
        Self {
            outside: declared.outside,
            modes: of_adapter(&[(declared.whole, "whole"), (declared.stream, "stream")]),
            unit: of_adapter(&[(declared.bytewise, "bytes"), (!declared.bytewise, "text")]).concat(),
            tells: of_adapter(&[(tells.ids, "ids"), (tells.reasoning, "reasoning"), (tells.order, "order"), (tells.finish, "finish")]),
            policies: declared.choices(),
            cuts_stop_tokens: declared.stop_tokens_cut.iter().map(|row| (*row).to_owned()).collect(),
            ignores: declared.ignores(),
            version: declared.version,
            description: subject.description(),
            eager: declared.eager,
            special_tokens_whole: declared.special_tokens_whole,
            cannot: declared.cannot.into_iter().collect(),
            stubs: declared.stubs,
            notes: declared.notes,
        }
    }
}

/// One thing found wrong, or one law not judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The law, or `golden`, or `expect`.
    pub law: Law,
    /// The plan whose cuts showed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The delivery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivery: Option<Delivery>,
    /// Policies other than the defaults, `name=value` with commas.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub policies: String,
    /// The smallest set of cuts that shows it, as byte offsets.
    #[serde(default)]
    pub cut: Vec<usize>,
    /// What differs, such as `calls[0].arguments`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// What was right or came whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub want: Option<String>,
    /// What came.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub got: Option<String>,
    /// One sentence.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The raw text around the cut, or around the byte to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<Excerpt>,
    /// The smallest text that shows it, base64, where the shrinker made it smaller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub smallest: Option<String>,
    /// What it alone makes of the case, where that is less than a failure: `soft`, `policy`, `disputed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// True if only readings showed it that cut a special token of a subject whose engine never does: no part of the verdict.
    #[serde(default, skip_serializing_if = "is_false")]
    pub apart: bool,
}

impl Check {
    /// A finding about a law, nothing else said.
    #[must_use]
    pub const fn new(law: Law) -> Self {
        Self {
            law,
            plan: None,
            delivery: None,
            policies: String::new(),
            cut: Vec::new(),
            at: None,
            want: None,
            got: None,
            detail: String::new(),
            excerpt: None,
            smallest: None,
            verdict: None,
            apart: false,
        }
    }
}

/// The verdict of one subject on one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseResult {
    /// The subject's id.
    pub subject: String,
    /// The case's full name.
    pub case: String,
    /// The dialect's row name, or the word of the case if the build does not know it.
    #[serde(default)]
    pub dialect: String,
    /// The case's file.
    #[serde(default)]
    pub file: String,
    /// Its line in the file.
    #[serde(default)]
    pub line: usize,
    /// The verdict.
    pub verdict: Verdict,
    /// What was found; empty for a pass.
    #[serde(default)]
    pub checks: Vec<Check>,
    /// The laws that the subject could not be judged by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged: Vec<Law>,
    /// The plans that the case or the subject does not support, such as `tokens` without token pieces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unjudged_plans: Vec<Plan>,
    /// Why the verdict is not pass, where no check says so (`unsupported`, `policy`, `disputed`).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
    /// The reason of the known-failure entry that excuses it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
    /// Readings made.
    #[serde(default)]
    pub cuts_run: u64,
    /// Readings the plans could make.
    #[serde(default)]
    pub cuts_possible: u64,
    /// Most bytes held back outside an open unit; absent if the subject does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held_max: Option<u64>,
    /// Thread CPU time of the readings, in nanoseconds.
    #[serde(default)]
    pub cpu_ns: u64,
    /// True if the subject is wrong on purpose.
    #[serde(default, skip_serializing_if = "is_false")]
    pub planted: bool,
}

/// A growth curve: CPU time over input size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Growth {
    /// The subject's id.
    pub subject: String,
    /// The dialect's row name.
    pub dialect: String,
    /// The generator of the input.
    pub generator: String,
    /// The delivery.
    pub delivery: Delivery,
    /// Bytes a chunk; 0 = whole.
    pub chunk: usize,
    /// Input sizes in bytes.
    pub sizes: Vec<u64>,
    /// Thread CPU time of each size, best of several, in nanoseconds.
    pub cpu_ns: Vec<u64>,
    /// Slope of log time over log size.
    pub exponent: f64,
    /// Interval of the slope: low, high.
    pub interval: [f64; 2],
    /// What `counts` counts (`steps`, `instructions`); absent if nothing was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Count of each size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<u64>,
    /// Slope of log count over log size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count_exponent: Option<f64>,
    /// The limit that `exponent` is held to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// True if the subject is wrong on purpose.
    #[serde(default, skip_serializing_if = "is_false")]
    pub planted: bool,
}

/// The end of a log.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Footer {
    /// Number of results of each verdict; a verdict that did not occur may be absent.
    pub counts: BTreeMap<Verdict, u64>,
}

/// One line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum Line {
    /// The receipt; the first line.
    Header(Header),
    /// A verdict.
    Result(CaseResult),
    /// A growth curve.
    Growth(Growth),
    /// The counts; the last line.
    Footer(Footer),
}

/// A complete log.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLog {
    /// The receipt.
    pub header: Header,
    /// The results in the order written.
    pub results: Vec<CaseResult>,
    /// The growth curves in the order written.
    pub growth: Vec<Growth>,
}

impl RunLog {
    /// Number of results of each verdict that occurs.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Verdict, u64> {
        count(&self.results)
    }

    /// The adapters of which a whole log has nothing but `unsupported`. The subjects of the build are not asked: what they do not read is
    /// known. Neither is a shard: it may have no case that an adapter reads.
    #[must_use]
    pub fn unjudged(&self) -> Vec<&str> {
        let outside = |name: &str| self.header.shard.is_none() && self.header.about.get(name).is_some_and(|about| about.outside);
        let silent = |name: &str| {
            let mut own = self.results.iter().filter(|r| r.subject == name).peekable();
            own.peek().is_some() && own.all(|r| r.verdict == Verdict::Unsupported)
        };
        self.header.subjects.iter().map(String::as_str).filter(|name| outside(name) && silent(name)).collect()
    }

    /// Number of results that the run was ended before.
    #[must_use]
    pub fn not_run(&self) -> usize {
        self.results.iter().filter(|r| r.verdict == Verdict::NotRun).count()
    }
}

fn count(results: &[CaseResult]) -> BTreeMap<Verdict, u64> {
    let mut counts = BTreeMap::new();
    for result in results {
        *counts.entry(result.verdict).or_insert(0) += 1;
    }
    counts
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if passes a reference")]
const fn is_false(value: &bool) -> bool {
    !*value
}
