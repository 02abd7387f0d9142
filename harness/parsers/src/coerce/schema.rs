//! Profile `schema`: the table of semantics 7. What does not fit stays the text.

use serde_json::Value;
use streakstone_model::json::Json;

use super::{Kind, boolean, integer, is_number};
use crate::python;
use crate::text::{compact, string};

/// The JSON of `text`, or `None` if it does not fit `kind` (the caller keeps the text as a string).
pub(super) fn value(text: &str, kind: &Kind, depth: usize) -> Option<String> {
    let trimmed = text.trim();
    let null = trimmed.eq_ignore_ascii_case("null");
    match kind.target() {
        Kind::Any | Kind::Ref(_) | Kind::String => Some(string(text)),
        Kind::Integer => null_or(null, || integer(trimmed)),
        Kind::Number => null_or(null, || is_number(trimmed).then(|| trimmed.to_owned())),
        Kind::Boolean => null_or(null, || boolean(trimmed).map(str::to_owned)),
        Kind::Null => null_or(null, || None),
        Kind::Array(_) | Kind::Object(_) => container(trimmed, depth),
        Kind::Enum(members, _) => member(text, members),
        Kind::Union(kinds) | Kind::Words(kinds) => {
            if null && kinds.iter().any(admits_null) {
                return Some("null".to_owned());
            }
            // A string takes every text, so it comes last.
            let strict = |k: &&Kind| !matches!(k.target(), Kind::String | Kind::Any);
            kinds.iter().filter(strict).find_map(|k| strictly(text, k, depth))
        }
    }
}

fn null_or(null: bool, other: impl FnOnce() -> Option<String>) -> Option<String> {
    if null { Some("null".to_owned()) } else { other() }
}

/// As an alternative of a union: `null` only where the alternative is null itself, and containers of their own kind only.
fn strictly(text: &str, kind: &Kind, depth: usize) -> Option<String> {
    if text.trim().eq_ignore_ascii_case("null") && !admits_null(kind) {
        return None;
    }
    let json = value(text, kind, depth)?;
    match kind.target() {
        Kind::Array(_) => json.starts_with('[').then_some(json),
        Kind::Object(_) => json.starts_with('{').then_some(json),
        _ => Some(json),
    }
}

fn admits_null(kind: &Kind) -> bool {
    match kind.target() {
        Kind::Null => true,
        Kind::Enum(members, _) => members.contains(&Value::Null),
        Kind::Union(kinds) | Kind::Words(kinds) => kinds.iter().any(admits_null),
        _ => false,
    }
}

/// Strict JSON, whatever it holds (all peers give null for `null`, grid row "array, null"), else one Python container.
fn container(text: &str, depth: usize) -> Option<String> {
    compact(text, depth).or_else(|| python::literal(text, depth).filter(|json| json.starts_with(['[', '{', 'n'])))
}

