//! Reports: pure functions of run logs. Nothing here prints, reads a file or knows a subject.

pub mod diff;
pub mod escape;
#[cfg(test)]
mod fixture;
pub mod junit;
pub mod markdown;
pub mod scoreboard;
pub mod standing;
pub mod terminal;
