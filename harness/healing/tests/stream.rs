//! Streams on the three surfaces: laws, agreement with the whole body and among surfaces, and the bytes of what is not healed.

mod texts;

use proptest::prelude::*;
use streakstone_healing::{Promotable, Report, StreamHealer, heal_body};
use streakstone_model::{Event, Finish, Span};
use streakstone_surfaces::{
    Context, Delivered, DeliveredPart, Ending, Frame, Ids, Request, Surface, Usage, WriteOptions, check, read_stream, read_whole,
    write_stream, write_whole,
};

use texts::{CASES, Case, one_call, promotable, tools};

/// What a server writes whose parser knows no calls: text, cut into pieces of so many characters.
fn events(text: &str, size: usize, finish: Finish) -> Vec<Event> {
    let letters: Vec<char> = text.chars().collect();
    let span = Span::new(0, 0);
    let mut events: Vec<Event> = letters.chunks(size).map(|chunk| Event::Text { text: chunk.iter().collect(), span }).collect();
    events.push(Event::Finish { reason: finish });
    events
}

fn options() -> WriteOptions {
    WriteOptions { usage: Usage { input: 3, output: 9 }, include_usage: true, tools: tools(Surface::Responses), ..WriteOptions::default() }
}

fn stream(surface: Surface, text: &str, size: usize, finish: Finish) -> Vec<u8> {
    Frame::encode_all(&write_stream(surface, &events(text, size, finish), &options(), Ids::sequential()))
}

/// Ids that no writer of these tests makes.
fn ids() -> Ids {
    let mut count = 0;
    Ids::from_source(Box::new(move |_| {
        count += 1;
        format!("h{count}")
    }))
}

fn heal(surface: Surface, promotable: &Promotable, chunks: &[&[u8]]) -> (Vec<u8>, Report) {
    let (mut healer, mut out) = (StreamHealer::new(surface, promotable, ids()), Vec::new());
    for chunk in chunks {
        healer.push(chunk, &mut out);
    }
    healer.finish(&mut out);
    assert_eq!((healer.held(), healer.waiting()), (0, 0));
    (out, healer.report())
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn context(surface: Surface) -> Context {
    let request = serde_json::json!({"tools": tools(surface), "stream_options": {"include_usage": true}});
    Context { request: Some(Request::read(surface, &request)), ..Context::default() }
}

/// A reply with its ids left out.
fn masked(delivered: Delivered) -> Delivered {
    let parts = delivered.parts.into_iter().map(|part| match part {
        DeliveredPart::Call(call) => DeliveredPart::Call(streakstone_surfaces::DeliveredCall { id: String::new(), ..call }),
        other => other,
    });
    Delivered { parts: parts.collect(), ..delivered }
}

#[test]
fn u60_u61_u62_healed_streams_keep_the_laws_and_say_what_the_case_says() {
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        for Case { name, text, rest, calls } in CASES {
            for size in [1, 7, 1000] {
                let raw = stream(surface, text, size, Finish::Stop);
                let (out, report) = heal(surface, &promotable, &[&raw]);
                let at = format!("{surface} {name} by {size}:\n{}", shown(&out));
                if calls.is_empty() {
                    assert!(out == raw, "{at}");
                }
                assert_eq!(check(surface, &out, &context(surface)).unwrap(), [], "{at}");
                let got = read_stream(surface, &out);
                assert_eq!(got.content(), *rest, "{at}");
                let written: Vec<(&str, &str)> = got.calls().map(|call| (&*call.name, &*call.arguments)).collect();
                assert_eq!(written, *calls, "{at}");
                assert_eq!(report.calls, calls.len());
                let want = if calls.is_empty() { Finish::Stop } else { Finish::ToolCalls };
                assert_eq!(got.ending, Some(Ending::Known(want)), "{at}");
            }
        }
    }
}

