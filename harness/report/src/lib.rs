//! Reports: pure functions of run logs. Nothing here prints, reads a file or knows a subject.

pub mod escape;
