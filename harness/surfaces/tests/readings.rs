//! The readers on any bytes and any cuts: no panic, no reading and no finding of a law that depends on the cuts.
//!
//! `PROPTEST_CASES=200000 cargo test --release -p streakstone-surfaces --test readings` looks longer.

use std::path::Path;
use std::sync::LazyLock;

use proptest::prelude::*;
use proptest::sample::Index;
use streakstone_model::Delivery;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_surfaces::planted::{self, Base};
use streakstone_surfaces::transcript::{COMPLETE, Chunk, Header, Transcript};
use streakstone_surfaces::{
    Context, Delivered, Frame, Ids, Input, Reader, Recorded, Step, Surface, WriteOptions, check, check_input, mask, read_whole,
    write_stream,
};

mod reading;

/// The steps of a reading in chunks.
fn steps<'a>(surface: Surface, chunks: impl IntoIterator<Item = &'a [u8]>) -> Vec<Step> {
    let (mut reader, mut steps) = (Reader::new(surface), Vec::new());
    chunks.into_iter().for_each(|chunk| reader.push(chunk, &mut steps));
    reader.finish(&mut steps);
    steps
}

/// `bytes` in pieces that end at the given places.
fn cut<'a>(bytes: &'a [u8], ends: &[usize]) -> Vec<&'a [u8]> {
    let mut ends = ends.to_vec();
    ends.push(bytes.len());
    ends.sort_unstable();
    let mut start = 0;
    ends.into_iter().map(|end| &bytes[std::mem::replace(&mut start, end)..end]).collect()
}

/// Longest raw text of a corpus case here.
const MAX_RAW: usize = 1 << 10;

/// Real streams and broken ones: the good ones, every variant, every planted defect, and what the writers make of corpus cases.
static STREAMS: LazyLock<Vec<(Surface, Vec<u8>)>> = LazyLock::new(|| {
    let good = Surface::ALL.into_iter().flat_map(|surface| Base::ALL.map(|base| (surface, Frame::encode_all(&base.frames(surface)))));
    let clean = planted::variants().into_iter().map(|variant| (variant.surface, body(variant.bytes())));
    let broken = planted::all().map(|planted| (planted.surface, body(planted.bytes())));
    good.chain(clean).chain(broken).chain(written()).collect()
});

/// The bytes of the stream in a transcript, or the stream that it is.
fn body(bytes: Vec<u8>) -> Vec<u8> {
    match Input::read(&bytes) {
        Ok(Input::Recorded(recorded)) => recorded.transcript.body(),
        _ => bytes,
    }
}

/// The cases with goldens of the surfaces, by every surface, eagerly.
fn written() -> Vec<(Surface, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = Corpus::load(&root.join("corpus"), Strictness::Own).expect("a corpus");
    let has_golden = |name: &str| root.join("goldens/surfaces").join(format!("{name}.snap")).exists();
    let cases = corpus.cases.iter().filter(|case| case.raw.len() <= MAX_RAW && has_golden(&case.name));
    let all = cases.flat_map(|case| {
        let events = reading::events(case, Delivery::Eager);
        Surface::ALL.map(|surface| {
            let frames = write_stream(surface, &events, &WriteOptions::default(), Ids::sequential());
            (surface, Frame::encode_all(&frames))
        })
    });
    let all: Vec<_> = all.collect();
    assert!(all.len() > 150, "{} streams", all.len());
    all
}

