//! The canonical texts of each row (`spec/dialects.md` B), whole, at every cut and byte by byte, in both deliveries.

mod reading;

use reading::{events, row};
use streakstone_model::{Delivery, Dialect, End, ReadOptions, Reply, Tool};
use streakstone_parsers::ToolSet;

fn tools() -> Vec<Tool> {
    let parameters = serde_json::json!({"type": "object", "properties": {"city": {"type": "string"}, "unit": {"type": "string"}, "tz": {"type": "string"}}});
    ["get_weather", "get_time"].iter().map(|name| Tool { name: (*name).to_owned(), parameters: parameters.clone() }).collect()
}

fn read(dialect: &'static Dialect, chunks: &[&[u8]], delivery: Delivery, end: End) -> Reply {
    let tools = ToolSet::new(Some(&tools()));
    let mut options = ReadOptions::default();
    options.policies.delivery = delivery;
    let events = events(dialect, &tools, &options, chunks, end);
    Reply::from_events(&events).unwrap_or_else(|e| panic!("{e}: {events:?}"))
}

/// The reply to `text`, the same whole, at every cut and byte by byte, in both deliveries.
fn reply(name: &str, text: &str) -> Reply {
    let dialect = row(name);
    let mut replies = Vec::new();
    for delivery in Delivery::ALL {
        let whole = read(dialect, &[text.as_bytes()], *delivery, End::Stop);
        for cut in 1..text.len() {
            let (a, b) = text.as_bytes().split_at(cut);
            assert_eq!(read(dialect, &[a, b], *delivery, End::Stop), whole, "{name}: {text:?} cut at {cut}, {delivery}");
        }
        let bytes: Vec<&[u8]> = text.as_bytes().chunks(1).collect();
        assert_eq!(read(dialect, &bytes, *delivery, End::Stop), whole, "{name}: {text:?} byte by byte, {delivery}");
        replies.push(whole);
    }
    replies.swap_remove(0)
}

/// `content | name {arguments} | ...`, arguments compact.
fn shown(reply: &Reply) -> String {
    let mut shown = vec![reply.content().clone()];
    for call in reply.calls() {
        let json: serde_json::Value = serde_json::from_str(&call.arguments).unwrap();
        shown.push(format!("{} {json}", call.name));
    }
    shown.join(" | ")
}

fn reads(name: &str, text: &str, want: &str) {
    assert_eq!(shown(&reply(name, text)), want, "{name}: {text:?}");
}

const ONE: &str = r#" | get_weather {"city":"Paris","unit":"c"}"#;
const TWO: &str = r#" | get_weather {"city":"Paris","unit":"c"} | get_time {"tz":"UTC"}"#;

#[test]
fn canonical_texts_are_calls_and_nothing_else() {
    let weather = r#"{"city": "Paris", "unit": "c"}"#;
    let time = r#"{"tz": "UTC"}"#;
    // Section, then for each call what stands before the name, between name and arguments, and behind them; the end.
    let rows: &[(&str, [&str; 6])] = &[
        ("mistral_v13", ["", "[TOOL_CALLS]", "[ARGS]", "", "", ""]),
        ("mistral_brace", ["", "[TOOL_CALLS]", "", "", "", ""]),
        (
            "deepseek_v3",
            [
                "<｜tool▁calls▁begin｜>",
                "<｜tool▁call▁begin｜>function<｜tool▁sep｜>",
                "\n```json\n",
                "\n```<｜tool▁call▁end｜>",
                "\n",
                "<｜tool▁calls▁end｜>",
            ],
        ),
        (
            "deepseek_v31",
            ["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>", "<｜tool▁sep｜>", "<｜tool▁call▁end｜>", "", "<｜tool▁calls▁end｜>"],
        ),
        (
            "kimi_k2",
            [
                "<|tool_calls_section_begin|>",
                "<|tool_call_begin|>functions.",
                ":0<|tool_call_argument_begin|>",
                "<|tool_call_end|>",
                "",
                "<|tool_calls_section_end|>",
            ],
        ),
        ("functionary_v31", ["", "<function=", ">", "</function>", "", ""]),
        (
            "plamo3",
            [
                "<|plamo:begin_tool_requests:plamo|>",
                "<|plamo:begin_tool_request:plamo|><|plamo:begin_tool_name:plamo|>",
                "<|plamo:end_tool_name:plamo|><|plamo:begin_tool_arguments:plamo|><|plamo:constrain|>json<|plamo:msg|>",
                "<|plamo:end_tool_arguments:plamo|><|plamo:end_tool_request:plamo|>",
                "",
                "<|plamo:end_tool_requests:plamo|>",
            ],
        ),
        ("solar_open", ["<|tool_calls|>", "<|tool_call:begin|>0<|tool_call:name|>", "<|tool_call:args|>", "<|tool_call:end|>", "", ""]),
        ("step_audio2", ["", "<tool_call>function\n", "\n", "</tool_call>", "\n", ""]),
        (
            "mirothinker",
            [
                "",
                "<use_mcp_tool>\n<server_name>s</server_name>\n<tool_name>",
                "</tool_name>\n<arguments>\n",
                "\n</arguments>\n</use_mcp_tool>",
                "\n",
                "",
            ],
        ),
        ("cwm", ["", "<tool: function>\n", " ", "\n</tool>", "\n", ""]),
        ("react", ["", "Action: ", "\nAction Input: ", "", "\n", ""]),
    ];
    for (name, [first, open, named, close, separator, last]) in rows {
        let one = format!("{open}get_weather{named}{weather}{close}");
        let two = format!("{open}get_time{named}{time}{close}");
        reads(name, &format!("{first}{one}{last}"), ONE);
        reads(name, &format!("{first}{one}{separator}{two}{last}"), TWO);
        // Text around a block stays, and a block of names that nobody declared is text.
        let block = format!("{first}{one}{separator}{two}{last}");
        let content = format!("Sure. {block} Done.").replace(&block, "");
        reads(name, &format!("Sure. {block} Done."), &format!("{content}{TWO}"));
        let strange = format!("a {block} b").replace("get_", "put_");
        reads(name, &strange, &strange);
        // What is cut before the body's end is text; what lacks closers alone is a call.
        reads(name, &format!("{first}{}", &one[..one.len() - close.len()]), ONE);
        let cut = format!("{first}{open}get_weather{named}{}", &weather[..12]);
        reads(name, &cut, &cut);
    }
}

