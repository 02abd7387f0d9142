//! Every message of the protocol. What an adapter writes is strict: an unknown key or event is a fault. What it reads is not, so that
//! an adapter outlives keys that come later.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::de::{self, IgnoredAny, SeqAccess, Visitor};
use serde::ser::SerializeSeq as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::PROTOCOL;

/// A line from the harness to the adapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Request {
    /// The first line.
    Hello(Greeting),
    /// Read a text under many cut lists.
    Run(Run),
    /// Read a text several times and tell the time.
    Measure(Measure),
    /// End with status 0.
    Stop,
}

/// A line from the adapter to the harness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Answer {
    /// Answers [`Request::Hello`].
    Hello(Hello),
    /// Answers [`Request::Run`].
    Result(RunResult),
    /// Answers [`Request::Measure`].
    Measured(Measured),
    /// Answers what cannot be served.
    Error(Trouble),
}

/// What the harness says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// Name and version, such as `streakstone 0.1.0`.
    #[serde(default)]
    pub harness: String,
}

/// What the adapter says of its parser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// [`PROTOCOL`].
    pub protocol: u32,
    /// The subject's name in reports, `[a-z0-9._-]+`.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The rows it reads, by any name or alias that `streakstone list dialects` prints.
    pub dialects: Vec<String>,
    /// The entry points it has.
    #[serde(default = "both_modes")]
    pub modes: Vec<Mode>,
    /// What a cut may split.
    #[serde(default)]
    pub unit: Unit,
    /// What its answers say.
    #[serde(default)]
    pub tells: Vec<Tell>,
    /// Whether its engine hands over parts of special tokens.
    #[serde(default)]
    pub special_tokens: SpecialTokens,
    /// Those of `dialects` whose engine takes the token that ended the reply away before the parser.
    #[serde(default)]
    pub cuts_stop_tokens: Vec<String>,
    /// What of a request is not its question.
    #[serde(default)]
    pub ignores: Vec<Ignored>,
    /// How its stream goes out.
    #[serde(default)]
    pub delivery: Delivery,
    /// The clock of `cpu_ns`.
    #[serde(default)]
    pub clock: Clock,
    /// The documented choices that differ from the defaults.
    #[serde(default)]
    pub policies: BTreeMap<String, String>,
    /// Laws it cannot be judged by.
    #[serde(default)]
    pub cannot: Vec<Cannot>,
    /// Parts that are not the real ones.
    #[serde(default)]
    pub stubs: Vec<String>,
    /// One line for the report.
    #[serde(default)]
    pub notes: String,
}

impl Hello {
    /// A subject of this name and version that reads `dialects`; all else is the default.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>, dialects: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            protocol: PROTOCOL,
            name: name.into(),
            version: version.into(),
            dialects: dialects.into_iter().map(Into::into).collect(),
            modes: both_modes(),
            unit: Unit::default(),
            tells: Vec::new(),
            special_tokens: SpecialTokens::default(),
            cuts_stop_tokens: Vec::new(),
            ignores: Vec::new(),
            delivery: Delivery::default(),
            clock: Clock::default(),
            policies: BTreeMap::new(),
            cannot: Vec::new(),
            stubs: Vec::new(),
            notes: String::new(),
        }
    }

    /// True if its answers say this.
    #[must_use]
    pub fn tells(&self, what: Tell) -> bool {
        self.tells.contains(&what)
    }

    /// What is wrong with it, in one sentence, beyond what its types say.
    ///
    /// # Errors
    /// Another protocol, or a name, a version, dialects or modes that no subject has.
    pub fn check(&self) -> Result<(), String> {
        let named = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
        if self.protocol != PROTOCOL {
            return Err(format!("it speaks protocol {}, this build {PROTOCOL}", self.protocol));
        }
        if self.name.is_empty() || self.name.len() > 64 || !self.name.bytes().all(named) {
            return Err(format!("its name {:?} is not 1 to 64 of the characters a-z, 0-9, `.`, `_` and `-`", self.name));
        }
        if self.version.is_empty() || self.dialects.is_empty() || self.modes.is_empty() {
            return Err("`version`, `dialects` and `modes` must not be empty".to_owned());
        }
        Ok(())
    }
}

fn both_modes() -> Vec<Mode> {
    vec![Mode::Whole, Mode::Stream]
}

/// An entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// For a finished text.
    Whole,
    /// For deltas.
    Stream,
}

