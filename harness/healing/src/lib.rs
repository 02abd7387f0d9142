//! Healing: calls that a model wrote as text leave the server as structured calls; nothing else is touched.
//!
//! * [`gate()`] says from a request whether anything may be promoted, and what.
//! * [`TextHealer`] reads a text as it comes and says what of it is text and what a call.
//! * [`heal_body`] mends a whole body, [`StreamHealer`] a stream of events, on the three API surfaces.
//! * [`should_retry`], [`retry_request`], [`is_better`]: one more try for a reply whose call could not be read.
//!
//! The rules U1 to U72 of the reference system are named at the code and in the tests; `README.md` has the map. What a text means is the
//! reference parsers' business: there is no second parser here. There is no I/O, no clock, no thread and no unsafe code.
//!
//! ```
//! use streakstone_healing::{Gate, Switches, gate, heal_body};
//! use streakstone_surfaces::{Ids, Surface};
//!
//! let request = serde_json::json!({"tools": [{"type": "function", "function": {"name": "f"}}]});
//! let Gate::On(promotable) = gate(Surface::Chat, &request, Switches::default()) else { unreachable!() };
//! let body = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>"},"finish_reason":"stop"}]}"#;
//! let healed = heal_body(Surface::Chat, body, &promotable, Ids::sequential());
//! assert_eq!(healed.report.calls, 1);
//! assert!(healed.body.contains(r#""content":null"#) && healed.body.contains(r#""finish_reason":"tool_calls""#));
//! ```

#![forbid(unsafe_code)]

mod body;
mod gate;
mod ids;
mod json;
mod nudge;
mod record;
mod stream;
mod text;
mod track;

pub use body::{HealedBody, heal_body};
pub use gate::{Gate, Off, Promotable, Switches, gate};
pub use nudge::{is_better, retry_request, should_retry};
pub use stream::{MAX_RECORD, MAX_WAITING, StreamHealer};
pub use text::{HOLD, Promoted, ReasoningText, Step, TextHealer};

/// What became of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Report {
    /// Calls that were promoted.
    pub calls: usize,
    /// Calls that were left out because the request allows one only: written ones, and structured ones behind a promoted one.
    pub dropped: usize,
}

impl Report {
    /// Adds another text's.
    const fn add(&mut self, other: Self) {
        self.calls += other.calls;
        self.dropped += other.dropped;
    }
}
