//! Streams that are wrong on purpose: one defect each, made from a good stream by one named edit. They show that each law sees its defect,
//! and a client jury what each client makes of it.

mod chat;
mod clean;
mod edit;
mod messages;
mod responses;

use std::collections::HashSet;

use serde_json::json;
use streakstone_model::{CallOutcome, Event, Finish, Incomplete, Span, ToolChoice};

pub use clean::{Variant, variants};

use crate::context::{Context, Request};
use crate::delivered::Delivered;
use crate::ids::Ids;
use crate::options::{Usage, WriteOptions};
use crate::reader::read_records;
use crate::sse::Frame;
use crate::stream::Stream;
use crate::transcript::{Chunk, Header, Transcript};
use crate::{Surface, write_stream};

/// A stream with one defect.
pub struct Planted {
    /// Kebab-case; unique on its surface.
    pub name: &'static str,
    /// The surface.
    pub surface: Surface,
    /// The law that it breaks.
    pub law: &'static str,
    /// Laws that the same defect cannot but break too.
    pub also: &'static [&'static str],
    /// The good stream that it was.
    pub base: Base,
    /// What the check is told.
    known: Known,
    edit: fn(&mut Vec<Frame>),
}

impl std::fmt::Debug for Planted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} ({})", self.surface, self.name, self.law)
    }
}

/// The good streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Base {
    /// Reasoning, text, a call, text, a call.
    Calls,
    /// Text only.
    Text,
    /// A call, and one that the length limit cut; sent eagerly.
    Cut,
    /// One call with long arguments, recorded as one transfer chunk.
    Burst,
}

impl Base {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Calls, Self::Text, Self::Cut, Self::Burst];

    /// Kebab-case.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Text => "text",
            Self::Cut => "cut",
            Self::Burst => "burst",
        }
    }

    /// The stream, without a defect.
    #[must_use]
    pub fn frames(self, surface: Surface) -> Vec<Frame> {
        good(surface, self)
    }

    /// What the stream means.
    #[must_use]
    pub fn meaning(self, surface: Surface) -> Delivered {
        delivered(surface, self)
    }
}

/// What the check is told besides the stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing.
    Form,
    /// The request: both tools, automatic choice, several calls, usage wanted.
    Request,
    /// The same with the choice `none`.
    ChoiceNone,
    /// The same with the choice `required`.
    Required,
    /// The same for one call at most.
    Single,
    /// The same with the first call's id in the conversation.
    History,
    /// The reply to the raw text.
    Oracle,
    /// What the tokens mean.
    Witness,
    /// The template's markers.
    Markers,
}

/// All planted streams.
pub fn all() -> impl Iterator<Item = &'static Planted> {
    [chat::PLANTED, responses::PLANTED, messages::PLANTED].into_iter().flatten()
}

impl Planted {
    /// The bytes: a stream, or a transcript where the defect lies in the times.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        let bytes = Frame::encode_all(&self.frames());
        if self.base != Base::Burst {
            return bytes;
        }
        let header = Header {
            surface: self.surface,
            status: Some(200),
            headers: serde_json::Map::new(),
            request: serde_json::Value::Null,
            path: None,
            about: serde_json::Map::new(),
        };
        let chunks = vec![Chunk { t_us: 1_000, bytes }];
        Transcript { header, chunks, outcome: "complete".to_owned() }.write().into_bytes()
    }

    /// The events, edited.
    #[must_use]
    pub fn frames(&self) -> Vec<Frame> {
        let mut frames = good(self.surface, self.base);
        (self.edit)(&mut frames);
        if self.surface == Surface::Responses && self.law != "RS03" {
            edit::renumber(&mut frames);
        }
        frames
    }

    /// What the check is told.
    #[must_use]
    pub fn context(&self) -> Context {
        let request = |choice, parallel| Request {
            tools: Some(TOOLS.map(str::to_owned).to_vec()),
            choice,
            parallel,
            include_usage: true,
            history: HashSet::new(),
        };
        let asks = |request| Context { request: Some(request), ..Context::default() };
        match self.known {
            Known::Form => Context::default(),
            Known::Request => asks(request(ToolChoice::Auto, true)),
            Known::ChoiceNone => asks(request(ToolChoice::None, true)),
            Known::Required => asks(request(ToolChoice::Required, true)),
            Known::Single => asks(request(ToolChoice::Auto, false)),
            Known::History => asks(Request { history: HashSet::from([FIRST_ID.to_owned()]), ..request(ToolChoice::Auto, true) }),
            Known::Oracle => Context { oracle: Some(delivered(self.surface, self.base)), ..Context::default() },
            Known::Witness => Context { witness: Some(delivered(self.surface, self.base)), ..Context::default() },
            Known::Markers => Context { markers: vec!["<tool_call>".to_owned(), "</tool_call>".to_owned()], ..Context::default() },
        }
    }
}

/// Everything a check can know of the good stream with calls.
#[must_use]
pub fn full_context(surface: Surface) -> Context {
    Context {
        request: Some(Request {
            tools: Some(TOOLS.map(str::to_owned).to_vec()),
            choice: ToolChoice::Auto,
            parallel: true,
            include_usage: true,
            history: HashSet::from(["earlier".to_owned()]),
        }),
        oracle: Some(delivered(surface, Base::Calls)),
        witness: Some(delivered(surface, Base::Calls)),
        markers: vec!["<tool_call>".to_owned(), "</tool_call>".to_owned()],
        declared: Vec::new(),
    }
}

