//! Profile `exo`: statement X30 of the reference systems. Only `type` is looked at: `anyOf`, `$ref` and schemas without a type
//! leave a value as it is, and so does a text that does not convert. Strings are converted, wherever they stand.

use super::numbers::{float, int, print};
use super::{Kind, boolean};
use crate::text::{compact, push_string, string, unescape};
use crate::tools::Compiled;

/// The JSON of a tag grammar's `text`.
pub(super) fn value(text: &str, kind: &Kind, depth: usize) -> String {
    converted(text, kind, depth).unwrap_or_else(|| string(text))
}

/// The JSON value `json`, which is strict, with the strings in it converted.
pub(super) fn json(json: &str, kind: &Kind, depth: usize) -> String {
    let mut out = String::with_capacity(json.len());
    match compact(json, depth) {
        Some(json) => Walk { json: &json, at: 0, depth }.value(kind, &mut out),
        None => out.push_str(json),
    }
    out
}

/// The arguments of a JSON body, a strict object, by the schema of the tool that is called.
pub(crate) fn arguments(body: &str, tool: Option<&Compiled>, depth: usize) -> String {
    let (Some(tool), Some(json)) = (tool, compact(body, depth)) else { return body.to_owned() };
    let mut out = String::with_capacity(json.len());
    Walk { json: &json, at: 0, depth }.object(|name| tool.kind(name), &mut out);
    out
}

/// The JSON that a string becomes under `kind`; `None` if it stays.
fn converted(text: &str, kind: &Kind, depth: usize) -> Option<String> {
    let container = |open: char| {
        let json = compact(text, depth).filter(|json| json.starts_with(open))?;
        let mut out = String::with_capacity(json.len());
        Walk { json: &json, at: 0, depth }.value(kind, &mut out);
        Some(out)
    };
    match kind {
        Kind::Integer => int(text),
        Kind::Number => float(text).map(print),
        Kind::Boolean => boolean(text.trim()).map(str::to_owned),
        Kind::Object(_) => container('{'),
        Kind::Array(_) => container('['),
        Kind::Enum(_, declared) => converted(text, declared, depth),
        // In order; a string is one already.
        Kind::Words(kinds) => kinds.iter().take_while(|k| **k != Kind::String).find_map(|k| converted(text, k, depth)),
        Kind::Any | Kind::String | Kind::Null | Kind::Union(_) | Kind::Ref(_) => None,
    }
}

/// The kind of a container's members that opens with `open`.
fn container(kind: &Kind, open: u8) -> &Kind {
    match (kind, open) {
        (Kind::Object(_), b'{') | (Kind::Array(_), b'[') => kind,
        (Kind::Enum(_, declared), _) => container(declared, open),
        (Kind::Words(kinds), _) => kinds.iter().map(|k| container(k, open)).find(|k| **k != Kind::Any).unwrap_or(&Kind::Any),
        _ => &Kind::Any,
    }
}

/// Reads compact strict JSON once and writes it again. It goes as deep as the kinds do; what has none is copied.
struct Walk<'a> {
    json: &'a str,
    at: usize,
    depth: usize,
}

impl<'a> Walk<'a> {
    fn value(&mut self, kind: &Kind, out: &mut String) {
        match self.json.as_bytes()[self.at] {
            b'"' => {
                let inside = self.string();
                if let Some(json) = converted(&unescape(inside), kind, self.depth) {
                    out.push_str(&json);
                } else {
                    out.push('"');
                    out.push_str(inside);
                    out.push('"');
                }
            }
            open @ (b'{' | b'[') => match container(kind, open) {
                Kind::Object(properties) => self.object(|name| properties.get(name).unwrap_or(&Kind::Any), out),
                Kind::Array(items) => self.array(items, out),
                _ => self.copy(out),
            },
            _ => self.copy(out),
        }
    }

