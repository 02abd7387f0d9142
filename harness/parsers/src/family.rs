//! What a grammar family gives the envelope: its tokens outside units, and what begins a unit where. One file a family.

mod braces;
mod channels;
mod elements;
mod json;
mod named;
mod python;
mod tags;

use streakstone_model::{Coercion, Grammar, PythonShape};

use crate::coerce::reads_python_text;
use crate::row::Token;
use crate::unit::{ElementUnit, Machine, Named, PyCall, TagUnit};

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
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once; a box would cost each call an allocation")]
pub(crate) enum Entry {
    /// A unit, in a list of this kind.
    Unit(Machine, List),
    /// A list: the byte is its bracket.
    List,
    /// Nothing of the grammar.
    No,
}

/// What begins at `b` in a block of `grammar`.
pub(crate) fn entry(grammar: &'static Grammar, place: Place, b: u8) -> Entry {
    match grammar {
        Grammar::Json(calls) => json::entry(calls, place, b),
        Grammar::Named(calls) => named::entry(calls, place, b),
        Grammar::Tags(calls) => tags::entry(calls, place, b),
        Grammar::Elements(calls) => elements::entry(calls, place),
        Grammar::Python(calls) => python::entry(calls, place, b),
        Grammar::Braces(calls) => braces::entry(calls, place, b),
        Grammar::Channels(calls) => channels::entry(calls, place),
        // Its openers choose another row first.
        Grammar::Auto(_) => Entry::No,
    }
}

/// True if `next` directly behind `b`, which opens a block without a marker, is no reason yet to give the block up.
pub(crate) fn follows_bare(grammar: &'static Grammar, b: u8, next: u8) -> bool {
    let place = Place { list: None, first: true, comma: false, bare: true };
    match entry(grammar, place, b) {
        Entry::List => !matches!(entry(grammar, Place { list: Some(List::None), ..place }, next), Entry::No),
        Entry::Unit(Machine::Object(_), _) => next == b'"' || next == b'}',
        Entry::Unit(..) | Entry::No => true,
    }
}

/// Whether `text`, behind the byte of a bare block, shows already that it is none; `None` if more bytes decide.
pub(crate) fn is_no_block(grammar: &Grammar, text: &[u8], coercion: Coercion) -> Option<bool> {
    match grammar {
        Grammar::Python(calls) if calls.shape == PythonShape::List => PyCall::is_none(text, reads_python_text(coercion)),
        _ if text.is_empty() => None,
        _ => Some(false),
    }
}

/// What separates units outside lists, if anything but white space does.
pub(crate) const fn separator(grammar: &Grammar) -> Option<u8> {
    match grammar {
        Grammar::Json(calls) => calls.separator,
        Grammar::Named(_)
        | Grammar::Tags(_)
        | Grammar::Elements(_)
        | Grammar::Python(_)
        | Grammar::Braces(_)
        | Grammar::Channels(_)
        | Grammar::Auto(_) => None,
    }
}

/// True if the block that `opener` opens counts only when it has closed, as if it stood bare.
pub(crate) fn is_weak(grammar: &Grammar, opener: &str) -> bool {
    matches!(grammar, Grammar::Json(calls) if calls.weak.contains(&opener))
}

/// What a unit's own opener begins, if units of `grammar` have one.
#[inline]
pub(crate) fn unit(grammar: &'static Grammar) -> Option<Machine> {
    match grammar {
        Grammar::Tags(calls) => Some(Machine::Tags(TagUnit::new(calls))),
        Grammar::Named(_) => Some(Machine::Named(Named::opened())),
        Grammar::Elements(calls) => Some(Machine::Elements(Box::new(ElementUnit::new(calls)))),
        Grammar::Channels(calls) => channels::unit(calls),
        Grammar::Json(_) | Grammar::Python(_) | Grammar::Braces(_) | Grammar::Auto(_) => None,
    }
}

/// True if `b`, the first byte behind the opener `token` that is no white space, can go on there.
pub(crate) fn goes_on(grammar: &'static Grammar, token: Token, b: u8) -> bool {
    match token {
        Token::BlockOpen => {}
        Token::UnitOpen => return Named::starts_name(b),
        _ => return Named::starts_name(b) || b == b'<',
    }
    let place = Place { list: None, first: true, comma: false, bare: false };
    match entry(grammar, place, b) {
        Entry::No => false,
        // These begin with a unit's opener, if they have one, whatever comes.
        Entry::Unit(Machine::Tags(_) | Machine::Elements(_) | Machine::Named(_), _) => {
            let (mut any, mut fits) = (false, false);
            tokens(grammar, &mut |text, token| {
                any |= token == Token::UnitOpen;
                fits |= token == Token::UnitOpen && text.as_bytes()[0] == b;
            });
            fits || !any
        }
        _ => true,
    }
}

/// True if calls stand bare, each at the start of a line.
pub(crate) fn in_lines(grammar: &Grammar) -> bool {
    matches!(grammar, Grammar::Python(calls) if calls.bare && calls.shape == PythonShape::Lines)
}

/// The tokens that mean something outside a unit.
pub(crate) fn tokens(grammar: &'static Grammar, add: &mut dyn FnMut(&'static str, Token)) {
    match grammar {
        Grammar::Json(calls) => json::tokens(calls, add),
        Grammar::Named(calls) => named::tokens(calls, add),
        Grammar::Tags(calls) => tags::tokens(calls, add),
        Grammar::Elements(calls) => elements::tokens(calls, add),
        Grammar::Python(calls) => python::tokens(calls, add),
        Grammar::Braces(calls) => braces::tokens(calls, add),
        Grammar::Channels(calls) => channels::tokens(calls, add),
        // Those of its rows, which `Row` collects with their owners.
        Grammar::Auto(_) => {}
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
