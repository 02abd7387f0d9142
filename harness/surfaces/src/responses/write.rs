//! The writer: one item open at a time, in the order of the text; each is closed before the next one opens.

use serde_json::{Value, json};
use streakstone_model::Finish;

use crate::delivered::{Ending, Step};
use crate::ids::{IdKind, Ids};
use crate::options::{Usage, WriteOptions};
use crate::sse::{DONE, Frame};

/// Writes the events of one response.
#[derive(Debug)]
pub(crate) struct Writer {
    id: String,
    options: WriteOptions,
    sequence: u64,
    open: Option<Open>,
    /// The items that are done.
    output: Vec<Value>,
    /// The response as the terminal event has it.
    ended: Value,
}

/// The open item.
#[derive(Debug)]
struct Open {
    kind: Kind,
    /// Its item id.
    id: String,
    /// Text or arguments so far.
    text: String,
}

#[derive(Debug)]
enum Kind {
    Message,
    Reasoning,
    Call { call_id: String, name: String },
}

impl Open {
    /// The item with the given status.
    fn item(&self, status: &str) -> Value {
        match &self.kind {
            Kind::Message => json!({"id": self.id, "type": "message", "status": status, "role": "assistant", "content": [self.part()]}),
            Kind::Reasoning => {
                json!({"id": self.id, "type": "reasoning", "status": status, "summary": [], "content": [self.part()]})
            }
            Kind::Call { call_id, name } => json!({
                "id": self.id, "type": "function_call", "status": status, "call_id": call_id, "name": name, "arguments": self.text,
            }),
        }
    }

    /// The content part of a message or a reasoning item.
    fn part(&self) -> Value {
        match self.kind {
            Kind::Message => json!({"type": "output_text", "text": self.text, "annotations": [], "logprobs": []}),
            Kind::Reasoning | Kind::Call { .. } => json!({"type": "reasoning_text", "text": self.text}),
        }
    }
}

impl Writer {
    pub fn new(options: &WriteOptions, ids: &mut Ids) -> Self {
        let id = ids.mint(IdKind::Response);
        Self { id, options: options.clone(), sequence: 0, open: None, output: Vec::new(), ended: Value::Null }
    }

    pub fn start(&mut self, frames: &mut Vec<Frame>) {
        for kind in ["response.created", "response.in_progress"] {
            let response = self.response("in_progress", &Value::Null, None);
            self.send(kind, json!({"response": response}), frames);
        }
    }

    pub fn step(&mut self, step: &Step, usage: Usage, ids: &mut Ids, frames: &mut Vec<Frame>) {
        match step {
            Step::Text(text) => {
                if !matches!(self.open, Some(Open { kind: Kind::Message, .. })) {
                    self.close("completed", frames);
                    self.begin(Kind::Message, ids.mint(IdKind::Message), frames);
                }
                self.add(text, frames);
            }
            Step::Reasoning(text) => {
                if !matches!(self.open, Some(Open { kind: Kind::Reasoning, .. })) {
                    self.close("completed", frames);
                    self.begin(Kind::Reasoning, ids.mint(IdKind::Reasoning), frames);
                }
                self.add(text, frames);
            }
            Step::CallBegin { id, name, .. } => {
                self.close("completed", frames);
                let kind = Kind::Call { call_id: id.clone(), name: name.clone() };
                self.begin(kind, ids.mint(IdKind::FunctionCall), frames);
            }
            Step::Arguments { fragment, .. } => self.add(fragment, frames),
            Step::CallEnd { complete, .. } => self.close(if *complete { "completed" } else { "incomplete" }, frames),
            Step::Finish(ending) => {
                let (kind, status, details) = match ending {
                    Ending::Known(Finish::Length) => ("response.incomplete", "incomplete", json!({"reason": "max_output_tokens"})),
                    Ending::Known(Finish::Stop | Finish::ToolCalls) => ("response.completed", "completed", Value::Null),
                    Ending::Other(reason) => ("response.incomplete", "incomplete", json!({"reason": reason})),
                };
                // What is still open here was cut by the limit, or ended with the text.
                self.close(status, frames);
                self.ended = self.response(status, &details, Some(usage));
                let response = self.ended.clone();
                self.send(kind, json!({"response": response}), frames);
                self.done(frames);
            }
            Step::Error(message) => {
                self.send("error", json!({"code": "server_error", "message": message, "param": null}), frames);
                self.done(frames);
            }
        }
    }

