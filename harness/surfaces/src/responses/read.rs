//! The reader: items in the order their content comes.

use std::collections::HashMap;

use serde_json::Value;
use streakstone_model::Finish;

use crate::delivered::{Ending, Step};
use crate::reader::NoBody;
use crate::sse::Record;
use crate::strict;

/// Reads the events of one response.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    /// The calls by output index.
    calls: HashMap<i64, Call>,
    begun: usize,
    complete: usize,
    ended: bool,
}

#[derive(Debug)]
struct Call {
    index: usize,
    arguments: String,
    ended: bool,
}

impl Reader {
    pub fn record(&mut self, record: &Record, steps: &mut Vec<Step>) {
        let Ok(event) = strict::value(&record.data) else { return };
        let kind = event["type"].as_str().or(record.event.as_deref()).unwrap_or_default();
        let at = event["output_index"].as_i64().unwrap_or(-1);
        if self.ended {
            return;
        }
        match kind {
            "response.output_item.added" if event["item"]["type"] == "function_call" => self.begin(at, &event["item"], steps),
            "response.output_text.delta" => text(&event["delta"], Step::Text, steps),
            "response.reasoning_text.delta" | "response.reasoning_summary_text.delta" => text(&event["delta"], Step::Reasoning, steps),
            "response.function_call_arguments.delta" => self.add(at, event["delta"].as_str().unwrap_or_default(), steps),
            "response.function_call_arguments.done" => self.fill(at, &event["arguments"], steps),
            "response.output_item.done" if event["item"]["type"] == "function_call" => {
                self.begin(at, &event["item"], steps);
                self.fill(at, &event["item"]["arguments"], steps);
                self.end(at, event["item"]["status"] != "incomplete", steps);
            }
            "response.completed" => self.finish_as(None, steps),
            "response.incomplete" => {
                let reason = event["response"]["incomplete_details"]["reason"].as_str().unwrap_or("incomplete");
                self.finish_as(Some(reason), steps);
            }
            "response.failed" => self.fail(&event["response"]["error"], steps),
            "error" => self.fail(&event, steps),
            _ => {}
        }
    }

    pub fn finish(&mut self, steps: &mut Vec<Step>) {
        // In the order they began: that of a map is another in every run.
        let mut open: Vec<(usize, i64)> = self.calls.iter().filter(|(_, call)| !call.ended).map(|(at, call)| (call.index, *at)).collect();
        open.sort_unstable();
        for (_, at) in open {
            self.end(at, false, steps);
        }
    }

    fn begin(&mut self, at: i64, item: &Value, steps: &mut Vec<Step>) {
        if self.calls.contains_key(&at) {
            return;
        }
        let word = |key: &str| item[key].as_str().unwrap_or_default().to_owned();
        steps.push(Step::CallBegin { index: self.begun, id: word("call_id"), name: word("name") });
        self.calls.insert(at, Call { index: self.begun, arguments: String::new(), ended: false });
        self.begun += 1;
    }

    fn add(&mut self, at: i64, fragment: &str, steps: &mut Vec<Step>) {
        if let Some(call) = self.calls.get_mut(&at).filter(|_| !fragment.is_empty()) {
            call.arguments.push_str(fragment);
            steps.push(Step::Arguments { index: call.index, fragment: fragment.to_owned() });
        }
    }

    /// Arguments that only an end event brings.
    fn fill(&mut self, at: i64, arguments: &Value, steps: &mut Vec<Step>) {
        if self.calls.get(&at).is_some_and(|call| call.arguments.is_empty() && !call.ended) {
            self.add(at, arguments.as_str().unwrap_or_default(), steps);
        }
    }

    fn end(&mut self, at: i64, complete: bool, steps: &mut Vec<Step>) {
        if let Some(call) = self.calls.get_mut(&at).filter(|call| !call.ended) {
            call.ended = true;
            let complete = complete && strict::is_object(&call.arguments);
            self.complete += usize::from(complete);
            steps.push(Step::CallEnd { index: call.index, complete });
        }
    }

    fn finish_as(&mut self, reason: Option<&str>, steps: &mut Vec<Step>) {
        self.finish(steps);
        self.ended = true;
        steps.push(Step::Finish(match reason {
            Some("max_output_tokens") => Ending::Known(Finish::Length),
            Some(other) => Ending::Other(other.to_owned()),
            None if self.complete > 0 => Ending::Known(Finish::ToolCalls),
            None => Ending::Known(Finish::Stop),
        }));
    }

    fn fail(&mut self, error: &Value, steps: &mut Vec<Step>) {
        self.finish(steps);
        self.ended = true;
        steps.push(Step::Error(error["message"].as_str().map_or_else(|| error.to_string(), str::to_owned)));
    }
}

fn text(delta: &Value, step: fn(String) -> Step, steps: &mut Vec<Step>) {
    if let Some(text) = delta.as_str().filter(|text| !text.is_empty()) {
        steps.push(step(text.to_owned()));
    }
}

/// Reads a whole body through the stream that it unfolds to.
pub(crate) fn whole(text: &str, steps: &mut Vec<Step>) -> Result<(), NoBody> {
    let body: Value = strict::value(text).map_err(|e| NoBody(e.to_string()))?;
    if let Some(error) = body.get("error").filter(|e| !e.is_null() && !body["output"].is_array()) {
        steps.push(Step::Error(error["message"].as_str().map_or_else(|| error.to_string(), str::to_owned)));
        return Ok(());
    }
    if !body["output"].is_array() {
        return Err(NoBody("it has neither `output` nor `error`".to_owned()));
    }
    let mut reader = Reader::default();
    super::unfold(text).records.iter().for_each(|record| reader.record(record, steps));
    reader.finish(steps);
    Ok(())
}
