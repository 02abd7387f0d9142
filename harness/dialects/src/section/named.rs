//! `named`: a name between markers, then one JSON object.

use serde::Deserialize;
use streakstone_model::{HeaderPart, NamedCalls};

use crate::check::Check;

/// [`NamedCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedSection {
    open: Option<Vec<String>>,
    close: Option<Vec<String>>,
    unit: Option<Vec<String>>,
    unit_close: Option<Vec<String>>,
    header: Option<Vec<Part>>,
    fence: Option<Fence>,
    separator: Option<String>,
    text: Option<String>,
    lists: Option<bool>,
    closed: Option<bool>,
}

/// [`HeaderPart`] as a file writes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Part {
    Text(Vec<String>),
    Maybe(Vec<String>),
    Space(String),
    Name,
    NameInId,
    Id,
    MaybeId(String),
    MaybeElement([String; 2]),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fence {
    open: Vec<String>,
    close: String,
}

impl NamedSection {
    pub fn over(self, base: Option<NamedCalls>, check: &mut Check) -> NamedCalls {
        let mut calls = base.unwrap_or(NamedCalls::NONE);
        for (at, from, to) in [
            ("named.open", self.open, &mut calls.open),
            ("named.close", self.close, &mut calls.close),
            ("named.unit", self.unit, &mut calls.unit),
            ("named.unit_close", self.unit_close, &mut calls.unit_close),
        ] {
            if let Some(texts) = from {
                *to = check.markers(at, texts);
            }
        }
        if let Some(header) = self.header {
            let header: Vec<HeaderPart> = header.into_iter().map(|part| part.checked(check)).collect();
            let names = header.iter().filter(|part| matches!(part, HeaderPart::Name | HeaderPart::NameInId)).count();
            if names != 1 {
                check.fault("named.header", format!("has {names} names; a call has one: exactly one of `name` and `name_in_id`"));
            }
            calls.header = Check::list(header);
        }
        if let Some(fence) = self.fence {
            let (open, close) = (check.markers("named.fence.open", fence.open), check.marker("named.fence.close", fence.close));
            check.begin("named.fence.open", open, '`');
            calls.fence = Some((open, close));
        }
        if let Some(separator) = self.separator {
            calls.separator = check.space("named.separator", separator);
        }
        if let Some(parameter) = self.text {
            calls.text = Some(check.marker("named.text", parameter));
            check.begin("named.unit_close", calls.unit_close, '<');
        }
        calls.lists = self.lists.unwrap_or(calls.lists);
        calls.closed = self.closed.unwrap_or(calls.closed);
        calls
    }
}

impl Part {
    fn checked(self, check: &mut Check) -> HeaderPart {
        let at = "named.header";
        match self {
            Self::Text(texts) => HeaderPart::Text(some(texts, check)),
            Self::Maybe(texts) => HeaderPart::Maybe(some(texts, check)),
            Self::Space(text) => HeaderPart::Space(check.space(at, text)),
            Self::Name => HeaderPart::Name,
            Self::NameInId => HeaderPart::NameInId,
            Self::Id => HeaderPart::Id,
            Self::MaybeId(text) => HeaderPart::MaybeId(check.marker(at, text)),
            Self::MaybeElement(pair) => HeaderPart::MaybeElement(check.pair(at, pair)),
        }
    }
}

fn some(texts: Vec<String>, check: &mut Check) -> &'static [&'static str] {
    if texts.is_empty() {
        check.fault("named.header", "a part without a spelling; give one, or leave the part out");
    }
    check.markers("named.header", texts)
}
