//! What a check may know besides the stream: the request, what the raw text means, the template's markers.

use std::collections::HashSet;

use serde_json::Value;
use streakstone_model::ToolChoice;

use crate::Surface;
use crate::delivered::Delivered;

/// What is known besides the stream. The default knows nothing: then only the laws of form are judged.
#[derive(Debug, Clone, Default)]
pub struct Context {
    /// The request.
    pub request: Option<Request>,
    /// What the raw text of the same generation means: the whole answer, another surface's, or the reply of a parser.
    pub oracle: Option<Delivered>,
    /// What the token ids (or logprob bytes) of the same generation mean when they are parsed whole.
    pub witness: Option<Delivered>,
    /// Markers of the model's template.
    pub markers: Vec<String>,
    /// Ids of laws whose violations of severity P the server declares.
    pub declared: Vec<String>,
}

/// What the laws ask of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Names of the offered tools; `None` if the request has none.
    pub tools: Option<Vec<String>>,
    /// The tool choice.
    pub choice: ToolChoice,
    /// True if several calls are allowed.
    pub parallel: bool,
    /// `stream_options.include_usage` of Chat.
    pub include_usage: bool,
    /// Ids of calls in earlier messages.
    pub history: HashSet<String>,
}

impl Request {
    /// Reads a request's body. What it does not have gets the API's default.
    #[must_use]
    pub fn read(surface: Surface, body: &Value) -> Self {
        let choice = &body["tool_choice"];
        let word = choice.as_str().or_else(|| choice["type"].as_str()).unwrap_or("auto");
        let name = choice["function"]["name"].as_str().or_else(|| choice["name"].as_str());
        let choice = match (word, name) {
            ("none", _) => ToolChoice::None,
            ("required" | "any", _) => ToolChoice::Required,
            ("function" | "tool", Some(name)) => ToolChoice::Function(name.to_owned()),
            _ => ToolChoice::Auto,
        };
        let parallel = match surface {
            Surface::Anthropic => body["tool_choice"]["disable_parallel_tool_use"] != Value::Bool(true),
            Surface::Chat | Surface::Responses => body["parallel_tool_calls"] != Value::Bool(false),
        };
        let named = |tool: &Value| tool["function"]["name"].as_str().or_else(|| tool["name"].as_str()).map(str::to_owned);
        Self {
            tools: body["tools"].as_array().map(|tools| tools.iter().filter_map(named).collect()),
            choice,
            parallel,
            include_usage: body["stream_options"]["include_usage"] == Value::Bool(true),
            history: history(surface, body),
        }
    }
}

/// Ids of the calls that the conversation already has.
fn history(surface: Surface, body: &Value) -> HashSet<String> {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let text = |value: &Value| value.as_str().map(str::to_owned);
    match surface {
        Surface::Chat => list(&body["messages"]).iter().flat_map(|m| list(&m["tool_calls"])).filter_map(|call| text(&call["id"])).collect(),
        Surface::Responses => {
            list(&body["input"]).iter().filter(|item| item["type"] == "function_call").filter_map(|item| text(&item["call_id"])).collect()
        }
        Surface::Anthropic => {
            let blocks = list(&body["messages"]).into_iter().flat_map(|m| list(&m["content"]));
            blocks.filter(|block| block["type"] == "tool_use").filter_map(|block| text(&block["id"])).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_surface_says_the_same_request_in_its_own_words() {
        let chat = json!({
            "tools": [{"type": "function", "function": {"name": "f"}}], "tool_choice": {"type": "function", "function": {"name": "f"}},
            "parallel_tool_calls": false, "messages": [{"role": "assistant", "tool_calls": [{"id": "old"}]}, {"role": "tool", "content": "x"}],
        });
        let responses = json!({
            "tools": [{"type": "function", "name": "f"}], "tool_choice": {"type": "function", "name": "f"}, "parallel_tool_calls": false,
            "input": [{"type": "function_call", "call_id": "old", "id": "fc_1"}, {"type": "message", "content": []}],
        });
        let messages = json!({
            "tools": [{"name": "f"}], "tool_choice": {"type": "tool", "name": "f", "disable_parallel_tool_use": true},
            "messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "old"}]}, {"role": "user", "content": "x"}],
        });
        let want = Request {
            tools: Some(vec!["f".to_owned()]),
            choice: ToolChoice::Function("f".to_owned()),
            parallel: false,
            include_usage: false,
            history: HashSet::from(["old".to_owned()]),
        };
        assert_eq!(Request::read(Surface::Chat, &chat), want);
        assert_eq!(Request::read(Surface::Responses, &responses), want);
        assert_eq!(Request::read(Surface::Anthropic, &messages), want);
    }

    #[test]
    fn what_is_no_request_is_one_with_the_defaults() {
        let request = Request::read(Surface::Chat, &json!([1]));
        assert_eq!((request.tools, request.choice, request.parallel), (None, ToolChoice::Auto, true));
    }
}
