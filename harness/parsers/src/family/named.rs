//! A name between markers, or a JSON list in its place.

use streakstone_model::{HeaderPart, JsonKeys, NamedCalls};

use super::{Entry, List, Place};
use crate::row::Token;
use crate::unit::{CallObject, Machine, Named};

pub(super) fn tokens(calls: &'static NamedCalls, add: &mut dyn FnMut(&'static str, Token)) {
    super::blocks(calls.open, calls.close, add);
    calls.unit.iter().for_each(|text| add(text, Token::UnitOpen));
    calls.unit_close.iter().for_each(|text| add(text, Token::UnitClose));
}

pub(super) fn entry(calls: &NamedCalls, place: Place, b: u8) -> Entry {
    let object = || Entry::Unit(Machine::Object(CallObject::new(&JsonKeys::USUAL, false)), List::Objects);
    match (place.list, b) {
        (None, b'[') if place.first && calls.lists => Entry::List,
        // Directly behind the section's opener a unit's own may stand; behind a unit that is a token.
        (None, _) if place.first && !calls.unit.is_empty() => Entry::Unit(Machine::Named(Named::in_section()), List::None),
        // Behind a unit a name needs no opener of its own, but its own marker.
        (None, _) if Named::starts_name(b) && calls.header.first() != Some(&HeaderPart::Id) => {
            let machine = if place.first { Named::opened() } else { Named::behind_unit() };
            Entry::Unit(Machine::Named(machine), List::None)
        }
        (Some(List::None), b'{') if place.first => object(),
        (Some(List::Objects), b'{') => object(),
        _ => Entry::No,
    }
}
