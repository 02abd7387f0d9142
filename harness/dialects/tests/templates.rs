//! Response templates in the three shapes that servers know by heart read canonical texts as the rows of the table do.

mod reading;

use reading::{agree, leaked, read};
use serde_json::{Value, json};
use streakstone_dialects::{from_response_template, load};
use streakstone_model::{Dialect, Lookup, lookup};

fn template(file: &str) -> &'static Dialect {
    let path = format!("{}/tests/templates/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    leaked(load(file, &text, Some("of_a_checkpoint")).unwrap())
}

fn row(name: &str) -> &'static Dialect {
    let Lookup::Known(row) = lookup(name) else { panic!("no row {name}") };
    row
}

const JSON: [(&str, usize); 5] = [
    ("<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n</tool_call><|im_end|>", 1),
    (
        "<tool_call>\n{\"name\": \"a\", \"arguments\": {}}\n</tool_call>\n<tool_call>\n{\"name\": \"b\", \"arguments\": {\"q\": \"</tool_call>\"}}\n</tool_call>",
        2,
    ),
    (
        "<think>\nWhich city?\n</think>\n\nLet me look.\n<tool_call>\n{\"name\": \"a\", \"arguments\": {\"n\": 1}}\n</tool_call><|im_end|>",
        1,
    ),
    ("<think>\n<tool_call>\n{\"name\": \"a\", \"arguments\": {}}\n</tool_call>\n</think>\n\nNo.", 0),
    ("A < b, and <tool_cal is no marker.<|im_end|>", 0),
];

#[test]
fn json_in_tags_reads_as_hermes() {
    let own = template("json_tags.json");
    assert_eq!((own.control, own.reasoning.len()), (&["<|im_end|>", "<|endoftext|>"][..], 1));
    for (text, calls) in JSON {
        agree(own, row("hermes"), text, calls);
    }
}

#[test]
fn xml_inline_reads_as_qwen3_coder() {
    let own = template("xml_inline.json");
    assert_eq!(own.name, "of_a_checkpoint");
    for (text, calls) in [
        (
            "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=unit>\nc\n</parameter>\n</function>\n</tool_call><|im_end|>",
            1,
        ),
        (
            "<tool_call>\n<function=a>\n</function>\n</tool_call>\n<tool_call>\n<function=b>\n<parameter=q>\nx < y\n\n</parameter>\n</function>\n</tool_call>",
            2,
        ),
        (
            "<think>\nWhich?\n</think>\n\nLet me look.\n\n<tool_call>\n<function=a>\n<parameter=n>\n1\n</parameter>\n</function>\n</tool_call>",
            1,
        ),
        ("<function=a>\n<parameter=n>\n1\n</parameter>\n</function>\n</tool_call>", 1),
        ("<tool_call>\n<function=a>\n<parameter=n>\n1", 0),
    ] {
        agree(own, row("qwen3_coder"), text, calls);
    }
}

#[test]
fn a_python_call_list_reads_as_lfm2() {
    let own = template("call_list.json");
    for (text, calls) in [
        ("<|tool_call_start|>[get_weather(city=\"Paris\", n=[1, 2.5, None])]<|tool_call_end|><|im_end|>", 1),
        ("<think>Hm.</think>Sure. <|tool_call_start|>[a(), b(q='<|tool_call_end|>')]<|tool_call_end|> Done.", 2),
        ("[a()] is no call here.", 0),
    ] {
        agree(own, row("lfm2"), text, calls);
    }
}

#[test]
fn bare_keys_and_delimited_strings_read_as_gemma4() {
    let own = template("braces.json");
    assert_eq!(own.control, ["<turn|>", "<|tool_response>", "<eos>"]);
    for (text, calls) in [
        ("<|tool_call>call:get_weather{city:<|\"|>Paris<|\"|>,unit:<|\"|>c<|\"|>}<tool_call|>", 1),
        (
            "<|tool_call>call:get_weather{city:<|\"|>Paris<|\"|>,unit:<|\"|>c<|\"|>}<tool_call|><|tool_call>call:get_time{tz:<|\"|>UTC<|\"|>}<tool_call|><|tool_response>",
            2,
        ),
        (
            "<|channel>thought\nWhich city?\n<channel|>Let me look.\n<|tool_call>call:a{n:-1.5,on:true,of:null,l:[<|\"|>x<|\"|>,{k:2}],o:{}}<tool_call|><turn|>",
            1,
        ),
        ("<|tool_call>call:a{q:<|\"|>}<tool_call|> \"é\"\n<|tool<|\"|>}<tool_call|>", 1),
        // The word before the name is left out, or stands without an opener behind a call.
        ("<|tool_call>a{}call:b{}<tool_call|>", 2),
        ("<|channel>thought\n<|tool_call>call:a{}<tool_call|>\n<channel|>No.<turn|>", 0),
        ("<|tool_call>call:a{q:<|\"|>Par", 0),
        ("A call:get_weather{city} in prose has no token before it.<turn|>", 0),
    ] {
        agree(own, row("gemma4"), text, calls);
    }
}

