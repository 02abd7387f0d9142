//! Planted streams of Chat Completions.

use serde_json::json;

use super::edit::{at, change, copy_behind, drop_event, insert_behind, move_behind, replace, set, unset, value};
use super::{Base, Known, Planted};
use crate::Surface;
use crate::sse::Frame;

/// A delta with content.
const TEXT: &str = "/choices/0/delta/content";
/// An entry of `tool_calls`: 0 header, 1 and 2 arguments of the first call; 3 header, 4 arguments of the second.
const CALL: &str = "/choices/0/delta/tool_calls/0";
const ARGUMENTS: &str = "/choices/0/delta/tool_calls/0/function/arguments";
const REASONING: &str = "/choices/0/delta/reasoning_content";
const ROLE: &str = "/choices/0/delta/role";
const FINISH: &str = "/choices/0/finish_reason";
const USAGE: &str = "/usage";
const DONE: &str = "[DONE]";

const fn planted(name: &'static str, law: &'static str, base: Base, known: Known, edit: fn(&mut Vec<Frame>)) -> Planted {
    Planted { name, surface: Surface::Chat, law, also: &[], base, known, edit }
}

/// A chunk as the good stream's text chunks, with another delta.
fn chunk(frames: &[Frame], delta: &serde_json::Value) -> serde_json::Value {
    let mut chunk = value(&frames[at(frames, TEXT, 0)]);
    chunk["choices"][0]["delta"] = delta.clone();
    chunk
}

/// One more entry of `tool_calls`, behind the first call's header.
fn insert_behind_entry(frames: &mut Vec<Frame>, entry: &serde_json::Value) {
    let chunk = chunk(frames, &json!({"tool_calls": [entry]}));
    insert_behind(frames, CALL, 0, &chunk);
}

use Base::{Burst, Calls, Cut, Text};
use Known::{ChoiceNone, Form, History, Markers, Oracle, Request, Required, Single, Witness};

