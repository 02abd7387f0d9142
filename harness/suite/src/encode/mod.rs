//! Encoders: a document (prose, reasoning, calls) written as the raw text that a model's own chat template gives. The reply that the
//! text means is then known by construction (`semantics.md` 3, 4, 8), so that a parser is judged without a golden.
//!
//! An encoder has markers of its own, from the facts on each format. It never reads the dialect table: a wrong marker there
//! must show up as a wrong reply. Not here: any parsing.

mod braces;
mod channels;
mod elements;
mod generate;
mod json;
pub mod literal;
mod named;
mod python;
mod render;
mod scenario;
mod tags;
mod toolset;

pub use generate::{Choices, GeneratedCase, document, generate, parts_differ};
pub use literal::{JsonStyle, Literal};
pub use render::{ExpectedPart, Rendered, render};
pub use scenario::{REQUIRED_TAGS, missing_tags, scenario, scenarios};
pub use toolset::{Kind, tools};

/// One call of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// The function's name.
    pub name: String,
    /// Its arguments, in the order written.
    pub arguments: Vec<(String, Literal)>,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of a call under the default policies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is promoted.
    Sound,
    /// The request does not declare its name: the unit is text (semantics 4).
    Undeclared,
    /// It breaks its grammar: the unit is text. One of its values is [`TARGET`]; no call stands behind it in its block.
    Malformed,
    /// The text ends inside the string [`TARGET`]: the unit is text (semantics 8). It is the last part.
    Cut,
}

/// A word that stands in one string value, to be cut or broken.
pub const TARGET: &str = "Reykjavik";

/// One part of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Content.
    Prose(String),
    /// A reasoning span; without white space at its ends.
    Reasoning(String),
    /// A call. Neighbours stand in one block where the template writes them so.
    Call(Call),
}

/// What a model says, before it is written in a dialect.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// In order.
    pub parts: Vec<Part>,
    /// True if the prompt opened the reasoning span that is the first part.
    pub prompt_opened: bool,
    /// True if the request allows one call only.
    pub first_call_only: bool,
    /// How JSON is written.
    pub style: JsonStyle,
}

/// How one dialect is written.
#[derive(Debug, Clone, Copy)]
pub struct Encoder {
    /// The row's name.
    pub row: &'static str,
    /// How one call is written.
    pub body: Body,
    /// What stands around and between neighbouring calls.
    pub block: Block,
    /// How prose is wrapped, and what stands between messages.
    pub message: Message,
    /// The reasoning span; `None` if the dialect has none.
    pub reasoning: Option<Reasoning>,
    /// What the wire holds.
    pub wire: Wire,
}

/// How one call is written: a family each.
#[derive(Debug, Clone, Copy)]
pub enum Body {
    /// A JSON object with name and arguments.
    Json(json::JsonBody),
    /// A name and a JSON object.
    Named(named::NamedBody),
    /// Tags around raw values.
    Tags(tags::TagBody),
    /// Python call syntax.
    Python(python::PythonBody),
    /// `call:N{k:v}`.
    Braces(braces::BracesBody),
    /// Elements named after the parameters.
    Elements(elements::ElementsBody),
}

/// What stands around and between neighbouring calls.
#[derive(Debug, Clone, Copy)]
pub struct Block {
    /// Before the first call.
    pub open: &'static str,
    /// Between calls; it belongs to the later one.
    pub between: &'static str,
    /// After the last call.
    pub close: &'static str,
    /// A control token after the closer: framing, whatever becomes of the calls.
    pub tail: &'static str,
    /// White space after the closer, which is framing only before another call or the end.
    pub after: &'static str,
    /// Opener and closer of a block of one call, where the template writes it differently.
    pub lone: Option<(&'static str, &'static str)>,
    /// What the template writes between prose and a block; at most [`Wire::lead`] newlines.
    pub lead: &'static str,
}

/// How prose is wrapped, and what stands between messages.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    /// Opener and closer of prose.
    pub prose: Option<(&'static str, &'static str)>,
    /// True if the wrapper stands before calls even without prose.
    pub prose_always: bool,
    /// Around the name before every call, where the message's head repeats it.
    pub heading: Option<(&'static str, &'static str)>,
    /// Before every message but the first.
    pub turn: &'static str,
    /// At the end of the reply.
    pub end: &'static str,
}

/// A reasoning span as the template writes it.
#[derive(Debug, Clone, Copy)]
pub struct Reasoning {
    /// Opener.
    pub open: &'static str,
    /// Closer.
    pub close: &'static str,
    /// `\n` if the template writes one inside the opener and the closer.
    pub inner: &'static str,
    /// White space after the closer.
    pub after: &'static str,
}

