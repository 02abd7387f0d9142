//! Rows of messages with headers: the template's texts and what models make of them, whole, cut anywhere and byte by byte.

mod reading;

use reading::{events, row};
use streakstone_model::{Delivery, End, Event, Lookup, Markers, Part, ReadOptions, Reply, Tool, ToolChoice, Undeclared, lookup};
use streakstone_parsers::{Parser, SpecialTokens, Token, ToolSet, UnknownToken};

fn tools() -> Vec<Tool> {
    let tool = |name: &str, properties: serde_json::Value| Tool {
        name: name.to_owned(),
        parameters: serde_json::json!({"type": "object", "properties": properties}),
    };
    vec![
        tool("get_weather", serde_json::json!({"city": {"type": "string"}, "unit": {"type": "string"}, "days": {"type": "integer"}})),
        tool("get_time", serde_json::json!({"tz": {"type": "string"}})),
        tool("python", serde_json::json!({"code": {"type": "string"}})),
    ]
}

/// The reply in one line: `r:` reasoning, `c:` call, `t:` text.
fn line(reply: &Reply) -> String {
    let parts = reply.parts.iter().map(|part| match part {
        Part::Text(text) => format!("t:{text}"),
        Part::Reasoning(text) => format!("r:{text}"),
        Part::Call(call) => format!("c:{}{}{}", call.name, call.arguments, if call.is_complete() { "" } else { "…" }),
    });
    parts.collect::<Vec<_>>().join("|")
}

fn read(dialect: &str, options: &ReadOptions, chunks: &[&[u8]], end: End) -> Reply {
    let tools = ToolSet::new(Some(&tools()));
    let events = events(row(dialect), &tools, options, chunks, end);
    Reply::from_events(&events).unwrap_or_else(|e| panic!("{e}: {events:?}"))
}

/// Reads `raw` whole, with every cut, byte by byte and as tokens, in both deliveries; the validated reply.
fn all_ways(dialect: &str, raw: &str) -> String {
    let mut lines = Vec::new();
    for delivery in Delivery::ALL {
        let mut options = ReadOptions::default();
        options.policies.delivery = *delivery;
        let bytes = raw.as_bytes();
        let whole = read(dialect, &options, &[bytes], End::Stop);
        for cut in 0..=bytes.len() {
            assert_eq!(read(dialect, &options, &[&bytes[..cut], &bytes[cut..]], End::Stop), whole, "{delivery}, cut {cut} of {raw}");
        }
        assert_eq!(read(dialect, &options, &bytes.chunks(1).collect::<Vec<_>>(), End::Stop), whole, "{delivery}, bytes of {raw}");
        for size in [1, 4, bytes.len().max(1)] {
            assert_eq!(read_tokens(dialect, &options, raw, size), whole, "{delivery}, tokens and pieces of {size} bytes of {raw}");
        }
        lines.push(line(&whole));
    }
    if !lines[1].contains('…') {
        assert_eq!(lines[0], lines[1], "deliveries of {raw}");
    }
    lines.swap_remove(0)
}

const WEATHER: &str = r#"{"city": "Paris", "unit": "c"}"#;
const TIME: &str = r#"{"tz": "UTC"}"#;

