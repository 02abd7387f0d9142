//! Content `xml-inline`: a tag with the call's name in the opener, tags with parameters in the content.

use serde_json::Value;
use streakstone_model::{Grammar, TagAttributes, TagCalls, TagPairs, TagStyle};

use super::Shape;
use crate::check::Check;
use crate::error::Fault;
use crate::section::{NAMED, PLAIN_TAGS, tags_id};
use crate::template::field::{Anchor, Field};
use crate::template::pattern::{Piece, pieces};

const ARG: &str = "content_args.tag_pattern";

pub(super) fn grammar(field: &Field, check: &mut Check) -> Result<Grammar, Fault> {
    let Shape::Captured { group } = Shape::of(field)? else {
        return Err(
            field.fault("transform", "xml-inline gives parameters only: capture the name in `open_pattern` and use {content} as arguments")
        );
    };
    if field.args.get("merge_duplicates").is_some_and(|merge| *merge != Value::Bool(false)) {
        return Err(field.fault(
            "content_args.merge_duplicates",
            "a repeated parameter is no list here: the last one counts, or the first (policy `duplicate`); remove it",
        ));
    }
    value_parser(field)?;
    field.only_args(&["tag_pattern", "value_parser", "merge_duplicates"])?;
    let opener = Opener::of(field, &group)?;
    let closers = closers(field)?;
    let (blocks, unit_close): (Vec<[String; 2]>, _) = match (opener.tags.as_slice(), closers.as_slice()) {
        ([_], [close]) => (Vec::new(), close),
        ([wrapper, _], [close, end]) => (vec![[wrapper.clone(), end.clone()]], close),
        _ => {
            return Err(field.fault(
                "close_pattern",
                format!(
                    "openers: {}, closers: {}; each opener needs its closer, and a call has one wrapper at most",
                    opener.tags.len(),
                    closers.len()
                ),
            ));
        }
    };
    let parameter = Parameter::of(field)?;
    let (open_at, arg_at) = (format!("{}.open_pattern", field.at), format!("{}.{ARG}", field.at));
    let unit_open = opener.tags.last().map_or("", String::as_str);
    let (unit, open, style) = style(field, [unit_open, &opener.after], &parameter, check)?;
    let blocks: Vec<_> = blocks.into_iter().map(|block| check.pair(&open_at, block)).collect();
    Ok(Grammar::Tags(Box::leak(Box::new(TagCalls {
        id: tags_id(style),
        blocks: Check::list(blocks),
        unit: check.tags(&open_at, [unit, unit_close.clone()]),
        parameter: check.tags(&arg_at, [open, parameter.close.clone()]),
        style,
        newlines: parameter.lines,
        lines: parameter.lines,
        ..PLAIN_TAGS
    }))))
}

const STYLES: &str = "a tag holds its name as in `<tag=NAME>` or `<tag name=\"NAME\">`, or keys and values are elements: \
    `<key>KEY</key><value>VALUE</value>`; write a dialect file for other forms";

/// The openers of a call and of a parameter up to name or attributes, and how names stand in them. `unit` is what stands before and
/// behind the call's name.
fn style(field: &Field, unit: [&str; 2], parameter: &Parameter, check: &mut Check) -> Result<(String, String, TagStyle), Fault> {
    let [unit_open, unit_after] = unit;
    let key_ends: Vec<&str> = parameter.after_key.iter().map(String::as_str).collect();
    match (named(unit_open, &[unit_after]), named(&parameter.open, &key_ends), key_ends.as_slice()) {
        (Some(Named::Equals), Some(Named::Equals), _) => Ok((unit_open.to_owned(), parameter.open.clone(), TagStyle::Equals)),
        (Some(Named::Attribute { tag, name }), Some(Named::Attribute { tag: parameter, name: key }), _) => {
            let (name, key) = (Check::text(name), Check::text(key));
            let of = TagAttributes { name, key, ..NAMED };
            Ok((tag.to_owned(), parameter.to_owned(), TagStyle::Attributes(of)))
        }
        (Some(_), Some(_), _) => {
            Err(field
                .fault(ARG, "the call has its name in an attribute and the parameter has not, or the other way round; both must be alike"))
        }
        (_, None, &[key_end, ref value @ ..]) if parameter.open.ends_with('>') && value.len() < 2 => {
            let separator = check.optional(&format!("{}.open_pattern", field.at), unit_after.to_owned());
            check.begin(&format!("{}.open_pattern", field.at), &[separator], '<');
            let value = value.first().map_or("", |value| Check::text(*value));
            let of = TagPairs { separator, key_end: Check::text(key_end), kind: ["", ""], value };
            Ok((unit_open.to_owned(), parameter.open.clone(), TagStyle::Pairs(of)))
        }
        (None, Some(_), _) => Err(field.fault("open_pattern", STYLES)),
        _ => Err(field.fault(ARG, STYLES)),
    }
}

