//! A stream as the laws see it: events, and the items they speak of.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::Surface;
use crate::delivered::Delivered;
use crate::reader::read_records;
use crate::sse::{DONE, Place, Record};
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
    /// True for the sentinel.
    pub done: bool,
    /// Which of [`View::items`] it speaks of.
    pub item: Option<usize>,
}

/// An output item as its events make it.
#[derive(Debug)]
pub(crate) struct Item {
    /// Its output index; in a stream without one, the next.
    pub index: i64,
    /// The events that speak of it, the added one first.
    pub events: Vec<usize>,
    /// Its `output_item.done`, the first.
    pub done: Option<usize>,
}

#[derive(Debug)]
pub(crate) struct View {
    pub events: Vec<Event>,
    pub items: Vec<Item>,
    /// The terminal event, the first.
    pub terminal: Option<usize>,
    pub end: Place,
    pub cut: bool,
    /// The recorder's word for how the transfer ended, if it did not come to its end.
    pub broken_off: Option<String>,
    /// True if that was before the reply's own end.
    pub lost: bool,
    pub delivered: Delivered,
}

impl View {
    pub fn new(stream: &Stream) -> Self {
        let delivered = read_records(Surface::Responses, &stream.records);
        let mut view = Self {
            events: stream.records.iter().map(event).collect(),
            items: Vec::new(),
            terminal: None,
            end: stream.records.last().map(|record| record.place).unwrap_or_default(),
            cut: stream.cut,
            broken_off: stream.broken_off.clone(),
            lost: stream.lost(&delivered),
            delivered,
        };
        view.terminal = view.events.iter().position(|event| is_terminal(&event.kind));
        let mut by_index: HashMap<i64, usize> = HashMap::new();
        let mut by_id: HashMap<String, usize> = HashMap::new();
        for at in 0..view.events.len() {
            let event = &view.events[at];
            if !speaks_of_an_item(&event.kind) {
                continue;
            }
            let index = event.value["output_index"].as_i64();
            let id = event.value["item_id"].as_str().or_else(|| event.value["item"]["id"].as_str()).unwrap_or_default().to_owned();
            let known = index.map_or_else(|| by_id.get(&id), |index| by_index.get(&index)).copied();
            let added = event.kind == ADDED;
            let item = match known {
                None if added => {
                    let next = i64::try_from(view.items.len()).unwrap_or(i64::MAX);
                    by_index.insert(index.unwrap_or(next), view.items.len());
                    by_id.insert(id, view.items.len());
                    view.items.push(Item { index: index.unwrap_or(next), events: Vec::new(), done: None });
                    view.items.len() - 1
                }
                Some(item) => item,
                None => continue,
            };
            if event.kind == DONE_ITEM && view.items[item].done.is_none() {
                view.items[item].done = Some(at);
            }
            view.items[item].events.push(at);
            view.events[at].item = Some(item);
        }
        view
    }

    /// The item object of an added or done event.
    pub fn item_value(&self, event: usize) -> &Value {
        &self.events[event].value["item"]
    }

    /// What stands in the added event of an item.
    pub fn added(&self, item: &Item) -> &Value {
        self.item_value(item.events[0])
    }

    /// Where an item was added.
    pub fn place(&self, item: &Item) -> Place {
        self.events[item.events[0]].place
    }

    /// The events of an item of one kind.
    pub fn of_kind<'a>(&'a self, item: &'a Item, kind: &'a str) -> impl Iterator<Item = (usize, &'a Event)> {
        item.events.iter().map(|at| (*at, &self.events[*at])).filter(move |(_, event)| event.kind == kind)
    }

    /// The items of a type: `function_call`, `message`, `reasoning`.
    pub fn items_of<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Item> {
        self.items.iter().filter(move |item| self.added(item)["type"] == kind)
    }

    /// The response of the terminal event, if it has one.
    pub fn ended(&self) -> Option<(Place, &Value)> {
        let event = &self.events[self.terminal?];
        event.value.get("response").map(|response| (event.place, response))
    }

    /// True if the terminal event is an error or a failure.
    pub fn failed(&self) -> bool {
        self.terminal.is_some_and(|at| matches!(self.events[at].kind.as_str(), "error" | "response.failed"))
    }

    /// The output of the terminal response, if it has as many items as were added.
    pub fn output(&self) -> Option<&Vec<Value>> {
        let (_, response) = self.ended()?;
        response["output"].as_array().filter(|output| output.len() == self.items.len())
    }

    /// The arguments of a call: of its end, else its deltas.
    pub fn arguments(&self, item: &Item) -> String {
        match item.done.and_then(|at| self.item_value(at)["arguments"].as_str()) {
            Some(arguments) => arguments.to_owned(),
            None => self.of_kind(item, ARGUMENTS_DELTA).filter_map(|(_, event)| event.value["delta"].as_str()).collect(),
        }
    }
}