/// Something done to a stream.
#[derive(Debug, Clone)]
enum Mutation {
    Remove(Index, usize),
    Repeat(Index, usize),
    Insert(Index, &'static str),
    Byte(Index, u8),
    Truncate(Index),
    /// From here on, another stream from there on.
    Splice(Index, Index, Index),
}

impl Mutation {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let place = |index: &Index, bytes: &[u8]| index.index(bytes.len() + 1);
        match self {
            Self::Remove(at, length) => {
                let at = place(at, bytes);
                bytes.drain(at..(at + length).min(bytes.len()));
            }
            Self::Repeat(at, length) => {
                let at = place(at, bytes);
                let piece = bytes[at..(at + length).min(bytes.len())].to_vec();
                bytes.splice(at..at, piece);
            }
            Self::Insert(at, piece) => {
                let at = place(at, bytes);
                bytes.splice(at..at, piece.bytes());
            }
            Self::Byte(at, byte) => {
                let at = place(at, bytes);
                if let Some(own) = bytes.get_mut(at) {
                    *own = *byte;
                }
            }
            Self::Truncate(at) => bytes.truncate(place(at, bytes)),
            Self::Splice(at, other, from) => {
                let (_, other) = other.get(&STREAMS);
                bytes.truncate(place(at, bytes));
                bytes.extend_from_slice(&other[place(from, other)..]);
            }
        }
    }
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let index = any::<Index>;
    prop_oneof![
        (index(), 1..200_usize).prop_map(|(at, length)| Mutation::Remove(at, length)),
        (index(), 1..400_usize).prop_map(|(at, length)| Mutation::Repeat(at, length)),
        (index(), proptest::sample::select(PIECES)).prop_map(|(at, piece)| Mutation::Insert(at, piece)),
        (index(), any::<u8>()).prop_map(|(at, byte)| Mutation::Byte(at, byte)),
        index().prop_map(Mutation::Truncate),
        (index(), index(), index()).prop_map(|(at, other, from)| Mutation::Splice(at, other, from)),
    ]
}

/// What the laws find in a stream that came in these chunks, all at one time.
fn found(surface: Surface, chunks: &[&[u8]]) -> Vec<streakstone_surfaces::Violation> {
    let header = Header {
        surface,
        status: Some(200),
        headers: serde_json::Map::from_iter([("content-type".to_owned(), "text/event-stream".into())]),
        request: serde_json::Value::Null,
        path: None,
        about: serde_json::Map::new(),
    };
    let chunks = chunks.iter().map(|bytes| Chunk { t_us: 1, bytes: bytes.to_vec() }).collect();
    let recorded = Recorded::of(Transcript { header, chunks, outcome: COMPLETE.to_owned() });
    recorded
        .map_or_else(|_| Vec::new(), |recorded| check_input(surface, &Input::Recorded(Box::new(recorded)), &planted::full_context(surface)))
}

/// Pieces of streams, to be joined into what nobody sends.
const PIECES: &[&str] = &[
    "data: ",
    "data:",
    "event: ",
    "\n",
    "\r",
    "\r\n",
    "\n\n",
    ":",
    ": ping\n",
    "[DONE]",
    "\u{feff}",
    "é",
    "👩",
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    "\"type\":",
    "\"index\":0",
    "\"index\":-1",
    "\"index\":9223372036854775807",
    "\"output_index\":0",
    "\"output_index\":1e99",
    "\"choices\":[{\"delta\":{\"tool_calls\":[",
    "\"choices\":{}",
    "\"delta\":null",
    "{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\"}}",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":7,\"function\":{\"arguments\":\"{}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"id\":\"b\"}]}}]}\n\n",
    "data: {\"choices\":[{\"finish_reason\":7}]}\n\n",
    "data: {\"error\":{\"message\":\"x\"}}\n\n",
    "data: [DONE]\n\n",
    "data: {\"type\":\"response.output_item.added\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"id\":\"fc_1\",\"call_id\":\"a\"}}\n\n",
    "data: {\"type\":\"response.function_call_arguments.delta\",\"output_index\":0,\"delta\":\"{}\"}\n\n",
    "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"function_call\",\"arguments\":\"{}\"}}\n\n",
    "data: {\"type\":\"response.output_text.delta\",\"output_index\":5,\"delta\":\"x\"}\n\n",
    "data: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\",\"output\":[1]}}\n\n",
    "data: {\"type\":\"error\"}\n\n",
    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\":{\"a\":1}}}\n\n",
    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"x\"}}\n\n",
    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\"}}\n\n",
    "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n",
    "data: {\"type\":\"message_stop\"}\n\n",
    "data: {\"type\":\"message_start\",\"message\":7}\n\n",
];

