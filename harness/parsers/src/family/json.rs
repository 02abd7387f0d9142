//! JSON call objects.

use streakstone_model::{JsonCalls, JsonShape};

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{CallObject, Machine, Named, TagUnit};

pub(super) fn tokens(calls: &'static JsonCalls, add: &mut dyn FnMut(&'static str, Token)) {
    super::blocks(calls.open, calls.close, add);
}

pub(super) fn entry(calls: &'static JsonCalls, place: Place, b: u8) -> Entry {
    let object = || Machine::Object(CallObject::new(place.bare));
    match (calls.shape, place.list, b) {
        (JsonShape::Object, None, b'{') => Entry::Unit(object(), List::None),
        (JsonShape::List, None, b'[') if place.first => Entry::List,
        (JsonShape::List, Some(List::None), b'{') if place.first => Entry::Unit(object(), List::Objects),
        (JsonShape::List, Some(List::Objects), b'{') => Entry::Unit(object(), List::Objects),
        (JsonShape::Object, None, _) if place.first && Named::starts_name(b) => match calls.pairs {
            Some(pairs) => Entry::Unit(Machine::Tags(TagUnit::named(pairs)), List::None),
            None => Entry::No,
        },
        _ => Entry::No,
    }
}
