//! Streams of servers that send more than text, record by record.
#![allow(dead_code, reason = "no test program asks for all of it")]

use crate::texts::BLOCK;

pub const NATIVE: &str = r#"{"tool_calls":[{"index":0,"id":"call_n","type":"function","function":{"name":"g","arguments":"{}"}}]}"#;
pub const ROLE: &str = r#"{"role":"assistant","content":""}"#;
pub const DONE: &str = "data: [DONE]\n\n";

pub fn chunk(choices: &str) -> String {
    format!("data: {{\"id\":\"c\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[{choices}]}}\n\n")
}

pub fn delta(index: usize, delta: &str, finish: &str) -> String {
    format!("{{\"index\":{index},\"delta\":{delta},\"finish_reason\":{finish}}}")
}

pub fn content(text: &str) -> String {
    format!("{{\"content\":{}}}", serde_json::Value::from(text))
}

pub fn event(kind: &str, rest: &str) -> String {
    format!("event: {kind}\ndata: {{\"type\":\"{kind}\",{rest}}}\n\n")
}

pub fn message(stop: &str, blocks: &[String]) -> String {
    let start = event(
        "message_start",
        r#""message":{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":0}}"#,
    );
    let end = event("message_delta", &format!(r#""delta":{{"stop_reason":"{stop}","stop_sequence":null}},"usage":{{"output_tokens":4}}"#));
    start + &blocks.concat() + &end + "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
}

pub fn text_block(index: usize, text: &str) -> String {
    let deltas: String = text
        .as_bytes()
        .chunks(9)
        .map(|part| {
            let text = serde_json::Value::from(std::str::from_utf8(part).unwrap());
            event("content_block_delta", &format!(r#""index":{index},"delta":{{"type":"text_delta","text":{text}}}"#))
        })
        .collect();
    event("content_block_start", &format!(r#""index":{index},"content_block":{{"type":"text","text":""}}"#))
        + &event("ping", "\"x\":1")
        + &deltas
        + &event("content_block_stop", &format!(r#""index":{index}"#))
}

pub fn other_block(index: usize, block: &str, delta: &str) -> String {
    event("content_block_start", &format!(r#""index":{index},"content_block":{block}"#))
        + &event("content_block_delta", &format!(r#""index":{index},"delta":{delta}"#))
        + &event("content_block_stop", &format!(r#""index":{index}"#))
}

pub fn tool_use(index: usize) -> String {
    other_block(index, r#"{"type":"tool_use","id":"toolu_n","name":"g","input":{}}"#, r#"{"type":"input_json_delta","partial_json":"{}"}"#)
}

pub fn thinking(index: usize) -> String {
    other_block(
        index,
        r#"{"type":"thinking","thinking":"","signature":"s"}"#,
        &format!(r#"{{"type":"thinking_delta","thinking":{}}}"#, serde_json::Value::from(BLOCK)),
    )
}

pub fn message_item(index: usize, id: &str, parts: &[&str], status: &str) -> (String, Vec<String>) {
    let mut events = vec![format!(
        r#"{{"type":"response.output_item.added","output_index":{index},"item":{{"id":"{id}","type":"message","status":"in_progress","role":"assistant","content":[]}}}}"#
    )];
    let mut content = Vec::new();
    for (at, text) in parts.iter().enumerate() {
        let place = format!(r#""item_id":"{id}","output_index":{index},"content_index":{at}"#);
        let part =
            |text: &str| format!(r#"{{"type":"output_text","text":{},"annotations":[],"logprobs":[]}}"#, serde_json::Value::from(text));
        events.push(format!(r#"{{"type":"response.content_part.added",{place},"part":{}}}"#, part("")));
        for piece in text.as_bytes().chunks(9) {
            let piece = serde_json::Value::from(std::str::from_utf8(piece).unwrap());
            events.push(format!(r#"{{"type":"response.output_text.delta",{place},"delta":{piece},"logprobs":[]}}"#));
        }
        events.push(format!(r#"{{"type":"response.output_text.done",{place},"text":{},"logprobs":[]}}"#, serde_json::Value::from(*text)));
        events.push(format!(r#"{{"type":"response.content_part.done",{place},"part":{}}}"#, part(text)));
        content.push(part(text));
    }
    let done = format!(r#"{{"id":"{id}","type":"message","status":"{status}","role":"assistant","content":[{}]}}"#, content.join(","));
    events.push(format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{done}}}"#));
    (done, events)
}

pub fn call_item(index: usize) -> (String, Vec<String>) {
    let item = |arguments: &str, status: &str| {
        format!(r#"{{"id":"fc_n","type":"function_call","status":"{status}","call_id":"call_n","name":"g","arguments":"{arguments}"}}"#)
    };
    let done = item("{}", "completed");
    let events = vec![
        format!(r#"{{"type":"response.output_item.added","output_index":{index},"item":{}}}"#, item("", "in_progress")),
        format!(r#"{{"type":"response.function_call_arguments.delta","item_id":"fc_n","output_index":{index},"delta":"{{}}"}}"#),
        format!(
            r#"{{"type":"response.function_call_arguments.done","item_id":"fc_n","output_index":{index},"name":"g","arguments":"{{}}"}}"#
        ),
        format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{done}}}"#),
    ];
    (done, events)
}

pub fn reasoning_item(index: usize) -> (String, Vec<String>) {
    let text = serde_json::Value::from(BLOCK);
    let done = format!(
        r#"{{"id":"rs_1","type":"reasoning","status":"completed","summary":[],"content":[{{"type":"reasoning_text","text":{text}}}]}}"#
    );
    let place = format!(r#""item_id":"rs_1","output_index":{index},"content_index":0"#);
    let events = vec![
        format!(
            r#"{{"type":"response.output_item.added","output_index":{index},"item":{{"id":"rs_1","type":"reasoning","status":"in_progress","summary":[],"content":[]}}}}"#
        ),
        format!(r#"{{"type":"response.content_part.added",{place},"part":{{"type":"reasoning_text","text":""}}}}"#),
        format!(r#"{{"type":"response.reasoning_text.delta",{place},"delta":{text}}}"#),
        format!(r#"{{"type":"response.reasoning_text.done",{place},"text":{text}}}"#),
        format!(r#"{{"type":"response.content_part.done",{place},"part":{{"type":"reasoning_text","text":{text}}}}}"#),
        format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{done}}}"#),
    ];
    (done, events)
}

/// A Responses stream of these items, each a list of events without their numbers.
pub fn response(items: &[(String, Vec<String>)], status: &str) -> String {
    let mut events = vec![
        r#"{"type":"response.created","response":{"id":"resp_1","object":"response","status":"in_progress","output":[],"tools":[],"tool_choice":"auto","parallel_tool_calls":true,"error":null,"instructions":null,"metadata":{},"temperature":null,"top_p":null}}"#.to_owned(),
        r#"{"type":"response.in_progress","response":{"id":"resp_1","object":"response","status":"in_progress","output":[],"tools":[],"tool_choice":"auto","parallel_tool_calls":true,"error":null,"instructions":null,"metadata":{},"temperature":null,"top_p":null}}"#.to_owned(),
    ];
    let done: Vec<&str> = items.iter().map(|(done, _)| done.as_str()).collect();
    for (_, own) in items {
        events.extend(own.iter().cloned());
    }
    let details = if status == "incomplete" { r#"{"reason":"max_output_tokens"}"# } else { "null" };
    events.push(format!(
        r#"{{"type":"response.{status}","response":{{"id":"resp_1","object":"response","status":"{status}","incomplete_details":{details},"output":[{}],"tools":[],"tool_choice":"auto","parallel_tool_calls":true,"error":null,"instructions":null,"metadata":{{}},"temperature":null,"top_p":null,"usage":{{"input_tokens":1,"output_tokens":2,"total_tokens":3}}}}}}"#,
        done.join(",")
    ));
    let numbered = events.iter().enumerate().map(|(at, event)| {
        let mut value: serde_json::Value = serde_json::from_str(event).unwrap();
        value["sequence_number"] = at.into();
        format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap())
    });
    numbered.collect()
}
