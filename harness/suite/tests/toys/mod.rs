//! A small push parser of the Hermes dialect, right by default and wrong in one way at a time. It knows enough for the laws:
//! one call per tag pair, no white-space rules.

#![allow(dead_code, reason = "each test file uses a part")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::value::RawValue;
use streakstone_model::{ByteUse, CallOutcome, Delivery, Dialect, End, Event, Finish, Incomplete, Span, Undeclared};
use streakstone_suite::case::{Case, Expect, ExpectCall};
use streakstone_suite::subject::{Abilities, Ask, Chunking, Held, Outcome, Reading, Subject};

/// In what way the toy is wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// In none.
    None,
    /// A marker cut by a chunk is text.
    LeaksSplitMarker,
    /// The first half of a cut opener is text, yet the call is found.
    LeaksHalfMarker,
    /// The closer is text.
    LeaksCloser,
    /// The last chunk's text is lost where it came with less than three bytes.
    LosesTail,
    /// Every `x` of the text is called framing.
    HidesText,
    /// Bytes are dropped without leave.
    DropsText,
    /// Arguments of a call that a chunk cut are sent closed, then open again.
    RetractsArguments,
    /// Text of the reply before comes again.
    KeepsState,
    /// The name comes twice in a stream of three chunks or more.
    DoublesName,
    /// Arguments come before the name.
    ArgumentsFirst,
    /// The name is empty.
    EmptyName,
    /// Calls are numbered 0, 2, 4.
    SkipsIndex,
    /// Ids have spaces.
    InvalidId,
    /// All ids are one.
    SameId,
    /// The finish reason is always stop.
    AlwaysStop,
    /// The limit's finish reason is overwritten.
    OverwritesLength,
    /// Finishes twice.
    FinishesTwice,
    /// Text is held to the end.
    HoldsProse,
    /// Raises at a cut inside a character.
    RaisesOnHalfCharacter,
    /// Refuses empty chunks.
    RefusesEmptyChunks,
    /// Eager spells names otherwise.
    EagerDiffers,
    /// A cut call is closed and sent as complete at the limit.
    ClosesAtLimit,
    /// Every other reading says something else.
    Flips,
    /// Arguments lose their closing brace.
    BreaksJson,
    /// Arguments are a JSON string.
    QuotesJson,
    /// Takes its time.
    Slow,
    /// The adapter dies.
    AdapterDies,
    /// The process is killed at its deadline.
    Killed,
}

pub struct Toy {
    pub fault: Fault,
    pub abilities: Abilities,
    pub readings: AtomicUsize,
}

pub fn toy(fault: Fault) -> Toy {
    let abilities = Abilities { spans: true, held: true, policies: false, eager: true };
    Toy { fault, abilities, readings: AtomicUsize::new(0) }
}

pub fn without_spans(fault: Fault) -> Toy {
    let mut toy = toy(fault);
    toy.abilities.spans = false;
    toy
}

impl Subject for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn description(&self) -> String {
        format!("a toy that is wrong: {:?}", self.fault)
    }

    fn abilities(&self) -> Abilities {
        self.abilities
    }

    fn supports(&self, dialect: &Dialect) -> bool {
        dialect.name == "hermes"
    }

    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        for (i, chunking) in chunkings.iter().enumerate() {
            let number = self.readings.fetch_add(1, Ordering::Relaxed);
            each(i, self.one(ask, raw, chunking, number));
        }
    }
}

impl Toy {
    fn one(&self, ask: &Ask<'_>, raw: &[u8], chunking: &Chunking, number: usize) -> Outcome {
        match self.fault {
            Fault::Slow => std::thread::sleep(Duration::from_millis(5)),
            Fault::AdapterDies => return Outcome::AdapterFault("broken pipe".to_owned()),
            Fault::Killed => return Outcome::TimedOut,
            Fault::RefusesEmptyChunks if !raw.is_empty() && chunking.chunks(raw).any(<[u8]>::is_empty) => {
                return Outcome::Rejected("empty delta".to_owned());
            }
            _ => {}
        }
        let mut parser = Parser::new(self.fault, ask);
        for chunk in chunking.chunks(raw) {
            if self.fault == Fault::RaisesOnHalfCharacter && std::str::from_utf8(chunk).is_err() {
                return Outcome::Raised("byte index is not a char boundary".to_owned());
            }
            parser.push(chunk, chunking.cuts.len());
        }
        if self.fault == Fault::KeepsState && chunking.reuse {
            parser.reading.events.insert(0, Event::Text { text: "old ".to_owned(), span: Span::new(0, 0) });
        }
        if self.fault == Fault::Flips && number % 2 == 1 {
            parser.reading.events.insert(0, Event::Text { text: "!".to_owned(), span: Span::new(0, 0) });
        }
        Outcome::Reading(parser.finish(ask.end))
    }
}

