//! Strict JSON with exact numbers, for comparing arguments (semantics 6).
//!
//! `serde_json` rounds numbers through `f64` unless its `arbitrary_precision` feature is on, which this workspace forbids (it
//! breaks tagged enums and writes private keys into goldens). Strings are UTF-16 units, so that a lone surrogate escape, which
//! the JSON grammar admits, compares by code point.

use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Deepest nesting that [`Json::parse`] reads; the reference parsers' own cap on arguments is 128.
pub const MAX_DEPTH: usize = 512;

/// A JSON value. Equality is that of the semantics: numbers as exact reals, strings by code point, objects without regard
/// to order, the last value of a repeated key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An exact decimal number.
    Number(Decimal),
    /// UTF-16 units.
    String(Vec<u16>),
    /// An array.
    Array(Vec<Json>),
    /// An object; keys as UTF-16 units.
    Object(BTreeMap<Vec<u16>, Json>),
}

/// A number as `digits × 10^exponent`, normalised: no leading or trailing zero digit, zero is empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decimal {
    negative: bool,
    digits: Vec<u8>,
    exponent: i64,
}

/// Where and why a text is no strict JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} at byte {at}")]
pub struct JsonError {
    /// Byte offset.
    pub at: usize,
    /// What is wrong.
    pub what: &'static str,
}

impl Decimal {
    /// Reads a JSON number's text. An exponent beyond `i64` saturates.
    fn from_text(text: &str) -> Self {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |r| (true, r));
        let (mantissa, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let limit = if exponent.starts_with('-') { i64::MIN / 2 } else { i64::MAX / 2 };
        let written: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().unwrap_or(limit);
        let mut exponent = written.clamp(i64::MIN / 2, i64::MAX / 2) - i64::try_from(fraction.len()).unwrap_or(0);
        let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).skip_while(|&b| b == b'0').collect();
        while digits.last() == Some(&b'0') {
            digits.pop();
            exponent += 1;
        }
        if digits.is_empty() {
            return Self { negative: false, digits, exponent: 0 };
        }
        Self { negative, digits, exponent }
    }

    /// True if the number is whole.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.exponent >= 0
    }
}

impl Json {
    /// Reads one strict JSON value and nothing after it but white space.
    ///
    /// # Errors
    /// Says where the text stops being strict JSON, or that it nests deeper than [`MAX_DEPTH`].
    pub fn parse(text: &str) -> Result<Self, JsonError> {
        Self::parse_noting(text).map(|(value, _)| value)
    }

    /// As [`Self::parse`]; also the byte behind the first key that its object already had, if there is one.
    ///
    /// # Errors
    /// Those of [`Self::parse`].
    pub fn parse_noting(text: &str) -> Result<(Self, Option<usize>), JsonError> {
        let mut reader = Reader { bytes: text.as_bytes(), text, at: 0, repeated: None };
        let value = reader.value(0)?;
        reader.space();
        if reader.at < text.len() {
            return Err(reader.fault("text after the value"));
        }
        Ok((value, reader.repeated))
    }

    /// True for an object.
    #[must_use]
    pub const fn is_object(&self) -> bool {
        matches!(self, Self::Object(_))
    }

