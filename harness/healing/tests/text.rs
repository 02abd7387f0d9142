//! The healer of one text: every case at every split, and the rules of the streamed reply that need no API.

mod texts;

use proptest::prelude::*;
use serde_json::Value;
use streakstone_healing::{HOLD, Promotable, ReasoningText, Step, TextHealer};
use streakstone_model::{Call, End, Policies, Truncated};
use streakstone_surfaces::Surface;

use texts::{BLOCK, CASES, Case, one_call, promotable};

/// What a reading came to: text and calls in order, adjacent text joined.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Reasoning(String),
    Call(Call),
}

fn fold(steps: Vec<Step>) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for step in steps {
        match (step, parts.last_mut()) {
            (Step::Text(text), Some(Part::Text(last))) | (Step::Reasoning(text), Some(Part::Reasoning(last))) => last.push_str(&text),
            (Step::Text(text), _) => parts.push(Part::Text(text)),
            (Step::Reasoning(text), _) => parts.push(Part::Reasoning(text)),
            (Step::Call(call), _) => parts.push(Part::Call(call)),
            (Step::Cut(_), _) => {}
        }
    }
    parts
}

fn read_as(promotable: &Promotable, pieces: &[&str], end: End, reasoning: ReasoningText) -> Vec<Part> {
    let (mut healer, mut steps) = (TextHealer::new(promotable, reasoning), Vec::new());
    for piece in pieces {
        healer.push(piece, &mut steps);
    }
    healer.finish(end, &mut steps);
    assert_eq!(healer.held(), 0);
    let counted: usize = steps
        .iter()
        .map(|step| match step {
            Step::Text(text) | Step::Reasoning(text) => text.len(),
            Step::Cut(len) => *len,
            Step::Call(_) => 0,
        })
        .sum();
    assert_eq!(counted, pieces.iter().map(|piece| piece.len()).sum::<usize>(), "steps tile the text");
    fold(steps)
}

fn read(promotable: &Promotable, pieces: &[&str]) -> Vec<Part> {
    read_as(promotable, pieces, End::Stop, ReasoningText::Keep)
}

/// A healer that says what each delta brings, and how much it holds then.
fn pushing(promotable: &Promotable) -> impl FnMut(&str) -> (Vec<Part>, usize) {
    let mut healer = TextHealer::new(promotable, ReasoningText::Keep);
    move |delta| {
        let mut steps = Vec::new();
        healer.push(delta, &mut steps);
        (fold(steps), healer.held())
    }
}

fn rest(parts: &[Part]) -> String {
    parts.iter().filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None }).collect()
}

fn calls(parts: &[Part]) -> Vec<(&str, &str)> {
    parts.iter().filter_map(|part| if let Part::Call(call) = part { Some((&*call.name, &*call.arguments)) } else { None }).collect()
}

fn characters(text: &str) -> Vec<&str> {
    text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()]).collect()
}

#[test]
fn u20_to_u57_every_case_is_read_so_at_every_split() {
    let promotable = promotable(Surface::Chat);
    for Case { name, text, rest: want, calls: wanted } in CASES {
        let whole = read(&promotable, &[text]);
        assert_eq!(rest(&whole), *want, "{name}");
        assert_eq!(calls(&whole), *wanted, "{name}");
        assert_eq!(read(&promotable, &characters(text)), whole, "{name}, character by character");
        for cut in (0..=text.len()).filter(|cut| text.is_char_boundary(*cut)) {
            assert_eq!(read(&promotable, &[&text[..cut], &text[cut..]]), whole, "{name}, cut at {cut}");
        }
    }
}

#[test]
fn u2_a_text_without_an_opener_is_never_touched() {
    let promotable = promotable(Surface::Chat);
    for text in [
        "Plain prose.",
        "{\"name\":\"f\",\"arguments\":{}}",
        "[{\"name\":\"f\",\"arguments\":{}}]",
        "f(a=1)",
        "</tool_call>\n</think> [/TOOL_CALLS]",
        "\n\n \t",
    ] {
        for end in [End::Stop, End::Length, End::StopString] {
            assert_eq!(read_as(&promotable, &[text], end, ReasoningText::Keep), [Part::Text(text.to_owned())]);
        }
    }
}

#[test]
fn u20_two_families_in_one_text_are_read_in_the_order_of_their_bytes() {
    let promotable = promotable(Surface::Chat);
    let parts = read(&promotable, &["<function=g></function>[TOOL_CALLS]a[ARGS]{}", BLOCK, "<|tool_call>call:b{}<tool_call|>"]);
    assert_eq!(calls(&parts), [("g", "{}"), ("a", "{}"), ("f", "{\"a\":1}"), ("b", "{}")]);
    assert_eq!(rest(&parts), "");
}

