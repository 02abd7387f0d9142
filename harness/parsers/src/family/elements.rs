//! Element trees.

use streakstone_model::ElementCalls;

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{ElementUnit, Machine};

pub(super) fn tokens(calls: &'static ElementCalls, add: &mut dyn FnMut(&'static str, Token)) {
    for [open, close] in calls.blocks {
        add(open, Token::BlockOpen);
        add(close, Token::BlockClose);
    }
    add(calls.unit[0], Token::UnitOpen);
    add(calls.unit[1], Token::UnitClose);
}

/// Behind a unit the next one's opener is a token.
pub(super) fn entry(calls: &'static ElementCalls, place: Place) -> Entry {
    if place.first { Entry::Unit(Machine::Elements(Box::new(ElementUnit::new(calls))), List::None) } else { Entry::No }
}
