//! Subjects that are wrong on purpose, to prove that the laws see what they must. No part of a plain `run`.
//!
//! Rust models written from described behaviour; no code of the systems described. All read the `hermes` dialect only.

mod core;
mod exo_generic;
mod keeps_state;
mod leaks_split_marker;
mod loses_finishing_text;
mod rescans;
mod retracts_argument;

use std::sync::Arc;

use streakstone_model::{Dialect, End, Event, ToolChoice};
use streakstone_suite::subject::{Abilities, Ask, Chunking, Held, Outcome, Reading, Subject};

/// What of a request these models look at.
#[derive(Debug, Clone, Default)]
struct Request {
    /// Admissible names; `None` admits every name.
    names: Option<Arc<[String]>>,
}

impl Request {
    fn of(ask: &Ask<'_>) -> Self {
        let declared = ask.tools.map(|tools| tools.iter().map(|t| t.name.clone()).collect::<Vec<_>>());
        let names = match &ask.options.tool_choice {
            ToolChoice::None => Some(Vec::new()),
            ToolChoice::Function(name) => Some(vec![name.clone()]),
            ToolChoice::Auto | ToolChoice::Required => declared,
        };
        Self { names: names.map(Arc::from) }
    }

    fn admits(&self, name: &str) -> bool {
        self.names.as_ref().is_none_or(|names| names.iter().any(|n| n == name))
    }
}

/// One instance of a planted parser.
trait Model {
    /// Takes a chunk in; the end cause comes with the last one or with an empty one after it, and makes the instance ready for
    /// the next reply.
    fn chunk(&mut self, text: &str, end: Option<End>, out: &mut Vec<Event>);
    /// What it holds back.
    fn held(&self) -> Held;
    /// Characters looked at so far, if it counts.
    fn steps(&self) -> Option<u64> {
        None
    }
}

/// A planted subject.
struct Planted {
    name: &'static str,
    /// The law that names its fault.
    law: &'static str,
    about: &'static str,
    /// True if its spans tell the truth about what it does.
    spans: bool,
    make: fn(Request) -> Box<dyn Model>,
}

impl Subject for Planted {
    fn name(&self) -> &str {
        self.name
    }

    fn description(&self) -> String {
        format!("planted: {}", self.about)
    }

    fn planted(&self) -> Option<&'static str> {
        Some(self.law)
    }

    fn abilities(&self) -> Abilities {
        Abilities { spans: self.spans, held: true, policies: false, eager: false }
    }

    fn supports(&self, dialect: &Dialect) -> bool {
        dialect.name == "hermes"
    }

    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        for (place, chunking) in chunkings.iter().enumerate() {
            let outcome = match str::from_utf8(raw) {
                Ok(text) => {
                    let mut model = (self.make)(Request::of(ask));
                    let first = read_once(&mut *model, text, chunking, ask.end);
                    Outcome::Reading(if chunking.reuse { read_once(&mut *model, text, chunking, ask.end) } else { first })
                }
                Err(_) => Outcome::Rejected("the text is not UTF-8".to_owned()),
            };
            each(place, outcome);
        }
    }

    fn steps(&self, ask: &Ask<'_>, raw: &[u8], chunking: &Chunking) -> Option<u64> {
        let mut model = (self.make)(Request::of(ask));
        // One look before reading: a model that does not count need not read.
        model.steps()?;
        read_once(&mut *model, str::from_utf8(raw).ok()?, chunking, ask.end);
        model.steps()
    }
}

/// Reads `text` once. A character that a cut halves comes with the chunk that completes it.
fn read_once(model: &mut dyn Model, text: &str, chunking: &Chunking, end: End) -> Reading {
    let mut reading = Reading::default();
    let mut from = 0;
    for (i, cut) in chunking.cuts.iter().copied().chain([text.len()]).enumerate() {
        let to = text.floor_char_boundary(cut);
        let rides = chunking.last_with_finish && i == chunking.cuts.len();
        model.chunk(&text[from..to], rides.then_some(end), &mut reading.events);
        from = to;
        reading.marks.push(reading.events.len());
        reading.held.push(model.held());
    }
    if !chunking.last_with_finish {
        model.chunk("", Some(end), &mut reading.events);
    }
    reading
}

/// All planted subjects.
#[must_use]
pub fn subjects() -> Vec<Box<dyn Subject>> {
    let all = [
        exo_generic::subject(),
        keeps_state::subject(),
        leaks_split_marker::subject(),
        loses_finishing_text::subject(),
        rescans::subject(),
        retracts_argument::subject(),
    ];
    all.into_iter().map(|planted| Box::new(planted) as Box<dyn Subject>).collect()
}
