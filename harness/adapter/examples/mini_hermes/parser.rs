//! A small Hermes parser and its entry points for streak/1.
#![expect(clippy::print_stdout, reason = "it shows where a parser's own output goes")]

use serde::Deserialize;
use serde_json::value::RawValue;
use streakstone_adapter::message::{End, Event, Finish, Hello, Tell};
use streakstone_adapter::serve::{Adapter, Delta, No, Request, Session};

const OPENER: &str = "<tool_call>";
const CLOSER: &str = "</tool_call>";

/// The body of a block. The arguments stay the model's bytes.
#[derive(Deserialize)]
struct Body<'a> {
    name: String,
    #[serde(borrow)]
    arguments: &'a RawValue,
}

/// The parser: text that could still become a block waits in `held`.
#[derive(Default)]
struct MiniHermes {
    held: String,
    calls: usize,
    prints: bool,
}

impl MiniHermes {
    fn push(&mut self, delta: &str) -> Vec<Event> {
        self.held.push_str(delta);
        let mut events = Vec::new();
        while let Some(start) = self.held.find(OPENER) {
            self.release(start, &mut events);
            let Some(end) = self.held.find(CLOSER) else { return events };
            let block = self.held[OPENER.len()..end].to_owned();
            // `serve` has moved standard output away: what a parser prints goes to standard error.
            if self.prints {
                println!("mini-hermes: a block of {} bytes", block.len());
            }
            match serde_json::from_str::<Body<'_>>(&block) {
                Ok(body) => {
                    self.held.drain(..end + CLOSER.len());
                    let index = self.calls;
                    self.calls += 1;
                    events.push(Event::Call { index, name: body.name, id: None });
                    events.push(Event::Arguments { index, fragment: body.arguments.get().to_owned() });
                    events.push(Event::End { index, incomplete: false });
                }
                Err(_) => self.release(end + CLOSER.len(), &mut events),
            }
        }
        // The longest end that may be the beginning of an opener.
        let waits = (1..OPENER.len()).rev().find(|&n| self.held.ends_with(&OPENER[..n])).unwrap_or(0);
        self.release(self.held.len() - waits, &mut events);
        events
    }

    fn release(&mut self, bytes: usize, events: &mut Vec<Event>) {
        if bytes > 0 {
            events.push(Event::Text(self.held.drain(..bytes).collect()));
        }
    }

    fn finish(&mut self, end: End) -> Vec<Event> {
        let mut events = Vec::new();
        self.release(self.held.len(), &mut events);
        let reason = match end {
            End::Length => Finish::Length,
            End::Stop | End::StopString if self.calls > 0 => Finish::ToolCalls,
            End::Stop | End::StopString => Finish::Stop,
        };
        events.push(Event::Finish(Some(reason)));
        *self = Self { prints: self.prints, ..Self::default() };
        events
    }
}

/// The adapter around it.
pub struct Example {
    /// True if the parser prints what it finds.
    pub prints: bool,
}

impl Example {
    fn parser(&self) -> MiniHermes {
        MiniHermes { prints: self.prints, ..MiniHermes::default() }
    }
}

impl Adapter for Example {
    fn hello(&self) -> Hello {
        let mut hello = Hello::new("mini-hermes", "0.1.0", ["hermes"]);
        hello.tells = vec![Tell::Order, Tell::Finish];
        hello.policies.insert("undeclared".to_owned(), "forward".to_owned());
        hello
    }

    fn whole(&self, request: &Request) -> Result<Vec<Event>, No> {
        let mut parser = self.parser();
        let mut events = parser.push(&request.text());
        events.extend(parser.finish(request.end));
        Ok(events)
    }

    fn open<'a>(&'a self, _request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        Ok(Box::new(Stream(self.parser())))
    }
}

struct Stream(MiniHermes);

impl Session for Stream {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        Ok(self.0.push(delta.text()))
    }

    fn finish(&mut self, end: End) -> Result<Vec<Event>, No> {
        Ok(self.0.finish(end))
    }
}
