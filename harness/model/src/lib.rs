//! What every other crate speaks of: replies, events, spans, tools, policies, exact JSON and the dialect table.
//!
//! A leaf crate. There is no parsing of model text here: the judge must not link the judged.

mod dialect;
mod event;
mod grammar;
pub mod json;
mod markers;
mod policy;
mod registry;
mod reply;
mod spelling;
mod stops;
mod table;
mod tool;

pub use dialect::{Dialect, IdPlacement, Lookup, Missing, Peer, ReasoningMarkers, nearest, nearest_within};
pub use event::{ByteUse, CallOutcome, DropReason, Event, Finish, FramingOf, Incomplete, Sink, Span};
pub use grammar::{
    BraceCalls, ChannelCalls, ElementCalls, ElementStyle, Grammar, GrammarId, HeaderPart, JsonCalls, JsonKeys, JsonShape, MessageBody,
    MessageRole, NamedCalls, PromptHeader, PythonCalls, PythonShape, TagAttributes, TagCalls, TagJson, TagPairs, TagStyle, auto_rows,
};
pub use markers::{Markers, suffix};
pub use policy::{
    Block, Caps, Coercion, Delivery, Duplicate, End, Names, Parallel, Policies, PolicyError, ReadOptions, ToolChoice, Truncated, Undeclared,
};
pub use registry::{WordTaken, known, register, registered};
pub use reply::{Call, CallId, EventFault, Part, Reply, SpanUse};
pub use spelling::Spelling;
pub use stops::stop_tokens;
pub use table::{MISSING, dialects, lookup};
pub use tool::{Tool, ToolError};