#[test]
fn u63_whole_and_streamed_replies_are_equal_and_so_are_the_surfaces() {
    for Case { name, text, .. } in CASES {
        let mut of_first: Option<Delivered> = None;
        for surface in Surface::ALL {
            let promotable = promotable(surface);
            let body = write_whole(surface, &events(text, 5, Finish::Stop), &options(), Ids::sequential());
            let healed = heal_body(surface, &body, &promotable, ids());
            assert_eq!(check(surface, healed.body.as_bytes(), &context(surface)).unwrap(), [], "{surface} {name}: {}", healed.body);
            let whole = masked(read_whole(surface, &healed.body).unwrap());
            let streamed = masked(read_stream(surface, &heal(surface, &promotable, &[&stream(surface, text, 3, Finish::Stop)]).0));
            assert_eq!(
                (whole.content(), whole.calls().collect::<Vec<_>>()),
                (streamed.content(), streamed.calls().collect()),
                "{surface} {name}"
            );
            if surface != Surface::Chat {
                // These show where text stands among calls.
                assert_eq!(whole, streamed, "{surface} {name}");
            }
            let first = of_first.get_or_insert_with(|| streamed.clone());
            assert_eq!(*first, streamed, "{surface} {name}");
        }
    }
}

#[test]
fn u50_a_record_of_prose_goes_out_with_the_bytes_that_complete_it() {
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        let raw = shown(&stream(surface, "Use a < b, and [x](y): no call at all.", 3, Finish::Stop));
        let (mut healer, mut out, mut pushed, mut seen) = (StreamHealer::new(surface, &promotable, ids()), Vec::new(), 0, 0);
        for record in raw.split_inclusive("\n\n") {
            healer.push(record.as_bytes(), &mut out);
            pushed += record.len();
            // `a <` and `[x` may begin a marker; every other delta leaves nothing behind.
            if ["text.delta", "text_delta", "\"content\":\""].iter().any(|kind| record.contains(kind)) && healer.held() == 0 {
                assert_eq!(out.len(), pushed, "{surface}: {record}");
                seen += 1;
            }
        }
        assert!(seen > 8, "{surface}: {seen}");
    }
}

#[test]
fn u56_a_promoted_call_carries_its_arguments_in_one_event() {
    let text = r#"<tool_call>{"name":"f","arguments":{"a":"one two three"}}</tool_call>"#;
    for surface in Surface::ALL {
        let (out, _) = heal(surface, &promotable(surface), &[&stream(surface, text, 2, Finish::Stop)]);
        let out = shown(&out);
        let fragments = match surface {
            Surface::Chat => "\"tool_calls\":[",
            Surface::Responses => "\"type\":\"response.function_call_arguments.delta\"",
            Surface::Anthropic => "\"type\":\"input_json_delta\"",
        };
        assert_eq!(out.matches(fragments).count(), 1, "{surface}: {out}");
    }
}

#[test]
fn healed_bytes_are_the_same_at_every_cut_of_the_connection() {
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        for Case { name, text, .. } in CASES.iter().filter(|case| case.text.len() < 60) {
            let raw = stream(surface, text, 9, Finish::Stop);
            let (whole, _) = heal(surface, &promotable, &[&raw]);
            for cut in (0..raw.len()).step_by(11) {
                assert!(heal(surface, &promotable, &[&raw[..cut], &raw[cut..]]).0 == whole, "{surface} {name} at {cut}");
            }
            let single: Vec<&[u8]> = raw.chunks(1).collect();
            assert!(heal(surface, &promotable, &single).0 == whole, "{surface} {name}");
        }
    }
}

#[test]
fn u42_a_cut_reply_stays_cut_and_its_complete_calls_stay_attached() {
    let text = r#"<tool_call>{"name":"f","arguments":{}}</tool_call> <tool_call>{"name":"g","arguments":{"a":1}"#;
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        let raw = stream(surface, text, 4, Finish::Length);
        let (out, _) = heal(surface, &promotable, &[&raw]);
        assert_eq!(check(surface, &out, &context(surface)).unwrap(), [], "{surface}: {}", shown(&out));
        let streamed = read_stream(surface, &out);
        assert_eq!(streamed.ending, Some(Ending::Known(Finish::Length)), "{surface}");
        assert_eq!(streamed.calls().count(), 1, "{surface}");
        assert_eq!(streamed.content(), r#" <tool_call>{"name":"g","arguments":{"a":1}"#, "{surface}");
        let body = write_whole(surface, &events(text, 4, Finish::Length), &options(), Ids::sequential());
        let whole = read_whole(surface, &heal_body(surface, &body, &promotable, ids()).body).unwrap();
        assert_eq!(
            (whole.ending.clone(), whole.content(), whole.calls().count()),
            (streamed.ending.clone(), streamed.content(), 1),
            "{surface}"
        );
    }
}

