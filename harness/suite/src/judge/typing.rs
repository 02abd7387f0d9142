//! Whether two readings of a call's arguments differ only in how text became JSON. Asked for a subject that types text by rules of its
//! own: `5` or `"5"` is its choice, a value with other words in it is not.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use crate::difference::same_json;

type Members<'a> = BTreeMap<String, &'a RawValue>;

/// A JSON value's kind, and what is in it.
enum Kind<'a> {
    String(String),
    Number,
    Bool,
    Null,
    List(Vec<&'a RawValue>),
    Object(Members<'a>),
}

/// True if both are objects with the same keys, and each value says the same in another type. Two strings, or two numbers, that are not
/// equal never do: there something was lost.
pub(super) fn alike_but_for_types(wanted: &str, got: &str) -> bool {
    match (Kind::of(wanted.trim()), Kind::of(got.trim())) {
        (Kind::Object(wanted), Kind::Object(got)) => members_say_the_same(&wanted, &got),
        _ => false,
    }
}

fn says_the_same(one: &str, other: &str) -> bool {
    if same_json(one, other) {
        return true;
    }
    match (Kind::of(one), Kind::of(other)) {
        (Kind::Bool, Kind::String(text)) => same_word(&text, one),
        (Kind::String(text), Kind::Bool) => is_truth(&text) && !is_other_word(&text, other),
        (Kind::Bool, Kind::Number) => is_bit(other),
        (Kind::Number, Kind::Bool) => is_bit(one),
        (Kind::Number, Kind::String(text)) => is_number(&text, one),
        (Kind::String(text), Kind::Number) => is_number(&text, other),
        (Kind::Null, Kind::String(text)) | (Kind::String(text), Kind::Null) => {
            matches!(text.trim(), "" | "None") || same_word(&text, "null")
        }
        (Kind::List(one), Kind::List(other)) => {
            one.len() == other.len() && one.iter().zip(&other).all(|(a, b)| says_the_same(a.get(), b.get()))
        }
        (Kind::Object(one), Kind::Object(other)) => members_say_the_same(&one, &other),
        (Kind::String(text), Kind::List(_) | Kind::Object(_)) => words(&text) == words(other),
        (Kind::List(_) | Kind::Object(_), Kind::String(text)) => words(one) == words(&text),
        // Two strings, two numbers, and kinds that no text is in both.
        _ => false,
    }
}

fn members_say_the_same(one: &Members<'_>, other: &Members<'_>) -> bool {
    one.len() == other.len() && one.iter().all(|(key, value)| other.get(key).is_some_and(|got| says_the_same(value.get(), got.get())))
}

impl<'a> Kind<'a> {
    fn of(raw: &'a str) -> Self {
        match raw.as_bytes().first() {
            Some(b'"') => Self::String(serde_json::from_str(raw).unwrap_or_default()),
            Some(b't' | b'f') => Self::Bool,
            Some(b'n') => Self::Null,
            Some(b'[') => serde_json::from_str(raw).map_or(Self::Number, Self::List),
            Some(b'{') => serde_json::from_str(raw).map_or(Self::Number, Self::Object),
            _ => Self::Number,
        }
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

/// True for the numbers that stand for truth values.
fn is_bit(number: &str) -> bool {
    matches!(number, "0" | "1")
}

/// True if `text` is the JSON word `word` in any case.
fn same_word(text: &str, word: &str) -> bool {
    text.trim().eq_ignore_ascii_case(word)
}

/// True for a text that some rule takes for a truth value: which one it is, is the rule in question.
fn is_truth(text: &str) -> bool {
    let text = text.trim().to_ascii_lowercase();
    matches!(text.as_str(), "" | "0" | "1" | "true" | "false" | "yes" | "no" | "y" | "n" | "t" | "f" | "on" | "off" | "none" | "null")
}

/// True if `text` is the JSON word for the other truth value.
fn is_other_word(text: &str, boolean: &str) -> bool {
    ["true", "false"].into_iter().any(|word| word != boolean && same_word(text, word))
}

/// The words and numbers of a list or object written as JSON or as Python. A sign and a point belong to a number, and where one word ends
/// counts: `[1,2]` is not `12`.
fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.')))
        .map(|word| word.trim_end_matches(['-', '.']))
        .filter(|word| word.contains(char::is_alphanumeric))
        .map(|word| match word {
            "None" => "null",
            "True" => "true",
            "False" => "false",
            word => word,
        })
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
            (r#"{"a":[true,null],"b":[1,{"c":2}]}"#, r#"{"a":["True","None"],"b":["1",{"c":"2"}]}"#),
            (r#"{"a":true,"b":"","c":"TRUE"}"#, r#"{"a":"True","b":false,"c":true}"#),
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
            (r#"{"a":true}"#, r#"{"a":"</tool_call>"}"#),
            (r#"{"a":true}"#, r#"{"a":77}"#),
            (r#"{"a":"all of this text"}"#, r#"{"a":true}"#),
            (r#"{"a":[1,-2.5]}"#, r#"{"a":[12.5]}"#),
            (r#"{"a":[1,-2.5]}"#, r#"{"a":[1,2.5]}"#),
            (r#"{"a":[1,-2.5]}"#, r#"{"a":"1-25"}"#),
            (r#"{"a":{"City":"St. Gallen"}}"#, r#"{"a":{"city":"stgallen"}}"#),
            (r#"{"a":{"City":"St. Gallen"}}"#, r#"{"a":["CityStGallen"]}"#),
            (r#"{"a":{"x":1}}"#, r#"{"a":["x",1]}"#),
            (r#"{"a":[true,null]}"#, r#"{"a":["[True","None]"]}"#),
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
