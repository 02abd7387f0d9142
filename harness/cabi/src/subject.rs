//! The library as an adapter of the SDK: requests become JSON, JSON becomes events.

use std::ffi::CStr;

use serde_json::{Value, json};
use streakstone_adapter::PROTOCOL;
use streakstone_adapter::message::{Answer, End, Event, Hello, Mode};
use streakstone_adapter::serve::{Adapter, Delta, No, Request, Session};

use crate::library::{self, Library};

/// A loaded library and what it says of itself.
pub struct Subject {
    library: Library,
    hello: Hello,
}

impl Subject {
    /// Reads the library's hello.
    ///
    /// # Errors
    /// It is no hello; in one sentence.
    pub fn new(library: Library) -> Result<Self, String> {
        let bad = |why: String| format!("`streak_hello_json`: {why}");
        let mut hello: Value = serde_json::from_str(library.hello()).map_err(|e| bad(e.to_string()))?;
        let keys = hello.as_object_mut().ok_or_else(|| bad("it is no object".to_owned()))?;
        keys.insert("type".to_owned(), json!("hello"));
        keys.entry("protocol").or_insert_with(|| json!(PROTOCOL));
        let Answer::Hello(mut hello) = serde_json::from_value(hello).map_err(|e| bad(e.to_string()))? else {
            return Err(bad("it is another message".to_owned()));
        };
        hello.check().map_err(bad)?;
        if !library.reads_whole() {
            hello.modes.retain(|mode| *mode != Mode::Whole);
        }
        Ok(Self { library, hello })
    }

    fn session(&self, request: &Request) -> Result<library::Session<'_>, No> {
        let asked = json!({
            "tools": request.tools, "tool_choice": request.tool_choice, "parallel_tool_calls": request.parallel_tool_calls,
            "reasoning": request.reasoning, "special": request.special,
        });
        self.library.create(&request.dialect, &asked.to_string())
    }
}

impl Adapter for Subject {
    fn hello(&self) -> Hello {
        self.hello.clone()
    }

    fn whole(&self, request: &Request) -> Result<Vec<Event>, No> {
        if !self.library.reads_whole() {
            return Err(No::Unsupported("the library has no `streak_whole`".to_owned()));
        }
        events(self.session(request)?.whole(&request.raw, word(request.end)))
    }

    fn open<'a>(&'a self, request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        Ok(Box::new(Stream { session: self.session(request)?, rides: self.library.rides() }))
    }
}

struct Stream<'a> {
    session: library::Session<'a>,
    rides: bool,
}

impl Session for Stream<'_> {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        events(self.session.push(delta.bytes()))
    }

    fn finish(&mut self, end: End) -> Result<Vec<Event>, No> {
        events(self.session.finish(word(end)))
    }

    fn last(&mut self, delta: Delta<'_>, end: End) -> Option<Result<Vec<Event>, No>> {
        self.rides.then(|| events(self.session.last(delta.bytes(), word(end))))
    }
}

/// The events of what the library gave; none where it gave nothing.
fn events(given: Result<Vec<u8>, No>) -> Result<Vec<Event>, No> {
    let given = given?;
    if given.is_empty() {
        return Ok(Vec::new());
    }
    serde_json::from_slice(&given).map_err(|e| No::Fault(format!("`streak_take_json`: {e}: {:.200}", String::from_utf8_lossy(&given))))
}

/// The protocol's word for an end cause.
const fn word(end: End) -> &'static CStr {
    match end {
        End::Stop => c"stop",
        End::Length => c"length",
        End::StopString => c"stop_string",
    }
}
