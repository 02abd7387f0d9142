//! Texts that several test programs read, and the request they answer.
#![allow(dead_code, reason = "no test program asks for all of it")]

use serde_json::{Value, json};
use streakstone_healing::{Gate, Promotable, Switches, gate};
use streakstone_surfaces::Surface;

/// f, g, a, b take anything; `typed` has a schema.
pub fn tools(surface: Surface) -> Value {
    let typed = json!({
        "type": "object",
        "properties": {"n": {"type": "integer"}, "ok": {"type": "boolean"}, "s": {"type": "string"}},
        "required": ["s"],
    });
    let one = |name: &str, schema: &Value| match surface {
        Surface::Chat => json!({"type": "function", "function": {"name": name, "parameters": schema}}),
        Surface::Responses => json!({"type": "function", "name": name, "parameters": schema}),
        Surface::Anthropic => json!({"name": name, "input_schema": schema}),
    };
    let open = json!({"type": "object"});
    let mut tools: Vec<Value> = ["f", "g", "a", "b"].iter().map(|name| one(name, &open)).collect();
    tools.push(one("typed", &typed));
    Value::from(tools)
}

pub fn promotable(surface: Surface) -> Promotable {
    on(surface, &json!({"tools": tools(surface)}))
}

pub fn one_call(surface: Surface) -> Promotable {
    let request = match surface {
        Surface::Anthropic => json!({"tools": tools(surface), "tool_choice": {"type": "auto", "disable_parallel_tool_use": true}}),
        Surface::Chat | Surface::Responses => json!({"tools": tools(surface), "parallel_tool_calls": false}),
    };
    on(surface, &request)
}

pub fn on(surface: Surface, request: &Value) -> Promotable {
    match gate(surface, request, Switches::default()) {
        Gate::On(promotable) => *promotable,
        Gate::Off(why) => panic!("{why:?}"),
    }
}

/// A text, what stays of it, and the calls in it: names and arguments.
pub struct Case {
    pub name: &'static str,
    pub text: &'static str,
    pub rest: &'static str,
    pub calls: &'static [(&'static str, &'static str)],
}

const fn case(name: &'static str, text: &'static str, rest: &'static str, calls: &'static [(&'static str, &'static str)]) -> Case {
    Case { name, text, rest, calls }
}

const F: &str = r#"<tool_call>{"name":"f","arguments":{"a":1}}</tool_call>"#;

