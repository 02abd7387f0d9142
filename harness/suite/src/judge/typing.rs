//! Whether two readings of a call's arguments differ only in how text became JSON. Asked for a subject that types text by rules of its
//! own: `5` or `"5"` is its choice, a value with other words in it is not.

use serde_json::Value;

/// True if both are objects with the same keys, and each value says the same in another type. Two strings, or two numbers, that are not
/// equal never do: there something was lost.
pub(super) fn alike_but_for_types(wanted: &str, got: &str) -> bool {
    match (serde_json::from_str(wanted), serde_json::from_str(got)) {
        (Ok(wanted @ Value::Object(_)), Ok(got @ Value::Object(_))) => says_the_same(&wanted, &got),
        _ => false,
    }
}

fn says_the_same(one: &Value, other: &Value) -> bool {
    if one == other {
        return true;
    }
    match (one, other) {
        (Value::String(_), Value::String(_)) | (Value::Number(_), Value::Number(_)) | (Value::Bool(_), Value::Bool(_)) => false,
        // Which words are true and which are false is the rule in question.
        (Value::Bool(_), Value::String(_) | Value::Number(_)) | (Value::String(_) | Value::Number(_), Value::Bool(_)) => true,
        (Value::Object(some), Value::Object(others)) => {
            some.len() == others.len() && some.iter().all(|(key, value)| others.get(key).is_some_and(|other| says_the_same(value, other)))
        }
        (Value::Array(some), Value::Array(others)) if some.len() == others.len() => {
            some.iter().zip(others).all(|(value, other)| says_the_same(value, other)) || words(one) == words(other)
        }
        (Value::Number(number), Value::String(text)) | (Value::String(text), Value::Number(number)) => {
            text.trim().parse::<f64>().ok() == number.as_f64() || words(one) == words(other)
        }
        _ => words(one) == words(other),
    }
}

/// The letters and digits of a value, Python's `None` as JSON's `null`, without regard to case.
fn words(value: &Value) -> String {
    let text = if let Value::String(text) = value { text.clone() } else { value.to_string() };
    let kept: String = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    kept.replace("none", "null")
}

#[cfg(test)]
mod tests {
    use super::alike_but_for_types as alike;

    #[test]
    fn one_text_in_two_types_is_alike() {
        for (wanted, got) in [
            (r#"{"a":"5"}"#, r#"{"a":5}"#),
            (r#"{"a":"1e3","b":"+5"}"#, r#"{"a":1000,"b":5}"#),
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
            (r#"{"a":"1"}"#, r#"{"a":NaN}"#),
            (r#"{"a":["Oslo"]}"#, r#"{"a":"Bergen"}"#),
        ] {
            assert!(!alike(wanted, got), "{wanted} {got}");
        }
    }
}