#[test]
fn the_templates_calls_are_read() {
    let weather = format!("c:get_weather{WEATHER}");
    let both = format!("{weather}|c:get_time{TIME}");
    let compact = r#"c:get_weather{"city":"Paris","unit":"c"}"#;
    let cases = [
        (
            "harmony",
            format!(
                "<|channel|>analysis<|message|>Need weather.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather \
                 <|constrain|>json<|message|>{WEATHER}<|call|>"
            ),
            format!("r:Need weather.|{weather}"),
        ),
        (
            "harmony",
            format!(
                "<|channel|>analysis<|message|>Need both.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather \
                 <|constrain|>json<|message|>{WEATHER}<|call|><|start|>assistant<|channel|>commentary to=functions.get_time \
                 <|constrain|>json<|message|>{TIME}<|call|>"
            ),
            format!("r:Need both.|{both}"),
        ),
        (
            "llm_jp",
            format!(
                "<|channel|> analysis<|message|> Need both.<|end|><|start|> assistant to=functions.get_weather<|channel|> commentary \
                 <|constrain|>  json<|message|> {WEATHER}<|end|><|start|> assistant to=functions.get_time<|channel|> commentary \
                 <|constrain|>  json<|message|> {TIME}"
            ),
            format!("r:Need both.|{both}"),
        ),
        ("llm_jp", "<|channel|> final<|message|>  Hi<|end|>".to_owned(), "t: Hi".to_owned()),
        (
            "beam",
            " to=get_weather<|channel|>analysis <|constrain|>xml<|message|><rfl:parameter name=\"city\">\nParis\n</rfl:parameter>\n\
             <rfl:parameter name=\"unit\">\nc\n</rfl:parameter><|call|><|start|>assistant to=get_time<|channel|>analysis \
             <|constrain|>xml<|message|><rfl:parameter name=\"tz\">\nUTC\n</rfl:parameter>"
                .to_owned(),
            format!("{compact}|c:get_time{{\"tz\":\"UTC\"}}"),
        ),
        (
            "muse",
            "<|start|>assistant to=self<|message|>Hm.<|eom|><|start|>assistant to=get_weather<|message|><atem:function_calls>\n\
             <atem:invoke name=\"get_weather\">\n<atem:parameter name=\"city\">Paris</atem:parameter>\n<atem:parameter name=\"unit\">c\
             </atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|><|start|>assistant to=get_time<|message|>\
             <atem:function_calls>\n<atem:invoke name=\"get_time\">\n<atem:parameter name=\"tz\">UTC</atem:parameter>\n</atem:invoke>\n\
             </atem:function_calls><|eom|><|start|>assistant to=user<|message|>Done.<|eot|>"
                .to_owned(),
            format!("r:Hm.|{compact}|c:get_time{{\"tz\":\"UTC\"}}|t:Done."),
        ),
        (
            "inkling",
            format!(
                "<|message_model|><|content_thinking|>Hm.<|end_message|><|message_model|>get_weather<|content_invoke_tool_json|>\
                 {{\"name\": \"get_weather\", \"args\": {WEATHER}}}<|end_message|><|message_model|>get_time\
                 <|content_invoke_tool_json|>{{\"name\": \"get_time\", \"args\": {TIME}}}<|end_message|><|message_model|>\
                 <|content_text|>Done.<|end_message|>"
            ),
            format!("r:Hm.|{both}|t:Done."),
        ),
        (
            "inkling",
            format!("get_weather<|content_invoke_tool_json|>{{\"name\": \"get_weather\", \"args\": {WEATHER}}}<|end_message|>"),
            weather.clone(),
        ),
        ("functionary_v32", format!("get_weather\n{WEATHER}>>>get_time\n{TIME}"), both.clone()),
        ("functionary_v32", format!("all\nSure.>>>get_weather\n{WEATHER}"), format!("t:Sure.|{weather}")),
        (
            "functionary_v32",
            format!("python\nprint(\"a\")\n>>> not one\n>>>get_time\n{TIME}"),
            format!("c:python{{\"code\":\"print(\\\"a\\\")\\n>>> not one\\n\"}}|c:get_time{TIME}"),
        ),
    ];
    for (dialect, raw, want) in cases {
        assert_eq!(all_ways(dialect, &raw), want, "{dialect}: {raw}");
    }
}

