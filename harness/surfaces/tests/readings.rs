//! The readers on any bytes and any cuts: no panic, and no reading that depends on the cuts.

use proptest::prelude::*;
use proptest::sample::Index;
use streakstone_surfaces::{Context, Delivered, Input, Reader, Step, Surface, check, mask, planted, read_whole};

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

/// Real streams and broken ones.
fn streams() -> Vec<(Surface, Vec<u8>)> {
    let clean = planted::variants().into_iter().map(|v| (v.surface, v.bytes()));
    let broken = planted::all().map(|p| (p.surface, p.bytes()));
    clean.chain(broken).filter(|(_, bytes)| bytes.first() != Some(&b'{')).collect()
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
    fn any_pieces_as_a_body_are_taken(pieces in proptest::collection::vec(proptest::sample::select(PIECES), 0..12)) {
        let body = format!("{{{}}}", pieces.concat().replace("data: ", "").replace('\n', ""));
        holds(body.as_bytes(), &[]);
    }
}

#[test]
fn real_streams_are_read_alike_in_any_cut() {
    for (at, (surface, bytes)) in streams().into_iter().enumerate() {
        let whole = steps(surface, [&bytes[..]]);
        // Each stream at its own places, many over the set.
        for size in [1 + at % 7, 11 + at % 31] {
            assert_eq!(steps(surface, bytes.chunks(size)), whole, "{surface} {at} by {size}");
        }
    }
}

#[test]
fn a_real_stream_is_read_alike_at_every_cut() {
    for surface in Surface::ALL {
        let text = String::from_utf8(streakstone_surfaces::Frame::encode_all(&planted::good_stream(surface))).expect("UTF-8");
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
