//! The JSON rows: what each template writes, and what else the rows read. Whole, at every cut, a byte at a time, in both
//! deliveries.

mod reading;

use reading::{events, row};
use streakstone_model::{Delivery, End, Event, ReadOptions, Reply, Tool};
use streakstone_parsers::{Parser, ToolSet};

/// The arguments of the first and second call of every example.
const ONE: &str = r#"{"city": "Paris", "unit": "c"}"#;
const TWO: &str = r#"{"tz": "UTC"}"#;

fn read(name: &str, raw: &str, chunks: &[&[u8]], delivery: Delivery, end: End) -> Reply {
    let tools = ["get_weather", "get_time"].map(|n| Tool { name: n.to_owned(), parameters: serde_json::json!({}) });
    let tools = ToolSet::new(Some(&tools));
    let mut options = ReadOptions::default();
    options.policies.delivery = delivery;
    let events = events(row(name), &tools, &options, chunks, end);
    Reply::from_events(&events).unwrap_or_else(|e| panic!("{name} {raw:?}: {e}"))
}

/// The validated reply; every cut and the eager delivery give the same.
fn reply(name: &str, raw: &str) -> Reply {
    let bytes = raw.as_bytes();
    let whole = read(name, raw, &[bytes], Delivery::Validated, End::Stop);
    for delivery in Delivery::ALL {
        assert_eq!(read(name, raw, &[bytes], *delivery, End::Stop), whole, "{name} {raw:?} {delivery}");
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(name, raw, &single, *delivery, End::Stop), whole, "{name} {raw:?} {delivery} a byte at a time");
        for cut in 1..bytes.len() {
            let (a, b) = bytes.split_at(cut);
            assert_eq!(read(name, raw, &[a, b], *delivery, End::Stop), whole, "{name} {raw:?} {delivery} cut at {cut}");
        }
    }
    whole
}

/// What is in the reply: content, then name and arguments of each call.
fn found(name: &str, raw: &str) -> (String, Vec<(String, String)>) {
    let reply = reply(name, raw);
    (reply.content(), reply.calls().map(|c| (c.name.clone(), c.arguments.clone())).collect())
}

#[track_caller]
fn assert_calls(name: &str, raw: &str, content: &str, count: usize) {
    let calls = [("get_weather", ONE), ("get_time", TWO)].map(|(n, a)| (n.to_owned(), a.to_owned()));
    assert_eq!(found(name, raw), (content.to_owned(), calls[..count].to_vec()), "{name} {raw:?}");
}

#[track_caller]
fn assert_text(name: &str, raw: &str) {
    assert_calls(name, raw, raw, 0);
}

/// Where `@1` and `@2` stand, the two calls with the row's keys.
fn fill(text: &str, keys: &str) -> String {
    let call = |n: &str, a: &str| match keys {
        "key" => format!("{{\"{n}\": {a}}}"),
        "cohere" => format!("{{\"tool_name\": \"{n}\", \"parameters\": {a}}}"),
        keys => format!("{{\"name\": \"{n}\", \"{keys}\": {a}}}"),
    };
    text.replace("@1", &call("get_weather", ONE)).replace("@2", &call("get_time", TWO))
}

