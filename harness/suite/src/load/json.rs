//! Reads JSON corpus files with `serde_json`. Raw values borrow from the text, so that their address tells their place and their
//! bytes keep the digits of numbers.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::load::Syntax;
use crate::load::node::{Key, Node, Place, Value};
use crate::load::yaml::MAX_DEPTH;

/// Reads one JSON document.
pub(crate) fn parse(text: &str) -> Result<Node, Syntax> {
    let source = Source::new(text);
    let raw: &RawValue = serde_json::from_str(text).map_err(|e| source.fault(0, &e))?;
    source.node(raw, 0)
}

struct Source<'t> {
    text: &'t str,
    /// Offset of each line's first byte.
    lines: Vec<usize>,
}

impl<'t> Source<'t> {
    fn new(text: &'t str) -> Self {
        let lines = std::iter::once(0).chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1));
        Self { text, lines: lines.collect() }
    }

    fn place(&self, offset: usize) -> Place {
        let line = self.lines.partition_point(|&start| start <= offset).saturating_sub(1);
        let before = self.text.get(self.lines[line]..offset).unwrap_or("");
        (line + 1, before.chars().count() + 1)
    }

    /// Offset of a slice that borrows from the text.
    fn offset(&self, slice: &str) -> usize {
        (slice.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize).min(self.text.len())
    }

    /// An error of `serde_json` in the slice that begins at `base`.
    fn fault(&self, base: usize, error: &serde_json::Error) -> Syntax {
        let slice = self.text.get(base..).unwrap_or("");
        let start: usize = slice.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
        let mut offset = (base + start + error.column().saturating_sub(1)).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let (line, column) = self.place(offset);
        let said = error.to_string();
        let said = said.split(" at line ").next().unwrap_or(&said);
        Syntax { line, column, message: format!("not JSON: {said}; the file begins with a bracket, so it is read as JSON") }
    }

    fn node(&self, raw: &'t RawValue, depth: usize) -> Result<Node, Syntax> {
        let text = raw.get();
        let base = self.offset(text);
        let place = self.place(base);
        if depth > MAX_DEPTH {
            return Err(Syntax {
                line: place.0,
                column: place.1,
                message: format!("nested deeper than {MAX_DEPTH}; write deep arguments as `arguments_json`"),
            });
        }
        let fault = |e| self.fault(base, &e);
        let value = match text.as_bytes().first() {
            Some(b'n') => Value::Null,
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'"') => Value::String(serde_json::from_str(text).map_err(fault)?),
            Some(b'[') => {
                let items: Vec<&'t RawValue> = serde_json::from_str(text).map_err(fault)?;
                Value::List(items.into_iter().map(|item| self.node(item, depth + 1)).collect::<Result<_, _>>()?)
            }
            Some(b'{') => {
                let Members(members) = serde_json::from_str(text).map_err(fault)?;
                let members = members.into_iter().map(|(key, value)| {
                    let at = self.offset(key.get());
                    let text = serde_json::from_str(key.get()).map_err(|e| self.fault(at, &e))?;
                    Ok((Key { text, place: self.place(at), merge: false }, self.node(value, depth + 1)?))
                });
                Value::Map(members.collect::<Result<_, _>>()?)
            }
            _ => Value::Number(text.to_owned()),
        };
        Ok(Node { place, value })
    }
}

/// All members of an object, repeated keys too.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for Members<'t> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All<'t>(std::marker::PhantomData<&'t ()>);
        impl<'de: 't, 't> Visitor<'de> for All<'t> {
            type Value = Members<'t>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'t>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(All(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_digits_order_and_characters() {
        let text =
            "{\"b\": [1e999, 9007199254740993, -0.0], \"a\": \"\\u2028 👩 \\ud83d\\udc69 \u{2028}\", \"c\": {\"x\": null, \"y\": true}}";
        let want = "{\"b\":[1e999,9007199254740993,-0.0],\"a\":\"\u{2028} 👩 👩 \u{2028}\",\"c\":{\"x\":null,\"y\":true}}";
        assert_eq!(parse(text).unwrap().json().unwrap(), want);
    }

    #[test]
    fn places_are_those_of_the_file() {
        let Value::Map(members) = parse("{\n  \"é\": 1, \"b\": {\n  \"c\": 2}}").unwrap().value else { panic!("no map") };
        assert_eq!((members[1].0.place, members[1].1.place), ((2, 11), (2, 16)));
        let Value::Map(inner) = &members[1].1.value else { panic!("no map") };
        assert_eq!((inner[0].0.place, inner[0].1.place), ((3, 3), (3, 8)));
    }

    #[test]
    fn errors_have_a_place() {
        let error = parse("{\n  \"a\": [1, 2,]\n}").unwrap_err();
        assert_eq!((error.line, error.column), (2, 14), "{}", error.message);
        assert!(error.message.starts_with("not JSON: expected value"), "{}", error.message);
        let error = parse("{\n  \"a\":\n \"x\\ud800y\"}").unwrap_err();
        assert_eq!(error.line, 3, "{}", error.message);
        assert!(parse(&format!("{}{}", "[".repeat(1000), "]".repeat(1000))).unwrap_err().message.contains("nested deeper"));
    }

    #[test]
    fn repeated_keys_are_seen() {
        let mut told = Vec::new();
        parse("{\"a\": 1,\n \"a\": 2}").unwrap().repeated_keys(&mut |place, message| told.push((place, message.to_owned())));
        assert_eq!(told, [((2, 2), "duplicate key `a`, first on line 1; keep one".to_owned())]);
    }
}
