//! What every other crate speaks of: replies, events, spans, tools, policies, exact JSON and the dialect table.
//!
//! A leaf crate. There is no parsing of model text here: the judge must not link the judged.

mod dialect;
mod event;
pub mod json;
mod policy;
mod reply;
mod table;
mod tool;

pub use dialect::{BlockTags, Dialect, Grammar, IdPlacement, InvokeSpelling, JsonListMarkers, Lookup, ReasoningMarkers, TagTypes, nearest};
pub use event::{ByteUse, CallOutcome, DropReason, Event, Finish, Incomplete, Sink, Span};
pub use policy::{
    Block, Caps, Coercion, Delivery, Duplicate, End, Names, Parallel, Policies, PolicyError, ReadOptions, ToolChoice, Truncated, Undeclared,
};
pub use reply::{Call, CallId, EventFault, Part, Reply, SpanUse};
pub use table::{DIALECTS, lookup};
pub use tool::{Tool, ToolError};
