//! What a law is, and what it says of a stream or body. Each surface has one table of laws (`chat::LAWS`, ...).

use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

use crate::context::Context;
use crate::sse::Place;

/// Violations of one law that are listed one by one; the last line counts the rest. Hostile streams break a law in every event.
const MAX_LISTED: usize = 20;
/// Characters of hostile text in a message.
const MAX_QUOTED: usize = 60;

/// How bad a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// `P`: our policy; a server may declare that it does otherwise.
    Policy,
    /// `S`: stated by the API's specification or types.
    Stated,
    /// `core`: the surface does not say what the raw text means.
    Core,
    /// `B`: breaks or corrupts a client in use.
    Breaks,
}

impl Severity {
    /// Its word in tables and output.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Breaks => "B",
            Self::Stated => "S",
            Self::Policy => "P",
            Self::Core => "core",
        }
    }

    /// True if a stream with such a violation does not pass.
    #[must_use]
    pub const fn fails(self) -> bool {
        !matches!(self, Self::Policy)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Severity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// What a law needs to know besides the stream. Without it the law is unsupported, never kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Needs {
    /// Nothing.
    Nothing,
    /// The request.
    Request,
    /// What the raw text means: [`Context::oracle`].
    Oracle,
    /// What the tokens of the same generation mean: [`Context::witness`].
    Witness,
    /// The markers of the model's template.
    Markers,
    /// When the bytes came: a recorded transcript.
    Times,
}

impl Needs {
    /// Why a law that lacks it cannot be judged.
    #[must_use]
    pub const fn lacking(self) -> &'static str {
        match self {
            Self::Nothing => "nothing lacks",
            Self::Request => "the request is not known",
            Self::Oracle => "the reply to the raw text is not known",
            Self::Witness => "the tokens of the generation are not known",
            Self::Markers => "the markers of the model's template are not known",
            Self::Times => "the times of arrival are not known",
        }
    }
}

/// What a law is, apart from its check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// `CC01`: stable.
    pub id: &'static str,
    /// Kebab-case, stable.
    pub name: &'static str,
    /// The severity of its violations, where the check does not say a lower one.
    pub severity: Severity,
    /// What it must know.
    pub needs: Needs,
    /// True if it speaks of whole bodies too.
    pub bodies: bool,
    /// One sentence.
    pub statement: &'static str,
}

/// A law of a surface whose streams are seen as `V`.
pub(crate) struct Law<V: 'static> {
    pub about: About,
    pub check: fn(&V, &Context, &mut Findings),
}

/// One row of a surface's table.
pub(crate) const fn law<V>(
    id: &'static str,
    name: &'static str,
    severity: Severity,
    needs: Needs,
    bodies: bool,
    statement: &'static str,
    check: fn(&V, &Context, &mut Findings),
) -> Law<V> {
    Law { about: About { id, name, severity, needs, bodies, statement }, check }
}

/// One violated law at one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The law's id.
    pub law: &'static str,
    /// How bad.
    pub severity: Severity,
    /// Number of the event, from 1. What is absent is reported at the last event; 0 in a stream without any.
    pub event: usize,
    /// Line of the event's first field, from 1.
    pub line: usize,
    /// One sentence. Text of the stream is quoted, escaped and cut.
    pub message: String,
}

/// What a law says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// It holds.
    Holds,
    /// It is broken.
    Broken(Vec<Violation>),
    /// It cannot be judged. Never a pass.
    Unsupported(&'static str),
}

impl Judgement {
    /// Adds what else speaks against it.
    pub(crate) fn add(&mut self, more: impl Iterator<Item = Violation>) {
        let mut more = more.peekable();
        match self {
            _ if more.peek().is_none() => {}
            Self::Broken(all) => all.extend(more),
            Self::Holds | Self::Unsupported(_) => *self = Self::Broken(more.collect()),
        }
    }
}

/// Collects the violations of one law.
#[derive(Debug)]
pub(crate) struct Findings {
    law: &'static str,
    severity: Severity,
    declared: bool,
    found: Vec<Violation>,
    more: usize,
}

