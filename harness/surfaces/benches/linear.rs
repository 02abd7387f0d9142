//! Cost of reading, checking and writing over size, by thread CPU time: the exponent of each must stay below that of the house (1.25 by
//! time). A bench and no test: time is measured where a machine is quiet.
//!
//! `cargo bench -p streakstone-surfaces` prints a line each and fails if an exponent is over the limit.

use std::process::ExitCode;
use std::time::Duration;

use streakstone_measure::clock;
use streakstone_measure::fit::fit;
use streakstone_model::{CallOutcome, Event, Finish, Span};
use streakstone_surfaces::{Context, Frame, Ids, Reader, Surface, WriteOptions, check, write_stream};

/// Bytes of the stream, about.
const SIZES: [usize; 4] = [128 << 10, 256 << 10, 512 << 10, 1 << 20];
/// Runs of which the best counts: many, because the cheapest lines take a millisecond, and a neighbour's burst takes longer.
const RUNS: usize = 9;
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
        format!("{name:<40} exponent {:.2}  {size:>8} bytes in {:>7.1} ms", fit.exponent, Duration::from_nanos(cost).as_secs_f64() * 1e3);
    show(&line);
    fit.exponent <= LIMIT
}

#[expect(clippy::print_stdout, reason = "a bench prints its figures")]
fn show(line: &str) {
    println!("{line}");
}

fn main() -> ExitCode {
    let mut linear = true;
    for surface in Surface::ALL {
        for shape in [Shape::OneCall, Shape::Calls, Shape::Text, Shape::OneDelta] {
            let stream =
                |size| Frame::encode_all(&write_stream(surface, &events(shape, size), &WriteOptions::default(), Ids::sequential()));
            let inputs: Vec<(usize, Vec<u8>)> = SIZES.iter().map(|size| stream(*size)).map(|bytes| (bytes.len(), bytes)).collect();
            let name = |what: &str| format!("{surface} {shape:?} {what}");
            let read = |bytes: &[u8], chunk: usize| {
                let (mut reader, mut steps) = (Reader::new(surface), Vec::new());
                bytes.chunks(chunk).for_each(|chunk| reader.push(chunk, &mut steps));
                reader.finish(&mut steps);
                std::hint::black_box(steps);
            };
            linear &= measure(&name("read whole"), &inputs, |bytes| read(bytes, usize::MAX));
            linear &= measure(&name("read by byte"), &inputs, |bytes| read(bytes, 1));
            linear &= measure(&name("check"), &inputs, |bytes| {
                std::hint::black_box(check(surface, bytes, &Context::default())).expect("readable");
            });
        }
    }
    if linear { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
