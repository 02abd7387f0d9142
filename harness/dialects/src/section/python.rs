//! `python`: calls in Python's syntax.

use serde::Deserialize;
use streakstone_model::{PythonCalls, PythonShape};

use crate::check::Check;

/// [`PythonCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PythonSection {
    open: Option<Vec<String>>,
    close: Option<Vec<String>>,
    bare: Option<bool>,
    shape: Option<Shape>,
}

/// [`PythonShape`] as a file writes it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    List,
    Lines,
    Dicts,
}

impl PythonSection {
    pub fn over(self, base: Option<PythonCalls>, check: &mut Check) -> PythonCalls {
        let mut calls = base.unwrap_or(PythonCalls { open: &[], close: &[], bare: false, shape: PythonShape::List });
        if let Some(open) = self.open {
            calls.open = check.markers("python.open", open);
        }
        if let Some(close) = self.close {
            calls.close = check.markers("python.close", close);
        }
        calls.bare = self.bare.unwrap_or(calls.bare);
        calls.shape = match self.shape {
            Some(Shape::List) => PythonShape::List,
            Some(Shape::Lines) => PythonShape::Lines,
            Some(Shape::Dicts) => PythonShape::Dicts,
            None => calls.shape,
        };
        calls
    }
}