#[test]
fn kimi_keeps_its_ids() {
    let text = |id: &str, arguments: &str| {
        format!(
            "<|tool_calls_section_begin|><|tool_call_begin|>{id}<|tool_call_argument_begin|>{arguments}<|tool_call_end|><|tool_calls_section_end|>"
        )
    };
    let call = |id: &str, arguments: &str| {
        let reply = reply("kimi_k2", &text(id, arguments));
        let call = reply.calls().next().unwrap_or_else(|| panic!("{id}: {reply:?}")).clone();
        assert_eq!(reply.content(), "");
        (call.name, call.id.minted, call.id.value, call.arguments)
    };
    for (id, kept) in [
        ("functions.get_time:0", true),
        ("get_time:3", true),
        ("functions.get_time", false),
        ("functionsget_time5", true),
        ("functions.get_time5", false),
        ("get_time", true),
    ] {
        let (name, minted, value, arguments) = call(id, "{}");
        assert_eq!((name.as_str(), minted, arguments.as_str()), ("get_time", !kept, "{}"), "{id}");
        assert!(!kept || value == id, "{value}");
    }
    for arguments in ["", "\n", " null", "\"{}\""] {
        assert_eq!(call("\nfunctions.get_time:0\n", arguments).3, "{}", "{arguments:?}");
    }
    // A counter, or a word that was never declared, names nothing.
    for id in ["0", "call00003", "functions.put:0", "functions.get_time2:0"] {
        assert_eq!(reply("kimi_k2", &text(id, "{}")).content(), text(id, "{}"));
    }
}

#[test]
fn sections_are_spelt_in_many_ways_or_left_out() {
    let call = "<|tool_call_begin|>functions.get_time:0<|tool_call_argument_begin|>{\"tz\": \"UTC\"}<|tool_call_end|>";
    let time = " | get_time {\"tz\":\"UTC\"}";
    for text in [
        call.to_owned(),
        format!("<|tool_call_section_begin|>{call}<|tool_call_section_end|>"),
        format!("<|tool_calls_section_begin|>{call}"),
        format!("<|tool_calls_section_begin|>{}<|im_end|>", &call["<|tool_call_begin|>".len()..]),
        format!("<|tool_calls_section_begin|> {call} <|tool_calls_section_end|> <|im_end|>\n"),
    ] {
        reads("kimi_k2", &text, time);
    }
    let deepseek =
        |open: &str, head: &str| format!("{open}<｜tool▁call▁begin｜>{head}{{\"tz\": \"UTC\"}}<｜tool▁call▁end｜><｜tool▁calls▁end｜>");
    for open in ["", "<｜tool_calls_begin｜>", "<｜tool calls begin｜>", "<｜tool\\_calls\\_begin｜>", "<｜tool▁calls｜>"] {
        for head in ["function<｜tool▁sep｜>get_time\n", "get_time\n", "<｜tool▁sep｜>get_time\n", "get_time<｜tool▁sep｜>", "get_time "]
        {
            reads("deepseek_v3", &deepseek(open, head), time);
        }
        reads("deepseek_v31", &deepseek(open, "get_time<｜tool▁sep｜>"), time);
    }
    let fenced = |fence: &str, end: &str| {
        format!("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time\n{fence}\n{{\"tz\": \"UTC\"}}{end}")
    };
    for (fence, end) in [("```json", ""), ("```", "\n```"), ("```json", "<｜tool▁calls▁end｜>"), ("```json", "\n```\n<｜tool▁call▁end｜>")]
    {
        reads("deepseek_v3", &fenced(fence, end), time);
    }
    // Only the fence that the call opened closes with it.
    reads("deepseek_v3", &fenced("", "\n```py"), &format!("\n```py{time}"));
    reads("deepseek_v3", &fenced("```json", "\n```\n```py"), &format!("\n```py{time}"));
}

