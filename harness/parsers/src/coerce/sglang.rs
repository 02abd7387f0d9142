//! Profile `sglang`: SGLang 0.5.23 (`spec/dialects.md` B0 and its Appendix 1). It types each family of tags in its own way.

use serde_json::Value;
use streakstone_model::json::Json;

use super::numbers::{float, int, loads, print, print_whole};
use super::types::Types;
use super::{Kind, Wire};
use crate::python;
use crate::scan::is_json;
use crate::text::{string, unescape};

/// The JSON of a tag grammar's `text`.
pub(super) fn value(text: &str, kind: &Kind, wire: Wire, depth: usize) -> String {
    match wire {
        Wire::TagEquals => tag_equals(text, kind, depth),
        Wire::KeyValue => key_value(text, kind, depth),
        Wire::Invoke => invoke(text, kind, depth),
    }
}

/// One type is inferred and converts the text. `null` is null under every schema and without one; what is no `true` is false.
fn tag_equals(text: &str, kind: &Kind, depth: usize) -> String {
    if text.eq_ignore_ascii_case("null") {
        return "null".to_owned();
    }
    let json = match inferred(kind).unwrap_or(Types::STRING) {
        Types::INTEGER => int(text),
        Types::NUMBER if text.contains(['.', 'e', 'E']) => float(text).map(print),
        // Through a float, so that twenty digits are rounded.
        Types::NUMBER => float(text).map(print_whole),
        Types::BOOLEAN => Some(text.eq_ignore_ascii_case("true").to_string()),
        Types::ARRAY | Types::OBJECT => loads(text, depth).or_else(|| python_value(text, depth)),
        Types::NULL => python_value(text, depth),
        _ => None,
    };
    json.unwrap_or_else(|| string(text))
}

/// The type that stands for a schema: of a list the first that is not null; of alternatives the only one, else string if it is
/// among them, else the first. References are not followed.
fn inferred(kind: &Kind) -> Option<Types> {
    match kind {
        Kind::Any | Kind::Ref(_) => None,
        Kind::Words(kinds) => Some(kinds.iter().find(|k| **k != Kind::Null).and_then(inferred).unwrap_or(Types::STRING)),
        Kind::Union(kinds) => {
            let found: Vec<Types> = kinds.iter().filter_map(inferred).collect();
            let first = *found.first()?;
            let one = found.iter().all(|&types| types == first);
            Some(if !one && found.contains(&Types::STRING) { Types::STRING } else { first })
        }
        Kind::Enum(members, declared) => {
            let types = Types::of_members(members);
            Some(inferred(declared).unwrap_or(if types.is_one() { types } else { Types::STRING }))
        }
        plain => Types::plain(plain),
    }
}

/// The text is read as JSON, as the inside of a JSON string, and, unless it may be a string, as a Python literal; the schema
/// then says whether that stands. References are followed.
fn key_value(text: &str, kind: &Kind, depth: usize) -> String {
    let kind = kind.target();
    let types = allowed(kind);
    let single = types
        .and_then(|types| if types == Types::NUMBER.or(Types::INTEGER) { Some(Types::NUMBER) } else { Some(types).filter(|t| t.is_one()) });
    let parsed = json(text, depth)
        .map(|json| unquoted_number(json, single))
        .or_else(|| if matches!(single, None | Some(Types::STRING)) { None } else { python_value(text, depth) })
        .unwrap_or_else(|| string(if matches!(single, None | Some(Types::STRING)) { unwrapped(text) } else { text }));
    let stands = match (single, kind, types) {
        (Some(Types::STRING), ..) => parsed.starts_with('"'),
        (None, Kind::Enum(members, _), _) => is_member(&parsed, members) || !members.iter().any(|m| m.as_str() == Some(text)),
        (None, _, Some(types)) => types.has(Types::of_json(&parsed)) || !types.has(Types::STRING),
        _ => true,
    };
    if stands { parsed } else { string(text) }
}

/// The types that a schema admits, `None` if it does not say.
fn allowed(kind: &Kind) -> Option<Types> {
    match kind {
        Kind::Any => None,
        Kind::Ref(target) => allowed(target),
        Kind::Number => Some(Types::NUMBER.or(Types::INTEGER)),
        Kind::Union(kinds) | Kind::Words(kinds) => {
            kinds.iter().try_fold(Types::NONE, |types, kind| allowed(kind).map(|more| types.or(more)))
        }
        Kind::Enum(members, declared) => {
            let types = Types::of_members(members);
            Some(allowed(declared).map_or(types, |declared| declared.and(types)))
        }
        plain => Types::plain(plain),
    }
}

