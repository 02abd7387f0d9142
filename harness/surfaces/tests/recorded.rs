//! Recorded responses: what decides whether a body is a stream, and what an error status and a lost transfer are judged by.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use streakstone_model::{CallOutcome, Event, Finish, Span};
use streakstone_surfaces::transcript::{Chunk, Header, Transcript};
use streakstone_surfaces::{
    Content, Context, Frame, Ids, Input, Judgement, Recorded, Surface, WriteOptions, check_input, judge_input, planted, write_whole,
};

const SSE: &str = "text/event-stream; charset=utf-8";
const JSON: &str = "application/json";

fn transcript(surface: Surface, header: &Value, outcome: &str, bytes: &[u8]) -> Transcript {
    let mut header = header.clone();
    header["surface"] = json!(surface);
    let header: Header = serde_json::from_value(header).expect("a header");
    let chunks = (1..).zip(bytes.chunks(300)).map(|(time, bytes)| Chunk { t_us: time * 1000, bytes: bytes.to_vec() }).collect();
    Transcript { header, chunks, outcome: outcome.to_owned() }
}

fn input(surface: Surface, header: &Value, outcome: &str, bytes: &[u8]) -> Input {
    Input::read(transcript(surface, header, outcome, bytes).write().as_bytes()).expect("readable")
}

fn typed(kind: &str) -> Value {
    json!({"headers": {"Content-Type": kind}})
}

/// The laws that are broken, with all that can be known.
fn broken(surface: Surface, input: &Input) -> BTreeSet<&'static str> {
    check_input(surface, input, &planted::full_context(surface)).into_iter().map(|violation| violation.law).collect()
}

fn content(input: &Input) -> &Content {
    let Input::Recorded(recorded) = input else { panic!("{input:?}") };
    &recorded.content
}

fn body(surface: Surface) -> String {
    let span = Span::new(0, 0);
    let call = |index, name: &str, id: &str, arguments: &str| {
        [
            Event::CallBegin { index, name: name.to_owned(), id: id.to_owned(), minted: false },
            Event::Arguments { index, fragment: arguments.to_owned() },
            Event::CallEnd { index, outcome: CallOutcome::Complete },
        ]
    };
    let text = |text: &str| Event::Text { text: text.to_owned(), span };
    let events = [
        vec![Event::Reasoning { text: "Weather first, then the time.".to_owned(), span }, text("Let me look. ")],
        call(0, "get_weather", "abc123XYZ", "{\"city\":\"Paris\"}").to_vec(),
        vec![text(" And the time:")],
        call(1, "get_time", "call_2", "{\"tz\":\"UTC\"}").to_vec(),
        vec![Event::Finish { reason: Finish::ToolCalls }],
    ]
    .concat();
    let tools = json!([{"type": "function", "name": "get_weather"}, {"type": "function", "name": "get_time"}]);
    let options = WriteOptions { signature: Some("c2ln".to_owned()), tools, ..WriteOptions::default() };
    write_whole(surface, &events, &options, Ids::sequential())
}

#[test]
fn a_whole_body_is_judged_as_one() {
    for surface in Surface::ALL {
        let body = body(surface);
        for header in [typed(JSON), typed("Application/JSON; charset=utf-8"), json!({"request": {"stream": false}}), json!({})] {
            let input = input(surface, &header, "complete", body.as_bytes());
            assert!(matches!(content(&input), Content::Body(_)), "{surface} {header}");
            assert_eq!(broken(surface, &input), BTreeSet::new(), "{surface} {header}");
        }
        let wrong = input(surface, &typed(JSON), "complete", body.replace("Paris", "Rome").as_bytes());
        let law = ["CC20", "RS24", "AN21"][surface as usize];
        assert!(broken(surface, &wrong).contains(law), "{surface}: {:?}", broken(surface, &wrong));
        let asked = json!({"headers": {"content-type": JSON}, "request": {"stream": true}});
        assert_eq!(input_told(surface, &asked, "complete", body.as_bytes()), ["the request asks for a stream, and a whole body came"]);
    }
}

