//! Profile `tensorfold`: statements T20, T21 and T31 of the reference systems.

use super::types::Types;
use super::{Kind, boolean};
use crate::python;
use crate::scan::{JsonScan, Scan};
use crate::text::{compact, string};

/// The JSON of a tag grammar's `text` (T20): JSON, its open brackets closed, or a Python literal, if it has the declared type.
/// Unions and references are not resolved: they are strings, as is what has no type.
pub(super) fn value(text: &str, kind: &Kind, depth: usize) -> String {
    let declared = if let Kind::Enum(_, declared) = kind { declared } else { kind };
    let Some(want) = Types::plain(declared).filter(|&types| types != Types::STRING) else { return string(text) };
    let fits = |json: &String| match want {
        // `5.0` is no integer: its type is that of the literal. The statements leave it open.
        Types::INTEGER => json.bytes().all(|b| b == b'-' || b.is_ascii_digit()),
        Types::NUMBER => matches!(json.as_bytes().first(), Some(b'-' | b'0'..=b'9')) && json.parse().is_ok_and(f64::is_finite),
        want => Types::of_json(json) == want,
    };
    let json = compact(text, depth).or_else(|| closed(text, depth)).filter(fits);
    json.or_else(|| literal(text, depth).filter(fits)).unwrap_or_else(|| string(text))
}

/// The JSON of a Python list's value (T31): JSON, then a Python literal; the schema has no say.
pub(super) fn python_value(text: &str, depth: usize) -> Option<String> {
    compact(text, depth).or_else(|| literal(text, depth))
}

/// `text` with the brackets closed that it left open.
fn closed(text: &str, depth: usize) -> Option<String> {
    let mut scan = JsonScan::new(depth);
    if scan.scan(text.as_bytes()) != Scan::More {
        return None;
    }
    let closers = scan.closers()?;
    compact(&format!("{text}{closers}"), depth)
}

/// T21: the words in any case where they stand alone; inside containers Python's spelling only.
fn literal(text: &str, depth: usize) -> Option<String> {
    let word = text.trim();
    if word.eq_ignore_ascii_case("none") {
        return Some("null".to_owned());
    }
    boolean(word).map(str::to_owned).or_else(|| python::plain_literal(text, depth))
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Wire, coerce};
    use super::python_value;
    use serde_json::json;
    use streakstone_model::Coercion;

    #[test]
    fn statements_t20_and_t21() {
        let rows = [
            (json!({"type": "integer"}), "5.5", r#""5.5""#),
            (json!({"type": "integer"}), "02134", r#""02134""#),
            (json!({"type": "integer"}), "0x1F", "31"),
            (json!({"type": "integer"}), "123456789012345678901234567890", "123456789012345678901234567890"),
            (json!({"type": "integer"}), "true", r#""true""#),
            (json!({"type": "number"}), "5", "5"),
            (json!({"type": "number"}), "1e999", r#""1e999""#),
            (json!({"type": "boolean"}), "TRUE", "true"),
            (json!({"type": "boolean"}), "yes", r#""yes""#),
            (json!({"type": "null"}), "NONE", "null"),
            (json!({"type": "string"}), "null", r#""null""#),
            (json!({"type": "object"}), "{'a': True}", r#"{"a":true}"#),
            (json!({"type": "object"}), "{'a': True, 'b': null}", r#""{'a': True, 'b': null}""#),
            (json!({"type": "object"}), r#"{"a": [tru"#, r#""{\"a\": [tru""#),
            (json!({"type": "object"}), r#"{"a": [true, "x""#, r#"{"a":[true,"x"]}"#),
            (json!({"type": "object"}), "[1]", r#""[1]""#),
            (json!({"type": "array"}), "(1, 2)", "[1,2]"),
            (json!({"type": "integer", "enum": [1, 2]}), "1", "1"),
            (json!({"type": ["integer", "null"]}), "1", r#""1""#),
            (json!({"$ref": "#/$defs/n"}), "1", r#""1""#),
            (json!({}), "1", r#""1""#),
        ];
        let root = json!({"$defs": {"n": {"type": "integer"}}});
        for (schema, text, want) in rows {
            assert_eq!(coerce(text, &Kind::of(&schema, &root), Coercion::Tensorfold, Wire::TagEquals, 128), want, "{text} under {schema}");
        }
    }

    #[test]
    fn a_container_of_mixed_spelling_is_no_value() {
        assert_eq!(python_value("{'a': True, 'b': null}", 128), None);
        assert_eq!(python_value(r#"{"a": true, "b": null}"#, 128).unwrap(), r#"{"a":true,"b":null}"#);
        assert_eq!(python_value("none", 128).unwrap(), "null");
    }
}