/// The member of an enum whose text or value equals.
fn member(text: &str, members: &[Value]) -> Option<String> {
    let found = members.iter().find(|m| m.as_str() == Some(text)).or_else(|| {
        let trimmed = text.trim();
        let exact = Json::parse(trimmed).ok();
        members.iter().filter(|m| !m.is_string()).find(|m| {
            let same_word = match m {
                Value::Bool(b) => boolean(trimmed) == Some(if *b { "true" } else { "false" }),
                Value::Null => trimmed.eq_ignore_ascii_case("null"),
                _ => false,
            };
            same_word || exact.as_ref().is_some_and(|value| *value == Json::from_value(m))
        })
    })?;
    Some(match found {
        Value::String(text) => string(text),
        other => other.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Wire, coerce};
    use serde_json::json;
    use streakstone_model::Coercion;

    fn typed(schema: &serde_json::Value, text: &str) -> String {
        coerce(text, &Kind::of(schema, &json!({"$defs": {"n": {"type": "integer"}}})), Coercion::Schema, Wire::TagEquals, 128)
    }

    #[test]
    fn the_table_of_the_semantics() {
        let rows = [
            (json!({"type": "string"}), " x ", r#"" x ""#),
            (json!({"type": "string"}), "null", r#""null""#),
            (json!({"type": "string"}), "02134", r#""02134""#),
            (json!({"type": "integer"}), "007", "7"),
            (json!({"type": "integer"}), " 5.0 ", "5"),
            (json!({"type": "integer"}), "5.", "5"),
            (json!({"type": "integer"}), "-0", "0"),
            (json!({"type": "integer"}), "5.5", r#""5.5""#),
            (json!({"type": "integer"}), "1e5", r#""1e5""#),
            (json!({"type": "integer"}), "123456789012345678901234567890", "123456789012345678901234567890"),
            (json!({"type": "integer"}), "NULL", "null"),
            (json!({"type": "number"}), "5.0", "5.0"),
            (json!({"type": "number"}), "1e5", "1e5"),
            (json!({"type": "number"}), "NaN", r#""NaN""#),
            (json!({"type": "boolean"}), "TRUE", "true"),
            (json!({"type": "boolean"}), "yes", r#""yes""#),
            (json!({"type": "object"}), "{'a': True, 'b': null}", r#"{"a":true,"b":null}"#),
            (json!({"type": "object"}), "null", "null"),
            (json!({"type": "object"}), "NULL", r#""NULL""#),
            (json!({"type": "array"}), "None", "null"),
            (json!({"anyOf": [{"type": "object"}, {"type": "string"}]}), "[1]", r#""[1]""#),
            (json!({"type": "array"}), "[1, 'a']", r#"[1,"a"]"#),
            (json!({"type": "array"}), "1, 2", r#""1, 2""#),
            (json!({"enum": [1, "a", null, true]}), "1", "1"),
            (json!({"enum": [1, "a", null, true]}), "a", r#""a""#),
            (json!({"enum": [1, "a", null, true]}), "Null", "null"),
            (json!({"enum": ["1"]}), "1", r#""1""#),
            (json!({"enum": ["x"]}), "y", r#""y""#),
            (json!({"type": ["string", "null"]}), "null", "null"),
            (json!({"type": ["string", "null"]}), "1", r#""1""#),
            (json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}), "1", "1"),
            (json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), "null", r#""null""#),
            (json!({"anyOf": [{"type": "object"}, {"type": "null"}]}), r#"{"a": 1}"#, r#"{"a":1}"#),
            (json!({"$ref": "#/$defs/n"}), "4", "4"),
            (json!({"$ref": "#/$defs/gone"}), "4", r#""4""#),
            (json!({}), "1", r#""1""#),
        ];
        for (schema, text, want) in rows {
            assert_eq!(typed(&schema, text), want, "{text} under {schema}");
        }
    }

    #[test]
    fn references_lead_to_any_place_of_the_schema() {
        let root = json!({
            "$defs": {
                "n": {"type": "integer"},
                "a/b": {"$ref": "#/$defs/n"},
                "maybe": {"anyOf": [{"$ref": "#/$defs/n"}, {"type": "null"}]},
                "tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}, "v": {"$ref": "#/$defs/n"}}},
            },
            "definitions": {"b": {"type": "boolean"}},
            "properties": {"other": {"type": "number"}},
        });
        let rows = [
            ("#/definitions/b", "True", "true"),
            ("#/$defs/a~1b", "007", "7"),
            ("#/$defs/maybe", "Null", "null"),
            ("#/$defs/maybe", "12", "12"),
            ("#/$defs/tree", r#"{"left": {"v": "1"}, "v": "2"}"#, r#"{"left":{"v":"1"},"v":"2"}"#),
            ("#/properties/other", "1.50", "1.50"),
            ("other.json#/n", "1", r#""1""#),
            ("#n", "1", r#""1""#),
        ];
        for (target, text, want) in rows {
            let kind = Kind::of(&json!({"$ref": target}), &root);
            assert_eq!(coerce(text, &kind, Coercion::Schema, Wire::TagEquals, 128), want, "{text} under {target}");
        }
    }

    #[test]
    fn unions_in_unions_nullable_const_and_all_of() {
        let rows = [
            (json!({"anyOf": [{"oneOf": [{"type": "boolean"}, {"type": "null"}]}, {"type": "integer"}]}), "null", "null"),
            (json!({"anyOf": [{"oneOf": [{"type": "boolean"}, {"type": "null"}]}, {"type": "integer"}]}), "5", "5"),
            (json!({"anyOf": [{"type": "array"}, {"type": "object"}]}), "{'a': [None]}", r#"{"a":[null]}"#),
            (json!({"anyOf": [{"type": "object"}, {"type": "array"}]}), "null", r#""null""#),
            (json!({"anyOf": [{"enum": ["1"]}, {"type": "integer"}]}), "1", r#""1""#),
            (json!({"anyOf": [{}, {"type": "integer"}]}), "1", "1"),
            (json!({"anyOf": [{}]}), "1", r#""1""#),
            (json!({"type": "string", "nullable": true}), "null", "null"),
            (json!({"type": "string", "nullable": true}), "1", r#""1""#),
            (json!({"type": "string", "nullable": false}), "null", r#""null""#),
            (json!({"enum": ["a"], "nullable": true}), "NULL", "null"),
            (json!({"const": 5}), "5.0", "5"),
            (json!({"const": "5"}), "5", r#""5""#),
            (json!({"const": 5}), "6", r#""6""#),
            (json!({"enum": [[1, {"a": null}]]}), r#"[1.0, {"a":null}]"#, r#"[1,{"a":null}]"#),
            (json!({"type": "integer", "enum": [1, 2]}), "3", r#""3""#),
            (json!({"allOf": [{"description": "x"}, {"type": "integer"}, {"minimum": 1}]}), "7", "7"),
            (json!({"allOf": [{"minimum": 1}], "type": "number"}), "7", "7"),
            (json!(true), "7", r#""7""#),
        ];
        for (schema, text, want) in rows {
            assert_eq!(typed(&schema, text), want, "{text} under {schema}");
        }
    }

    #[test]
    fn numbers_keep_every_digit_at_any_depth() {
        let big = "-123456789012345678901234567890";
        let long = "0.10000000000000000555111512312578270211815834045410156250";
        let rows = [
            (json!({"type": "integer"}), big.to_owned(), big.to_owned()),
            (json!({"type": "integer"}), format!("{big}.000"), big.to_owned()),
            (json!({"type": "number"}), long.to_owned(), long.to_owned()),
            (json!({"type": "number"}), "1e400".to_owned(), "1e400".to_owned()),
            (json!({"type": "array"}), format!("[{big}, {{\"a\": {long}}}]"), format!("[{big},{{\"a\":{long}}}]")),
            (json!({"type": "object"}), format!("{{'a': {big}}}"), format!("{{\"a\":{big}}}")),
            (json!({"anyOf": [{"type": "null"}, {"type": "number"}]}), long.to_owned(), long.to_owned()),
        ];
        for (schema, text, want) in rows {
            assert_eq!(typed(&schema, &text), want, "{text} under {schema}");
        }
    }

    #[test]
    fn a_text_inside_a_container_is_what_the_model_wrote() {
        let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}});
        assert_eq!(typed(&schema, r#"{"n": "5", "s": 7, "z": "null"}"#), r#"{"n":"5","s":7,"z":"null"}"#);
        assert_eq!(typed(&json!({"type": "array", "items": {"type": "integer"}}), r#"["5"]"#), r#"["5"]"#);
    }

    #[test]
    fn a_large_object_does_not_hide_the_alternative_behind_it() {
        let properties: serde_json::Map<_, _> = (0..3000).map(|i| (format!("p{i}"), json!({"type": "integer"}))).collect();
        let schema = json!({"anyOf": [{"type": "object", "properties": properties}, {"type": "integer"}]});
        assert_eq!(typed(&schema, "5"), "5");
    }

    #[test]
    fn a_schema_that_multiplies_itself_ends() {
        let many = vec![json!({"$ref": "#/$defs/n"}); 8];
        let root = json!({"$defs": {"n": {"anyOf": many}}});
        let kind = Kind::of(&json!({"$ref": "#/$defs/n"}), &root);
        assert_eq!(coerce("x", &kind, Coercion::Schema, Wire::TagEquals, 128), r#""x""#);
    }

    #[test]
    fn a_circular_schema_ends() {
        let root = json!({"$defs": {"a": {"$ref": "#/$defs/a"}}});
        assert_eq!(Kind::of(&json!({"$ref": "#/$defs/a"}), &root), Kind::Any);
    }
}