fn input_told(surface: Surface, header: &Value, outcome: &str, bytes: &[u8]) -> Vec<String> {
    input(surface, header, outcome, bytes).told(surface)
}

#[test]
fn a_stream_is_judged_as_one_whatever_says_so() {
    for surface in Surface::ALL {
        let bytes = Frame::encode_all(&planted::good_stream(surface));
        for header in [typed(SSE), typed("text/plain"), json!({"request": {"stream": true}}), json!({})] {
            let input = input(surface, &header, "complete", &bytes);
            assert!(matches!(content(&input), Content::Stream(_)), "{surface} {header}");
            let want = if header == typed("text/plain") && surface == Surface::Chat { BTreeSet::from(["CC23"]) } else { BTreeSet::new() };
            assert_eq!(broken(surface, &input), want, "{surface} {header}");
        }
        // A stream that is called a body is still one, and the law of the content type says so.
        let input = input(surface, &typed(JSON), "complete", &bytes);
        assert!(matches!(content(&input), Content::Stream(_)));
        assert_eq!(broken(surface, &input).contains("CC23"), surface == Surface::Chat);
    }
}

#[test]
fn a_lost_transfer_breaks_the_laws_of_the_end_and_no_other() {
    for surface in Surface::ALL {
        let bytes = Frame::encode_all(&planted::good_stream(surface));
        let speaks: &[&str] = match surface {
            Surface::Chat => &["CC01", "CC15", "CC23"],
            Surface::Responses => &["RS01", "RS05"],
            Surface::Anthropic => &["AN01", "AN13", "AN15"],
        };
        let (mut seen, mut whole) = (BTreeSet::new(), 0);
        for end in (0..bytes.len()).filter(|end| end % 97 == 0 || bytes[..*end].ends_with(b"\n\n")) {
            let outcome = ["cut", "reset", "timed-out"][end % 3];
            let input = input(surface, &typed(SSE), outcome, &bytes[..end]);
            let found = check_input(surface, &input, &planted::full_context(surface));
            let laws: BTreeSet<&str> = found.iter().map(|violation| violation.law).collect();
            assert!(laws.iter().all(|law| speaks.contains(law)), "{surface} cut at {end}: {found:#?}");
            let told = input.told(surface);
            assert_eq!(told, [format!("the transfer was recorded as {outcome:?}, not as complete")], "{surface} {end}");
            let oracle = judge_input(surface, &input, &planted::full_context(surface))
                .into_iter()
                .find(|(law, _)| law.name == "same-reply" || law.name == "same-calls");
            if laws.iter().any(|law| ["CC15", "RS05", "AN15"].contains(law)) && matches!(oracle, Some((_, Judgement::Unsupported(_)))) {
                let says =
                    found.iter().any(|violation| violation.message.ends_with(&format!("; the transfer was recorded as {outcome:?}")));
                assert!(says, "{surface} {end}: {found:#?}");
                seen.extend(laws);
            } else {
                // The reply's own end had come; only what stands behind it can lack.
                whole += 1;
            }
        }
        // The same bytes in a transfer that came to its end are the server's fault.
        let half = input(surface, &typed(SSE), "complete", &bytes[..bytes.len() / 2]);
        assert!(broken(surface, &half).iter().any(|law| !speaks.contains(law)), "{surface}");
        assert_eq!(seen, speaks.iter().copied().collect(), "{surface}");
        assert!(whole > 0, "{surface}");
    }
}

#[test]
fn a_body_that_is_cut_breaks_the_law_of_json_alone() {
    for (surface, law) in Surface::ALL.into_iter().zip(["CC01", "RS01", "AN01"]) {
        let body = body(surface);
        let input = input(surface, &typed(JSON), "reset", &body.as_bytes()[..body.len() - 9]);
        let found = check_input(surface, &input, &planted::full_context(surface));
        let [one] = &found[..] else { panic!("{found:#?}") };
        assert_eq!(one.law, law);
        assert!(one.message.starts_with("the body is no JSON object: EOF") && one.message.ends_with("recorded as \"reset\""), "{one:?}");
        let whole = self::input(surface, &typed(JSON), "reset", body.as_bytes());
        assert_eq!(broken(surface, &whole), BTreeSet::new(), "all of it is there");
    }
}