#[test]
fn keys_of_a_transform_are_those_of_the_wire() {
    for (transform, each, text) in [
        (
            json!({"function": {"name": "{content.tool_name}", "arguments": "{content.parameters}"}}),
            false,
            r#"<c>{"tool_name": "f", "parameters": {"q": 1}}</c>"#,
        ),
        (
            json!({"function": {"name": "{tool_name}", "arguments": "{parameters}"}}),
            true,
            r#"<c>[{"tool_name": "f", "parameters": {"q": 1}}]</c>"#,
        ),
        (
            json!({"function": "{content.function}"}),
            false,
            r#"<c>{"type": "function", "function": {"name": "f", "arguments": {"q": 1}}}</c>"#,
        ),
        (
            json!({"function": {"name": "{content.do.what}", "arguments": "{content.do.with}"}}),
            false,
            r#"<c>{"do": {"what": "f", "with": {"q": 1}}}</c>"#,
        ),
        (Value::Null, false, r#"<c>{"type": "function", "function": {"name": "f", "arguments": {"q": 1}}}</c>"#),
    ] {
        let template = json!({"start_anchor": "x", "fields": {"tool_calls":
            {"open": "<c>", "close": "</c>", "content": "json", "transform": transform, "transform_each": each}}});
        let own = leaked(from_response_template("of_keys", &template).unwrap());
        let reply = read(own, &[text.as_bytes()]);
        let call = reply.calls().next().unwrap_or_else(|| panic!("{text} {reply:?}"));
        assert_eq!((call.name.as_str(), call.arguments.as_str()), ("f", r#"{"q": 1}"#));
        agree(own, own, text, 1);
    }
}

/// A template of calls in tags.
fn inline(open: &str, close: &str, parameter: &str) -> &'static Dialect {
    let template = json!({"start_anchor": "x", "fields": {
        "thinking": {"open": "<think>", "close": "</think>"},
        "tool_calls": {
            "open_pattern": open,
            "close_pattern": close,
            "content": "xml-inline",
            "content_args": {"tag_pattern": parameter},
            "transform": {"function": {"name": "{name}", "arguments": "{content}"}}
        }
    }});
    leaked(from_response_template("of_tags", &template).unwrap())
}

#[test]
fn keys_and_values_as_elements_read_as_glm45() {
    let own =
        inline(r"<tool_call>(?P<name>[^<\n]+)", "</tool_call>", r"<arg_key>(?P<key>.*?)</arg_key>\s*<arg_value>(?P<value>.*?)</arg_value>");
    let text = "<think>Hm.</think>\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>unit</arg_key>\n\
        <arg_value>c</arg_value>\n</tool_call>";
    agree(own, row("glm45"), text, 1);
}

#[test]
fn names_in_attributes_read_as_minimax_m2() {
    let own = inline(
        r#"<minimax:tool_call>\s*<invoke name="(?P<name>[^"]+)">"#,
        r"</invoke>\s*</minimax:tool_call>",
        r#"<parameter name="(?P<key>[^"]+)">(?P<value>.*?)</parameter>"#,
    );
    let text = "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"n\">5</parameter>\n\
        </invoke>\n</minimax:tool_call>";
    agree(own, row("minimax_m2"), text, 1);
}

#[test]
fn a_captured_name_before_an_object_is_a_named_call() {
    for (open, close, text) in [
        (r"\s*<function=(?P<name>[^>]+)>", "</function>", "Sure.\n<function=f>{\"q\": 1}</function>"),
        (r"<calls>\s*<call:(?P<name>\w+)\s*(?:>|\])", r"</call>\s*</calls>", "<calls>\n<call:f]{\"q\": 1}</call>\n</calls>"),
        (r"\[CALL\](?P<name>\w+)(?:\[ARGS\])?", r"\[/CALL\]", "[CALL]f[ARGS]{\"q\": 1}[/CALL]"),
    ] {
        let template = json!({"start_anchor": "x", "fields": {"tool_calls": {"open_pattern": open, "close_pattern": close, "content": "json",
            "transform": {"function": {"name": "{name}", "arguments": "{content}"}}}}});
        let own = leaked(from_response_template("of_names", &template).unwrap());
        let reply = read(own, &[text.as_bytes()]);
        let call = reply.calls().next().unwrap_or_else(|| panic!("{text} {reply:?}"));
        assert_eq!((call.name.as_str(), call.arguments.as_str()), ("f", "{\"q\": 1}"));
        assert!(["", "Sure."].contains(&reply.content().as_str()), "{reply:?}");
        agree(own, own, text, 1);
    }
}
