//! The tools that generated replies call, and the kinds of their parameters.

use std::sync::{Arc, LazyLock};

use serde_json::{Value, json};
use streakstone_model::Tool;

/// What a parameter's schema asks for. Every value the generator makes of a kind comes back as itself under the coercion profile
/// `schema` (semantics 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Text,
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// A boolean.
    Boolean,
    /// Only null.
    Null,
    /// A list of integers.
    Integers,
    /// An object with the number `x` and the string `label`.
    Point,
    /// One of three strings.
    Color,
    /// An integer, a string or null.
    Either,
    /// A string or null.
    Maybe,
    /// Any object.
    Data,
}

impl Kind {
    /// Its JSON Schema.
    #[must_use]
    pub fn schema(self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::Integer => json!({"type": "integer"}),
            Self::Number => json!({"type": "number"}),
            Self::Boolean => json!({"type": "boolean"}),
            Self::Null => json!({"type": "null"}),
            Self::Integers => json!({"type": "array", "items": {"type": "integer"}}),
            Self::Point => json!({"type": "object", "properties": {"x": {"type": "number"}, "label": {"type": "string"}}}),
            Self::Color => json!({"type": "string", "enum": ["red", "green", "blue"]}),
            Self::Either => json!({"type": ["integer", "string", "null"]}),
            Self::Maybe => json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            Self::Data => json!({"type": "object"}),
        }
    }
}

/// A function and its parameters, in declared order.
pub(super) type Function = (&'static str, &'static [(&'static str, Kind)]);

/// What generated replies call. Names and keys are Python identifiers and need no escape in any dialect.
pub(super) const FUNCTIONS: &[Function] = &[
    ("get_weather", &[("city", Kind::Text), ("unit", Kind::Text)]),
    ("get_time", &[("tz", Kind::Text)]),
    ("refresh", &[]),
    (
        "convert",
        &[
            ("query", Kind::Text),
            ("count", Kind::Integer),
            ("ratio", Kind::Number),
            ("flag", Kind::Boolean),
            ("nothing", Kind::Null),
            ("numbers", Kind::Integers),
            ("point", Kind::Point),
            ("color", Kind::Color),
            ("either", Kind::Either),
            ("maybe", Kind::Maybe),
            ("data", Kind::Data),
        ],
    ),
];

/// A name that no request declares.
pub(super) const UNDECLARED: &str = "launch_rocket";

/// The declared tools.
#[must_use]
pub fn tools() -> Arc<Vec<Tool>> {
    static TOOLS: LazyLock<Arc<Vec<Tool>>> = LazyLock::new(|| {
        let tool = |(name, parameters): &Function| {
            let properties: serde_json::Map<String, Value> =
                parameters.iter().map(|(key, kind)| ((*key).to_owned(), kind.schema())).collect();
            Tool { name: (*name).to_owned(), parameters: json!({"type": "object", "properties": properties}) }
        };
        Arc::new(FUNCTIONS.iter().map(tool).collect())
    });
    Arc::clone(&TOOLS)
}
