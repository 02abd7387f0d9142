//! Profile `mlxcel`: statements M30 to M42 (typed text) and M61, M64 (Python values) of the reference systems.

use serde_json::Value;

use super::{Kind, Wire, boolean, integer, is_number};
use crate::python;
use crate::scan::is_json;
use crate::text::{compact, string};

/// The JSON of a tag grammar's `text`.
pub(super) fn value(text: &str, kind: &Kind, wire: Wire, depth: usize) -> String {
    // M30 comes before all typing.
    let trimmed = text.trim();
    let kind = match kind.target() {
        // M42: the key-value grammar types strings and integers, all else is loose.
        kind @ (Kind::String | Kind::Integer) => kind,
        _ if wire == Wire::KeyValue => &Kind::Any,
        kind => kind,
    };
    // M32: plain strings are not typed, `null` included (M31).
    if *kind == Kind::String {
        return string(trimmed);
    }
    if trimmed.eq_ignore_ascii_case("null") {
        return "null".to_owned();
    }
    fits(trimmed, kind, depth).unwrap_or_else(|| match kind {
        // M38: no member, or no alternative: the raw string.
        Kind::Enum(..) | Kind::Union(_) | Kind::Words(_) | Kind::Array(_) | Kind::Object(_) => string(trimmed),
        // M34: what does not fit falls back to the loose rules.
        _ => loose(trimmed, depth),
    })
}

fn fits(text: &str, kind: &Kind, depth: usize) -> Option<String> {
    match kind.target() {
        Kind::Any | Kind::Null | Kind::Ref(_) => None,
        Kind::String => Some(string(text)),
        // M33: exact as long as it fits 64 bits.
        Kind::Integer => integer(text).filter(|digits| digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok()),
        Kind::Number => is_number(text).then(|| text.to_owned()),
        Kind::Boolean => word(text).map(str::to_owned),
        Kind::Object(_) => compact(text, depth).filter(|json| json.starts_with('{')),
        Kind::Array(items) => match compact(text, depth).filter(|json| json.starts_with('[')) {
            Some(json) => Some(json),
            // M37: a bare scalar takes the item type and stays a scalar.
            None if matches!(items.target(), Kind::Integer | Kind::Number | Kind::Boolean) => fits(text, items, depth),
            None => None,
        },
        Kind::Enum(members, _) => members.iter().find_map(|member| match member {
            Value::String(word) => (word == text).then(|| string(word)),
            other => Some(other.to_string()).filter(|written| written == text),
        }),
        Kind::Union(kinds) | Kind::Words(kinds) => kinds.iter().find_map(|k| fits(text, k, depth)),
    }
}

/// M36: the words a declared boolean knows.
fn word(text: &str) -> Option<&'static str> {
    let is = |words: &[&str]| words.iter().any(|w| text.eq_ignore_ascii_case(w));
    if is(&["true", "yes", "on", "1"]) {
        Some("true")
    } else if is(&["false", "no", "off", "0"]) {
        Some("false")
    } else {
        None
    }
}

/// M40: JSON, integer, float, `true`/`True`/`false`/`False`, else string.
fn loose(text: &str, depth: usize) -> String {
    if let Some(json) = compact(text, depth) {
        return json;
    }
    if let Some(digits) = integer(text) {
        return digits;
    }
    // Python's underscores and radix prefixes are no number here.
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
    match (text, python::number(text).filter(|_| plain)) {
        ("True" | "False", _) => boolean(text).unwrap_or("null").to_owned(),
        (_, Some(number)) => number,
        _ => string(text),
    }
}

/// The JSON of a Python list's value: M61 (JSON-style dicts become objects, Python-only ones stay raw text), M64.
pub(super) fn python_value(text: &str, depth: usize) -> String {
    let text = text.trim();
    if text.starts_with('{') {
        return compact(text, depth).unwrap_or_else(|| string(text));
    }
    match python::literal(text, depth) {
        Some(json) if is_json(&json, depth) => json,
        _ => string(text),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Wire, coerce};
    use super::python_value;
    use serde_json::json;
    use streakstone_model::Coercion;

    #[test]
    fn statements_m30_to_m42() {
        let rows = [
            (json!({"type": "string"}), "null", r#""null""#),
            (json!({"type": ["string", "null"]}), "null", "null"),
            (json!({"type": "string"}), "02134", r#""02134""#),
            (json!({"type": "integer"}), "5.0", "5"),
            (json!({"type": "integer"}), "9007199254740993.0", "9007199254740993"),
            (json!({"type": "integer"}), "02134", "2134"),
            (json!({"type": "integer"}), "5.5", "5.5"),
            (json!({"type": "number"}), "5", "5"),
            (json!({"type": "number"}), "5.0", "5.0"),
            (json!({"type": "boolean"}), "yes", "true"),
            (json!({"type": "boolean"}), "off", "false"),
            (json!({"type": "boolean"}), "maybe", r#""maybe""#),
            (json!({}), "yes", r#""yes""#),
            (json!({}), "TRUE", r#""TRUE""#),
            (json!({}), "True", "true"),
            (json!({"type": "object"}), "{'a': True}", r#""{'a': True}""#),
            (json!({"type": "array", "items": {"type": "integer"}}), "5", "5"),
            (json!({"enum": ["a", "b"]}), "c", r#""c""#),
            (json!({"enum": ["a", 2]}), "2", "2"),
            (json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), "1e5", r#""1e5""#),
            (json!({}), "1e5", "1e5"),
        ];
        for (schema, text, want) in rows {
            assert_eq!(coerce(text, &Kind::of(&schema, &json!({})), Coercion::Mlxcel, Wire::TagEquals, 128), want, "{text} under {schema}");
        }
    }

    #[test]
    fn a_python_only_dict_stays_text() {
        assert_eq!(python_value("{'k': True}", 128), r#""{'k': True}""#);
        assert_eq!(python_value(r#"{"k": true}"#, 128), r#"{"k":true}"#);
        assert_eq!(python_value("[1, 'a']", 128), r#"[1,"a"]"#);
        assert_eq!(python_value("bare word", 128), r#""bare word""#);
    }
}