#[test]
fn what_models_make_of_a_harmony_header_is_read() {
    let call = format!("c:get_weather{WEATHER}");
    for header in [
        "<|channel|>commentary to=functions.get_weather<|message|>",
        "<|channel|>commentary to=functions.get_weather json<|message|>",
        "<|channel|>commentary to=functions.get_weather<|constrain|>json<|message|>",
        "<|channel|>commentary to=functions.get_weather <|constrain|><|constrain|>json<|message|>",
        "<|channel|>commentary<|constrain|>json to=functions.get_weather<|message|>",
        " to=functions.get_weather<|channel|>commentary <|constrain|>json<|message|>",
        "<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>",
        "<|channel|>analysis to=functions.get_weather <|constrain|>json<|message|>",
        "<|channel|>commentary to=get_weather <|constrain|>json<|message|>",
        "<|channel|>commentary functions.get_weather <|constrain|>json<|message|>",
        "<|channel|>commentary to=functions.get_weather<|channel|>commentary <|constrain|>json<|message|>",
        "<|channel|>––commentary to=functions.get_weather code<|message|>",
        "<|channel|>commentary to=assistant<|channel|>commentary to=functions.get_weather<|message|>",
    ] {
        for close in ["<|call|>", "", "<|end|>", "<|return|>"] {
            assert_eq!(all_ways("harmony", &format!("{header}{WEATHER}{close}")), call, "{header}");
        }
        let before = format!("<|channel|>analysis<|message|>A<|end|>{}{WEATHER}<|call|>", header.trim_start());
        if header.starts_with('<') {
            assert_eq!(all_ways("harmony", &before), format!("r:A|{call}"), "{before}");
        }
    }
}

#[test]
fn harmony_text_is_kept() {
    let zz = "<|start|>assistant<|channel|>commentary to=functions.zz <|constrain|>json<|message|>{\"a\": 1}<|call|>";
    let broken = "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\":\"x\"]<|call|>";
    let cut = "<|start|>assistant<|channel|>commentary to=functions.get_time <|constrain|>json<|message|>{\"tz\": \"U";
    let time = format!("<|channel|>commentary to=functions.get_time<|message|>{TIME}");
    let called = format!("c:get_time{TIME}");
    let cases = [
        ("Hello <|not a token|> 3 < 5".to_owned(), "t:Hello <|not a token|> 3 < 5".to_owned()),
        ("<|channel|>final<|message|>Hi.<|return|>".to_owned(), "t:Hi.".to_owned()),
        ("<|message|>Hi.<|end|>".to_owned(), "t:Hi.".to_owned()),
        ("<|channel|>commentary<|message|>I look.<|end|><|channel|>final<|message|>Hi".to_owned(), "t:I look.Hi".to_owned()),
        ("<|channel|>analysis<|message|>\nA\n<|end|>\n <|start|>assistant<|channel|>final<|message|>B".to_owned(), "r:A|t:B".to_owned()),
        ("<|channel|>analysis<|message|>A<|start|>assistant<|channel|>final<|message|>B".to_owned(), "r:A|t:B".to_owned()),
        ("<|channel|>analysis<|message|>A <|message|> <|start|>x".to_owned(), "r:A <|message|> <|start|>x".to_owned()),
        ("<|channel|>analysis<|message|>A<|end|>So: <|channel|>final<|message|>B".to_owned(), "r:A|t:So: B".to_owned()),
        ("<|channel|>weird<|message|>B<|end|>C".to_owned(), "t:<|channel|>weird<|message|>B<|end|>C".to_owned()),
        ("<|start|>user<|message|>B<|end|>".to_owned(), "t:<|start|>user<|message|>B<|end|>".to_owned()),
        (
            "<|start|>functions.get_time to=assistant<|channel|>commentary<|message|>{}<|end|>".to_owned(),
            "t:<|start|>functions.get_time to=assistant<|channel|>commentary<|message|>{}<|end|>".to_owned(),
        ),
        (format!("{time}<|call|>\n<|start|>assistant<|channel|>final<|message|>B"), format!("{called}|t:\nB")),
        (format!("A\n{time}}} B<|call|>C"), format!("t:A|{called}|t:}} BC")),
        (format!("{time}<|call|> \n"), called.clone()),
        (format!("{time}<|call|>{zz}{time}"), format!("{called}|t:{zz}|{called}")),
        (broken.to_owned(), format!("t:{broken}")),
        (format!("{broken}{time}"), format!("t:{broken}|{called}")),
        (format!("{time}<|call|>{cut}"), format!("{called}|t:{cut}")),
        (format!("{time}<|call|><|start|>assistant<|channel|>"), called.clone()),
        (format!("{time}<|call|><|start|>assistant<|channel|>commentary to=functions.ge"), {
            format!("{called}|t:<|start|>assistant<|channel|>commentary to=functions.ge")
        }),
        ("<|channel|>commentary to=functions.get_time<|message|><|call|>".to_owned(), "c:get_time{}".to_owned()),
        (
            "<|channel|>commentary to=functions.get_time<|message|>{\"tz\": \"<|call|><|start|>\"}<|call|>".to_owned(),
            "c:get_time{\"tz\": \"<|call|><|start|>\"}".to_owned(),
        ),
        (
            "<|channel|>commentary to=functions.get_weather<|constrain|>json<|message|>{\"days\":{\"a\":{\"b\":1}}".to_owned(),
            "c:get_weather{\"days\":{\"a\":{\"b\":1}}}".to_owned(),
        ),
    ];
    for (raw, want) in cases {
        assert_eq!(all_ways("harmony", &raw), want, "{raw}");
    }
}

