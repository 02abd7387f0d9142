//! A strict JSON value, read a slice at a time. Every byte is looked at once.

use crate::text::is_space;

/// How a slice ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scan {
    /// All bytes were read; the value goes on.
    More,
    /// The value closed after this many bytes of the slice.
    Done(usize),
    /// The byte at this place of the slice cannot stand there.
    Bad(usize),
    /// The byte at this place would nest too deep.
    Deep(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Value,
    /// After `[`.
    ItemOrEnd,
    /// After `{`.
    KeyOrEnd,
    Key,
    Colon,
    /// After a value inside a container.
    CommaOrEnd,
    String {
        key: bool,
    },
    Escape {
        key: bool,
    },
    Hex {
        key: bool,
        left: u8,
    },
    Minus,
    Zero,
    Whole,
    Point,
    Fraction,
    Exp,
    ExpSign,
    ExpDigits,
    /// In the word that begins with this byte, before its byte number `next`.
    Word {
        first: u8,
        next: u8,
    },
    Done,
}

/// The word of JSON that begins with `first`.
const fn word(first: u8) -> &'static [u8] {
    match first {
        b't' => b"true",
        b'f' => b"false",
        _ => b"null",
    }
}

/// Some of the bytes that values other than strings and numbers begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Noted(u8);

impl Noted {
    const BYTES: &[u8] = b"{[tfn-";

    /// Those of them that `wanted` holds for.
    pub fn of(wanted: impl Fn(u8) -> bool) -> Self {
        Self(Self::BYTES.iter().enumerate().map(|(i, &b)| u8::from(wanted(b)) << i).sum())
    }

    /// True if a word begins with one of them.
    const fn any_word(self) -> bool {
        self.0 & 0b1_1100 != 0
    }

    /// True if `b` is one of them.
    pub fn contains(self, b: u8) -> bool {
        self.0 != 0 && Self::BYTES.iter().enumerate().any(|(i, &byte)| byte == b && self.0 >> i & 1 == 1)
    }
}

/// Open containers, a bit each: set for an object. The first 128, which is the default cap, need no allocation.
#[derive(Debug, Clone, Default)]
struct Nesting {
    depth: usize,
    /// True if the innermost is an object.
    object: bool,
    low: u128,
    high: Vec<bool>,
}

impl Nesting {
    const LOW: usize = 128;

    fn push(&mut self, object: bool) {
        if self.depth < Self::LOW {
            self.low = self.low & !(1 << self.depth) | u128::from(object) << self.depth;
        } else {
            self.high.push(object);
        }
        self.depth += 1;
        self.object = object;
    }

    fn pop(&mut self) {
        if self.depth > Self::LOW {
            self.high.pop();
        }
        self.depth = self.depth.saturating_sub(1);
        self.object = self.depth > 0 && self.at(self.depth - 1);
    }

    fn at(&self, level: usize) -> bool {
        if level < Self::LOW { self.low >> level & 1 == 1 } else { self.high[level - Self::LOW] }
    }

    fn last(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.object)
    }

    /// The closers of all that is open, innermost first.
    fn closers(&self) -> String {
        (0..self.depth).rev().map(|level| if self.at(level) { '}' } else { ']' }).collect()
    }
}

/// A resumable strict JSON scanner for one value.
#[derive(Debug, Clone)]
pub(crate) struct JsonScan {
    at: At,
    stack: Nesting,
    limit: usize,
    /// Bytes read.
    read: usize,
    /// Bytes whose last place is noted.
    noted: Noted,
    /// Last place outside a string where a value began with one of them, in bytes read.
    pub last_noted: Option<usize>,
}

impl JsonScan {
    /// A scanner that admits `limit` nested containers.
    pub fn new(limit: usize) -> Self {
        Self { at: At::Value, stack: Nesting::default(), limit, read: 0, noted: Noted::default(), last_noted: None }
    }

    /// The same, noting where values begin with one of these bytes.
    pub fn noting(limit: usize, noted: Noted) -> Self {
        Self { noted, ..Self::new(limit) }
    }

    /// A scanner for the rest of an object, behind one of its values.
    pub fn rest_of_object(limit: usize, noted: Noted) -> Self {
        let mut scan = Self { at: At::CommaOrEnd, ..Self::noting(limit, noted) };
        scan.stack.push(true);
        scan
    }