/// Row, key of the arguments, one call, two calls (dialects B; Appendix 2).
#[rustfmt::skip]
const CANONICAL: &[(&str, &str, &str, &str)] = &[
    ("granite20b", "arguments", "<function_call> @1", "<function_call> @1 <function_call> @2"),
    ("gigachat3", "arguments", "<|function_call|>@1", "function call<|role_sep|>\n@1<|message_sep|>\n\nfunction call<|role_sep|>\n@2"),
    ("internlm", "parameters", "<|action_start|><|plugin|>\n@1<|action_end|>\n", "<|action_start|> <|plugin|>\n@1<|action_end|>\n<|action_start|><|plugin|>\n@2<|action_end|>\n"),
    ("phi4mini_native", "arguments", "<|tool_call|>@1<|/tool_call|>", "<|tool_call|>@1<|/tool_call|><|tool_call|>@2<|/tool_call|>"),
    ("phi4mini_native", "arguments", "<|tool_call|>[@1]<|/tool_call|>", "<|tool_call|>[@1, @2]<|/tool_call|><|end|>"),
    ("rwkv", "arguments", "**Tool Call:**\n```json\n@1\n```", "**Tool Call:**\n```json\n@1\n```\n\n**Tool Call:**\n@2"),
    ("llama3", "parameters", "@1", "@1; @2"),
    ("llama3", "arguments", "<|python_tag|>@1<|eom_id|>", "<|python_tag|>@1; @2"),
    ("llama3", "parameters", "\n@1", "@1\n@2"),
    ("llama3", "parameters", "[@1]", "[@1, @2]"),
    ("generic_json", "arguments", "@1", "[@1, @2]"),
    ("generic_json", "parameters", "```json\n@1\n```", "```json\n[@1, @2]\n```"),
    ("granite3", "arguments", "<|tool_call|>[@1]", "<|tool_call|>[@1, @2]"),
    ("granite31", "arguments", "<tool_call>[@1]", "<tool_call>[@1, @2]"),
    ("jamba", "arguments", "<tool_calls>[\n    @1\n]</tool_calls>", "<tool_calls>[\n    @1,\n    @2\n]</tool_calls>"),
    ("apriel", "arguments", "\n<tool_calls>[@1]</tool_calls>", "<tool_calls>[@1, @2]</tool_calls>\n<|end|>"),
    ("nemotron_deci", "arguments", "<TOOLCALL>[@1]</TOOLCALL>", "<TOOLCALL>[@1, @2]</TOOLCALL>"),
    ("hunyuan_a13b", "arguments", "<answer>\n<tool_calls>[@1]</tool_calls>\n</answer>", "<tool_calls>[@1, @2]</tool_calls>"),
    ("phi4mini", "arguments", "functools[@1]", "functools[@1, @2]"),
    ("firefunction", "arguments", " functools[@1]", " functools[@1, @2]<|eot_id|>"),
    ("cohere", "cohere", "<|START_ACTION|>[\n    @1\n]<|END_ACTION|>", "<|START_ACTION|>[\n    @1,\n    @2\n]<|END_ACTION|>"),
    ("command_r", "cohere", "Action: ```json\n[\n    @1\n]\n```", "Action:\n```json\n[\n    @1,\n    @2\n]\n```"),
    ("xlam", "arguments", "[@1]", "[@1, @2]"),
    ("xlam", "arguments", "```json\n[@1]\n```", "[TOOL_CALLS][@1, @2]"),
    ("xlam", "arguments", "<tool_call>[@1]</tool_call>", "{\"tool_calls\": [@1, @2]}"),
    ("apertus", "key", "<|tools_prefix|>[@1]<|tools_suffix|>", "<|tools_prefix|>[@1, @2]<|tools_suffix|><|assistant_end|>"),
    ("minimax_m1", "arguments", "<tool_calls>\n@1\n</tool_calls>", "<tool_calls>\n@1\n@2\n</tool_calls>"),
    ("hyperclovax", "parameters", " -> tool/function_call\n[@1]<|im_end|>", " -> tool/function_call\n[@1, @2]<|im_end|>"),
    ("openpangu", "arguments", "<|tool_call_start|>[@1]<|tool_call_end|>", "[unused11][@1, @2][unused12]"),
];

#[test]
fn what_the_templates_write_are_calls_alone() {
    for (name, keys, one, two) in CANONICAL {
        assert_calls(name, &fill(one, keys), "", 1);
        assert_calls(name, &fill(two, keys), "", 2);
        if !row(name).grammar.is_bare() {
            assert_calls(name, &format!("Sure. {}", fill(one, keys)), "Sure. ", 1);
        }
    }
}