#[test]
fn bodies_that_are_no_objects() {
    reads("functionary_v31", "<function=get_time></function>", " | get_time {}");
    reads("functionary_v31", "<function=get_time>x</function>", "<function=get_time>x</function>");
    reads("functionary_v31", "<function=get_time>[]</function>", "<function=get_time>[]</function>");
    reads("cwm", "<tool: function>\nget_time ls -l <a> | wc\n</tool>", " | get_time {\"command\":\"ls -l <a> | wc\"}");
    reads("cwm", "<tool: function>\nget_time { \"a\"; }\n</tool> x", " x | get_time {\"command\":\"{ \\\"a\\\"; }\"}");
    reads("cwm", "<tool: function>\nget_time\n</tool>", " | get_time {}");
    reads("cwm", "<tool: function>\nget_time ls", "<tool: function>\nget_time ls");
    reads("react", "Action: get_time\nAction Input: now\n", "Action: get_time\nAction Input: now\n");
    reads("react", "Action: get_time\nAction Input: {\"tz\": \"UTC\"\n", " | get_time {\"tz\":\"UTC\"}");
    reads("react", "Thought: x\nAction: get_time\nAction Input: {}\nObservation:", "Thought: x | get_time {}");
    reads("step_audio2", "<tool_call>{\"name\": \"get_time\"}</tool_call>", "<tool_call>{\"name\": \"get_time\"}</tool_call>");
    reads("mirothinker", "<use_mcp_tool><tool_name>get_time</tool_name><arguments>{}</arguments></use_mcp_tool>", " | get_time {}");
}

