//! Calls in Python's syntax.

use streakstone_model::{JsonKeys, PythonCalls, PythonShape};

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{CallObject, Machine, PyCall, PyDict};

pub(super) fn tokens(calls: &'static PythonCalls, add: &mut dyn FnMut(&'static str, Token)) {
    super::blocks(calls.open, calls.close, add);
}

pub(super) fn entry(calls: &PythonCalls, place: Place, b: u8) -> Entry {
    let call = |lines| Machine::Python(PyCall::new(lines));
    match (calls.shape, place.list, b) {
        (PythonShape::Lines, None, _) if PyCall::starts_name(b) => Entry::Unit(call(place.bare), List::None),
        (PythonShape::Lines, ..) => Entry::No,
        (_, None, b'[') if place.first => Entry::List,
        (PythonShape::Dicts, Some(List::None), b'{') if place.first => Entry::Unit(Machine::Dict(PyDict::new()), List::Objects),
        (PythonShape::Dicts, Some(List::Objects), b'{') => Entry::Unit(Machine::Dict(PyDict::new()), List::Objects),
        (PythonShape::Dicts, ..) => Entry::No,
        (_, Some(List::None), _) if place.first && PyCall::starts_name(b) => Entry::Unit(call(false), List::Calls),
        (_, Some(List::Calls), _) if place.comma && PyCall::starts_name(b) => Entry::Unit(call(false), List::Calls),
        // Marked lists may hold JSON (B8); a bare one is Python.
        (_, Some(List::None), b'{') if place.first && !place.bare => {
            Entry::Unit(Machine::Object(CallObject::new(&JsonKeys::USUAL, false)), List::Objects)
        }
        (_, Some(List::Objects), b'{') => Entry::Unit(Machine::Object(CallObject::new(&JsonKeys::USUAL, false)), List::Objects),
        _ => Entry::No,
    }
}