#[test]
fn a_prompt_that_opened_reasoning_begins_in_it() {
    let options = ReadOptions { reasoning_open: true, ..ReadOptions::default() };
    let time = "<|start|>assistant<|channel|>commentary to=functions.get_time<|message|>";
    for raw in [format!("A<|end|>{time}{TIME}"), format!("A\n{time}{TIME}"), format!("<|channel|>analysis<|message|>A<|end|>{time}{TIME}")]
    {
        let reply = read("harmony", &options, &[raw.as_bytes()], End::Stop);
        assert_eq!(line(&reply), format!("r:A|c:get_time{TIME}"), "{raw}");
    }
}

#[test]
fn other_messages_keep_their_text() {
    let cases = [
        ("functionary_v32", "Hello world", "t:Hello world"),
        ("functionary_v32", "all\nHi >>> x\n>>>quote\ntext", "t:Hi >>> x\n>>>quote\ntext"),
        ("functionary_v32", "zz\n{\"a\": 1}", "t:zz\n{\"a\": 1}"),
        ("inkling", "Hello world", "t:Hello world"),
        ("inkling", "<|content_thinking|>A<|content_text|>B<|content_model_end_sampling|>", "r:A|t:B"),
        ("muse", " to=user<|message|>Hi.<|eot|>", "t:Hi."),
        ("muse", " to=get_time<|message|>Hi.<|eom|><|start|>assistant to=user<|message|>B", "t: to=get_time<|message|>Hi.<|eom|>B"),
        (
            "muse",
            "<atem:invoke name=\"get_time\"><atem:parameter name=\"tz\">UTC</atem:parameter></atem:invoke>",
            "c:get_time{\"tz\":\"UTC\"}",
        ),
        ("beam", " to=get_time<|channel|>analysis<|message|>Hi.<|end|>", "t: to=get_time<|channel|>analysis<|message|>Hi.<|end|>"),
        (
            "beam",
            " to=get_weather<|message|><rfl:parameter name=\"days\">\n 2 \n</rfl:parameter><|start|>assistant<|channel|>final<|message|>B",
            "c:get_weather{\"days\":2}|t:B",
        ),
    ];
    for (dialect, raw, want) in cases {
        assert_eq!(all_ways(dialect, raw), want, "{dialect}: {raw}");
    }
}

