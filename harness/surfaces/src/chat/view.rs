//! A stream as the laws see it: chunks, entries of `tool_calls`, calls, choices.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::calls::{Call, Calls, Entry};
use super::{BODY, CHUNK};
use crate::Surface;
use crate::delivered::Delivered;
use crate::reader::read_records;
use crate::sse::{DONE, Place, Record};
use crate::stream::Stream;
use crate::strict;

/// One record.
#[derive(Debug)]
pub(crate) enum Content {
    /// A chunk, whatever its `object` says.
    Chunk(Value),
    /// An `error` object.
    Error,
    Done,
    /// No JSON object.
    Other(String),
}

/// What the chunks say of one choice.
#[derive(Debug, Default)]
pub(crate) struct Choice {
    /// Place and text of each delta's content.
    pub content: Vec<(Place, String)>,
    pub reasoning: Vec<(Place, String)>,
    /// Non-null finish reasons.
    pub finishes: Vec<(Place, String)>,
    /// Chunks that speak of the choice after its finish.
    pub after: Vec<Place>,
}

#[derive(Debug)]
pub(crate) struct View {
    /// True if the bytes end inside an event.
    pub cut: bool,
    pub times: Option<Vec<u64>>,
    pub content_type: Option<String>,
    pub records: Vec<(Place, Content)>,
    pub entries: Vec<Entry>,
    pub calls: Calls,
    pub choices: BTreeMap<i64, Choice>,
    /// True if an error ended the stream.
    pub failed: bool,
    /// The recorder's word for how the transfer ended, if it did not come to its end.
    pub broken_off: Option<String>,
    /// True if that was before the reply's own end.
    pub lost: bool,
    pub end: Place,
    pub delivered: Delivered,
}

impl View {
    pub fn new(stream: &Stream) -> Self {
        let records: Vec<(Place, Content)> = stream.records.iter().map(|record| (record.place, content(record))).collect();
        let delivered = read_records(Surface::Chat, &stream.records);
        let mut view = Self {
            cut: stream.cut,
            times: stream.times.clone(),
            content_type: stream.content_type.clone(),
            failed: records.iter().any(|(_, content)| matches!(content, Content::Error)),
            records: Vec::new(),
            entries: Vec::new(),
            calls: Calls::default(),
            choices: BTreeMap::new(),
            end: stream.records.last().map(|record| record.place).unwrap_or_default(),
            broken_off: stream.broken_off.clone(),
            lost: stream.lost(&delivered),
            delivered,
        };
        for (place, content) in &records {
            if let Content::Chunk(chunk) = content {
                choices(chunk).for_each(|choice| view.choice(choice, *place));
            }
        }
        view.records = records;
        view
    }

    fn choice(&mut self, value: &Value, place: Place) {
        let index = value["index"].as_i64().unwrap_or(0);
        let delta = &value["delta"];
        let choice = self.choices.entry(index).or_default();
        if !choice.finishes.is_empty() {
            choice.after.push(place);
        }
        if let Some(text) = delta["content"].as_str() {
            choice.content.push((place, text.to_owned()));
        }
        for text in ["reasoning_content", "reasoning"].iter().filter_map(|key| delta[*key].as_str()).take(1) {
            choice.reasoning.push((place, text.to_owned()));
        }
        if let Some(word) = value.get("finish_reason").filter(|w| !w.is_null()) {
            choice.finishes.push((place, word.as_str().map_or_else(|| word.to_string(), str::to_owned)));
        }
        for entry in delta["tool_calls"].as_array().into_iter().flatten() {
            let entry = self.calls.entry(index, entry, place);
            self.entries.push(entry);
        }
    }

    /// The chunks.
    pub fn chunks(&self) -> impl Iterator<Item = (Place, &Value)> {
        self.records.iter().filter_map(|(place, content)| if let Content::Chunk(chunk) = content { Some((*place, chunk)) } else { None })
    }

    /// True if a cut (`length`) or filtered reply explains an open last call.
    pub fn may_be_open(&self, call: &Call) -> bool {
        let last = self.calls.last_of(call.choice).is_some_and(|last| last.order == call.order);
        last && (self.broke_off() || self.finish_of(call.choice).is_some_and(|word| matches!(word, "length" | "content_filter")))
    }

    /// True if the stream ended before the reply did: by an error, or because the transfer was lost.
    pub fn broke_off(&self) -> bool {
        self.failed || self.lost
    }

    /// The finish reason of a choice.
    pub fn finish_of(&self, choice: i64) -> Option<&str> {
        self.choices.get(&choice)?.finishes.first().map(|(_, word)| word.as_str())
    }
}

/// The choices of a chunk.
pub(crate) fn choices(chunk: &Value) -> impl Iterator<Item = &Value> {
    chunk["choices"].as_array().into_iter().flatten()
}

fn content(record: &Record) -> Content {
    if record.data == DONE {
        return Content::Done;
    }
    match strict::value(&record.data) {
        Ok(value) if value.get("error").is_some_and(|error| !error.is_null()) => Content::Error,
        Ok(value) if value.is_object() => Content::Chunk(value),
        Ok(_) => Content::Other("JSON, but no object".to_owned()),
        Err(error) => Content::Other(format!("no JSON: {error}")),
    }
}

/// A whole body as the one chunk and `[DONE]` that a server could make of it.
pub(crate) fn unfold(text: &str) -> Stream {
    let mut body: Value = strict::value(text).unwrap_or(Value::Null);
    if body["object"] == BODY {
        body["object"] = json!(CHUNK);
    }
    if let Some(body) = body.as_object_mut() {
        body.remove("usage");
    }
    for choice in body.get_mut("choices").and_then(Value::as_array_mut).into_iter().flatten().filter_map(Value::as_object_mut) {
        let Some(mut message) = choice.remove("message") else { continue };
        for (index, call) in message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten().enumerate() {
            if let Some(call) = call.as_object_mut() {
                call.insert("index".to_owned(), json!(index));
            }
        }
        choice.insert("delta".to_owned(), message);
    }
    let place = Place { event: 1, line: 1 };
    let record = |data| Record { event: None, data, invalid: None, place };
    Stream { records: vec![record(body.to_string()), record(DONE.to_owned())], ..Stream::default() }
}
