//! The writer: one content block open at a time, in the order of the text.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use streakstone_model::Finish;

use crate::delivered::{Delivered, DeliveredPart, Ending, Step};
use crate::ids::{IdKind, Ids};
use crate::options::{Usage, WriteOptions};
use crate::sse::Frame;

/// Writes the events of one response.
#[derive(Debug)]
pub(crate) struct Writer {
    id: String,
    model: String,
    input_tokens: u64,
    stop_sequence: Option<String>,
    signature: Option<String>,
    open: Option<Kind>,
    /// Blocks begun; the open one is the last.
    begun: usize,
    /// True if nothing came for the open block.
    empty: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Thinking,
    ToolUse,
}

impl Writer {
    pub fn new(options: &WriteOptions, ids: &mut Ids) -> Self {
        Self {
            id: ids.mint(IdKind::Message),
            model: options.model.clone(),
            input_tokens: options.usage.input,
            stop_sequence: options.stop_sequence.clone(),
            signature: options.signature.clone(),
            open: None,
            begun: 0,
            empty: true,
        }
    }

    pub fn start(&self, frames: &mut Vec<Frame>) {
        let message = json!({
            "id": self.id, "type": "message", "role": "assistant", "model": self.model, "content": [], "stop_reason": null,
            "stop_sequence": null, "usage": {"input_tokens": self.input_tokens, "output_tokens": 0},
        });
        send("message_start", json!({"message": message}), frames);
    }

    pub fn step(&mut self, step: &Step, usage: Usage, frames: &mut Vec<Frame>) {
        match step {
            Step::Text(text) => {
                self.ensure(Kind::Text, || json!({"type": "text", "text": ""}), frames);
                self.delta(&json!({"type": "text_delta", "text": text}), frames);
            }
            Step::Reasoning(text) => {
                self.ensure(Kind::Thinking, || json!({"type": "thinking", "thinking": "", "signature": ""}), frames);
                self.delta(&json!({"type": "thinking_delta", "thinking": text}), frames);
            }
            Step::CallBegin { id, name, .. } => {
                self.close(frames);
                self.begin(Kind::ToolUse, &json!({"type": "tool_use", "id": id, "name": name, "input": {}}), frames);
            }
            Step::Arguments { fragment, .. } => {
                self.empty = false;
                self.delta(&json!({"type": "input_json_delta", "partial_json": fragment}), frames);
            }
            Step::CallEnd { complete, .. } => {
                // No fragment at all would be the input `{}`; a call that was cut must look cut (AN22).
                if !complete && self.empty {
                    self.delta(&json!({"type": "input_json_delta", "partial_json": "{"}), frames);
                }
                self.close(frames);
            }
            Step::Finish(ending) => {
                self.close(frames);
                let (reason, sequence) = self.stop(ending);
                let end = json!({"delta": {"stop_reason": reason, "stop_sequence": sequence}, "usage": {"output_tokens": usage.output}});
                send("message_delta", end, frames);
                send("message_stop", json!({}), frames);
            }
            Step::Error(message) => send("error", json!({"error": {"type": "api_error", "message": message}}), frames),
        }
    }

    /// The whole body. A call whose arguments are cut is withheld: `input` must be an object.
    pub fn whole(&self, reply: &Delivered, usage: Usage) -> String {
        let (stop_reason, stop_sequence) = match &reply.ending {
            Some(ending) => self.stop(ending),
            None => (Value::Null, None),
        };
        let signature = self.signature.as_deref().unwrap_or_default();
        let content = reply.parts.iter().filter_map(|part| block(part, signature)).collect();
        let usage = BodyUsage { input_tokens: usage.input, output_tokens: usage.output };
        let body =
            Body { id: &self.id, r#type: "message", role: "assistant", model: &self.model, content, stop_reason, stop_sequence, usage };
        serde_json::to_string(&body).unwrap_or_default()
    }

    fn stop(&self, ending: &Ending) -> (Value, Option<&str>) {
        match ending {
            Ending::Known(Finish::Length) => (json!("max_tokens"), None),
            Ending::Known(Finish::ToolCalls) => (json!("tool_use"), None),
            Ending::Known(Finish::Stop) => match &self.stop_sequence {
                Some(sequence) => (json!("stop_sequence"), Some(sequence)),
                None => (json!("end_turn"), None),
            },
            Ending::Other(word) => (json!(word), None),
        }
    }

    /// Opens a block of this kind unless one is open.
    fn ensure(&mut self, kind: Kind, block: impl FnOnce() -> Value, frames: &mut Vec<Frame>) {
        if self.open != Some(kind) {
            self.close(frames);
            self.begin(kind, &block(), frames);
        }
    }

    fn begin(&mut self, kind: Kind, block: &Value, frames: &mut Vec<Frame>) {
        send("content_block_start", json!({"index": self.begun, "content_block": block}), frames);
        self.open = Some(kind);
        self.empty = true;
        self.begun += 1;
    }

    fn delta(&self, delta: &Value, frames: &mut Vec<Frame>) {
        if self.open.is_some() {
            send("content_block_delta", json!({"index": self.begun - 1, "delta": delta}), frames);
        }
    }

    fn close(&mut self, frames: &mut Vec<Frame>) {
        if let Some(signature) = self.signature.as_ref().filter(|_| self.open == Some(Kind::Thinking)) {
            self.delta(&json!({"type": "signature_delta", "signature": signature}), frames);
        }
        if self.open.take().is_some() {
            send("content_block_stop", json!({"index": self.begun - 1}), frames);
        }
    }
}

fn send(kind: &str, rest: Value, frames: &mut Vec<Frame>) {
    let mut event = json!({"type": kind});
    if let (Some(event), Value::Object(rest)) = (event.as_object_mut(), rest) {
        event.extend(rest);
    }
    frames.push(Frame { event: Some(kind.to_owned()), data: event.to_string() });
}

/// The body is a struct, because only there can `input` be the model's own bytes.
#[derive(Serialize)]
struct Body<'a> {
    id: &'a str,
    r#type: &'a str,
    role: &'a str,
    model: &'a str,
    content: Vec<Block<'a>>,
    stop_reason: Value,
    stop_sequence: Option<&'a str>,
    usage: BodyUsage,
}

#[derive(Serialize)]
struct BodyUsage {
    input_tokens: u64,
    output_tokens: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case", tag = "type")]
enum Plain<'a> {
    Text { text: &'a str },
    Thinking { thinking: &'a str, signature: &'a str },
}

#[derive(Serialize)]
struct ToolUse<'a> {
    r#type: &'a str,
    id: &'a str,
    name: &'a str,
    input: Box<RawValue>,
}

enum Block<'a> {
    Plain(Plain<'a>),
    ToolUse(ToolUse<'a>),
}

impl Serialize for Block<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Plain(block) => block.serialize(serializer),
            Self::ToolUse(block) => block.serialize(serializer),
        }
    }
}

fn block<'a>(part: &'a DeliveredPart, signature: &'a str) -> Option<Block<'a>> {
    match part {
        DeliveredPart::Text(text) => Some(Block::Plain(Plain::Text { text })),
        DeliveredPart::Reasoning(thinking) => Some(Block::Plain(Plain::Thinking { thinking, signature })),
        DeliveredPart::Call(call) => {
            let input = RawValue::from_string(call.arguments.clone()).ok().filter(|_| call.is_readable())?;
            Some(Block::ToolUse(ToolUse { r#type: "tool_use", id: &call.id, name: &call.name, input }))
        }
    }
}
