//! The three API surfaces by which tool calls leave a server: Chat Completions, Responses, Anthropic Messages. Each has a writer, a
//! reader and laws.
//!
//! * Writers turn the events of a parser into a whole body ([`write_whole`]) or a stream, at once ([`write_stream`]) or as the events come
//!   ([`Writer`]).
//! * Readers turn bytes, cut anywhere, into what the surface delivered ([`Reader`], [`read_whole`]).
//! * Laws say what is wrong with a stream or a body ([`check`], [`judge`]); [`laws`] lists them.
//!
//! There is no I/O and no clock here, and no parser of model text: what a text should mean comes in as [`Context::oracle`].
//!
//! ```
//! use streakstone_model::{CallOutcome, Event, Finish};
//! use streakstone_surfaces::{Ids, Surface, WriteOptions, check, read_stream, write_stream, Context, Frame};
//!
//! let events = [
//!     Event::CallBegin { index: 0, name: "f".into(), id: "abc".into(), minted: false },
//!     Event::Arguments { index: 0, fragment: "{}".into() },
//!     Event::CallEnd { index: 0, outcome: CallOutcome::Complete },
//!     Event::Finish { reason: Finish::ToolCalls },
//! ];
//! for surface in Surface::ALL {
//!     let frames = write_stream(surface, &events, &WriteOptions::default(), Ids::sequential());
//!     let bytes = Frame::encode_all(&frames);
//!     assert_eq!(read_stream(surface, &bytes).calls().next().unwrap().id, "abc");
//!     assert_eq!(check(surface, &bytes, &Context::default()).unwrap(), []);
//! }
//! ```

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

mod agreement;
mod chat;
mod context;
mod delivered;
mod ids;
mod law;
mod mask;
mod messages;
mod options;
mod outgoing;
pub mod planted;
mod reader;
mod recorded;
mod responses;
mod rules;
mod sse;
mod stream;
mod strict;
pub mod transcript;
mod writer;

pub use agreement::{Leaving, SURFACES_AGREE, disagreements};
pub use context::{Context, Request};
pub use delivered::{Delivered, DeliveredCall, DeliveredPart, Ending, Step};
pub use ids::{IdKind, Ids, MAX_ID, carries, is_plain};
pub use law::{About, Judgement, Needs, Severity, Violation};
pub use mask::mask;
pub use options::{Usage, WriteOptions};
pub use outgoing::CallBudget;
pub use reader::{NoBody, Reader, read_stream, read_whole};
pub use recorded::{Content, Recorded};
pub use sse::{DONE, Decoder, Frame, Place, Record};
pub use stream::{Input, Stream, Unreadable};
pub use writer::{Writer, write_stream, write_whole};

/// An API shape by which a reply leaves a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Surface {
    /// `OpenAI` Chat Completions.
    Chat,
    /// `OpenAI` Responses.
    Responses,
    /// Anthropic Messages.
    Anthropic,
}

impl Surface {
    /// All three.
    pub const ALL: [Self; 3] = [Self::Chat, Self::Responses, Self::Anthropic];

    /// The word of the command line and of transcripts.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Responses => "responses",
            Self::Anthropic => "anthropic",
        }
    }
}

impl fmt::Display for Surface {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// No surface of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown surface `{0}`; the surfaces are chat, responses, anthropic")]
pub struct UnknownSurface(pub String);

impl FromStr for Surface {
    type Err = UnknownSurface;

    fn from_str(word: &str) -> Result<Self, UnknownSurface> {
        Self::ALL.into_iter().find(|s| s.as_str() == word).ok_or_else(|| UnknownSurface(word.to_owned()))
    }
}

/// The laws of a surface, in the order of their ids.
pub fn laws(surface: Surface) -> impl Iterator<Item = &'static About> {
    let all: Vec<&'static About> = match surface {
        Surface::Chat => chat::LAWS.iter().map(|law| &law.about).collect(),
        Surface::Responses => responses::LAWS.iter().map(|law| &law.about).collect(),
        Surface::Anthropic => messages::LAWS.iter().map(|law| &law.about).collect(),
    };
    all.into_iter()
}

