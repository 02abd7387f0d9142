//! U70 to U72: one more try.

mod texts;

use serde_json::{Value, json};
use streakstone_healing::{Promotable, is_better, retry_request, should_retry};
use streakstone_surfaces::Surface;

use texts::{BLOCK, on, promotable, tools};

fn nudging(surface: Surface) -> Promotable {
    on(surface, &json!({"tools": tools(surface), "nudge_tool_calls": true}))
}

fn body(surface: Surface, text: &str, calls: &[&str]) -> String {
    let value = match surface {
        Surface::Chat => {
            let calls: Vec<Value> =
                calls.iter().map(|name| json!({"id": "x", "type": "function", "function": {"name": name, "arguments": "{}"}})).collect();
            json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": text, "tool_calls": calls}, "finish_reason": "stop"}]})
        }
        Surface::Responses => {
            let mut output = vec![json!({"type": "message", "content": [{"type": "output_text", "text": text, "annotations": []}]})];
            output.extend(calls.iter().map(|name| json!({"type": "function_call", "name": name, "arguments": "{}"})));
            json!({"status": "completed", "output": output})
        }
        Surface::Anthropic => {
            let mut content = vec![json!({"type": "text", "text": text})];
            content.extend(calls.iter().map(|name| json!({"type": "tool_use", "id": "x", "name": name, "input": {}})));
            json!({"type": "message", "content": content, "stop_reason": "end_turn"})
        }
    };
    value.to_string()
}

const BROKEN: &str = "I will. <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": </tool_call>";

#[test]
fn u70_only_an_unreadable_call_is_asked_for_again() {
    for surface in Surface::ALL {
        let on = nudging(surface);
        assert!(should_retry(surface, &body(surface, BROKEN, &[]), &on), "{surface}");
        assert!(!should_retry(surface, &body(surface, BROKEN, &[]), &promotable(surface)), "not asked for");
        assert!(!should_retry(surface, &body(surface, "Clean prose, a < b.", &[]), &on), "prose");
        assert!(!should_retry(surface, &body(surface, BLOCK, &[]), &on), "what can be healed");
        assert!(!should_retry(surface, &body(surface, BROKEN, &["f"]), &on), "structured");
    }
}

#[test]
fn u71_the_retry_is_the_request_with_the_reply_and_the_declared_names() {
    for surface in Surface::ALL {
        let on = nudging(surface);
        let key = if surface == Surface::Responses { "input" } else { "messages" };
        let request = format!(r#"{{"model":"m","seed":9007199254740993.5,"{key}":[{{"role":"user","content":"hi"}}],"x":1}}"#);
        let retry = retry_request(surface, &request, &body(surface, BROKEN, &[]), &on).unwrap();
        assert!(retry.contains("9007199254740993.5"), "{retry}");
        let value: Value = serde_json::from_str(&retry).unwrap();
        let messages = value[key].as_array().unwrap();
        assert_eq!(messages.len(), 3);
        assert_eq!(messages[0], json!({"role": "user", "content": "hi"}));
        assert_eq!(messages[1], json!({"role": "assistant", "content": BROKEN}));
        assert_eq!(messages[2]["role"], "user");
        assert!(messages[2]["content"].as_str().unwrap().contains("`a` or `b` or `f` or `g` or `typed`"), "{retry}");
    }
    let retry =
        retry_request(Surface::Responses, r#"{"input":"hi"}"#, &body(Surface::Responses, BROKEN, &[]), &nudging(Surface::Responses));
    let value: Value = serde_json::from_str(&retry.unwrap()).unwrap();
    assert_eq!(value["input"][0], json!({"role": "user", "content": "hi"}));
}

#[test]
fn u72_a_retry_counts_only_if_all_its_calls_are_declared_or_its_text_is_promotable() {
    for surface in Surface::ALL {
        let on = nudging(surface);
        assert!(is_better(surface, &body(surface, "", &["f", "g"]), &on), "{surface}");
        assert!(is_better(surface, &body(surface, BLOCK, &[]), &on), "{surface}");
        assert!(!is_better(surface, &body(surface, "", &["zz"]), &on), "undeclared");
        assert!(!is_better(surface, &body(surface, BLOCK, &["f", "zz"]), &on), "mixed");
        assert!(!is_better(surface, &body(surface, "Sorry.", &[]), &on), "prose");
        assert!(!is_better(surface, &body(surface, BROKEN, &[]), &on), "broken again");
    }
}

#[test]
fn u70_u72_no_shape_panics() {
    let shapes = [
        "",
        "null",
        "[]",
        "7",
        "{",
        "{}",
        "\u{feff}{}",
        r#"{"choices":null}"#,
        r#"{"choices":[]}"#,
        r#"{"choices":[7,null,{}]}"#,
        r#"{"choices":[{"message":null}]}"#,
        r#"{"choices":[{"message":{"content":7,"tool_calls":{}}}]}"#,
        r#"{"choices":[{"message":{"tool_calls":[null,7,{"function":null},{"function":{"name":3}}]}}]}"#,
        r#"{"content":"<tool_call>"}"#,
        r#"{"content":[null,{"type":"tool_use"},{"type":"text"}]}"#,
        r#"{"output":[null,{"type":"function_call"},{"type":"message","content":"<tool_call>"},{"type":"message","content":[null]}]}"#,
        r#"{"error":{"message":"<tool_call>"}}"#,
    ];
    for surface in Surface::ALL {
        let on = nudging(surface);
        for shape in shapes {
            assert!(!should_retry(surface, shape, &on), "{surface}: {shape}");
            assert!(!is_better(surface, shape, &on), "{surface}: {shape}");
            assert_eq!(retry_request(surface, shape, &body(surface, BROKEN, &[]), &on), None, "{surface}: {shape}");
            let retry = retry_request(surface, r#"{"messages":[],"input":[]}"#, shape, &on);
            assert!(retry.is_none_or(|retry| serde_json::from_str::<Value>(&retry).is_ok()), "{surface}: {shape}");
        }
    }
}
