//! How cost grows with the length of hostile input, and what streaming costs over copying.
//!
//! [`growth`] reads every text of [`generators`] at several sizes through a [`Subject`](streakstone_suite::subject::Subject)
//! and fits the exponent ([`fit`]) of thread CPU time ([`clock`]) and, where the subject counts, of its steps. [`ratio`]
//! compares the reference parsers with copying the same chunks, [`memory`] has what they allocate. Nothing here prints or judges more than a limit.

pub mod clock;
pub mod fit;
pub mod generators;
pub mod growth;
pub mod memory;
pub mod ratio;
