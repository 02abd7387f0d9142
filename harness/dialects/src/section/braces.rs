//! `braces`: a name, then bare keys and values in braces.

use serde::Deserialize;
use streakstone_model::BraceCalls;

use crate::check::Check;

/// [`BraceCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BraceSection {
    open: Option<Vec<String>>,
    close: Option<Vec<String>>,
    heads: Option<Vec<String>>,
    quote: Option<String>,
    words: Option<bool>,
}

/// Braces without anything.
const PLAIN: BraceCalls = BraceCalls { open: &[], close: &[], heads: &[], quote: "", words: false };

impl BraceSection {
    pub fn over(self, base: Option<BraceCalls>, check: &mut Check) -> BraceCalls {
        let mut calls = base.unwrap_or(PLAIN);
        for (at, from, to) in [
            ("braces.open", self.open, &mut calls.open),
            ("braces.close", self.close, &mut calls.close),
            ("braces.heads", self.heads, &mut calls.heads),
        ] {
            if let Some(texts) = from {
                *to = check.markers(at, texts);
            }
        }
        if let Some(text) = self.quote {
            calls.quote = check.quote("braces.quote", text);
        } else if calls.quote.is_empty() {
            check.fault("braces.quote", "is missing; give the text that stands on both sides of a string");
        }
        calls.words = self.words.unwrap_or(calls.words);
        calls
    }
}
