//! A declared tool.

use serde::Deserialize;
use serde_json::{Map, Value};

/// One function the request declares.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// The declared spelling.
    pub name: String,
    /// The JSON Schema of the arguments object; `Null` if the tool declares none. Property order is the order written.
    pub parameters: Value,
}

/// Why a tool object is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolError(pub String);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    r#type: String,
    function: Function,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Function {
    name: String,
    #[serde(default)]
    #[expect(dead_code, reason = "accepted, as the OpenAI object has it; no parser reads it")]
    description: Option<String>,
    #[serde(default)]
    parameters: Value,
    #[serde(default)]
    #[expect(dead_code, reason = "accepted, as the OpenAI object has it; no parser reads it")]
    strict: Option<bool>,
}

impl Tool {
    /// Reads an OpenAI tool object `{type: function, function: {name, parameters}}`.
    ///
    /// # Errors
    /// Says what is missing or unknown.
    pub fn from_openai(value: &Value) -> Result<Self, ToolError> {
        let wire: Wire = serde_json::from_value(value.clone()).map_err(|e| ToolError(e.to_string()))?;
        if wire.r#type != "function" {
            return Err(ToolError(format!("tool type `{}` is not `function`", wire.r#type)));
        }
        if wire.function.name.is_empty() {
            return Err(ToolError("a tool's name must not be empty".to_owned()));
        }
        if !matches!(wire.function.parameters, Value::Null | Value::Object(_) | Value::Bool(_)) {
            return Err(ToolError(format!("`parameters` of tool `{}` is not a JSON Schema object", wire.function.name)));
        }
        Ok(Self { name: wire.function.name, parameters: wire.function.parameters })
    }

    /// The `properties` of the schema, in declared order; empty if there are none.
    #[must_use]
    pub fn properties(&self) -> Option<&Map<String, Value>> {
        self.parameters.get("properties").and_then(Value::as_object)
    }
}
