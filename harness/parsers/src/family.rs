//! What a grammar family gives the envelope: its tokens outside units, and what begins a unit where. One file a family.

mod channels;
mod json;
mod named;
mod python;
mod tags;

use streakstone_model::Grammar;

use crate::row::Token;
use crate::unit::Machine;

/// Elements of a bracketed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    None,
    Objects,
    Calls,
}

/// Where in a block a byte that is no white space stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    /// The list that is open; behind the opening bracket its kind is not known yet.
    pub list: Option<List>,
    /// True behind the block's opener, or its bracket; false behind a unit.
    pub first: bool,
    /// True behind a comma of the list.
    pub comma: bool,
    /// True if the block has no opening marker.
    pub bare: bool,
}

/// What begins at such a byte.
pub(crate) enum Entry {
    /// A unit, in a list of this kind.
    Unit(Machine, List),
    /// A list: the byte is its bracket.
    List,
    /// Nothing of the grammar.
    No,
}

/// What begins at `b` in a block of `grammar`.
pub(crate) fn entry(grammar: &Grammar, place: Place, b: u8) -> Entry {
    match grammar {
        Grammar::Json(calls) => json::entry(calls, place, b),
        Grammar::Named(_) => named::entry(place, b),
        Grammar::Tags(_) => tags::entry(place),
        Grammar::Python(_) => python::entry(place, b),
        Grammar::Channels(calls) => channels::entry(calls, place),
    }
}

/// The tokens that mean something outside a unit.
pub(crate) fn tokens(grammar: &'static Grammar, add: &mut dyn FnMut(&'static str, Token)) {
    match grammar {
        Grammar::Json(calls) => json::tokens(calls, add),
        Grammar::Named(calls) => named::tokens(calls, add),
        Grammar::Tags(calls) => tags::tokens(calls, add),
        Grammar::Python(calls) => python::tokens(calls, add),
        Grammar::Channels(calls) => channels::tokens(calls, add),
    }
}

/// Openers and closers of blocks.
fn blocks(open: &'static [&'static str], close: &'static [&'static str], add: &mut dyn FnMut(&'static str, Token)) {
    for text in open {
        add(text, Token::BlockOpen);
    }
    for text in close {
        add(text, Token::BlockClose);
    }
}