#[test]
fn a_bare_object_is_a_call_wherever_it_stands_and_the_text_around_it_stays() {
    let call = fill("@1", "parameters");
    for name in ["llama3", "generic_json", "xlam"] {
        assert_calls(name, &format!("Here: {call} Done."), "Here:  Done.", 1);
        // Without a marker an object must close, and have a declared name and arguments.
        for text in [
            "{\"name\": \"get_weather\"}",
            "{\"name\": \"zz\", \"parameters\": {}}",
            "Here is a record: {\"name\": \"Sam\"} and nothing else.",
            "{\"a\": {\"b\": [1, {\"c\": 2}, \"{\"]}}; {x}",
            "{\"tool_calls\": []} {}",
            "[]; {",
        ] {
            assert_text(name, text);
        }
        for cut in 1..call.len() {
            assert_text(name, &call[..cut]);
        }
        // A failed candidate does not take the next one with it; one that goes on to the end takes all but the last brace.
        assert_calls(name, &format!("{{\"a\": x {call}"), "{\"a\": x ", 1);
        assert_calls(name, &format!("[{{\"a\": {call}}}, {call}"), &format!("[{{\"a\": {call}}}, {call}"), 0);
    }
}

#[test]
fn a_semicolon_belongs_to_the_second_call_or_to_the_text() {
    let call = fill("@1", "parameters");
    assert_calls("llama3", &format!("{call}; and so on"), "; and so on", 1);
    assert_calls("llama3", &format!("{call};"), ";", 1);
    assert_calls("llama3", &format!("{call}; {{\"name\": \"zz\", \"parameters\": {{}}}}"), "; {\"name\": \"zz\", \"parameters\": {}}", 1);
    assert_calls("generic_json", &format!("{call}; x"), "; x", 1);
}

#[test]
fn built_in_tools_of_llama_are_calls_behind_the_tag_only() {
    let text = "get_weather.call(city=\"Paris\", unit=\"c\")";
    let calls = vec![("get_weather".to_owned(), "{\"city\":\"Paris\",\"unit\":\"c\"}".to_owned())];
    assert_eq!(found("llama3", &format!("<|python_tag|>{text}<|eom_id|>")), (String::new(), calls));
    assert_text("llama3", text);
    assert_text("llama3", "<|python_tag|>get_weather(city=\"Paris\")");
    assert_text("llama3", "<|python_tag|>import math\nprint(math.pi)");
}

#[test]
fn the_shape_of_the_openai_api_is_read_where_the_row_says_so() {
    let one = "{\"id\": \"call_1\", \"type\": \"function\", \"function\": {\"name\": \"get_weather\", \"arguments\": \"{\\\"city\\\": \\\"Paris\\\", \\\"unit\\\": \\\"c\\\"}\"}}";
    let two = "{\"type\": \"function\", \"function\": {\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}}";
    for name in ["generic_json", "xlam"] {
        assert_calls(name, one, "", 1);
        assert_calls(name, &format!("{{\"content\": null, \"tool_calls\": [{one}, {two}], \"n\": [1]}}\nDone."), "\nDone.", 2);
        assert_calls(name, &format!("```json\n{{\"tool_calls\": [{one}]}}\n```\n"), "", 1);
        assert_text(name, &format!("{{\"tool_calls\": [{one}, {two}], "));
        assert_text(name, &format!("{{\"tool_calls\": [{two}] x"));
        assert_eq!(reply(name, one).calls().next().map(|c| c.id.value.clone()).as_deref(), Some("call_1"));
    }
    assert_calls("generic_json", &fill("{\"tool_call\": @1}", "arguments"), "", 1);
    assert_text("llama3", one);
}

#[test]
fn the_shape_behind_a_marker_needs_no_end() {
    let list = fill("<tool_call>{\"tool_calls\": [@1, @2]", "arguments");
    assert_calls("xlam", &list, "", 2);
    assert_calls("xlam", &format!("{list} }}</tool_call>"), "", 2);
    assert_calls("xlam", &format!("{list}, \"x\": oh"), ", \"x\": oh", 2);
}

