//! `tags`: a tag opens and names the call, tags hold its parameters.

use serde::Deserialize;
use streakstone_model::{GrammarId, TagAttributes, TagCalls, TagJson, TagPairs, TagStyle};

use crate::check::Check;

/// [`TagCalls`] as a file writes it. Which grammar the tags make follows from their style.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TagSection {
    blocks: Option<Vec<[String; 2]>>,
    frame: Option<[String; 2]>,
    unit: Option<[String; 2]>,
    parameter: Option<[String; 2]>,
    parameter_closes: Option<Vec<String>>,
    style: Option<Style>,
    json: Option<Json>,
    newlines: Option<bool>,
    lines: Option<bool>,
    cdata: Option<bool>,
    suffix: Option<bool>,
}

/// [`TagStyle`] as a file writes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Style {
    Equals,
    Attributes(Attributes),
    Pairs(Pairs),
}

/// [`TagAttributes`] as a file writes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Attributes {
    name: Option<String>,
    key: Option<String>,
    kind: Option<String>,
    kinds: Option<[String; 2]>,
    end: Option<String>,
    entities: Option<Vec<[String; 2]>>,
}

/// [`TagPairs`] as a file writes it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairs {
    separator: Option<String>,
    key_end: Option<String>,
    kind: Option<[String; 2]>,
    value: Option<String>,
}

/// [`TagJson`] as a file writes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Json {
    No,
    Arguments,
    Element([String; 2]),
    Block,
    Unit,
}

/// `name="..."`, typed by the schema.
pub(crate) const NAMED: TagAttributes = TagAttributes { name: "name", key: "name", kind: "", kinds: ["", ""], end: ">", entities: &[] };

/// Tags without anything.
pub(crate) const PLAIN: TagCalls = TagCalls {
    id: GrammarId::TagEquals,
    blocks: &[],
    frame: ["", ""],
    unit: ["", ""],
    parameter: ["", ""],
    parameter_closes: &[],
    style: TagStyle::Equals,
    json: TagJson::No,
    newlines: false,
    lines: false,
    cdata: false,
    suffix: false,
};

impl TagSection {
    /// The calls; `at` is the key of the section.
    pub fn over(self, at: &str, base: Option<&TagCalls>, check: &mut Check) -> TagCalls {
        let mut calls = base.copied().unwrap_or(PLAIN);
        if let Some(blocks) = self.blocks {
            let blocks = blocks.into_iter().enumerate().map(|(index, block)| check.pair(&format!("{at}.blocks[{index}]"), block));
            calls.blocks = Check::list(blocks.collect::<Vec<_>>());
        }
        if let Some([open, close]) = self.frame {
            let at = format!("{at}.frame");
            calls.frame = [check.optional(&at, open), check.optional(&at, close)];
        }
        for (key, from, to) in [("unit", self.unit, &mut calls.unit), ("parameter", self.parameter, &mut calls.parameter)] {
            let at = format!("{at}.{key}");
            match from {
                Some(pair) => *to = check.tags(&at, pair),
                None if to[0].is_empty() => check.fault(&at, "is missing; give the opener up to the name, and the closer"),
                None => {}
            }
        }
        if let Some(closes) = self.parameter_closes {
            let at = format!("{at}.parameter_closes");
            calls.parameter_closes = check.markers(&at, closes);
            check.begin(&at, calls.parameter_closes, '<');
        }
        if let Some(style) = self.style {
            calls.style = style.over(&format!("{at}.style"), calls.style, check);
            calls.id = id(calls.style);
        }
        match self.json {
            None => {}
            Some(Json::No) => calls.json = TagJson::No,
            Some(Json::Arguments) => calls.json = TagJson::Arguments,
            Some(Json::Element(tags)) => calls.json = TagJson::Element(check.tags(&format!("{at}.json.element"), tags)),
            Some(Json::Block) => calls.json = TagJson::Block,
            Some(Json::Unit) => calls.json = TagJson::Unit,
        }
        for (from, to) in [
            (self.newlines, &mut calls.newlines),
            (self.lines, &mut calls.lines),
            (self.cdata, &mut calls.cdata),
            (self.suffix, &mut calls.suffix),
        ] {
            *to = from.unwrap_or(*to);
        }
        calls
    }
}

/// The grammar that tags of a style make.
pub(crate) fn id(style: TagStyle) -> GrammarId {
    match style {
        TagStyle::Equals => GrammarId::TagEquals,
        TagStyle::Attributes(of) if of.kind.is_empty() => GrammarId::InvokeAttr,
        TagStyle::Attributes(_) => GrammarId::InvokeTyped,
        TagStyle::Pairs(_) => GrammarId::KeyValuePairs,
    }
}

impl Style {
    fn over(self, at: &str, base: TagStyle, check: &mut Check) -> TagStyle {
        match self {
            Self::Equals => TagStyle::Equals,
            Self::Attributes(own) => {
                let base = if let TagStyle::Attributes(of) = base { of } else { NAMED };
                TagStyle::Attributes(own.over(&format!("{at}.attributes"), base, check))
            }
            Self::Pairs(own) => {
                let plain = TagPairs { separator: "", key_end: "", kind: ["", ""], value: "" };
                let mut of = if let TagStyle::Pairs(of) = base { of } else { plain };
                for (key, from, to) in [("separator", own.separator, &mut of.separator), ("value", own.value, &mut of.value)] {
                    if let Some(text) = from {
                        let at = format!("{at}.pairs.{key}");
                        *to = check.optional(&at, text);
                        check.begin(&at, &[*to], '<');
                    }
                }
                let key_end = format!("{at}.pairs.key_end");
                match own.key_end {
                    Some(text) => {
                        of.key_end = check.marker(&key_end, text);
                        check.begin(&key_end, &[of.key_end], '<');
                    }
                    None if of.key_end.is_empty() => check.fault(&key_end, "is missing; give the text that ends a key"),
                    None => {}
                }
                if let Some(kind) = own.kind {
                    of.kind = kind.map(|text| check.optional(&format!("{at}.pairs.kind"), text));
                }
                TagStyle::Pairs(of)
            }
        }
    }
}

impl Attributes {
    /// The attributes; `at` is their key.
    pub fn over(self, at: &str, base: TagAttributes, check: &mut Check) -> TagAttributes {
        let mut of = base;
        for (key, from, to) in [("name", self.name, &mut of.name), ("key", self.key, &mut of.key), ("end", self.end, &mut of.end)] {
            if let Some(text) = from {
                *to = check.marker(&format!("{at}.{key}"), text);
            }
        }
        if let Some(kind) = self.kind {
            of.kind = check.optional(&format!("{at}.kind"), kind);
        }
        if let Some(kinds) = self.kinds {
            of.kinds = kinds.map(Check::text);
        }
        if let Some(entities) = self.entities {
            let pairs = entities.into_iter().map(|[entity, text]| (check.marker(&format!("{at}.entities"), entity), Check::text(text)));
            of.entities = Check::list(pairs.collect::<Vec<_>>());
        }
        of
    }
}
