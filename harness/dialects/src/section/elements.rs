//! `elements`: arguments as a tree of elements.

use serde::Deserialize;
use streakstone_model::{ElementCalls, ElementStyle, GrammarId};

use super::tags::{Attributes, NAMED};
use crate::check::Check;

/// [`ElementCalls`] as a file writes it. Which grammar the elements make follows from their style.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ElementSection {
    blocks: Option<Vec<[String; 2]>>,
    unit: Option<[String; 2]>,
    attributes: Option<Attributes>,
    element: Option<[String; 2]>,
    style: Option<Style>,
    lines: Option<bool>,
}

/// [`ElementStyle`] as a file writes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Style {
    Named(Named),
    Typed,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Named {
    item: String,
    text: String,
}

/// Elements without anything.
const PLAIN: ElementCalls = ElementCalls {
    id: GrammarId::NestedElements,
    blocks: &[],
    unit: ["", ""],
    attributes: NAMED,
    element: ["", ""],
    style: ElementStyle::Named { item: "item", text: "$text" },
    lines: false,
};

impl ElementSection {
    pub fn over(self, base: Option<&ElementCalls>, check: &mut Check) -> ElementCalls {
        let mut calls = base.copied().unwrap_or(PLAIN);
        if let Some(blocks) = self.blocks {
            let blocks = blocks.into_iter().enumerate().map(|(index, block)| check.pair(&format!("elements.blocks[{index}]"), block));
            calls.blocks = Check::list(blocks.collect::<Vec<_>>());
        }
        for (at, from, to) in [("elements.unit", self.unit, &mut calls.unit), ("elements.element", self.element, &mut calls.element)] {
            match from {
                Some(pair) => *to = check.pair(at, pair),
                None if to[0].is_empty() => check.fault(at, "is missing; give the opener up to its name or attributes, and the closer"),
                None => {}
            }
        }
        if let Some(first) = calls.unit[0].chars().next() {
            check.begin("elements.unit", &calls.unit, first);
            check.begin("elements.element", &calls.element, first);
        }
        if let Some(attributes) = self.attributes {
            calls.attributes = attributes.over("elements.attributes", calls.attributes, check);
        }
        match self.style {
            None => {}
            Some(Style::Typed) => (calls.id, calls.style) = (GrammarId::InvokeTyped, ElementStyle::Typed),
            Some(Style::Named(Named { item, text })) => {
                let (item, text) = (check.marker("elements.style.named.item", item), check.marker("elements.style.named.text", text));
                (calls.id, calls.style) = (GrammarId::NestedElements, ElementStyle::Named { item, text });
            }
        }
        calls.lines = self.lines.unwrap_or(calls.lines);
        calls
    }
}
