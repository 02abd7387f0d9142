//! Tags.

use streakstone_model::{JsonKeys, TagCalls, TagJson};

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{CallObject, Machine, TagUnit};

pub(super) fn tokens(calls: &'static TagCalls, add: &mut dyn FnMut(&'static str, Token)) {
    let mut some = |text: &'static str, token| {
        if !text.is_empty() {
            add(text, token);
        }
    };
    for [open, close] in calls.blocks {
        some(open, Token::BlockOpen);
        some(close, Token::BlockClose);
    }
    some(calls.frame[0], Token::UnitOpen);
    some(calls.frame[1], Token::FrameClose);
    some(calls.unit[0], Token::UnitOpen);
    some(calls.unit[1], Token::UnitClose);
}

/// Behind a unit the next one's opener is a token.
pub(super) fn entry(calls: &'static TagCalls, place: Place, b: u8) -> Entry {
    match (calls.json, b) {
        (TagJson::Block, b'{') => Entry::Unit(Machine::Object(CallObject::new(&JsonKeys::USUAL, false)), List::None),
        _ if place.first => Entry::Unit(Machine::Tags(TagUnit::new(calls)), List::None),
        _ => Entry::No,
    }
}
