//! Planted streams of Anthropic Messages.

use serde_json::json;

use super::edit::{at, change, copy_behind, drop_event, insert_behind, move_behind, replace, set, unset, value};
use super::{Base, Known, Planted};
use crate::Surface;
use crate::sse::Frame;

const START: &str = "message_start";
/// Of the good stream's blocks: 0 thinking, 1 text, 2 call, 3 text, 4 call.
const BLOCK: &str = "content_block_start";
const STOP: &str = "content_block_stop";
const DELTA: &str = "content_block_delta";
/// 0 and 1 of the first call, 2 of the second.
const JSON: &str = "/delta/partial_json";
const TEXT: &str = "/delta/text";
const THINKING: &str = "/delta/thinking";
const SIGNATURE: &str = "/delta/signature";
const END: &str = "message_delta";
const LAST: &str = "message_stop";

const fn planted(name: &'static str, law: &'static str, base: Base, known: Known, edit: fn(&mut Vec<Frame>)) -> Planted {
    Planted { name, surface: Surface::Anthropic, law, also: &[], base, known, edit }
}

/// Other indexes for the blocks.
fn reindex(frames: &mut [Frame], index: impl Fn(i64) -> i64) {
    for frame in frames {
        let mut data = value(frame);
        if let Some(old) = data["index"].as_i64() {
            data["index"] = json!(index(old));
            frame.data = data.to_string();
        }
    }
}

/// A whole block behind the last one.
fn append(frames: &mut Vec<Frame>, block: &serde_json::Value, deltas: &[serde_json::Value]) {
    insert_behind(frames, STOP, 4, &json!({"type": BLOCK, "index": 5, "content_block": block}));
    let mut place = at(frames, BLOCK, 5);
    for delta in deltas {
        place += 1;
        let data = json!({"type": DELTA, "index": 5, "delta": delta});
        frames.insert(place, Frame { event: Some(DELTA.to_owned()), data: data.to_string() });
    }
    frames.insert(place + 1, Frame { event: Some(STOP.to_owned()), data: json!({"type": STOP, "index": 5}).to_string() });
}

use Base::{Calls, Cut, Text};
use Known::{ChoiceNone, Form, History, Markers, Oracle, Request, Required, Single};