/// The tools that were asked for.
const TOOLS: [&str; 2] = ["get_weather", "get_time"];

/// The model's own id of the first call.
const FIRST_ID: &str = "abc123XYZ";

/// The good stream with calls.
#[must_use]
pub fn good_stream(surface: Surface) -> Vec<Frame> {
    good(surface, Base::Calls)
}

fn delivered(surface: Surface, base: Base) -> Delivered {
    read_records(surface, &Stream::read(&Frame::encode_all(&good(surface, base))).records)
}

fn good(surface: Surface, base: Base) -> Vec<Frame> {
    let options = WriteOptions {
        model: "planted".to_owned(),
        created: 1_700_000_000,
        usage: Usage { input: 20, output: 30 },
        include_usage: true,
        signature: Some("c2lnbmF0dXJl".to_owned()),
        tools: TOOLS
            .iter()
            .map(|name| json!({"type": "function", "name": name, "parameters": {"type": "object"}, "strict": null}))
            .collect(),
        ..WriteOptions::default()
    };
    write_stream(surface, &events(base), &options, Ids::sequential())
}

fn events(base: Base) -> Vec<Event> {
    let span = Span::new(0, 0);
    let text = |text: &str| Event::Text { text: text.to_owned(), span };
    let begin = |index, name: &str, id: &str| Event::CallBegin { index, name: name.to_owned(), id: id.to_owned(), minted: false };
    let add = |index, fragment: &str| Event::Arguments { index, fragment: fragment.to_owned() };
    let end = |index| Event::CallEnd { index, outcome: CallOutcome::Complete };
    let weather = [begin(0, "get_weather", FIRST_ID), add(0, "{\"city\":"), add(0, "\"Paris\"}"), end(0)];
    match base {
        Base::Calls => [
            &[Event::Reasoning { text: "Weather first, then the time.".to_owned(), span }, text("Let me look. ")][..],
            &weather,
            &[text(" And the time:"), begin(1, "get_time", "call_2"), add(1, "{\"tz\":\"UTC\"}"), end(1)],
            &[Event::Finish { reason: Finish::ToolCalls }],
        ]
        .concat(),
        Base::Text => vec![text("It is "), text("sunny."), Event::Finish { reason: Finish::Stop }],
        Base::Cut => [
            &[text("Let me look.")][..],
            &weather,
            &[begin(1, "get_time", "call_2"), add(1, "{\"tz\":\"U")],
            &[Event::CallEnd { index: 1, outcome: CallOutcome::Incomplete { reason: Incomplete::Truncated } }],
            &[Event::Finish { reason: Finish::Length }],
        ]
        .concat(),
        Base::Burst => {
            let city = format!("\"{}\"}}", "Paris ".repeat(50));
            [
                &[begin(0, "get_weather", FIRST_ID), add(0, "{\"city\":"), add(0, &city), end(0)][..],
                &[Event::Finish { reason: Finish::ToolCalls }],
            ]
            .concat()
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fmt::Write as _;

    use super::*;
    use crate::{check, laws};

    #[test]
    fn each_planted_stream_breaks_its_law_and_no_unrelated_one() {
        let mut wrong = String::new();
        for planted in all() {
            let found = check(planted.surface, &planted.bytes(), &planted.context()).expect("readable");
            let broken: BTreeSet<&str> = found.iter().map(|violation| violation.law).collect();
            let want: BTreeSet<&str> = planted.also.iter().copied().chain([planted.law]).collect();
            let placed = found.iter().all(|violation| violation.event <= planted.frames().len());
            if broken != want || !placed {
                let _ = writeln!(wrong, "{planted:?} breaks {broken:?}: {found:#?}");
            }
        }
        assert!(wrong.is_empty(), "{wrong}");
    }

    #[test]
    fn every_law_has_a_planted_stream_and_every_good_stream_is_clean() {
        for surface in Surface::ALL {
            for law in laws(surface) {
                assert!(all().any(|planted| planted.law == law.id), "{} has no planted stream", law.id);
            }
            for base in [Base::Calls, Base::Text, Base::Cut] {
                let bytes = Frame::encode_all(&good(surface, base));
                let oracle = Some(delivered(surface, base));
                for context in [Context::default(), Context { oracle, ..Context::default() }] {
                    assert_eq!(check(surface, &bytes, &context).expect("readable"), [], "{surface} {base:?}");
                }
            }
            let good = Frame::encode_all(&good_stream(surface));
            assert_eq!(check(surface, &good, &full_context(surface)).expect("readable"), [], "{surface}");
        }
    }

    #[test]
    fn names_are_unique_and_there_are_enough() {
        let names: HashSet<_> = all().map(|planted| (planted.surface, planted.name)).collect();
        assert_eq!(names.len(), all().count());
        assert!(all().count() >= 60, "{}", all().count());
    }

    #[test]
    fn clean_variants_break_nothing() {
        for variant in variants() {
            let context = full_context(variant.surface);
            let found = check(variant.surface, &variant.bytes(), &context).expect("readable");
            assert_eq!(found, [], "{}\n{}", variant.name, String::from_utf8_lossy(&variant.bytes()));
        }
    }
}
