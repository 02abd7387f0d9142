//! Cost of reading, checking and writing over size, by thread CPU time: the exponent of each must stay below that of the house (1.25 by
//! time). A bench and no test: time is measured where a machine is quiet.
//!
//! `cargo bench -p streakstone-surfaces` prints a line each and fails if an exponent is over the limit; `-- 'chat, ends'` measures what has that
//! in its name.

use std::process::ExitCode;
use std::time::Duration;

use streakstone_measure::clock;
use streakstone_measure::fit::fit;
use streakstone_model::{CallOutcome, Event, Finish, Span};
use streakstone_surfaces::planted::{Base, full_context};
use streakstone_surfaces::{Context, Delivered, Frame, Ids, Reader, Surface, WriteOptions, check, write_stream};

/// Bytes of the stream, about.
const SIZES: [usize; 5] = [256 << 10, 512 << 10, 1 << 20, 2 << 20, 4 << 20];
/// Runs of which the best counts: a neighbour's burst must not fall on all of them.
const RUNS: usize = 3;
/// The house's limit for the exponent by time.
const LIMIT: f64 = 1.25;

/// What the stream is made of.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// One call whose arguments come in small fragments.
    OneCall,
    /// Many calls.
    Calls,
    /// Text in small deltas.
    Text,
    /// One delta.
    OneDelta,
    /// One call whose arguments come byte by byte.
    Bytes,
}

/// Bytes that nobody should send, as many as asked for.
type Hostile = fn(Surface, usize) -> Vec<u8>;

#[rustfmt::skip]
const HOSTILE: &[(&str, Hostile)] = &[
    ("one line without end", |_, size| format!("data: {}", "x".repeat(size)).into_bytes()),
    ("comments", |_, size| ":\n".repeat(size / 2).into_bytes()),
    ("carriage returns", |_, size| "\r".repeat(size).into_bytes()),
    ("fields without a meaning", |_, size| "x\n".repeat(size / 2).into_bytes()),
    ("empty data lines in one event", |_, size| format!("{}\n", "data:\n".repeat(size / 6)).into_bytes()),
    ("empty events", |_, size| "data:\n\n".repeat(size / 7).into_bytes()),
    ("open brackets", |_, size| format!("data: {}\n\n", "[".repeat(size)).into_bytes()),
    ("deep objects", |_, size| format!("data: {}1{}\n\n", "{\"a\":".repeat(size / 6), "}".repeat(size / 6)).into_bytes()),
    ("calls that never end", |surface, size| repeated(size, |at| begun(surface, at))),
    ("calls on one index", |surface, size| repeated(size, |_| begun(surface, 0))),
    ("fragments for the first of many calls", |surface, size| {
        [repeated(size / 2, |at| begun(surface, at)), repeated(size / 2, |_| fragment(surface, 0))].concat()
    }),
    ("fragments of calls that never began", |surface, size| repeated(size, |at| fragment(surface, at))),
    ("ends", |surface, size| repeated(size, |_| ended(surface).to_owned())),
    ("calls after an end", |surface, size| [ended(surface).as_bytes(), &repeated(size, |at| begun(surface, at))].concat()),
    ("calls after a cut", |surface, size| [&repeated(size, |at| begun(surface, at)), ended(surface).as_bytes()].concat()),
];

/// Events, numbered, up to a size.
fn repeated(size: usize, event: impl Fn(usize) -> String) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while bytes.len() < size {
        bytes.extend_from_slice(event(at).as_bytes());
        at += 1;
    }
    bytes
}

/// The event that begins a call.
fn begun(surface: Surface, at: usize) -> String {
    match surface {
        Surface::Chat => format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{{\"index\":{at},\"id\":\"i{at}\",\"type\":\"function\",\"function\":{{\"name\":\"f\"}}}}]}}}}]}}\n\n"
        ),
        Surface::Responses => format!(
            "data: {{\"type\":\"response.output_item.added\",\"output_index\":{at},\"item\":{{\"type\":\"function_call\",\"id\":\"fc_{at}\",\"call_id\":\"i{at}\"}}}}\n\n"
        ),
        Surface::Anthropic => format!(
            "data: {{\"type\":\"content_block_start\",\"index\":{at},\"content_block\":{{\"type\":\"tool_use\",\"id\":\"i{at}\",\"name\":\"f\",\"input\":{{}}}}}}\n\n"
        ),
    }
}

/// An event with arguments.
fn fragment(surface: Surface, at: usize) -> String {
    match surface {
        Surface::Chat => format!(
            "data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"tool_calls\":[{{\"index\":{at},\"function\":{{\"arguments\":\"{{\"}}}}]}}}}]}}\n\n"
        ),
        Surface::Responses => {
            format!("data: {{\"type\":\"response.function_call_arguments.delta\",\"output_index\":{at},\"delta\":\"{{\"}}\n\n")
        }
        Surface::Anthropic => format!(
            "data: {{\"type\":\"content_block_delta\",\"index\":{at},\"delta\":{{\"type\":\"input_json_delta\",\"partial_json\":\"{{\"}}}}\n\n"
        ),
    }
}

/// The event that ends a reply which the limit cut.
const fn ended(surface: Surface) -> &'static str {
    match surface {
        Surface::Chat => "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n",
        Surface::Responses => "data: {\"type\":\"response.incomplete\",\"response\":{\"status\":\"incomplete\",\"output\":[]}}\n\n",
        Surface::Anthropic => "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"}}\n\n",
    }
}