#[test]
fn u43_one_call_is_promoted_if_the_request_allows_one() {
    let text = r#"<tool_call>{"name":"f","arguments":{}}</tool_call> and <tool_call>{"name":"g","arguments":{}}</tool_call>."#;
    for surface in Surface::ALL {
        let promotable = one_call(surface);
        let (out, report) = heal(surface, &promotable, &[&stream(surface, text, 4, Finish::Stop)]);
        assert_eq!(check(surface, &out, &context(surface)).unwrap(), [], "{surface}");
        let got = read_stream(surface, &out);
        assert_eq!((got.calls().count(), got.content().as_str(), report), (1, " and .", Report { calls: 1, dropped: 1 }), "{surface}");
    }
}

/// A stream with comments, CRLF, ids, unknown fields and records that are no JSON.
fn odd(surface: Surface, text: &str) -> Vec<u8> {
    let plain = String::from_utf8(stream(surface, text, 3, Finish::Stop)).unwrap();
    let mut out = String::from("\u{feff}: hello\r\n\r\nretry: 10\n\n");
    for (at, record) in plain.split_inclusive("\n\n").enumerate() {
        let record = if at % 2 == 0 { record.replace('\n', "\r\n") } else { record.replacen("data:", ": x\nid: 7\nother: y\ndata:", 1) };
        out.push_str(&record.replacen("{\"", "{\"vendor\" : 1.50e400, \"", 1));
        if at % 3 == 0 {
            out.push_str(": ping\n\n");
        }
    }
    out.push_str("data: cut");
    out.into_bytes()
}

#[test]
fn unhealed_streams_pass_byte_for_byte_false_alarms_included() {
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        for Case { name, text, .. } in CASES.iter().filter(|case| case.calls.is_empty()) {
            let raw = odd(surface, text);
            for size in [1, 2, 13, 100, raw.len()] {
                let chunks: Vec<&[u8]> = raw.chunks(size).collect();
                assert!(heal(surface, &promotable, &chunks).0 == raw, "{surface} {name} by {size}");
            }
        }
        for raw in [
            &b""[..],
            b"\n\n",
            b"data: [DONE]\n\n",
            b"data: not json\n\ndata: {\"choices\":[{\"delta\":{\"content\":\"<tool_call>\"}}]}\n\n",
            b"\xff\xfe\r",
            b"data: 1\r\r",
        ] {
            assert_eq!(heal(surface, &promotable, &[raw]).0, raw, "{surface}");
        }
    }
}

#[test]
fn a_rewritten_record_keeps_its_comments_and_unknown_fields() {
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        let text = r#"Hi <tool_call>{"name":"f","arguments":{}}</tool_call> bye"#;
        let (out, report) = heal(surface, &promotable, &[&odd(surface, text)]);
        assert_eq!(report.calls, 1);
        let out = shown(&out);
        let pings = |text: &str| text.matches(": ping").count() + text.matches(": x\n").count();
        assert_eq!(pings(&out), pings(&shown(&odd(surface, text))), "{surface}");
        assert!(out.matches("1.50e400").count() > 3, "{out}");
        assert_eq!(read_stream(surface, out.as_bytes()).content(), "Hi  bye", "{surface}");
    }
}

