//! Content `json`: call objects, or arguments behind a name that the opener holds.

use streakstone_model::{Grammar, JsonCalls, JsonShape, NamedCalls};

use super::{Shape, markers};
use crate::check::Check;
use crate::error::Fault;
use crate::template::field::Field;
use crate::template::pattern::Piece;

pub(super) fn grammar(field: &Field, check: &mut Check) -> Result<Grammar, Fault> {
    let shape = if field.each { JsonShape::List } else { JsonShape::Object };
    match Shape::of(field)? {
        Shape::Call => {}
        Shape::Keys { name, arguments } => usual(field, &name, &arguments)?,
        Shape::Captured { group } => return named(field, &group, check).map(Grammar::Named),
    }
    field.only_args(&[])?;
    let (open, close) = markers(field, check)?;
    Ok(Grammar::Json(JsonCalls { open, close, shape }))
}

fn usual(field: &Field, name: &str, arguments: &str) -> Result<(), Fault> {
    if name == "name" && ["arguments", "parameters", "args"].contains(&arguments) {
        return Ok(());
    }
    Err(field.fault("transform", format!("the keys `{name}` and `{arguments}` are not read; name and arguments, parameters or args are")))
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
