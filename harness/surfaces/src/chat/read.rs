//! The reader: what a client that keeps to the letter sees of the first choice.

use serde_json::Value;
use streakstone_model::Finish;

use super::calls::{Calls, Role};
use crate::delivered::{Ending, Step};
use crate::reader::NoBody;
use crate::sse::{DONE, Record};
use crate::strict;

/// Reads the chunks of one response.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    calls: Calls,
    open: Option<usize>,
    done: bool,
}

impl Reader {
    pub fn record(&mut self, record: &Record, steps: &mut Vec<Step>) {
        if self.done || record.data == DONE {
            self.done = true;
            return;
        }
        let Ok(value) = strict::value(&record.data) else { return };
        if let Some(error) = value.get("error").filter(|e| !e.is_null()) {
            self.done = true;
            steps.push(Step::Error(error["message"].as_str().map_or_else(|| error.to_string(), str::to_owned)));
            return;
        }
        for choice in value["choices"].as_array().into_iter().flatten().filter(|c| c["index"].as_i64().unwrap_or(0) == 0) {
            self.choice(choice, &choice["delta"], record, steps);
        }
    }

    fn choice(&mut self, choice: &Value, delta: &Value, record: &Record, steps: &mut Vec<Step>) {
        if let Some(text) = reasoning(delta) {
            self.close(steps);
            steps.push(Step::Reasoning(text.to_owned()));
        }
        if let Some(text) = delta["content"].as_str().filter(|t| !t.is_empty()) {
            self.close(steps);
            steps.push(Step::Text(text.to_owned()));
        }
        for entry in delta["tool_calls"].as_array().into_iter().flatten() {
            let entry = self.calls.entry(0, entry, record.place);
            let Some(index) = entry.call else { continue };
            let fragment = match entry.role {
                Role::Header => {
                    self.close(steps);
                    let call = &self.calls.all[index];
                    steps.push(Step::CallBegin { index, id: call.id.clone(), name: call.name.clone() });
                    self.open = Some(index);
                    call.arguments.clone()
                }
                Role::Fragment | Role::Repeat => entry.arguments,
                Role::Orphan | Role::Resent => String::new(),
            };
            if !fragment.is_empty() {
                steps.push(Step::Arguments { index, fragment });
            }
        }
        if let Some(word) = choice["finish_reason"].as_str() {
            self.close(steps);
            steps.push(Step::Finish(ending(word)));
        }
    }

    pub fn finish(&mut self, steps: &mut Vec<Step>) {
        self.close(steps);
    }

    fn close(&mut self, steps: &mut Vec<Step>) {
        if let Some(index) = self.open.take() {
            steps.push(Step::CallEnd { index, complete: true });
        }
    }
}

/// The reasoning of a delta or message: servers call it by either name.
fn reasoning(delta: &Value) -> Option<&str> {
    ["reasoning_content", "reasoning"].iter().find_map(|key| delta.get(key)?.as_str()).filter(|text| !text.is_empty())
}

pub(crate) fn ending(word: &str) -> Ending {
    match word {
        "stop" => Ending::Known(Finish::Stop),
        "tool_calls" => Ending::Known(Finish::ToolCalls),
        "length" => Ending::Known(Finish::Length),
        other => Ending::Other(other.to_owned()),
    }
}

/// Reads a whole body: its one message as one chunk.
pub(crate) fn whole(text: &str, steps: &mut Vec<Step>) -> Result<(), NoBody> {
    let body: Value = strict::value(text).map_err(|e| NoBody(e.to_string()))?;
    let stream = super::unfold(text);
    if body.get("error").is_none_or(Value::is_null) && !body["choices"].is_array() {
        return Err(NoBody("it has neither `choices` nor `error`".to_owned()));
    }
    let mut reader = Reader::default();
    stream.records.iter().for_each(|record| reader.record(record, steps));
    reader.finish(steps);
    Ok(())
}
