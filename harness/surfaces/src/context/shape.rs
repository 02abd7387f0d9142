//! The types of the keys of a request that are read: one of another type would count as absent, and its laws as kept.
//!
//! Chat and Responses: the API reference of `OpenAI`, "Create chat completion" and "Create a model response". Messages: that of
//! Anthropic, "Create a Message". `null` is absent. Every key that is not read may be anything.

use serde_json::Value;

use crate::Surface;

/// Checks every key that is read.
///
/// # Errors
/// One sentence that names the key, without its full stop.
pub(super) fn check(surface: Surface, body: &Value) -> Result<(), String> {
    let of = |key: &str| Some(&body[key]).filter(|value| !value.is_null());
    for key in ["messages", "input"] {
        let text = key == "input";
        if of(key).is_some_and(|value| !(value.is_array() || text && value.is_string())) {
            return Err(format!("`{key}` is no array{}", if text { " and no string" } else { "" }));
        }
    }
    of("tools").map_or(Ok(()), |value| tools(surface, value))?;
    of("tool_choice").map_or(Ok(()), |value| choice(surface, value))?;
    of("parallel_tool_calls").map_or(Ok(()), |value| boolean("parallel_tool_calls", value))?;
    let Some(options) = of("stream_options") else { return Ok(()) };
    if !options.is_object() {
        return Err("`stream_options` is no object".to_owned());
    }
    boolean("stream_options.include_usage", &options["include_usage"])
}

fn boolean(key: &str, value: &Value) -> Result<(), String> {
    if value.is_null() || value.is_boolean() { Ok(()) } else { Err(format!("`{key}` is neither true nor false")) }
}

/// Every tool that a model calls by a name has it, where this surface has it. Tools that the server itself uses may have none.
fn tools(surface: Surface, tools: &Value) -> Result<(), String> {
    let Some(tools) = tools.as_array() else { return Err("`tools` is no array".to_owned()) };
    for (place, tool) in tools.iter().enumerate() {
        if !tool.is_object() {
            return Err(format!("`tools[{place}]` is no object"));
        }
        let kind = tool["type"].as_str();
        let (key, name) = match (surface, kind) {
            (Surface::Chat, Some("custom")) => ("custom.name", &tool["custom"]["name"]),
            (Surface::Chat, _) => ("function.name", &tool["function"]["name"]),
            (Surface::Responses, None | Some("function" | "custom")) => ("name", &tool["name"]),
            (Surface::Anthropic, kind) if kind != Some("mcp_toolset") => ("name", &tool["name"]),
            (Surface::Responses | Surface::Anthropic, _) => continue,
        };
        if !name.is_string() {
            return Err(format!("`tools[{place}]` has no text `{key}`"));
        }
    }
    Ok(())
}

/// A choice of this surface that the laws know.
fn choice(surface: Surface, choice: &Value) -> Result<(), String> {
    let (words, named): (&[&str], &str) = match surface {
        Surface::Chat | Surface::Responses => (&["none", "auto", "required"], "function"),
        Surface::Anthropic => (&["none", "auto", "any"], "tool"),
    };
    let objects = surface == Surface::Anthropic;
    let unknown = || {
        let form = if objects { "an object whose `type` is" } else { "a word:" };
        format!("`tool_choice` is read as {form} {}, or as an object of the type {named} with its name; it is neither", words.join(", "))
    };
    if let Some(word) = choice.as_str() {
        return if !objects && words.contains(&word) { Ok(()) } else { Err(unknown()) };
    }
    let Some(kind) = choice["type"].as_str() else { return Err(unknown()) };
    boolean("tool_choice.disable_parallel_tool_use", &choice["disable_parallel_tool_use"])?;
    if kind != named {
        return if objects && words.contains(&kind) { Ok(()) } else { Err(unknown()) };
    }
    let (key, name) = match surface {
        Surface::Chat => ("function.name", &choice["function"]["name"]),
        Surface::Responses | Surface::Anthropic => ("name", &choice["name"]),
    };
    if name.is_string() { Ok(()) } else { Err(format!("`tool_choice` has no text `{key}`")) }
}