impl Findings {
    fn new(about: &About, context: &Context) -> Self {
        let declared = context.declared.iter().any(|id| id == about.id);
        Self { law: about.id, severity: about.severity, declared, found: Vec::new(), more: 0 }
    }

    /// A violation of the law's own severity.
    pub fn at(&mut self, place: Place, message: impl Into<String>) {
        self.at_as(self.severity, place, message);
    }

    /// A violation of another severity. A policy that the server declares otherwise is none.
    pub fn at_as(&mut self, severity: Severity, place: Place, message: impl Into<String>) {
        if self.declared && severity == Severity::Policy {
            return;
        }
        if self.found.len() == MAX_LISTED {
            self.more += 1;
            return;
        }
        let Place { event, line } = place;
        self.found.push(Violation { law: self.law, severity, event, line, message: message.into() });
    }

    fn judgement(mut self) -> Judgement {
        if let Some(last) = self.found.last_mut().filter(|_| self.more > 0) {
            let _ = write!(last.message, " (and {} more of this law)", self.more);
        }
        if self.found.is_empty() { Judgement::Holds } else { Judgement::Broken(self.found) }
    }
}

/// What the laws are asked about.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked {
    /// A whole body, not a stream.
    pub body: bool,
    /// The times of arrival are known.
    pub timed: bool,
    /// The transfer ended before the reply did: what was delivered is not all that was meant.
    pub lost: bool,
}

/// Asks every law of a table.
pub(crate) fn judge<V>(laws: &'static [Law<V>], view: &V, asked: Asked, context: &Context) -> Vec<(&'static About, Judgement)> {
    let ask = |law: &Law<V>| {
        if asked.body && !law.about.bodies {
            return Judgement::Unsupported("it speaks of streams only");
        }
        if asked.lost && matches!(law.about.needs, Needs::Oracle | Needs::Witness) {
            return Judgement::Unsupported("the transfer ended before the reply did");
        }
        let known = match law.about.needs {
            Needs::Nothing => true,
            Needs::Request => context.request.is_some(),
            Needs::Oracle => context.oracle.is_some(),
            Needs::Witness => context.witness.is_some(),
            Needs::Markers => !context.markers.is_empty(),
            Needs::Times => asked.timed,
        };
        if !known {
            return Judgement::Unsupported(law.about.needs.lacking());
        }
        let mut findings = Findings::new(&law.about, context);
        (law.check)(view, context, &mut findings);
        findings.judgement()
    };
    laws.iter().map(|law| (&law.about, ask(law))).collect()
}

/// Asks one law alone, of something that the others do not speak of: `broken` says what is wrong, if anything is.
pub(crate) fn judge_only(
    laws: impl Iterator<Item = &'static About>,
    only: &str,
    others: &'static str,
    broken: Option<&str>,
) -> Vec<(&'static About, Judgement)> {
    let ask = |about: &'static About| match broken {
        _ if about.id != only => Judgement::Unsupported(others),
        None => Judgement::Holds,
        Some(message) => {
            let violation = Violation { law: about.id, severity: about.severity, event: 0, line: 0, message: message.to_owned() };
            Judgement::Broken(vec![violation])
        }
    };
    laws.map(|about| (about, ask(about))).collect()
}

/// The end of a sentence about what lacks, where the transfer was lost: the recorder's own word.
pub(crate) fn lost_words(lost: Option<&str>) -> String {
    lost.map_or_else(String::new, |word| format!("; the transfer was recorded as {}", quote(word)))
}

/// Hostile text for a message: quoted, escaped, cut.
pub(crate) fn quote(text: &str) -> String {
    match text.char_indices().nth(MAX_QUOTED) {
        None => format!("{text:?}"),
        Some((cut, _)) => format!("{:?}…", &text[..cut]),
    }
}

/// A JSON value for a message.
pub(crate) fn quote_value(value: Option<&serde_json::Value>) -> String {
    use serde_json::Value;
    match value {
        None => "absent".to_owned(),
        Some(Value::String(text)) => quote(text),
        Some(Value::Object(_)) => "an object".to_owned(),
        Some(Value::Array(_)) => "an array".to_owned(),
        Some(other) => other.to_string(),
    }
}
