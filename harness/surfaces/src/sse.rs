//! Server-sent events: the framing of all three surfaces, in and out.
//!
//! `sseer` finds the lines (LF, CRLF, lone CR) and fields in a buffer that grows by any cut; it is the only crate found that does so without an
//! async stream and line by line, which the numbers in a violation need. What it leaves to the caller is here: the byte order mark,
//! joining of `data` lines, and dispatch (WHATWG HTML 9.2.6).

use bytes::BytesMut;
use sseer::parser::{RawEventLineOwned, parse_line_from_buffer};

/// The byte order mark that may open a stream.
const BOM: &[u8] = b"\xef\xbb\xbf";

/// Where something stands in a stream. Both numbers count from 1; zero is a stream without any event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// Number of the event.
    pub event: usize,
    /// Line of its first field.
    pub line: usize,
}

/// One event as it was dispatched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The last `event` field; `None` without one, and for an empty one.
    pub event: Option<String>,
    /// The `data` fields, joined by newlines; U+FFFD for what was no UTF-8.
    pub data: String,
    /// Where in the data the first byte stands that is no UTF-8, if one is none.
    pub invalid: Option<usize>,
    /// Where it stands.
    pub place: Place,
}

/// One event to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The `event` field, if the surface has one.
    pub event: Option<String>,
    /// The `data` field: compact JSON or a sentinel, without a line end.
    pub data: String,
}

impl Frame {
    /// The sentinel `[DONE]`.
    #[must_use]
    pub fn done() -> Self {
        Self { event: None, data: DONE.to_owned() }
    }

    /// Appends the event's bytes.
    pub fn encode(&self, out: &mut Vec<u8>) {
        if let Some(event) = &self.event {
            out.extend_from_slice(b"event: ");
            out.extend_from_slice(event.as_bytes());
            out.push(b'\n');
        }
        for line in self.data.split('\n') {
            out.extend_from_slice(b"data: ");
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        }
        out.push(b'\n');
    }

    /// The bytes of several events.
    #[must_use]
    pub fn encode_all(frames: &[Self]) -> Vec<u8> {
        let mut out = Vec::new();
        for frame in frames {
            frame.encode(&mut out);
        }
        out
    }
}

/// The data of the sentinel that ends a stream.
pub const DONE: &str = "[DONE]";

/// Finds events in bytes that come in any cut.
#[derive(Debug, Default)]
pub struct Decoder {
    buffer: BytesMut,
    scan_from: usize,
    /// True once it is known whether a byte order mark came.
    begun: bool,
    lines: usize,
    events: usize,
    /// Line of the first field of the open event.
    first: Option<usize>,
    event: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
}

impl Decoder {
    /// Takes bytes and appends the events they complete.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<Record>) {
        self.buffer.extend_from_slice(bytes);
        if !self.begun {
            if self.buffer.len() < BOM.len() && BOM.starts_with(&self.buffer) {
                return;
            }
            self.begun = true;
            if self.buffer.starts_with(BOM) {
                let _ = self.buffer.split_to(BOM.len());
            }
        }
        self.lines(out);
    }

    /// Ends the stream. True if it ended inside an event, which no client dispatches.
    pub fn finish(&mut self, out: &mut Vec<Record>) -> bool {
        if self.buffer.last() == Some(&b'\r') {
            // Only a line end to come could have made this one two bytes long.
            self.push(b"\n", out);
        }
        !self.buffer.is_empty() || self.first.is_some()
    }

    fn lines(&mut self, out: &mut Vec<Record>) {
        while let Some(line) = parse_line_from_buffer(&mut self.buffer, &mut self.scan_from) {
            self.lines += 1;
            match line {
                RawEventLineOwned::Comment => {}
                RawEventLineOwned::Empty => out.extend(self.dispatch()),
                RawEventLineOwned::Field { field_name, field_value } => {
                    let value = field_value.as_deref().unwrap_or_default();
                    self.field(&field_name, value);
                }
            }
        }
    }

    fn field(&mut self, name: &[u8], value: &[u8]) {
        self.first.get_or_insert(self.lines);
        match name {
            b"event" => value.clone_into(&mut self.event),
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<Record> {
        let (event, data) = (std::mem::take(&mut self.event), std::mem::take(&mut self.data));
        let line = self.first.take().unwrap_or(self.lines);
        if !std::mem::take(&mut self.has_data) {
            return None;
        }
        self.events += 1;
        let place = Place { event: self.events, line };
        let event = (!event.is_empty()).then(|| lossy(event));
        let invalid = std::str::from_utf8(&data).err().map(|error| error.valid_up_to());
        Some(Record { event, data: lossy(data), invalid, place })
    }
}

fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Record>, bool) {
        let (mut decoder, mut out) = (Decoder::default(), Vec::new());
        chunks.into_iter().for_each(|chunk| decoder.push(chunk, &mut out));
        let cut = decoder.finish(&mut out);
        (out, cut)
    }

    /// The data of each event, the same at every cut and byte by byte.
    fn data(text: &[u8]) -> Vec<String> {
        let whole = decode([text]);
        for cut in 0..=text.len() {
            assert_eq!(decode([&text[..cut], &text[cut..]]), whole, "cut at {cut}");
        }
        assert_eq!(decode(text.chunks(1)), whole);
        whole.0.into_iter().map(|record| record.data).collect()
    }

    #[test]
    fn every_line_end_ends_a_line() {
        for end in ["\n", "\r", "\r\n"] {
            let text = format!("event: a{end}data: 1{end}{end}: ping{end}{end}data:2{end}data: 3{end}{end}");
            assert_eq!(data(text.as_bytes()), ["1", "2\n3"], "{end:?}");
            let places: Vec<_> = decode([text.as_bytes()]).0.iter().map(|r| (r.place.event, r.place.line)).collect();
            assert_eq!(places, [(1, 1), (2, 6)], "{end:?}");
        }
    }

    #[test]
    fn a_mark_a_split_character_and_a_missing_space_change_nothing() {
        assert_eq!(data("\u{feff}data:é👩\n\ndata:  x\n\n".as_bytes()), ["é👩", " x"]);
        assert_eq!(data(b"\xef\xbbdata: x\n\ndata: a\xffb\n\n"), ["a\u{fffd}b"]);
        assert_eq!(data(b"\xef\xbb"), Vec::<String>::new());
    }

    #[test]
    fn an_event_without_data_is_none_and_one_with_empty_data_is_one() {
        assert_eq!(data(b"event: ping\n\nid: 7\nretry: 1\nunknown\n\ndata\n\ndata:\n\n"), ["", ""]);
        assert_eq!(decode([b"event: a\n\ndata: 1\n\n".as_slice()]).0[0].event, None);
    }

    #[test]
    fn what_no_blank_line_ends_is_no_event() {
        for text in [&b"data: 1\n\ndata: 2\n"[..], b"data: 1\n\ndata: 2", b"data: 1\n\nda"] {
            let (records, cut) = decode([text]);
            assert_eq!((records.len(), cut), (1, true));
        }
        assert!(!decode([&b"data: 1\r\r"[..]]).1);
    }

    #[test]
    fn what_is_written_is_read() {
        let frames = [Frame { event: Some("a".to_owned()), data: "{}".to_owned() }, Frame::done()];
        assert_eq!(data(&Frame::encode_all(&frames)), ["{}", DONE]);
    }
}
