//! Profile `vllm`: the Python parsers of vLLM 0.33 (`spec/dialects.md` B0 and its Appendix 1), one rule for all tag grammars.
//!
//! The types that the schema names are tried in the order null, integer, number, boolean, object, array, string, whatever
//! order they are declared in; then any JSON; then the text. Nothing is trimmed from strings, references are not followed.

use super::Kind;
use super::numbers::{float, int, loads, print_whole};
use super::types::Types;
use crate::text::string;

/// The JSON of a tag grammar's `text`.
pub(super) fn value(text: &str, kind: &Kind, depth: usize) -> String {
    let types = Types::named(kind);
    let known = |types_of: Types, json: fn(&str) -> Option<String>| if types.has(types_of) { json(text) } else { None };
    known(Types::NULL, |text| text.eq_ignore_ascii_case("null").then(|| "null".to_owned()))
        .or_else(|| known(Types::INTEGER, int))
        // An integer's digits are kept exactly; the grid has twenty of them.
        .or_else(|| known(Types::NUMBER, |text| int(text).or_else(|| float(text).map(print_whole))))
        .or_else(|| known(Types::BOOLEAN, boolean))
        .or_else(|| {
            // A string takes every text that is not JSON of another declared type; without one any JSON will do.
            let json = !types.has(Types::STRING) || types.has(Types::OBJECT) || types.has(Types::ARRAY);
            json.then(|| loads(text, depth)).flatten()
        })
        .unwrap_or_else(|| string(text))
}

fn boolean(text: &str) -> Option<String> {
    let text = text.trim();
    let is = |word: &str, digit: &str| text.eq_ignore_ascii_case(word) || text == digit;
    if is("true", "1") {
        Some("true".to_owned())
    } else if is("false", "0") {
        Some("false".to_owned())
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Wire, coerce};
    use serde_json::json;
    use streakstone_model::Coercion;

    #[test]
    fn what_the_grid_does_not_show() {
        let rows = [
            (json!({"type": ["string", "null"]}), "NULL", "null"),
            (json!({"anyOf": [{"type": "string"}, {"type": "object"}]}), r#"{"a": 1}"#, r#"{"a":1}"#),
            (json!({"anyOf": [{"type": "boolean"}, {"type": "integer"}]}), "1", "1"),
            (json!({"anyOf": [{"type": "boolean"}, {"type": "string"}]}), "1", "true"),
            (json!({"type": "integer"}), "1_000", "1000"),
            (json!({"type": "number"}), "NaN", r#""NaN""#),
            (json!({"type": "number"}), "-1e400", r#""-1e400""#),
            (json!({"enum": [1, "a"]}), "1", "1"),
            (json!({"type": "string", "enum": [1]}), "1", "1"),
            (json!({"$ref": "#/$defs/n"}), "7", r#""7""#),
        ];
        let root = json!({"$defs": {"n": {"type": "integer"}}});
        for (schema, text, want) in rows {
            assert_eq!(coerce(text, &Kind::of(&schema, &root), Coercion::Vllm, Wire::TagEquals, 128), want, "{text} under {schema}");
        }
    }
}