/// Everything that takes bytes takes these, and reads them alike in any cut.
fn holds(bytes: &[u8], ends: &[usize]) {
    for surface in Surface::ALL {
        let whole = steps(surface, [bytes]);
        assert_eq!(steps(surface, cut(bytes, ends)), whole, "{surface}");
        assert_eq!(steps(surface, bytes.chunks(1)), whole, "{surface} by bytes");
        let folded = Delivered::from_steps(&whole);
        assert!(folded.calls().count() <= whole.len());
        // What the laws say, and of whole bodies too, is not judged here: that they say it is.
        let _ = check(surface, bytes, &planted::full_context(surface));
        let text = String::from_utf8_lossy(bytes);
        let _ = (read_whole(surface, &text), mask(&text), Input::read(bytes));
    }
    let _ = check(Surface::Chat, bytes, &Context::default());
}

proptest! {
    #[test]
    fn any_bytes_are_read_alike_in_any_cut(bytes in proptest::collection::vec(any::<u8>(), 0..200), ends in proptest::collection::vec(any::<Index>(), 0..5)) {
        let ends: Vec<usize> = ends.iter().map(|end| end.index(bytes.len() + 1)).collect();
        holds(&bytes, &ends);
    }

    #[test]
    fn any_pieces_of_streams_are_read_alike_in_any_cut(
        pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..30),
        ends in proptest::collection::vec(any::<Index>(), 0..5),
    ) {
        let bytes = pieces.concat().into_bytes();
        let ends: Vec<usize> = ends.iter().map(|end| end.index(bytes.len() + 1)).collect();
        holds(&bytes, &ends);
    }

    #[test]
    fn a_stream_that_was_changed_is_read_and_judged_alike_in_any_cut(
        stream in any::<Index>(),
        mutations in proptest::collection::vec(mutation(), 0..5),
        ends in proptest::collection::vec(any::<Index>(), 0..12),
    ) {
        let (surface, mut bytes) = stream.get(&STREAMS).clone();
        for mutation in &mutations {
            mutation.apply(&mut bytes);
        }
        let ends: Vec<usize> = ends.iter().map(|end| end.index(bytes.len() + 1)).collect();
        let chunks = cut(&bytes, &ends);
        let whole = steps(surface, [&bytes[..]]);
        assert_eq!(steps(surface, chunks.iter().copied()), whole);
        assert_eq!(steps(surface, bytes.chunks(1)), whole);
        assert_eq!(found(surface, &chunks), found(surface, &[&bytes]));
    }

    #[test]
    fn any_pieces_as_a_body_are_taken(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..12)) {
        let body = format!("{{{}}}", pieces.concat().replace("data: ", "").replace('\n', ""));
        holds(body.as_bytes(), &[]);
    }
}

#[test]
fn real_streams_are_read_alike_in_any_cut() {
    for (at, (surface, bytes)) in STREAMS.iter().enumerate() {
        let whole = steps(*surface, [&bytes[..]]);
        let laws = found(*surface, &[bytes]);
        // Each stream at its own places, many over the set.
        for size in [1 + at % 7, 11 + at % 31] {
            assert_eq!(steps(*surface, bytes.chunks(size)), whole, "{surface} {at} by {size}");
            assert_eq!(found(*surface, &bytes.chunks(size).collect::<Vec<_>>()), laws, "{surface} {at} by {size}");
        }
    }
}

#[test]
fn a_real_stream_is_read_alike_at_every_cut() {
    for surface in Surface::ALL {
        let text = String::from_utf8(Frame::encode_all(&planted::good_stream(surface))).expect("UTF-8");
        // CRLF and characters of several bytes are where a cut could matter.
        let bytes = text.replace('\n', "\r\n").replace("Let me look", "Größe 👩‍🚀").into_bytes();
        let whole = steps(surface, [&bytes[..]]);
        assert!(Delivered::from_steps(&whole).content().contains("Größe 👩‍🚀"));
        assert_eq!(steps(surface, bytes.chunks(1)), whole, "{surface} by bytes");
        let matters = |place: &usize| {
            let near = &bytes[place.saturating_sub(2)..(place + 2).min(bytes.len())];
            near.iter().any(|byte| matches!(byte, b'\r' | b'\n' | 0x80..)) || place.is_multiple_of(61)
        };
        for place in (0..=bytes.len()).filter(matters) {
            let (head, tail) = bytes.split_at(place);
            assert_eq!(steps(surface, [head, tail]), whole, "{surface} cut at {place}");
        }
    }
}