/// What a cut may split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Never a UTF-8 character.
    #[default]
    Text,
    /// Anything.
    Bytes,
    /// As text; special tokens are named in the request.
    Tokens,
}

/// What an answer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tell {
    /// The model's ids.
    Ids,
    /// Reasoning.
    Reasoning,
    /// The order of text and calls.
    Order,
    /// The finish reason.
    Finish,
}

/// How special tokens come to the parser in its own engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SpecialTokens {
    /// Whole; cuts inside one are shown apart.
    Whole,
    /// In any pieces.
    #[default]
    Any,
}

/// A part of a request that the code around a parser answers for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ignored {
    /// `tool_choice` that forbids calls or names one function.
    ToolChoice,
    /// `tool_choice` that names one function.
    NamedToolChoice,
    /// `parallel_tool_calls`.
    ParallelToolCalls,
}

/// How a stream goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Delivery {
    /// Head and argument fragments as they come.
    #[default]
    Eager,
    /// One call at a time, when it is complete.
    Validated,
}

/// A clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// CPU time of the thread.
    ThreadCpu,
    /// CPU time of the process.
    ProcessCpu,
    /// No clock.
    #[default]
    None,
}

/// A law that the subject cannot be judged by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cannot {
    /// The law's name.
    pub law: String,
    /// The reason.
    pub why: String,
}

/// A text and its request. Exactly one of `text` and `base64` stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// To be repeated in the answer.
    pub id: u64,
    /// The word of [`Hello::dialects`] that matched.
    pub dialect: String,
    /// The raw text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The raw bytes where they are no UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// OpenAI tool objects; `None` where the request has none.
    pub tools: Option<Vec<Value>>,
    /// The request's choice.
    #[serde(default)]
    pub tool_choice: ToolChoice,
    /// The request's `parallel_tool_calls`.
    #[serde(default = "yes")]
    pub parallel_tool_calls: bool,
    /// Whether the prompt opened the reasoning span.
    #[serde(default)]
    pub reasoning: Reasoning,
    /// Why the text ended.
    #[serde(default)]
    pub end: End,
    /// The byte ranges that are special tokens; only for [`Unit::Tokens`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<[usize; 2]>,
    /// Lists of readings.
    pub plans: Vec<PlanAsk>,
    /// All readings in full, each with `at`.
    #[serde(default)]
    pub events: bool,
    /// When the harness stops waiting.
    #[serde(default)]
    pub deadline_ms: u64,
}

impl Run {
    /// The raw bytes.
    ///
    /// # Errors
    /// Neither or both of `text` and `base64` stand, or it is no base64.
    pub fn raw(&self) -> Result<Vec<u8>, String> {
        raw(self.text.as_deref(), self.base64.as_deref())
    }
}

/// A text to be read several times.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Measure {
    /// To be repeated in the answer.
    pub id: u64,
    /// The word of [`Hello::dialects`] that matched.
    pub dialect: String,
    /// The raw text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The raw bytes where they are no UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base64: Option<String>,
    /// OpenAI tool objects; `None` where the request has none.
    pub tools: Option<Vec<Value>>,
    /// The request's choice.
    #[serde(default)]
    pub tool_choice: ToolChoice,
    /// The request's `parallel_tool_calls`.
    #[serde(default = "yes")]
    pub parallel_tool_calls: bool,
    /// Whether the prompt opened the reasoning span.
    #[serde(default)]
    pub reasoning: Reasoning,
    /// Why the text ended.
    #[serde(default)]
    pub end: End,
    /// Byte offsets; `None` is the whole entry point.
    pub cuts: Option<Vec<usize>>,
    /// How often.
    pub repeat: usize,
}

impl Measure {
    /// The raw bytes.
    ///
    /// # Errors
    /// As [`Run::raw`].
    pub fn raw(&self) -> Result<Vec<u8>, String> {
        raw(self.text.as_deref(), self.base64.as_deref())
    }
}

fn raw(text: Option<&str>, base64: Option<&str>) -> Result<Vec<u8>, String> {
    match (text, base64) {
        (Some(text), None) => Ok(text.as_bytes().to_vec()),
        (None, Some(code)) => STANDARD.decode(code).map_err(|e| format!("`base64`: {e}")),
        _ => Err("exactly one of `text` and `base64` must stand".to_owned()),
    }
}

