//! Content `json`: call objects, or arguments behind a name that the opener holds.

use streakstone_model::{Grammar, JsonCalls, JsonKeys, JsonShape, NamedCalls};

use super::{Shape, markers};
use crate::check::Check;
use crate::error::Fault;
use crate::template::field::Field;
use crate::template::pattern::Piece;

pub(super) fn grammar(field: &Field, check: &mut Check) -> Result<Grammar, Fault> {
    let keys = match Shape::of(field)? {
        Shape::Keys { call, name, arguments } => keys(call, name, arguments),
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

/// `OPEN name ARGS {...} CLOSE`.
fn named(field: &Field, group: &str, check: &mut Check) -> Result<NamedCalls, Fault> {
    field.only_args(&[])?;
    let open = field.open.as_ref().map_or(&[][..], |anchor| anchor.pieces.as_slice());
    let pieces: Vec<&Piece> = open.iter().filter(|piece| **piece != Piece::Space).collect();
    let (before, args) = match pieces.as_slice() {
        [Piece::Text(before), Piece::Group(name)] if name == group => (before, ""),
        [Piece::Text(before), Piece::Group(name), Piece::Text(args)] if name == group => (before, args.as_str()),
        _ => {
            return Err(field.fault(
                "open_pattern",
                format!("a named call is a literal, the group `{group}` and perhaps a literal before its object; write a dialect file for other forms"),
            ));
        }
    };
    let close = match &field.close {
        None => String::new(),
        Some(anchor) => match anchor.literals(field)?.as_slice() {
            [close] => close.clone(),
            _ => return Err(field.fault(anchor.key, "several closers; a named call has one, keep the template's own")),
        },
    };
    Ok(NamedCalls {
        open: check.marker(&format!("{}.open_pattern", field.at), before),
        close: check.optional(&format!("{}.close", field.at), close),
        call_id: "",
        args: check.optional(&format!("{}.open_pattern", field.at), args.to_owned()),
        list: false,
    })
}