#[test]
fn u22_a_cut_is_mended_by_policy_and_never_inside_a_value() {
    let whole = "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":[1,\"x\"]}}</tool_call>";
    let with = |truncated| promotable(Surface::Chat).with_policies(Policies { truncated, ..Policies::default() });
    let (repair, text, drop) = (with(Truncated::Repair), with(Truncated::Text), with(Truncated::Drop));
    for cut in 0..whole.len() {
        let raw = &whole[..cut];
        let mended = read(&repair, &[raw]);
        // Only closers lack: with some of them the body is an object, and no number, word or key goes on.
        let body = raw.strip_prefix("<tool_call>").unwrap_or_default().split("</").next().unwrap();
        let closed =
            ["", "}", "}}", "]}}"].map(|closers| serde_json::from_str::<Value>(&format!("{}{closers}", body.trim_end_matches('<'))));
        let object = closed.into_iter().flatten().find(|value| value["name"] == "f").filter(|_| !body.ends_with('1'));
        match &object {
            Some(object) => {
                let arguments = object.get("arguments").map_or_else(|| "{}".to_owned(), Value::to_string);
                assert_eq!(calls(&mended), [("f", arguments.as_str())], "{raw}");
            }
            None => assert_eq!(rest(&mended), raw),
        }
        // Without repair a call needs its own last brace; its closing marker it does not.
        let own = cut > whole.find("</tool_call>").unwrap() - 1;
        assert_eq!(calls(&read(&text, &[raw])).len(), usize::from(own), "{raw}");
        assert_eq!(calls(&read(&drop, &[raw])).len(), usize::from(own), "{raw}");
    }
    assert_eq!(rest(&read(&drop, &["a ", &whole[..30]])), "a ");
}

#[test]
fn u41_text_keeps_its_place_and_every_byte() {
    let promotable = promotable(Surface::Chat);
    let parts = read(&promotable, &[" a\n\n", BLOCK, " b"]);
    assert_eq!(parts.len(), 3);
    // One newline before a block is the block's own (semantics 3b); nothing is trimmed.
    assert_eq!((&parts[0], &parts[2]), (&Part::Text(" a\n".to_owned()), &Part::Text(" b".to_owned())));
}

#[test]
fn u43_only_the_first_call_is_promoted_if_the_request_allows_one() {
    let promotable = one_call(Surface::Chat);
    let text = format!("{BLOCK} and {BLOCK}");
    let mut healer = TextHealer::new(&promotable, ReasoningText::Keep);
    let mut steps = Vec::new();
    healer.push(&text, &mut steps);
    // A second text of the same reply has the same budget.
    healer.finish(End::Stop, &mut steps);
    healer.push(BLOCK, &mut steps);
    healer.finish(End::Stop, &mut steps);
    assert_eq!((healer.report().calls, healer.report().dropped), (1, 2));
    let parts = fold(steps);
    assert_eq!((calls(&parts).len(), rest(&parts).as_str()), (1, " and "));
}

#[test]
fn u50_u_e16_prose_goes_out_at_once_and_only_a_marker_or_a_block_is_held() {
    let promotable = promotable(Surface::Chat);
    let mut push = pushing(&promotable);
    assert_eq!(push("Hi <tool"), (vec![Part::Text("Hi ".to_owned())], 5));
    let block = "<tool_call>{\"name\":\"f\",\"arg";
    assert_eq!(push("_call>{\"name\":\"f\",\"arg"), (Vec::new(), block.len()));
    let (parts, held) = push("uments\":{\"a\":1}}</tool_call> bye");
    assert_eq!((calls(&parts), rest(&parts).as_str(), held), (vec![("f", "{\"a\":1}")], " bye", 0));
    assert_eq!(push("x <to").0, [Part::Text("x ".to_owned())]);
    assert_eq!(push("ol box").0, [Part::Text("<tool box".to_owned())]);
}

#[test]
fn u51_a_closed_block_that_is_no_call_is_flushed_before_the_end() {
    let promotable = promotable(Surface::Chat);
    let mut healer = TextHealer::new(&promotable, ReasoningText::Keep);
    for block in [
        "<tool_call>broken</tool_call> and",
        "<tool_call>{\"name\":\"zz\",\"arguments\":{}}</tool_call> and",
        "<function=zz></function> and",
    ] {
        let mut steps = Vec::new();
        healer.push(block, &mut steps);
        assert_eq!(fold(steps), [Part::Text(block.to_owned())]);
        assert_eq!(healer.held(), 0);
    }
}

#[test]
fn u52_the_calls_of_a_list_go_out_one_by_one_in_the_order_of_the_text() {
    let promotable = promotable(Surface::Chat);
    let mut push = pushing(&promotable);
    let mut push = |delta: &str| push(delta).0;
    assert_eq!(calls(&push("[TOOL_CALLS][{\"name\":\"a\",\"arguments\":{}}")), [("a", "{}")]);
    let parts = push(", {\"name\":\"zz\",\"arguments\":{}}, {\"name\":\"b\",\"arguments\":{}}");
    assert_eq!((rest(&parts).as_str(), calls(&parts)), (", {\"name\":\"zz\",\"arguments\":{}}", vec![("b", "{}")]));
    assert!(matches!(&parts[..], [Part::Text(_), Part::Call(_)]), "{parts:?}");
    // A word behind a call may be a name before `[ARGS]`, until white space ends it.
    assert_eq!(push("] bye"), []);
    assert_eq!(push(" now"), [Part::Text(" bye now".to_owned())]);
}

#[test]
fn u53_u_e19_a_structured_call_flushes_what_is_held_and_ends_healing() {
    let promotable = promotable(Surface::Chat);
    let (mut healer, mut steps) = (TextHealer::new(&promotable, ReasoningText::Keep), Vec::new());
    healer.push("<tool_call>{\"na", &mut steps);
    assert_eq!((steps.len(), healer.held()), (0, 15));
    healer.sleep(&mut steps);
    healer.push(BLOCK, &mut steps);
    healer.finish(End::Stop, &mut steps);
    assert!(healer.is_asleep());
    assert_eq!(fold(steps), [Part::Text(format!("<tool_call>{{\"na{BLOCK}"))]);
}

#[test]
fn u54_a_missing_closer_is_added_at_a_clean_stop_only() {
    let promotable = promotable(Surface::Chat);
    let text = "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}";
    assert_eq!(calls(&read_as(&promotable, &[text], End::Stop, ReasoningText::Keep)), [("f", "{\"a\":1}")]);
    assert_eq!(read_as(&promotable, &[text], End::Length, ReasoningText::Keep), [Part::Text(text.to_owned())]);
    let strict = promotable.with_policies(Policies { truncated: Truncated::Text, ..Policies::default() });
    assert_eq!(read(&strict, &[text]), [Part::Text(text.to_owned())]);
}

#[test]
fn u55_u_e20_a_block_over_the_bound_is_text_and_healing_goes_on_behind_it() {
    let promotable = promotable(Surface::Chat);
    let head = "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"";
    let of = |len: usize| format!("{head}{}\"}}}}</tool_call>", "x".repeat(len - head.len() - 3));
    let (fits, over) = (of(HOLD), of(HOLD + 1));
    assert_eq!(calls(&read(&promotable, &[&fits])).len(), 1);
    let text = format!("{over} {BLOCK}");
    let parts = read(&promotable, &[&text]);
    assert_eq!(parts[0], Part::Text(format!("{over} ")));
    assert_eq!(calls(&parts), [("f", "{\"a\":1}")]);
    let pieces: Vec<&str> = text.as_bytes().chunks(997).map(|chunk| std::str::from_utf8(chunk).unwrap()).collect();
    assert_eq!(read(&promotable, &pieces), parts);
}

#[test]
fn u1_no_text_makes_more_than_the_bound_be_held() {
    let promotable = promotable(Surface::Chat);
    let hostile = [
        format!("<tool_call>{}", " ".repeat(3 * HOLD)),
        format!("<tool_call>{{\"name\":\"f\",\"arguments\":{{\"a\":\"{}", "x".repeat(3 * HOLD)),
        format!("[TOOL_CALLS]{}", "[".repeat(3 * HOLD)),
        format!("[TOOL_CALLS]f{}", " ".repeat(3 * HOLD)),
        format!("<function=f><parameter=a>{}", "</function>\n".repeat(HOLD / 4)),
        format!("<|tool_call>call:f{{a:{}", "[".repeat(3 * HOLD)),
        format!("<|channel|>commentary to=functions.f<|message|>{}", " ".repeat(3 * HOLD)),
        format!("<think>{}", "\n".repeat(3 * HOLD)),
        format!("{}{BLOCK}", "\n".repeat(3 * HOLD)),
        format!("{BLOCK}{}", "\n".repeat(3 * HOLD)),
        format!("<|tool_call_start|>[{}", "f(), ".repeat(HOLD)),
    ];
    for text in hostile {
        let (mut healer, mut steps, mut most) = (TextHealer::new(&promotable, ReasoningText::Keep), Vec::new(), 0);
        for chunk in text.as_bytes().chunks(61) {
            healer.push(std::str::from_utf8(chunk).unwrap(), &mut steps);
            most = most.max(healer.held());
        }
        assert!(most <= HOLD + 512, "{most} held of {}", &text[..40]);
    }
}

#[test]
fn u57_a_promoted_calls_own_words_can_be_given_back() {
    let promotable = promotable(Surface::Chat);
    let text = format!("a\n{BLOCK} b [TOOL_CALLS][{{\"name\":\"f\",\"arguments\":{{}}}}, {{\"name\":\"g\",\"arguments\":{{}}}}]!");
    for pieces in [vec![text.as_str()], characters(&text)] {
        let (mut healer, mut steps) = (TextHealer::new(&promotable, ReasoningText::Keep), Vec::new());
        for piece in pieces {
            healer.push(piece, &mut steps);
        }
        healer.finish(End::Stop, &mut steps);
        assert_eq!(healer.promoted().len(), 3);
        for promoted in healer.promoted() {
            assert_eq!(text[promoted.at..promoted.at + promoted.words.len()], promoted.words);
        }
        assert_eq!(healer.promoted().iter().map(|promoted| promoted.call).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(healer.promoted()[0].words, format!("\n{BLOCK}"));
        assert_eq!(healer.promoted()[2].words, ", {\"name\":\"g\",\"arguments\":{}}]");
    }
}

#[test]
fn u21_reasoning_that_the_prompt_opened_is_never_promoted() {
    let open = promotable(Surface::Chat).with_open_reasoning();
    let text = format!("I could <think> {}</think>{BLOCK}", "not");
    let parts = read(&open, &[&text]);
    assert_eq!((rest(&parts).as_str(), calls(&parts).len()), ("I could <think> not</think>", 1));
}

#[test]
fn u61_reasoning_can_be_split_off() {
    let promotable = promotable(Surface::Responses);
    let text = format!("<think>\nhm\n</think>\n\nSo:{BLOCK}<|im_end|>");
    for pieces in [vec![text.as_str()], characters(&text)] {
        let parts = read_as(&promotable, &pieces, End::Stop, ReasoningText::Split);
        assert_eq!(parts[..2], [Part::Reasoning("hm".to_owned()), Part::Text("So:".to_owned())]);
        assert_eq!((parts.len(), calls(&parts).len()), (3, 1));
    }
}

#[test]
fn the_models_id_is_kept_and_none_is_made_up_for_two_calls() {
    let promotable = promotable(Surface::Chat);
    let parts = read(&promotable, &["[TOOL_CALLS]f[CALL_ID]abc123[ARGS]{} and ", BLOCK]);
    let ids: Vec<(bool, &str)> =
        parts.iter().filter_map(|part| if let Part::Call(call) = part { Some((call.id.minted, &*call.id.value)) } else { None }).collect();
    assert_eq!(ids[0], (false, "abc123"));
    assert!(ids[1].0 && ids[1].1 != "abc123");
}

/// Work grows with the text, not with its square, however it is cut.
#[test]
fn work_is_linear_on_hostile_texts() {
    let promotable = promotable(Surface::Chat);
    let units = [
        "<tool_call>",
        "<function=f>",
        "[TOOL_CALLS][",
        "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":\"",
        "<think>",
        "<|tool_call>call:f{a:",
        "<",
        "\n",
        BLOCK,
    ];
    for unit in units {
        let work = |size: usize| {
            let text = unit.repeat(size / unit.len() + 1);
            let (mut healer, mut steps) = (TextHealer::new(&promotable, ReasoningText::Keep), Vec::new());
            for chunk in characters(&text).chunks(7) {
                healer.push(&chunk.concat(), &mut steps);
                steps.clear();
            }
            healer.finish(End::Stop, &mut steps);
            healer.work()
        };
        let (small, large) = (work(1 << 14), work(1 << 17));
        // Eight times the text: at most 8 to the power of 1.1 times the work.
        assert!(large * 100 <= small * 985, "{unit:?}: {small}, then {large}");
    }
}

fn fragment() -> impl Strategy<Value = String> {
    let known = CASES.iter().map(|case| case.text.to_owned()).collect::<Vec<_>>();
    let words = [
        "<tool_call>",
        "</tool_call>",
        "<think>",
        "</think>",
        "{\"name\":\"f\",",
        "\"arguments\":{}}",
        "[TOOL_CALLS]",
        "[",
        ",",
        "]",
        "<function=f>",
        "</function>",
        " ",
        "\n",
        "é",
        "x",
    ];
    prop_oneof![
        2 => proptest::sample::select(known),
        5 => proptest::sample::select(words.map(str::to_owned).to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_the_same_at_any_split(parts in proptest::collection::vec(fragment(), 1..10), seed in 1_usize..40) {
        let promotable = promotable(Surface::Chat);
        let text = parts.concat();
        let whole = read(&promotable, &[&text]);
        let every = characters(&text);
        let chunks: Vec<String> = every.chunks(seed).map(<[&str]>::concat).collect();
        let pieces: Vec<&str> = chunks.iter().map(String::as_str).collect();
        prop_assert_eq!(read(&promotable, &pieces), whole);
    }
}
