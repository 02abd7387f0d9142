//! A name between markers, or a JSON list in its place.

use streakstone_model::{JsonKeys, NamedCalls};

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{CallObject, Machine, Named};

pub(super) fn tokens(calls: &'static NamedCalls, add: &mut dyn FnMut(&'static str, Token)) {
    add(calls.open, Token::BlockOpen);
    add(calls.close, Token::BlockClose);
}

pub(super) fn entry(place: Place, b: u8) -> Entry {
    match (place.list, b) {
        (None, b'[') if place.first => Entry::List,
        // Behind a unit a name needs no opener of its own, but its own marker.
        (None, _) if Named::starts_name(b) => Entry::Unit(Machine::Named(Named::new(!place.first)), List::None),
        (Some(List::None), b'{') if place.first => Entry::Unit(Machine::Object(CallObject::new(&JsonKeys::USUAL, false)), List::Objects),
        (Some(List::Objects), b'{') => Entry::Unit(Machine::Object(CallObject::new(&JsonKeys::USUAL, false)), List::Objects),
        _ => Entry::No,
    }
}