/// The examples of the reference system as the semantics settle them, the texts on which its whole and streamed readings differ, and texts
/// of what must not be touched.
#[rustfmt::skip]
pub const CASES: &[Case] = &[
    case("u-e1", r#"Sure. <tool_call>{"name":"f","arguments":{"a":1}}</tool_call> Done."#, "Sure.  Done.", &[("f", r#"{"a":1}"#)]),
    case("u-e2", r#"<tool_call>{"name":"f","args":{"a":1}}</tool_call>"#, "", &[("f", r#"{"a":1}"#)]),
    case("u-e3", r#"<tool_call>{"name":"zz","arguments":{}}</tool_call>"#, r#"<tool_call>{"name":"zz","arguments":{}}</tool_call>"#, &[]),
    case("u-e4", r#"<tool_call>{"name":"zz","arguments":{}}</tool_call> and <tool_call>{"name":"f","arguments":{}}</tool_call>"#,
        r#"<tool_call>{"name":"zz","arguments":{}}</tool_call> and "#, &[("f", "{}")]),
    case("u-e5", r#"<tool_call>broken</tool_call> <tool_call>{"name":"f","arguments":{}}</tool_call>"#, "<tool_call>broken</tool_call> ", &[("f", "{}")]),
    case("u-e6", "<function=f><parameter=a>\n  x = 1\n    y\n</parameter></function>", "", &[("f", r#"{"a":"  x = 1\n    y"}"#)]),
    // Bare words are off Gemma's grammar, and a repair is never the default: the original reads them.
    case("u-e7", "<|tool_call>call:f{city:New York, NY,unit:celsius,n:3,tags:[a,b]}<tool_call|>",
        "<|tool_call>call:f{city:New York, NY,unit:celsius,n:3,tags:[a,b]}<tool_call|>", &[]),
    case("u-e8", r#"<|tool_call>call:f{a:<|"|>x}y<|"|>,b:2}<tool_call|>"#, "", &[("f", r#"{"a":"x}y","b":2}"#)]),
    case("u-e9", r#"[TOOL_CALLS][{"name":"a","arguments":{}}{"name":"b","arguments":"{\"x\":1}"}][/TOOL_CALLS]!"#, "!", &[("a", "{}"), ("b", r#"{"x":1}"#)]),
    case("u-e10", r#"[TOOL_CALLS][{"name":"f","arguments":{}},{"name":"zz","arguments":{}},{"name":"g","arguments":{}}] bye"#,
        r#",{"name":"zz","arguments":{}} bye"#, &[("f", "{}"), ("g", "{}")]),
    case("u-e11", r#"[TOOL_CALLS]f[CALL_ID]abc123[ARGS]{"x":1}"#, "", &[("f", r#"{"x":1}"#)]),
    case("u-e12", r#"`a[ARGS]{"x":1}` and b[ARGS]{"y":2}"#, r#"`a[ARGS]{"x":1}` and b[ARGS]{"y":2}"#, &[]),
    case("u-e13", r#"<tool_call>{"name":"f","arguments":{"s":"<tool_call>{\"name\":\"g\"}</tool_call>"}}</tool_call>"#, "",
        &[("f", r#"{"s":"<tool_call>{\"name\":\"g\"}</tool_call>"}"#)]),
    case("u-e14 bare string", r#"<tool_call>{"name":"typed","arguments":"ls -l"}</tool_call>"#, r#"<tool_call>{"name":"typed","arguments":"ls -l"}</tool_call>"#, &[]),
    case("u-e15 null", r#"<tool_call>{"name":"f","arguments":null}</tool_call>"#, "", &[("f", "{}")]),
    case("u-e15 list", r#"<tool_call>{"name":"f","arguments":[1]}</tool_call>"#, r#"<tool_call>{"name":"f","arguments":[1]}</tool_call>"#, &[]),
    case("u-e17", r#"a <tool_call>{"name":"f","arguments":{"a":1}}</tool_call> b <tool_call>{"name":"g","arguments":{}}</tool_call> c"#, "a  b  c", &[("f", r#"{"a":1}"#), ("g", "{}")]),
    case("u-e18", "x <tool box", "x <tool box", &[]),
    // The ten texts of 3.9.
    case("3.9 brackets, then tags", r#"[TOOL_CALLS]f{"a":1} then <tool_call>{"name":"g","arguments":{}}</tool_call>"#, " then ", &[("f", r#"{"a":1}"#), ("g", "{}")]),
    case("3.9 tags, then brackets", r#"<tool_call>{"name":"g","arguments":{}}</tool_call> then [TOOL_CALLS]f{"a":1}"#, " then ", &[("g", "{}"), ("f", r#"{"a":1}"#)]),
    case("3.9 an unclosed block", r#"<tool_call>{"name":"f","arguments":{"a":1}}<tool_call>{"name":"g","arguments":{}}</tool_call>"#, "", &[("f", r#"{"a":1}"#), ("g", "{}")]),
    case("3.9 reasoning, then a call", r#"<think><tool_call>{"name":"g","arguments":{}}</tool_call></think><tool_call>{"name":"f","arguments":{"a":1}}</tool_call>"#,
        r#"<think><tool_call>{"name":"g","arguments":{}}</tool_call></think>"#, &[("f", r#"{"a":1}"#)]),
    case("3.9 a literal closer in a parameter", "<function=f><parameter=a>say </function> twice</parameter></function>", "", &[("f", r#"{"a":"say </function> twice"}"#)]),
    case("3.9 an unclosed parameter", "<function=f><parameter=a>1</function>", "", &[("f", r#"{"a":"1"}"#)]),
    case("3.9 a literal closer in an argument", r#"<tool_call>{"name":"f","arguments":{"a":"</tool_call>"}}</tool_call>"#, "", &[("f", r#"{"a":"</tool_call>"}"#)]),
    case("3.9 trailing blanks", "<tool_call>{\"name\":\"f\",\"arguments\":{}}  \n ", "", &[("f", "{}")]),
    case("3.9 a bracket's closer", r#"[TOOL_CALLS]f[ARGS]{"a":1}[/TOOL_CALLS]"#, "", &[("f", r#"{"a":1}"#)]),
    case("3.9 a wrapped function", "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>", "", &[("f", r#"{"a":"1"}"#)]),
    // Better than the original: issue text 2.
    case("typed tags", "<tool_call>\n<function=typed>\n<parameter=n>\n5\n</parameter>\n<parameter=ok>\nTrue\n</parameter>\n<parameter=s>\n5\n</parameter>\n</function>\n</tool_call>",
        "", &[("typed", r#"{"n":5,"ok":true,"s":"5"}"#)]),
    case("cut where only closers lack", r#"<tool_call>{"name":"f","arguments":{"a":1}"#, "", &[("f", r#"{"a":1}"#)]),
    case("cut inside a string", r#"<tool_call>{"name":"f","arguments":{"a":"x"#, r#"<tool_call>{"name":"f","arguments":{"a":"x"#, &[]),
    case("reasoning stays", "<think>\nI could <tool_call>x</tool_call>\n</think>\n\nNo.", "<think>\nI could <tool_call>x</tool_call>\n</think>\n\nNo.", &[]),
    case("control tokens stay", "Hi<|im_end|>", "Hi<|im_end|>", &[]),
    case("control token behind a call", "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>\n<|im_end|>", "\n<|im_end|>", &[("f", "{}")]),
    case("a message's header stays", "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>",
        "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>", &[]),
    case("a message that calls", "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{\"a\":1}<|call|>",
        "<|channel|>analysis<|message|>hm<|end|>", &[("f", r#"{"a":1}"#)]),
    case("calls only, one after the other", "<tool_call>{\"name\":\"f\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"g\",\"arguments\":{}}</tool_call>", "", &[("f", "{}"), ("g", "{}")]),
    case("text with letters beyond ASCII", "Où? 👩 <tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"é👩\"}}</tool_call> voilà", "Où? 👩  voilà", &[("f", r#"{"a":"é👩"}"#)]),
    case("prose", "Use `<b>` and a < b, or [x](y); {\"name\":\"f\"} is JSON.\n", "Use `<b>` and a < b, or [x](y); {\"name\":\"f\"} is JSON.\n", &[]),
    case("a number that no float holds", r#"<tool_call>{"name":"f","arguments":{"n":9007199254740993,"x":1e999}}</tool_call>"#, "", &[("f", r#"{"n":9007199254740993,"x":1e999}"#)]),
];

/// A block of f, for tests that put several together.
pub const BLOCK: &str = F;
