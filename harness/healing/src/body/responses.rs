//! Responses: a message item is split where a call stood.

use streakstone_model::{Call, End};
use streakstone_surfaces::IdKind;

use super::heal_text;
use crate::Report;
use crate::gate::Promotable;
use crate::ids::CallIds;
use crate::json::{self, Object};
use crate::track::{Piece, Track};

/// A `function_call` item.
pub(crate) fn item(call: &Call, item_id: &str, call_id: &str, arguments: &str, status: &str) -> Object {
    let mut item = Object::default();
    item.set_string("id", item_id);
    item.set_string("type", "function_call");
    item.set_string("status", status);
    item.set_string("call_id", call_id);
    item.set_string("name", &call.name);
    item.set_string("arguments", arguments);
    item
}

/// The end cause that a status tells. Only a clean stop lets the parser add a closer that lacks.
pub(crate) fn end_of(status: Option<&str>) -> End {
    match status {
        Some("completed") | None => End::Stop,
        Some(_) => End::Length,
    }
}

/// The message items and calls that one message item becomes.
struct Split<'i> {
    /// The message as it was.
    item: &'i Object,
    ids: &'i mut CallIds,
    /// Content parts of the message that is being put together.
    parts: Vec<String>,
    /// True once a message has the item's own id.
    id_used: bool,
    out: Vec<String>,
}

impl Split<'_> {
    /// The message is put together. One that a call follows is complete, however the reply ended.
    fn close(&mut self, before_a_call: bool) {
        if self.parts.is_empty() {
            return;
        }
        let mut item = self.item.clone();
        if before_a_call && item.has("status") {
            item.set_string("status", "completed");
        }
        if std::mem::replace(&mut self.id_used, true) {
            item.set_string("id", &self.ids.mint(IdKind::Message));
        }
        item.set("content", json::array(&std::mem::take(&mut self.parts)));
        self.out.push(item.to_string());
    }
}

pub(super) fn heal(mut body: Object, promotable: &Promotable, ids: &mut CallIds) -> Option<(Object, Report)> {
    let (_, structured) = texts(&body)?;
    if structured {
        return None;
    }
    let status = body.string("status");
    let items = body.array("output")?;
    let last = items.iter().rposition(|item| Object::parse(item).is_some_and(|item| is_message(&item)));
    let (mut track, mut out, mut changed) = (Track::new(promotable), Vec::new(), false);
    for (at, raw) in items.into_iter().enumerate() {
        let message = Object::parse(&raw).filter(is_message);
        let own = message.as_ref().and_then(|item| item.string("status"));
        let end = if Some(at) == last { end_of(own.as_deref().filter(|own| *own != "completed").or(status.as_deref())) } else { End::Stop };
        match message.and_then(|item| heal_item(&item, &mut track, ids, end)) {
            Some(items) => {
                out.extend(items);
                changed = true;
            }
            None => out.push(raw),
        }
    }
    changed.then(|| {
        body.set("output", json::array(&out));
        if let Some(text) = body.string("output_text") {
            // A convenience of some servers: the texts joined.
            let joined = texts(&body).map_or(text, |(texts, _)| texts.concat());
            body.set_string("output_text", &joined);
        }
        (body, track.report())
    })
}

/// What a message item becomes; `None` if it stays as it is.
fn heal_item(item: &Object, track: &mut Track<'_>, ids: &mut CallIds, end: End) -> Option<Vec<String>> {
    let parts = item.array("content")?;
    let count = parts.len();
    let mut split = Split { item, ids, parts: Vec::new(), id_used: false, out: Vec::new() };
    let mut changed = false;
    for (at, raw) in parts.into_iter().enumerate() {
        let end = if at + 1 == count { end } else { End::Stop };
        let parsed = Object::parse(&raw);
        let pieces = parsed.as_ref().and_then(text).and_then(|text| heal_text(track, text, end));
        let (Some(mut part), Some(pieces)) = (parsed, pieces) else {
            split.parts.push(raw);
            continue;
        };
        changed = true;
        if part.has("logprobs") {
            // They speak of tokens that went into a call.
            part.set("logprobs", "[]");
        }
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    part.set_string("text", &text);
                    split.parts.push(part.to_string());
                }
                Piece::Call(call) => {
                    split.close(true);
                    let (item_id, call_id) = (split.ids.mint(IdKind::FunctionCall), split.ids.call(&call));
                    split.out.push(self::item(&call, &item_id, &call_id, &call.arguments, "completed").to_string());
                }
            }
        }
    }
    split.close(false);
    changed.then_some(split.out)
}

fn is_message(item: &Object) -> bool {
    item.string("type").as_deref() == Some("message")
}

fn is_call(item: &Object) -> bool {
    item.string("type").as_deref() == Some("function_call")
}

/// The text of a text part.
fn text(part: &Object) -> Option<String> {
    part.string("text").filter(|_| part.string("type").as_deref() == Some("output_text"))
}

fn items(body: &Object) -> Option<Vec<Object>> {
    Some(body.array("output")?.iter().filter_map(|item| Object::parse(item)).collect())
}

pub(super) fn texts(body: &Object) -> Option<(Vec<String>, bool)> {
    let items = items(body)?;
    let parts = items.iter().filter(|item| is_message(item)).filter_map(|item| item.array("content")).flatten();
    let texts = parts.filter_map(|part| text(&Object::parse(&part)?)).collect();
    Some((texts, items.iter().any(is_call)))
}

pub(super) fn call_names(body: &Object) -> Vec<String> {
    let calls = items(body).unwrap_or_default().into_iter().filter(is_call);
    calls.map(|item| item.string("name").unwrap_or_default()).collect()
}
