//! Any text, any cuts, any options: no panic, and the laws that need no golden.

use std::fmt::Write as _;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use streakstone_model::json::Json;
use streakstone_model::{
    Block, ByteUse, Call, Caps, Delivery, Dialect, DropReason, Duplicate, End, Event, Finish, Markers, Names, Parallel, Part, Policies,
    ReadOptions, Reply, SpanUse, Tool, ToolChoice, Truncated, Undeclared, dialects,
};
use streakstone_parsers::{Parser, ToolSet};

const COMMON: &[&str] = &[
    "f",
    "g",
    "zz",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "<",
    ">",
    "\"",
    "'",
    ",",
    ":",
    "=",
    " ",
    "\n",
    "\n\n",
    "\\",
    "\\n",
    "1",
    "-2.5",
    "true",
    "True",
    "null",
    "é",
    "👩",
    "｜",
    "text",
    "Sure. ",
    " Done.",
    "</",
    "\u{fffd}",
    "a",
    "b",
    "{\"name\": \"f\", \"arguments\": {\"a\": 1}}",
    "{\"name\":\"g\",\"arguments\":{}}",
    "{\"name\": \"zz\", \"arguments\": {\"a\": \"x\"}}",
    "{\"arguments\": {\"a\": [1, \"</tool_call>\"]}, \"name\": \"f\"}",
    "{\"name\":\"f\",\"arguments\":\"{\\\"a\\\": 2}\",\"id\":\"abc\"}",
    "\"name\": \"f\"",
    "\"arguments\": ",
    "f(a=1, b='x')",
    "g()",
    "f(1, 'y', [True, {'k': None}])",
    "a=",
    "f(",
    "g(a=[",
    "(1,",
    ";",
    "]}",
    "{\"tool_calls\": [",
    "\"function\": {",
    "{\"tool_call\": {\"name\": \"f\", \"args\": {}}}",
    "{\"tool_name\": \"f\", \"tool_call_id\": \"7\", \"parameters\": {\"a\": 1}}",
    "f.call(",
    "{'k': ",
    "<think>",
    "</think>",
    "plan",
    "<|im_end|>",
    "</s>",
];

/// The markers of a row and bodies written with them.
fn words(dialect: &Dialect) -> Vec<String> {
    let mut words: Vec<String> = COMMON.iter().map(|w| (*w).to_owned()).collect();
    let mut add = |w: &str| {
        words.push(w.to_owned());
        words.push(w.to_owned());
        // Halves of markers.
        let half = (w.len() / 2..w.len()).find(|&i| w.is_char_boundary(i)).unwrap_or(w.len());
        words.push(w[..half].to_owned());
        words.push(w[half..].to_owned());
    };
    let markers = Markers::of(dialect);
    markers.all().for_each(&mut add);
    for word in &markers.words {
        add(word);
        add(&format!(" {word}="));
        add(&format!("{word}."));
    }
    let s = dialect.grammar.spelling();
    for word in [
        s.head(),
        s.in_string(),
        format!("{}{}zz{}", s.first, s.unit, s.named),
        s.string_end.clone() + &s.call_end,
        format!("{}1{}", s.value.join("a"), s.value_end),
        format!("{}x{}", s.string.join("b"), s.string_end),
        s.call("g", "x"),
        s.calls(2, ""),
        s.bare_call("f", ""),
        s.first.clone(),
        s.last.clone(),
        s.unit.clone() + "f",
        s.separator.clone(),
    ] {
        add(&word);
    }
    words
}

#[derive(Clone)]
struct Input {
    dialect: &'static Dialect,
    raw: Vec<u8>,
    end: End,
    options: ReadOptions,
    tools: Option<Vec<Tool>>,
    cuts: Vec<Index>,
}

impl std::fmt::Debug for Input {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tools = self.tools.as_ref().map(Vec::len);
        write!(
            f,
            "{} {:?} raw {:?} {:?} tools {tools:?} cuts {:?}",
            self.dialect.name,
            self.end,
            String::from_utf8_lossy(&self.raw),
            self.options,
            self.cuts
        )
    }
}

fn policies() -> impl Strategy<Value = Policies> {
    (
        select(Block::ALL),
        select(Undeclared::ALL),
        select(Names::ALL),
        select(Truncated::ALL),
        select(Duplicate::ALL),
        select(streakstone_model::Coercion::ALL),
        select(Parallel::ALL),
    )
        .prop_map(|(block, undeclared, names, truncated, duplicate, coercion, parallel)| Policies {
            delivery: Delivery::Validated,
            block,
            undeclared,
            names,
            truncated,
            duplicate,
            coercion,
            parallel,
        })
}

