//! JSON text: strings escaped and unescaped, values printed compact with non-ASCII literal (semantics 6).

use std::borrow::Cow;

use crate::scan::{is_json, string_run};

/// JSON's white space, which all grammars share.
pub(crate) const fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t' | b'\n' | b'\r')
}

/// From this size on a buffer grows by a quarter and no longer doubles: what is held must stay under twice the open call.
pub(crate) const LARGE: usize = 64 * 1024;

/// Makes room for `len` more bytes.
pub(crate) fn make_room(out: &mut String, len: usize) {
    if out.capacity() - out.len() >= len {
        return;
    }
    if out.len().max(len) < LARGE {
        out.reserve(len);
    } else {
        out.reserve_exact(len.max(out.len() / 4));
    }
}

/// Appends `text` as the inside of a JSON string.
pub(crate) fn push_escaped(out: &mut String, text: &str) {
    let mut rest = text;
    loop {
        let run = string_run(rest.as_bytes());
        out.push_str(&rest[..run]);
        let Some(&b) = rest.as_bytes().get(run) else { return };
        let escape: &str = match b {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            8 => "\\b",
            12 => "\\f",
            _ => "",
        };
        if escape.is_empty() {
            out.push_str("\\u00");
            out.push(char::from(b"0123456789abcdef"[usize::from(b >> 4)]));
            out.push(char::from(b"0123456789abcdef"[usize::from(b & 15)]));
        } else {
            out.push_str(escape);
        }
        rest = &rest[run + 1..];
    }
}

/// Appends `text` as a JSON string.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    push_escaped(out, text);
    out.push('"');
}

/// The same with room made for all of it first, and for the closers of what it stands in: a long value that outgrows its buffer would be
/// held twice.
pub(crate) fn push_long_string(out: &mut String, text: &str) {
    /// More than the closers of most calls.
    const CLOSERS: usize = 16;
    let escapes = text.bytes().map(|b| match b {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 1,
        0..0x20 => 5,
        _ => 0,
    });
    make_room(out, text.len() + escapes.sum::<usize>() + 2 + CLOSERS);
    push_string(out, text);
}

/// `text` as a JSON string.
pub(crate) fn string(text: &str) -> String {
    let mut out = String::new();
    push_long_string(&mut out, text);
    out
}

/// The text of a strict JSON string's inside. A lone surrogate becomes U+FFFD.
pub(crate) fn unescape(inside: &str) -> Cow<'_, str> {
    let Some(mut at) = memchr::memchr(b'\\', inside.as_bytes()) else { return Cow::Borrowed(inside) };
    let mut out = String::with_capacity(inside.len());
    let mut rest = inside;
    loop {
        out.push_str(&rest[..at]);
        let (c, len) = escape(&rest[at..]);
        out.push(c.unwrap_or('\u{fffd}'));
        rest = &rest[at + len..];
        let Some(next) = memchr::memchr(b'\\', rest.as_bytes()) else { break };
        at = next;
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The character of the escape that `text` begins with, and its length; `None` for a lone surrogate.
fn escape(text: &str) -> (Option<char>, usize) {
    let simple = |c| (Some(c), 2);
    match text.as_bytes().get(1) {
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'b') => simple('\u{8}'),
        Some(b'f') => simple('\u{c}'),
        Some(b'u') => {
            let unit = |at: usize| text.get(at..at + 4).and_then(|hex| u32::from_str_radix(hex, 16).ok());
            let high = unit(2).unwrap_or(0xfffd);
            if (0xd800..0xdc00).contains(&high)
                && text.get(6..8) == Some("\\u")
                && let Some(low) = unit(8).filter(|low| (0xdc00..0xe000).contains(low))
            {
                return (char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)), 12);
            }
            (char::from_u32(high), 6)
        }
        Some(&b) => simple(char::from(b)),
        None => (Some('\\'), 1),
    }
}

/// `text` printed compact if it is strict JSON: no white space between tokens, non-ASCII literal, digits and escapes of
/// control characters kept.
pub(crate) fn compact(text: &str, depth: usize) -> Option<String> {
    let mut out = String::new();
    if !push_compact(&mut out, text, depth) {
        return None;
    }
    if out.capacity() - out.len() > LARGE {
        // It will be copied.
        out.shrink_to_fit();
    }
    Some(out)
}

/// Appends what [`compact`] prints; false, and nothing is appended, if `text` is no strict JSON.
pub(crate) fn push_compact(out: &mut String, text: &str, depth: usize) -> bool {
    if !is_json(text, depth) {
        return false;
    }
    make_room(out, text.len());
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b if is_space(b) => i += 1,
            b'"' => {
                let end = string_end(bytes, i);
                out.push('"');
                push_literal(out, &text[i + 1..end - 1]);
                out.push('"');
                i = end;
            }
            b => {
                out.push(char::from(b));
                i += 1;
            }
        }
    }
    true
}

/// One past the closing quote of the string that opens at `open`.
fn string_end(bytes: &[u8], open: usize) -> usize {
    let mut i = open + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

/// The inside of a JSON string with `\u` escapes of characters that need none written literally.
fn push_literal(out: &mut String, inside: &str) {
    let mut rest = inside;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let (c, len) = escape(&rest[at..]);
        match c {
            Some(c) if rest.as_bytes().get(at + 1) == Some(&b'u') => push_escaped(out, c.encode_utf8(&mut [0; 4])),
            _ => out.push_str(&rest[at..at + len]),
        }
        rest = &rest[at + len..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compact_keeps_digits_and_writes_non_ascii_literally() {
        assert_eq!(compact(" { \"a\" : [ 1.0 , 9007199254740993 ] } ", 8).unwrap(), r#"{"a":[1.0,9007199254740993]}"#);
        assert_eq!(compact(r#""\u00e9 \ud83d\udc69 \n \u0000 \ud83d""#, 8).unwrap(), r#""é 👩 \n \u0000 \ud83d""#);
        assert_eq!(compact("{'a':1}", 8), None);
    }

    #[test]
    fn escapes_go_both_ways() {
        let text = "a\"\\\n\r\t\u{8}\u{c}\u{1}é👩";
        assert_eq!(unescape(&string(text)[1..string(text).len() - 1]), text);
        assert_eq!(serde_json::from_str::<String>(&string(text)).unwrap(), text);
    }
}
