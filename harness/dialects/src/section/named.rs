//! `named`: a name between markers, then one JSON object.

use serde::Deserialize;
use streakstone_model::NamedCalls;

use crate::check::Check;

/// [`NamedCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NamedSection {
    open: Option<String>,
    close: Option<String>,
    call_id: Option<String>,
    args: Option<String>,
    list: Option<bool>,
}

impl NamedSection {
    pub fn over(self, base: Option<NamedCalls>, check: &mut Check) -> NamedCalls {
        let mut calls = base.unwrap_or(NamedCalls { open: "", close: "", call_id: "", args: "", list: false });
        for (at, from, to) in [
            ("named.open", self.open, &mut calls.open),
            ("named.close", self.close, &mut calls.close),
            ("named.call_id", self.call_id, &mut calls.call_id),
            ("named.args", self.args, &mut calls.args),
        ] {
            if let Some(text) = from {
                *to = check.optional(at, text);
            }
        }
        calls.list = self.list.unwrap_or(calls.list);
        calls
    }
}