const OPEN: &[u8] = b"<tool_call>";
const CLOSE: &[u8] = b"</tool_call>";

struct Parser {
    fault: Fault,
    eager: bool,
    forward: bool,
    reading: Reading,
    /// Bytes not yet spoken of, and where they begin.
    held: Vec<u8>,
    at: usize,
    inside: bool,
    calls: usize,
    complete: usize,
    chunks: usize,
    partial: usize,
}

impl Parser {
    fn new(fault: Fault, ask: &Ask<'_>) -> Self {
        Self {
            fault,
            eager: ask.options.policies.delivery == Delivery::Eager,
            forward: ask.options.policies.undeclared == Undeclared::Forward,
            reading: Reading::default(),
            held: Vec::new(),
            at: 0,
            inside: false,
            calls: 0,
            complete: 0,
            chunks: 0,
            partial: 0,
        }
    }

    fn push(&mut self, chunk: &[u8], cuts: usize) {
        self.chunks += 1;
        self.held.extend_from_slice(chunk);
        if self.fault == Fault::LosesTail && self.chunks == cuts + 1 && cuts > 0 && chunk.len() < 3 && !self.inside {
            self.held.clear();
        }
        if self.fault != Fault::HoldsProse {
            self.work();
        }
        self.reading.marks.push(self.reading.events.len());
        self.reading.held.push(Held { bytes: self.held.len(), unit_open: self.inside });
    }

    fn work(&mut self) {
        if self.fault == Fault::LeaksHalfMarker && self.partial > 0 {
            // What is left of the opener is still seen as one.
            if self.held.len() < self.partial {
                return;
            }
            let rest = std::mem::take(&mut self.partial);
            self.bytes(ByteUse::Framing, rest);
        }
        loop {
            if self.inside {
                let Some(end) = find(&self.held, CLOSE) else { break self.partial_arguments() };
                let body = self.take(end);
                self.call(&body);
                if self.fault == Fault::LeaksCloser {
                    self.text(CLOSE.len());
                } else {
                    self.bytes(ByteUse::Framing, CLOSE.len());
                }
                self.inside = false;
            } else if let Some(start) = find(&self.held, OPEN) {
                self.text(start);
                self.bytes(ByteUse::Framing, OPEN.len());
                self.inside = true;
            } else {
                let keep = (1..OPEN.len()).rev().find(|&k| self.held.ends_with(&OPEN[..k])).unwrap_or(0);
                let keep = match self.fault {
                    Fault::LeaksSplitMarker => 0,
                    Fault::LeaksHalfMarker if keep > 3 => {
                        self.text(self.held.len());
                        self.inside = true;
                        self.partial = OPEN.len() - keep;
                        return;
                    }
                    _ => keep.max(half_character(&self.held)),
                };
                break self.text(self.held.len() - keep);
            }
        }
    }

    /// A stream sends what it has of the arguments, closed, and sends the right ones later.
    fn partial_arguments(&mut self) {
        if self.fault != Fault::RetractsArguments || self.partial > 0 {
            return;
        }
        let text = String::from_utf8_lossy(&self.held).into_owned();
        if let Some((_, arguments)) = text.split_once("\"arguments\": ")
            && arguments.len() > 4
        {
            self.partial = 1;
            let name = "get".to_owned();
            self.reading.events.push(Event::CallBegin { index: self.calls, name, id: format!("c{}", self.calls), minted: true });
            self.reading.events.push(Event::Arguments { index: self.calls, fragment: format!("{arguments}\"}}") });
        }
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        self.held.drain(..length).collect()
    }

    fn bytes(&mut self, what: ByteUse, length: usize) {
        let span = Span::new(self.at, self.at + length);
        self.take(length);
        self.at = span.end;
        self.reading.events.push(Event::Bytes { what, span });
    }

    fn text(&mut self, length: usize) {
        if length == 0 {
            return;
        }
        let bytes = self.take(length);
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let event = match self.fault {
            Fault::HidesText if text.contains('x') => Event::Bytes { what: ByteUse::Framing, span },
            Fault::DropsText if text.contains('x') => {
                Event::Bytes { what: ByteUse::Dropped { reason: streakstone_model::DropReason::Undeclared }, span }
            }
            _ => Event::Text { text, span },
        };
        self.reading.events.push(event);
    }

