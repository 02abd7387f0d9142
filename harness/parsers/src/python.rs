//! Python literals to JSON, a slice at a time. True/true, None/null at any depth; tuples become arrays; keys of dicts become
//! strings as Python's own `json.dumps` writes them. Strings with escapes and adjacent concatenation; no prefixes.

use crate::text::{is_space, push_escaped, push_string};

/// How a slice ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lit {
    /// All was read; the literal goes on.
    More,
    /// The literal ended before this byte, a `,` or a closer that belongs to the caller.
    Done(usize),
    /// No literal has this byte there.
    Bad(usize),
    /// The byte at this place would nest too deep.
    Deep(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Value,
    /// After an opening bracket.
    ValueOrEnd,
    Colon,
    After,
    Str {
        quote: u8,
    },
    Escape {
        quote: u8,
    },
    /// `\xhh`, `\uhhhh`, `\Uhhhhhhhh`: digits left and the value so far.
    Hex {
        quote: u8,
        left: u8,
        value: u32,
    },
    Octal {
        quote: u8,
        left: u8,
        value: u32,
    },
    /// A string closed; another may follow and continue it.
    AfterStr,
    Number,
    Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nest {
    List,
    /// A `(`: an array once a comma comes. Where its `[` belongs in the output.
    Paren {
        at: usize,
        comma: bool,
    },
    /// True while a key is due or being read.
    Dict {
        key: bool,
    },
}

/// Longest word that is a literal (`False`).
const WORD: usize = 5;

/// A resumable transcoder for one literal.
#[derive(Debug)]
pub(crate) struct PyLiteral {
    at: At,
    stack: Vec<Nest>,
    limit: usize,
    /// A comma was read and its JSON comma is not written yet (Python admits trailing commas).
    comma: bool,
    /// Bytes that may follow the literal.
    ends: &'static [u8],
    /// True if `true`, `false` and `null` are no words.
    pythonic: bool,
    token: String,
    /// Position of the next byte.
    read: usize,
    /// Position of the last `[` outside a string.
    pub last_bracket: Option<usize>,
}

/// True for a byte that a literal, or white space before it, can begin with.
pub(crate) const fn starts_literal(b: u8) -> bool {
    is_space(b)
        || matches!(b, b'\'' | b'"' | b'[' | b'{' | b'(' | b'-' | b'+' | b'.' | b'0'..=b'9' | b'T' | b't' | b'F' | b'f' | b'N' | b'n')
}

impl PyLiteral {
    /// A transcoder that admits `limit` nested containers; its first byte stands at position `at`.
    pub fn new(at: usize, limit: usize) -> Self {
        Self::until(at, limit, b",)")
    }

    /// The same for a literal that one of `ends` follows.
    pub fn until(at: usize, limit: usize, ends: &'static [u8]) -> Self {
        let (stack, token) = (Vec::new(), String::new());
        Self { at: At::Value, stack, limit, comma: false, ends, pythonic: false, token, read: at, last_bracket: None }
    }

    /// Reads `text` and appends JSON to `out`.
    pub fn push(&mut self, text: &str, out: &mut String) -> Lit {
        let result = self.read(text, out);
        self.read += match result {
            Lit::More => text.len(),
            Lit::Done(n) | Lit::Bad(n) | Lit::Deep(n) => n,
        };
        result
    }

    /// Reads `text` if all of it is the plain inside of a string; false, and nothing read, if not.
    #[inline]
    pub fn absorb(&mut self, text: &str, out: &mut String) -> bool {
        let At::Str { quote } = self.at else { return false };
        if text.bytes().any(|b| b == quote || b == b'\\' || b == b'"' || b < 0x20) {
            return false;
        }
        out.push_str(text);
        self.read += text.len();
        true
    }

    /// How many of `bytes`, which come next, are the inside of a string that is open.
    pub fn inside(&self, bytes: &[u8]) -> usize {
        let At::Str { quote } = self.at else { return 0 };
        let mut at = 0;
        while let Some(run) = memchr::memchr2(quote, b'\\', &bytes[at..]) {
            at += run;
            if bytes[at] == quote {
                return at;
            }
            // The byte behind a backslash may be part of a longer escape, but ends no string.
            at += 2;
            if at >= bytes.len() {
                break;
            }
        }
        bytes.len()
    }

    #[expect(clippy::too_many_lines, reason = "one arm a state of the grammar")]
    fn read(&mut self, text: &str, out: &mut String) -> Lit {
        let bytes = text.as_bytes();
        let mut i = 0;
        loop {
            let Some(&b) = bytes.get(i) else { return Lit::More };
            match self.at {
                At::Str { quote } => {
                    let stop = bytes[i..].iter().position(|&b| b == quote || b == b'\\').map_or(bytes.len(), |n| i + n);
                    push_escaped(out, &text[i..stop]);
                    i = stop;
                    match bytes.get(i) {
                        None => return Lit::More,
                        Some(b'\\') => self.at = At::Escape { quote },
                        Some(_) => self.at = At::AfterStr,
                    }
                }
                At::Escape { quote } => {
                    self.at = At::Str { quote };
                    match b {
                        b'x' => self.at = At::Hex { quote, left: 2, value: 0 },
                        b'u' => self.at = At::Hex { quote, left: 4, value: 0 },
                        b'U' => self.at = At::Hex { quote, left: 8, value: 0 },
                        b'0'..=b'7' => {
                            self.at = At::Octal { quote, left: 3, value: 0 };
                            continue;
                        }
                        b'\n' => {}
                        b'n' => out.push_str("\\n"),
                        b't' => out.push_str("\\t"),
                        b'r' => out.push_str("\\r"),
                        b'b' => out.push_str("\\b"),
                        b'f' => out.push_str("\\f"),
                        b'a' => out.push_str("\\u0007"),
                        b'v' => out.push_str("\\u000b"),
                        b'"' => out.push_str("\\\""),
                        b'\\' => out.push_str("\\\\"),
                        b'\'' => out.push('\''),
                        // `\N{...}` names a character by a table we do not carry.
                        b'N' => return Lit::Bad(i),
                        _ => {
                            // Python keeps the backslash of an escape it does not know.
                            out.push_str("\\\\");
                            continue;
                        }
                    }
                }
                At::Hex { quote, left, value } => {
                    let Some(digit) = char::from(b).to_digit(16) else { return Lit::Bad(i) };
                    let value = value * 16 + digit;
                    if left > 1 {
                        self.at = At::Hex { quote, left: left - 1, value };
                    } else if push_code(out, value) {
                        self.at = At::Str { quote };
                    } else {
                        return Lit::Bad(i);
                    }
                }
                At::Octal { quote, left, value } => {
                    if left > 0 && matches!(b, b'0'..=b'7') {
                        self.at = At::Octal { quote, left: left - 1, value: value * 8 + u32::from(b - b'0') };
                    } else {
                        push_code(out, value);
                        self.at = At::Str { quote };
                        continue;
                    }
                }
                At::AfterStr => match b {
                    b if is_space(b) => {}
                    b'\'' | b'"' => self.at = At::Str { quote: b },
                    _ => {
                        out.push('"');
                        self.closed();
                        continue;
                    }
                },
                At::Number => {
                    let exponent = !self.token.starts_with("0x") && self.token.ends_with(['e', 'E']);
                    if b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || (exponent && (b == b'+' || b == b'-')) {
                        self.token.push(char::from(b));
                    } else if self.number(out) {
                        continue;
                    } else {
                        return Lit::Bad(i);
                    }
                }
                At::Word => {
                    if b.is_ascii_alphanumeric() || b == b'_' {
                        if self.token.len() == WORD {
                            return Lit::Bad(i);
                        }
                        self.token.push(char::from(b));
                    } else if self.word(out) {
                        continue;
                    } else {
                        return Lit::Bad(i);
                    }
                }
                _ if is_space(b) => {}
                At::Value | At::ValueOrEnd => match self.value(b, i, out) {
                    None => {}
                    Some(result) => return result,
                },
                At::Colon => match b {
                    b':' => {
                        out.push(':');
                        if let Some(Nest::Dict { key }) = self.stack.last_mut() {
                            *key = false;
                        }
                        self.at = At::Value;
                    }
                    _ => return Lit::Bad(i),
                },
                At::After => {
                    if self.after(b, out).is_none() {
                        let ends = self.ends.contains(&b) && self.stack.is_empty();
                        return if ends { Lit::Done(i) } else { Lit::Bad(i) };
                    }
                }
            }
            i += 1;
        }
    }

    /// The first byte of a value, or a closing bracket.
    fn value(&mut self, b: u8, i: usize, out: &mut String) -> Option<Lit> {
        let empty = self.at == At::ValueOrEnd;
        if matches!(b, b']' | b')' | b'}') {
            // An empty container, or a trailing comma.
            return if (empty || self.comma) && self.close(b, out) { None } else { Some(Lit::Bad(i)) };
        }
        if std::mem::take(&mut self.comma) {
            out.push(',');
        }
        let key = matches!(self.stack.last(), Some(Nest::Dict { key: true }));
        match b {
            b'\'' | b'"' => {
                out.push('"');
                self.at = At::Str { quote: b };
            }
            b'[' | b'{' | b'(' if !key => {
                if self.stack.len() == self.limit {
                    return Some(Lit::Deep(i));
                }
                self.at = At::ValueOrEnd;
                match b {
                    b'[' => {
                        self.last_bracket = Some(self.read + i);
                        out.push('[');
                        self.stack.push(Nest::List);
                    }
                    b'{' => {
                        out.push('{');
                        self.stack.push(Nest::Dict { key: true });
                    }
                    _ => self.stack.push(Nest::Paren { at: out.len(), comma: false }),
                }
            }
            b'-' | b'+' | b'.' | b'0'..=b'9' => {
                self.token.clear();
                self.token.push(char::from(b));
                self.at = At::Number;
            }
            b'T' | b't' | b'F' | b'f' | b'N' | b'n' => {
                self.token.clear();
                self.token.push(char::from(b));
                self.at = At::Word;
            }
            _ => return Some(Lit::Bad(i)),
        }
        None
    }

    /// The byte after a value inside a container; `None` if it is not for us.
    fn after(&mut self, b: u8, out: &mut String) -> Option<()> {
        if b != b',' {
            return self.close(b, out).then_some(());
        }
        match self.stack.last_mut()? {
            Nest::List => {}
            Nest::Dict { key } => *key = true,
            Nest::Paren { at, comma } => {
                if !*comma {
                    *comma = true;
                    out.insert(*at, '[');
                }
            }
        }
        self.comma = true;
        self.at = At::Value;
        Some(())
    }

    /// A closing bracket; false if it does not match.
    fn close(&mut self, b: u8, out: &mut String) -> bool {
        let empty = self.at == At::ValueOrEnd;
        match (b, self.stack.last()) {
            (b']', Some(Nest::List)) | (b')', Some(Nest::Paren { comma: true, .. })) => out.push(']'),
            // A value is due after a colon.
            (b'}', Some(Nest::Dict { key })) if *key || self.at == At::After => out.push('}'),
            (b')', Some(Nest::Paren { .. })) if empty => out.push_str("[]"),
            (b')', Some(Nest::Paren { .. })) => {}
            _ => return false,
        }
        self.comma = false;
        self.stack.pop();
        self.closed();
        true
    }

    /// A value or key closed.
    fn closed(&mut self) {
        let key = matches!(self.stack.last(), Some(Nest::Dict { key: true }));
        self.at = if key { At::Colon } else { At::After };
    }

    fn scalar(&mut self, json: &str, out: &mut String) {
        if matches!(self.stack.last(), Some(Nest::Dict { key: true })) {
            push_string(out, json);
        } else {
            out.push_str(json);
        }
        self.closed();
    }

    fn number(&mut self, out: &mut String) -> bool {
        let Some(json) = number(&self.token) else { return false };
        self.scalar(&json, out);
        true
    }

    fn word(&mut self, out: &mut String) -> bool {
        let json = match self.token.as_str() {
            "True" => "true",
            "False" => "false",
            "None" => "null",
            "true" | "false" | "null" if !self.pythonic => self.token.as_str(),
            _ => return false,
        };
        let json = json.to_owned();
        self.scalar(&json, out);
        true
    }

    /// The text is over: settles a number, word or string that only its end could settle. True if the literal is whole.
    pub fn finish(&mut self, out: &mut String) -> bool {
        let settled = match self.at {
            At::AfterStr => {
                out.push('"');
                self.closed();
                true
            }
            At::Number => self.number(out),
            At::Word => self.word(out),
            _ => true,
        };
        settled && self.at == At::After && self.stack.is_empty()
    }

    /// Closes what is open, if closers alone do: never inside a string, key or number, never where a value is due.
    pub fn repair(&mut self, out: &mut String) -> bool {
        let settled = match self.at {
            At::AfterStr => {
                out.push('"');
                self.closed();
                true
            }
            At::Word => self.word(out),
            At::After | At::ValueOrEnd => true,
            _ => false,
        };
        if !settled || self.at == At::Colon {
            return false;
        }
        while let Some(nest) = self.stack.last() {
            let closer = match nest {
                Nest::List => b']',
                Nest::Dict { .. } => b'}',
                Nest::Paren { .. } => b')',
            };
            if !self.close(closer, out) {
                return false;
            }
        }
        true
    }

    /// How much of `out` will not change any more.
    pub fn settled(&self, out: &str) -> usize {
        let open = |nest: &Nest| if let Nest::Paren { at, comma: false } = nest { Some(*at) } else { None };
        self.stack.iter().find_map(open).unwrap_or(out.len())
    }
}

/// Appends a code point of a string escape; false if there is none. A surrogate stays an escape, which JSON admits.
pub(crate) fn push_code(out: &mut String, value: u32) -> bool {
    match char::from_u32(value) {
        Some(c) => push_escaped(out, c.encode_utf8(&mut [0; 4])),
        None if value < 0x1_0000 => {
            for shift in [12, 8, 4, 0] {
                if shift == 12 {
                    out.push_str("\\u");
                }
                out.push(char::from_digit(value >> shift & 15, 16).unwrap_or('0'));
            }
        }
        None => return false,
    }
    true
}

/// The JSON number of a Python number's text.
pub(crate) fn number(text: &str) -> Option<String> {
    let (sign, rest) = match text.as_bytes().first()? {
        b'-' => ("-", &text[1..]),
        b'+' => ("", &text[1..]),
        _ => ("", text),
    };
    let radix = match rest.get(..2) {
        Some("0x" | "0X") => 16,
        Some("0o" | "0O") => 8,
        Some("0b" | "0B") => 2,
        _ => 10,
    };
    if radix != 10 {
        // Wider than 128 bits is no literal here: the conversion to decimal would not be linear.
        let digits = rest[2..].strip_prefix('_').unwrap_or(&rest[2..]);
        let value = u128::from_str_radix(&underscored(digits, |b| b.is_ascii_alphanumeric())?, radix).ok()?;
        return Some(format!("{sign}{value}"));
    }
    let (mantissa, exponent) = rest.split_once(['e', 'E']).map_or((rest, None), |(m, e)| (m, Some(e)));
    let digits = |text: &str| underscored(text, |b| b.is_ascii_digit());
    let (whole, fraction) = mantissa.split_once('.').map_or((mantissa, None), |(w, f)| (w, Some(f)));
    if whole.is_empty() && fraction.is_none_or(str::is_empty) {
        return None;
    }
    let whole_digits = if whole.is_empty() { "0".to_owned() } else { digits(whole)? };
    let mut out = sign.to_owned();
    let trimmed = whole_digits.trim_start_matches('0');
    // Python writes no integer with leading zeros but zero itself.
    if fraction.is_none() && exponent.is_none() && trimmed.len() != whole_digits.len() && !trimmed.is_empty() {
        return None;
    }
    out.push_str(if trimmed.is_empty() { "0" } else { trimmed });
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(&if fraction.is_empty() { "0".to_owned() } else { digits(fraction)? });
    }
    if let Some(exponent) = exponent {
        let (sign, rest) = match exponent.as_bytes().first()? {
            b'-' => ("-", &exponent[1..]),
            b'+' => ("+", &exponent[1..]),
            _ => ("", exponent),
        };
        out.push('e');
        out.push_str(sign);
        out.push_str(&digits(rest)?);
    }
    Some(out)
}