/// What the wire holds, and what it cannot.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one format")]
pub struct Wire {
    /// Tags of scenarios that the format has no way to write, each with the reason.
    pub cannot: &'static [(&'static str, &'static str)],
    /// Words that must not stand in prose, since they open a unit.
    pub prose_avoid: &'static [&'static str],
    /// Words that a string cannot hold, since the format has no escape for them.
    pub value_avoid: &'static [&'static str],
    /// Markers of the dialect, to be written inside values.
    pub marks: &'static [&'static str],
    /// True if prose has no white space at its ends, since messages wrap it.
    pub trimmed: bool,
    /// True if calls count only when their list has closed (semantics 2).
    pub whole_list: bool,
    /// True if a call counts only at the start of a line.
    pub line: bool,
    /// False if an object without a schema of its own cannot be written.
    pub nested: bool,
    /// Most newlines directly before a block that are framing (semantics 3b).
    pub lead: usize,
    /// What makes a call break its grammar, where the family's own way does not: a text and its replacement.
    pub malform: Option<(&'static str, &'static str)>,
}

/// No markers at all.
pub(crate) const NO_BLOCK: Block = Block { open: "", between: "", close: "", tail: "", after: "", lone: None, lead: "\n" };

/// Prose stands bare.
pub(crate) const BARE: Message = Message { prose: None, prose_always: false, heading: None, turn: "", end: "" };

/// Everything can be written.
pub(crate) const WIRE: Wire = Wire {
    cannot: &[],
    prose_avoid: &[],
    value_avoid: &[],
    marks: &[],
    trimmed: false,
    whole_list: false,
    line: false,
    nested: true,
    lead: 1,
    malform: None,
};

/// `<think>` on lines of its own, as most templates write it (`spec/dialects.md` B50).
pub(crate) const THINK: Option<Reasoning> = Some(Reasoning { open: "<think>", close: "</think>", inner: "\n", after: "\n\n" });

/// The reason of a dialect that writes one call a reply.
pub(crate) const ONE_CALL: &str = "the grammar has one call";

impl Encoder {
    /// Why the dialect cannot write what a tag asks for; `None` if it can.
    #[must_use]
    pub fn cannot(&self, tag: &str) -> Option<&'static str> {
        if let Some((_, why)) = self.wire.cannot.iter().find(|(word, _)| *word == tag) {
            return Some(why);
        }
        if self.reasoning.is_none() && tag.starts_with("reasoning-") {
            return Some("the dialect has no reasoning span");
        }
        if tag == "text-between" { self.cannot("two-calls") } else { None }
    }

    fn write_call(&self, call: &Call, place: usize, style: JsonStyle, out: &mut String) {
        match &self.body {
            Body::Json(body) => body.write(call, place, style, out),
            Body::Named(body) => body.write(call, place, style, out),
            Body::Tags(body) => body.write(call, place, style, out),
            Body::Python(body) => body.write(call, out),
            Body::Braces(body) => body.write(call, out),
            Body::Elements(body) => body.write(call, out),
        }
    }

    /// What makes a call break its grammar: a text of it and the replacement.
    fn malform(&self) -> (String, &'static str) {
        match (self.wire.malform, &self.body) {
            (Some((from, to)), _) => (from.to_owned(), to),
            // A word where a value must stand.
            (None, Body::Python(body)) => (format!("{0}{TARGET}{0}", body.quote), TARGET),
            (None, _) => (format!("\"{TARGET}\""), TARGET),
        }
    }

    /// The id that the wire carries for the call at `place`, if it must be kept.
    fn id(&self, call: &Call, place: usize) -> Option<String> {
        match &self.body {
            Body::Json(body) => body.id(place),
            Body::Named(body) => body.id(call, place),
            Body::Tags(body) => body.id(place),
            Body::Python(_) | Body::Braces(_) | Body::Elements(_) => None,
        }
    }
}

/// Every encoder, by family.
pub fn encoders() -> impl Iterator<Item = &'static Encoder> {
    [json::ENCODERS, named::ENCODERS, tags::ENCODERS, python::ENCODERS, braces::ENCODERS, elements::ENCODERS, channels::ENCODERS]
        .into_iter()
        .flatten()
}

/// The encoder of a row.
#[must_use]
pub fn encoder(row: &str) -> Option<&'static Encoder> {
    encoders().find(|e| e.row == row)
}
