//! U40 to U44, U63: whole bodies.

mod texts;

use std::borrow::Cow;

use serde_json::{Value, json};
use streakstone_healing::{Report, heal_body};
use streakstone_surfaces::{Ids, Surface};

use texts::{BLOCK, on, one_call, promotable, tools};

/// A body with this text. It has odd spacing, unknown keys and numbers that no float holds.
fn body(surface: Surface, text: &str) -> String {
    let text = Value::from(text);
    match surface {
        Surface::Chat => format!(
            r#"{{ "id":"c1", "vendor": 9007199254740993.50, "choices":[ {{"index":0, "logprobs":null,"message":{{"role":"assistant","content":{text},"extra":[1e400]}},"finish_reason":"stop"}} ], "usage":{{"total_tokens":7}}}}"#
        ),
        Surface::Responses => format!(
            r#"{{ "id":"resp_1", "vendor": 9007199254740993.50, "status":"completed","output":[ {{"id":"rs_1","type":"reasoning","summary":[]}}, {{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[{{"type":"output_text","text":{text},"annotations":[]}}],"extra":[1e400]}}],"usage":null}}"#
        ),
        Surface::Anthropic => format!(
            r#"{{ "id":"msg_1", "vendor": 9007199254740993.50, "type":"message","role":"assistant","content":[{{"type":"thinking","thinking":"hm","signature":"s"}}, {{"type":"text","text":{text},"extra":[1e400]}}],"stop_reason":"end_turn","stop_sequence":null,"usage":{{"output_tokens":7}}}}"#
        ),
    }
}

fn heal(surface: Surface, body: &str) -> (Value, Report, String) {
    let promotable = promotable(surface);
    let healed = heal_body(surface, body, &promotable, Ids::sequential());
    let text = healed.body.clone().into_owned();
    (serde_json::from_str(&text.replace("1e400", "1")).unwrap(), healed.report, text)
}

