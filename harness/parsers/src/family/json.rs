//! JSON call objects.

use streakstone_model::{JsonCalls, JsonShape};

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{CallObject, Machine, Named, PyCall, TagUnit};

/// What stands behind a built-in tool's name (B6).
const CALL: &str = ".call";

pub(super) fn tokens(calls: &'static JsonCalls, add: &mut dyn FnMut(&'static str, Token)) {
    super::blocks(calls.open, calls.close, add);
    super::blocks(calls.weak, &[], add);
}

pub(super) fn entry(calls: &'static JsonCalls, place: Place, b: u8) -> Entry {
    let object = || Machine::Object(CallObject::new(calls.keys, place.bare));
    let alone = calls.reads(JsonShape::Object);
    match (place.list, b) {
        (None, b'{') if alone && place.first => {
            Entry::Unit(Machine::Object(CallObject::new(calls.keys, place.bare).or_wrapper()), List::None)
        }
        (None, b'{') if alone => Entry::Unit(object(), List::None),
        (None, b'[') if place.first && calls.reads(JsonShape::List) => Entry::List,
        (None, _) if calls.builtin && !place.bare && (place.first || place.comma) && PyCall::starts_name(b) => {
            Entry::Unit(Machine::Python(PyCall::with_suffix(CALL)), List::None)
        }
        (None, _) if place.first && Named::starts_name(b) => match calls.pairs {
            Some(pairs) => Entry::Unit(Machine::Tags(TagUnit::named(pairs)), List::None),
            None => Entry::No,
        },
        (Some(List::None), b'{') if place.first => Entry::Unit(object(), List::Objects),
        (Some(List::Objects), b'{') => Entry::Unit(object(), List::Objects),
        _ => Entry::No,
    }
}
