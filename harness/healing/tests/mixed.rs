//! Streams of text, reasoning and structured calls in any order: they stay lawful, the same at every cut, and themselves where nothing is
//! healed.

mod texts;
mod upstream;

use proptest::prelude::*;
use streakstone_healing::{Promotable, Report, StreamHealer};
use streakstone_surfaces::{Context, Ids, Surface, Violation, check, read_stream};

use texts::{CASES, one_call, promotable};
use upstream::{
    DONE, ROLE, call_item, chunk, content, delta, message, message_item, reasoning_item, response, text_block, thinking, tool_use,
};

#[derive(Debug, Clone)]
enum Item {
    Text(&'static str),
    Reasoning,
    Call,
}

fn items() -> impl Strategy<Value = Vec<Item>> {
    // The builders cut text at bytes.
    let texts: Vec<&str> = CASES.iter().map(|case| case.text).filter(|text| text.is_ascii()).chain(["Hi. ", "<tool_", "call> "]).collect();
    let item = prop_oneof![
        4 => proptest::sample::select(texts).prop_map(Item::Text),
        1 => Just(Item::Reasoning),
        1 => Just(Item::Call),
    ];
    proptest::collection::vec(item, 1..6).prop_map(|mut items| {
        // One structured call is what the builders have an id for, and nothing is thought behind it.
        let mut called = false;
        items.retain(|item| match item {
            Item::Call => !std::mem::replace(&mut called, true),
            Item::Reasoning => !called,
            Item::Text(_) => true,
        });
        items
    })
}

/// The stream of a server that knows no leaks.
fn stream(surface: Surface, items: &[Item], cut: bool) -> String {
    let called = items.iter().any(|item| matches!(item, Item::Call));
    let mut parts = Vec::new();
    match surface {
        Surface::Chat => {
            parts.push(chunk(&delta(0, ROLE, "null")));
            for item in items {
                match item {
                    Item::Text(text) => parts.extend(
                        text.as_bytes().chunks(9).map(|text| chunk(&delta(0, &content(std::str::from_utf8(text).unwrap()), "null"))),
                    ),
                    Item::Reasoning => parts.push(chunk(&delta(0, "{\"reasoning_content\":\"<tool_call>\"}", "null"))),
                    Item::Call => parts.push(chunk(&delta(0, upstream::NATIVE, "null"))),
                }
            }
            let reason = if cut {
                "\"length\""
            } else if called {
                "\"tool_calls\""
            } else {
                "\"stop\""
            };
            parts.push(chunk(&delta(0, "{}", reason)) + DONE);
            parts.concat()
        }
        Surface::Anthropic => {
            for (at, item) in items.iter().enumerate() {
                parts.push(match item {
                    Item::Text(text) => text_block(at, text),
                    Item::Reasoning => thinking(at),
                    Item::Call => tool_use(at),
                });
            }
            message(
                if cut {
                    "max_tokens"
                } else if called {
                    "tool_use"
                } else {
                    "end_turn"
                },
                &parts,
            )
        }
        Surface::Responses => {
            let count = items.len();
            let built: Vec<(String, Vec<String>)> = items
                .iter()
                .enumerate()
                .map(|(at, item)| match item {
                    Item::Text(text) => {
                        let (one, two) = text.split_at(text.len() / 2);
                        let status = if cut && at + 1 == count { "incomplete" } else { "completed" };
                        message_item(at, &format!("msg_{at}"), &[one, two], status)
                    }
                    Item::Reasoning => reasoning_item(at),
                    Item::Call => call_item(at),
                })
                .collect();
            response(&built, if cut { "incomplete" } else { "completed" })
        }
    }
}

fn heal(surface: Surface, promotable: &Promotable, chunks: &[&[u8]]) -> (String, Report) {
    let (mut healer, mut out) = (StreamHealer::new(surface, promotable, Ids::sequential()), Vec::new());
    for chunk in chunks {
        healer.push(chunk, &mut out);
    }
    healer.finish(&mut out);
    (String::from_utf8(out).unwrap(), healer.report())
}

/// What healing broke: laws that the stream of upstream keeps.
fn broken(surface: Surface, raw: &str, out: &str) -> Vec<Violation> {
    let before = check(surface, raw.as_bytes(), &Context::default()).unwrap();
    let mut after = check(surface, out.as_bytes(), &Context::default()).unwrap();
    // Where reasoning stands is upstream's: behind a call that now shows, it leads to nothing.
    after.retain(|violation| !["AN17", "RS21"].contains(&violation.law) && before.iter().all(|own| own.law != violation.law));
    after
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn u53_u60_u61_u62_any_stream_stays_lawful(items in items(), cut in any::<bool>(), one in any::<bool>(), size in 1_usize..300) {
        for surface in Surface::ALL {
            let promotable = if one { one_call(surface) } else { promotable(surface) };
            let raw = stream(surface, &items, cut);
            let (out, report) = heal(surface, &promotable, &[raw.as_bytes()]);
            let chunks: Vec<&[u8]> = raw.as_bytes().chunks(size).collect();
            prop_assert_eq!(&heal(surface, &promotable, &chunks).0, &out);
            prop_assert_eq!(broken(surface, &raw, &out), [], "{}\nbecame\n{}", raw, out);
            if report == Report::default() {
                prop_assert_eq!(&out, &raw);
            }
            let native = items.iter().filter(|item| matches!(item, Item::Call)).count();
            let calls = read_stream(surface, out.as_bytes()).calls().count();
            prop_assert_eq!(calls, if one { (report.calls + native).min(1) } else { report.calls + native });
        }
    }
}
