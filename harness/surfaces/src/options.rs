//! What a writer is told about one response.

use serde_json::{Value, json};
use streakstone_model::Parallel;

/// Token counts of a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens of the reply.
    pub output: u64,
}

/// The request's options and the server's facts that show in a response.
#[derive(Debug, Clone, PartialEq)]
pub struct WriteOptions {
    /// Name of the model.
    pub model: String,
    /// Seconds since 1970.
    pub created: u64,
    /// Token counts. [`crate::Writer::usage`] corrects them before the end.
    pub usage: Usage,
    /// Chat: `stream_options.include_usage`.
    pub include_usage: bool,
    /// One call at most, or all.
    pub parallel: Parallel,
    /// The stop string that ended the text, if one did; Anthropic shows it.
    pub stop_sequence: Option<String>,
    /// Anthropic: the signature of thinking blocks; `None` if the server declares that it has none.
    pub signature: Option<String>,
    /// Responses: the request's `tools`, echoed.
    pub tools: Value,
    /// Responses: the request's `tool_choice`, echoed.
    pub tool_choice: Value,
    /// Responses: ends with `[DONE]`, as Open Responses requires; OpenAI's own API does not send it.
    pub responses_done: bool,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            model: "model".to_owned(),
            created: 0,
            usage: Usage::default(),
            include_usage: false,
            parallel: Parallel::All,
            stop_sequence: None,
            signature: None,
            tools: json!([]),
            tool_choice: json!("auto"),
            responses_done: true,
        }
    }
}
