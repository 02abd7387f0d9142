//! Tags.

use streakstone_model::TagCalls;

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{Machine, TagUnit};

pub(super) fn tokens(calls: &'static TagCalls, add: &mut dyn FnMut(&'static str, Token)) {
    for [open, close] in calls.blocks {
        add(open, Token::BlockOpen);
        add(close, Token::BlockClose);
    }
    add(calls.unit[0], Token::UnitOpen);
    add(calls.unit[1], Token::UnitClose);
}

/// Behind a unit the next one's opener is a token.
pub(super) fn entry(place: Place) -> Entry {
    if place.first { Entry::Unit(Machine::Tags(TagUnit::new()), List::None) } else { Entry::No }
}