/// A raw text as it goes into `text` and `base64`.
#[must_use]
pub fn text_or_base64(raw: &[u8]) -> (Option<String>, Option<String>) {
    match std::str::from_utf8(raw) {
        Ok(text) => (Some(text.to_owned()), None),
        Err(_) => (None, Some(STANDARD.encode(raw))),
    }
}

const fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde's skip_serializing_if passes a reference")]
const fn no(value: &bool) -> bool {
    !*value
}

/// The request's `tool_choice`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolChoice {
    /// The model decides.
    #[default]
    Auto,
    /// A call must come.
    Required,
    /// No call may come.
    None,
    /// This function.
    Function(String),
}

/// Whether the prompt opened the reasoning span.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reasoning {
    /// It did.
    Open,
    /// It did not.
    #[default]
    Closed,
}

/// Why a text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The model stopped.
    #[default]
    Stop,
    /// The length limit.
    Length,
    /// A stop string of the request.
    StopString,
}

/// A list of readings: of `cuts`, or of `prefixes`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlanAsk {
    /// The plan's name.
    pub plan: String,
    /// Each a list of ascending byte offsets; `None` is the whole entry point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<Vec<Option<Vec<usize>>>>,
    /// Each the first bytes of the text, read through the whole entry point with `end: length`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prefixes: Option<Vec<usize>>,
    /// The finish reason rides on the last delta.
    #[serde(default, skip_serializing_if = "no")]
    pub last_with_finish: bool,
    /// The same instance reads the text twice, the second reading counts.
    #[serde(default, skip_serializing_if = "no")]
    pub reuse: bool,
}

impl PlanAsk {
    /// How many readings it asks for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cuts.as_ref().map_or(0, Vec::len) + self.prefixes.as_ref().map_or(0, Vec::len)
    }

    /// True if it asks for none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// What the readings of a [`Run`] gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunResult {
    /// The request's.
    pub id: u64,
    /// Time of all readings by [`Hello::clock`].
    #[serde(default)]
    pub cpu_ns: u64,
    /// The first reading of the first plan.
    pub whole: Reading,
    /// One for each of the request's plans, in their order.
    pub plans: Vec<PlanAnswer>,
}

/// What the readings of one plan gave: all the same as the whole one, or those that differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanAnswer {
    /// The plan's name.
    pub plan: String,
    /// How many readings were made.
    pub read: usize,
    /// True if none differs.
    #[serde(default, skip_serializing_if = "no")]
    pub same: bool,
    /// The readings that differ, by their place in the list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub differ: BTreeMap<Place, Reading>,
}

/// A reading's place in its plan's list, from 0; a string in JSON, as every key is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place(pub usize);

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map(Self).map_err(|_| de::Error::custom(format!("`{text}` is no place in a list")))
    }
}

/// The times of a [`Measure`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The request's.
    pub id: u64,
    /// Time of each reading by [`Hello::clock`], folding left out.
    pub cpu_ns: Vec<u64>,
    /// The last reading.
    pub whole: Reading,
}

/// Why a message was not served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trouble {
    /// The request's, if it could be read.
    #[serde(default)]
    pub id: Option<u64>,
    /// One sentence.
    pub message: String,
}

/// What one reading gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Keys", into = "Keys")]
pub enum Reading {
    /// A reply.
    Events {
        /// What came, in order.
        events: Vec<Event>,
        /// For each event the number of the delta it came with, the number of deltas for what came with the finish.
        at: Option<Vec<usize>>,
    },
    /// The parser said no.
    Rejected(String),
    /// It threw.
    Raised(String),
    /// It has no such entry point.
    Unsupported(String),
}

/// The keys of a [`Reading`].
#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Keys {
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<Event>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rejected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raised: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unsupported: Option<String>,
}

impl TryFrom<Keys> for Reading {
    type Error = String;

    fn try_from(keys: Keys) -> Result<Self, String> {
        match keys {
            Keys { events: Some(events), at, rejected: None, raised: None, unsupported: None } => {
                if at.as_ref().is_some_and(|at| at.len() != events.len() || !at.is_sorted()) {
                    return Err("`at` must have one number an event, ascending".to_owned());
                }
                Ok(Self::Events { events, at })
            }
            Keys { events: None, at: None, rejected: Some(why), raised: None, unsupported: None } => Ok(Self::Rejected(why)),
            Keys { events: None, at: None, rejected: None, raised: Some(why), unsupported: None } => Ok(Self::Raised(why)),
            Keys { events: None, at: None, rejected: None, raised: None, unsupported: Some(why) } => Ok(Self::Unsupported(why)),
            _ => Err("a reading has exactly one of `events`, `rejected`, `raised` and `unsupported`".to_owned()),
        }
    }
}

