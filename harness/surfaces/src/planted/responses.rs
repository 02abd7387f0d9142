//! Planted streams of Responses.

use serde_json::json;

use super::edit::{at, change, copy_behind, drop_event, insert_behind, move_behind, replace, set, unset, value};
use super::{Base, Known, Planted};
use crate::Surface;
use crate::sse::Frame;

const CREATED: &str = "response.created";
const PROGRESS: &str = "response.in_progress";
const COMPLETED: &str = "response.completed";
const INCOMPLETE: &str = "response.incomplete";
/// Of the good stream's items: 0 reasoning, 1 message, 2 call, 3 message, 4 call.
const ADDED: &str = "response.output_item.added";
const ITEM_DONE: &str = "response.output_item.done";
/// 0 and 1 of the first call, 2 of the second.
const ARGUMENTS: &str = "response.function_call_arguments.delta";
const ARGUMENTS_DONE: &str = "response.function_call_arguments.done";
/// Of the two messages.
const TEXT: &str = "response.output_text.delta";
const TEXT_DONE: &str = "response.output_text.done";
/// 0 of the reasoning, 1 and 2 of the messages.
const PART: &str = "response.content_part.added";
const PART_DONE: &str = "response.content_part.done";
const REASONING: &str = "response.reasoning_text.delta";
const DONE: &str = "[DONE]";

const fn planted(name: &'static str, law: &'static str, base: Base, known: Known, edit: fn(&mut Vec<Frame>)) -> Planted {
    Planted { name, surface: Surface::Responses, law, also: &[], base, known, edit }
}

/// Another output index for every event of the last item.
fn last_item_at(frames: &mut [Frame], index: i64) {
    for frame in frames {
        let mut data = value(frame);
        if data["output_index"] == 4 {
            data["output_index"] = json!(index);
            frame.data = data.to_string();
        }
    }
}

use Base::{Calls, Cut};
use Known::{Form, Oracle, Request};