#[test]
fn a_stream_that_breaks_off_gives_back_what_is_held() {
    let text = r#"Hi <tool_call>{"name":"f","arguments":{}"#;
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        let raw = stream(surface, text, 4, Finish::Stop);
        // Every place where upstream may die.
        for cut in 0..raw.len() {
            let (out, _) = heal(surface, &promotable, &[&raw[..cut]]);
            if !shown(&out).contains("\"f\"") {
                assert!(out == raw[..cut], "{surface} at {cut}");
            }
        }
        let error = match surface {
            Surface::Chat => "data: {\"error\":{\"message\":\"x\",\"type\":\"server_error\"}}\n\n",
            Surface::Responses => {
                "event: error\ndata: {\"type\":\"error\",\"sequence_number\":99,\"code\":null,\"message\":\"x\",\"param\":null}\n\n"
            }
            Surface::Anthropic => "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"x\"}}\n\n",
        };
        let records: Vec<String> = shown(&raw).split_inclusive("\n\n").map(str::to_owned).collect();
        let last = records
            .iter()
            .rposition(|record| ["text.delta", "text_delta", "\"content\":\""].iter().any(|kind| record.contains(kind)))
            .unwrap();
        let broken = records[..=last].concat() + error;
        assert_eq!(shown(&heal(surface, &promotable, &[broken.as_bytes()]).0), broken, "{surface}");
    }
}

#[test]
fn u1_records_wait_no_longer_than_their_text_is_held() {
    let text = format!("<tool_call>{{\"name\":\"f\",\"arguments\":{{\"a\":\"{}\"}}}}</tool_call> end", "x".repeat(70_000));
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        let raw = stream(surface, &text, 64, Finish::Stop);
        let (mut healer, mut out, mut most) = (StreamHealer::new(surface, &promotable, ids()), Vec::new(), 0);
        for chunk in raw.chunks(1000) {
            healer.push(chunk, &mut out);
            most = most.max(healer.held());
        }
        healer.finish(&mut out);
        assert!(out == raw && most <= streakstone_healing::HOLD + 64, "{surface}: {most}");
    }
}

#[test]
fn a_record_without_an_end_is_passed_on_when_it_is_too_long() {
    let promotable = promotable(Surface::Chat);
    let (mut healer, mut out) = (StreamHealer::new(Surface::Chat, &promotable, ids()), Vec::new());
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..20 {
        healer.push(&piece, &mut out);
        assert!(healer.waiting() <= streakstone_healing::MAX_RECORD + piece.len());
    }
    healer.finish(&mut out);
    assert_eq!(out.len(), 20 << 20);
}

#[test]
fn records_that_wait_are_bounded() {
    let text = r#"<tool_call>{"name":"f","arguments":{"a":"one two"}}</tool_call>"#;
    let padding = format!("data: {{\"pad\":\"{}\",", "x".repeat(1 << 20));
    for surface in Surface::ALL {
        let promotable = promotable(surface);
        let raw = shown(&stream(surface, text, 1, Finish::Stop)).replace("data: {", &padding);
        let (mut healer, mut out) = (StreamHealer::new(surface, &promotable, ids()), Vec::new());
        for record in raw.split_inclusive("\n\n") {
            healer.push(record.as_bytes(), &mut out);
            assert!(healer.waiting() <= streakstone_healing::MAX_WAITING);
        }
        healer.finish(&mut out);
        assert!(out == raw.as_bytes(), "{surface}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_prose_stream_is_lawful_when_healed_and_itself_when_not(
        picks in proptest::collection::vec(0..CASES.len(), 1..4), size in 1_usize..30, cut in 1_usize..400,
    ) {
        let text = picks.iter().map(|at| CASES[*at].text).collect::<Vec<_>>().join(" ");
        let mut first: Option<Delivered> = None;
        for surface in Surface::ALL {
            let promotable = promotable(surface);
            let raw = stream(surface, &text, size, Finish::Stop);
            let chunks: Vec<&[u8]> = raw.chunks(cut).collect();
            let (out, report) = heal(surface, &promotable, &chunks);
            prop_assert_eq!(check(surface, &out, &context(surface)).unwrap(), [], "{}", shown(&out));
            if report.calls == 0 {
                prop_assert!(out == raw);
            }
            let got = masked(read_stream(surface, &out));
            prop_assert_eq!(first.get_or_insert_with(|| got.clone()), &got);
        }
    }
}
