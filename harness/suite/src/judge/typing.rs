//! Whether two readings of a call's arguments differ only in how text became JSON. Asked for a subject that types text by rules of its
//! own: `5` or `"5"` is its choice, a value with other words in it is not.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::difference::same_json;

/// A JSON value's kind, and a string's text.
enum Kind {
    String(String),
    Number,
    Bool,
    Null,
    Container,
}

/// True if both are objects with the same keys, and each value says the same in another type. Two strings, or two numbers, that are not
/// equal never do: there something was lost.
pub(super) fn alike_but_for_types(wanted: &str, got: &str) -> bool {
    let members = |text| serde_json::from_str::<BTreeMap<String, &RawValue>>(text).ok();
    let (Some(wanted), Some(got)) = (members(wanted), members(got)) else { return false };
    wanted.len() == got.len() && wanted.iter().all(|(key, one)| got.get(key).is_some_and(|other| says_the_same(one.get(), other.get())))
}

fn says_the_same(one: &str, other: &str) -> bool {
    if same_json(one, other) {
        return true;
    }
    match (kind(one), kind(other)) {
        (Kind::String(_), Kind::String(_)) | (Kind::Number, Kind::Number) | (Kind::Bool, Kind::Bool) => false,
        // Which words are true and which are false is the rule in question, but these two.
        (Kind::Bool, Kind::String(text)) => !is_other_word(&text, one),
        (Kind::String(text), Kind::Bool) => !is_other_word(&text, other),
        (Kind::Bool, Kind::Number) | (Kind::Number, Kind::Bool) => true,
        (Kind::Number, Kind::String(text)) => is_number(&text, one),
        (Kind::String(text), Kind::Number) => is_number(&text, other),
        (one_kind, other_kind) => words(one, one_kind) == words(other, other_kind),
    }
}

fn kind(raw: &str) -> Kind {
    match raw.as_bytes().first() {
        Some(b'"') => Kind::String(serde_json::from_str(raw).unwrap_or_default()),
        Some(b't' | b'f') => Kind::Bool,
        Some(b'n') => Kind::Null,
        Some(b'[' | b'{') => Kind::Container,
        _ => Kind::Number,
    }
}

/// True if `text` writes this number: with a plus, zeros before it, or underscores, which JSON has not.
fn is_number(text: &str, number: &str) -> bool {
    let plain = text.trim().replace('_', "");
    let (sign, digits) = plain.strip_prefix('-').map_or(("", plain.strip_prefix('+').unwrap_or(&plain)), |digits| ("-", digits));
    let rest = digits.trim_start_matches('0');
    let digits = if rest.starts_with(|c: char| c.is_ascii_digit()) { rest } else { digits };
    same_json(&format!("{sign}{digits}"), number)
}

/// True if `text` is the JSON word for the other truth value.
fn is_other_word(text: &str, boolean: &str) -> bool {
    let word = text.trim();
    matches!(word, "true" | "false") && word != boolean
}

/// The words and numbers of a value, Python's `None` as JSON's `null`, without regard to case. A sign and a point belong to a number, and
/// where one word ends counts: `[1,2]` is not `12`.
fn words(raw: &str, kind: Kind) -> Vec<String> {
    let text = if let Kind::String(text) = kind { text } else { raw.to_owned() };
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.')))
        .map(|word| word.trim_end_matches(['-', '.']).to_lowercase())
        .filter(|word| word.contains(char::is_alphanumeric))
        .map(|word| if word == "none" { "null".to_owned() } else { word })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::alike_but_for_types as alike;

    #[test]
    fn one_text_in_two_types_is_alike() {
        for (wanted, got) in [
            (r#"{"a":"5"}"#, r#"{"a":5}"#),
            (r#"{"a":"1e3","b":"+5"}"#, r#"{"a":1000,"b":5}"#),
            (r#"{"a":"007","b":"1_000","c":"0"}"#, r#"{"a":7,"b":1000,"c":0}"#),
            (r#"{"a":"yes","b":1}"#, r#"{"a":false,"b":true}"#),
            (r#"{"a":null}"#, r#"{"a":"None"}"#),
            (r#"{"a":[1,"a"],"o":{"x":true}}"#, r#"{"a":"[1, 'a']","o":"{'x': True}"}"#),
            (r#"{"a":"1, 2"}"#, r#"{"a":["1","2"]}"#),
            (r#"{"a":[true,null]}"#, r#"{"a":["[True","None]"]}"#),
        ] {
            assert!(alike(wanted, got), "{wanted} {got}");
        }
    }

    #[test]
    fn other_words_other_keys_and_lost_digits_are_not() {
        for (wanted, got) in [
            (r#"{"a":"x</p>y"}"#, r#"{"a":"x"}"#),
            (r#"{"a":" x "}"#, r#"{"a":"x"}"#),
            (r#"{"a":1}"#, r#"{"a":"oops"}"#),
            (r#"{"a":"1"}"#, r#"{"b":1}"#),
            (r#"{"a":"1","b":2}"#, r#"{"a":1}"#),
            (r#"{"a":12345678901234567890}"#, r#"{"a":-9223372036854775808}"#),
            (r#"{"a":[18446744073709551616]}"#, r#"{"a":[1.8446744073709552e+19]}"#),
            (r#"{"a":0.1000000000000000055}"#, r#"{"a":0.1}"#),
            (r#"{"a":"1"}"#, r#"{"a":NaN}"#),
            (r#"{"a":["Oslo"]}"#, r#"{"a":"Bergen"}"#),
            (r#"{"a":true}"#, r#"{"a":"false"}"#),
            (r#"{"a":"true"}"#, r#"{"a":false}"#),
            (r#"{"a":[1,2]}"#, r#"{"a":[12]}"#),
            (r#"{"a":[1.5]}"#, r#"{"a":[15]}"#),
            (r#"{"a":[-5]}"#, r#"{"a":"5"}"#),
            (r#"{"a":[1,2]}"#, r#"{"a":"12"}"#),
        ] {
            assert!(!alike(wanted, got), "{wanted} {got}");
        }
    }
}
