//! What a YAML or JSON file holds, with the place of every key and value. Numbers keep their own text.

use std::collections::HashMap;
use std::fmt::Write as _;

use streakstone_model::nearest;

use crate::load::report::FileReport;

/// Line and column, from 1; columns count characters.
pub(crate) type Place = (usize, usize);

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub place: Place,
    pub value: Value,
}

/// A key and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Key {
    pub text: String,
    pub place: Place,
    /// A YAML merge key, written plain.
    pub merge: bool,
}

/// A value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Bool(bool),
    /// The text of a JSON number, digits kept.
    Number(String),
    /// A plain scalar that YAML reads as a number and JSON does not (`0x1F`, `007`, `1_000`, `.nan`).
    OddNumber(String),
    String(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

impl Value {
    /// What it is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) | Self::OddNumber(_) => "a number",
            Self::String(_) => "a string",
            Self::List(_) => "a list",
            Self::Map(_) => "a mapping",
        }
    }
}

impl Node {
    pub fn is_null(&self) -> bool {
        self.value == Value::Null
    }

    pub fn string(&self) -> Option<&str> {
        if let Value::String(s) = &self.value { Some(s) } else { None }
    }

    /// The node as JSON text, compact, numbers as written.
    pub fn json(&self) -> Result<String, (Place, String)> {
        let mut out = String::new();
        self.write_json(&mut out)?;
        Ok(out)
    }

    fn write_json(&self, out: &mut String) -> Result<(), (Place, String)> {
        match &self.value {
            Value::Null => out.push_str("null"),
            Value::Bool(true) => out.push_str("true"),
            Value::Bool(false) => out.push_str("false"),
            Value::Number(text) => out.push_str(text),
            Value::OddNumber(text) => {
                return Err((self.place, format!("`{text}` is no JSON number; quote it if it is a string, or use `arguments_json`")));
            }
            Value::String(text) => quote(out, text),
            Value::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write_json(out)?;
                }
                out.push(']');
            }
            Value::Map(members) => {
                out.push('{');
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    quote(out, &key.text);
                    out.push(':');
                    value.write_json(out)?;
                }
                out.push('}');
            }
        }
        Ok(())
    }

    /// The node as a `serde_json` value.
    pub fn value(&self) -> Result<serde_json::Value, (Place, String)> {
        serde_json::from_str(&self.json()?).map_err(|e| (self.place, format!("cannot be held as JSON: {e}")))
    }

    /// Tells of every repeated key and every YAML merge key in the tree.
    pub fn repeated_keys(&self, tell: &mut dyn FnMut(Place, &str)) {
        match &self.value {
            Value::List(items) => items.iter().for_each(|item| item.repeated_keys(tell)),
            Value::Map(members) => {
                let mut seen: HashMap<&str, Place> = HashMap::new();
                for (key, value) in members {
                    if key.merge {
                        tell(key.place, "the YAML merge key `<<` is not read; write the keys out (or quote it if it is a name)");
                    }
                    if let Some((line, _)) = seen.insert(&key.text, key.place) {
                        tell(key.place, &format!("duplicate key `{}`, first on line {line}; keep one", key.text));
                    }
                    value.repeated_keys(tell);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::OddNumber(_) | Value::String(_) => {}
        }
    }
}

/// A JSON string with the escapes JSON asks for and no more.
fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if c < ' ' => {
                // Writing to a String does not fail.
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The members of a mapping, taken by name; what was not asked for is unknown.
pub(crate) struct Fields<'n> {
    pub place: Place,
    what: &'static str,
    known: &'static [&'static str],
    members: &'n [(Key, Node)],
}

impl<'n> Fields<'n> {
    /// The fields of `node`, which `what` names in messages. Unknown keys are reported at once.
    pub fn of(node: &'n Node, what: &'static str, known: &'static [&'static str], report: &mut FileReport<'_>) -> Option<Self> {
        let Value::Map(members) = &node.value else {
            report.at(node.place, format!("{what} must be a mapping with the keys {}, not {}", known.join(", "), node.value.kind()));
            return None;
        };
        for (key, _) in members {
            if !known.contains(&key.text.as_str()) {
                let hint = nearest(&key.text, known.iter().copied()).unwrap_or("");
                report.at(
                    key.place,
                    format!("unknown key `{}` in {what}; did you mean `{hint}`? The keys are {}", key.text, known.join(", ")),
                );
            }
        }
        Some(Self { place: node.place, what, known, members })
    }

    /// The value of a key, whatever it is.
    pub fn raw(&self, key: &str) -> Option<&'n Node> {
        debug_assert!(self.known.contains(&key), "{key} is not declared for {}", self.what);
        self.members.iter().find(|(k, _)| k.text == key).map(|(_, node)| node)
    }

    /// The value of a key that may be absent; null counts as absent.
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.raw(key).filter(|node| !node.is_null())
    }

    /// The string of a key that may be absent.
    pub fn string(&self, key: &'static str, report: &mut FileReport<'_>) -> Option<&'n str> {
        let node = self.get(key)?;
        let text = node.string();
        if text.is_none() {
            report.at(node.place, format!("`{key}` must be a string, not {}; put it in quotes", node.value.kind()));
        }
        text
    }

    /// The boolean of a key that may be absent.
    pub fn boolean(&self, key: &'static str, default: bool, report: &mut FileReport<'_>) -> bool {
        match self.get(key) {
            None => default,
            Some(Node { value: Value::Bool(value), .. }) => *value,
            Some(node) => {
                report.at(node.place, format!("`{key}` must be true or false, not {}", node.value.kind()));
                default
            }
        }
    }

    /// The items of a list that may be absent.
    pub fn list(&self, key: &'static str, report: &mut FileReport<'_>) -> Option<&'n [Node]> {
        let node = self.get(key)?;
        if let Value::List(items) = &node.value {
            return Some(items);
        }
        report.at(node.place, format!("`{key}` must be a list, not {}", node.value.kind()));
        None
    }

    /// One word of a closed list; the default if absent.
    pub fn word<T: Copy>(&self, key: &'static str, words: &[(&'static str, T)], default: T, report: &mut FileReport<'_>) -> T {
        let Some(text) = self.string(key, report) else { return default };
        if let Some((_, value)) = words.iter().find(|(word, _)| *word == text) {
            return *value;
        }
        let all: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        let place = self.raw(key).map_or(self.place, |n| n.place);
        report.at(place, format!("`{key}` must be one of {}, not `{text}`", all.join(", ")));
        default
    }
}