#[rustfmt::skip]
pub(super) const PLANTED: &[Planted] = &[
    planted("record-is-no-json", "CC01", Calls, Form, |f| { let i = at(f, TEXT, 0); f[i].data = String::from("{\"id\": "); }),
    planted("record-is-a-list", "CC01", Calls, Form, |f| insert_behind(f, TEXT, 0, &json!([1]))),
    planted("object-of-a-body", "CC01", Calls, Form, |f| set(f, TEXT, 0, "/object", json!("chat.completion"))),
    planted("goes-on-after-an-error", "CC01", Calls, Form, |f| insert_behind(f, TEXT, 0, &json!({"error": {"message": "overloaded"}}))),
    planted("id-changes", "CC02", Calls, Form, |f| set(f, TEXT, 0, "/id", json!("chatcmpl-other"))),
    planted("created-changes", "CC02", Calls, Form, |f| set(f, FINISH, 0, "/created", json!(1))),
    planted("model-absent", "CC02", Calls, Form, |f| unset(f, FINISH, 0, "/model")),
    planted("finish-without-delta", "CC03", Calls, Form, |f| unset(f, FINISH, 0, "/choices/0/delta")),
    planted("finish-with-null-delta", "CC03", Calls, Form, |f| set(f, FINISH, 0, "/choices/0/delta", json!(null))),
    planted("role-absent", "CC04", Calls, Form, |f| set(f, ROLE, 0, "/choices/0/delta", json!({}))),
    planted("role-changes", "CC04", Calls, Form, |f| set(f, TEXT, 1, "/choices/0/delta/role", json!("tool"))),
    planted("index-absent", "CC05", Calls, Form, |f| unset(f, CALL, 4, "/choices/0/delta/tool_calls/0/index")),
    planted("index-is-text", "CC05", Calls, Form, |f| set(f, CALL, 2, "/choices/0/delta/tool_calls/0/index", json!("0"))),
    planted("index-starts-at-one", "CC06", Calls, Form, |f| {
        for i in 0..5 { change(f, CALL, i, |v| { let c = &mut v["choices"][0]["delta"]["tool_calls"][0]; c["index"] = json!(c["index"].as_i64().unwrap() + 1); }); }
    }),
    planted("index-skips", "CC06", Calls, Form, |f| { for i in 3..5 { set(f, CALL, i, "/choices/0/delta/tool_calls/0/index", json!(2)); } }),
    planted("header-without-id", "CC07", Calls, Form, |f| unset(f, CALL, 0, "/choices/0/delta/tool_calls/0/id")),
    planted("header-without-type", "CC07", Calls, Form, |f| unset(f, CALL, 0, "/choices/0/delta/tool_calls/0/type")),
    planted("header-with-null-function", "CC07", Calls, Form, |f| set(f, CALL, 0, "/choices/0/delta/tool_calls/0/function", json!(null))),
    planted("header-with-empty-name", "CC07", Calls, Form, |f| set(f, CALL, 3, "/choices/0/delta/tool_calls/0/function/name", json!(""))),
    planted("id-comes-again", "CC08", Calls, Form, |f| set(f, CALL, 1, "/choices/0/delta/tool_calls/0/id", json!("abc123XYZ"))),
    planted("name-comes-again", "CC08", Calls, Form, |f| set(f, CALL, 1, "/choices/0/delta/tool_calls/0/function/name", json!("get_weather"))),
    planted("type-null-later", "CC08", Calls, Form, |f| set(f, CALL, 1, "/choices/0/delta/tool_calls/0/type", json!(null))),
    planted("type-empty-later", "CC08", Calls, Form, |f| set(f, CALL, 4, "/choices/0/delta/tool_calls/0/type", json!(""))),
    planted("function-null-later", "CC08", Calls, Form, |f| insert_behind_entry(f, &json!({"index": 0, "function": null}))),
    planted("function-absent-later", "CC08", Calls, Form, |f| insert_behind_entry(f, &json!({"index": 0}))),
    planted("type-comes-again", "CC08", Calls, Form, |f| set(f, CALL, 2, "/choices/0/delta/tool_calls/0/type", json!("function"))),
    planted("one-id-for-two-calls", "CC09", Calls, Form, |f| set(f, CALL, 3, "/choices/0/delta/tool_calls/0/id", json!("abc123XYZ"))),
    planted("id-with-a-space", "CC09", Calls, Form, |f| set(f, CALL, 3, "/choices/0/delta/tool_calls/0/id", json!("call 2"))),
    planted("id-of-an-earlier-message", "CC09", Calls, History, |_| {}),
    planted("arguments-before-header", "CC10", Calls, Form, |f| move_behind(f, (CALL, 0), (CALL, 1))),
    planted("delta-after-the-next-call", "CC11", Calls, Form, |f| move_behind(f, (CALL, 2), (CALL, 3))),
    planted("two-calls-on-one-index", "CC12", Calls, Form, |f| { for i in 3..5 { set(f, CALL, i, "/choices/0/delta/tool_calls/0/index", json!(0)); } }),
    planted("arguments-never-close", "CC13", Calls, Form, |f| drop_event(f, CALL, 4)),
    planted("arguments-end-early", "CC13", Calls, Form, |f| drop_event(f, CALL, 2)),
    planted("arguments-with-nan", "CC13", Calls, Form, |f| set(f, CALL, 4, ARGUMENTS, json!("{\"tz\":NaN}"))),
    planted("arguments-repeat-a-key", "CC13", Calls, Form, |f| set(f, CALL, 4, ARGUMENTS, json!("{\"tz\":1,\"tz\":2}"))),
    planted("arguments-with-text-after", "CC13", Calls, Form, |f| set(f, CALL, 4, ARGUMENTS, json!("{\"tz\":1}\n```"))),
    planted("arguments-are-a-list", "CC13", Calls, Form, |f| set(f, CALL, 4, ARGUMENTS, json!("[1]"))),
    planted("call-comes-again-at-the-end", "CC14", Calls, Form, |f| {
        let call = json!({"index": 1, "id": "call_2", "type": "function", "function": {"name": "get_time", "arguments": "{\"tz\":\"UTC\"}"}});
        let chunk = chunk(f, &json!({"tool_calls": [call]}));
        insert_behind(f, CALL, 4, &chunk);
    }),
    planted("content-comes-again-at-the-end", "CC14", Calls, Form, |f| {
        let chunk = chunk(f, &json!({"content": "Let me look.  And the time:"}));
        insert_behind(f, CALL, 4, &chunk);
    }),
    planted("content-comes-as-snapshots", "CC14", Text, Form, |f| {
        set(f, TEXT, 1, TEXT, json!("It is sunny"));
        let chunk = chunk(f, &json!({"content": "It is sunny today."}));
        insert_behind(f, TEXT, 1, &chunk);
    }),
    planted("reasoning-comes-again-at-the-end", "CC14", Calls, Form, |f| {
        for (nth, text) in ["Weather first, ", "then the time.", "Weather first, then the time."].into_iter().enumerate() {
            let chunk = chunk(f, &json!({"reasoning_content": text}));
            insert_behind(f, REASONING, nth, &chunk);
        }
        drop_event(f, REASONING, 0);
    }),
    planted("finish-absent", "CC15", Calls, Form, |f| drop_event(f, FINISH, 0)),
    planted("finish-null", "CC15", Text, Form, |f| set(f, FINISH, 0, FINISH, json!(null))),
    planted("finish-twice", "CC15", Calls, Form, |f| copy_behind(f, (FINISH, 0), (FINISH, 0))),
    planted("content-after-the-finish", "CC15", Calls, Form, |f| move_behind(f, (TEXT, 1), (FINISH, 0))),
    planted("stop-with-calls", "CC16", Calls, Form, |f| set(f, FINISH, 0, FINISH, json!("stop"))),
    planted("tool-calls-without-a-call", "CC16", Text, Form, |f| set(f, FINISH, 0, FINISH, json!("tool_calls"))),
    planted("word-of-another-api", "CC16", Calls, Form, |f| set(f, FINISH, 0, FINISH, json!("tool_use"))),
    Planted { also: &["CC20"], ..planted("cut-call-is-completed", "CC17", Cut, Oracle, |f| set(f, CALL, 4, ARGUMENTS, json!("{\"tz\":\"U\"}"))) },
    planted("name-not-offered", "CC18", Calls, Request, |f| replace(f, "get_time", "rm")),
    planted("call-against-the-choice-none", "CC18", Calls, ChoiceNone, |_| {}),
    planted("no-call-against-the-choice-required", "CC18", Text, Required, |_| {}),
    planted("two-calls-where-one-is-allowed", "CC18", Calls, Single, |_| {}),
    planted("marker-in-content", "CC19", Calls, Markers, |f| set(f, TEXT, 1, TEXT, json!("<tool_call>"))),
    planted("marker-over-two-deltas", "CC19", Text, Markers, |f| { set(f, TEXT, 0, TEXT, json!("a </tool_")); set(f, TEXT, 1, TEXT, json!("call> b")); }),
    planted("other-argument", "CC20", Calls, Oracle, |f| replace(f, "Paris", "Rome")),
    planted("lost-content", "CC20", Calls, Oracle, |f| drop_event(f, TEXT, 1)),
    planted("text-before-the-call-it-followed", "CC21", Calls, Oracle, |f| move_behind(f, (TEXT, 1), (TEXT, 0))),
    planted("usage-absent", "CC22", Calls, Request, |f| drop_event(f, USAGE, 0)),
    planted("usage-twice", "CC22", Calls, Form, |f| set(f, FINISH, 0, USAGE, json!({"prompt_tokens": 1}))),
    planted("done-absent", "CC23", Calls, Form, |f| drop_event(f, DONE, 0)),
    planted("done-is-not-last", "CC23", Calls, Form, |f| move_behind(f, (USAGE, 0), (DONE, 0))),
    planted("all-at-one-time", "CC24", Burst, Form, |_| {}),
    planted("tokens-say-another-call", "CC25", Calls, Witness, |f| replace(f, "Paris", "Rome")),
];