#[test]
fn braces() {
    let call = |body: &str| format!("<|tool_call>{body}<tool_call|>");
    let time = " | get_time {\"tz\":\"UTC\"}";
    let weather = "call:get_weather{city:<|\"|>Paris<|\"|>,unit:<|\"|>c<|\"|>}";
    reads("gemma4", &call(weather), ONE);
    reads("gemma4", &(call(weather) + &call("call:get_time{tz:<|\"|>UTC<|\"|>}")), TWO);
    reads("gemma4", &format!("<|channel>thought\nx\n<channel|>{}<turn|>", call(weather)), ONE);
    for body in [
        "call:get_time{tz:<|\"|>UTC<|\"|>}",
        "call: get_time { tz : <|\"|>UTC<|\"|> , }",
        "call get_time(tz=<|\"|>UTC<|\"|>)",
        ":get_time{tz:<|\"|>UTC<|\"|>}",
        "-get_time{tz:<|\"|>UTC<|\"|>}",
        "get_time{tz:<|\"|>UTC<|\"|>}",
        "call:get_time{\"tz\": \"UTC\"}",
        "call:get_time{'tz': 'UTC'}",
        "call:get_time{<|\"|>tz<|\"|>:\"\\u0055TC\"}",
        "call:ns:get_time{tz:<|\"|>UTC<|\"|>}",
        "call:get_time{tz:<|\"|>UTC<|\"|>",
    ] {
        let text = if body.ends_with('}') || body.ends_with(')') { call(body) } else { format!("<|tool_call>{body}") };
        reads("gemma4", &text, time);
    }
    let values = "call:get_time{a:[1,-2.5e3,[],[<|\"|>x\"\n<|\"|>,{}],],b:{c:true,d:{e:null}},a b:false}";
    let want = r#"{"a":[1,-2500.0,[],["x\"\n",{}]],"b":{"c":true,"d":{"e":null}},"a b":false}"#;
    reads("gemma4", &call(values), &format!(" | get_time {want}"));
    let data = "call:get_time{tz:<|\"|>}<tool_call|><|tool_call>call:f{<|<|\"<|\"|>}";
    reads("gemma4", &call(data), " | get_time {\"tz\":\"}<tool_call|><|tool_call>call:f{<|<|\\\"\"}");
    // Two calls behind one opener.
    reads("gemma4", &call(&format!("{weather} call:get_time{{tz:\"UTC\"}}")), TWO);
    for body in [
        "call:get_time{tz:UTC}",
        "call:get_time{tz:<|\"|>UTC<|\"|>x}",
        "call:get_time{tz}",
        "call:get_time{tz:}",
        "call:get_time{tz:01}",
        "call:get_time{:1}",
        "call:get_time{,}",
        "call:get_time{tz:[1}}",
        "call:get_time{tz:\"\\d\"}",
        "call:{tz:1}",
        "call:get_time {tz:1)",
        " in the raw form",
    ] {
        reads("gemma4", &call(body), &call(body));
    }
    for text in [
        "<|tool_call>call:get_time{tz:<|\"|>UT",
        "<|tool_call>call:get_time{tz:1",
        "<|tool_call>call:get_time{tz:1,",
        "<|tool_call>call:ge",
    ] {
        reads("gemma4", text, text);
    }
    let call = |body: &str| format!("<start_function_call>{body}<end_function_call>");
    reads("functiongemma", &call("call:get_time{tz:<escape>UTC<escape>}"), time);
    reads("functiongemma", &call("call:get_time{tz:UTC,n:5,l:[a b ,true]}"), r#" | get_time {"tz":"UTC","n":5,"l":["a b",true]}"#);
    reads("functiongemma", &call("call:get_time{u:http://a.b/(c)?d=e}"), r#" | get_time {"u":"http://a.b/(c)?d=e"}"#);
}

#[test]
fn python_lines_and_dicts() {
    let weather = r#"get_weather(city="Paris", unit="c")"#;
    let time = r#"get_time(tz="UTC")"#;
    reads("olmo3", &format!("<function_calls>{weather}</function_calls>"), ONE);
    reads("olmo3", &format!("<function_calls>\n{weather}\n{time}\n</function_calls><|im_end|>"), TWO);
    reads("olmo3", &format!("<function_calls>\n{weather}\n{time}"), TWO);
    reads("olmo3", "<function_calls>\nget_time(tz=[true, None, {'k': null}]", r#" | get_time {"tz":[true,null,{"k":null}]}"#);
    reads("olmo3", "<function_calls>\nget_time(tz='</function_calls>')", r#" | get_time {"tz":"</function_calls>"}"#);
    reads("olmo3", time, time);

    reads("granite_pythonic", &format!("{weather}\n{time}\n"), TWO);
    reads("granite_pythonic", &format!("Now.\n\n{weather} \n\n{time}\nDone.\n"), &format!("Now.\n\nDone.\n{TWO}"));
    for text in [
        "print(\"hi\")",
        "I use get_time(tz=\"UTC\")",
        "get_time(tz=\"UTC\"",
        " get_time(tz=\"UTC\")",
        "get_time (tz=1)",
        "text\nand more\n\n",
        "f(\n\n",
    ] {
        reads("granite_pythonic", text, text);
    }
    reads("granite_pythonic", &format!("{time} is it"), &format!(" is it | {}", &TWO[ONE.len() + 3..]));
    reads("granite_pythonic", "f(\nget_time()\n)", "f(\n) | get_time {}");

    let list = |dicts: &str| format!("<|tool_calls|>[{dicts}]");
    let dict = "{'name': 'get_weather', 'arguments': {'city': 'Paris', 'unit': 'c'}}";
    reads("sarashina", &list(dict), ONE);
    reads("sarashina", &list(&format!("{dict}, {{\"arguments\": {{\"tz\": \"UTC\",}}, \"name\": \"get_time\",}}")), TWO);
    for dict in ["{'name': 'get_time'}", "{'name': 'get_time', 'arguments': None}", "{'name': 'get_time', 'args': '{}', 'id': (1, 2)}"] {
        reads("sarashina", &list(dict), " | get_time {}");
    }
    for dict in [
        "{'name': 'get_time', 'arguments': []}",
        "{'name': 1, 'arguments': {}}",
        "{'arguments': {}}",
        "{'name': 'get_time', 'name': 'get_time'}",
        "{'name': 'get_time', 'arguments': x}",
        "{'name' 'get_time'}",
        "get_time()",
        "1, 2",
    ] {
        reads("sarashina", &list(dict), &list(dict));
    }
    reads(
        "sarashina",
        "<|tool_calls|>[{'name': 'get_time', 'arguments': {'a': (1,",
        "<|tool_calls|>[{'name': 'get_time', 'arguments': {'a': (1,",
    );
    reads("sarashina", "<|tool_calls|>[{'name': 'get_time', 'arguments': {'a': (1, [2]", " | get_time {\"a\":[1,[2]]}");
}
