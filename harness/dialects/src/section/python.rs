//! `python`: calls in Python's syntax.

use serde::Deserialize;
use streakstone_model::PythonCalls;

use crate::check::Check;

/// [`PythonCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PythonSection {
    open: Option<Vec<String>>,
    close: Option<Vec<String>>,
    bare: Option<bool>,
}

impl PythonSection {
    pub fn over(self, base: Option<PythonCalls>, check: &mut Check) -> PythonCalls {
        let mut calls = base.unwrap_or(PythonCalls { open: &[], close: &[], bare: false });
        if let Some(open) = self.open {
            calls.open = check.markers("python.open", open);
        }
        if let Some(close) = self.close {
            calls.close = check.markers("python.close", close);
        }
        calls.bare = self.bare.unwrap_or(calls.bare);
        calls
    }
}
