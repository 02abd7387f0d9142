//! Bytes to text, a push at a time: U+FFFD per maximal subpart, as `String::from_utf8_lossy` on the whole text (semantics 8).

/// Holds the half of a character that a delta cut.
#[derive(Debug, Default)]
pub(crate) struct Lossy {
    pending: [u8; 4],
    len: usize,
}

impl Lossy {
    /// Bytes held back.
    pub const fn held(&self) -> usize {
        self.len
    }

    /// True if no character is half read.
    pub const fn is_clear(&self) -> bool {
        self.len == 0
    }

    /// Decodes `bytes`; hands text to `text(piece, None)` and each replacement to `text("\u{fffd}", Some(raw length))`.
    pub fn push(&mut self, mut bytes: &[u8], text: &mut impl FnMut(&str, Option<usize>)) {
        while self.len > 0 && !bytes.is_empty() {
            // Complete the held character byte by byte; at most three bytes come before the verdict.
            self.pending[self.len] = bytes[0];
            let joined = &self.pending[..=self.len];
            match std::str::from_utf8(joined) {
                Ok(piece) => {
                    text(piece, None);
                    self.len = 0;
                    bytes = &bytes[1..];
                }
                Err(fault) => match fault.error_len() {
                    None => {
                        self.len += 1;
                        bytes = &bytes[1..];
                    }
                    Some(bad) => {
                        // The held bytes are a maximal subpart; the new byte is read afresh.
                        text("\u{fffd}", Some(bad.min(self.len)));
                        self.len = 0;
                    }
                },
            }
        }
        while !bytes.is_empty() {
            match std::str::from_utf8(bytes) {
                Ok(piece) => {
                    text(piece, None);
                    return;
                }
                Err(fault) => {
                    let (good, rest) = bytes.split_at(fault.valid_up_to());
                    if let (Ok(piece), false) = (std::str::from_utf8(good), good.is_empty()) {
                        text(piece, None);
                    }
                    let Some(bad) = fault.error_len() else {
                        self.pending[..rest.len()].copy_from_slice(rest);
                        self.len = rest.len();
                        return;
                    };
                    text("\u{fffd}", Some(bad));
                    bytes = &rest[bad..];
                }
            }
        }
    }

    /// The text is over: what is held is one maximal subpart.
    pub fn finish(&mut self, text: &mut impl FnMut(&str, Option<usize>)) {
        if self.len > 0 {
            text("\u{fffd}", Some(self.len));
            self.len = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(chunks: &[&[u8]]) -> (String, usize) {
        let mut lossy = Lossy::default();
        let (mut out, mut raw) = (String::new(), 0);
        let mut take = |piece: &str, bad: Option<usize>| {
            out.push_str(piece);
            raw += bad.unwrap_or(piece.len());
        };
        for chunk in chunks {
            lossy.push(chunk, &mut take);
        }
        lossy.finish(&mut take);
        (out, raw)
    }

    proptest! {
        #[test]
        fn every_cut_decodes_as_the_whole(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x7fu8..=0xff, Just(b'a')], 0..24), size in 1usize..5) {
            let whole = String::from_utf8_lossy(&bytes).into_owned();
            let chunks: Vec<&[u8]> = bytes.chunks(size).collect();
            let (text, raw) = decode(&chunks);
            prop_assert_eq!(text, whole);
            prop_assert_eq!(raw, bytes.len());
        }
    }
}