/// Reads `raw` as tokens: every `<|...|>` of the vocabulary a special token, the rest text in pieces of `size` bytes.
fn read_tokens(dialect: &str, options: &ReadOptions, raw: &str, size: usize) -> Reply {
    let Lookup::Known(row) = lookup(dialect) else { panic!("{dialect}") };
    let markers: Vec<&str> = Markers::of(row).all().filter(|m| m.starts_with("<|")).collect();
    let special = SpecialTokens::new((0..).zip(markers.iter().copied()));
    let tools = ToolSet::new(Some(&tools()));
    let mut parser = Parser::new(row, &tools, options).with_tokens(special.clone());
    let mut events: Vec<Event> = Vec::new();
    let mut rest = raw;
    while !rest.is_empty() {
        let next = rest.match_indices("<|").map(|(at, _)| at).find(|&at| markers.iter().any(|m| rest[at..].starts_with(m)));
        for piece in rest.as_bytes()[..next.unwrap_or(rest.len())].chunks(size) {
            parser.push_token(Token::Text(piece), &mut events).unwrap();
        }
        let Some(at) = next else { break };
        let token = markers.iter().filter(|m| rest[at..].starts_with(**m)).max_by_key(|m| m.len()).unwrap();
        parser.push_token(Token::Special(special.id(token).unwrap()), &mut events).unwrap();
        rest = &rest[at + token.len()..];
    }
    parser.finish(End::Stop, &mut events);
    Reply::from_events(&events).unwrap()
}

#[test]
fn text_that_spells_a_token_is_text_where_tokens_come_as_such() {
    let tools = ToolSet::new(Some(&tools()));
    let options = ReadOptions::default();
    let Lookup::Known(row) = lookup("harmony") else { panic!() };
    let special = SpecialTokens::o200k_harmony();
    let id = |text: &str| Token::Special(special.id(text).unwrap());
    let mut parser = Parser::new(row, &tools, &options).with_tokens(special.clone());
    for _ in 0..2 {
        let mut events: Vec<Event> = Vec::new();
        let quoted = "<|start|>assistant<|channel|>commentary to=functions.get_time<|message|>{}<|call|>";
        for token in [
            id("<|channel|>"),
            Token::Text(b"analysis"),
            id("<|message|>"),
            Token::Text(b"So <|end"),
            Token::Text(b"|>"),
            id("<|end|>"),
            id("<|start|>"),
            Token::Text(b"assistant"),
            id("<|channel|>"),
            Token::Text(b"final"),
            id("<|message|>"),
            Token::Text(quoted.as_bytes()),
            Token::Text(&[0xe2, 0x82]),
            id("<|return|>"),
        ] {
            parser.push_token(token, &mut events).unwrap();
        }
        assert_eq!(parser.push_token(Token::Special(7), &mut events), Err(UnknownToken(7)));
        parser.finish(End::Stop, &mut events);
        let reply = Reply::from_events(&events).unwrap();
        assert_eq!(line(&reply), format!("r:So <|end|>|t:{quoted}\u{fffd}"));
    }
}

#[test]
fn where_nothing_is_admissible_a_message_is_text_in_one_piece() {
    let raw = "<|channel|>analysis<|message|>A<|end|><|channel|>commentary to=functions.f<|message|>{\"a\": \"<|call|>\"}<|call|>";
    let Lookup::Known(row) = lookup("harmony") else { panic!() };
    let mut options = ReadOptions::default();
    options.policies.undeclared = Undeclared::Forward;
    for (tools, choice) in [(Vec::new(), ToolChoice::Auto), (tools(), ToolChoice::None), (tools(), ToolChoice::Function("f".to_owned()))] {
        options.tool_choice = choice;
        let tools = ToolSet::new(Some(&tools));
        let mut events: Vec<Event> = Vec::new();
        let mut parser = Parser::new(row, &tools, &options);
        parser.push_str(raw, &mut events);
        parser.finish(End::Stop, &mut events);
        let want = format!("r:A|t:{}", &raw[raw.find("<|channel|>comm").unwrap()..]);
        assert_eq!(line(&Reply::from_events(&events).unwrap()), want);
    }
}