    fn call(&mut self, body: &[u8]) {
        let parsed = std::str::from_utf8(body).ok().and_then(parse);
        let span = Span::new(self.at, self.at + body.len());
        self.at = span.end;
        let Some((mut name, mut arguments)) = parsed else {
            let text = String::from_utf8_lossy(body).into_owned();
            self.reading.events.push(Event::Text { text, span });
            return;
        };
        let index = if self.fault == Fault::SkipsIndex { self.calls * 2 } else { self.calls };
        let mut id = format!("c{index}");
        match self.fault {
            Fault::EmptyName => name.clear(),
            Fault::InvalidId => "call 1".clone_into(&mut id),
            Fault::SameId => "c".clone_into(&mut id),
            Fault::EagerDiffers if self.eager => name.push('_'),
            Fault::BreaksJson => drop(arguments.pop()),
            Fault::QuotesJson => arguments = format!("{arguments:?}"),
            _ => {}
        }
        if self.forward {
            name.push_str("_forwarded");
        }
        let begin = Event::CallBegin { index, name, id, minted: true };
        let fragment = Event::Arguments { index, fragment: arguments };
        let events = &mut self.reading.events;
        if self.fault == Fault::ArgumentsFirst {
            events.extend([fragment, begin]);
        } else {
            // A retracting stream has begun the call already.
            if self.partial == 0 {
                events.push(begin.clone());
            }
            if self.fault == Fault::DoublesName && self.chunks > 2 {
                events.push(begin);
            }
            events.push(fragment);
        }
        events.push(Event::CallEnd { index, outcome: CallOutcome::Complete });
        events.push(Event::Bytes { what: ByteUse::Call { index }, span });
        self.partial = 0;
        self.calls += 1;
        self.complete += 1;
    }

    fn finish(mut self, end: End) -> Reading {
        if self.fault == Fault::HoldsProse {
            self.work();
        }
        if self.inside && self.fault == Fault::ClosesAtLimit && end == End::Length {
            self.bytes(ByteUse::Call { index: self.calls }, self.held.len());
            let index = self.calls;
            self.reading.events.extend([
                Event::CallBegin { index, name: "guess".to_owned(), id: "g".to_owned(), minted: true },
                Event::Arguments { index, fragment: "{}".to_owned() },
                Event::CallEnd { index, outcome: CallOutcome::Complete },
            ]);
            self.complete += 1;
        } else if self.partial == 1 && self.fault == Fault::RetractsArguments {
            let outcome = CallOutcome::Incomplete { reason: Incomplete::Truncated };
            self.reading.events.push(Event::CallEnd { index: self.calls, outcome });
            self.bytes(ByteUse::Call { index: self.calls }, self.held.len());
        } else {
            self.text(self.held.len());
        }
        let reason = match (self.fault, end) {
            (Fault::AlwaysStop, _) => Finish::Stop,
            (Fault::OverwritesLength, _) | (_, End::Stop | End::StopString) if self.complete > 0 => Finish::ToolCalls,
            (_, End::Length) => Finish::Length,
            _ => Finish::Stop,
        };
        self.reading.events.push(Event::Finish { reason });
        if self.fault == Fault::FinishesTwice {
            self.reading.events.push(Event::Finish { reason });
        }
        self.reading
    }
}

fn parse(body: &str) -> Option<(String, String)> {
    #[derive(serde::Deserialize)]
    struct Wire<'a> {
        name: String,
        #[serde(borrow)]
        arguments: &'a RawValue,
    }
    let wire: Wire<'_> = serde_json::from_str(body).ok()?;
    Some((wire.name, wire.arguments.get().to_owned()))
}

fn find(text: &[u8], needle: &[u8]) -> Option<usize> {
    text.windows(needle.len()).position(|w| w == needle)
}

/// Bytes of an unfinished character at the end.
fn half_character(text: &[u8]) -> usize {
    text.utf8_chunks().last().map_or(0, |last| {
        let bytes = last.invalid();
        let open = std::str::from_utf8(bytes).is_err_and(|e| e.error_len().is_none());
        if open { bytes.len() } else { 0 }
    })
}

/// A Hermes case of `raw`.
pub fn case(raw: impl Into<Vec<u8>>) -> Case {
    Case { file: PathBuf::from("corpus/hermes/toys.yaml"), line: 1, ..Case::of_text("hermes/toys/case", "hermes", raw) }
}

/// `before`, a call of `get` with an `é`, `after`.
pub fn call_case(before: &str, after: &str) -> Case {
    let mut case = case(format!("{before}<tool_call>{{\"name\": \"get\", \"arguments\": {{\"q\": \"a\\\"é\"}}}}</tool_call>{after}"));
    case.expect = Expect {
        content: Some(format!("{before}{after}")),
        reasoning: Some(String::new()),
        calls: Some(vec![ExpectCall { name: "get".to_owned(), arguments: "{\"q\":\"a\\\"\\u00e9\"}".to_owned(), id: None }]),
        finish: Some(Finish::ToolCalls),
    };
    case
}
