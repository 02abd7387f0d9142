//! The scenarios that every dialect must have: the required tags of the taxonomy, each written by the dialect's encoder.

use std::collections::BTreeSet;
use std::path::PathBuf;

use streakstone_model::{End, Finish};

use super::render::{ExpectedPart, Rendered, render};
use super::toolset::{UNDECLARED, tools};
use super::{Call, Document, Encoder, Fate, Literal, Part, TARGET, encoder};
use crate::case::{Case, Expect, ExpectCall};

/// Tags of which every dialect of the table must have a case or a scenario, or a reason why its wire cannot carry them.
pub const REQUIRED_TAGS: &[&str] = &[
    "one-call",
    "two-calls",
    "no-call",
    "text-before",
    "text-between",
    "text-after",
    "empty-arguments",
    "types",
    "escapes",
    "unicode",
    "marker-in-value",
    "truncated",
    "malformed",
    "undeclared",
    "parallel-false",
    "reasoning-closed",
    "reasoning-open",
    "reasoning-unclosed",
];

/// The required tags that a row has neither in `cases` (tags of its corpus cases) nor from its encoder, with no reason given.
#[must_use]
pub fn missing_tags(row: &str, cases: &BTreeSet<&str>) -> Vec<&'static str> {
    let encoder = encoder(row);
    let made = |tag: &str| encoder.is_some_and(|e| e.cannot(tag).is_some() || scenario(row, tag).is_some());
    REQUIRED_TAGS.iter().copied().filter(|tag| !cases.contains(tag) && !made(tag)).collect()
}

/// The scenario of a row for a required tag; `None` if there is no encoder or its wire cannot carry it.
#[must_use]
pub fn scenario(row: &str, tag: &str) -> Option<Case> {
    let encoder = encoder(row)?;
    if encoder.cannot(tag).is_some() {
        return None;
    }
    let made = if tag == "reasoning-unclosed" {
        unclosed(encoder)
    } else {
        let document = document(encoder, tag)?;
        Made { end: if tag == "truncated" { End::Length } else { End::Stop }, ..Made::of(render(encoder, &document), &document) }
    };
    Some(made.case(encoder, tag, tag))
}

/// All scenarios of a row: the required tags, then more of the same.
#[must_use]
pub fn scenarios(row: &str) -> Vec<Case> {
    let Some(encoder) = encoder(row) else { return Vec::new() };
    let mut cases: Vec<Case> = REQUIRED_TAGS.iter().filter_map(|tag| scenario(row, tag)).collect();
    if encoder.cannot("two-calls").is_none() {
        cases.extend(scenario(row, "truncated-second").map(|case| Case { tags: vec!["truncated".to_owned()], ..case }));
    }
    cases
}

/// A text with what it means.
pub(super) struct Made {
    pub raw: String,
    pub parts: Vec<ExpectedPart>,
    pub prompt_opened: bool,
    pub parallel: bool,
    pub end: End,
}

impl Made {
    pub fn of(rendered: Rendered, document: &Document) -> Self {
        Self {
            raw: rendered.raw,
            parts: rendered.parts,
            prompt_opened: document.prompt_opened,
            parallel: !document.first_call_only,
            end: End::Stop,
        }
    }

    /// The case, named `<row>/generated/<id>`.
    pub fn case(self, encoder: &Encoder, id: &str, tag: &str) -> Case {
        let mut expect = Expect { content: Some(String::new()), reasoning: Some(String::new()), calls: Some(Vec::new()), finish: None };
        for part in self.parts {
            match part {
                ExpectedPart::Text(text) => expect.content.get_or_insert_default().push_str(&text),
                ExpectedPart::Reasoning(text) => expect.reasoning.get_or_insert_default().push_str(&text),
                ExpectedPart::Call { name, arguments, id } => {
                    expect.calls.get_or_insert_default().push(ExpectCall { name, arguments, id });
                }
            }
        }
        let called = expect.calls.as_ref().is_some_and(|calls| !calls.is_empty());
        expect.finish = Some(match self.end {
            End::Length => Finish::Length,
            End::Stop | End::StopString if called => Finish::ToolCalls,
            End::Stop | End::StopString => Finish::Stop,
        });
        Case {
            file: PathBuf::from("generated"),
            why: "Written by the dialect's encoder; the reply is known by construction.".to_owned(),
            tags: vec![tag.to_owned()],
            tools: Some(tools()),
            parallel_tool_calls: self.parallel,
            reasoning_open: self.prompt_opened,
            end: self.end,
            expect,
            ..Case::of_text(format!("{}/generated/{id}", encoder.row), encoder.row, self.raw)
        }
    }
}

fn call(name: &str, arguments: &[(&str, Literal)]) -> Part {
    let arguments = arguments.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let fate = if name == UNDECLARED { Fate::Undeclared } else { Fate::Sound };
    Part::Call(Call { name: name.to_owned(), arguments, fate })
}

fn weather(city: &str) -> Part {
    call("get_weather", &[("city", Literal::text(city)), ("unit", Literal::text("c"))])
}