fn tools() -> Vec<Tool> {
    let schema =
        serde_json::json!({"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}, "c": {"type": "array"}}});
    ["f", "g"].iter().map(|n| Tool { name: (*n).to_owned(), parameters: schema.clone() }).collect()
}

fn input() -> impl Strategy<Value = Input> {
    let dialect = select(dialects().collect::<Vec<_>>());
    let choice = prop_oneof![6 => Just(ToolChoice::Auto), 1 => Just(ToolChoice::None), 1 => Just(ToolChoice::Function("g".to_owned()))];
    let caps = prop_oneof![4 => Just(Caps::default()), 1 => (0usize..60).prop_map(|hold| Caps { calls: 1, parameters: 1, depth: 2, name: 3, arguments: 12, hold })];
    let policies = prop_oneof![2 => Just(Policies::default()), 3 => policies()];
    dialect.prop_flat_map(move |dialect| {
        let words = words(dialect);
        let word = prop_oneof![20 => select(words).prop_map(String::into_bytes), 1 => prop::collection::vec(0x80u8..=0xff, 1..3)];
        (
            prop::collection::vec(word, 0..14),
            select(vec![End::Stop, End::Length, End::StopString]),
            choice.clone(),
            any::<bool>(),
            policies.clone(),
            caps.clone(),
            prop_oneof![5 => Just(Some(tools())), 1 => Just(None), 1 => Just(Some(Vec::new()))],
            prop::collection::vec(any::<Index>(), 0..6),
        )
            .prop_map(move |(words, end, tool_choice, reasoning_open, policies, caps, tools, cuts)| Input {
                dialect,
                raw: words.concat(),
                end,
                options: ReadOptions { tool_choice, reasoning_open, policies, caps },
                tools,
                cuts,
            })
    })
}

fn read(input: &Input, options: &ReadOptions, chunks: &[&[u8]], end: End) -> Vec<Event> {
    let tools = ToolSet::new(input.tools.as_deref());
    let mut parser = Parser::new(input.dialect, &tools, options);
    let mut events = Vec::new();
    for chunk in chunks {
        parser.push(chunk, &mut events);
        let held = parser.held();
        assert!(held.unit_open || held.bytes <= 40 + 2 + 256 + 3, "holds {} bytes of prose", held.bytes);
    }
    parser.finish(end, &mut events);
    events
}

fn reply(events: &[Event]) -> Reply {
    Reply::from_events(events).unwrap_or_else(|e| panic!("{e}: {events:?}"))
}

fn complete(reply: &Reply) -> Vec<Call> {
    reply.calls().filter(|c| c.is_complete()).cloned().collect()
}

/// The reply with arguments as values: a repeated parameter is written twice by eager, once by validated (semantics 6).
fn values(reply: &Reply) -> (Vec<(String, Option<Json>)>, Finish) {
    let parts = reply.parts.iter().map(|p| match p {
        Part::Text(t) => (format!("text {t}"), None),
        Part::Reasoning(t) => (format!("reasoning {t}"), None),
        Part::Call(c) => (format!("call {} {:?}", c.name, c.id), Json::parse(&c.arguments).ok()),
    });
    (parts.collect(), reply.finish)
}

/// Spans tile the raw bytes, content is the lossy text of its spans, and only announced reasons drop bytes.
fn check_spans(input: &Input, reply: &Reply) {
    let mut at = 0;
    for (what, span) in &reply.spans {
        assert_eq!(span.start, at, "gap or overlap: {:?}", reply.spans);
        at = span.end;
        if let SpanUse::Bytes(ByteUse::Dropped { reason }) = what {
            let p = &input.options.policies;
            let allowed = match reason {
                DropReason::Parallel => p.parallel == Parallel::First,
                DropReason::Undeclared => p.undeclared == Undeclared::Drop,
                DropReason::Truncated => p.truncated == Truncated::Drop,
                DropReason::CallCap => true,
            };
            assert!(allowed, "{reason:?}");
        }
    }
    assert_eq!(at, input.raw.len(), "bytes lost: {:?}", reply.spans);
    if let Ok(text) = std::str::from_utf8(&input.raw) {
        for (host, joined) in [(SpanUse::Content, reply.content()), (SpanUse::Reasoning, reply.reasoning())] {
            let spans: String = reply.spans.iter().filter(|(u, _)| *u == host).map(|(_, s)| &text[s.start..s.end]).collect();
            assert_eq!(spans, joined);
        }
    }
}

fn check(input: &Input) {
    let mut replies = Vec::new();
    for delivery in Delivery::ALL {
        let mut options = input.options.clone();
        options.policies.delivery = *delivery;
        let whole = reply(&read(input, &options, &[&input.raw], input.end));
        // Split invariance: random cuts, and every byte alone.
        let mut cuts: Vec<usize> = input.cuts.iter().map(|i| i.index(input.raw.len() + 1)).collect();
        cuts.sort_unstable();
        let mut chunks = Vec::new();
        let mut from = 0;
        for cut in cuts.into_iter().chain([input.raw.len()]) {
            chunks.push(&input.raw[from..cut]);
            from = cut;
        }
        assert_eq!(reply(&read(input, &options, &chunks, input.end)), whole, "random cuts, {delivery}");
        let bytes: Vec<&[u8]> = input.raw.chunks(1).collect();
        assert_eq!(reply(&read(input, &options, &bytes, input.end)), whole, "every byte, {delivery}");

        check_spans(input, &whole);
        for call in complete(&whole) {
            assert!(Json::parse(&call.arguments).is_ok_and(|j| j.is_object()), "{}", call.arguments);
        }
        let mut ids: Vec<&str> = whole.calls().map(|c| c.id.value.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), whole.calls().count());
        let want = match input.end {
            End::Length => Finish::Length,
            _ if complete(&whole).is_empty() => Finish::Stop,
            _ => Finish::ToolCalls,
        };
        assert_eq!(whole.finish, want);
        replies.push(whole);
    }
    let [validated, eager] = replies.as_slice() else { unreachable!() };
    assert!(validated.calls().all(Call::is_complete), "validated sends no incomplete call");
    let open = eager.parts.iter().position(|p| matches!(p, Part::Call(c) if !c.is_complete()));
    if open.is_none() {
        assert_eq!(values(validated), values(eager), "deliveries differ");
    } else {
        let named = |reply: &Reply| complete(reply).into_iter().map(|c| (c.name, Json::parse(&c.arguments).unwrap())).collect::<Vec<_>>();
        // Under repair the validated reply may complete what eager leaves open.
        let (a, b) = (named(validated), named(eager));
        assert!(b.iter().all(|c| a.contains(c)), "{a:?} {b:?}");
    }
    // Prefix honesty: what is complete when the text is cut by length stays so.
    if !input.dialect.grammar.is_bare() {
        let named = |r: &Reply| complete(r).into_iter().map(|c| (c.name, c.arguments)).collect::<Vec<_>>();
        let full = named(validated);
        for cut in &input.cuts {
            let cut = cut.index(input.raw.len() + 1);
            let part = named(&reply(&read(input, &input.options, &[&input.raw[..cut]], End::Length)));
            assert!(full.starts_with(&part), "at {cut}: {part:?} of {full:?}");
        }
    }
}

/// 20,000 readings, or `PROPTEST_CASES` of them if that is more.
fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    ProptestConfig { cases: default.cases.max(20_000), max_shrink_iters: 3_000, ..default }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_text_any_cuts_any_options(input in input()) {
        check(&input);
    }
}

