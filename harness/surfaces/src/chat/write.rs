//! The writer: role chunk, content and reasoning, a header and fragments for each call, finish chunk, usage, `[DONE]`.

use serde_json::{Map, Value, json};
use streakstone_model::Finish;

use super::{BODY, CHUNK};
use crate::delivered::{Delivered, Ending, Step};
use crate::ids::{IdKind, Ids};
use crate::options::{Usage, WriteOptions};
use crate::sse::Frame;

/// Writes the chunks of one response.
#[derive(Debug)]
pub(crate) struct Writer {
    id: String,
    model: String,
    created: u64,
    include_usage: bool,
}

impl Writer {
    pub fn new(options: &WriteOptions, ids: &mut Ids) -> Self {
        Self {
            id: ids.mint(IdKind::Completion),
            model: options.model.clone(),
            created: options.created,
            include_usage: options.include_usage,
        }
    }

    pub fn start(&self, frames: &mut Vec<Frame>) {
        // The role goes alone: a client must know it before anything else comes (CC04).
        frames.push(self.delta(&json!({"role": "assistant"}), &Value::Null));
    }

    pub fn step(&self, step: &Step, usage: Usage, frames: &mut Vec<Frame>) {
        let null = &Value::Null;
        match step {
            Step::Text(text) => frames.push(self.delta(&json!({"content": text}), null)),
            Step::Reasoning(text) => frames.push(self.delta(&json!({"reasoning_content": text}), null)),
            Step::CallBegin { index, id, name } => {
                let head = json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
                frames.push(self.delta(&json!({"tool_calls": [head]}), null));
            }
            Step::Arguments { index, fragment } => {
                let part = json!({"index": index, "function": {"arguments": fragment}});
                frames.push(self.delta(&json!({"tool_calls": [part]}), null));
            }
            Step::CallEnd { .. } => {}
            Step::Finish(ending) => {
                frames.push(self.delta(&json!({}), &Value::from(word(ending))));
                if self.include_usage {
                    frames.push(self.chunk(json!([]), usage_object(usage)));
                }
                frames.push(Frame::done());
            }
            Step::Error(message) => {
                let error = json!({"error": {"message": message, "type": "server_error", "param": null, "code": null}});
                frames.push(Frame { event: None, data: error.to_string() });
                frames.push(Frame::done());
            }
        }
    }

    /// The whole body. It cannot show where text stood among the calls.
    pub fn whole(&self, reply: &Delivered, usage: Usage) -> String {
        let (content, reasoning) = (reply.content(), reply.reasoning());
        let mut message = Map::new();
        message.insert("role".to_owned(), json!("assistant"));
        message.insert("content".to_owned(), if content.is_empty() { Value::Null } else { Value::from(content) });
        message.insert("refusal".to_owned(), Value::Null);
        if !reasoning.is_empty() {
            message.insert("reasoning_content".to_owned(), Value::from(reasoning));
        }
        let calls: Vec<Value> = reply
            .calls()
            .map(|call| json!({"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}))
            .collect();
        if !calls.is_empty() {
            message.insert("tool_calls".to_owned(), Value::from(calls));
        }
        let reason = reply.ending.as_ref().map(word);
        let choice = json!({"index": 0, "message": message, "logprobs": null, "finish_reason": reason});
        let mut body = self.envelope(BODY, json!([choice]));
        body.insert("usage".to_owned(), usage_object(usage));
        Value::from(body).to_string()
    }

    fn delta(&self, delta: &Value, finish: &Value) -> Frame {
        self.chunk(json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}]), Value::Null)
    }

    fn chunk(&self, choices: Value, usage: Value) -> Frame {
        let mut chunk = self.envelope(CHUNK, choices);
        if self.include_usage {
            chunk.insert("usage".to_owned(), usage);
        }
        Frame { event: None, data: Value::from(chunk).to_string() }
    }

    fn envelope(&self, object: &str, choices: Value) -> Map<String, Value> {
        let mut envelope = Map::new();
        envelope.insert("id".to_owned(), json!(self.id));
        envelope.insert("object".to_owned(), json!(object));
        envelope.insert("created".to_owned(), json!(self.created));
        envelope.insert("model".to_owned(), json!(self.model));
        envelope.insert("choices".to_owned(), choices);
        envelope
    }
}

fn usage_object(usage: Usage) -> Value {
    json!({"prompt_tokens": usage.input, "completion_tokens": usage.output, "total_tokens": usage.input + usage.output})
}

fn word(ending: &Ending) -> &str {
    match ending {
        Ending::Known(Finish::Stop) => "stop",
        Ending::Known(Finish::ToolCalls) => "tool_calls",
        Ending::Known(Finish::Length) => "length",
        Ending::Other(word) => word,
    }
}