#[test]
fn an_error_status_is_told_and_judged_by_the_law_of_errors_alone() {
    let header = |status: u16, kind: &str| json!({"status": status, "headers": {"content-type": kind}});
    for (surface, law) in Surface::ALL.into_iter().zip(["CC01", "RS05", "AN24"]) {
        let right = match surface {
            Surface::Anthropic => json!({"type": "error", "error": {"type": "overloaded_error", "message": "<tool_call> busy"}}),
            _ => json!({"error": {"message": "<tool_call> busy", "type": "server_error", "param": null, "code": null}}),
        };
        let fine = input(surface, &header(503, JSON), "complete", right.to_string().as_bytes());
        assert_eq!(broken(surface, &fine), BTreeSet::new(), "{surface}");
        let told = "HTTP status 503, an error instead of a reply: \"<tool_call> busy\"; only the law of errors is judged";
        assert_eq!(fine.told(surface), [told]);
        let judged = judge_input(surface, &fine, &planted::full_context(surface));
        let judged: Vec<&str> = judged.iter().filter(|(_, j)| !matches!(j, Judgement::Unsupported(_))).map(|(law, _)| law.id).collect();
        assert_eq!(judged, [law]);
        let page = "<html>502 Bad Gateway</html>".as_bytes().to_vec();
        let bare = b"{\"error\":\"no\"}".to_vec();
        let stream = Frame::encode_all(&planted::good_stream(surface));
        for (status, kind, bytes) in
            [(502, "text/html", page), (400, JSON, bare), (500, SSE, stream), (500, JSON, body(surface).into_bytes())]
        {
            let wrong = input(surface, &header(status, kind), "complete", &bytes);
            let found = check_input(surface, &wrong, &planted::full_context(surface));
            let [one] = &found[..] else { panic!("{found:#?}") };
            let begins = format!("the HTTP status is {status}, and the body is no error object: ");
            assert!(one.law == law && one.message.starts_with(&begins), "{one:?}");
        }
    }
}

#[test]
fn an_error_body_without_a_status_is_no_reply_that_lacks_everything() {
    for (surface, text) in [
        (Surface::Chat, r#"{"error":{"message":"no","type":"x"}}"#),
        (Surface::Responses, r#"{"error":{"message":"no","type":"x"}}"#),
        (Surface::Anthropic, r#"{"type":"error","error":{"type":"x","message":"no"}}"#),
    ] {
        let input = Input::read(text.as_bytes()).expect("a body");
        assert_eq!(check_input(surface, &input, &Context::default()), [], "{surface}");
        assert_eq!(input.told(surface), ["it ends with an error of the server: \"no\""], "{surface}");
    }
    let wrong = Input::read(br#"{"type":"error","error":{"type":"x"}}"#).expect("a body");
    assert_eq!(check_input(Surface::Anthropic, &wrong, &Context::default())[0].law, "AN24");
}

#[test]
fn a_compressed_body_is_refused() {
    let gzip = transcript(Surface::Chat, &typed(SSE), "complete", b"\x1f\x8b\x08\x00\x00");
    assert!(Recorded::of(gzip).unwrap_err().to_string().contains("compressed (gzip)"));
}

#[test]
fn without_knowing_anything_a_lost_transfer_is_judged_too() {
    let bytes = Frame::encode_all(&planted::good_stream(Surface::Chat));
    let input = input(Surface::Chat, &typed(SSE), "cut", &bytes[..bytes.len() / 2]);
    assert!(check_input(Surface::Chat, &input, &Context::default()).iter().any(|violation| violation.law == "CC15"));
}
