//! Every short text of the corpus through the healer: what is promoted is what the row `auto` reads, its words can be put back, splits change
//! nothing, and healed streams keep the laws of all three surfaces.

use std::path::Path;
use std::sync::LazyLock;

use streakstone_healing::{Promotable, ReasoningText, Step, StreamHealer, TextHealer, heal_body};
use streakstone_model::{Call, End, Event, Finish, Lookup, Parallel, Policies, ReadOptions, Reply, Span, lookup};
use streakstone_parsers::{Parser, ToolSet};
use streakstone_suite::case::Case;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_surfaces::{Context, Frame, Ids, Surface, WriteOptions, check, read_stream, read_whole, write_stream, write_whole};

/// Longest raw text: the others are about size, not about form.
const MAX_RAW: usize = 4 << 10;

/// One of `every` cases with tools, from the `first`, and its text.
fn corpus(first: usize, every: usize) -> impl Iterator<Item = (&'static Case, String)> {
    static CORPUS: LazyLock<Vec<Case>> = LazyLock::new(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        Corpus::load(&folder, Strictness::Own).expect("our own corpus is valid").cases
    });
    let fit = CORPUS.iter().filter(|case| case.raw.len() <= MAX_RAW && case.tools.as_ref().is_some_and(|tools| !tools.is_empty()));
    fit.skip(first).step_by(every).map(|case| (case, String::from_utf8_lossy(&case.raw).into_owned()))
}

fn promotable(case: &Case, parallel: Parallel) -> Promotable {
    let tools = case.tools.as_deref().map(Vec::as_slice).unwrap_or_default();
    Promotable::new(tools).with_policies(Policies { parallel, ..Policies::default() })
}

/// Text with the places of calls, the calls, and the text with the promoted words put back.
fn read(promotable: &Promotable, pieces: &[&str], end: End) -> (String, Vec<Call>, String) {
    let (mut healer, mut steps) = (TextHealer::new(promotable, ReasoningText::Keep), Vec::new());
    for piece in pieces {
        healer.push(piece, &mut steps);
    }
    healer.finish(end, &mut steps);
    let (mut text, mut calls) = (String::new(), Vec::new());
    for step in steps {
        match step {
            Step::Text(more) => text.push_str(&more),
            Step::Call(call) => {
                text.push('\u{1}');
                calls.push(call);
            }
            Step::Cut(_) => {}
            Step::Reasoning(text) => panic!("{text}"),
        }
    }
    let (mut back, mut rest) = (String::new(), text.replace('\u{1}', ""));
    for promoted in healer.promoted() {
        let behind = rest.split_off(promoted.at - back.len());
        back.push_str(&rest);
        back.push_str(&promoted.words);
        rest = behind;
    }
    (text, calls, back + &rest)
}

#[test]
fn u41_u57_what_auto_reads_is_promoted_and_can_be_put_back() {
    let Lookup::Known(auto) = lookup("auto") else { panic!() };
    let mut count = 0;
    for (case, text) in corpus(0, 2).filter(|(_, text)| !text.contains('\u{1}')) {
        let promotable = promotable(case, Parallel::All);
        let whole = read(&promotable, &[&text], case.end);
        let (tools, options) = (ToolSet::new(case.tools.as_deref().map(Vec::as_slice)), ReadOptions::default());
        let (mut parser, mut events) = (Parser::new(auto, &tools, &options), Vec::<Event>::new());
        parser.push_str(&text, &mut events);
        parser.finish(case.end, &mut events);
        let reply = Reply::from_events(&events).expect("a reading");
        assert_eq!(whole.1, reply.calls().cloned().collect::<Vec<_>>(), "{}", case.name);
        assert_eq!(whole.2, text, "{}", case.name);
        count += whole.1.len();
        for size in [1, 5] {
            let letters: Vec<char> = text.chars().collect();
            let chunks: Vec<String> = letters.chunks(size).map(|chunk| chunk.iter().collect()).collect();
            let pieces: Vec<&str> = chunks.iter().map(String::as_str).collect();
            assert_eq!(read(&promotable, &pieces, case.end), whole, "{} by {size}", case.name);
        }
    }
    assert!(count > 700, "{count}");
}

#[test]
fn u60_u61_u62_u63_healed_streams_and_bodies_of_the_corpus_keep_the_laws() {
    let (mut total, span) = (0, Span::new(0, 0));
    for (at, (case, text)) in corpus(1, 6).enumerate() {
        let parallel = if at % 5 == 0 { Parallel::First } else { Parallel::All };
        let promotable = promotable(case, parallel);
        let finish = if case.end == End::Length { Finish::Length } else { Finish::Stop };
        let letters: Vec<char> = text.chars().collect();
        let mut events: Vec<Event> = letters.chunks(4).map(|chunk| Event::Text { text: chunk.iter().collect(), span }).collect();
        events.push(Event::Finish { reason: finish });
        let mut first = None;
        for surface in Surface::ALL {
            let name = format!("{} {surface}", case.name);
            let raw = Frame::encode_all(&write_stream(surface, &events, &WriteOptions::default(), Ids::sequential()));
            let (mut healer, mut out) = (StreamHealer::new(surface, &promotable, Ids::from_source(ids())), Vec::new());
            raw.chunks(101).for_each(|chunk| healer.push(chunk, &mut out));
            healer.finish(&mut out);
            // What the model repeats is sent as it wrote it (semantics 6).
            let lawful = |bytes: &[u8]| {
                let mut found = check(surface, bytes, &Context::default()).expect("readable");
                found.retain(|violation| !violation.message.contains("repeat a key"));
                assert_eq!(found, [], "{name}\n{}", String::from_utf8_lossy(bytes));
            };
            lawful(&out);
            assert!(healer.report().calls > 0 || healer.report().dropped > 0 || out == raw, "{name}");
            let streamed = read_stream(surface, &out);
            let body = write_whole(surface, &events, &WriteOptions::default(), Ids::sequential());
            let body = heal_body(surface, &body, &promotable, Ids::from_source(ids()));
            assert_eq!(body.report, healer.report(), "{name}");
            lawful(body.body.as_bytes());
            let whole = read_whole(surface, &body.body).expect("a body");
            for own in [&whole, &streamed] {
                let (content, ending, want) = first.get_or_insert_with(|| (own.content(), own.ending.clone(), own.clone()));
                assert_eq!(own.calls_differ(want), None, "{name}");
                assert_eq!((&own.content(), &own.ending), (&*content, &*ending), "{name}");
            }
            total += healer.report().calls;
        }
    }
    assert!(total > 700, "{total}");
}

/// Ids that no other writer of these tests makes.
fn ids() -> Box<dyn FnMut(streakstone_surfaces::IdKind) -> String + Send> {
    let mut count = 0;
    Box::new(move |_| {
        count += 1;
        format!("h{count}")
    })
}