    /// Reads `bytes`. A number at top level ends at the first byte that is no part of it; that byte is not read.
    #[expect(clippy::too_many_lines, reason = "one arm a state of the JSON grammar")]
    pub fn scan(&mut self, bytes: &[u8]) -> Scan {
        let mut i = 0;
        let result = loop {
            let Some(&b) = bytes.get(i) else { break Scan::More };
            match self.at {
                At::String { key } => {
                    // The long runs are here.
                    i = string_stop(bytes, i);
                    match bytes.get(i) {
                        None => break Scan::More,
                        Some(b'"') => {
                            i += 1;
                            if key {
                                self.at = At::Colon;
                            } else if self.closed_value() {
                                break Scan::Done(i);
                            }
                        }
                        Some(b'\\') => {
                            i += 1;
                            self.at = At::Escape { key };
                        }
                        Some(_) => break Scan::Bad(i),
                    }
                    continue;
                }
                At::Escape { key } => {
                    self.at = match b {
                        b if is_simple_escape(b) => At::String { key },
                        b'u' => At::Hex { key, left: 4 },
                        _ => break Scan::Bad(i),
                    };
                }
                At::Hex { key, left } => {
                    if !b.is_ascii_hexdigit() {
                        break Scan::Bad(i);
                    }
                    self.at = if left == 1 { At::String { key } } else { At::Hex { key, left: left - 1 } };
                }
                At::Word { first, next } => {
                    let word = word(first);
                    if b != word[usize::from(next)] {
                        break Scan::Bad(i);
                    }
                    if usize::from(next) + 1 == word.len() {
                        if self.closed_value() {
                            break Scan::Done(i + 1);
                        }
                    } else {
                        self.at = At::Word { first, next: next + 1 };
                    }
                }
                At::Minus => {
                    self.at = match b {
                        b'0' => At::Zero,
                        b'1'..=b'9' => At::Whole,
                        _ => break Scan::Bad(i),
                    };
                }
                At::Point => match b {
                    b'0'..=b'9' => self.at = At::Fraction,
                    _ => break Scan::Bad(i),
                },
                At::Exp => match b {
                    b'+' | b'-' => self.at = At::ExpSign,
                    b'0'..=b'9' => self.at = At::ExpDigits,
                    _ => break Scan::Bad(i),
                },
                At::ExpSign => match b {
                    b'0'..=b'9' => self.at = At::ExpDigits,
                    _ => break Scan::Bad(i),
                },
                At::Zero | At::Whole | At::Fraction | At::ExpDigits => match (self.at, b) {
                    (At::Whole | At::Fraction | At::ExpDigits, b'0'..=b'9') => {}
                    (At::Zero | At::Whole, b'.') => self.at = At::Point,
                    (At::Zero | At::Whole | At::Fraction, b'e' | b'E') => self.at = At::Exp,
                    _ => {
                        if self.closed_value() {
                            break Scan::Done(i);
                        }
                        // The byte belongs to the container.
                        continue;
                    }
                },
                _ if is_space(b) && self.at != At::Done => {}
                At::Value | At::ItemOrEnd => match b {
                    b'"' => self.at = At::String { key: false },
                    b'{' | b'[' => {
                        if self.stack.depth == self.limit {
                            break Scan::Deep(i);
                        }
                        self.stack.push(b == b'{');
                        self.note(b, i);
                        self.at = if b == b'{' { At::KeyOrEnd } else { At::ItemOrEnd };
                    }
                    b']' if self.at == At::ItemOrEnd => {
                        self.stack.pop();
                        if self.closed_value() {
                            break Scan::Done(i + 1);
                        }
                    }
                    b'-' => {
                        self.note(b, i);
                        self.at = At::Minus;
                    }
                    b'0' => self.at = At::Zero,
                    b'1'..=b'9' => self.at = At::Whole,
                    b't' | b'f' | b'n' => {
                        self.note(b, i);
                        self.at = At::Word { first: b, next: 1 };
                    }
                    _ => break Scan::Bad(i),
                },
                At::KeyOrEnd | At::Key => match b {
                    b'"' => {
                        let (members, closed) = plain_members(&bytes[i..], !self.noted.any_word());
                        if members > 0 {
                            i += members;
                            self.at = if closed { At::CommaOrEnd } else { At::Key };
                            continue;
                        }
                        self.at = At::String { key: true };
                    }
                    b'}' if self.at == At::KeyOrEnd => {
                        self.stack.pop();
                        if self.closed_value() {
                            break Scan::Done(i + 1);
                        }
                    }
                    _ => break Scan::Bad(i),
                },
                At::Colon => match b {
                    b':' => self.at = At::Value,
                    _ => break Scan::Bad(i),
                },
                At::CommaOrEnd => match (b, self.stack.last()) {
                    (b',', Some(true)) => self.at = At::Key,
                    (b',', Some(false)) => self.at = At::Value,
                    (b'}', Some(true)) | (b']', Some(false)) => {
                        self.stack.pop();
                        if self.closed_value() {
                            break Scan::Done(i + 1);
                        }
                    }
                    _ => break Scan::Bad(i),
                },
                At::Done => break Scan::Done(i),
            }
            i += 1;
        };
        self.read += match result {
            Scan::More => bytes.len(),
            Scan::Done(n) | Scan::Bad(n) | Scan::Deep(n) => n,
        };
        result
    }