pub(crate) const ADDED: &str = "response.output_item.added";
pub(crate) const DONE_ITEM: &str = "response.output_item.done";
pub(crate) const ARGUMENTS_DELTA: &str = "response.function_call_arguments.delta";
pub(crate) const ARGUMENTS_DONE: &str = "response.function_call_arguments.done";
pub(crate) const TEXT_DELTA: &str = "response.output_text.delta";
pub(crate) const TEXT_DONE: &str = "response.output_text.done";
pub(crate) const PART_ADDED: &str = "response.content_part.added";
pub(crate) const PART_DONE: &str = "response.content_part.done";

/// True for an event that ends a response.
pub(crate) fn is_terminal(kind: &str) -> bool {
    matches!(kind, "response.completed" | "response.incomplete" | "response.failed" | "error")
}

/// True for an event that carries the response itself.
pub(crate) fn is_lifecycle(kind: &str) -> bool {
    matches!(
        kind,
        "response.created" | "response.queued" | "response.in_progress" | "response.completed" | "response.incomplete" | "response.failed"
    )
}

fn speaks_of_an_item(kind: &str) -> bool {
    kind.starts_with("response.") && !is_lifecycle(kind)
}

fn event(record: &Record) -> Event {
    let done = record.data == DONE;
    let value = strict::value(&record.data).ok().filter(Value::is_object).unwrap_or(Value::Null);
    let kind = value["type"].as_str().or(record.event.as_deref()).unwrap_or_default().to_owned();
    Event { place: record.place, name: record.event.clone(), kind, value, done, item: None }
}

/// A whole body as the events that a server could make of it: each item added, filled and done.
pub(crate) fn unfold(text: &str) -> Stream {
    let body: Value = strict::value(text).unwrap_or(Value::Null);
    let place = Place { event: 1, line: 1 };
    let mut stream = Stream::default();
    let mut send = |kind: &str, mut value: Value| {
        value["type"] = json!(kind);
        stream.records.push(Record { event: Some(kind.to_owned()), data: value.to_string(), invalid: None, place });
    };
    if body["error"].is_object() && !body["output"].is_array() {
        send("error", body["error"].clone());
        return stream;
    }
    for (at, item) in body["output"].as_array().into_iter().flatten().enumerate() {
        send(ADDED, json!({"output_index": at, "item": item}));
        match item["type"].as_str() {
            Some("function_call") => send(ARGUMENTS_DELTA, json!({"output_index": at, "item_id": item["id"], "delta": item["arguments"]})),
            Some("message") => {
                for (part_at, part) in item["content"].as_array().into_iter().flatten().enumerate() {
                    let delta =
                        json!({"output_index": at, "item_id": item["id"], "content_index": part_at, "delta": part["text"], "logprobs": []});
                    send(TEXT_DELTA, delta);
                }
            }
            Some("reasoning") => {
                for part in item["summary"].as_array().into_iter().chain(item["content"].as_array()).flatten() {
                    send("response.reasoning_text.delta", json!({"output_index": at, "item_id": item["id"], "delta": part["text"]}));
                }
            }
            _ => {}
        }
        send(DONE_ITEM, json!({"output_index": at, "item": item}));
    }
    let kind = match body["status"].as_str() {
        Some("incomplete") => "response.incomplete",
        Some("failed") => "response.failed",
        _ => "response.completed",
    };
    send(kind, json!({"response": body}));
    stream
}