    /// The same value from `serde_json`, which holds numbers as `i64`, `u64` or `f64`.
    ///
    /// # Panics
    /// Never: what `serde_json` prints is strict JSON, within its own depth limit of 128.
    #[must_use]
    pub fn from_value(value: &serde_json::Value) -> Self {
        Self::parse(&value.to_string()).unwrap_or(Self::Null)
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    /// Where the first repeated key ended.
    repeated: Option<usize>,
}

impl Reader<'_> {
    fn fault(&self, what: &'static str) -> JsonError {
        JsonError { at: self.at, what }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn word(&mut self, word: &str, value: Json) -> Result<Json, JsonError> {
        if self.bytes[self.at..].starts_with(word.as_bytes()) {
            self.at += word.len();
            Ok(value)
        } else {
            Err(self.fault("unknown word"))
        }
    }

    fn value(&mut self, depth: usize) -> Result<Json, JsonError> {
        if depth > MAX_DEPTH {
            return Err(self.fault("nesting too deep"));
        }
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => self.string().map(Json::String),
            Some(b't') => self.word("true", Json::Bool(true)),
            Some(b'f') => self.word("false", Json::Bool(false)),
            Some(b'n') => self.word("null", Json::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(_) => Err(self.fault("no JSON value")),
            None => Err(self.fault("the text ends")),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Json, JsonError> {
        let mut members = BTreeMap::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Json::Object(members));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.fault("a key must be a string"));
            }
            let key = self.string()?;
            if members.contains_key(&key) {
                self.repeated.get_or_insert(self.at);
            }
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.fault("a colon must follow a key"));
            }
            self.at += 1;
            members.insert(key, self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Json::Object(members));
                }
                _ => return Err(self.fault("`,` or `}` must follow a member")),
            }
        }
    }

    fn array(&mut self, depth: usize) -> Result<Json, JsonError> {
        let mut items = Vec::new();
        self.at += 1;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Json::Array(items));
        }
        loop {
            items.push(self.value(depth + 1)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Json::Array(items));
                }
                _ => return Err(self.fault("`,` or `]` must follow an item")),
            }
        }
    }

    fn string(&mut self) -> Result<Vec<u16>, JsonError> {
        let mut units = Vec::new();
        self.at += 1;
        loop {
            let run = self.bytes[self.at..].iter().position(|&b| b == b'"' || b == b'\\' || b < 0x20);
            let Some(run) = run else {
                self.at = self.bytes.len();
                return Err(self.fault("the text ends inside a string"));
            };
            units.extend(self.text[self.at..self.at + run].encode_utf16());
            self.at += run;
            match self.bytes[self.at] {
                b'"' => {
                    self.at += 1;
                    return Ok(units);
                }
                b'\\' => {
                    self.at += 1;
                    units.push(self.escape()?);
                }
                _ => return Err(self.fault("a raw control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<u16, JsonError> {
        let unit = match self.peek() {
            Some(b'"') => b'"',
            Some(b'\\') => b'\\',
            Some(b'/') => b'/',
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => {
                let hex = self.bytes.get(self.at + 1..self.at + 5).filter(|h| h.iter().all(u8::is_ascii_hexdigit));
                let unit = hex.and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u16::from_str_radix(h, 16).ok());
                let unit = unit.ok_or_else(|| self.fault("four hex digits must follow `\\u`"))?;
                self.at += 5;
                return Ok(unit);
            }
            _ => return Err(self.fault("no JSON escape")),
        };
        self.at += 1;
        Ok(u16::from(unit))
    }

    fn number(&mut self) -> Result<Json, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits(),
            _ => return Err(self.fault("a digit must follow")),
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.some_digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.some_digits()?;
        }
        Ok(Json::Number(Decimal::from_text(&self.text[start..self.at])))
    }

    fn digits(&mut self) {
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
    }

    fn some_digits(&mut self) -> Result<(), JsonError> {
        let before = self.at;
        self.digits();
        if self.at.cmp(&before) == Ordering::Equal {
            return Err(self.fault("a digit must follow"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(a: &str, b: &str) -> bool {
        Json::parse(a).unwrap() == Json::parse(b).unwrap()
    }

    #[test]
    fn numbers_are_exact_reals() {
        assert!(same("5", "5.0"));
        assert!(same("5", "5e0"));
        assert!(same("1200", "1.2E+3"));
        assert!(same("-0", "0"));
        assert!(!same("9007199254740993", "9007199254740992"));
        assert!(!same("0.1", "0.10000000000000000001"));
        assert!(!same("1", "-1"));
        assert!(same("1e99999999999999999999", "1e99999999999999999999"));
        assert!(!same("1e99999999999999999999", "1e-99999999999999999999"));
    }

    #[test]
    fn strings_compare_by_code_point_and_objects_by_key() {
        assert!(same(r#""é""#, r#""\u00e9""#));
        assert!(same(r#""👩""#, r#""\ud83d\udc69""#));
        assert!(!same(r#""\ud83d""#, r#""\ud83e""#));
        assert!(same(r#"{"a":1,"b":2}"#, r#"{ "b" : 2.0, "a" : 1 }"#));
        assert!(same(r#"{"a":1,"a":2}"#, r#"{"a":2}"#));
    }

    #[test]
    fn what_is_not_strict_is_refused() {
        for text in
            ["{'a':1}", r#"{"a":1,}"#, r#""\d""#, "\"a\nb\"", "NaN", "01", "1.", ".5", "[1,]", "tru", "", "{} x", "+1", r#""\u12g4""#]
        {
            assert!(Json::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_repeated_key_is_noted_in_its_own_object_only() {
        let noted = |text: &str| Json::parse_noting(text).unwrap().1;
        assert_eq!(noted(r#"{"a":1,"a":2}"#), Some(10));
        assert_eq!(noted(r#"{"a":1,"b":{"é":1,"\u00e9":2}}"#), Some(27));
        assert_eq!(noted(r#"{"a":{"a":1},"b":[{"a":1},{"a":2}]}"#), None);
    }

    #[test]
    fn nesting_has_a_limit() {
        let nest = |n: usize| format!("{}{}", "[".repeat(n), "]".repeat(n));
        assert!(Json::parse(&nest(MAX_DEPTH)).is_ok());
        assert!(Json::parse(&nest(MAX_DEPTH + 2)).is_err());
    }
}
