//! What a check may know besides the stream: the request, what the raw text means, the template's markers.

mod shape;

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

/// Edits that a slip of the pen makes in a key.
const SLIP: usize = 2;

impl Request {
    /// The keys of a request's body that are read.
    #[must_use]
    pub const fn keys(surface: Surface) -> &'static [&'static str] {
        match surface {
            Surface::Chat => &["messages", "tools", "tool_choice", "parallel_tool_calls", "stream_options"],
            Surface::Responses => &["input", "tools", "tool_choice", "parallel_tool_calls", "stream_options"],
            Surface::Anthropic => &["messages", "tools", "tool_choice"],
        }
    }

    /// As [`Self::read`], of a body that must be a request of this surface. Servers have keys of their own, so an unknown key is refused
    /// only where it is a slip for one that is read, or a key of another surface.
    ///
    /// # Errors
    /// One sentence on what is wrong, without its full stop.
    pub fn check(surface: Surface, body: &Value) -> Result<Self, String> {
        let read = Self::keys(surface);
        let all = read.join(", ");
        let Some(body_keys) = body.as_object() else { return Err("it is no JSON object".to_owned()) };
        for key in body_keys.keys().filter(|key| !read.contains(&key.as_str())) {
            if let Some(other) = Surface::ALL.into_iter().find(|other| Self::keys(*other).contains(&key.as_str())) {
                return Err(format!("`{key}` is a key of the surface {other}; of {surface} are read: {all}"));
            }
            if let Some(near) = streakstone_model::nearest_within(key, read.iter().copied(), SLIP) {
                return Err(format!("`{key}` is no key of the surface {surface}; the nearest is `{near}`, and read are: {all}"));
            }
        }
        if !body_keys.keys().any(|key| read.contains(&key.as_str())) {
            return Err(format!("it has none of the keys that are read: {all}"));
        }
        shape::check(surface, body)?;
        Ok(Self::read(surface, body))
    }

    /// Reads a request's body. What it does not have gets the API's default.
    #[must_use]
    pub fn read(surface: Surface, body: &Value) -> Self {
        let parallel = match surface {
            Surface::Anthropic => body["tool_choice"]["disable_parallel_tool_use"] != Value::Bool(true),
            Surface::Chat | Surface::Responses => body["parallel_tool_calls"] != Value::Bool(false),
        };
        Self {
            tools: names(&body["tools"]),
            choice: choice(&body["tool_choice"]),
            parallel,
            include_usage: body["stream_options"]["include_usage"] == Value::Bool(true),
            history: history(surface, body),
        }
    }
}

/// The names of `tools`, in the words of any surface.
pub(crate) fn names(tools: &Value) -> Option<Vec<String>> {
    let named = |tool: &Value| {
        let places = [&tool["function"]["name"], &tool["custom"]["name"], &tool["name"]];
        places.into_iter().find_map(Value::as_str).map(str::to_owned)
    };
    tools.as_array().map(|tools| tools.iter().filter_map(named).collect())
}

/// A `tool_choice`, in the words of any surface.
pub(crate) fn choice(choice: &Value) -> ToolChoice {
    let word = choice.as_str().or_else(|| choice["type"].as_str()).unwrap_or("auto");
    let name = choice["function"]["name"].as_str().or_else(|| choice["name"].as_str());
    match (word, name) {
        ("none", _) => ToolChoice::None,
        ("required" | "any", _) => ToolChoice::Required,
        ("function" | "tool", Some(name)) => ToolChoice::Function(name.to_owned()),
        _ => ToolChoice::Auto,
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
    fn a_slip_and_a_request_of_another_surface_are_refused_and_a_servers_own_keys_are_not() {
        let refused = |surface, body: Value| Request::check(surface, &body).unwrap_err();
        assert_eq!(refused(Surface::Chat, json!([1])), "it is no JSON object");
        assert!(refused(Surface::Chat, json!({"model": "m"})).starts_with("it has none of the keys that are read: messages, tools"));
        assert!(
            refused(Surface::Chat, json!({"tool": [], "messages": []}))
                .contains("`tool` is no key of the surface chat; the nearest is `tools`")
        );
        assert!(refused(Surface::Chat, json!({"input": []})).contains("`input` is a key of the surface responses"));
        assert!(refused(Surface::Anthropic, json!({"messages": [], "parallel_tool_calls": true})).contains("a key of the surface chat"));
        let own = json!({"messages": [], "top_k": 3, "store": true, "model": "m", "stop": [], "chat_template_kwargs": {}});
        assert_eq!(Request::check(Surface::Chat, &own), Ok(Request::read(Surface::Chat, &own)));
    }

    #[test]
    fn what_is_no_request_is_one_with_the_defaults() {
        let request = Request::read(Surface::Chat, &json!([1]));
        assert_eq!((request.tools, request.choice, request.parallel), (None, ToolChoice::Auto, true));
    }
}
