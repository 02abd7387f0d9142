//! The reference subject hands over what the judge needs: events, one mark and one held figure a chunk, both deliveries.

use streakstone_model::{Delivery, End, Event, Lookup, ReadOptions, Reply, dialects, lookup};
use streakstone_subjects::{by_name, subjects};
use streakstone_suite::subject::{Ask, Chunking, Outcome, Reading};

const RAW: &str = r#"Sure.<tool_call>{"name":"f","arguments":{"n":12}}</tool_call>"#;

fn read(delivery: Delivery, chunking: &Chunking) -> Reading {
    let Lookup::Known(dialect) = lookup("hermes") else { panic!("no row") };
    let mut options = ReadOptions::default();
    options.policies.delivery = delivery;
    let ask = Ask { dialect, tools: None, options: &options, end: End::Stop };
    let mut readings = Vec::new();
    by_name("reference").unwrap().read(&ask, RAW.as_bytes(), std::slice::from_ref(chunking), &mut |place, outcome| match outcome {
        Outcome::Reading(reading) => readings.push((place, reading)),
        other => panic!("{other:?}"),
    });
    assert_eq!((readings.len(), readings[0].0), (1, 0));
    readings.remove(0).1
}

#[test]
fn every_chunk_has_a_mark_and_a_held_figure() {
    let reading = read(Delivery::Validated, &Chunking { cuts: vec![0, 10, 10, 40], ..Chunking::default() });
    assert_eq!((reading.marks.len(), reading.held.len()), (5, 5));
    assert!(reading.marks.is_sorted() && *reading.marks.last().unwrap() <= reading.events.len());
    assert!(reading.held[3].unit_open && reading.held[3].bytes > 0);
}

#[test]
fn eager_sends_the_name_before_the_call_ends_and_validated_does_not() {
    let cut = RAW.find("12").unwrap();
    let begun = |delivery| {
        let reading = read(delivery, &Chunking { cuts: vec![cut], ..Chunking::default() });
        reading.events[..reading.marks[0]].iter().any(|e| matches!(e, Event::CallBegin { .. }))
    };
    assert_eq!((begun(Delivery::Validated), begun(Delivery::Eager)), (false, true));
}

#[test]
fn a_second_reply_on_the_same_instance_is_the_one_handed_over() {
    let once = read(Delivery::Validated, &Chunking::default());
    let again = read(Delivery::Validated, &Chunking { reuse: true, ..Chunking::default() });
    assert_eq!(Reply::from_events(&once.events).unwrap().content(), "Sure.");
    assert_eq!(again.events.len(), once.events.len());
    assert_eq!(Reply::from_events(&again.events).unwrap().spans, Reply::from_events(&once.events).unwrap().spans);
}

#[test]
fn the_reference_reads_every_row_and_comes_first() {
    let all = subjects();
    assert_eq!(all[0].name(), "reference");
    assert!(all[0].planted().is_none() && all[1..].iter().all(|s| s.planted().is_some()));
    assert!(dialects().all(|row| all[0].supports(row)));
    assert!(by_name("no-such-subject").is_none());
}

#[test]
fn where_markers_are_special_tokens_the_reply_is_the_same() {
    let Lookup::Known(dialect) = lookup("harmony") else { panic!("no row") };
    let raw = b"<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>commentary to=functions.f<|message|>{\"a\": \"<|call|>\"}<|call|>";
    let options = ReadOptions::default();
    let ask = Ask { dialect, tools: None, options: &options, end: End::Stop };
    let chunkings: Vec<Chunking> =
        [vec![], vec![3, 20, 31, 60], (1..raw.len()).collect()].map(|cuts| Chunking { cuts, special: true, ..Chunking::default() }).into();
    let mut replies = Vec::new();
    let mut each = |_, outcome| match outcome {
        Outcome::Reading(reading) => replies.push((Reply::from_events(&reading.events).unwrap(), reading.marks.len(), reading.held.len())),
        other => panic!("{other:?}"),
    };
    let reference = by_name("reference").unwrap();
    reference.read(&ask, raw, &chunkings, &mut each);
    reference.read(&ask, raw, &[Chunking::default()], &mut each);
    let text = replies.pop().unwrap().0;
    assert_eq!((text.reasoning().as_str(), text.calls().count()), ("A", 1));
    for ((reply, marks, held), chunking) in replies.iter().zip(&chunkings) {
        assert_eq!((reply, *marks, *held), (&text, chunking.cuts.len() + 1, chunking.cuts.len() + 1));
    }
}
