//! `reference`: the parsers of this repository as a subject.

use std::panic::{AssertUnwindSafe, catch_unwind};

use streakstone_model::{Dialect, End, Event, Grammar, Lookup, Markers, Policies, Reply, Span};
use streakstone_parsers::{Parser, SpecialTokens, Token, ToolSet};
use streakstone_suite::case::Case;
use streakstone_suite::markers::occurrences;
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
                if chunking.special && matches!(ask.dialect.grammar, Grammar::Channels(_)) {
                    return read_tokens(parser, ask, raw, chunking);
                }
                if chunking.reuse {
                    read_once(&mut parser, ask.end, raw, chunking);
                }
                read_once(&mut parser, ask.end, raw, chunking)
            }));
            each(place, read.map_or_else(|panic| Outcome::Raised(message(&*panic)), Outcome::Reading));
        }
    }

    fn steps(&self, ask: &Ask<'_>, raw: &[u8], chunking: &Chunking) -> Option<u64> {
        let tools = ToolSet::new(ask.tools);
        let mut parser = Parser::new(ask.dialect, &tools, ask.options);
        read_once(&mut parser, ask.end, raw, chunking);
        Some(parser.steps())
    }
}

/// What a case's text means under `policies`, read whole; `None` if the build has no such dialect. The judge's oracle.
#[must_use]
pub fn meaning(case: &Case, policies: Policies) -> Option<Reply> {
    let Lookup::Known(dialect) = case.dialect else { return None };
    let options = case.options(policies);
    let tools = ToolSet::new(case.tools.as_deref().map(Vec::as_slice));
    let reading = read_once(&mut Parser::new(dialect, &tools, &options), case.end, &case.raw, &Chunking::whole());
    Reply::from_events(&reading.events).ok()
}

fn read_once(parser: &mut Parser<'_>, end: End, raw: &[u8], chunking: &Chunking) -> Reading {
    let mut reading = Reading::default();
    for chunk in chunking.chunks(raw) {
        parser.push(chunk, &mut reading.events);
        reading.marks.push(reading.events.len());
        let held = parser.held();
        reading.held.push(Held { bytes: held.bytes, unit_open: held.unit_open });
    }
    parser.finish(end, &mut reading.events);
    reading
}

/// Reads every marker that is spelled like a special token as one, whole, in the chunk where it begins.
fn read_tokens(parser: Parser<'_>, ask: &Ask<'_>, raw: &[u8], chunking: &Chunking) -> Reading {
    let markers = Markers::of(ask.dialect);
    let special = SpecialTokens::new((0..).zip(markers.all().filter(|m| m.starts_with("<|") && m.ends_with("|>"))));
    let id = |span: &Span| std::str::from_utf8(&raw[span.start..span.end]).ok().and_then(|text| special.id(text));
    let tokens: Vec<(Span, u32)> = occurrences(&markers, raw).into_iter().filter_map(|span| Some((span, id(&span)?))).collect();
    let mut parser = parser.with_tokens(special.clone());
    let mut reading = Reading::default();
    let mut push = |token, events: &mut Vec<Event>| {
        let known = parser.push_token(token, events);
        assert!(known.is_ok(), "every id comes from the same list");
        parser.held()
    };
    let (mut at, mut end, mut next) = (0, 0, tokens.iter().peekable());
    for chunk in chunking.chunks(raw) {
        end += chunk.len();
        let mut held = push(Token::Text(b""), &mut reading.events);
        while at < end {
            let token = next.next_if(|(span, _)| span.start < end);
            let border = token.map_or(end, |(span, _)| span.start);
            held = push(Token::Text(&raw[at..border]), &mut reading.events);
            at = border;
            if let Some((span, id)) = token {
                held = push(Token::Special(*id), &mut reading.events);
                at = span.end;
            }
        }
        reading.marks.push(reading.events.len());
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
