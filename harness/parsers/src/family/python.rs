//! Calls in Python's syntax.

use streakstone_model::{JsonKeys, PythonCalls};

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{CallObject, Machine, PyCall};

pub(super) fn tokens(calls: &'static PythonCalls, add: &mut dyn FnMut(&'static str, Token)) {
    super::blocks(calls.open, calls.close, add);
}

pub(super) fn entry(place: Place, b: u8) -> Entry {
    let call = |b| PyCall::starts_name(b);
    match (place.list, b) {
        (None, b'[') if place.first => Entry::List,
        (Some(List::None), _) if place.first && call(b) => Entry::Unit(Machine::Python(PyCall::new()), List::Calls),
        (Some(List::Calls), _) if place.comma && call(b) => Entry::Unit(Machine::Python(PyCall::new()), List::Calls),
        // Marked lists may hold JSON (B8); a bare one is Python.
        (Some(List::None), b'{') if place.first && !place.bare => {
            Entry::Unit(Machine::Object(CallObject::new(&JsonKeys::USUAL, false)), List::Objects)
        }
        (Some(List::Objects), b'{') => Entry::Unit(Machine::Object(CallObject::new(&JsonKeys::USUAL, false)), List::Objects),
        _ => Entry::No,
    }
}
