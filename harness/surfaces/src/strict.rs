//! What a call's arguments must be: one strict JSON object without a repeated key (CC13, RS12, AN10).

use std::borrow::Cow;

use serde_json::Value;
use streakstone_model::json::Json;

/// Nesting up to which a body is read; below it stands null. `serde_json` reads 128 levels, and the surface's own are above this.
const MAX_NESTED: usize = 100;
/// What stands for a number that no `f64` holds.
const LARGE: &str = "1e308";

/// The value of a JSON text. Anthropic's `input` may hold numbers and nesting that `serde_json` has no value for; then these alone are
/// replaced, and the exact text is read apart.
pub(crate) fn value(text: &str) -> Result<Value, serde_json::Error> {
    serde_json::from_str(text).or_else(|error| match tamed(text) {
        Cow::Borrowed(_) => Err(error),
        Cow::Owned(text) => serde_json::from_str(&text),
    })
}

/// The text without numbers and nesting beyond the limits; borrowed if it has none.
fn tamed(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let (mut out, mut copied, mut depth, mut at) = (String::new(), 0, 0_usize, 0);
    while at < bytes.len() {
        let start = at;
        at += 1;
        let instead = match bytes[start] {
            b'"' => {
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                // The first level too deep is left out, up to its end.
                if depth != MAX_NESTED + 1 {
                    continue;
                }
                copied = push(&mut out, text, copied, start, "null");
                continue;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == MAX_NESTED {
                    copied = at;
                }
                continue;
            }
            b'-' | b'0'..=b'9' => {
                while at < bytes.len() && matches!(bytes[at], b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E') {
                    at += 1;
                }
                LARGE
            }
            _ => continue,
        };
        if depth <= MAX_NESTED && text[start..at].parse::<f64>().is_ok_and(f64::is_infinite) {
            push(&mut out, text, copied, start, instead);
            copied = at;
        }
    }
    if out.is_empty() {
        return Cow::Borrowed(text);
    }
    if depth <= MAX_NESTED {
        out.push_str(&text[copied.min(text.len())..]);
    }
    Cow::Owned(out)
}

/// Appends what stands before `start`, and what stands there instead.
fn push(out: &mut String, text: &str, copied: usize, start: usize, instead: &str) -> usize {
    out.push_str(&text[copied..start]);
    out.push_str(instead);
    start
}

/// What is wrong with a text that should be one strict JSON object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    /// Nothing there.
    Empty,
    /// No strict JSON, or text after it.
    NotJson(String),
    /// JSON, but no object.
    NotObject,
    /// A key twice in one object.
    RepeatedKey,
}

impl Fault {
    /// The end of a sentence that begins with the arguments.
    pub fn words(&self) -> String {
        match self {
            Self::Empty => "are empty, not `{}`".to_owned(),
            Self::NotJson(what) => format!("are no strict JSON: {what}"),
            Self::NotObject => "are JSON but no object".to_owned(),
            Self::RepeatedKey => "repeat a key in one object".to_owned(),
        }
    }
}

/// What is wrong with `text`, if anything is.
pub(crate) fn fault(text: &str) -> Option<Fault> {
    if text.trim().is_empty() {
        return Some(Fault::Empty);
    }
    match Json::parse_noting(text) {
        Err(error) => Some(Fault::NotJson(error.to_string())),
        Ok((Json::Object(_), None)) => None,
        Ok((Json::Object(_), Some(_))) => Some(Fault::RepeatedKey),
        Ok(_) => Some(Fault::NotObject),
    }
}

/// True if a client can read `text` as a call's arguments; a repeated key does not keep it from that.
pub(crate) fn is_object(text: &str) -> bool {
    matches!(fault(text), None | Some(Fault::RepeatedKey))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_serde_json_has_no_value_for_is_replaced_and_the_rest_stays() {
        let text = r#"{"a":[1e400,-1E999,2.5,"1e400 \" ]"],"b":{}}"#;
        assert_eq!(value(text).unwrap(), serde_json::json!({"a": [1e308, 1e308, 2.5, "1e400 \" ]"], "b": {}}));
        let deep = format!("{{\"a\":{}{},\"b\":1e999}}", "[".repeat(300), "]".repeat(300));
        let value = value(&deep).unwrap();
        assert_eq!((value["a"].is_array(), value["b"].as_f64()), (true, Some(1e308)));
    }

    #[test]
    fn what_is_no_json_stays_none() {
        for text in ["", "{", "[1e400", "\"", "\"\\", "{\"a\":1e999", "}}]]", "é1e999", &"[".repeat(500), &"{\"a\":".repeat(200)] {
            assert!(value(text).is_err(), "{text}");
        }
    }

    #[test]
    fn arguments_are_one_strict_object() {
        assert_eq!(fault(r#"{"a":1}"#), None);
        assert_eq!(fault(" "), Some(Fault::Empty));
        assert_eq!(fault("[1]"), Some(Fault::NotObject));
        assert_eq!(fault(r#"{"a":1,"a":2}"#), Some(Fault::RepeatedKey));
        for text in ["{'a':1}", r#"{"a":NaN}"#, r#"{"a":1,}"#, r#"{"a":1} x"#, r#"{"a":1"#] {
            assert!(matches!(fault(text), Some(Fault::NotJson(_))), "{text}");
        }
        assert!(is_object(r#"{"a":1,"a":2}"#) && !is_object("{"));
    }
}
