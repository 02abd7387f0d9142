//! `tags`: a tag opens and names the call, tags hold its parameters.

use serde::Deserialize;
use streakstone_model::{GrammarId, TagCalls};

use crate::check::Check;

/// [`TagCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TagSection {
    blocks: Option<Vec<[String; 2]>>,
    unit: Option<[String; 2]>,
    parameter: Option<[String; 2]>,
    parameter_closes: Option<Vec<String>>,
    attributes: Option<bool>,
    newlines: Option<bool>,
}

impl TagSection {
    pub fn over(self, base: Option<TagCalls>, check: &mut Check) -> TagCalls {
        let mut calls = base.unwrap_or(TagCalls {
            id: GrammarId::TagEquals,
            blocks: &[],
            unit: ["", ""],
            parameter: ["", ""],
            parameter_closes: &[],
            attributes: false,
            newlines: false,
        });
        if let Some(blocks) = self.blocks {
            let blocks = blocks.into_iter().enumerate().map(|(index, block)| check.pair(&format!("tags.blocks[{index}]"), block));
            calls.blocks = Check::list(blocks.collect::<Vec<_>>());
        }
        for (at, from, to) in [("tags.unit", self.unit, &mut calls.unit), ("tags.parameter", self.parameter, &mut calls.parameter)] {
            match from {
                Some(pair) => *to = check.pair(at, pair),
                None if to[0].is_empty() => check.fault(at, "is missing; give the opener up to the name, and the closer"),
                None => {}
            }
        }
        if let Some(closes) = self.parameter_closes {
            calls.parameter_closes = check.markers("tags.parameter_closes", closes);
        }
        calls.newlines = self.newlines.unwrap_or(calls.newlines);
        if let Some(attributes) = self.attributes {
            calls.attributes = attributes;
            calls.id = if attributes { GrammarId::InvokeTyped } else { GrammarId::TagEquals };
        }
        calls
    }
}
