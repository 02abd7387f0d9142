//! A JSON object whose members are kept as they were written: editing one leaves all others exact, numbers too.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// Members in order, each value as JSON text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Object {
    members: Vec<(String, String)>,
}

impl Object {
    /// Reads an object; `None` if `text` is none.
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The text of a member.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.members.iter().rev().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    /// The member, if it is an object.
    pub fn object(&self, key: &str) -> Option<Self> {
        self.get(key).and_then(Self::parse)
    }

    /// The texts of a member's elements, if it is an array.
    pub fn array(&self, key: &str) -> Option<Vec<String>> {
        self.get(key).and_then(elements)
    }

    /// The member, if it is a string.
    pub fn string(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.get(key)?).ok()
    }

    /// True if the member is there and no `null`.
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| value != "null")
    }

    /// Sets a member to JSON text, in its place or at the end.
    pub fn set(&mut self, key: &str, json: impl Into<String>) {
        match self.members.iter_mut().find(|(own, _)| own == key) {
            Some((_, value)) => *value = json.into(),
            None => self.members.push((key.to_owned(), json.into())),
        }
    }

    /// Sets a member to a string.
    pub fn set_string(&mut self, key: &str, text: &str) {
        self.set(key, string(text));
    }

    /// Takes a member out.
    pub fn remove(&mut self, key: &str) {
        self.members.retain(|(own, _)| own != key);
    }

    /// Names and texts of the members.
    pub fn members(&self) -> impl Iterator<Item = (&str, &str)> {
        self.members.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (at, (key, value)) in self.members.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}{}:{value}", string(key))?;
        }
        f.write_str("}")
    }
}

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut object = Object::default();
                while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
                    object.members.push((key, value.get().to_owned()));
                }
                Ok(object)
            }
        }
        deserializer.deserialize_map(Members)
    }
}

/// The texts of an array's elements.
pub(crate) fn elements(text: &str) -> Option<Vec<String>> {
    let list: Vec<&RawValue> = serde_json::from_str(text).ok()?;
    Some(list.into_iter().map(|value| value.get().to_owned()).collect())
}

/// The array of these elements.
pub(crate) fn array<S: AsRef<str>>(elements: &[S]) -> String {
    let joined: Vec<&str> = elements.iter().map(AsRef::as_ref).collect();
    format!("[{}]", joined.join(","))
}

/// A JSON string.
pub(crate) fn string(text: &str) -> String {
    Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_edited_stays_as_it_was_written() {
        let mut object = Object::parse("{ \"a\" : 9007199254740993.10 , \"é\\n\":[1e999], \"b\":{} }").unwrap();
        object.set_string("b", "x\"");
        object.set("c", "null");
        assert_eq!(object.to_string(), "{\"a\":9007199254740993.10,\"é\\n\":[1e999],\"b\":\"x\\\"\",\"c\":null}");
        assert!(!object.has("c") && object.has("a"));
        assert_eq!(object.array("é\n").unwrap(), ["1e999"]);
    }

    #[test]
    fn what_is_no_object_is_none() {
        for text in ["", "[]", "1", "{", "{\"a\":1} x", "{\"a\":01}"] {
            assert_eq!(Object::parse(text), None, "{text}");
        }
    }
}
