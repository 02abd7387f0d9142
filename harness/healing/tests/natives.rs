//! What upstream sends besides text: structured calls, reasoning, several choices, several parts, no finish.

mod texts;
mod upstream;

use streakstone_healing::{Promotable, Report, StreamHealer, heal_body};
use streakstone_surfaces::{Context, DeliveredPart, Ids, Surface, check, read_stream};

use texts::{BLOCK, one_call, promotable};
use upstream::{
    DONE, NATIVE, ROLE, call_item, chunk, content, delta, message, message_item, reasoning_item, response, text_block, thinking, tool_use,
};

fn heal(surface: Surface, promotable: &Promotable, raw: &str) -> (String, Report) {
    let (mut healer, mut out) = (StreamHealer::new(surface, promotable, Ids::sequential()), Vec::new());
    healer.push(raw.as_bytes(), &mut out);
    healer.finish(&mut out);
    (String::from_utf8(out).unwrap(), healer.report())
}

fn lawful(surface: Surface, out: &str) {
    assert_eq!(check(surface, out.as_bytes(), &Context::default()).unwrap(), [], "{out}");
}

/// Names and ids of the calls, and the text with a bar where a call stood.
fn outline(surface: Surface, out: &str) -> (Vec<String>, String) {
    let got = read_stream(surface, out.as_bytes());
    let text = got.parts.iter().map(|part| match part {
        DeliveredPart::Text(text) => text.clone(),
        DeliveredPart::Call(_) => "|".to_owned(),
        DeliveredPart::Reasoning(text) => format!("({text})"),
    });
    (got.calls().map(|call| call.name.clone()).collect(), text.collect())
}

#[test]
fn u60_native_indexes_move_behind_promoted_calls() {
    let surface = Surface::Chat;
    let raw = [
        chunk(&delta(0, ROLE, "null")),
        chunk(&delta(0, &content(&format!("{BLOCK} then")), "null")),
        chunk(&delta(0, NATIVE, "null")),
        chunk(&delta(0, "{}", "\"tool_calls\"")),
        DONE.to_owned(),
    ];
    let (out, report) = heal(surface, &promotable(surface), &raw.concat());
    lawful(surface, &out);
    assert_eq!(outline(surface, &out).0, ["f", "g"]);
    assert_eq!(report, Report { calls: 1, dropped: 0 });
    // One call only: the native one behind it is left out, and the finish stays.
    let (out, report) = heal(surface, &one_call(surface), &raw.concat());
    lawful(surface, &out);
    assert_eq!(outline(surface, &out).0, ["f"]);
    assert_eq!(report, Report { calls: 1, dropped: 1 });
}