/// How an opener holds a name.
enum Named<'t> {
    /// `<tag=`, then `>`.
    Equals,
    /// `<tag name="`, then `">`.
    Attribute { tag: &'t str, name: &'t str },
}

fn named<'t>(open: &'t str, after: &[&str]) -> Option<Named<'t>> {
    match after {
        [">"] if open.ends_with('=') => Some(Named::Equals),
        ["\">"] => {
            let (tag, name) = open.strip_suffix("=\"")?.rsplit_once(' ')?;
            Some(Named::Attribute { tag: open.get(..=tag.len())?, name })
        }
        _ => None,
    }
}

/// Types come from the tool's schema (semantics 7), whatever a template says; what it says must not be more than that.
fn value_parser(field: &Field) -> Result<(), Fault> {
    let Some(parser) = field.args.get("value_parser").filter(|parser| !parser.is_null()) else { return Ok(()) };
    match parser.get("name").and_then(Value::as_str) {
        Some("text" | "json") => Ok(()),
        _ => {
            Err(field
                .fault("content_args.value_parser", "values are text or JSON, typed by the tool's schema; remove it, or use text or json"))
        }
    }
}

/// The opener of a call: tags, the last with the name.
struct Opener {
    tags: Vec<String>,
    after: String,
}

impl Opener {
    fn of(field: &Field, group: &str) -> Result<Self, Fault> {
        let refused =
            || field.fault("open_pattern", format!("must be the wrapper's opener, the tag of the call and in it the group `{group}`"));
        let pieces = field.open.as_ref().map_or(&[][..], |anchor| anchor.pieces.as_slice());
        let at = pieces.iter().position(|piece| matches!(piece, Piece::Group(name) if name == group)).ok_or_else(refused)?;
        let after = match &pieces[at + 1..] {
            [] => String::new(),
            [Piece::Text(text)] => text.clone(),
            _ => return Err(refused()),
        };
        let tags = tags(&pieces[..at]).ok_or_else(refused)?;
        if tags.is_empty() { Err(refused()) } else { Ok(Self { tags, after }) }
    }
}

/// The closers of the call and of its wrapper.
pub(super) fn closers(field: &Field) -> Result<Vec<String>, Fault> {
    let Some(anchor) = &field.close else { return Err(field.fault("close", "is missing; give the closer of the call")) };
    let refused = |anchor: &Anchor| field.fault(anchor.key, "must be the closer of the call and then that of its wrapper, as literals");
    match anchor.pieces.as_slice() {
        [Piece::OneOf(texts)] if texts.len() == 1 => tags(&[Piece::Text(texts[0].clone())]).ok_or_else(|| refused(anchor)),
        pieces => tags(pieces).ok_or_else(|| refused(anchor)),
    }
}

/// The tags in literal text: a tag ends where `>` and `<` meet, or at white space between the pieces. An optional tag is one too:
/// closers are optional framing in any case.
pub(super) fn tags(pieces: &[Piece]) -> Option<Vec<String>> {
    let mut tags = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Text(text) | Piece::Maybe(text) => {
                let mut rest = text.trim();
                while let Some(end) = rest.find("><") {
                    tags.push(rest[..=end].to_owned());
                    rest = &rest[end + 1..];
                }
                tags.push(rest.to_owned());
            }
            Piece::Space => {}
            Piece::Group(_) | Piece::Any | Piece::OneOf(_) => return None,
        }
    }
    Some(tags)
}

/// The pattern of a parameter.
struct Parameter {
    open: String,
    /// The rest of the opener behind the key, by tags.
    after_key: Vec<String>,
    close: String,
    /// White space stands on both sides of the value.
    lines: bool,
}

impl Parameter {
    fn of(field: &Field) -> Result<Self, Fault> {
        let Some(pattern) = field.args.get("tag_pattern").and_then(Value::as_str) else {
            return Err(
                field.fault("content_args", "has no `tag_pattern`; give the pattern of a parameter with the groups `key` and `value`")
            );
        };
        let pieces = pieces(pattern).map_err(|message| field.fault(ARG, message))?;
        let group = |name: &str| pieces.iter().position(|piece| matches!(piece, Piece::Group(own) if own == name));
        let found = (|| {
            let (key, value) = (group("key")?, group("value")?);
            let [Piece::Text(open)] = &pieces[..key] else { return None };
            let after_key = tags(pieces.get(key + 1..value)?).filter(|tags| !tags.is_empty())?;
            let (close, spaced) = match &pieces[value + 1..] {
                [Piece::Text(close)] => (close, false),
                [Piece::Space, Piece::Text(close)] => (close, true),
                _ => return None,
            };
            let lines = spaced && pieces[value - 1] == Piece::Space;
            Some(Self { open: open.clone(), after_key, close: close.clone(), lines })
        })();
        found.ok_or_else(|| {
            field.fault(
                ARG,
                "must be an opener with the group `key` in it, the group `value`, and a closer; write a dialect file for other forms",
            )
        })
    }
}