    /// Notes the byte at `i` of the slice, if it is one of those.
    fn note(&mut self, b: u8, i: usize) {
        if self.noted.contains(b) {
            self.last_noted = Some(self.read + i);
        }
    }

    /// Reads `bytes` if all of them are the inside of a string, with simple escapes at most; false, and nothing read, if not.
    #[inline]
    pub fn absorb(&mut self, bytes: &[u8]) -> bool {
        let (key, from) = match self.at {
            At::String { key } => (key, 0),
            At::Escape { key } if bytes.first().is_some_and(|&b| is_simple_escape(b)) => (key, 1),
            _ => return false,
        };
        self.at = match bytes[string_stop(bytes, from)..] {
            [] => At::String { key },
            [b'\\'] => At::Escape { key },
            _ => return false,
        };
        self.read += bytes.len();
        true
    }

    /// How many of `bytes`, which come next, are the inside of a string that is open.
    pub fn inside(&self, bytes: &[u8]) -> usize {
        if matches!(self.at, At::String { .. }) { string_stop(bytes, 0) } else { 0 }
    }

    /// A value closed; true if it was the whole.
    fn closed_value(&mut self) -> bool {
        self.at = if self.stack.depth == 0 { At::Done } else { At::CommaOrEnd };
        self.at == At::Done
    }

    /// The closers that alone complete the value, if closers alone do: never inside a string, key, number or word, never
    /// where a value is due (semantics 8). Empty when the value is done.
    pub fn closers(&self) -> Option<String> {
        match self.at {
            At::ItemOrEnd | At::KeyOrEnd | At::CommaOrEnd | At::Done => Some(self.stack.closers()),
            _ => None,
        }
    }

    /// True if a number at top level is complete as it stands.
    pub fn is_whole_number(&self) -> bool {
        self.stack.depth == 0 && matches!(self.at, At::Zero | At::Whole | At::Fraction | At::ExpDigits)
    }
}

/// Length of the run of whole members in the spelling that nearly all models use: `"k": `, a string, a whole number or, if `words`,
/// a word, and `, ` or the object's `}`, which is not counted; true with the latter. A turn of the scanner's loop for each of their
/// bytes was a fifth of a short call. What is not read here, the scanner looks at once more.
fn plain_members(bytes: &[u8], words: bool) -> (usize, bool) {
    let mut i = 0;
    loop {
        let rest = &bytes[i..];
        let [b'"', inside @ ..] = rest else { return (i, false) };
        let key = string_stop(inside, 0);
        let [b'"', b':', b' ', first, value @ ..] = &inside[key..] else { return (i, false) };
        let len = match first {
            b'"' => string_stop(value, 0),
            b'1'..=b'9' => value.iter().position(|b| !b.is_ascii_digit()).unwrap_or(value.len()),
            b't' | b'f' | b'n' if words && value.starts_with(&word(*first)[1..]) => word(*first).len() - 1,
            _ => return (i, false),
        };
        let after = match (first, &value[len..]) {
            (b'"', [b'"', after @ ..]) => after,
            (b'"', _) => return (i, false),
            (_, after) => after,
        };
        match after {
            [b',', b' ', next @ ..] => i = bytes.len() - next.len(),
            [b'}', ..] => return (bytes.len() - after.len(), true),
            _ => return (i, false),
        }
    }
}

