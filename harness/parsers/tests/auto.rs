//! The row `auto` reads what each of its rows reads, and takes no text that only quotes a marker.

mod reading;

use reading::{events, row};
use streakstone_model::{Dialect, End, Grammar, Markers, Part, ReadOptions, Reply, Tool, auto_rows};
use streakstone_parsers::ToolSet;

fn members() -> impl Iterator<Item = &'static Dialect> {
    let Grammar::Auto(names) = row("auto").grammar else { panic!("auto is no row of rows") };
    assert_eq!(auto_rows(names).count(), names.len(), "a name of auto is no row");
    auto_rows(names)
}

fn tools() -> ToolSet {
    let tool = |name: &str| Tool { name: name.to_owned(), parameters: serde_json::json!({"properties": {"k": {"type": "string"}}}) };
    ToolSet::new(Some(&[tool("f"), tool("g"), tool("functions.f")]))
}

fn read(dialect: &'static Dialect, chunks: &[&[u8]]) -> Reply {
    let (tools, options) = (tools(), ReadOptions::default());
    let events = events(dialect, &tools, &options, chunks, End::Stop);
    Reply::from_events(&events).unwrap()
}

/// The parts of `raw` read whole, by byte and at every cut.
fn parts(dialect: &'static Dialect, raw: &str) -> Vec<Part> {
    let whole = read(dialect, &[raw.as_bytes()]);
    let bytes: Vec<&[u8]> = raw.as_bytes().chunks(1).collect();
    assert_eq!(read(dialect, &bytes), whole, "{}: {raw:?} by bytes", dialect.name);
    for cut in 1..raw.len() {
        let (head, tail) = raw.as_bytes().split_at(cut);
        assert_eq!(read(dialect, &[head, tail]), whole, "{}: {raw:?} at {cut}", dialect.name);
    }
    whole.parts
}

fn names(parts: &[Part]) -> Vec<&str> {
    parts.iter().filter_map(|part| if let Part::Call(call) = part { Some(call.name.as_str()) } else { None }).collect()
}

#[test]
fn every_row_is_told_by_its_markers() {
    for member in members() {
        let s = member.grammar.spelling();
        for raw in [s.call("f", "x"), s.call("f", ""), s.calls(2, "x"), format!("Well, sure.\n\n{}", s.call("f", "x"))] {
            let own = parts(member, &raw);
            assert!(!names(&own).is_empty(), "{}: {raw:?}", member.name);
            assert_eq!(parts(row("auto"), &raw), own, "{}: {raw:?}", member.name);
        }
    }
}

#[test]
fn two_families_are_read_in_the_order_of_their_bytes() {
    let all: Vec<&Dialect> = members().filter(|m| !matches!(m.grammar, Grammar::Channels(_))).collect();
    for pair in all.windows(2) {
        let raw = format!("{}\n{}", pair[0].grammar.spelling().call("f", "x"), pair[1].grammar.spelling().call("g", "y"));
        assert_eq!(names(&parts(row("auto"), &raw)), ["f", "g"], "{} {}: {raw:?}", pair[0].name, pair[1].name);
    }
}

#[test]
fn a_call_that_quotes_another_familys_call_is_one_call() {
    for quoted in members() {
        let inner = quoted.grammar.spelling().call("g", "y");
        let escaped = serde_json::to_string(&inner).unwrap();
        let raw = format!("<tool_call>\n{{\"name\": \"f\", \"arguments\": {{\"k\": {escaped}}}}}\n</tool_call>");
        let reply = parts(row("auto"), &raw);
        assert_eq!(names(&reply), ["f"], "{}: {raw:?}", quoted.name);
        let Part::Call(call) = &reply[0] else { panic!("{reply:?}") };
        assert_eq!(serde_json::from_str::<serde_json::Value>(&call.arguments).unwrap()["k"], inner);
    }
}

#[test]
fn a_quoted_marker_steals_no_text() {
    for quoted in members() {
        let s = quoted.grammar.spelling();
        for marker in Markers::of(quoted).openers {
            // The next family's call stands all the same, and the quotation is text.
            let call = if s.open.starts_with("<tool_call>") { "[TOOL_CALLS]f[ARGS]{}" } else { "<tool_call>{\"name\": \"f\"}</tool_call>" };
            let raw = format!("Write `{marker}` before a call. {call}");
            let reply = parts(row("auto"), &raw);
            assert_eq!(names(&reply), ["f"], "{}: {raw:?} {reply:?}", quoted.name);
            let Part::Text(text) = &reply[0] else { panic!("{reply:?}") };
            assert!(text.starts_with(&format!("Write `{marker}`")), "{}: {raw:?} {reply:?}", quoted.name);
        }
    }
}

#[test]
fn the_thefts_of_the_reference_systems() {
    // reference-systems 1.7: each text belongs to one family, whatever parser is asked first.
    let texts = [
        ("<start_function_call>call:f{k:<escape>x<escape>}<end_function_call>", "f"),
        ("<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>", "f"),
        ("<tool_call>\n<function=f>\n<parameter=k>\nx\n</parameter>\n</function>\n</tool_call>", "f"),
        ("<tool_call>[{\"name\": \"f\", \"arguments\": {}}]", "f"),
        ("[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {}}]", "f"),
        ("<|tool_call>call:f{k:<|\"|>x<|\"|>}<tool_call|>", "f"),
    ];
    for (raw, name) in texts {
        assert_eq!(names(&parts(row("auto"), raw)), [name], "{raw:?}");
    }
    let prose = ["A lone <|open|>call is no call.", "{\"items\": [f(k=1)]}", "<|channel>thought only", "See [f](x) and [1, 2]."];
    for raw in prose {
        assert!(names(&parts(row("auto"), raw)).is_empty(), "{raw:?}");
    }
}
