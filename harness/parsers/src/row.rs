//! A dialect row made ready for scanning: its markers, their first bytes and its tags. Built once a row.

use std::collections::HashMap;
use std::sync::{OnceLock, RwLock};

use streakstone_model::{ChannelCalls, Dialect, Grammar, Markers, auto_rows, dialects, suffix};

use crate::family;
use crate::scan::Noted;
use crate::text::is_space;
use crate::window::Window;

/// What a marker outside a unit stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// Opens reasoning span number n of the row. One byte: a token is copied for every look at a marker, which took a third of it.
    ReasoningOpen(u8),
    /// Opens a block of units.
    BlockOpen,
    /// Opens a unit that stands without its block's opener.
    UnitOpen,
    /// Begins the header of a message.
    MessageOpen,
    /// Ends such a header; true if it can also stand alone for one wherever it comes.
    MessageEnd(bool),
    /// Ends a message.
    MessageClose,
    /// Closes the block of the last unit.
    BlockClose,
    /// Closes the last unit, late: behind the block's closer that stood for it.
    UnitClose,
    /// Stands behind the closer of the last unit.
    FrameClose,
    /// A control token: framing.
    Control,
    /// A stop token: framing as the last non-space bytes only.
    Stop,
}

/// A marker and its meaning.
#[derive(Debug)]
pub(crate) struct Marker {
    pub text: &'static str,
    pub token: Token,
}

/// What two bytes begin.
#[derive(Debug, Clone, Copy, Default)]
struct Pair {
    /// True if a marker, a closer of reasoning or a bare list can.
    begins: bool,
    /// Its markers, a range of the row's.
    from: u8,
    to: u8,
}

/// A row made ready.
#[derive(Debug)]
pub(crate) struct Row {
    pub dialect: &'static Dialect,
    /// Every marker that means something outside a unit, by its first two bytes.
    pub markers: Vec<Marker>,
    /// First bytes of the markers and of the closers of reasoning, and those that open a bare list: 0 for none of them, else
    /// one more than the place of its table in `second`.
    first: [u8; 256],
    /// For each first byte, by the byte that follows it.
    second: Vec<[Pair; 256]>,
    /// The first bytes as a list, for `memchr`.
    first_list: Vec<u8>,
    /// Bytes that can open a list or unit without a marker.
    pub bare: &'static [u8],
    /// True if calls stand bare, each at the start of a line.
    pub lines: bool,
    /// Bytes that begin an opener, or a bare block, and may also stand in JSON outside a string, white space apart: places to resume at.
    pub noted: Noted,
    /// First bytes of the openers of calls.
    openers: [bool; 256],
    /// True if an opener, of calls or reasoning, begins with a control token: where it opens nothing it is data, with the token.
    pub control_opens: bool,
    /// Most white space that a marker begins with.
    pub spaced: usize,
    /// True if every marker that ends in `>` may have a suffix.
    pub suffixed: bool,
    /// For `auto`: each opener with the rows that it may belong to, and what it is to them. Empty for all other rows.
    owners: HashMap<&'static str, Vec<(Token, &'static Row)>>,
}