/// The length of the object that `bytes` begin with, if all of its members are plain.
pub(crate) fn flat_object(bytes: &[u8], noted: Noted) -> Option<usize> {
    match bytes {
        [b'{', b'}', ..] => Some(2),
        [b'{', members @ ..] => {
            let (len, closed) = plain_members(members, !noted.any_word());
            closed.then_some(len + 2)
        }
        _ => None,
    }
}

/// True for what a backslash in a string may stand before, but for `u`.
#[inline]
const fn is_simple_escape(b: u8) -> bool {
    matches!(b, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// The place, from `i` on, of the first byte in the inside of a string that is neither plain nor part of a simple escape.
fn string_stop(bytes: &[u8], mut i: usize) -> usize {
    loop {
        i += string_run(&bytes[i..]);
        match bytes[i..] {
            [b'\\', b, ..] if is_simple_escape(b) => i += 2,
            _ => return i,
        }
    }
}

/// Where the first byte of eight that is `"`, `\` or a control character stands.
#[inline]
const fn stop_in(word: [u8; 8]) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = ONES << 7;
    const QUOTES: u64 = ONES * b'"' as u64;
    const SLASHES: u64 = ONES * b'\\' as u64;
    // A byte's top bit is set where it is one of those. What borrows set above the first does not count.
    let word = u64::from_le_bytes(word);
    let (quote, slash) = (word ^ QUOTES, word ^ SLASHES);
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let found = (quote.wrapping_sub(ONES) & !quote | slash.wrapping_sub(ONES) & !slash | control) & TOPS;
    if found == 0 { None } else { Some(found.trailing_zeros() as usize / 8) }
}

/// Length of the run without `"`, `\` and control characters.
#[inline]
pub(crate) fn string_run(bytes: &[u8]) -> usize {
    /// Most strings end within these many bytes.
    const SHORT: usize = 32;
    let mut done = 0;
    while done < SHORT {
        let Some(word) = bytes[done..].first_chunk::<8>() else {
            let rest = &bytes[done..];
            return done + rest.iter().position(|&b| is_stop(b)).unwrap_or(rest.len());
        };
        if let Some(at) = stop_in(*word) {
            return done + at;
        }
        done += 8;
    }
    done + long_run(&bytes[done..])
}

#[inline]
const fn is_stop(b: u8) -> bool {
    matches!(b, b'"' | b'\\' | 0..0x20)
}

/// The same, a block at a time: the test without early exit is what the compiler turns into vector code.
fn long_run(bytes: &[u8]) -> usize {
    const BLOCK: usize = 32;
    let mut done = 0;
    for block in bytes.chunks(BLOCK) {
        let any = block.iter().fold(0, |any, &b| any | u8::from(b == b'"') | u8::from(b == b'\\') | u8::from(b < 0x20));
        if any != 0 {
            return done + block.iter().position(|&b| is_stop(b)).unwrap_or(block.len());
        }
        done += block.len();
    }
    bytes.len()
}

/// True if `text` is one strict JSON value and nothing else but white space.
pub(crate) fn is_json(text: &str, depth: usize) -> bool {
    let mut scan = JsonScan::new(depth);
    match scan.scan(text.as_bytes()) {
        Scan::Done(n) => text[n..].bytes().all(is_space),
        Scan::More => scan.is_whole_number(),
        Scan::Bad(_) | Scan::Deep(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn strictness_is_that_of_serde_json() {
        for text in [
            "{}",
            "[]",
            "[1,2]",
            r#"{"a":{"b":[true,null,-1.5e+3]}}"#,
            "1",
            "-0",
            "01",
            "1.",
            "1e",
            "{,}",
            "[1,]",
            r#"{"a":1,}"#,
            r#"{"a"}"#,
            "\"\\d\"",
            "\"a\tb\"",
            "nul",
            "null",
            "true ",
            " [ ] ",
            "]",
            "}",
            "[}",
            "{]",
            r#"{"a":}"#,
            "\"\\u00e9\"",
            "\"\\u00g9\"",
            "1 2",
            "--1",
            "",
        ] {
            assert_eq!(is_json(text, 128), serde_json::from_str::<serde_json::Value>(text).is_ok(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_cut_scans_as_the_whole(text in r#"[\[\]{}",:0-9eE.+\-truefalsn\\u ]{0,24}"#, size in 1usize..4) {
            let mut once = JsonScan::noting(8, Noted::of(|b| b"[{f".contains(&b)));
            let whole = once.scan(text.as_bytes());
            let mut cut = JsonScan::noting(8, Noted::of(|b| b"[{f".contains(&b)));
            let mut at = 0;
            let mut last = Scan::More;
            for chunk in text.as_bytes().chunks(size) {
                last = cut.scan(chunk);
                match last {
                    Scan::More => at += chunk.len(),
                    Scan::Done(n) => { last = Scan::Done(at + n); break }
                    Scan::Bad(n) => { last = Scan::Bad(at + n); break }
                    Scan::Deep(n) => { last = Scan::Deep(at + n); break }
                }
            }
            prop_assert_eq!(last, whole);
            prop_assert_eq!(cut.last_noted, once.last_noted);
        }

        #[test]
        fn members_of_the_usual_spelling_scan_as_others(text in r#"[{]("k": ("v\\"v?"|12|0|-1|true|[{][}]|[{]"a": 1[}]|"v|\[1)(, |,|  ,)?){0,4}[}]?[}]?"#) {
            let mut once = JsonScan::noting(8, Noted::of(|b| b"[{f".contains(&b)));
            let whole = once.scan(text.as_bytes());
            let mut single = JsonScan::noting(8, Noted::of(|b| b"[{f".contains(&b)));
            let mut last = Scan::More;
            for (at, byte) in text.as_bytes().chunks(1).enumerate() {
                last = match single.scan(byte) {
                    Scan::More => continue,
                    Scan::Done(n) => Scan::Done(at + n),
                    Scan::Bad(n) => Scan::Bad(at + n),
                    Scan::Deep(n) => Scan::Deep(at + n),
                };
                break;
            }
            prop_assert_eq!(last, whole);
            prop_assert_eq!(single.last_noted, once.last_noted);
            prop_assert_eq!(single.closers(), once.closers());
            prop_assert_eq!(matches!(whole, Scan::Done(_)), serde_json::from_str::<serde_json::Value>(&text[..if let Scan::Done(n) = whole { n } else { text.len() }]).is_ok());
        }

        #[test]
        fn agrees_with_serde_json(text in r#"[\[\]{}",:0-9eE.+\-truefalsn\\u ]{0,12}"#) {
            prop_assert_eq!(is_json(&text, 128), serde_json::from_str::<serde_json::Value>(&text).is_ok() || lone_surrogate(&text) || huge(&text));
        }
    }

    proptest! {
        #[test]
        fn a_run_ends_at_the_first_byte_that_is_not_plain(text in r#"[a-z\xA0\u{1}\u{1f}\u{7f}é"\\!#\[\]]{0,80}"#, from in 0usize..40) {
            let bytes = text.as_bytes().get(from..).unwrap_or_default();
            let plain = |&b: &u8| b != b'"' && b != b'\\' && b >= 0x20;
            prop_assert_eq!(string_run(bytes), bytes.iter().take_while(|b| plain(b)).count());
        }

        #[test]
        fn what_is_absorbed_is_what_is_read(text in r#"[a"\\nuf0\u{1}]{0,12}"#, size in 1usize..5) {
            let scan = |absorbs: bool| {
                let mut scan = JsonScan::new(8);
                let mut results = vec![scan.scan(b"\"")];
                for chunk in text.as_bytes().chunks(size) {
                    results.push(if absorbs && scan.absorb(chunk) { Scan::More } else { scan.scan(chunk) });
                    if results.last() != Some(&Scan::More) {
                        break;
                    }
                }
                (results, scan.at, scan.read)
            };
            prop_assert_eq!(scan(true), scan(false));
        }
    }

    /// `serde_json` refuses lone surrogates, which the JSON grammar admits.
    fn lone_surrogate(text: &str) -> bool {
        serde_json::from_str::<serde_json::Value>(text).is_err_and(|e| e.to_string().contains("surrogate")) && is_json(text, 128)
    }

    /// `serde_json` refuses numbers beyond f64.
    fn huge(text: &str) -> bool {
        serde_json::from_str::<serde_json::Value>(text).is_err_and(|e| e.to_string().contains("out of range")) && is_json(text, 128)
    }
}