/// A call that is cut, or breaks its grammar.
pub(super) fn damaged(fate: Fate) -> Part {
    match weather(TARGET) {
        Part::Call(call) => Part::Call(Call { fate, ..call }),
        other => other,
    }
}

fn query(text: &str) -> Part {
    call("convert", &[("query", Literal::text(text))])
}

fn time() -> Part {
    call("get_time", &[("tz", Literal::text("UTC"))])
}

fn prose(text: impl Into<String>) -> Part {
    Part::Prose(text.into())
}

/// Prose with the template's lead behind it.
fn before_block(encoder: &Encoder, text: &str) -> Part {
    prose(format!("{text}{}", if encoder.wire.trimmed { "" } else { encoder.block.lead }))
}

/// The document of a required tag that is no more than a document.
fn document(encoder: &Encoder, tag: &str) -> Option<Document> {
    let thought = || Part::Reasoning("They ask for two things.\n\nFirst the weather.".to_owned());
    let parts = match tag {
        "one-call" => vec![weather("Paris")],
        "no-call" => vec![prose("It is 5 < 7 degrees.\n\n* Oslo\n* Bergen")],
        "text-before" => vec![before_block(encoder, "Let me look."), weather("Paris")],
        "text-between" => {
            let text = if encoder.wire.trimmed { "Then the time." } else { "\nThen the time." };
            vec![weather("Paris"), before_block(encoder, text), time()]
        }
        "text-after" => vec![weather("Paris"), prose(if encoder.wire.trimmed { "Done." } else { "\n\nDone." })],
        "empty-arguments" => vec![call("refresh", &[])],
        "types" => vec![call("convert", &types(encoder))],
        "escapes" => vec![query("a \"b\" 'c' \\d \\\\ e\tf\n\n{\"g\": [1]} &lt; </x>")],
        "unicode" => vec![query("Zürich 東京 👩\u{200d}💻 ｜ e\u{301} \u{7f}")],
        "marker-in-value" => {
            let marks = encoder.wire.marks.iter().filter(|m| !encoder.wire.value_avoid.iter().any(|word| m.contains(word)));
            // Behind each marker stands a word, so that no closer is followed by what would make it count (semantics 7).
            let text: Vec<String> = std::iter::once("see".to_owned()).chain(marks.map(|m| format!("{m} x"))).collect();
            vec![query(&text.join(" "))]
        }
        // The end cuts the only call inside a string, at the length limit.
        "truncated" => vec![damaged(Fate::Cut)],
        // The end cuts the second call inside a string: the first stands.
        "truncated-second" => vec![time(), damaged(Fate::Cut)],
        "malformed" => vec![damaged(Fate::Malformed)],
        "undeclared" => vec![call(UNDECLARED, &[("city", Literal::text("Paris"))])],
        "parallel-false" if encoder.cannot("two-calls").is_some() => vec![weather("Paris")],
        "two-calls" | "parallel-false" => vec![weather("Paris"), time()],
        "reasoning-closed" | "reasoning-open" => vec![thought(), weather("Paris")],
        _ => return None,
    };
    Some(Document { parts, prompt_opened: tag == "reasoning-open", first_call_only: tag == "parallel-false", ..Document::default() })
}

/// A value of every type.
fn types(encoder: &Encoder) -> Vec<(&'static str, Literal)> {
    let map = |members: &[(&str, Literal)]| Literal::Map(members.iter().map(|(k, v)| ((*k).to_owned(), v.clone())).collect());
    let mut types = vec![
        ("query", Literal::text("")),
        ("count", Literal::number("-12")),
        ("ratio", Literal::number("0.50")),
        ("flag", Literal::Bool(true)),
        ("nothing", Literal::Null),
        ("numbers", Literal::List(vec![Literal::number("1"), Literal::number("22")])),
        ("point", map(&[("x", Literal::number("1.5")), ("label", Literal::text("here"))])),
        ("color", Literal::text("green")),
        ("either", Literal::number("12345678901234567890")),
        ("maybe", Literal::Null),
    ];
    if encoder.wire.nested {
        let list = Literal::List(vec![Literal::Null, Literal::Bool(false), map(&[]), Literal::List(Vec::new())]);
        types.push(("data", map(&[("a", map(&[("b", list)])), ("c", Literal::text("null"))])));
    }
    types
}

/// A span that the model opened holds a call and is not closed: all of it is reasoning, the call is data (semantics 8).
fn unclosed(encoder: &Encoder) -> Made {
    let inside = render(encoder, &Document { parts: vec![prose("I could ask: "), weather("Paris")], ..Document::default() });
    let span = encoder.reasoning.map(|span| format!("{}{}", span.open, span.inner)).unwrap_or_default();
    // Where messages wrap everything, a call would close the span.
    let closes = encoder.message.prose.is_some() || encoder.reasoning.is_some_and(|span| inside.raw.contains(span.close));
    let text = if closes { "I could ask. So" } else { inside.raw.trim_end() };
    let parts = vec![ExpectedPart::Reasoning(text.to_owned())];
    Made { raw: format!("{span}{text}"), parts, prompt_opened: false, parallel: true, end: End::Stop }
}