#[test]
fn an_instance_reads_the_next_reply_as_the_first() {
    for dialect in dialects() {
        let tools = ToolSet::new(Some(&tools()));
        let options = ReadOptions::default();
        for text in ["<tool_call>{\"name\":", "[f(a='", "[TOOL_CALLS][{\"name\":\"f\",\"arguments\":{}}, ", "<think>x", "\u{ff5c}"] {
            let mut parser = Parser::new(dialect, &tools, &options);
            let (mut first, mut second) = (Vec::new(), Vec::new());
            parser.push(text.as_bytes(), &mut first);
            parser.push(&[0xe2], &mut first);
            parser.finish(End::Stop, &mut first);
            parser.push(text.as_bytes(), &mut second);
            parser.push(&[0xe2], &mut second);
            parser.finish(End::Stop, &mut second);
            assert_eq!(first, second, "{}", dialect.name);
        }
    }
}

#[test]
fn a_minted_id_stays_valid_and_new_among_hostile_ids() {
    let tools = ToolSet::new(None);
    let options = ReadOptions::default();
    // Ids of the model that are what a counting source would mint for the last call, and what it could try next.
    let mut text = String::new();
    for n in 0..40 {
        let tail = if n == 0 { String::new() } else { format!("x{n}") };
        let _ = write!(text, "<tool_call>{{\"id\": \"call_{:024x}{tail}\", \"name\": \"f\", \"arguments\": {{}}}}</tool_call>", 41);
    }
    text.push_str("<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>");
    let dialect = dialects().find(|d| d.name == "hermes").unwrap();
    let mut parser = Parser::new(dialect, &tools, &options);
    let mut events = Vec::new();
    parser.push_str(&text, &mut events);
    parser.finish(End::Stop, &mut events);
    let reply = reply(&events);
    let ids: std::collections::BTreeSet<&str> = reply.calls().map(|c| c.id.value.as_str()).collect();
    assert_eq!(ids.len(), 41);
    assert!(ids.iter().all(|id| id.len() <= 64 && id.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))), "{ids:?}");
    assert!(reply.calls().last().unwrap().id.minted);
}