#[test]
fn a_pseudo_tool_is_no_call() {
    assert_text("command_r", "Action: ```json\n[\n    {\"tool_name\": \"directly_answer\", \"parameters\": {}}\n]\n```");
    let tools = ToolSet::new(None);
    let options = ReadOptions::default();
    let mut parser = Parser::new(row("command_r"), &tools, &options);
    let mut events: Vec<Event> = Vec::new();
    parser.push_str("Action: ```json\n[{\"tool_name\": \"directly-answer\", \"parameters\": {}}]\n```", &mut events);
    parser.finish(End::Stop, &mut events);
    assert_eq!(Reply::from_events(&events).unwrap().calls().count(), 0);
}

#[test]
fn ids_of_cohere_are_kept_and_do_not_hold_the_call_back() {
    let raw = "<|START_ACTION|>[{\"tool_call_id\": \"0\", \"tool_name\": \"get_time\", \"parameters\": {}}]<|END_ACTION|>";
    assert_eq!(reply("cohere", raw).calls().next().map(|c| c.id.value.clone()).as_deref(), Some("0"));
    let cut = raw.len() - "}}]<|END_ACTION|>".len();
    let open = read("cohere", raw, &[&raw.as_bytes()[..cut]], Delivery::Eager, End::Length);
    assert_eq!(open.calls().next().map(|c| c.name.clone()).as_deref(), Some("get_time"));
}

#[test]
fn a_name_that_is_the_key_stands_alone() {
    assert_text("apertus", "<|tools_prefix|>[{}]<|tools_suffix|>");
    assert_text("apertus", "<|tools_prefix|>[{\"get_weather\": 1}]<|tools_suffix|>");
    let two = "<|tools_prefix|>[{\"get_weather\": {}, \"get_time\": {}}]";
    assert_eq!(read("apertus", two, &[two.as_bytes()], Delivery::Validated, End::Stop).calls().count(), 0);
}

#[test]
fn an_opener_inside_a_failed_call_opens_the_next() {
    assert_calls("phi4mini", &format!("functools[{{\"name\": functools[{}]", fill("@1", "arguments")), "functools[{\"name\": ", 1);
    assert_calls("openpangu", &format!("[unused11][{{\"name\": [unused11][{}]", fill("@1", "arguments")), "[unused11][{\"name\": ", 1);
    assert_calls("xlam", &format!("<tool_call>[TOOL_CALLS][{}]", fill("@1", "arguments")), "<tool_call>", 1);
}

#[test]
fn reasoning_of_the_rows() {
    for (name, raw, reasoning, content) in [
        ("cohere", "<|START_THINKING|>Two.<|END_THINKING|><|START_TEXT|>Hello.<|END_TEXT|>", "Two.", "Hello."),
        ("apertus", "<|inner_prefix|>Hm.<|inner_suffix|>Hello.<|assistant_end|>", "Hm.", "Hello."),
        ("granite31", "Here is my thought process:\nHm.\nHere is my response:\n\nHello.", "Hm.", "Hello."),
        ("granite31", "<think>Hm.</think><response>Hello.</response>", "Hm.", "Hello."),
        ("hunyuan_a13b", "<think>\nHm.\n</think>\n<answer>\nHello.\n</answer>", "Hm.", "Hello."),
        ("hyperclovax", "/think\nHm.<|im_end|>\n<|im_start|>assistant\nHello.<|im_end|>", "Hm.", "Hello."),
        ("openpangu", "[unused16]Hm.[unused17]Hello.", "Hm.", "Hello."),
        ("apriel", "Here are my reasoning steps:\nHm.\n[BEGIN FINAL RESPONSE]\nHello.", "Hm.", "Hello."),
    ] {
        let reply = reply(name, raw);
        assert_eq!((reply.reasoning().as_str(), reply.content().as_str()), (reasoning, content), "{name}");
    }
}