    /// The body, once the finish has been written: the response of the terminal event.
    pub fn whole(self) -> String {
        self.ended.to_string()
    }

    fn done(&self, frames: &mut Vec<Frame>) {
        if self.options.responses_done {
            frames.push(Frame { event: None, data: DONE.to_owned() });
        }
    }

    fn begin(&mut self, kind: Kind, id: String, frames: &mut Vec<Frame>) {
        let open = Open { kind, id, text: String::new() };
        let mut item = open.item("in_progress");
        if item["content"].is_array() {
            item["content"] = json!([]);
        }
        self.send("response.output_item.added", json!({"output_index": self.output.len(), "item": item}), frames);
        if !matches!(open.kind, Kind::Call { .. }) {
            let part = json!({"item_id": open.id, "output_index": self.output.len(), "content_index": 0, "part": open.part()});
            self.send("response.content_part.added", part, frames);
        }
        self.open = Some(open);
    }

    fn add(&mut self, text: &str, frames: &mut Vec<Frame>) {
        let Some(open) = &mut self.open else { return };
        open.text.push_str(text);
        let (id, at) = (open.id.clone(), self.output.len());
        match open.kind {
            Kind::Message => {
                let delta = json!({"item_id": id, "output_index": at, "content_index": 0, "delta": text, "logprobs": []});
                self.send("response.output_text.delta", delta, frames);
            }
            Kind::Reasoning => {
                let delta = json!({"item_id": id, "output_index": at, "content_index": 0, "delta": text});
                self.send("response.reasoning_text.delta", delta, frames);
            }
            Kind::Call { .. } => {
                let delta = json!({"item_id": id, "output_index": at, "delta": text});
                self.send("response.function_call_arguments.delta", delta, frames);
            }
        }
    }

    fn close(&mut self, status: &str, frames: &mut Vec<Frame>) {
        let Some(open) = self.open.take() else { return };
        let (id, at) = (&open.id, self.output.len());
        match &open.kind {
            Kind::Message | Kind::Reasoning => {
                let mut done = json!({"item_id": id, "output_index": at, "content_index": 0, "text": open.text});
                let kind = if matches!(open.kind, Kind::Message) {
                    done["logprobs"] = json!([]);
                    "response.output_text.done"
                } else {
                    "response.reasoning_text.done"
                };
                self.send(kind, done, frames);
                let part = json!({"item_id": id, "output_index": at, "content_index": 0, "part": open.part()});
                self.send("response.content_part.done", part, frames);
            }
            Kind::Call { name, .. } => {
                let done = json!({"item_id": id, "output_index": at, "name": name, "arguments": open.text});
                self.send("response.function_call_arguments.done", done, frames);
            }
        }
        let item = open.item(status);
        self.send("response.output_item.done", json!({"output_index": at, "item": item}), frames);
        self.output.push(item);
    }

    fn send(&mut self, kind: &str, rest: Value, frames: &mut Vec<Frame>) {
        let mut event = json!({"type": kind, "sequence_number": self.sequence});
        self.sequence += 1;
        if let (Some(event), Value::Object(rest)) = (event.as_object_mut(), rest) {
            event.extend(rest);
        }
        frames.push(Frame { event: Some(kind.to_owned()), data: event.to_string() });
    }

    fn response(&self, status: &str, incomplete: &Value, usage: Option<Usage>) -> Value {
        let options = &self.options;
        let usage = usage.map(|usage| {
            json!({
                "input_tokens": usage.input, "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": usage.output, "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": usage.input + usage.output,
            })
        });
        json!({
            "id": self.id, "object": "response", "created_at": options.created, "status": status, "background": false,
            "error": null, "incomplete_details": incomplete, "instructions": null, "max_output_tokens": null, "max_tool_calls": null,
            "metadata": {}, "model": options.model, "output": self.output, "parallel_tool_calls": options.parallel == streakstone_model::Parallel::All,
            "previous_response_id": null, "reasoning": {"effort": null, "summary": null}, "store": false, "temperature": null,
            "text": {"format": {"type": "text"}}, "tool_choice": options.tool_choice, "tools": options.tools, "top_p": null,
            "truncation": "disabled", "usage": usage, "user": null,
        })
    }
}
