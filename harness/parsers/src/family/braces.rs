//! Bare keys in braces.

use streakstone_model::BraceCalls;

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{Braces, Machine};

pub(super) fn tokens(calls: &'static BraceCalls, add: &mut dyn FnMut(&'static str, Token)) {
    super::blocks(calls.open, calls.close, add);
}

/// Behind the opener anything may begin a unit; behind a unit only the template's word does.
pub(super) fn entry(calls: &BraceCalls, place: Place, b: u8) -> Entry {
    let head = calls.heads.first().is_some_and(|head| head.as_bytes()[0] == b);
    if place.first || head { Entry::Unit(Machine::Braces(Braces::new(!place.first)), List::None) } else { Entry::No }
}
