//! Content `json`: call objects, or arguments behind a name that the opener holds.

use streakstone_model::{Grammar, HeaderPart, JsonCalls, JsonKeys, JsonShape, NamedCalls};

use super::tags::{closers, tags};
use super::{Shape, braces, markers};
use crate::check::Check;
use crate::error::Fault;
use crate::template::field::Field;
use crate::template::pattern::Piece;

pub(super) fn grammar(field: &Field, check: &mut Check) -> Result<Grammar, Fault> {
    let keys = match Shape::of(field)? {
        Shape::Keys { call, name, arguments } => keys(call, name, arguments),
        Shape::Captured { group } if braces::are_meant(field) => return braces::grammar(field, &group, check).map(Grammar::Braces),
        Shape::Captured { group } => return named(field, &group, check).map(Grammar::Named),
    };
    field.only_args(&[])?;
    let (open, close) = markers(field, check)?;
    let shape = if field.each { JsonShape::List } else { JsonShape::Object };
    Ok(Grammar::Json(JsonCalls { open, close, shape, keys, ..JsonCalls::OBJECTS }))
}

/// The keys that the template names. Where they are those of most templates, their other spellings are read too.
fn keys(call: Option<String>, name: String, arguments: String) -> &'static JsonKeys {
    let mut keys = JsonKeys::USUAL;
    if keys.name[0] != name || keys.arguments[0] != arguments {
        keys.name = Check::list([Check::text(name)]);
        keys.arguments = Check::list([Check::text(arguments)]);
    }
    keys.call = Check::list(call.map(Check::text));
    Box::leak(Box::new(keys))
}

/// `WRAPPER OPEN name header {...} CLOSE END`, the wrapper optional.
fn named(field: &Field, group: &str, check: &mut Check) -> Result<NamedCalls, Fault> {
    field.only_args(&[])?;
    let pieces = field.open.as_ref().map_or(&[][..], |anchor| anchor.pieces.as_slice());
    let at = pieces.iter().position(|piece| matches!(piece, Piece::Group(name) if name == group));
    let before = at.and_then(|at| tags(&pieces[..at])).unwrap_or_default();
    // White space may stand anywhere in a header.
    let behind = |at: usize| pieces[at + 1..].iter().filter(|piece| **piece != Piece::Space);
    let after = at.and_then(|at| behind(at).map(|piece| header(piece, check)).collect::<Option<Vec<_>>>());
    let (Some(after), true) = (after, (1..=2).contains(&before.len())) else {
        return Err(field.fault(
            "open_pattern",
            format!("before the object stand the group `{group}` and literals, a literal first; write a dialect file for other forms"),
        ));
    };
    let close = if field.close.is_some() { closers(field)? } else { Vec::new() };
    let (open_at, close_at) = (format!("{}.open_pattern", field.at), format!("{}.close", field.at));
    let (wrapper, unit) = before.split_at(before.len() - 1);
    let inner = close.len().saturating_sub(wrapper.len());
    let (unit_close, end) = close.split_at(inner);
    Ok(NamedCalls {
        open: check.markers(&open_at, wrapper.to_vec()),
        close: check.markers(&close_at, end.to_vec()),
        unit: check.markers(&open_at, unit.to_vec()),
        unit_close: check.markers(&close_at, unit_close.to_vec()),
        header: Check::list(std::iter::once(HeaderPart::Name).chain(after)),
        ..NamedCalls::NONE
    })
}

/// What a piece behind the name is in a header; `None` for what no header has.
fn header(piece: &Piece, check: &mut Check) -> Option<HeaderPart> {
    let mut markers = |texts: &[String]| check.markers("fields.tool_calls.open_pattern", texts.to_vec());
    match piece {
        Piece::Text(text) => Some(HeaderPart::Text(markers(std::slice::from_ref(text)))),
        Piece::OneOf(texts) => Some(HeaderPart::Text(markers(texts))),
        Piece::Maybe(text) => Some(HeaderPart::Maybe(markers(std::slice::from_ref(text)))),
        Piece::Space | Piece::Group(_) | Piece::Any => None,
    }
}