#[rustfmt::skip]
pub(super) const PLANTED: &[Planted] = &[
    planted("event-field-absent", "AN01", Calls, Form, |f| { let i = at(f, TEXT, 0); f[i].event = None; }),
    planted("event-field-differs", "AN01", Calls, Form, |f| { let i = at(f, TEXT, 0); f[i].event = Some("message".to_owned()); }),
    planted("type-absent", "AN01", Calls, Form, |f| unset(f, TEXT, 0, "/type")),
    planted("data-is-no-json", "AN01", Text, Form, |f| { let i = at(f, TEXT, 1); f[i].data = String::from("{"); }),
    planted("start-absent", "AN02", Calls, Form, |f| drop_event(f, START, 0)),
    planted("start-twice", "AN02", Calls, Form, |f| copy_behind(f, (START, 0), (START, 0))),
    planted("start-with-content", "AN02", Calls, Form, |f| set(f, START, 0, "/message/content", json!([{"type": "text", "text": "Let"}]))),
    planted("start-with-a-stop-reason", "AN02", Calls, Form, |f| set(f, START, 0, "/message/stop_reason", json!("end_turn"))),
    planted("message-id-without-prefix", "AN03", Calls, Form, |f| set(f, START, 0, "/message/id", json!("chatcmpl-1"))),
    planted("role-absent", "AN03", Calls, Form, |f| unset(f, START, 0, "/message/role")),
    planted("usage-absent-at-the-start", "AN03", Calls, Form, |f| unset(f, START, 0, "/message/usage")),
    planted("index-starts-at-one", "AN04", Calls, Form, |f| reindex(f, |i| i + 1)),
    planted("index-skips", "AN04", Calls, Form, |f| reindex(f, |i| if i == 4 { 9 } else { i })),
    Planted { also: &["AN18"], ..planted("delta-after-the-stop", "AN05", Calls, Form, |f| move_behind(f, (TEXT, 1), (STOP, 3))) },
    planted("delta-of-an-unknown-block", "AN05", Calls, Form, |f| insert_behind(f, TEXT, 0, &json!({"type": DELTA, "index": 9, "delta": {"type": "text_delta", "text": "x"}}))),
    planted("stop-twice", "AN05", Calls, Form, |f| copy_behind(f, (STOP, 2), (STOP, 2))),
    planted("blocks-overlap", "AN06", Calls, Form, |f| move_behind(f, (STOP, 1), (BLOCK, 2))),
    planted("calls-interleave", "AN06", Calls, Form, |f| { move_behind(f, (STOP, 2), (JSON, 2)); move_behind(f, (JSON, 1), (BLOCK, 4)); }),
    planted("block-never-stops", "AN07", Calls, Form, |f| drop_event(f, STOP, 4)),
    planted("block-stops-after-the-end", "AN07", Calls, Form, |f| move_behind(f, (STOP, 4), (END, 0))),
    planted("text-delta-in-a-call", "AN08", Calls, Form, |f| insert_behind(f, JSON, 2, &json!({"type": DELTA, "index": 4, "delta": {"type": "text_delta", "text": "x"}}))),
    planted("input-delta-in-a-text", "AN08", Calls, Form, |f| insert_behind(f, TEXT, 0, &json!({"type": DELTA, "index": 1, "delta": {"type": "input_json_delta", "partial_json": "{}"}}))),
    planted("text-delta-in-thinking", "AN08", Calls, Form, |f| insert_behind(f, THINKING, 0, &json!({"type": DELTA, "index": 0, "delta": {"type": "text_delta", "text": "x"}}))),
    planted("id-absent", "AN09", Calls, Form, |f| unset(f, BLOCK, 2, "/content_block/id")),
    planted("id-with-a-dot", "AN09", Calls, Form, |f| set(f, BLOCK, 2, "/content_block/id", json!("functions.get_weather:0"))),
    planted("one-id-for-two-calls", "AN09", Calls, Form, |f| set(f, BLOCK, 4, "/content_block/id", json!("abc123XYZ"))),
    planted("id-of-an-earlier-message", "AN09", Calls, History, |_| {}),
    planted("name-empty", "AN09", Calls, Form, |f| set(f, BLOCK, 2, "/content_block/name", json!(""))),
    planted("input-is-text", "AN09", Calls, Form, |f| set(f, BLOCK, 2, "/content_block/input", json!(""))),
    planted("input-never-closes", "AN10", Calls, Form, |f| set(f, JSON, 2, JSON, json!("{\"tz\":\"UTC\""))),
    planted("input-is-two-objects", "AN10", Calls, Form, |f| copy_behind(f, (JSON, 2), (JSON, 2))),
    planted("input-is-a-list", "AN10", Calls, Form, |f| set(f, JSON, 2, JSON, json!("[1]"))),
    planted("input-repeats-a-key", "AN10", Calls, Form, |f| set(f, JSON, 2, JSON, json!("{\"tz\":1,\"tz\":2}"))),
    planted("input-comes-twice", "AN11", Calls, Form, |f| set(f, BLOCK, 4, "/content_block/input", json!({"tz": "UTC"}))),
    planted("first-fragment-lost", "AN12", Calls, Form, |f| drop_event(f, JSON, 0)),
    planted("message-delta-absent", "AN13", Calls, Form, |f| drop_event(f, END, 0)),
    planted("message-delta-twice", "AN13", Calls, Form, |f| copy_behind(f, (END, 0), (END, 0))),
    planted("usage-absent-at-the-end", "AN13", Calls, Form, |f| unset(f, END, 0, "/usage")),
    planted("block-after-the-end", "AN13", Text, Form, |f| move_behind(f, (END, 0), (START, 0))),
    planted("end-turn-with-calls", "AN14", Calls, Form, |f| set(f, END, 0, "/delta/stop_reason", json!("end_turn"))),
    planted("tool-use-without-a-call", "AN14", Text, Form, |f| set(f, END, 0, "/delta/stop_reason", json!("tool_use"))),
    planted("word-of-another-api", "AN14", Calls, Form, |f| set(f, END, 0, "/delta/stop_reason", json!("tool_calls"))),
    planted("message-stop-absent", "AN15", Calls, Form, |f| drop_event(f, LAST, 0)),
    planted("message-stop-twice", "AN15", Calls, Form, |f| copy_behind(f, (LAST, 0), (LAST, 0))),
    planted("message-stop-before-the-end", "AN15", Calls, Form, |f| move_behind(f, (END, 0), (LAST, 0))),
    planted("fewer-tokens-at-the-end", "AN16", Calls, Form, |f| set(f, START, 0, "/message/usage/output_tokens", json!(31))),
    planted("thinking-without-signature", "AN17", Calls, Form, |f| drop_event(f, SIGNATURE, 0)),
    planted("thinking-after-the-last-call", "AN17", Calls, Form, |f| {
        let deltas = [json!({"type": "thinking_delta", "thinking": "Hm."}), json!({"type": "signature_delta", "signature": "eA=="})];
        append(f, &json!({"type": "thinking", "thinking": "", "signature": ""}), &deltas);
    }),
    planted("empty-text-block", "AN18", Calls, Form, |f| append(f, &json!({"type": "text", "text": ""}), &[])),
    planted("marker-in-text", "AN18", Calls, Markers, |f| set(f, TEXT, 1, TEXT, json!("<tool_call>"))),
    planted("two-calls-where-one-is-allowed", "AN19", Calls, Single, |_| {}),
    planted("no-call-against-the-choice-any", "AN19", Text, Required, |_| {}),
    planted("call-against-the-choice-none", "AN19", Calls, ChoiceNone, |_| {}),
    planted("text-before-the-call-it-followed", "AN20", Calls, Oracle, |f| {
        let (from, to) = (at(f, BLOCK, 3), at(f, STOP, 3));
        let block: Vec<Frame> = f.drain(from..=to).collect();
        let place = at(f, BLOCK, 2);
        f.splice(place..place, block);
        reindex(f, |i| match i { 2 => 3, 3 => 2, other => other });
    }),
    planted("other-argument", "AN21", Calls, Oracle, |f| replace(f, "Paris", "Rome")),
    Planted { also: &["AN21"], ..planted("cut-call-is-completed", "AN22", Cut, Oracle, |f| change(f, JSON, 2, |v| v["delta"]["partial_json"] = json!("{\"tz\":\"U\"}"))) },
    planted("name-not-offered", "AN23", Calls, Request, |f| replace(f, "get_time", "rm")),
    planted("error-without-message", "AN24", Calls, Form, |f| { let i = at(f, END, 0); f.truncate(i); insert_behind(f, STOP, 4, &json!({"type": "error", "error": {"type": "overloaded_error"}})); }),
    planted("goes-on-after-an-error", "AN24", Text, Form, |f| insert_behind(f, STOP, 0, &json!({"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}))),
];
