//! What the reference parsers read in the corpus, by all three surfaces, whole and streamed: the calls are equal, and our own streams break no law.

use std::path::Path;
use std::sync::LazyLock;

use streakstone_model::json::Json;
use streakstone_model::{Call, CallOutcome, Delivery, Event, Finish, Incomplete, Lookup, Parallel, Reply, ToolChoice};
use streakstone_suite::case::Case;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_surfaces::{
    Context, Delivered, DeliveredPart, Frame, Ids, Request, Severity, Surface, Violation, WriteOptions, check, read_stream, read_whole,
    write_stream, write_whole,
};

mod reading;

use reading::events;

/// Longest raw text: the others are about size, not about form.
const MAX_RAW: usize = 4 << 10;

/// One of `every` cases, from the `first`, so that the tests together are quick and see most of the corpus.
fn corpus(first: usize, every: usize) -> impl Iterator<Item = &'static Case> {
    static CORPUS: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        Corpus::load(&folder, Strictness::Own).expect("our own corpus is valid").cases
    });
    let fit = CORPUS.iter().filter(|case| case.raw.len() <= MAX_RAW && matches!(case.dialect, Lookup::Known(_)));
    fit.skip(first).step_by(every)
}

fn stream(surface: Surface, events: &[Event], options: &WriteOptions) -> Vec<u8> {
    Frame::encode_all(&write_stream(surface, events, options, Ids::sequential()))
}

fn whole(surface: Surface, events: &[Event], options: &WriteOptions) -> String {
    write_whole(surface, events, options, Ids::sequential())
}

/// The parts of a reply that a client can read: other calls left out, text merged over them.
fn shown(reply: &Delivered) -> Vec<DeliveredPart> {
    let mut shown: Vec<DeliveredPart> = Vec::new();
    for part in &reply.parts {
        match (shown.last_mut(), part) {
            (_, DeliveredPart::Call(call)) if !call.is_readable() => {}
            (Some(DeliveredPart::Text(last)), DeliveredPart::Text(text))
            | (Some(DeliveredPart::Reasoning(last)), DeliveredPart::Reasoning(text)) => last.push_str(text),
            (_, DeliveredPart::Call(call)) => {
                let mut call = call.clone();
                call.id.clear();
                call.complete = true;
                // White space outside strings is not the arguments'.
                call.arguments = format!("{:?}", Json::parse(&call.arguments));
                shown.push(DeliveredPart::Call(call));
            }
            (_, part) => shown.push(part.clone()),
        }
    }
    shown
}

#[test]
fn all_surfaces_and_both_modes_deliver_what_the_raw_text_means() {
    let (mut calls, options) = (0, WriteOptions::default());
    for (case, delivery) in corpus(0, 2).zip(Delivery::ALL.iter().cycle()) {
        let events = events(case, *delivery);
        let reply = Reply::from_events(&events).expect("a reading");
        let want = Delivered::of_reply(&reply);
        calls += want.calls().count();
        for surface in Surface::ALL {
            let name = format!("{} {delivery} {surface}", case.name);
            let streamed = read_stream(surface, &stream(surface, &events, &options));
            let body = read_whole(surface, &whole(surface, &events, &options)).expect("a body");
            for (own, mode) in [(&streamed, "streamed"), (&body, "whole")] {
                assert_eq!(own.calls_differ(&want), None, "{name} {mode}");
                assert_eq!((own.content(), own.reasoning()), (want.content(), want.reasoning()), "{name} {mode}");
                assert_eq!(own.ending, want.ending, "{name} {mode}");
            }
            // These three show where the text stood.
            assert_eq!(shown(&streamed), shown(&want), "{name} streamed");
            if surface != Surface::Chat {
                assert_eq!(shown(&body), shown(&want), "{name} whole");
            }
        }
    }
    assert!(calls > 500, "{calls}");
}

/// Without what is policy where the model repeats a key: eager delivery repeats it too (semantics 6).
fn clean(mut found: Vec<Violation>) -> Vec<Violation> {
    found.retain(|violation| violation.severity != Severity::Policy || !violation.message.contains("repeat a key"));
    found
}

#[test]
fn what_we_write_breaks_no_law() {
    let mut judged = 0;
    for (case, delivery) in corpus(1, 6).zip(Delivery::ALL.iter().cycle()) {
        let events = events(case, *delivery);
        let reply = Reply::from_events(&events).expect("a reading");
        // An eager call that turned out malformed is out already; the laws say so, and the policy is to send it.
        let truncated = CallOutcome::Incomplete { reason: Incomplete::Truncated };
        let odd = |call: &Call| !call.is_complete() && (call.outcome != truncated || reply.finish != Finish::Length);
        let malformed = reply.calls().any(odd);
        if malformed {
            continue;
        }
        let oracle = Delivered::of_reply(&reply);
        for surface in Surface::ALL {
            let context = Context {
                oracle: Some(oracle.clone()),
                witness: Some(oracle.clone()),
                request: Some(Request {
                    tools: None,
                    choice: ToolChoice::Auto,
                    parallel: case.parallel_tool_calls,
                    include_usage: true,
                    history: std::collections::HashSet::new(),
                }),
                // We sign no thinking.
                declared: vec!["AN17".to_owned()],
                ..Context::default()
            };
            let parallel = if case.parallel_tool_calls { Parallel::All } else { Parallel::First };
            let options = WriteOptions { include_usage: true, parallel, ..WriteOptions::default() };
            let bytes = stream(surface, &events, &options);
            let found = clean(check(surface, &bytes, &context).expect("readable"));
            assert_eq!(found, [], "{} {delivery} {surface}\n{}", case.name, String::from_utf8_lossy(&bytes));
            let body = whole(surface, &events, &options);
            let found = clean(check(surface, body.as_bytes(), &context).expect("readable"));
            assert_eq!(found, [], "{} {delivery} {surface} whole\n{body}", case.name);
            judged += 2;
        }
    }
    assert!(judged > 500, "{judged}");
}

#[test]
fn a_request_for_one_call_gets_the_first_and_an_honest_finish() {
    let options = WriteOptions { parallel: Parallel::First, ..WriteOptions::default() };
    let mut shortened = 0;
    for case in corpus(3, 6) {
        let events = events(case, Delivery::Validated);
        let all = Delivered::of_reply(&Reply::from_events(&events).expect("a reading"));
        shortened += usize::from(all.calls().count() > 1);
        for surface in Surface::ALL {
            let streamed = read_stream(surface, &stream(surface, &events, &options));
            let body = read_whole(surface, &whole(surface, &events, &options)).expect("a body");
            for own in [&streamed, &body] {
                assert_eq!(own.calls().count(), all.calls().count().min(1), "{} {surface}", case.name);
                let first =
                    own.calls().zip(all.calls()).all(|(a, b)| Json::parse(&a.arguments) == Json::parse(&b.arguments) && a.name == b.name);
                assert!(first, "{} {surface} {own:?}", case.name);
                assert_eq!((own.content(), &own.ending), (all.content(), &all.ending), "{} {surface}", case.name);
            }
        }
    }
    assert!(shortened > 30, "{shortened}");
}
