//! Anthropic Messages: text blocks are split where a call stood.

use streakstone_model::{Call, End};

use super::heal_text;
use crate::Report;
use crate::gate::Promotable;
use crate::ids::CallIds;
use crate::json::{self, Object};
use crate::track::{Piece, Track};

/// The end cause that a stop reason tells. Only a clean stop lets the parser add a closer that lacks.
pub(crate) fn end_of(reason: Option<&str>) -> End {
    match reason {
        Some("end_turn" | "tool_use") | None => End::Stop,
        Some("stop_sequence") => End::StopString,
        Some(_) => End::Length,
    }
}

/// True for a stop reason that says `tool_use` once there is a call (U62): a cut or a refusal stays what it is.
pub(crate) fn yields(reason: Option<&str>) -> bool {
    matches!(reason, Some("end_turn" | "stop_sequence") | None)
}

/// A `tool_use` block with this input.
pub(crate) fn block(call: &Call, id: &str, input: &str) -> Object {
    let mut block = Object::default();
    block.set_string("type", "tool_use");
    block.set_string("id", id);
    block.set_string("name", &call.name);
    block.set("input", input);
    block
}

pub(super) fn heal(mut body: Object, promotable: &Promotable, ids: &mut CallIds) -> Option<(Object, Report)> {
    let (_, structured) = texts(&body).filter(|_| body.string("type").is_none_or(|kind| kind == "message"))?;
    if structured {
        return None;
    }
    let reason = body.string("stop_reason");
    let blocks = body.array("content")?;
    let last = blocks.iter().rposition(|block| Object::parse(block).is_some_and(|block| text(&block).is_some()));
    let (mut track, mut out, mut changed) = (Track::new(promotable), Vec::new(), false);
    for (at, raw) in blocks.into_iter().enumerate() {
        let parsed = Object::parse(&raw);
        let own = parsed.as_ref().and_then(text);
        // Only the last text can have been cut.
        let end = if Some(at) == last { end_of(reason.as_deref()) } else { End::Stop };
        let (Some(mut block), Some(Some(pieces))) = (parsed, own.map(|text| heal_text(&mut track, text, end))) else {
            out.push(raw);
            continue;
        };
        changed = true;
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    block.set_string("text", &text);
                    out.push(block.to_string());
                }
                Piece::Call(call) => out.push(self::block(&call, &ids.call(&call), &call.arguments).to_string()),
            }
        }
    }
    changed.then(|| {
        body.set("content", json::array(&out));
        if track.report().calls > 0 && yields(reason.as_deref()) {
            body.set_string("stop_reason", "tool_use");
            if body.has("stop_sequence") {
                body.set("stop_sequence", "null");
            }
        }
        (body, track.report())
    })
}

/// The text of a text block.
fn text(block: &Object) -> Option<String> {
    block.string("text").filter(|_| block.string("type").as_deref() == Some("text"))
}

fn blocks(body: &Object) -> Option<Vec<Object>> {
    Some(body.array("content")?.iter().filter_map(|block| Object::parse(block)).collect())
}

fn is_call(block: &Object) -> bool {
    block.string("type").as_deref() == Some("tool_use")
}

pub(super) fn texts(body: &Object) -> Option<(Vec<String>, bool)> {
    let blocks = blocks(body)?;
    Some((blocks.iter().filter_map(text).collect(), blocks.iter().any(is_call)))
}

pub(super) fn call_names(body: &Object) -> Vec<String> {
    let calls = blocks(body).unwrap_or_default().into_iter().filter(is_call);
    calls.map(|block| block.string("name").unwrap_or_default()).collect()
}
