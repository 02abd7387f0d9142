//! A stream as the laws see it: events, and the blocks they speak of.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::read;
use crate::Surface;
use crate::delivered::Delivered;
use crate::reader::read_records;
use crate::sse::{Place, Record};
use crate::stream::Stream;
use crate::strict;

/// One event.
#[derive(Debug)]
pub(crate) struct Event {
    pub place: Place,
    /// The `event` field.
    pub name: Option<String>,
    /// `type`, or the `event` field where it lacks.
    pub kind: String,
    /// The data; null if it was no JSON object.
    pub value: Value,
    /// Which of [`View::blocks`] it speaks of: an open one for a delta or stop.
    pub block: Option<usize>,
}

/// A content block as its events make it.
#[derive(Debug)]
pub(crate) struct Block {
    pub index: i64,
    /// Its start.
    pub start: usize,
    /// Deltas while it was open.
    pub deltas: Vec<usize>,
    pub stop: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct View {
    /// All events but pings.
    pub events: Vec<Event>,
    pub blocks: Vec<Block>,
    pub end: Place,
    pub cut: bool,
    /// True if an error ended the stream.
    pub failed: bool,
    /// The recorder's word for how the transfer ended, if it did not come to its end.
    pub broken_off: Option<String>,
    /// True if that was before the reply's own end.
    pub lost: bool,
    /// Number of the first `message_delta`.
    end_delta: Option<usize>,
    pub delivered: Delivered,
}

impl View {
    pub fn new(stream: &Stream) -> Self {
        let mut events: Vec<Event> = stream.records.iter().map(event).collect();
        events.retain(|event| event.kind != "ping" || event.name.as_deref() != Some("ping"));
        let delivered = read_records(Surface::Anthropic, &stream.records);
        let mut view = Self {
            failed: events.iter().any(|event| event.kind == "error"),
            broken_off: stream.broken_off.clone(),
            lost: stream.lost(&delivered),
            end_delta: events.iter().position(|event| event.kind == "message_delta"),
            events,
            blocks: Vec::new(),
            end: stream.records.last().map(|record| record.place).unwrap_or_default(),
            cut: stream.cut,
            delivered,
        };
        // The latest block of each index.
        // By its text: one that is no number, or too large for one, names its block as well.
        let mut latest: HashMap<String, usize> = HashMap::new();
        for at in 0..view.events.len() {
            let sent = &view.events[at].value["index"];
            let (index, word) = (sent.as_i64(), sent.to_string());
            match view.events[at].kind.as_str() {
                "content_block_start" => {
                    let index = index.unwrap_or(-1);
                    view.events[at].block = Some(view.blocks.len());
                    latest.insert(word, view.blocks.len());
                    view.blocks.push(Block { index, start: at, deltas: Vec::new(), stop: None });
                }
                kind @ ("content_block_delta" | "content_block_stop") => {
                    let known = latest.get(&word).copied();
                    let Some(block) = known.filter(|block| view.blocks[*block].stop.is_none()) else { continue };
                    if kind == "content_block_delta" {
                        view.blocks[block].deltas.push(at);
                    } else {
                        view.blocks[block].stop = Some(at);
                    }
                    view.events[at].block = Some(block);
                }
                _ => {}
            }
        }
        view
    }

    /// The `content_block` of a block's start.
    pub fn content(&self, block: &Block) -> &Value {
        &self.events[block.start].value["content_block"]
    }

    /// Where a block starts.
    pub fn place(&self, block: &Block) -> Place {
        self.events[block.start].place
    }

    /// The blocks of a type.
    pub fn of_type<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Block> {
        self.blocks.iter().filter(move |block| self.content(block)["type"] == kind)
    }

    /// Place and text of each delta's field `key`.
    pub fn pieces(&self, block: &Block, key: &str) -> Vec<(Place, String)> {
        let piece = |at: &usize| Some((self.events[*at].place, self.events[*at].value["delta"][key].as_str()?.to_owned()));
        block.deltas.iter().filter_map(piece).collect()
    }

    /// The joined fragments of a block's input.
    pub fn input(&self, block: &Block) -> String {
        self.pieces(block, "partial_json").into_iter().map(|(_, text)| text).collect()
    }

