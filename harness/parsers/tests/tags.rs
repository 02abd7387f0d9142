//! The tag grammars: what each template writes, and what models write in its place; whole, cut anywhere, by the byte, in both deliveries.

mod reading;

use reading::row;
use streakstone_model::{Call, Delivery, End, Event, ReadOptions, Reply, Tool};
use streakstone_parsers::ToolSet;

fn tools() -> ToolSet {
    let tool = |name: &str, properties: serde_json::Value| Tool {
        name: name.to_owned(),
        parameters: serde_json::json!({"type": "object", "properties": properties}),
    };
    ToolSet::new(Some(&[
        tool("get_weather", serde_json::json!({"city": {"type": "string"}, "unit": {"type": "string"}, "days": {"type": "integer"}})),
        tool("get_time", serde_json::json!({"tz": {"type": "string"}})),
        tool(
            "order",
            serde_json::json!({
                "id": {"type": "integer"},
                "to": {"type": "object", "properties": {"zip": {"type": "string"}, "floor": {"type": "integer"}}},
                "lines": {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
                "tags": {"type": "array", "items": {"type": "integer"}},
            }),
        ),
    ]))
}

fn events(name: &str, delivery: Delivery, chunks: &[&[u8]], end: End) -> Vec<Event> {
    let mut options = ReadOptions::default();
    options.policies.delivery = delivery;
    reading::events(row(name), &tools(), &options, chunks, end)
}

/// The one reading of `text`, whatever the cuts; both deliveries.
fn read(name: &str, text: &str, end: End) -> [Reply; 2] {
    let raw = text.as_bytes();
    [Delivery::Validated, Delivery::Eager].map(|delivery| {
        let reply = |chunks: &[&[u8]]| Reply::from_events(&events(name, delivery, chunks, end)).unwrap();
        let whole = reply(&[raw]);
        for cut in 1..raw.len() {
            assert_eq!(reply(&[&raw[..cut], &raw[cut..]]), whole, "{name} {delivery} cut at {cut} of {text:?}");
        }
        assert_eq!(reply(&raw.chunks(1).collect::<Vec<_>>()), whole, "{name} {delivery} by the byte: {text:?}");
        whole
    })
}

fn calls(reply: &Reply) -> Vec<(&str, String)> {
    let compact =
        |call: &Call| serde_json::from_str::<serde_json::Value>(&call.arguments).map_or(call.arguments.clone(), |v| v.to_string());
    reply.calls().filter(|c| c.is_complete()).map(|c| (c.name.as_str(), compact(c))).collect()
}

/// Both deliveries give these calls, and this content.
fn gives(name: &str, text: &str, want: &[(&str, &str)], content: &str) {
    for reply in read(name, text, End::Stop) {
        let want: Vec<_> = want.iter().map(|(name, json)| (*name, (*json).to_owned())).collect();
        assert_eq!((calls(&reply), reply.content()), (want, content.to_owned()), "{name}: {text:?} {reply:?}");
    }
}

const TWO: &[(&str, &str)] = &[("get_weather", r#"{"city":"Paris","unit":"c"}"#), ("get_time", r#"{"tz":"UTC"}"#)];

#[rustfmt::skip]
const TEXTS: &[(&str, &str)] = &[
    ("minimax_m2", "<minimax:tool_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"unit\">c</parameter>\n</invoke>\n<invoke name=\"get_time\">\n<parameter name=\"tz\">UTC</parameter>\n</invoke>\n</minimax:tool_call>"),
    ("dots", "<dots_function_call>\n<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"unit\">c</parameter>\n</invoke>\n<invoke name=\"get_time\">\n<parameter name=\"tz\">UTC</parameter>\n</invoke>\n</dots_function_call>"),
    ("step3", "<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_weather\"><steptml:parameter name=\"city\">Paris</steptml:parameter><steptml:parameter name=\"unit\">c</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_time\"><steptml:parameter name=\"tz\">UTC</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>"),
    ("minicpm5", "<function name=\"get_weather\"><param name=\"city\">Paris</param><param name=\"unit\">c</param></function>\n<function name=\"get_time\"><param name=\"tz\">UTC</param></function>"),
    ("glm45", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>unit</arg_key>\n<arg_value>c</arg_value>\n</tool_call>\n<tool_call>get_time\n<arg_key>tz</arg_key>\n<arg_value>UTC</arg_value>\n</tool_call>"),
    ("glm47", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call>"),
    ("hy_v3", "<tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<tool_sep><arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call></tool_calls>"),
    ("hy_v4", "<tool_calls><tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call></tool_calls>"),
    ("k2_horizon", "<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_value>Paris</ifm|arg_value><ifm|arg_key>unit</ifm|arg_key><ifm|arg_value>c</ifm|arg_value></ifm|tool_call><ifm|tool_call>get_time<ifm|arg_key>tz</ifm|arg_key><ifm|arg_value>UTC</ifm|arg_value></ifm|tool_call></ifm|tool_calls>"),
    ("solar_open2", "<|tool_call:start|>get_weather\n<|tool_arg:start|>city<|tool_arg:value|>Paris<|tool_arg:end|>\n<|tool_arg:start|>unit<|tool_arg:value|>c<|tool_arg:end|>\n<|tool_call:end|>\n<|tool_call:start|>get_time\n<|tool_arg:start|>tz<|tool_arg:value|>UTC<|tool_arg:end|>\n<|tool_call:end|>"),
    ("kimi_k3", "<|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool=\"get_weather\" index=\"1\"<|sep|><|open|>argument key=\"city\" type=\"string\"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key=\"unit\" type=\"string\"<|sep|>c<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool=\"get_time\" index=\"2\"<|sep|><|open|>argument key=\"tz\" type=\"string\"<|sep|>UTC<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>"),
    ("iquest", "<iquest_tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></iquest_tool_call><iquest_tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></iquest_tool_call>"),
    ("ling3", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call>"),
    ("poolside", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call>"),
    ("spark25", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call>"),
    ("iquest_coder_v2", "<iquestcoder_tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></iquestcoder_tool_call><iquestcoder_tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></iquestcoder_tool_call>"),
    ("hy_v4", "<tool_calls:6124c78e><tool_call:6124c78e>get_weather<arg_key:6124c78e>city</arg_key:6124c78e><arg_value:6124c78e>Paris</arg_value:6124c78e><arg_key:6124c78e>unit</arg_key:6124c78e><arg_value:6124c78e>c</arg_value:6124c78e></tool_call:6124c78e><tool_call:6124c78e>get_time<arg_key:6124c78e>tz</arg_key:6124c78e><arg_value:6124c78e>UTC</arg_value:6124c78e></tool_call:6124c78e></tool_calls:6124c78e>"),
    ("k2_horizon", "<ifm|tool_calls><ifm|tool_call>get_weather<ifm|arg_key>city</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>Paris</ifm|arg_value><ifm|arg_key>unit</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>c</ifm|arg_value></ifm|tool_call><ifm|tool_call>get_time<ifm|arg_key>tz</ifm|arg_key><ifm|arg_type>string</ifm|arg_type><ifm|arg_value>UTC</ifm|arg_value></ifm|tool_call></ifm|tool_calls>"),
    ("k2_horizon", "<ifm|tool_calls>\n<ifm|tool_call>{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}</ifm|tool_call>\n<ifm|tool_call>{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}</ifm|tool_call>\n</ifm|tool_calls>"),
    ("longcat", "<longcat_tool_call>get_weather\n<longcat_arg_key>city</longcat_arg_key>\n<longcat_arg_value>Paris</longcat_arg_value>\n<longcat_arg_key>unit</longcat_arg_key>\n<longcat_arg_value>c</longcat_arg_value>\n</longcat_tool_call>\n<longcat_tool_call>get_time\n<longcat_arg_key>tz</longcat_arg_key>\n<longcat_arg_value>UTC</longcat_arg_value>\n</longcat_tool_call>"),
    ("glm45", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Paris</arg_value><arg_key>unit</arg_key><arg_value>c</arg_value></tool_call><tool_call>get_time<arg_key>tz</arg_key><arg_value>UTC</arg_value></tool_call>"),
    ("glm47", "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>unit</arg_key>\n<arg_value>c</arg_value>\n</tool_call>\n<tool_call>get_time\n<arg_key>tz</arg_key>\n<arg_value>UTC</arg_value>\n</tool_call>"),
    ("minimax_m2", "<invoke name=get_weather>\n<parameter name='city'>Paris</parameter>\n<parameter name=\"unit\">c</parameter>\n</invoke>\n<invoke name=\"get_time\">\n<parameter name=\"tz\">UTC</parameter>\n</invoke>"),
    ("dots", "<dots_function_call>\n<invoke name=\"get_weather\">\n{\"city\": \"Paris\", \"unit\": \"c\"}\n</invoke>\n<invoke name=\"get_time\">{\"tz\": \"UTC\"}</invoke>\n</dots_function_call>"),
    ("dots", "<dots_function_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\", \"unit\": \"c\"}}\n{\"name\": \"get_time\", \"arguments\": {\"tz\": \"UTC\"}}\n</dots_function_call>"),
    ("minicpm5", "<function name=\"get_weather\"><param name=\"city\"><![CDATA[Paris]]></param><param name=\"unit\">c</param></function>\n<function name=\"get_time\"><param name=\"tz\">UTC</param></function>"),
    ("kimi_k3", "<|open|>response<|sep|><|close|>response<|sep|><|open|>tools<|sep|><|open|>call tool=\"get_weather\" index=\"1\"<|sep|><|open|>argument key=\"city\" type=\"string\"<|sep|>Paris<|close|>argument<|sep|><|open|>argument key=\"unit\" type=\"string\"<|sep|>c<|close|>argument<|sep|><|close|>call<|sep|><|open|>call tool=\"get_time\" index=\"2\"<|sep|><|open|>json type=\"object\"<|sep|>{\"tz\": \"UTC\"}<|close|>json<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>"),
    ("minimax_m3", "]<]minimax[>[<tool_call>\n]<]minimax[>[<invoke name=\"get_weather\">]<]minimax[>[<city>Paris]<]minimax[>[</city>]<]minimax[>[<unit>c]<]minimax[>[</unit>]<]minimax[>[</invoke>\n]<]minimax[>[<invoke name=\"get_time\">]<]minimax[>[<tz>UTC]<]minimax[>[</tz>]<]minimax[>[</invoke>\n]<]minimax[>[</tool_call>"),
    ("cohere_cofl", "<cofl:tool_calls><cofl:tool_call id=\"0\" name=\"get_weather\"><cofl:value name=\"city\" type=\"raw\">Paris</cofl:value><cofl:value name=\"unit\" type=\"raw\">c</cofl:value></cofl:tool_call><cofl:tool_call id=\"1\" name=\"get_time\"><cofl:value name=\"tz\" type=\"raw\">UTC</cofl:value></cofl:tool_call></cofl:tool_calls>"),
];

#[test]
fn two_calls_as_the_row_writes_them_are_two_calls() {
    for (name, text) in TEXTS {
        gives(name, text, TWO, "");
    }
}

#[test]
fn text_around_calls_is_kept() {
    for (name, text) in TEXTS {
        let around = format!("Sure. {text} Done.");
        let replies = read(name, &around, End::Stop);
        for reply in replies {
            assert_eq!(calls(&reply).len(), 2, "{name}");
            assert_eq!(reply.content(), "Sure.  Done.", "{name}: {around:?}");
        }
    }
}

#[test]
fn a_text_argument_goes_out_as_it_comes_where_no_newline_is_the_templates() {
    for (name, text) in [
        ("glm47", "<tool_call>get_time<arg_key>tz</arg_key><arg_value>a long "),
        ("minimax_m2", "<invoke name=\"get_time\"><parameter name=\"tz\">a long "),
        ("deepseek_v32", "<｜DSML｜invoke name=\"get_time\"><｜DSML｜parameter name=\"x\" string=\"true\">a long "),
        ("kimi_k3", "<|open|>call tool=\"get_time\"<|sep|><|open|>argument key=\"x\" type=\"string\"<|sep|>a long "),
        ("qwen3_coder", "<function=get_time>\n<parameter=tz>a long "),
    ] {
        let sent = |text: &str| {
            let events = events(name, Delivery::Eager, &[text.as_bytes()], End::Length);
            Reply::from_events(&events).unwrap().calls().map(|c| c.arguments.clone()).collect::<String>()
        };
        let key = if text.contains("\"x\"") { "x" } else { "tz" };
        assert_eq!(sent(text), format!("{{\"{key}\":\"a long "), "{name}");
        // What may be a closer is held, and what is none goes on.
        let close = row(name).grammar.spelling().parameter_close;
        assert_eq!(sent(&format!("{text}{close} ")), format!("{{\"{key}\":\"a long "), "{name}");
        assert_eq!(sent(&format!("{text}{close} \"x")), format!("{{\"{key}\":\"a long {close} \\\"x"), "{name}");
    }
    let held = events("qwen3_coder", Delivery::Eager, &[b"<function=get_time>\n<parameter=tz>\na long "], End::Length);
    assert_eq!(Reply::from_events(&held).unwrap().calls().map(|c| c.arguments.as_str()).collect::<String>(), "{");
}

#[test]
fn values_are_typed_by_the_wire_and_else_by_the_schema() {
    let k3 = |kind: &str, value: &str| {
        format!(
            "<|open|>call tool=\"get_weather\"<|sep|><|open|>argument key=\"a&amp;&quot;b\" type=\"{kind}\"<|sep|>{value}<|close|>argument<|sep|><|close|>call<|sep|>"
        )
    };
    gives("kimi_k3", &k3("number", " 2 "), &[("get_weather", r#"{"a&\"b":2}"#)], "");
    gives("kimi_k3", &k3("string", "2"), &[("get_weather", r#"{"a&\"b":"2"}"#)], "");
    let k2 = |kind: &str, value: &str| {
        format!(
            "<ifm|tool_call>get_weather<ifm|arg_key>x</ifm|arg_key>\n<ifm|arg_type>{kind}</ifm|arg_type>\n<ifm|arg_value>{value}</ifm|arg_value></ifm|tool_call>"
        )
    };
    gives("k2_horizon", &k2("boolean", "true"), &[("get_weather", r#"{"x":true}"#)], "");
    gives("k2_horizon", &k2("string", "true"), &[("get_weather", r#"{"x":"true"}"#)], "");
    let glm = |value: &str| format!("<tool_call>get_weather<arg_key>days</arg_key><arg_value>{value}</arg_value></tool_call>");
    gives("glm47", &glm("3"), &[("get_weather", r#"{"days":3}"#)], "");
    gives("glm47", &glm(" x\n"), &[("get_weather", r#"{"days":" x\n"}"#)], "");
}

#[test]
fn a_name_of_pairs_ends_at_white_space_or_a_tag() {
    for text in ["<tool_call>get_time</tool_call>", "<tool_call>get_time\n</tool_call>", "<tool_call> get_time </tool_call>"] {
        gives("glm47", text, &[("get_time", "{}")], "");
    }
    // Prose, a second opener, a call of another grammar, a name cut by the end.
    gives("glm47", "The <tool_call> tag", &[], "The <tool_call> tag");
    gives("glm47", "<tool_call>get_time is a tool", &[], "<tool_call>get_time is a tool");
    gives("glm47", "<tool_call>get_time<tool_call>get_time</tool_call>", &[("get_time", "{}")], "<tool_call>get_time");
    gives("glm47", "<tool_call>get_ti", &[], "<tool_call>get_ti");
    let qwen = "<tool_call>\n<function=get_time>\n</function>\n</tool_call>";
    gives("glm47", qwen, &[], qwen);
    gives("hy_v3", "<tool_calls><tool_call>get_time</tool_call></tool_calls>", &[("get_time", "{}")], "");
}

#[test]
fn a_closer_in_a_value_is_data_unless_a_tag_follows() {
    let text = "<tool_call>get_time<arg_key>tz</arg_key><arg_value>a</arg_value>b</tool_call>c</arg_value></tool_call>";
    gives("glm47", text, &[("get_time", r#"{"tz":"a</arg_value>b</tool_call>c"}"#)], "");
    let cdata = "<function name=\"get_time\"><param name=\"tz\"><![CDATA[a</param></function>\n]] ]]></param></function>";
    gives("minicpm5", cdata, &[("get_time", r#"{"tz":"a</param></function>\n]] "}"#)], "");
}

#[test]
fn outer_closers_may_lack() {
    let step3 = "<｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name=\"get_time\"></steptml:invoke>";
    gives("step3", step3, &[("get_time", "{}")], "");
    gives("step3", &format!("{step3} x <｜tool_call_end｜>"), &[("get_time", "{}")], " x ");
    gives("step3", "<steptml:invoke name=\"get_time\"><｜tool_call_end｜><｜tool_calls_end｜>", &[("get_time", "{}")], "");
    gives("hy_v4", "<tool_call:6124c78e>get_time</tool_call:6124c78e>", &[("get_time", "{}")], "");
    gives("minimax_m2", "<invoke name=\"get_time\"></minimax:tool_call>", &[("get_time", "{}")], "");
}

/// An M3 call of `order`; `M` stands for the namespace token.
fn m3(body: &str) -> String {
    format!("M<invoke name=\"order\">{body}M</invoke>").replace('M', "]<]minimax[>[")
}

#[test]
fn elements_are_typed_by_the_schema_at_their_path() {
    let nested = "M<id>7M</id>\nM<to>\nM<zip>01M</zip>\nM<floor>01M</floor>\nM</to>";
    gives("minimax_m3", &m3(nested), &[("order", r#"{"id":7,"to":{"zip":"01","floor":1}}"#)], "");
    let list = "M<lines>M<item>M<n>1M</n>M</item>M<item>M<n>2M</n>M</item>M</lines>M<tags>M<item>3M</item>M</tags>";
    gives("minimax_m3", &m3(list), &[("order", r#"{"lines":[{"n":1},{"n":2}],"tags":[3]}"#)], "");
    // A name that comes again makes a list; an empty element is an empty list or object where the schema says so.
    gives("minimax_m3", &m3("M<tags>1M</tags>M<id>2M</id>M<tags>3M</tags>"), &[("order", r#"{"tags":[1,3],"id":2}"#)], "");
    gives("minimax_m3", &m3("M<tags>M</tags>M<to>M</to>"), &[("order", r#"{"tags":[],"to":{}}"#)], "");
    gives("minimax_m3", &m3("M<x>M<y>aM</y> b M</x>"), &[("order", r#"{"x":{"$text":"b","y":"a"}}"#)], "");
    gives("minimax_m3", &m3(""), &[("order", "{}")], "");
}

#[test]
fn text_of_an_element_is_data() {
    gives("minimax_m3", &m3("M<x> <b>]<] M</x>y M</x>"), &[("order", r#"{"x":" <b>]<] ]<]minimax[>[</x>y "}"#)], "");
    let cofl = |body: &str| format!("<cofl:tool_call id=\"7\" name=\"order\">{body}</cofl:tool_call>");
    let raw = cofl("<cofl:value name=\"a&amp;b\" type=\"raw\"><cofl:value> &amp; </cofl:value>x</cofl:value>");
    gives("cohere_cofl", &raw, &[("order", r#"{"a&b":"<cofl:value> &amp; </cofl:value>x"}"#)], "");
    let nested = cofl(
        "<cofl:value name=\"to\" type=\"dict\">\n<cofl:value name=\"zip\" type=\"raw\">01</cofl:value>\n</cofl:value>\
         <cofl:value name=\"tags\" type=\"list\"><cofl:value type=\"json\">1</cofl:value><cofl:value type=\"raw\">2</cofl:value></cofl:value>",
    );
    gives("cohere_cofl", &nested, &[("order", r#"{"to":{"zip":"01"},"tags":[1,"2"]}"#)], "");
    for reply in read("cohere_cofl", &nested, End::Stop) {
        assert_eq!(reply.calls().next().unwrap().id.value, "7");
    }
}

#[test]
fn an_element_tree_that_lacks_closers_only_is_completed_and_no_other() {
    let head = "]<]minimax[>[<invoke name=\"order\">";
    for (text, complete) in [
        (m3("M<to>M<zip>01M</zip>M</to>"), true),
        (format!("{head}M<to>M<zip>01M</zip>").replace('M', "]<]minimax[>["), true),
        (format!("{head}M<to>M<zip>01M</z").replace('M', "]<]minimax[>["), false),
        (format!("{head}M<to>M<zip>01").replace('M', "]<]minimax[>["), false),
        (format!("{head}M<to>M</invoke>").replace('M', "]<]minimax[>["), false),
    ] {
        let [validated, _] = read("minimax_m3", &text, End::Stop);
        assert_eq!(validated.calls().count() == 1, complete, "{text}");
        assert!(complete || validated.content() == text, "{text}");
    }
    let deep = m3(&format!("{}1", "M<a>".repeat(200)));
    let events = events("minimax_m3", Delivery::Validated, &[deep.as_bytes()], End::Stop);
    assert_eq!(Reply::from_events(&events).unwrap().content(), deep);
}

#[test]
fn the_skeleton_of_every_row_is_a_call() {
    for dialect in streakstone_model::dialects() {
        let text = dialect.grammar.spelling().call("get_time", "UTC").replace("\"k\"", "\"tz\"");
        let [reply, _] = read(dialect.name, &text, End::Stop);
        assert_eq!(calls(&reply).len(), 1, "{}: {text:?}", dialect.name);
    }
}