/// Asks every law of a surface about a stream.
#[must_use]
pub fn judge(surface: Surface, stream: &Stream, context: &Context) -> Vec<(&'static About, Judgement)> {
    let mut judged = match surface {
        Surface::Chat => chat::judge(stream, false, context),
        Surface::Responses => responses::judge(stream, false, context),
        Surface::Anthropic => messages::judge(stream, false, context),
    };
    // The other laws read U+FFFD in its place; openai-python raises an error.
    if let Some((law, judgement)) = judged.iter_mut().find(|(law, _)| law.id == recorded::json_law(surface)) {
        let wrong = stream.records.iter().filter_map(|record| {
            let message = format!("byte {} of the data is no UTF-8", record.invalid?);
            Some(Violation { law: law.id, severity: law.severity, event: record.place.event, line: record.place.line, message })
        });
        judgement.add(wrong);
    }
    judged
}

/// Asks every law of a surface about a whole body. It is judged as the stream that a careful server would make of it; the laws that
/// speak of streams only are unsupported. So are all but the first of a body that is no JSON object.
#[must_use]
pub fn judge_body(surface: Surface, body: &str, context: &Context) -> Vec<(&'static About, Judgement)> {
    judge_whole(surface, body, None, context)
}

fn judge_whole(surface: Surface, body: &str, broken_off: Option<&str>, context: &Context) -> Vec<(&'static About, Judgement)> {
    if let Some(wrong) = recorded::no_object(body, broken_off) {
        return law::judge_only(laws(surface), recorded::json_law(surface), "the body is no JSON object", Some(&wrong));
    }
    match surface {
        Surface::Chat => chat::judge(&chat::unfold(body), true, context),
        Surface::Responses => responses::judge(&responses::unfold(body), true, context),
        Surface::Anthropic => messages::judge(&messages::unfold(body), true, context),
    }
}

/// Asks every law of a surface about what bytes turned out to be. Where a recorded response has the status of an error, only the law that
/// speaks of errors is judged.
#[must_use]
pub fn judge_input(surface: Surface, input: &Input, context: &Context) -> Vec<(&'static About, Judgement)> {
    match input {
        Input::Stream(stream) => judge(surface, stream, context),
        Input::Body(body) => judge_body(surface, body, context),
        Input::Recorded(recorded) => {
            let broken_off = recorded.transcript.broken_off();
            match &recorded.content {
                Content::Stream(stream) => judge(surface, stream, context),
                Content::Body(body) => judge_whole(surface, body, broken_off, context),
                Content::Error { status, body } => {
                    let wrong = recorded::no_error(surface, *status, body, broken_off);
                    let others = "the HTTP status is that of an error";
                    law::judge_only(laws(surface), recorded::error_law(surface), others, wrong.as_deref())
                }
            }
        }
    }
}

/// What is wrong with `bytes`: a stream, a recorded transcript of one, or a whole body. In the order of the events.
///
/// # Errors
/// The bytes are none of these.
pub fn check(surface: Surface, bytes: &[u8], context: &Context) -> Result<Vec<Violation>, Unreadable> {
    Ok(check_input(surface, &Input::read(bytes)?, context))
}

/// [`check`], where it is already known what the bytes are.
#[must_use]
pub fn check_input(surface: Surface, input: &Input, context: &Context) -> Vec<Violation> {
    violations(judge_input(surface, input, context))
}

/// What is wrong by some judgements, in the order of the events.
#[must_use]
pub fn violations(judged: Vec<(&'static About, Judgement)>) -> Vec<Violation> {
    let broken = judged.into_iter().filter_map(|(_, judgement)| if let Judgement::Broken(all) = judgement { Some(all) } else { None });
    let mut all: Vec<Violation> = broken.flatten().collect();
    all.sort_by_key(|violation| (violation.event, violation.law));
    all
}
