//! The reader: blocks in the order their content comes. A delta that does not fit its block is left out, as the official clients do.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use streakstone_model::Finish;

use crate::delivered::{Ending, Step};
use crate::reader::NoBody;
use crate::sse::Record;
use crate::strict;

/// Reads the events of one response.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    open: HashMap<i64, Block>,
    begun: usize,
    ended: bool,
}

#[derive(Debug)]
enum Block {
    Text,
    Thinking,
    Call { index: usize, empty: bool },
    Other,
}

/// `input` as it was written; a value would round its numbers.
#[derive(Deserialize)]
struct Start<'a> {
    #[serde(borrow)]
    content_block: Input<'a>,
}

#[derive(Deserialize)]
struct Input<'a> {
    #[serde(borrow)]
    input: &'a RawValue,
}

impl Reader {
    pub fn record(&mut self, record: &Record, steps: &mut Vec<Step>) {
        if self.ended {
            return;
        }
        let Ok(event) = strict::value(&record.data) else { return };
        let at = event["index"].as_i64().unwrap_or(-1);
        match event["type"].as_str().or(record.event.as_deref()).unwrap_or_default() {
            "content_block_start" => self.begin(at, &event["content_block"], &record.data, steps),
            "content_block_delta" => self.delta(at, &event["delta"], steps),
            "content_block_stop" => self.stop(at, steps),
            "message_delta" => {
                if let Some(word) = event["delta"]["stop_reason"].as_str() {
                    self.finish(steps);
                    steps.push(Step::Finish(ending(word)));
                }
            }
            "message_stop" => self.ended = true,
            "error" => {
                self.ended = true;
                let error = &event["error"];
                steps.push(Step::Error(error["message"].as_str().map_or_else(|| error.to_string(), str::to_owned)));
            }
            _ => {}
        }
    }

    pub fn finish(&mut self, steps: &mut Vec<Step>) {
        let mut calls: Vec<usize> =
            self.open.drain().filter_map(|(_, block)| if let Block::Call { index, .. } = block { Some(index) } else { None }).collect();
        calls.sort_unstable();
        steps.extend(calls.into_iter().map(|index| Step::CallEnd { index, complete: false }));
    }

    fn begin(&mut self, at: i64, block: &Value, data: &str, steps: &mut Vec<Step>) {
        let word = |key: &str| block[key].as_str().unwrap_or_default().to_owned();
        let own = match block["type"].as_str() {
            Some("text") => {
                text(&block["text"], Step::Text, steps);
                Block::Text
            }
            Some("thinking") => {
                text(&block["thinking"], Step::Reasoning, steps);
                Block::Thinking
            }
            Some("tool_use") => {
                let index = self.begun;
                self.begun += 1;
                steps.push(Step::CallBegin { index, id: word("id"), name: word("name") });
                let filled = block["input"].as_object().is_some_and(|input| !input.is_empty());
                if let Some(start) = serde_json::from_str::<Start<'_>>(data).ok().filter(|_| filled) {
                    steps.push(Step::Arguments { index, fragment: start.content_block.input.get().to_owned() });
                }
                Block::Call { index, empty: !filled }
            }
            _ => Block::Other,
        };
        self.open.insert(at, own);
    }

    fn delta(&mut self, at: i64, delta: &Value, steps: &mut Vec<Step>) {
        match (self.open.get_mut(&at), delta["type"].as_str()) {
            (Some(Block::Text), Some("text_delta")) => text(&delta["text"], Step::Text, steps),
            (Some(Block::Thinking), Some("thinking_delta")) => text(&delta["thinking"], Step::Reasoning, steps),
            (Some(Block::Call { index, empty }), Some("input_json_delta")) => {
                if let Some(fragment) = delta["partial_json"].as_str().filter(|fragment| !fragment.is_empty()) {
                    *empty = false;
                    steps.push(Step::Arguments { index: *index, fragment: fragment.to_owned() });
                }
            }
            _ => {}
        }
    }

    fn stop(&mut self, at: i64, steps: &mut Vec<Step>) {
        if let Some(Block::Call { index, empty }) = self.open.remove(&at) {
            if empty {
                // No fragment at all is the input `{}`.
                steps.push(Step::Arguments { index, fragment: "{}".to_owned() });
            }
            steps.push(Step::CallEnd { index, complete: true });
        }
    }
}

fn text(text: &Value, step: fn(String) -> Step, steps: &mut Vec<Step>) {
    if let Some(text) = text.as_str().filter(|text| !text.is_empty()) {
        steps.push(step(text.to_owned()));
    }
}

fn ending(word: &str) -> Ending {
    match word {
        "end_turn" | "stop_sequence" => Ending::Known(Finish::Stop),
        "tool_use" => Ending::Known(Finish::ToolCalls),
        "max_tokens" => Ending::Known(Finish::Length),
        other => Ending::Other(other.to_owned()),
    }
}

#[derive(Deserialize)]
struct Body<'a> {
    #[serde(borrow, default)]
    content: Vec<&'a RawValue>,
}

/// The content blocks of a body, as written.
pub(super) fn raw_blocks(body: &str) -> Result<Vec<&RawValue>, serde_json::Error> {
    serde_json::from_str::<Body<'_>>(body).map(|body| body.content)
}

/// Reads a whole body: each block as one that comes filled.
pub(crate) fn whole(body: &str, steps: &mut Vec<Step>) -> Result<(), NoBody> {
    let value: Value = strict::value(body).map_err(|e| NoBody(e.to_string()))?;
    if value["type"] == "error" {
        steps.push(Step::Error(value["error"]["message"].as_str().unwrap_or_default().to_owned()));
        return Ok(());
    }
    if !value["content"].is_array() {
        return Err(NoBody("it has neither `content` nor `error`".to_owned()));
    }
    let blocks = raw_blocks(body).map_err(|e| NoBody(e.to_string()))?;
    let mut reader = Reader::default();
    for (at, block) in (0..).zip(blocks) {
        let parsed: Value = strict::value(block.get()).map_err(|e| NoBody(e.to_string()))?;
        reader.begin(at, &parsed, &format!("{{\"content_block\":{}}}", block.get()), steps);
        reader.stop(at, steps);
    }
    if let Some(word) = value["stop_reason"].as_str() {
        steps.push(Step::Finish(ending(word)));
    }
    Ok(())
}