    fn object<'k>(&mut self, kind: impl Fn(&str) -> &'k Kind, out: &mut String) {
        out.push('{');
        self.at += 1;
        while self.json.as_bytes()[self.at] != b'}' {
            self.comma(out);
            let name = unescape(self.string());
            push_string(out, &name);
            // The colon.
            out.push(':');
            self.at += 1;
            self.value(kind(&name), out);
        }
        out.push('}');
        self.at += 1;
    }

    fn array(&mut self, items: &Kind, out: &mut String) {
        out.push('[');
        self.at += 1;
        while self.json.as_bytes()[self.at] != b']' {
            self.comma(out);
            self.value(items, out);
        }
        out.push(']');
        self.at += 1;
    }

    fn comma(&mut self, out: &mut String) {
        if self.json.as_bytes()[self.at] == b',' {
            out.push(',');
            self.at += 1;
        }
    }

    /// The inside of the string that begins here.
    fn string(&mut self) -> &'a str {
        let from = self.at + 1;
        let bytes = self.json.as_bytes();
        let mut at = from;
        while bytes[at] != b'"' {
            at += if bytes[at] == b'\\' { 2 } else { 1 };
        }
        self.at = at + 1;
        &self.json[from..at]
    }

    /// Copies the value that begins here.
    fn copy(&mut self, out: &mut String) {
        let from = self.at;
        let mut open = 0usize;
        while let Some(&b) = self.json.as_bytes().get(self.at) {
            match b {
                b'"' => {
                    self.string();
                    continue;
                }
                b'{' | b'[' => open += 1,
                b'}' | b']' | b',' if open == 0 => break,
                b'}' | b']' => open -= 1,
                _ => {}
            }
            self.at += 1;
        }
        out.push_str(&self.json[from..self.at]);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Wire, coerce};
    use super::json as rewritten;
    use serde_json::json;
    use streakstone_model::Coercion;

    #[test]
    fn statement_x30_for_texts() {
        let rows = [
            (json!({"type": "integer"}), "02134", "2134"),
            (json!({"type": "integer"}), "5.0", r#""5.0""#),
            (json!({"type": "integer"}), " 7 ", "7"),
            (json!({"type": "number"}), "1e3", "1000.0"),
            (json!({"type": "number"}), "NaN", r#""NaN""#),
            (json!({"type": "boolean"}), "TRUE", "true"),
            (json!({"type": "boolean"}), "yes", r#""yes""#),
            (json!({"type": "object"}), "{'a': True}", r#""{'a': True}""#),
            (json!({"type": "integer"}), "null", r#""null""#),
            (json!({"type": ["null", "integer", "string"]}), "7", "7"),
            (json!({"type": ["string", "integer"]}), "7", r#""7""#),
            (json!({"anyOf": [{"type": "integer"}]}), "7", r#""7""#),
            (json!({"$ref": "#/$defs/n"}), "7", r#""7""#),
            (json!({"type": "integer", "enum": [7]}), "7", "7"),
            (json!({"enum": [7]}), "7", r#""7""#),
        ];
        let root = json!({"$defs": {"n": {"type": "integer"}}});
        for (schema, text, want) in rows {
            assert_eq!(coerce(text, &Kind::of(&schema, &root), Coercion::Exo, Wire::TagEquals, 128), want, "{text} under {schema}");
        }
    }

    #[test]
    fn strings_are_converted_wherever_they_stand() {
        let schema = json!({"type": "object", "properties": {
            "a": {"type": ["array", "null"], "items": {"type": "integer"}},
            "o": {"type": "object", "properties": {"é": {"type": "boolean"}}},
        }});
        let kind = Kind::of(&schema, &json!({}));
        let text = r#"{"a": ["1", "x", 2, ["3"], "4"], "o": "{\"\u00e9\":\"TRUE\",\"z\":\"1\"}", "z": {"a": ["1"]}, "n": 1.50}"#;
        let want = r#"{"a":[1,"x",2,["3"],4],"o":{"é":true,"z":"1"},"z":{"a":["1"]},"n":1.50}"#;
        assert_eq!(rewritten(text, &kind, 128), want);
        assert_eq!(rewritten(r#"{"a": [], "o": {}}"#, &kind, 128), r#"{"a":[],"o":{}}"#);
    }
}
