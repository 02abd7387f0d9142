//! The shape of a template: its keys, typed, and the two ways to write an opener or closer.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::pattern::{Piece, pieces};
use crate::error::Fault;

/// The template as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Spec {
    version: Option<u64>,
    #[expect(dead_code, reason = "the message's constant keys; a reply has none")]
    defaults: Option<Map<String, Value>>,
    fields: Map<String, Value>,
    #[expect(dead_code, reason = "finds the reply in a prompt; our texts begin with the reply")]
    start_anchor: Option<Value>,
    #[expect(dead_code, reason = "the same as a pattern")]
    start_anchor_pattern: Option<String>,
}

/// A field as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    open: Option<Value>,
    open_pattern: Option<String>,
    close: Option<Value>,
    close_pattern: Option<String>,
    content: Option<Content>,
    content_args: Option<Map<String, Value>>,
    #[expect(dead_code, reason = "our calls and texts always repeat")]
    repeats: Option<bool>,
    #[expect(dead_code, reason = "texts are parts of the reply and are not joined by anything")]
    join: Option<String>,
    #[expect(dead_code, reason = "no field is required of a reply")]
    optional: Option<bool>,
    transform: Option<Value>,
    transform_each: Option<bool>,
}

/// How the content of a field is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Content {
    Text,
    Int,
    Float,
    Bool,
    Json,
    XmlInline,
    KvLines,
    PythonCallList,
}

/// A field, read.
#[derive(Debug)]
pub(super) struct Field {
    pub name: String,
    /// The keys that lead to it.
    pub at: String,
    pub open: Option<Anchor>,
    pub close: Option<Anchor>,
    pub content: Content,
    pub args: Map<String, Value>,
    pub transform: Option<Value>,
    pub each: bool,
}

/// What opens or closes a field.
#[derive(Debug)]
pub(super) struct Anchor {
    /// The key it stands under.
    pub key: &'static str,
    pub pieces: Vec<Piece>,
}

impl Spec {
    /// The fields of a template.
    pub fn fields(template: &Value) -> Result<Vec<Field>, Vec<Fault>> {
        let spec = Self::deserialize(template).map_err(|e| vec![Fault::of_file(format!("no response template of transformers: {e}"))])?;
        if spec.version.is_some_and(|version| version != 1) {
            return Err(vec![Fault::new("version", "only version 1 is known; write a dialect file for this model")]);
        }
        let fields = spec.fields.iter().map(|(name, value)| Field::of(name, value));
        let (good, bad): (Vec<_>, Vec<_>) = fields.partition(Result::is_ok);
        if bad.is_empty() { Ok(good.into_iter().flatten().collect()) } else { Err(bad.into_iter().filter_map(Result::err).collect()) }
    }
}

impl Field {
    fn of(name: &str, value: &Value) -> Result<Self, Fault> {
        let at = format!("fields.{name}");
        let written = Written::deserialize(value).map_err(|e| Fault::new(&at, format!("no field of a response template: {e}")))?;
        let open = Anchor::of(&at, ["open", "open_pattern"], written.open, written.open_pattern)?;
        let close = Anchor::of(&at, ["close", "close_pattern"], written.close, written.close_pattern)?;
        Ok(Self {
            name: name.to_owned(),
            at,
            open,
            close,
            content: written.content.unwrap_or(Content::Text),
            args: written.content_args.unwrap_or_default(),
            transform: written.transform,
            each: written.transform_each.unwrap_or(false),
        })
    }

    /// A fault at one of its keys.
    pub fn fault(&self, key: &str, message: impl Into<String>) -> Fault {
        Fault::new(&format!("{}.{key}", self.at), message)
    }

    /// Refuses a field whose content is no text, or text that is changed.
    pub fn is_text(&self) -> Result<(), Fault> {
        if self.content != Content::Text {
            return Err(self.fault("content", "only `text` is read here; text and reasoning have no inner structure"));
        }
        if self.transform.is_some() {
            return Err(self.fault("transform", "text and reasoning are not restructured; remove it"));
        }
        self.only_args(&["strip"])
    }

    /// Refuses arguments of the content parser that are not in `known`.
    pub fn only_args(&self, known: &[&str]) -> Result<(), Fault> {
        match self.args.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(self.fault(
                &format!("content_args.{key}"),
                "no row of data says this; if texts read well without it, remove it and try, else write a dialect file",
            )),
            None => Ok(()),
        }
    }
}

impl Anchor {
    fn of(at: &str, keys: [&'static str; 2], literal: Option<Value>, pattern: Option<String>) -> Result<Option<Self>, Fault> {
        let fault = |key: &str, message: String| Fault::new(&format!("{at}.{key}"), message);
        match (literal, pattern) {
            (None, None) => Ok(None),
            (Some(_), Some(_)) => Err(fault(keys[1], format!("stands beside `{}`; keep one of the two", keys[0]))),
            (None, Some(pattern)) => {
                let pieces = pieces(&pattern).map_err(|message| fault(keys[1], message))?;
                Ok(Some(Self { key: keys[1], pieces }))
            }
            (Some(value), None) => {
                let texts = match value {
                    Value::String(text) => Some(vec![text]),
                    Value::Array(items) => items.into_iter().map(|item| item.as_str().map(str::to_owned)).collect(),
                    _ => None,
                };
                match texts.as_deref() {
                    // White space at the ends of a marker: our rules of white space decide there.
                    Some(texts) if !texts.is_empty() && texts.iter().all(|text| !text.trim().is_empty()) => {
                        let texts = texts.iter().map(|text| text.trim().to_owned()).collect();
                        Ok(Some(Self { key: keys[0], pieces: vec![Piece::OneOf(texts)] }))
                    }
                    _ => Err(fault(keys[0], "must be a text, or a list of texts, none empty or white space only".to_owned())),
                }
            }
        }
    }

    /// The literals that it is one of.
    pub fn literals(&self, field: &Field) -> Result<Vec<String>, Fault> {
        match self.pieces.as_slice() {
            [Piece::Text(text)] => Ok(vec![text.clone()]),
            [Piece::OneOf(texts)] => Ok(texts.clone()),
            _ => Err(field.fault(self.key, "a marker here is a literal or one of several literals; write it so, or write a dialect file")),
        }
    }
}
