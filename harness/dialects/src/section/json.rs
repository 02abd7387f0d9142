//! `json`: JSON call objects.

use serde::Deserialize;
use streakstone_model::{JsonCalls, JsonKeys, JsonShape};

use super::TagSection;
use crate::check::Check;

/// [`JsonCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JsonSection {
    open: Option<Vec<String>>,
    weak: Option<Vec<String>>,
    close: Option<Vec<String>>,
    shape: Option<Shape>,
    either: Option<bool>,
    bare: Option<bool>,
    inside: Option<[String; 2]>,
    separator: Option<String>,
    keys: Option<Keys>,
    builtin: Option<bool>,
    pairs: Option<TagSection>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Object,
    List,
}

/// [`JsonKeys`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    name: Option<Vec<String>>,
    arguments: Option<Vec<String>>,
    id: Option<Vec<String>>,
    call: Option<Vec<String>>,
    list: Option<Vec<String>>,
    no_call: Option<Vec<String>>,
}

impl JsonSection {
    pub fn over(self, base: Option<JsonCalls>, check: &mut Check) -> JsonCalls {
        let mut calls = base.unwrap_or(JsonCalls::OBJECTS);
        for (at, from, to) in [
            ("json.open", self.open, &mut calls.open),
            ("json.weak", self.weak, &mut calls.weak),
            ("json.close", self.close, &mut calls.close),
        ] {
            if let Some(texts) = from {
                *to = check.markers(at, texts);
            }
        }
        if let Some(shape) = self.shape {
            calls.shape = match shape {
                Shape::Object => JsonShape::Object,
                Shape::List => JsonShape::List,
            };
        }
        for (from, to) in [(self.either, &mut calls.either), (self.bare, &mut calls.bare), (self.builtin, &mut calls.builtin)] {
            *to = from.unwrap_or(*to);
        }
        if let Some(inside) = self.inside {
            calls.inside = inside.map(|text| check.space("json.inside", text));
        }
        if let Some(text) = self.separator {
            calls.separator = match text.as_bytes() {
                [] => None,
                &[byte] if byte.is_ascii_punctuation() && !b"{}[]\"".contains(&byte) => Some(byte),
                _ => {
                    check.fault("json.separator", format!("`{text}` is not one mark such as `;`, and no bracket or quote"));
                    None
                }
            };
        }
        if let Some(keys) = self.keys {
            calls.keys = Box::leak(Box::new(keys.over(*calls.keys, check)));
        }
        if let Some(pairs) = self.pairs {
            calls.pairs = Some(Box::leak(Box::new(pairs.over("json.pairs", calls.pairs, check))));
        }
        calls
    }
}

impl Keys {
    fn over(self, base: JsonKeys, check: &mut Check) -> JsonKeys {
        let mut keys = base;
        for (at, from, to) in [
            ("json.keys.name", self.name, &mut keys.name),
            ("json.keys.arguments", self.arguments, &mut keys.arguments),
            ("json.keys.id", self.id, &mut keys.id),
            ("json.keys.call", self.call, &mut keys.call),
            ("json.keys.list", self.list, &mut keys.list),
            ("json.keys.no_call", self.no_call, &mut keys.no_call),
        ] {
            if let Some(texts) = from {
                *to = check.markers(at, texts);
            }
        }
        if keys.arguments.is_empty() && !keys.name.is_empty() {
            check.fault("json.keys.arguments", "no key holds the arguments; name one");
        }
        keys
    }
}