#[test]
fn u60_role_and_other_fields_come_first_and_the_finish_last() {
    let surface = Surface::Chat;
    let first = format!(
        "{{\"role\":\"assistant\",\"reasoning_content\":\"hm\",\"content\":{}}}",
        serde_json::Value::from(format!("Hi {BLOCK} bye"))
    );
    let raw = chunk(&delta(0, &first, "\"stop\"")) + DONE;
    let (out, _) = heal(surface, &promotable(surface), &raw);
    lawful(surface, &out);
    let records: Vec<&str> = out.split_inclusive("\n\n").collect();
    assert_eq!(records.len(), 5, "{out}");
    assert!(records[0].contains(r#""delta":{"role":"assistant","reasoning_content":"hm","content":"Hi "},"finish_reason":null"#), "{out}");
    assert!(records[1].contains(r#""tool_calls":[{"index":0,"id":"call_000000000000000000000001","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]"#), "{out}");
    assert!(records[2].contains(r#""delta":{"content":" bye"},"finish_reason":null"#), "{out}");
    assert!(records[3].contains(r#""delta":{},"finish_reason":"tool_calls""#), "{out}");
}

#[test]
fn u60_a_finish_that_upstream_left_out_is_added_before_done() {
    let surface = Surface::Chat;
    let cut = BLOCK.strip_suffix("}</tool_call>").unwrap();
    let raw = [chunk(&delta(0, ROLE, "null")), chunk(&delta(0, &content(cut), "null")), DONE.to_owned()].concat();
    let (out, _) = heal(surface, &promotable(surface), &raw);
    lawful(surface, &out);
    assert_eq!(outline(surface, &out).0, ["f"]);
    assert!(out.ends_with("\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n"), "{out}");
    // Without `[DONE]` nobody said that the model stopped.
    let dead = raw.strip_suffix(DONE).unwrap();
    assert_eq!(heal(surface, &promotable(surface), dead).0, dead);
}

#[test]
fn u60_each_choice_has_a_healer_and_a_budget_of_its_own() {
    let surface = Surface::Chat;
    let (one, two) = BLOCK.split_at(20);
    let raw = [
        chunk(&[delta(0, ROLE, "null"), delta(1, ROLE, "null")].join(",")),
        chunk(&[delta(0, &content(one), "null"), delta(1, &content("plain <to"), "null")].join(",")),
        chunk(&[delta(1, &content("ol>"), "null"), delta(0, &content(two), "null")].join(",")),
        chunk(&delta(1, &content(BLOCK), "\"length\"")),
        chunk(&delta(0, "{}", "\"stop\"")),
        DONE.to_owned(),
    ];
    let (out, report) = heal(surface, &one_call(surface), &raw.concat());
    lawful(surface, &out);
    assert_eq!(report, Report { calls: 2, dropped: 0 });
    let of = |index: usize| {
        let own = out.split_inclusive("\n\n").filter_map(|record| {
            let mut value: serde_json::Value = serde_json::from_str(record.strip_prefix("data: ")?).ok()?;
            let choices = value["choices"].as_array_mut()?;
            choices.retain(|choice| choice["index"] == index);
            for choice in choices.iter_mut() {
                choice["index"] = 0.into();
            }
            Some(format!("data: {value}\n\n"))
        });
        own.collect::<String>()
    };
    assert_eq!(outline(surface, &of(0)), (vec!["f".to_owned()], "|".to_owned()));
    assert_eq!(outline(surface, &of(1)), (vec!["f".to_owned()], "plain <tool>|".to_owned()));
    assert!(of(0).contains("\"tool_calls\"}") && of(1).contains("\"length\"}"), "{out}");
}

#[test]
fn u60_nothing_behind_its_own_finish_is_promoted() {
    let surface = Surface::Chat;
    let raw = [
        chunk(&delta(0, ROLE, "null")),
        chunk(&delta(0, &content("Hi"), "\"stop\"")),
        chunk(&delta(0, &content(BLOCK), "null")),
        DONE.to_owned(),
    ];
    assert_eq!(heal(surface, &promotable(surface), &raw.concat()).0, raw.concat());
}

#[test]
fn u53_a_native_call_first_makes_the_stream_pass_as_it_is() {
    let surface = Surface::Chat;
    let raw = [
        chunk(&delta(0, ROLE, "null")),
        chunk(&delta(0, &content("<tool_call>{\"na"), "null")),
        chunk(&delta(0, NATIVE, "null")),
        chunk(&delta(0, &content(BLOCK), "null")),
        chunk(&delta(0, "{}", "\"tool_calls\"")),
        DONE.to_owned(),
    ];
    assert_eq!(heal(surface, &promotable(surface), &raw.concat()).0, raw.concat());
}

#[test]
fn u62_blocks_are_closed_before_a_call_and_later_ones_move_behind_it() {
    let surface = Surface::Anthropic;
    let raw = message("end_turn", &[thinking(0), text_block(1, &format!("Hi {BLOCK} and {BLOCK}")), text_block(2, "bye"), tool_use(3)]);
    let (out, report) = heal(surface, &promotable(surface), &raw);
    lawful(surface, &out);
    assert_eq!(report, Report { calls: 2, dropped: 0 });
    let (names, text) = outline(surface, &out);
    assert_eq!((names, text), (vec!["f".to_owned(), "f".to_owned(), "g".to_owned()], format!("({BLOCK})Hi | and |bye|")));
    assert!(
        out.contains(r#""stop_reason":"tool_use""#) && out.contains(r#""index":6,"content_block":{"type":"tool_use","id":"toolu_n""#),
        "{out}"
    );
    assert!(out.contains(r#"{"type":"tool_use","id":"toolu_000000000000000000000001","name":"f","input":{}}"#), "{out}");
}

#[test]
fn u62_one_slot_is_shared_and_max_tokens_wins() {
    let surface = Surface::Anthropic;
    let raw = message("max_tokens", &[text_block(0, BLOCK), tool_use(1)]);
    let (out, report) = heal(surface, &one_call(surface), &raw);
    lawful(surface, &out);
    assert_eq!((outline(surface, &out).0.len(), report), (1, Report { calls: 1, dropped: 1 }));
    assert!(out.contains(r#""stop_reason":"max_tokens""#), "{out}");
    // No empty text block stands before the call.
    assert!(out.contains(r#""index":0,"content_block":{"type":"tool_use""#), "{out}");
}

#[test]
fn u62_a_native_call_first_makes_the_stream_pass_as_it_is() {
    let surface = Surface::Anthropic;
    let raw = message("tool_use", &[text_block(0, "<tool_call>{\"nam"), tool_use(1), text_block(2, BLOCK)]);
    assert_eq!(heal(surface, &promotable(surface), &raw).0, raw);
}

#[test]
fn u61_messages_are_split_around_calls_and_indexes_stay_dense() {
    let surface = Surface::Responses;
    let text = format!("Hi {BLOCK} and {BLOCK} bye");
    let raw =
        response(&[reasoning_item(0), message_item(1, "msg_1", &["First. ", &text, "Last."], "completed"), call_item(2)], "completed");
    lawful(surface, &raw);
    let (out, report) = heal(surface, &promotable(surface), &raw);
    lawful(surface, &out);
    assert_eq!(report, Report { calls: 2, dropped: 0 });
    let (names, text) = outline(surface, &out);
    assert_eq!((names, text), (vec!["f".to_owned(), "f".to_owned(), "g".to_owned()], format!("({BLOCK})First. Hi | and | byeLast.|")));
    // One call only: the native one behind it is left out.
    let (out, report) = heal(surface, &one_call(surface), &raw);
    lawful(surface, &out);
    assert_eq!((outline(surface, &out).0, report.calls), (vec!["f".to_owned()], 1));
}

#[test]
fn u61_no_empty_message_stands_before_a_call_and_whole_equals_streamed() {
    let surface = Surface::Responses;
    for status in ["completed", "incomplete"] {
        let items = [
            message_item(0, "msg_1", &[&format!("{BLOCK}{BLOCK}"), BLOCK], "completed"),
            message_item(1, "msg_2", &[&format!("bye {BLOCK} the")], status),
        ];
        let raw = response(&items, status);
        let (out, report) = heal(surface, &promotable(surface), &raw);
        assert_eq!(report, Report { calls: 4, dropped: 0 });
        if status == "completed" {
            lawful(surface, &out);
        }
        assert_eq!(outline(surface, &out).1, "|||bye | the");
        let last = raw.lines().rfind(|line| line.starts_with("data: ")).unwrap();
        let value: serde_json::Value = serde_json::from_str(&last[6..]).unwrap();
        let body = value["response"].to_string();
        let healed = heal_body(surface, &body, &promotable(surface), Ids::sequential());
        let whole: serde_json::Value = serde_json::from_str(&healed.body).unwrap();
        let last = out.lines().rfind(|line| line.starts_with("data: ")).unwrap();
        let streamed: serde_json::Value = serde_json::from_str(&last[6..]).unwrap();
        assert_eq!(whole["output"], streamed["response"]["output"]);
        assert_eq!(streamed["response"]["output"][3]["id"], "msg_2");
        assert_eq!(streamed["response"]["status"], status);
    }
}

#[test]
fn u61_log_probabilities_of_a_promoted_call_do_not_stay_with_the_text() {
    let surface = Surface::Responses;
    let items = [message_item(0, "msg_1", &["plain"], "completed"), message_item(1, "msg_2", &[&format!("Hi {BLOCK} bye")], "completed")];
    let raw = response(&items, "completed").replace(r#""logprobs":[]"#, r#""logprobs":[{"token":"x"}]"#);
    let (out, _) = heal(surface, &promotable(surface), &raw);
    let ended = |text: &str| -> serde_json::Value {
        serde_json::from_str(text.lines().rfind(|line| line.starts_with("data: ")).unwrap().strip_prefix("data: ").unwrap()).unwrap()
    };
    let body = heal_body(surface, &ended(&raw)["response"].to_string(), &promotable(surface), Ids::sequential()).body.into_owned();
    for output in [ended(&out)["response"]["output"].clone(), serde_json::from_str::<serde_json::Value>(&body).unwrap()["output"].clone()] {
        let of = |at: usize| output[at]["content"][0]["logprobs"].as_array().unwrap().len();
        assert_eq!((of(0), of(1), of(3)), (1, 0, 0), "{output}");
    }
}

#[test]
fn u61_a_native_call_first_makes_the_stream_pass_as_it_is() {
    let surface = Surface::Responses;
    let raw = response(
        &[message_item(0, "msg_1", &["<tool_call>{\"nam"], "completed"), call_item(1), message_item(2, "msg_2", &[BLOCK], "completed")],
        "completed",
    );
    assert_eq!(heal(surface, &promotable(surface), &raw).0, raw);
}
