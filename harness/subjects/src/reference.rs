//! `reference`: the parsers of this repository as a subject.

use std::panic::{AssertUnwindSafe, catch_unwind};

use streakstone_model::Dialect;
use streakstone_parsers::{Parser, ToolSet};
use streakstone_suite::subject::{Abilities, Ask, Chunking, Held, Outcome, Reading, Subject};

/// The reference parsers. The delivery is the policy of the request.
#[derive(Debug, Clone, Copy)]
pub struct Reference;

impl Subject for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn description(&self) -> String {
        format!("streakstone-parsers {}", env!("CARGO_PKG_VERSION"))
    }

    fn abilities(&self) -> Abilities {
        Abilities { spans: true, held: true, policies: true, eager: true }
    }

    fn supports(&self, _dialect: &Dialect) -> bool {
        true
    }

    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        let tools = ToolSet::new(ask.tools);
        for (place, chunking) in chunkings.iter().enumerate() {
            // The parser is dropped with the panic, so nothing half-changed is seen again.
            let read = catch_unwind(AssertUnwindSafe(|| {
                let mut parser = Parser::new(ask.dialect, &tools, ask.options);
                if chunking.reuse {
                    read_once(&mut parser, ask, raw, chunking);
                }
                read_once(&mut parser, ask, raw, chunking)
            }));
            each(place, read.map_or_else(|panic| Outcome::Raised(message(&*panic)), Outcome::Reading));
        }
    }

    fn steps(&self, ask: &Ask<'_>, raw: &[u8], chunking: &Chunking) -> Option<u64> {
        let tools = ToolSet::new(ask.tools);
        let mut parser = Parser::new(ask.dialect, &tools, ask.options);
        read_once(&mut parser, ask, raw, chunking);
        Some(parser.steps())
    }
}

fn read_once(parser: &mut Parser<'_>, ask: &Ask<'_>, raw: &[u8], chunking: &Chunking) -> Reading {
    let mut reading = Reading::default();
    for chunk in chunking.chunks(raw) {
        parser.push(chunk, &mut reading.events);
        reading.marks.push(reading.events.len());
        let held = parser.held();
        reading.held.push(Held { bytes: held.bytes, unit_open: held.unit_open });
    }
    parser.finish(ask.end, &mut reading.events);
    reading
}

/// The text of a panic.
fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    format!("panicked: {}", text.unwrap_or("(no message)"))
}
