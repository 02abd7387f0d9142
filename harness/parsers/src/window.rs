//! The text that is not yet decided: everything from the first byte without a span to the last byte pushed.
//! Positions are absolute, in decoded text.

use crate::row::{Found, Row, find, find_of, find_suffixed};
use crate::text::{LARGE, make_room};
use crate::token::{Placed, SpecialTokens};

/// Bytes already spoken of that may lie in front before they are moved out.
const SLACK: usize = 4096;

/// Room that the first delta makes.
const FIRST: usize = 256;

#[derive(Debug, Default)]
pub(crate) struct Window {
    text: String,
    /// Position of `text`'s first byte.
    base: usize,
    /// Special tokens, if the input is tokens.
    specials: Option<Placed>,
    /// True if every tag may have a suffix.
    suffixed: bool,
}

impl Window {
    /// A window for a row's texts.
    pub fn new(row: &Row) -> Self {
        Self { suffixed: row.suffixed, ..Self::default() }
    }

    /// One past the last position.
    pub fn end(&self) -> usize {
        self.base + self.text.len()
    }

    /// From here on a marker that is one of these tokens counts only where it is announced.
    pub fn expect_specials(&mut self, known: SpecialTokens) {
        self.specials = Some(Placed::new(known));
    }

    /// The spelling of a special token.
    pub fn special(&self, id: u32) -> Option<&str> {
        self.specials.as_ref()?.known.text(id)
    }

    /// Announces a special token of `len` bytes: the next delta.
    pub fn announce(&mut self, len: usize) {
        let at = self.end();
        if let Some(specials) = &mut self.specials {
            specials.add(at, len);
        }
    }

    /// Appends a delta. Says how much more now fits if a large text had to grow.
    #[inline]
    pub fn push(&mut self, delta: &str) -> Option<usize> {
        let grown = if self.has_room(delta.len()) { None } else { self.grow(delta.len()) };
        self.text.push_str(delta);
        grown
    }

    #[cold]
    fn grow(&mut self, len: usize) -> Option<usize> {
        if self.text.capacity() == 0 {
            // Short deltas would make it grow six times before a usual call has come.
            self.text = String::with_capacity(len.max(FIRST));
        }
        if self.text.len() < LARGE {
            return None;
        }
        make_room(&mut self.text, len);
        Some(self.text.capacity() - self.text.len())
    }

    /// True if `len` more bytes need no more memory.
    pub fn has_room(&self, len: usize) -> bool {
        self.text.capacity() - self.text.len() >= len
    }

    /// Makes room for `len` more bytes.
    pub fn reserve(&mut self, len: usize) {
        self.text.reserve_exact(len);
    }

    /// Counts `len` bytes that passed without being kept. Only for an empty window.
    pub fn skip(&mut self, len: usize) {
        debug_assert!(self.text.is_empty());
        self.base += len;
    }

    /// True if nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text at `from..to`.
    pub fn slice(&self, from: usize, to: usize) -> &str {
        &self.text[from - self.base..to - self.base]
    }

    /// The bytes at `from..to`.
    pub fn bytes(&self, from: usize, to: usize) -> &[u8] {
        &self.text.as_bytes()[from - self.base..to - self.base]
    }

    /// What stands at `at`, held against `words`; `eof` once the text is over.
    #[inline]
    pub fn find<'w, T: Copy>(&self, at: usize, words: impl Iterator<Item = (&'w str, T)>, eof: bool) -> Found<'w, T> {
        self.find_in(at, self.end(), words, eof)
    }

    /// True if a word stands wherever its bytes stand.
    #[inline]
    pub const fn is_plain(&self) -> bool {
        self.specials.is_none() && !self.suffixed
    }

    /// The same for the words whose meaning is `active` now.
    #[inline]
    pub fn find_of<'w, T: Copy>(
        &self,
        at: usize,
        words: impl Iterator<Item = (&'w str, T)>,
        active: impl Fn(T) -> bool,
        eof: bool,
    ) -> Found<'w, T> {
        if self.is_plain() {
            return find_of(self.bytes(at, self.end()), words, active, eof);
        }
        self.find(at, words.filter(|(_, value)| active(*value)), eof)
    }

    /// The same where bytes from `end` on are not to be read yet.
    #[inline]
    pub fn find_in<'w, T: Copy>(&self, at: usize, end: usize, words: impl Iterator<Item = (&'w str, T)>, eof: bool) -> Found<'w, T> {
        let bytes = self.bytes(at, end);
        match &self.specials {
            None if self.suffixed => find_suffixed(bytes, words, eof),
            None => find(bytes, words, eof),
            Some(specials) => find(bytes, words.filter(|(word, _)| specials.admits(at, word)), eof),
        }
    }

    /// The first character boundary at or after `at`.
    pub fn boundary(&self, at: usize) -> usize {
        let mut at = at;
        while at < self.end() && !self.text.is_char_boundary(at - self.base) {
            at += 1;
        }
        at
    }

    /// Lets go of what lies before `keep`, when that is cheap: all of it, or at least half.
    pub fn release(&mut self, keep: usize) {
        if let Some(specials) = &mut self.specials {
            specials.release(keep);
        }
        let done = keep - self.base;
        if done == self.text.len() {
            self.text.clear();
            self.base = keep;
        } else if done > SLACK && done > self.text.len() / 2 {
            self.text.drain(..done);
            self.base = keep;
        }
    }

    /// Starts over.
    pub fn clear(&mut self) {
        self.text.clear();
        self.base = 0;
        if let Some(specials) = &mut self.specials {
            specials.clear();
        }
    }
}