impl From<Reading> for Keys {
    fn from(reading: Reading) -> Self {
        match reading {
            Reading::Events { events, at } => Self { events: Some(events), at, ..Self::default() },
            Reading::Rejected(why) => Self { rejected: Some(why), ..Self::default() },
            Reading::Raised(why) => Self { raised: Some(why), ..Self::default() },
            Reading::Unsupported(why) => Self { unsupported: Some(why), ..Self::default() },
        }
    }
}

/// One step of a reading; an array in JSON, its kind first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Content.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A call begins.
    Call {
        /// 0, 1, 2 ... in order.
        index: usize,
        /// The name.
        name: String,
        /// The model's id; `None` unless the model wrote one.
        id: Option<String>,
    },
    /// A piece of the arguments' JSON text.
    Arguments {
        /// The call's.
        index: usize,
        /// The piece.
        fragment: String,
    },
    /// A call ends; may be left out.
    End {
        /// The call's.
        index: usize,
        /// True if the parser says that the call did not close.
        incomplete: bool,
    },
    /// The reply is over.
    Finish(Option<Finish>),
}

/// A finish reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// No call.
    Stop,
    /// A call.
    ToolCalls,
    /// The length limit.
    Length,
}

impl Serialize for Event {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(None)?;
        match self {
            Self::Text(text) => {
                seq.serialize_element("text")?;
                seq.serialize_element(text)?;
            }
            Self::Reasoning(text) => {
                seq.serialize_element("reasoning")?;
                seq.serialize_element(text)?;
            }
            Self::Call { index, name, id } => {
                seq.serialize_element("call")?;
                seq.serialize_element(index)?;
                seq.serialize_element(name)?;
                seq.serialize_element(id)?;
            }
            Self::Arguments { index, fragment } => {
                seq.serialize_element("arguments")?;
                seq.serialize_element(index)?;
                seq.serialize_element(fragment)?;
            }
            Self::End { index, incomplete } => {
                seq.serialize_element("end")?;
                seq.serialize_element(index)?;
                if *incomplete {
                    seq.serialize_element("incomplete")?;
                }
            }
            Self::Finish(reason) => {
                seq.serialize_element("finish")?;
                seq.serialize_element(reason)?;
            }
        }
        seq.end()
    }
}

impl<'de> Deserialize<'de> for Event {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Steps)
    }
}

struct Steps;

impl<'de> Visitor<'de> for Steps {
    type Value = Event;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an event: an array whose first element is its kind")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Event, A::Error> {
        let kind: String = next(&mut seq, "its kind")?;
        let event = match kind.as_str() {
            "text" => Event::Text(next(&mut seq, "the text")?),
            "reasoning" => Event::Reasoning(next(&mut seq, "the text")?),
            "call" => Event::Call {
                index: next(&mut seq, "the call's index")?,
                name: next(&mut seq, "the name")?,
                id: seq.next_element::<Option<String>>()?.flatten(),
            },
            "arguments" => Event::Arguments { index: next(&mut seq, "the call's index")?, fragment: next(&mut seq, "the fragment")? },
            "end" => {
                let index = next(&mut seq, "the call's index")?;
                match seq.next_element::<String>()?.as_deref() {
                    None => Event::End { index, incomplete: false },
                    Some("incomplete") => Event::End { index, incomplete: true },
                    Some(other) => return Err(de::Error::custom(format!("a call ends `incomplete` or without a word, not `{other}`"))),
                }
            }
            "finish" => Event::Finish(next(&mut seq, "the reason")?),
            other => return Err(de::Error::custom(format!("unknown event `{other}`"))),
        };
        match seq.next_element::<IgnoredAny>()? {
            None => Ok(event),
            Some(_) => Err(de::Error::custom(format!("an event `{kind}` has too many elements"))),
        }
    }
}

fn next<'de, A: SeqAccess<'de>, T: Deserialize<'de>>(seq: &mut A, what: &str) -> Result<T, A::Error> {
    seq.next_element()?.ok_or_else(|| de::Error::custom(format!("an event lacks {what}")))
}

#[cfg(test)]
#[path = "message_tests.rs"]
mod tests;