/// The messages of `dialect`, if it is one of messages.
pub(crate) fn channels_of(dialect: &'static Dialect) -> Option<&'static ChannelCalls> {
    if let Grammar::Channels(calls) = dialect.grammar { Some(calls) } else { None }
}

/// What the rows of `auto` have outside units goes to `markers`, each text once; their openers come back with their owners.
fn owners(grammar: &'static Grammar, markers: &mut Vec<Marker>) -> HashMap<&'static str, Vec<(Token, &'static Row)>> {
    let mut owners: HashMap<&'static str, Vec<(Token, &'static Row)>> = HashMap::new();
    let Grammar::Auto(names) = grammar else { return owners };
    for dialect in auto_rows(names) {
        let row = Row::of(dialect);
        for Marker { text, token } in &row.markers {
            let opens = matches!(token, Token::BlockOpen | Token::UnitOpen | Token::MessageOpen | Token::MessageEnd(true));
            let closes = matches!(token, Token::BlockClose | Token::UnitClose | Token::FrameClose);
            if opens && !family::is_weak(&dialect.grammar, text) {
                owners.entry(text).or_default().push((*token, row));
            }
            let known = |m: &Marker| m.text == *text && (m.token == *token || opens);
            if (opens || closes) && !markers.iter().any(known) {
                markers.push(Marker { text, token: *token });
            }
        }
    }
    owners
}

/// Below this many bytes a table look-up beats starting `memchr`.
const SHORT: usize = 32;

impl Row {
    /// The row of `dialect`, built on first use.
    pub fn of(dialect: &'static Dialect) -> &'static Self {
        static ROWS: OnceLock<Vec<(usize, OnceLock<&'static Row>)>> = OnceLock::new();
        static OTHERS: OnceLock<RwLock<HashMap<usize, &'static Row>>> = OnceLock::new();
        // Rows live as long as their dialects: for ever.
        let build = || -> &'static Self { Box::leak(Box::new(Self::build(dialect))) };
        let address = |dialect: &'static Dialect| std::ptr::from_ref(dialect).addr();
        // Hashed by address, half empty. A map behind a lock was half of what opening a parser costs.
        let probe = |rows: &[(usize, OnceLock<&'static Row>)], key: usize| {
            let mut slot = (key / size_of::<Dialect>()) & (rows.len() - 1);
            while rows[slot].0 != key && rows[slot].0 != 0 {
                slot = (slot + 1) & (rows.len() - 1);
            }
            slot
        };
        let rows = ROWS.get_or_init(|| {
            let slots = (dialects().count() * 2 + 1).next_power_of_two();
            let mut rows: Vec<_> = (0..slots).map(|_| (0, OnceLock::new())).collect();
            for key in dialects().map(address) {
                let free = probe(&rows, key);
                rows[free].0 = key;
            }
            rows
        });
        let key = address(dialect);
        let (known, row) = &rows[probe(rows, key)];
        if *known == key {
            return row.get_or_init(build);
        }
        let others = OTHERS.get_or_init(|| RwLock::new(HashMap::new()));
        if let Some(row) = others.read().ok().and_then(|rows| rows.get(&key).copied()) {
            return row;
        }
        let row = build();
        if let Ok(mut rows) = others.write() {
            return rows.entry(key).or_insert(row);
        }
        row
    }

    fn build(dialect: &'static Dialect) -> Self {
        let mut markers = Vec::new();
        let owners = owners(&dialect.grammar, &mut markers);
        let mut add = |text: &'static str, token| markers.push(Marker { text, token });
        family::tokens(&dialect.grammar, &mut add);
        if channels_of(dialect).is_none() {
            // Messages say in their header what is reasoning.
            for (n, reasoning) in (0..).zip(dialect.reasoning) {
                add(reasoning.open, Token::ReasoningOpen(n));
            }
        }
        dialect.control.iter().for_each(|text| add(text, Token::Control));
        dialect.stop.iter().for_each(|text| add(text, Token::Stop));

        let second_byte = |text: &str| text.as_bytes().get(1).copied();
        markers.sort_by_key(|m: &Marker| (m.text.as_bytes()[0], second_byte(m.text)));

        let bare = dialect.grammar.bare();
        let mut first = [0; 256];
        let mut second: Vec<[Pair; 256]> = Vec::new();
        let mut begins = |b: u8, marker: Option<usize>, follows: &dyn Fn(u8) -> bool| {
            let place = &mut first[usize::from(b)];
            if *place == 0 {
                second.push([Pair::default(); 256]);
                *place = u8::try_from(second.len()).unwrap_or(u8::MAX);
            }
            for next in (0..=255u8).filter(|&next| follows(next)) {
                let pair = &mut second[usize::from(*place) - 1][usize::from(next)];
                pair.begins = true;
                if let Some(end) = marker.and_then(|place| u8::try_from(place + 1).ok()) {
                    pair.from = if pair.to == 0 { end - 1 } else { pair.from };
                    pair.to = end;
                }
            }
        };
        let pair_of = |text: &'static str| move |next| second_byte(text).is_none_or(|second| second == next);
        for (place, m) in markers.iter().enumerate() {
            begins(m.text.as_bytes()[0], Some(place), &pair_of(m.text));
        }
        for reasoning in dialect.reasoning {
            begins(reasoning.close.as_bytes()[0], None, &pair_of(reasoning.close));
        }
        for &b in bare {
            begins(b, None, &|next| is_space(next) || family::follows_bare(&dialect.grammar, b, next));
        }
        let opens = |m: &Marker| matches!(m.token, Token::BlockOpen | Token::UnitOpen);
        let noted = Noted::of(|b| bare.contains(&b) || markers.iter().any(|m| opens(m) && m.text.trim_start().as_bytes()[0] == b));
        let mut openers = [false; 256];
        markers.iter().filter(|m| opens(m)).for_each(|m| openers[usize::from(m.text.as_bytes()[0])] = true);
        let first_list = (0..=255u8).filter(|&b| first[usize::from(b)] != 0).collect();
        let may_open = |m: &Marker| opens(m) || matches!(m.token, Token::ReasoningOpen(_));
        let control_opens = markers.iter().any(|m| may_open(m) && dialect.control.iter().any(|text| m.text.starts_with(text)));
        let spaced = markers.iter().map(|m| m.text.len() - m.text.trim_start().len()).max().unwrap_or(0);
        let suffixed = Markers::of(dialect).suffixed;
        let lines = family::in_lines(&dialect.grammar);
        Self { dialect, markers, first, second, first_list, bare, lines, noted, openers, control_opens, spaced, suffixed, owners }
    }

    /// The rows that the opener at `from..to` may belong to; empty but for `auto`.
    #[inline]
    pub fn owners(&self, window: &Window, from: usize, to: usize) -> &[(Token, &'static Self)] {
        if self.owners.is_empty() { &[] } else { self.owners.get(window.slice(from, to)).map_or(&[], Vec::as_slice) }
    }

    /// The markers that `bytes` can begin with: those of their first two bytes, or all if there is only one.
    pub fn markers_at(&self, bytes: &[u8]) -> &[Marker] {
        match bytes {
            [b, next, ..] => match usize::from(self.first[usize::from(*b)]) {
                0 => &[],
                table => {
                    let pair = self.second[table - 1][usize::from(*next)];
                    &self.markers[usize::from(pair.from)..usize::from(pair.to)]
                }
            },
            _ => &self.markers,
        }
    }

    /// True if `bytes`, which may be cut, begin a marker.
    pub fn begins_marker(&self, bytes: &[u8]) -> bool {
        self.markers.iter().any(|m| m.text.as_bytes().starts_with(bytes))
    }

    /// True if `bytes`, which may be cut, begin an opener.
    pub fn begins_opener(&self, bytes: &[u8]) -> bool {
        // One byte is what a failed unit asks of, and in a hostile text many fail.
        if let [b] = *bytes {
            return self.openers[usize::from(b)];
        }
        self.markers.iter().any(|m| matches!(m.token, Token::BlockOpen | Token::UnitOpen) && m.text.as_bytes().starts_with(bytes))
    }

    /// The place of the first byte that could begin a marker or a bare list, by the byte behind it too, if that is there;
    /// with `any_bare` a byte that opens a bare list counts whatever follows.
    ///
    /// The second byte spares the look at every marker: 100 KB of `<` took 3.2 ms, prose with a `<` a line stays on `memchr`.
    #[inline]
    pub fn find_start(&self, bytes: &[u8], any_bare: bool) -> Option<usize> {
        let mut from = 0;
        loop {
            let at = from + self.find_first(&bytes[from..])?;
            // Such bytes come in runs: starting `memchr` anew for each costs more than looking at a few bytes one by one.
            from = bytes.len().min(at + SHORT);
            let mut run = bytes[at..from].iter().enumerate();
            if let Some((i, _)) = run.find(|&(i, &b)| self.may_begin(b, bytes.get(at + i + 1), any_bare)) {
                return Some(at + i);
            }
        }
    }

    /// True if something can begin with `b` and, if it has come, `next`.
    #[inline]
    fn may_begin(&self, b: u8, next: Option<&u8>, any_bare: bool) -> bool {
        let table = usize::from(self.first[usize::from(b)]);
        table != 0 && (next.is_none_or(|&next| self.second[table - 1][usize::from(next)].begins) || (any_bare && self.bare.contains(&b)))
    }

    /// The place of the first byte that could begin a marker, whatever follows it.
    #[inline]
    fn find_first(&self, bytes: &[u8]) -> Option<usize> {
        let begins = |&b: &u8| self.first[usize::from(b)] != 0;
        if bytes.len() < SHORT {
            return bytes.iter().position(begins);
        }
        match *self.first_list.as_slice() {
            [a] => memchr::memchr(a, bytes),
            [a, b] => memchr::memchr2(a, b, bytes),
            [a, b, c] => memchr::memchr3(a, b, c, bytes),
            _ => bytes.iter().position(begins),
        }
    }
}

/// The place of the first `byte` in `bytes`.
#[inline]
pub(crate) fn find_byte(bytes: &[u8], byte: u8) -> Option<usize> {
    if bytes.len() < SHORT { bytes.iter().position(|&b| b == byte) } else { memchr::memchr(byte, bytes) }
}

/// True if `byte` is in `bytes`.
#[inline]
pub(crate) fn contains(bytes: &[u8], byte: u8) -> bool {
    if bytes.len() < SHORT { bytes.contains(&byte) } else { memchr::memchr(byte, bytes).is_some() }
}

/// What stands at a place, held against a set of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found<'w, T> {
    /// None of them.
    No,
    /// The input ends inside what may become one; this is the shortest it may become.
    Maybe(&'w str),
    /// One, with its length.
    Yes(T, usize),
}

/// Steps that one look for a marker counts: it compares a few bytes with each of a few words.
pub(crate) const LOOK: u64 = 8;

/// True if one of them begins with the other. Nearly all words have 8 to 16 bytes: two comparisons of eight, which overlap, spare
/// a call of `memcmp`, which would be most of the cost.
#[inline]
fn agree(bytes: &[u8], word: &[u8]) -> bool {
    // Tags differ in their third byte most often.
    if let (Some(a), Some(b)) = (bytes.get(2), word.get(2))
        && a != b
    {
        return false;
    }
    let len = bytes.len().min(word.len());
    let (bytes, word) = (&bytes[..len], &word[..len]);
    match (bytes.first_chunk::<8>(), word.first_chunk::<8>()) {
        (Some(a), Some(b)) if a != b => false,
        (Some(_), Some(_)) if len <= 16 => bytes.last_chunk::<8>() == word.last_chunk::<8>(),
        (Some(_), Some(_)) => bytes[8..] == word[8..],
        _ => bytes.iter().zip(word).all(|(a, b)| a == b),
    }
}

/// Holds the start of some bytes against words, one by one. The longest whole word wins, unless a longer one may still come.
pub(crate) struct Look<'b, 'w, T> {
    bytes: &'b [u8],
    eof: bool,
    found: Found<'w, T>,
    longest: usize,
    maybe: usize,
    shortest: &'w str,
}

impl<'b, 'w, T: Copy> Look<'b, 'w, T> {
    /// A look at `bytes`; `eof` if no more follow.
    #[inline]
    pub const fn new(bytes: &'b [u8], eof: bool) -> Self {
        Self { bytes, eof, found: Found::No, longest: 0, maybe: 0, shortest: "" }
    }

    /// Holds them against `word`.
    #[inline]
    pub fn word(&mut self, word: &'w str, value: T) {
        if agree(self.bytes, word.as_bytes()) {
            self.note(word, value);
        }
    }

    fn note(&mut self, word: &'w str, value: T) {
        if self.bytes.len() >= word.len() {
            if word.len() > self.longest {
                self.found = Found::Yes(value, word.len());
                self.longest = word.len();
            }
        } else if !self.eof {
            if self.maybe == 0 || word.len() < self.shortest.len() {
                self.shortest = word;
            }
            self.maybe = self.maybe.max(word.len());
        }
    }

    /// What it is.
    #[inline]
    pub const fn end(self) -> Found<'w, T> {
        if self.maybe > self.longest { Found::Maybe(self.shortest) } else { self.found }
    }
}

/// Holds the start of `bytes` against `words`.
#[inline]
pub(crate) fn find<'w, T: Copy>(bytes: &[u8], words: impl Iterator<Item = (&'w str, T)>, eof: bool) -> Found<'w, T> {
    find_of(bytes, words, |_| true, eof)
}

/// The same for the words whose meaning is `active` now: asked last, because few words agree.
#[inline]
pub(crate) fn find_of<'w, T: Copy>(
    bytes: &[u8],
    words: impl Iterator<Item = (&'w str, T)>,
    active: impl Fn(T) -> bool,
    eof: bool,
) -> Found<'w, T> {
    let mut look = Look::new(bytes, eof);
    // Not a loop: chained lists are walked through faster from inside.
    words.for_each(|(word, value)| {
        if agree(bytes, word.as_bytes()) && active(value) {
            look.note(word, value);
        }
    });
    look.end()
}

