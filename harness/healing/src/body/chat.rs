//! Chat Completions: each choice is a reply of its own.

use streakstone_model::{Call, End};

use super::heal_text;
use crate::Report;
use crate::gate::Promotable;
use crate::ids::CallIds;
use crate::json::{self, Object};
use crate::track::{Piece, Track};

/// The end cause that a finish reason tells. Only a clean stop lets the parser add a closer that lacks.
pub(crate) fn end_of(reason: &str) -> End {
    match reason {
        "stop" | "tool_calls" | "function_call" => End::Stop,
        _ => End::Length,
    }
}

/// An entry of `tool_calls`; with an index in a stream.
pub(crate) fn entry(call: &Call, id: &str, index: Option<usize>) -> Object {
    let mut function = Object::default();
    function.set_string("name", &call.name);
    function.set_string("arguments", &call.arguments);
    let mut entry = Object::default();
    if let Some(index) = index {
        entry.set("index", index.to_string());
    }
    entry.set_string("id", id);
    entry.set_string("type", "function");
    entry.set("function", function.to_string());
    entry
}

pub(super) fn heal(mut body: Object, promotable: &Promotable, ids: &mut CallIds) -> Option<(Object, Report)> {
    let mut choices = body.array("choices")?;
    let (mut report, mut changed) = (Report::default(), false);
    for choice in &mut choices {
        if let Some((healed, own)) = Object::parse(choice).and_then(|choice| heal_choice(choice, promotable, ids)) {
            *choice = healed.to_string();
            report.add(own);
            changed = true;
        }
    }
    changed.then(|| {
        body.set("choices", json::array(&choices));
        (body, report)
    })
}

fn heal_choice(mut choice: Object, promotable: &Promotable, ids: &mut CallIds) -> Option<(Object, Report)> {
    let mut message = choice.object("message")?;
    let text = message.string("content").filter(|_| !is_structured(&message))?;
    let reason = choice.string("finish_reason");
    let mut track = Track::new(promotable);
    let pieces = heal_text(&mut track, text, reason.as_deref().map_or(End::Stop, end_of))?;
    let (mut content, mut calls) = (String::new(), Vec::new());
    for piece in pieces {
        match piece {
            Piece::Text(text) => content.push_str(&text),
            Piece::Call(call) => calls.push(entry(&call, &ids.call(&call), None).to_string()),
        }
    }
    if content.is_empty() {
        message.set("content", "null");
    } else {
        message.set_string("content", &content);
    }
    if !calls.is_empty() {
        message.set("tool_calls", json::array(&calls));
        if reason.as_deref() == Some("stop") {
            choice.set_string("finish_reason", "tool_calls");
        }
    }
    choice.set("message", message.to_string());
    Some((choice, track.report()))
}

/// True if the message has a structured call.
fn is_structured(message: &Object) -> bool {
    message.array("tool_calls").is_some_and(|calls| !calls.is_empty()) || message.has("function_call")
}

fn messages(body: &Object) -> Option<Vec<Object>> {
    let choices = body.array("choices")?;
    Some(choices.iter().filter_map(|choice| Object::parse(choice)?.object("message")).collect())
}

pub(super) fn texts(body: &Object) -> Option<(Vec<String>, bool)> {
    let messages = messages(body)?;
    Some((messages.iter().filter_map(|message| message.string("content")).collect(), messages.iter().any(is_structured)))
}

pub(super) fn call_names(body: &Object) -> Vec<String> {
    let entries = messages(body).unwrap_or_default().into_iter().filter_map(|message| message.array("tool_calls")).flatten();
    entries.map(|call| Object::parse(&call).and_then(|call| call.object("function")?.string("name")).unwrap_or_default()).collect()
}
