//! Time a record costs on its way through the stream healer: prose, a false alarm in each sentence, and a call in each. One element is one
//! record of upstream.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use streakstone_healing::{Promotable, StreamHealer};
use streakstone_model::{Event, Finish, Span, Tool};
use streakstone_surfaces::{Frame, Ids, Surface, WriteOptions, write_stream};

/// Words of text in a stream; a word is a record.
const WORDS: usize = 2_000;

const TEXTS: &[(&str, &str)] = &[
    ("prose", "The quick brown fox jumps over the lazy dog, again and again. "),
    ("false alarms", "The tag <tool_call> is written in the text, and so is <tool_box>. "),
    ("calls", "So: <tool_call> {\"name\": \"f\", \"arguments\": {\"a\": 1, \"b\": \"two\"}} </tool_call> and on. "),
];

/// The records of a text, one a word.
fn records(surface: Surface, text: &str) -> Vec<Vec<u8>> {
    let words = text.split_inclusive(' ').cycle().take(WORDS);
    let mut events: Vec<Event> = words.map(|word| Event::Text { text: word.to_owned(), span: Span::new(0, 0) }).collect();
    events.push(Event::Finish { reason: Finish::Stop });
    let frames = write_stream(surface, &events, &WriteOptions::default(), Ids::sequential());
    frames.iter().map(|frame| Frame::encode_all(std::slice::from_ref(frame))).collect()
}

fn heal(criterion: &mut Criterion) {
    let promotable = Promotable::new(&[Tool { name: "f".to_owned(), parameters: serde_json::Value::Null }]);
    for surface in Surface::ALL {
        let mut group = criterion.benchmark_group(surface.as_str());
        for (name, text) in TEXTS {
            let records = records(surface, text);
            group.throughput(Throughput::Elements(records.len() as u64));
            group.bench_function(*name, |bencher| {
                bencher.iter_batched(
                    || (StreamHealer::new(surface, &promotable, Ids::sequential()), Vec::with_capacity(1 << 20)),
                    |(mut healer, mut out)| {
                        for record in &records {
                            healer.push(record, &mut out);
                        }
                        healer.finish(&mut out);
                        out
                    },
                    BatchSize::SmallInput,
                );
            });
        }
        group.finish();
    }
}

criterion_group!(benches, heal);
criterion_main!(benches);