    /// True if `input` came filled.
    pub fn is_filled(&self, block: &Block) -> bool {
        self.content(block)["input"].as_object().is_some_and(|input| !input.is_empty())
    }

    /// The arguments of a call: its fragments, or the input it came with.
    pub fn arguments(&self, block: &Block) -> String {
        let joined = self.input(block);
        match joined.as_str() {
            "" if self.content(block)["input"].is_object() => self.content(block)["input"].to_string(),
            _ => joined,
        }
    }

    /// The events of a kind.
    pub fn of_kind<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Event> {
        self.events.iter().filter(move |event| event.kind == kind)
    }

    /// The stop reason, and where it stands.
    pub fn stop_reason(&self) -> Option<(Place, &Value)> {
        let event = &self.events[self.end_delta?];
        Some((event.place, &event.value["delta"]["stop_reason"]))
    }

    /// True if the stream ended before the reply did: by an error, or because the transfer was lost.
    pub fn broke_off(&self) -> bool {
        self.failed || self.lost
    }

    /// True if the limit cut the reply, or it broke off.
    pub fn is_cut(&self) -> bool {
        let word = self.stop_reason().and_then(|(_, reason)| reason.as_str());
        self.broke_off() || matches!(word, Some("max_tokens" | "model_context_window_exceeded" | "refusal"))
    }

    /// True if `block` is the last one and a cut explains that it is open.
    pub fn may_be_open(&self, block: &Block) -> bool {
        self.is_cut() && self.blocks.last().is_some_and(|last| last.start == block.start)
    }
}

fn event(record: &Record) -> Event {
    let value = strict::value(&record.data).ok().filter(Value::is_object).unwrap_or(Value::Null);
    let kind = value["type"].as_str().or(record.event.as_deref()).unwrap_or_default().to_owned();
    Event { place: record.place, name: record.event.clone(), kind, value, block: None }
}

/// The events that a body is made into. All stand at the body's only place.
#[derive(Default)]
struct Unfolding(Stream);

impl Unfolding {
    fn send(&mut self, kind: &str, mut value: Value) {
        value["type"] = json!(kind);
        self.send_text(kind, value.to_string());
    }

    fn send_text(&mut self, kind: &str, data: String) {
        self.0.records.push(Record { event: Some(kind.to_owned()), data, invalid: None, place: Place { event: 1, line: 1 } });
    }
}

/// A whole body as the events that a server could make of it. A tool's input comes filled, as the body has it.
pub(crate) fn unfold(text: &str) -> Stream {
    let body: Value = strict::value(text).unwrap_or(Value::Null);
    let mut stream = Unfolding::default();
    if body["type"] == "error" {
        stream.send("error", json!({"error": body["error"]}));
        return stream.0;
    }
    stream.send("message_start", json!({"message": body}));
    for (at, raw) in read::raw_blocks(text).unwrap_or_default().into_iter().enumerate() {
        let block = strict::value(raw.get()).unwrap_or(Value::Null);
        let deltas: &[(&str, &str)] = match block["type"].as_str() {
            Some("text") => &[("text_delta", "text")],
            Some("thinking") => &[("thinking_delta", "thinking"), ("signature_delta", "signature")],
            _ => &[],
        };
        let mut start = block.clone();
        for (_, key) in deltas {
            if start[*key].is_string() {
                start[*key] = json!("");
            }
        }
        // As written where nothing changed: `input` may hold numbers that a value would round.
        let start = if deltas.is_empty() { raw.get().to_owned() } else { start.to_string() };
        stream.send_text("content_block_start", format!("{{\"type\":\"content_block_start\",\"index\":{at},\"content_block\":{start}}}"));
        for (kind, key) in deltas.iter().filter(|(_, key)| block[*key].as_str().is_some_and(|text| !text.is_empty())) {
            let mut delta = json!({"type": kind});
            delta[*key] = block[*key].clone();
            stream.send("content_block_delta", json!({"index": at, "delta": delta}));
        }
        stream.send("content_block_stop", json!({"index": at}));
    }
    let delta = json!({"stop_reason": body["stop_reason"], "stop_sequence": body["stop_sequence"]});
    stream.send("message_delta", json!({"delta": delta, "usage": body["usage"]}));
    stream.send("message_stop", json!({}));
    stream.0
}
