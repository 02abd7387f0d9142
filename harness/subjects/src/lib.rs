//! The things under test: in this process the reference parsers and the subjects that are wrong on purpose; in a process of its own
//! any parser behind an adapter ([`stdio`]).
//!
//! Everything that can hang, crash or touch a network belongs here; how a reading is judged does not.

pub mod deliveries;
mod in_process;
pub mod planted;
mod reference;
pub mod stdio;
pub mod transcript;

pub use in_process::InProcess;
pub use reference::{Reference, meaning};
use streakstone_suite::subject::Subject;

/// Every subject of this build, the reference first. A plain run judges those that are not [planted](Subject::planted).
#[must_use]
pub fn subjects() -> Vec<Box<dyn Subject>> {
    let mut all: Vec<Box<dyn Subject>> = vec![Box::new(Reference)];
    all.extend(planted::subjects());
    all
}

/// The subject of this name.
#[must_use]
pub fn by_name(name: &str) -> Option<Box<dyn Subject>> {
    subjects().into_iter().find(|subject| subject.name() == name)
}
