//! streak/1: what Streakstone and an adapter say to each other, line by line (`PROTOCOL.md` beside this folder). Both sides use these
//! types; nothing here starts a process or judges a reading. [`serve`] is the adapter's side of the talk.

pub mod fold;
pub mod message;
pub mod serve;

/// The protocol's number.
pub const PROTOCOL: u32 = 1;

/// Longest line either side may write, in bytes without the line feed. A full reading of the largest case, cut into single bytes, is a
/// tenth of it.
pub const MAX_LINE: usize = 64 << 20;