#[test]
fn u40_a_body_with_structured_calls_is_never_touched() {
    let structured = [
        (
            Surface::Chat,
            json!({"choices": [{"index": 0, "message": {"content": BLOCK, "tool_calls": [{"id": "x", "type": "function", "function": {"name": "g", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}]}),
        ),
        (
            Surface::Chat,
            json!({"choices": [{"index": 0, "message": {"content": BLOCK, "function_call": {"name": "g", "arguments": "{}"}}, "finish_reason": "function_call"}]}),
        ),
        (
            Surface::Responses,
            json!({"output": [{"type": "message", "content": [{"type": "output_text", "text": BLOCK}]}, {"type": "function_call", "name": "g", "arguments": "{}"}]}),
        ),
        (
            Surface::Anthropic,
            json!({"type": "message", "content": [{"type": "text", "text": BLOCK}, {"type": "tool_use", "id": "x", "name": "g", "input": {}}]}),
        ),
    ];
    for (surface, body) in structured {
        let body = body.to_string();
        let promotable = promotable(surface);
        assert!(matches!(heal_body(surface, &body, &promotable, Ids::sequential()).body, Cow::Borrowed(same) if same == body), "{surface}");
    }
    // `tool_calls: []` and null are no structured calls.
    for none in [json!([]), json!(null)] {
        let body =
            json!({"choices": [{"index": 0, "message": {"content": BLOCK, "tool_calls": none}, "finish_reason": "stop"}]}).to_string();
        assert_eq!(heal(Surface::Chat, &body).1.calls, 1);
    }
}

#[test]
fn u41_only_declared_calls_leave_and_every_other_byte_stays() {
    let undeclared = r#"<tool_call>{"name":"zz","arguments":{}}</tool_call>"#;
    for surface in Surface::ALL {
        let (value, report, text) = heal(surface, &body(surface, &format!("  {undeclared} {BLOCK} x ")));
        let kept = format!("  {undeclared}  x ");
        match surface {
            Surface::Chat => assert_eq!(value["choices"][0]["message"]["content"], Value::from(kept)),
            Surface::Responses => {
                assert_eq!(value["output"][1]["content"][0]["text"], Value::from(format!("  {undeclared} ")));
                assert_eq!(
                    (&value["output"][2]["type"], &value["output"][3]["content"][0]["text"]),
                    (&json!("function_call"), &json!(" x "))
                );
                assert_eq!(value["output"][1]["id"], "msg_1");
                assert_ne!(value["output"][3]["id"], "msg_1");
            }
            Surface::Anthropic => {
                assert_eq!(value["content"][1]["text"], Value::from(format!("  {undeclared} ")));
                assert_eq!((&value["content"][2]["name"], &value["content"][3]["text"]), (&json!("f"), &json!(" x ")));
            }
        }
        assert_eq!(report, Report { calls: 1, dropped: 0 });
        assert!(text.contains("9007199254740993.50") && text.contains("[1e400]"), "other fields stay as they were written: {text}");
    }
}

#[test]
fn u41_no_text_left_is_null_on_chat_and_no_block_elsewhere() {
    let (value, ..) = heal(Surface::Chat, &body(Surface::Chat, BLOCK));
    let message = &value["choices"][0]["message"];
    assert_eq!((&message["content"], &message["tool_calls"][0]["function"]["name"]), (&Value::Null, &json!("f")));
    let keys: Vec<&String> = message.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["role", "content", "extra", "tool_calls"]);
    let (value, ..) = heal(Surface::Responses, &body(Surface::Responses, BLOCK));
    assert_eq!((value["output"].as_array().unwrap().len(), &value["output"][1]["arguments"]), (2, &json!("{\"a\":1}")));
    let (value, ..) = heal(Surface::Anthropic, &body(Surface::Anthropic, BLOCK));
    assert_eq!((value["content"].as_array().unwrap().len(), &value["content"][1]["input"]), (2, &json!({"a": 1})));
}

#[test]
fn u42_stop_becomes_a_call_and_other_reasons_stay() {
    let chat = |reason: &str| {
        heal(Surface::Chat, &body(Surface::Chat, BLOCK).replace("\"stop\"", reason)).0["choices"][0]["finish_reason"].clone()
    };
    assert_eq!(chat("\"stop\""), "tool_calls");
    assert_eq!(chat("\"length\""), "length");
    assert_eq!(chat("\"tool_calls\""), "tool_calls");
    assert_eq!(chat("\"content_filter\""), "content_filter");
    let anthropic =
        |reason: &str| heal(Surface::Anthropic, &body(Surface::Anthropic, BLOCK).replace("\"end_turn\"", reason)).0["stop_reason"].clone();
    assert_eq!(anthropic("\"end_turn\""), "tool_use");
    assert_eq!(anthropic("\"stop_sequence\""), "tool_use");
    assert_eq!(anthropic("\"max_tokens\""), "max_tokens");
    assert_eq!(anthropic("\"refusal\""), "refusal");
    // A call that the limit cut is no call, even if only its closers lack.
    let cut = BLOCK.strip_suffix("}</tool_call>").unwrap();
    assert_eq!(heal(Surface::Chat, &body(Surface::Chat, cut)).1.calls, 1);
    assert_eq!(heal(Surface::Chat, &body(Surface::Chat, cut).replace("\"stop\"", "\"length\"")).1.calls, 0);
}

#[test]
fn u43_one_call_is_kept_if_the_request_allows_one() {
    for surface in Surface::ALL {
        let promotable = one_call(surface);
        let body = body(surface, &format!("{BLOCK}{BLOCK}{BLOCK}"));
        assert_eq!(heal_body(surface, &body, &promotable, Ids::sequential()).report, Report { calls: 1, dropped: 2 }, "{surface}");
    }
}

#[test]
fn u43_a_body_with_nothing_to_heal_keeps_its_bytes() {
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        let bodies = [
            body(surface, "Hi."),
            body(surface, "<tool_call>broken</tool_call>"),
            body(surface, r#"<tool_call>{"name":"zz","arguments":{}}</tool_call>"#),
            body(surface, &format!("<think>{BLOCK}</think> no")),
            r#"{"error": {"message": "<tool_call>"}}"#.to_owned(),
            "not json <tool_call>".to_owned(),
            "[]".to_owned(),
            r#"{"choices":7,"output":{},"content":null}"#.to_owned(),
            r#"{"choices":[null,{"message":[]}],"output":[1,{"type":"message"}],"content":[[],{"type":"text","text":5}]}"#.to_owned(),
        ];
        for body in bodies {
            let healed = heal_body(surface, &body, &promotable, Ids::sequential());
            assert!(matches!(healed.body, Cow::Borrowed(same) if same == body), "{surface}: {}", healed.body);
            assert_eq!(healed.report, Report::default());
        }
    }
}

#[test]
fn every_choice_is_a_reply_of_its_own() {
    let choice =
        |index: usize, text: &str| json!({"index": index, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"});
    let body = json!({"choices": [choice(0, "Hi"), choice(1, BLOCK), choice(2, &format!("{BLOCK}{BLOCK}"))]}).to_string();
    let healed = heal_body(Surface::Chat, &body, &one_call(Surface::Chat), Ids::sequential());
    assert_eq!(healed.report, Report { calls: 2, dropped: 1 });
    let value: Value = serde_json::from_str(&healed.body).unwrap();
    assert_eq!(value["choices"][0], choice(0, "Hi"));
    let ids: Vec<&Value> = (1..3).map(|at| &value["choices"][at]["message"]["tool_calls"][0]["id"]).collect();
    assert_ne!(ids[0], ids[1]);
}

#[test]
fn u23_the_models_id_passes_where_the_surface_carries_it_and_the_conversation_has_it_not() {
    let call = r#"[TOOL_CALLS]f[CALL_ID]abc123XYZ[ARGS]{"x":1}"#;
    let id = |surface: Surface, value: &Value| match surface {
        Surface::Chat => value["choices"][0]["message"]["tool_calls"][0]["id"].clone(),
        Surface::Responses => value["output"][1]["call_id"].clone(),
        Surface::Anthropic => value["content"][1]["id"].clone(),
    };
    for surface in Surface::ALL {
        assert_eq!(id(surface, &heal(surface, &body(surface, call)).0), "abc123XYZ", "{surface}");
        let prefix = if surface == Surface::Anthropic { "toolu_" } else { "call_" };
        assert!(id(surface, &heal(surface, &body(surface, BLOCK)).0).as_str().unwrap().starts_with(prefix), "{surface}");
    }
    let request = json!({
        "tools": tools(Surface::Chat),
        "messages": [{"role": "assistant", "tool_calls": [{"id": "abc123XYZ", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}],
    });
    let body = body(Surface::Chat, call);
    let healed = heal_body(Surface::Chat, &body, &on(Surface::Chat, &request), Ids::sequential());
    let value: Value = serde_json::from_str(&healed.body.replace("1e400", "1")).unwrap();
    assert!(id(Surface::Chat, &value).as_str().unwrap().starts_with("call_"));
}

#[test]
fn u30_u31_u32_arguments_are_typed_by_the_schema_and_never_lost() {
    let typed = "<function=typed><parameter=n>5</parameter><parameter=s>5</parameter></function>";
    let (value, ..) = heal(Surface::Anthropic, &body(Surface::Anthropic, typed));
    assert_eq!(value["content"][1]["input"], json!({"n": 5, "s": "5"}));
    for arguments in ["[1]", "7", "true", "\"ls -l\""] {
        let text = format!("<tool_call>{{\"name\":\"typed\",\"arguments\":{arguments}}}</tool_call>");
        assert_eq!(heal(Surface::Chat, &body(Surface::Chat, &text)).1.calls, 0, "{arguments}");
    }
    let text = r#"<tool_call>{"name":"f","arguments":null}</tool_call>"#;
    let (value, ..) = heal(Surface::Chat, &body(Surface::Chat, text));
    assert_eq!(value["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"], "{}");
}

#[test]
fn a_healed_body_has_nothing_left_to_heal() {
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        let once = heal_body(surface, &body(surface, &format!("a {BLOCK} b")), &promotable, Ids::sequential()).body.into_owned();
        let twice = heal_body(surface, &once, &promotable, Ids::sequential());
        assert!(matches!(twice.body, Cow::Borrowed(_)), "{surface}");
    }
}
