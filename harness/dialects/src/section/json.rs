//! `json`: JSON call objects.

use serde::Deserialize;
use streakstone_model::{JsonCalls, JsonShape};

use crate::check::Check;

/// [`JsonCalls`] as a file writes it.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JsonSection {
    open: Option<Vec<String>>,
    close: Option<Vec<String>>,
    shape: Option<Shape>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shape {
    Object,
    List,
}

impl JsonSection {
    pub fn over(self, base: Option<JsonCalls>, check: &mut Check) -> JsonCalls {
        let mut calls = base.unwrap_or(JsonCalls { open: &[], close: &[], shape: JsonShape::Object });
        if let Some(open) = self.open {
            calls.open = check.markers("json.open", open);
        }
        if let Some(close) = self.close {
            calls.close = check.markers("json.close", close);
        }
        if let Some(shape) = self.shape {
            calls.shape = match shape {
                Shape::Object => JsonShape::Object,
                Shape::List => JsonShape::List,
            };
        }
        if calls.open.is_empty() && calls.shape == JsonShape::Object {
            check.fault("json.open", "nothing opens an object; give an opener, or `shape: list` for a list that stands bare");
        }
        calls
    }
}
