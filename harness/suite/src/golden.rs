//! Goldens: the one reviewed reply of each case, as an insta `.snap` file.
//!
//! A file is an insta header and a JSON body that our own printer writes, so that it is stable to the byte:
//!
//! ```text
//! ---
//! source: tests/gate.rs
//! expression: hermes/strings/escaped-quote
//! ---
//! {
//!   "validated": {
//!     "parts": [
//!       {
//!         "call": "get",
//!         "id": null,
//!         "arguments": "{\"q\":\"a\\\"b\"}"
//!       }
//!     ],
//!     "finish": "tool_calls"
//!   },
//!   "input": "5d41402abc4b2a76b9719d911017c592"
//! }
//! ```
//!
//! A part is `{"text"}`, `{"reasoning"}` or a call; an `id` is null where it was minted, and an incomplete call says
//! `"incomplete": "truncated"`. `eager` follows `validated` only where the eager reply differs. The last entry is the digest
//! of the case's input, so that an edited input is "case changed" and not a diff. Control, invisible and bidirectional
//! characters are escaped, all others stand as they are.
//!
//! Some cases, named in `corpus/surfaces.txt`, also have a golden of how they leave by the API surfaces: [`SurfaceGolden`].
//!
//! With insta, the trial sets `prepend_module_to_snapshot = false`, `omit_expression = false` and `snapshot_path =
//! goldens/<folder>/<topic>`, and calls `assert_snapshot!(<id>, golden.render(), <full name>)`; `cargo insta accept` then writes
//! the bytes of [`Golden::snap_file`], as `streakstone bless` does.

mod compare;
mod print;
mod read;
mod store;
mod surface;

use streakstone_model::{CallOutcome, Finish, Part, Reply};

use crate::case::Case;

pub use compare::Difference;
pub use print::{escape, escape_json};
pub use store::{GoldenFault, Goldens};
pub use surface::{LIST, SURFACE_SOURCE, Section, SurfaceGolden, SurfaceGoldens, surface_sections};

/// The `source` of the header: the test that insta runs, relative to the workspace.
pub const SNAP_SOURCE: &str = "tests/gate.rs";

/// One part of a golden reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GoldenPart {
    /// Content.
    Text(String),
    /// Reasoning.
    Reasoning(String),
    /// A call.
    Call {
        /// The name as sent.
        name: String,
        /// The model's id; `None` if it was minted.
        id: Option<String>,
        /// The arguments' text.
        arguments: String,
        /// Complete, or why not.
        outcome: CallOutcome,
    },
}

/// A golden reply: a reply without spans, minted ids masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldenReply {
    /// The parts in order.
    pub parts: Vec<GoldenPart>,
    /// The finish reason.
    pub finish: Finish,
}

/// The golden of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Golden {
    /// The full name of the case.
    pub case: String,
    /// The reply in validated delivery.
    pub validated: GoldenReply,
    /// The reply in eager delivery, where it differs.
    pub eager: Option<GoldenReply>,
    /// [`Case::input_digest`] when it was written.
    pub input: String,
}

/// Why a golden cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{line}: {what}")]
pub struct GoldenError {
    /// Line of the file, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

impl From<&Reply> for GoldenReply {
    fn from(reply: &Reply) -> Self {
        let parts = reply.parts.iter().map(|part| match part {
            Part::Text(text) => GoldenPart::Text(text.clone()),
            Part::Reasoning(text) => GoldenPart::Reasoning(text.clone()),
            Part::Call(call) => GoldenPart::Call {
                name: call.name.clone(),
                id: (!call.id.minted).then(|| call.id.value.clone()),
                arguments: call.arguments.clone(),
                outcome: call.outcome,
            },
        });
        Self { parts: parts.collect(), finish: reply.finish }
    }
}

impl Golden {
    /// The golden that these replies would be.
    #[must_use]
    pub fn new(case: &Case, validated: &Reply, eager: Option<&Reply>) -> Self {
        let validated = GoldenReply::from(validated);
        let eager = eager.map(GoldenReply::from).filter(|eager| *eager != validated);
        Self { case: case.name.clone(), validated, eager, input: case.input_digest() }
    }

    /// The reply of the eager delivery: its own section, else the validated one.
    #[must_use]
    pub fn eager(&self) -> &GoldenReply {
        self.eager.as_ref().unwrap_or(&self.validated)
    }
}