#[rustfmt::skip]
pub(super) const PLANTED: &[Planted] = &[
    planted("type-absent", "RS01", Calls, Form, |f| unset(f, TEXT, 0, "/type")),
    planted("event-field-absent", "RS01", Calls, Form, |f| { let i = at(f, TEXT, 0); f[i].event = None; }),
    planted("event-field-differs", "RS01", Calls, Form, |f| { let i = at(f, TEXT, 0); f[i].event = Some("message".to_owned()); }),
    planted("data-is-no-json", "RS01", Calls, Form, |f| { let i = at(f, PROGRESS, 0); f[i].data = String::from("{"); }),
    planted("done-is-not-last", "RS01", Calls, Form, |f| move_behind(f, (DONE, 0), (PROGRESS, 0))),
    planted("created-absent", "RS02", Calls, Form, |f| drop_event(f, CREATED, 0)),
    planted("created-twice", "RS02", Calls, Form, |f| copy_behind(f, (CREATED, 0), (PROGRESS, 0))),
    planted("created-as-completed", "RS02", Calls, Form, |f| set(f, CREATED, 0, "/response/status", json!("completed"))),
    planted("created-with-output", "RS02", Calls, Form, |f| set(f, CREATED, 0, "/response/output", json!([{"id": "fc_1", "type": "function_call"}]))),
    planted("sequence-number-absent", "RS03", Calls, Form, |f| {
        let from = at(f, TEXT, 0);
        for (i, frame) in f.iter_mut().enumerate().skip(from) {
            let mut v = value(frame);
            if let Some(o) = v.as_object_mut() { if i == from { o.shift_remove("sequence_number"); } frame.data = v.to_string(); }
        }
    }),
    planted("sequence-number-skips", "RS03", Calls, Form, |f| drop_event(f, PROGRESS, 0)),
    planted("response-id-changes", "RS04", Calls, Form, |f| set(f, COMPLETED, 0, "/response/id", json!("resp_other"))),
    planted("response-not-nested", "RS04", Calls, Form, |f| change(f, PROGRESS, 0, |v| { let r = v["response"].take(); v["id"] = r["id"].clone(); })),
    planted("terminal-absent", "RS05", Calls, Form, |f| drop_event(f, COMPLETED, 0)),
    planted("terminal-twice", "RS05", Calls, Form, |f| copy_behind(f, (COMPLETED, 0), (COMPLETED, 0))),
    planted("terminal-in-progress", "RS05", Calls, Form, |f| set(f, COMPLETED, 0, "/response/status", json!("in_progress"))),
    planted("event-after-the-terminal-one", "RS05", Calls, Form, |f| copy_behind(f, (PROGRESS, 0), (COMPLETED, 0))),
    planted("output-index-skips", "RS06", Calls, Form, |f| last_item_at(f, 9)),
    planted("output-index-added-twice", "RS06", Calls, Form, |f| copy_behind(f, (ADDED, 4), (ADDED, 4))),
    Planted { also: &["RS11"], ..planted("delta-before-added", "RS07", Calls, Form, |f| move_behind(f, (ADDED, 4), (ARGUMENTS, 2))) },
    planted("done-of-an-unknown-item", "RS07", Calls, Form, |f| insert_behind(f, PROGRESS, 0, &json!({"type": PART_DONE, "output_index": 7, "part": {}}))),
    planted("item-id-absent", "RS08", Calls, Form, |f| unset(f, ADDED, 2, "/item/id")),
    planted("item-id-of-a-delta-changes", "RS08", Calls, Form, |f| set(f, ARGUMENTS, 0, "/item_id", json!("fc_other"))),
    planted("item-id-of-the-end-changes", "RS08", Calls, Form, |f| set(f, ITEM_DONE, 2, "/item/id", json!("fc_other"))),
    planted("item-id-of-the-output-changes", "RS08", Calls, Form, |f| set(f, COMPLETED, 0, "/response/output/2/id", json!("fc_other"))),
    planted("call-id-absent", "RS09", Calls, Form, |f| unset(f, ADDED, 2, "/item/call_id")),
    planted("call-id-of-the-end-changes", "RS09", Calls, Form, |f| set(f, ITEM_DONE, 2, "/item/call_id", json!("call_other"))),
    planted("call-id-of-the-output-changes", "RS09", Calls, Form, |f| set(f, COMPLETED, 0, "/response/output/2/call_id", json!("call_other"))),
    planted("one-call-id-for-two-calls", "RS09", Calls, Form, |f| replace(f, "\"call_2\"", "\"abc123XYZ\"")),
    planted("added-without-name", "RS10", Calls, Form, |f| unset(f, ADDED, 2, "/item/name")),
    planted("added-with-arguments", "RS10", Calls, Form, |f| set(f, ADDED, 2, "/item/arguments", json!("{\"city\":\"Paris\"}"))),
    planted("added-as-completed", "RS10", Calls, Form, |f| set(f, ADDED, 2, "/item/status", json!("completed"))),
    planted("arguments-done-differ", "RS11", Calls, Form, |f| set(f, ARGUMENTS_DONE, 0, "/arguments", json!("{\"city\":\"Rome\"}"))),
    planted("arguments-of-the-item-differ", "RS11", Calls, Form, |f| set(f, ITEM_DONE, 2, "/item/arguments", json!("{\"city\":\"Rome\"}"))),
    planted("arguments-of-the-output-differ", "RS11", Calls, Form, |f| set(f, COMPLETED, 0, "/response/output/2/arguments", json!("{\"city\":\"Rome\"}"))),
    planted("delta-lost", "RS11", Calls, Form, |f| drop_event(f, ARGUMENTS, 1)),
    planted("arguments-with-nan", "RS12", Calls, Form, |f| replace(f, "\\\"UTC\\\"", "NaN")),
    planted("arguments-empty", "RS12", Calls, Form, |f| replace(f, "{\\\"tz\\\":\\\"UTC\\\"}", "")),
    planted("arguments-done-absent", "RS13", Calls, Form, |f| drop_event(f, ARGUMENTS_DONE, 0)),
    planted("arguments-done-twice", "RS13", Calls, Form, |f| copy_behind(f, (ARGUMENTS_DONE, 0), (ARGUMENTS_DONE, 0))),
    planted("delta-after-arguments-done", "RS13", Calls, Form, |f| move_behind(f, (ARGUMENTS, 1), (ARGUMENTS_DONE, 0))),
    planted("arguments-done-after-the-item", "RS13", Calls, Form, |f| move_behind(f, (ARGUMENTS_DONE, 1), (ITEM_DONE, 4))),
    planted("item-never-done", "RS14", Calls, Form, |f| drop_event(f, ITEM_DONE, 4)),
    planted("item-done-twice", "RS14", Calls, Form, |f| copy_behind(f, (ITEM_DONE, 2), (ITEM_DONE, 2))),
    planted("delta-after-the-item", "RS14", Calls, Form, |f| {
        let mut delta = value(&f[at(f, ARGUMENTS, 1)]);
        delta["delta"] = json!("");
        insert_behind(f, ITEM_DONE, 2, &delta);
    }),
    planted("items-overlap", "RS15", Calls, Form, |f| move_behind(f, (ITEM_DONE, 1), (ADDED, 2))),
    Planted { also: &["RS15"], ..planted("text-after-a-call-in-the-old-item", "RS16", Calls, Form, |f| {
        let mut delta = value(&f[at(f, TEXT, 0)]);
        delta["delta"] = json!("");
        move_behind(f, (TEXT_DONE, 0), (ITEM_DONE, 2));
        move_behind(f, (PART_DONE, 1), (TEXT_DONE, 0));
        move_behind(f, (ITEM_DONE, 1), (PART_DONE, 1));
        insert_behind(f, ITEM_DONE, 1, &delta);
    }) },
    planted("output-empty", "RS17", Calls, Form, |f| set(f, COMPLETED, 0, "/response/output", json!([]))),
    planted("output-lacks-a-call", "RS17", Calls, Form, |f| change(f, COMPLETED, 0, |v| { v["response"]["output"].as_array_mut().unwrap().pop(); })),
    planted("output-has-another-name", "RS17", Calls, Form, |f| set(f, COMPLETED, 0, "/response/output/2/name", json!("get_time"))),
    planted("output-has-another-text", "RS17", Calls, Form, |f| set(f, COMPLETED, 0, "/response/output/1/content/0/text", json!("Look."))),
    planted("text-before-its-part", "RS18", Calls, Form, |f| drop_event(f, PART, 1)),
    planted("text-done-differs", "RS18", Calls, Form, |f| set(f, TEXT_DONE, 0, "/text", json!("Let me"))),
    planted("part-done-differs", "RS18", Calls, Form, |f| set(f, PART_DONE, 1, "/part/text", json!("Let me"))),
    planted("content-index-starts-at-one", "RS18", Calls, Form, |f| {
        for (what, nth) in [(PART, 1), (TEXT, 0), (TEXT_DONE, 0), (PART_DONE, 1)] { set(f, what, nth, "/content_index", json!(1)); }
        change(f, ITEM_DONE, 1, |v| { let part = v["item"]["content"][0].clone(); v["item"]["content"] = json!([{"type": "refusal", "refusal": ""}, part]); });
        change(f, COMPLETED, 0, |v| { let part = v["response"]["output"][1]["content"][0].clone(); v["response"]["output"][1]["content"] = json!([{"type": "refusal", "refusal": ""}, part]); });
    }),
    planted("annotations-absent", "RS19", Calls, Form, |f| unset(f, PART, 1, "/part/annotations")),
    planted("logprobs-absent", "RS19", Calls, Form, |f| unset(f, TEXT, 0, "/logprobs")),
    planted("reason-absent", "RS20", Cut, Form, |f| set(f, INCOMPLETE, 0, "/response/incomplete_details", json!(null))),
    Planted { also: &["RS12"], ..planted("cut-call-is-completed", "RS20", Cut, Form, |f| {
        set(f, ITEM_DONE, 2, "/item/status", json!("completed"));
        set(f, INCOMPLETE, 0, "/response/output/2/status", json!("completed"));
    }) },
    planted("incomplete-item-before-others", "RS20", Cut, Form, |f| {
        set(f, ITEM_DONE, 0, "/item/status", json!("incomplete"));
        set(f, INCOMPLETE, 0, "/response/output/0/status", json!("incomplete"));
    }),
    planted("reasoning-in-a-message", "RS21", Calls, Form, |f| {
        let mut delta = value(&f[at(f, TEXT, 0)]);
        delta["type"] = json!(REASONING);
        insert_behind(f, TEXT, 0, &delta);
    }),
    planted("reasoning-lost", "RS21", Calls, Oracle, |f| drop_event(f, REASONING, 0)),
    planted("item-id-is-the-call-id", "RS22", Calls, Form, |f| {
        let id = value(&f[at(f, ADDED, 4)])["item"]["id"].as_str().unwrap().to_owned();
        replace(f, "\"call_2\"", &format!("\"{id}\""));
    }),
    planted("message-id-without-prefix", "RS22", Calls, Form, |f| {
        let id = value(&f[at(f, ADDED, 1)])["item"]["id"].as_str().unwrap().to_owned();
        replace(f, &format!("\"{id}\""), "\"item_1\"");
    }),
    planted("tools-not-echoed", "RS23", Calls, Form, |f| unset(f, COMPLETED, 0, "/response/tools")),
    planted("other-tools-echoed", "RS23", Calls, Request, |f| set(f, COMPLETED, 0, "/response/tools", json!([]))),
    planted("other-choice-echoed", "RS23", Calls, Request, |f| set(f, COMPLETED, 0, "/response/tool_choice", json!("none"))),
    planted("nullable-field-absent", "RS23", Calls, Form, |f| unset(f, COMPLETED, 0, "/response/instructions")),
    planted("parallel-not-as-asked", "RS23", Calls, Request, |f| set(f, COMPLETED, 0, "/response/parallel_tool_calls", json!(false))),
    planted("other-argument", "RS24", Calls, Oracle, |f| replace(f, "Paris", "Rome")),
    planted("usage-absent", "RS25", Calls, Form, |f| set(f, COMPLETED, 0, "/response/usage", json!(null))),
];
