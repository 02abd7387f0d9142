//! Records of a stream of events with their exact bytes.

use memchr::memchr2;
use streakstone_surfaces::{Frame, Record, Stream};

/// Cuts bytes into blocks, each with the blank line that ends it. Joined they are the bytes.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    buffer: Vec<u8>,
    /// Begin of the open block.
    start: usize,
    /// Bytes looked at.
    scanned: usize,
    /// True if the line at `scanned` has a byte.
    in_line: bool,
}

impl Blocks {
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next whole block. A carriage return at the end of the bytes is half a line end until the next byte is known.
    pub fn next(&mut self) -> Option<Vec<u8>> {
        loop {
            let rest = &self.buffer[self.scanned..];
            let Some(at) = memchr2(b'\n', b'\r', rest) else {
                self.in_line |= !rest.is_empty();
                self.scanned = self.buffer.len();
                return None;
            };
            self.in_line |= at > 0;
            let len = match (rest[at], rest.get(at + 1)) {
                (b'\r', None) => {
                    self.scanned += at;
                    return None;
                }
                (b'\r', Some(b'\n')) => 2,
                _ => 1,
            };
            self.scanned += at + len;
            if !std::mem::take(&mut self.in_line) {
                let block = self.buffer[self.start..self.scanned].to_vec();
                self.start = self.scanned;
                return Some(block);
            }
        }
    }

    /// Bytes of the block that is still open.
    pub fn pending(&self) -> usize {
        self.buffer.len() - self.start
    }

    /// True if the open block would be whole but for the second half of its last line end, which never came.
    pub fn ends_in_return(&self) -> bool {
        !self.in_line && self.buffer[self.scanned..] == *b"\r"
    }

    /// Those bytes; nothing is left.
    pub fn rest(&mut self) -> Vec<u8> {
        let rest = self.buffer.split_off(self.start);
        *self = Self::default();
        rest
    }
}

/// The event of a block; `None` for a comment or an empty one.
pub(crate) fn read(block: &[u8]) -> Option<Record> {
    Stream::read(block).records.pop()
}

/// One record of a stream.
#[derive(Debug, Clone)]
pub(crate) struct Raw {
    /// Its exact bytes.
    pub bytes: Vec<u8>,
    /// Its `event` field.
    pub event: Option<String>,
    /// Its data.
    pub data: String,
}

impl Raw {
    pub fn new(bytes: Vec<u8>) -> Self {
        match read(&bytes) {
            Some(Record { event, data, .. }) => Self { bytes, event, data },
            None => Self { bytes, event: None, data: String::new() },
        }
    }

    /// Appends frames in the record's place, behind its comments and its `id` and `retry` fields.
    pub fn replace(&self, frames: &[Frame], out: &mut Vec<u8>) {
        for line in self.bytes.split(|b| matches!(b, b'\n' | b'\r')) {
            if [&b":"[..], b"id:", b"retry:"].iter().any(|field| line.starts_with(field)) {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
        }
        for frame in frames {
            frame.encode(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(parts: &[&[u8]]) -> (Vec<Vec<u8>>, Vec<u8>) {
        let (mut blocks, mut out) = (Blocks::default(), Vec::new());
        for part in parts {
            blocks.push(part);
            out.extend(std::iter::from_fn(|| blocks.next()));
        }
        (out, blocks.rest())
    }

    #[test]
    fn blocks_are_the_same_at_every_cut_and_join_to_the_bytes() {
        for end in ["\n", "\r", "\r\n"] {
            let text = format!("\u{feff}: ping{end}{end}event: a{end}data: 1{end}{end}{end}data: 2{end}{end}data: cut");
            let bytes = text.as_bytes();
            let whole = blocks(&[bytes]);
            assert_eq!(whole.0.len(), 4, "{end:?}");
            assert_eq!([whole.0.concat(), whole.1.clone()].concat(), bytes);
            for cut in 0..=bytes.len() {
                assert_eq!(blocks(&[&bytes[..cut], &bytes[cut..]]), whole, "cut at {cut}");
            }
            let single: Vec<&[u8]> = bytes.chunks(1).collect();
            assert_eq!(blocks(&single), whole);
        }
    }

    #[test]
    fn what_is_no_data_stays_in_front_of_a_replaced_record() {
        let raw = Raw::new(b": note\r\nid: 7\r\nevent: a\r\ndata: old\r\n\r\n".to_vec());
        assert_eq!((raw.event.as_deref(), raw.data.as_str()), (Some("a"), "old"));
        let mut out = Vec::new();
        raw.replace(&[Frame { event: None, data: "new".to_owned() }], &mut out);
        assert_eq!(out, b": note\nid: 7\ndata: new\n\n");
    }
}