fn json(text: &str, depth: usize) -> Option<String> {
    loads(text, depth).or_else(|| is_json(&format!("\"{text}\""), 1).then(|| loads(&unescape(text), depth)).flatten())
}

/// A quoted number where the schema asks for nothing else.
fn unquoted_number(json: String, single: Option<Types>) -> String {
    if !json.starts_with('"') {
        return json;
    }
    let text = unescape(&json[1..json.len() - 1]);
    let number = match single {
        Some(Types::NUMBER) if text.contains(['.', 'e', 'E']) => float(&text).map(print),
        Some(Types::INTEGER | Types::NUMBER) => int(&text),
        _ => None,
    };
    number.unwrap_or(json)
}

/// The text without the quotes around it.
fn unwrapped(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

fn is_member(json: &str, members: &[Value]) -> bool {
    Json::parse(json).is_ok_and(|value| members.iter().any(|member| Json::from_value(member) == value))
}

/// As vLLM's order of types, with more words for booleans and floats for numbers; and a parameter that may be null is null,
/// whatever its text says.
fn invoke(text: &str, kind: &Kind, depth: usize) -> String {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let types = Types::named(kind);
    let word = |words: &[&str]| words.iter().any(|w| text.trim().eq_ignore_ascii_case(w));
    if types.has(Types::NULL) || ["null", "none", "nil"].iter().any(|w| text.eq_ignore_ascii_case(w)) {
        return "null".to_owned();
    }
    let integer = if types.has(Types::INTEGER) { int(text) } else { None };
    let number = || if types.has(Types::NUMBER) { float(text).map(print_whole) } else { None };
    let boolean = || match types.has(Types::BOOLEAN) {
        true if word(&["true", "1", "yes", "on"]) => Some("true".to_owned()),
        true if word(&["false", "0", "no", "off"]) => Some("false".to_owned()),
        _ => None,
    };
    let json = || {
        let may = !types.has(Types::STRING) || types.has(Types::OBJECT) || types.has(Types::ARRAY);
        may.then(|| loads(text, depth)).flatten()
    };
    integer.or_else(number).or_else(boolean).or_else(json).unwrap_or_else(|| string(text))
}

/// A Python literal, a tuple without its parentheses too.
fn python_value(text: &str, depth: usize) -> Option<String> {
    python::plain_literal(text, depth).or_else(|| text.contains(',').then(|| python::plain_literal(&format!("({text})"), depth)).flatten())
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Wire, coerce};
    use serde_json::json;
    use streakstone_model::Coercion;

    #[test]
    fn what_the_grid_does_not_show() {
        let (tag, key, invoke) = (Wire::TagEquals, Wire::KeyValue, Wire::Invoke);
        let rows = [
            // A list of types: the first that is not null.
            (tag, json!({"type": ["null", "integer", "string"]}), "7", "7"),
            (tag, json!({"type": ["string", "integer"]}), "7", r#""7""#),
            (tag, json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), "7", r#""7""#),
            (tag, json!({"enum": [1, 2]}), "2", "2"),
            (tag, json!({"enum": [1, "a"]}), "1", r#""1""#),
            (tag, json!({"type": "integer", "enum": [1, 2]}), "2", "2"),
            (tag, json!({"$ref": "#/$defs/n"}), "7", r#""7""#),
            (key, json!({"$ref": "#/$defs/n"}), "7", "7"),
            (invoke, json!({"$ref": "#/$defs/n"}), "7", r#""7""#),
            (tag, json!({"type": "array"}), "[1, true, None]", r#""[1, true, None]""#),
            (tag, json!({"type": "number"}), "1e999", r#""1e999""#),
            // A member of an enum as text, where its JSON is no member.
            (key, json!({"enum": ["7", 8]}), "7", r#""7""#),
            (key, json!({"enum": ["7", 8]}), "8", "8"),
            (key, json!({"type": "integer"}), r#""7""#, "7"),
            (key, json!({"type": "number"}), r#""7.50""#, "7.5"),
            (key, json!({"type": "object"}), r#"{\"a\": 1}"#, r#"{"a":1}"#),
            (key, json!({"type": "string"}), "'q'", r#""q""#),
            (invoke, json!({"type": "boolean"}), "Off", "false"),
            (invoke, json!({"type": "object"}), "NIL", "null"),
        ];
        let root = json!({"$defs": {"n": {"type": "integer"}}});
        for (wire, schema, text, want) in rows {
            assert_eq!(coerce(text, &Kind::of(&schema, &root), Coercion::Sglang, wire, 128), want, "{text} under {schema} in {wire:?}");
        }
    }
}