/// Digits with single underscores between them, without the underscores.
fn underscored(text: &str, digit: impl Fn(u8) -> bool) -> Option<String> {
    let groups = text.split('_');
    let mut out = String::with_capacity(text.len());
    for group in groups {
        if group.is_empty() || !group.bytes().all(&digit) {
            return None;
        }
        out.push_str(group);
    }
    Some(out)
}

/// `text` as JSON if it is one Python literal and nothing else.
pub(crate) fn literal(text: &str, depth: usize) -> Option<String> {
    one(text, PyLiteral::new(0, depth))
}

/// The same in Python's own spelling only: no `true`, `false` or `null` at any depth.
pub(crate) fn plain_literal(text: &str, depth: usize) -> Option<String> {
    one(text, PyLiteral { pythonic: true, ..PyLiteral::new(0, depth) })
}

fn one(text: &str, mut reader: PyLiteral) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    match reader.push(text, &mut out) {
        Lit::More => reader.finish(&mut out).then_some(out),
        Lit::Done(_) | Lit::Bad(_) | Lit::Deep(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn literals_become_json() {
        let rows = [
            ("1", "1"),
            ("-1", "-1"),
            ("+1", "1"),
            ("1_000", "1000"),
            ("0x1F", "31"),
            ("0b101", "5"),
            (".5", "0.5"),
            ("5.", "5.0"),
            ("1e5", "1e5"),
            ("1.5E-3", "1.5e-3"),
            ("00.5", "0.5"),
            ("True", "true"),
            ("null", "null"),
            ("'a'", r#""a""#),
            (r#"'it\'s "x"'"#, r#""it's \"x\"""#),
            (r"'\d\x41\u00e9\U0001F600\101\0'", "\"\\\\dAé😀A\\u0000\""),
            ("'a' \"b\"", r#""ab""#),
            ("'a\nb'", r#""a\nb""#),
            ("[1, 'a', None,]", r#"[1,"a",null]"#),
            ("(1, 2)", "[1,2]"),
            ("(1,)", "[1]"),
            ("(1)", "1"),
            ("()", "[]"),
            ("((1), (2, (3, 4)))", "[1,[2,[3,4]]]"),
            ("{'a': True, 1: [], None: {}}", r#"{"a":true,"1":[],"null":{}}"#),
            ("{}", "{}"),
            (r"'\ud83d'", r#""\ud83d""#),
        ];
        for (text, want) in rows {
            assert_eq!(literal(text, 16).as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn what_is_no_literal_is_refused() {
        for text in [
            "",
            "x",
            "nan",
            "NaN",
            "007",
            "1__0",
            "0x",
            "[1",
            "{1}",
            "{'a'}",
            "{'a':}",
            "1 2",
            "[1 2]",
            "f(1)",
            "r'a'",
            "--1",
            "'a",
            "{[1]: 2}",
            "1j",
            ".",
            "[,]",
            "(,)",
            "{,}",
            "{'a':1,,}",
            r"'\xg1'",
            "True1",
        ] {
            assert_eq!(literal(text, 16), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_it_accepts_is_strict_json(text in r#"[\[\](){}'",:0-9eE.+\-_ TrueFalsNon\\xu]{0,16}"#) {
            if let Some(json) = literal(&text, 16) {
                prop_assert!(crate::scan::is_json(&json, 16), "{} -> {}", text, json);
            }
        }

        #[test]
        fn every_cut_reads_as_the_whole(text in r#"[\[\](){}'",:0-9eE. TrueFalsNon\\xu]{0,16}"#, size in 1usize..4) {
            let whole = literal(&text, 16);
            let mut out = String::new();
            let mut reader = PyLiteral::new(0, 16);
            let mut bad = false;
            for chunk in text.as_bytes().chunks(size) {
                if reader.push(std::str::from_utf8(chunk).unwrap(), &mut out) != Lit::More {
                    bad = true;
                    break;
                }
            }
            let cut = (!bad && reader.finish(&mut out)).then_some(out);
            prop_assert_eq!(cut, whole);
        }
    }
}