fn events(shape: Shape, size: usize) -> Vec<Event> {
    let span = Span::new(0, 0);
    let mut events = Vec::new();
    let call = |events: &mut Vec<Event>, index: usize, fragments: usize| {
        events.push(Event::CallBegin { index, name: "f".to_owned(), id: format!("id_{index}"), minted: false });
        let fragment = |text: &str| Event::Arguments { index, fragment: text.to_owned() };
        events.push(fragment("{\"a\":\""));
        events.extend((0..fragments).map(|_| fragment("abcdefgh")));
        events.push(fragment("\"}"));
        events.push(Event::CallEnd { index, outcome: CallOutcome::Complete });
    };
    match shape {
        Shape::OneCall => call(&mut events, 0, size / 200),
        Shape::Calls => (0..size / 1500).for_each(|index| call(&mut events, index, 2)),
        Shape::Text => events.extend((0..size / 200).map(|_| Event::Text { text: "abcdefgh".to_owned(), span })),
        Shape::Bytes => {
            events.push(Event::CallBegin { index: 0, name: "f".to_owned(), id: "id".to_owned(), minted: false });
            events.extend((0..size / 200).map(|_| Event::Arguments { index: 0, fragment: "{".to_owned() }));
            events.push(Event::CallEnd { index: 0, outcome: CallOutcome::Complete });
        }
        Shape::OneDelta => events.push(Event::Text { text: "x".repeat(size), span }),
    }
    events.push(Event::Finish { reason: Finish::Stop });
    events
}

/// The exponent of `work` over the sizes of the streams.
fn measure(name: &str, inputs: &[(usize, Vec<u8>)], work: impl Fn(&[u8])) -> bool {
    // The sizes take turns, so that a busy spell of the machine falls on all of them.
    let mut best = vec![Duration::MAX; inputs.len()];
    for _ in 0..RUNS {
        for (best, (_, bytes)) in best.iter_mut().zip(inputs) {
            *best = (*best).min(clock::time(|| work(bytes)).0);
        }
    }
    let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    let points: Vec<(usize, u64)> = inputs.iter().zip(best).map(|((size, _), time)| (*size, nanos(time))).collect();
    let Some(fit) = fit(points.iter().copied()) else { return false };
    let (size, cost) = points[points.len() - 1];
    let line =
        format!("{name:<64} exponent {:.2}  {size:>8} bytes in {:>7.1} ms", fit.exponent, Duration::from_nanos(cost).as_secs_f64() * 1e3);
    show(&line);
    fit.exponent <= LIMIT
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn show(line: &str) {
    println!("{line}");
}

/// Reading at once and byte by byte, and checking, over these inputs.
fn measure_all(surface: Surface, what: &str, make: impl Fn(usize) -> Vec<u8>) -> bool {
    let inputs: Vec<(usize, Vec<u8>)> = SIZES.iter().map(|size| make(*size)).map(|bytes| (bytes.len(), bytes)).collect();
    let name = |how: &str| format!("{surface}, {what}: {how}");
    let read = |bytes: &[u8], chunk: usize| {
        let (mut reader, mut steps) = (Reader::new(surface), Vec::new());
        bytes.chunks(chunk).for_each(|chunk| reader.push(chunk, &mut steps));
        reader.finish(&mut steps);
        std::hint::black_box(Delivered::from_steps(&steps));
    };
    let oracle = Some(Base::Calls.meaning(surface));
    let knowing = Context { oracle, ..full_context(surface) };
    let whole = measure(&name("read whole"), &inputs, |bytes| read(bytes, usize::MAX));
    let bytes = measure(&name("read by byte"), &inputs, |bytes| read(bytes, 1));
    let checked = measure(&name("check"), &inputs, |bytes| {
        // What is no stream at all is refused, and that too in linear time.
        let _ = std::hint::black_box(check(surface, bytes, &knowing));
    });
    whole && bytes && checked
}

fn main() -> ExitCode {
    // Cargo adds `--bench`; a word measures only what has it in its name.
    let only = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let mut linear = true;
    for surface in Surface::ALL {
        let asked = |what: &str| only.as_ref().is_none_or(|only| format!("{surface}, {what}").contains(only.as_str()));
        for shape in [Shape::OneCall, Shape::Calls, Shape::Text, Shape::OneDelta, Shape::Bytes] {
            let what = format!("{shape:?}");
            linear &= !asked(&what)
                || measure_all(surface, &what, |size| {
                    Frame::encode_all(&write_stream(surface, &events(shape, size), &WriteOptions::default(), Ids::sequential()))
                });
        }
        for (what, make) in HOSTILE {
            linear &= !asked(what) || measure_all(surface, what, |size| make(surface, size));
        }
    }
    if linear { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