/// As [`find`], where a word that ends in `>` may have a suffix before it.
pub(crate) fn find_suffixed<'w, T: Copy>(bytes: &[u8], words: impl Iterator<Item = (&'w str, T)>, eof: bool) -> Found<'w, T> {
    let mut maybe = None;
    for (word, value) in words {
        let Some(stem) = word.strip_suffix('>') else {
            match find(bytes, std::iter::once((word, value)), eof) {
                Found::No => continue,
                Found::Maybe(word) => maybe = Some(word),
                yes @ Found::Yes(..) => return yes,
            }
            continue;
        };
        if !bytes.starts_with(stem.as_bytes()) {
            if !eof && stem.as_bytes().starts_with(bytes) {
                maybe = Some(word);
            }
            continue;
        }
        let rest = &bytes[stem.len()..];
        match (rest.first(), suffix(rest)) {
            (Some(b'>'), _) => return Found::Yes(value, word.len()),
            (_, Some((len, true))) => return Found::Yes(value, word.len() + len),
            // What a cut suffix may become is no word of the row.
            (None, _) | (_, Some((_, false))) if !eof => maybe = Some(""),
            _ => {}
        }
    }
    maybe.map_or(Found::No, Found::Maybe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_marker_is_awaited_and_a_broken_one_is_not() {
        let words = || [("<tool_call>", 1), ("<think>", 2)].into_iter();
        assert_eq!(find(b"<t", words(), false), Found::Maybe("<think>"));
        assert_eq!(find(b"<t", words(), true), Found::No);
        assert_eq!(find(b"<tx", words(), false), Found::No);
        assert_eq!(find(b"<think>x", words(), false), Found::Yes(2, 7));
    }

    #[test]
    fn the_longest_word_wins_when_it_has_come() {
        let words = || [("<a>", 1), ("<a>b", 2)].into_iter();
        assert_eq!(find(b"<a>", words(), false), Found::Maybe("<a>b"));
        assert_eq!(find(b"<a>", words(), true), Found::Yes(1, 3));
        assert_eq!(find(b"<a>b", words(), false), Found::Yes(2, 4));
        assert_eq!(find(b"<a>c", words(), false), Found::Yes(1, 3));
    }

    #[test]
    fn a_suffix_of_any_letters_belongs_to_the_tag() {
        let words = || [("<tool_call>", 1), ("<tool_calls>", 2)].into_iter();
        assert_eq!(find_suffixed(b"<tool_call:6124c78e>x", words(), false), Found::Yes(1, 20));
        assert_eq!(find_suffixed(b"<tool_calls:a>", words(), false), Found::Yes(2, 14));
        assert_eq!(find_suffixed(b"<tool_call>", words(), false), Found::Yes(1, 11));
        assert_eq!(find_suffixed(b"<tool_call:6124", words(), false), Found::Maybe(""));
        assert_eq!(find_suffixed(b"<tool_call:6124", words(), true), Found::No);
        assert_eq!(find_suffixed(b"<tool_call:>", words(), false), Found::No);
        assert_eq!(find_suffixed(b"<tool_call:01234567890123456>", words(), false), Found::No);
    }
}
