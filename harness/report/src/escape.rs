//! Makes hostile text safe to show: corpus text, model output and whatever a subject says.
//!
//! Every control character, ANSI sequence, bidi override and invisible character becomes a visible mark, so that nothing
//! in a report can move the cursor, colour the screen, reorder a line or hide. Text is never dropped.

use std::borrow::Cow;
use std::fmt::Write as _;

/// What to do with ordinary white space.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Space {
    /// Newline and tab as marks, space as it is.
    Marked,
    /// Newline and tab as marks, space as `·`.
    Dotted,
    /// Newline kept, tab as four spaces.
    Kept,
}

/// `text` on one line: newline as `↵`, tab as `→`, other controls as control pictures, invisible characters as `\u{...}`.
#[must_use]
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    push_text(&mut out, text, Space::Marked);
    out
}

/// As [`visible`], for bytes: what is no UTF-8 becomes `\xNN`.
#[must_use]
pub fn visible_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 8);
    push_bytes(&mut out, bytes, Space::Marked);
    out
}

/// The lines of `bytes` with every white space visible: space `·`, tab `→`, newline `↵` at the end of its line.
#[must_use]
pub fn dotted_lines(bytes: &[u8]) -> Vec<String> {
    bytes
        .split_inclusive(|&b| b == b'\n')
        .map(|line| {
            let mut out = String::with_capacity(line.len() + 8);
            push_bytes(&mut out, line, Space::Dotted);
            out
        })
        .collect()
}

/// `text` with its lines kept and everything else that could act on a terminal made visible.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_text(&mut out, text, Space::Kept);
    out
}

/// `text` on one line of at most `width` characters; what is left out is marked with `…`.
#[must_use]
pub fn excerpt(text: &str, width: usize) -> String {
    shorten(&visible(text), width).into_owned()
}

/// At most `width` characters of `text`, the last one `…` if something was left out.
#[must_use]
pub fn shorten(text: &str, width: usize) -> Cow<'_, str> {
    if text.chars().nth(width).is_none() {
        return Cow::Borrowed(text);
    }
    let mut short: String = text.chars().take(width.saturating_sub(1)).collect();
    short.push('…');
    Cow::Owned(short)
}

/// The place of a cut, as in the failure look: `…before ┆ after…`, at most `reach` bytes on each side.
#[must_use]
pub fn around_cut(raw: &[u8], cut: usize, reach: usize) -> String {
    let cut = cut.min(raw.len());
    let start = back_to_char(raw, cut.saturating_sub(reach), cut);
    let end = forward_to_char(raw, cut.saturating_add(reach).min(raw.len()));
    let mut out = String::new();
    if start > 0 {
        out.push('…');
    }
    push_bytes(&mut out, &raw[start..cut], Space::Marked);
    out.push_str(" ┆ ");
    push_bytes(&mut out, &raw[cut..end], Space::Marked);
    if end < raw.len() {
        out.push('…');
    }
    out
}

/// JSON text with every invisible character as `\u` escape. Such characters stand in strings only, so the values stay equal.
#[must_use]
pub fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unseen(c) || c == '\u{7f}' {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// A Markdown code span that no text can break out of, in a table cell too. Mentions, links and HTML are inert in it.
#[must_use]
pub fn code_span(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    let pad = if text.is_empty() || text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']) { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn back_to_char(raw: &[u8], at: usize, limit: usize) -> usize {
    (at..limit).find(|&i| !is_continuation(raw[i])).unwrap_or(at)
}

fn forward_to_char(raw: &[u8], at: usize) -> usize {
    (at..raw.len()).find(|&i| !is_continuation(raw[i])).unwrap_or(raw.len())
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

fn push_bytes(out: &mut String, bytes: &[u8], space: Space) {
    for chunk in bytes.utf8_chunks() {
        push_text(out, chunk.valid(), space);
        for byte in chunk.invalid() {
            let _ = write!(out, "\\x{byte:02x}");
        }
    }
}

fn push_text(out: &mut String, text: &str, space: Space) {
    for c in text.chars() {
        match (c, space) {
            ('\n', Space::Kept) => out.push('\n'),
            ('\t', Space::Kept) => out.push_str("    "),
            ('\n', _) => out.push('↵'),
            ('\t', _) => out.push('→'),
            (' ', Space::Dotted) => out.push('·'),
            ('\u{0}'..='\u{1f}', _) => out.push(char::from_u32(0x2400 + u32::from(c)).unwrap_or('␀')),
            ('\u{7f}', _) => out.push('␡'),
            _ if is_unseen(c) => {
                let _ = write!(out, "\\u{{{:x}}}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
}

/// C1 controls, unusual spaces, line separators, bidi controls, zero-width and tag characters, noncharacters.
fn is_unseen(c: char) -> bool {
    matches!(c,
        '\u{80}'..='\u{a0}' | '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2000}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{205f}'..='\u{206f}' | '\u{3000}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ansi_sequence_cannot_reach_the_terminal() {
        assert_eq!(visible("\u{1b}[31mred\u{1b}[0m\u{9b}2J\u{7}"), "␛[31mred␛[0m\\u{9b}2J␇");
        assert_eq!(printable("a\n\u{1b}]0;title\u{7}"), "a\n␛]0;title␇");
    }

    #[test]
    fn bidi_and_invisible_characters_are_spelled_out() {
        assert_eq!(
            visible("a\u{202e}b\u{200b}c\u{feff}\u{a0}\u{2028}\u{e0041}"),
            "a\\u{202e}b\\u{200b}c\\u{feff}\\u{a0}\\u{2028}\\u{e0041}"
        );
    }

    #[test]
    fn white_space_is_marked_and_dotted() {
        assert_eq!(visible("a b\tc\r\n"), "a b→c␍↵");
        assert_eq!(dotted_lines(b"a b\n\tc "), ["a·b↵", "→c·"]);
    }

    #[test]
    fn broken_utf8_is_shown_byte_by_byte() {
        assert_eq!(visible_bytes(b"a\xf0\x9f\x98z"), "a\\xf0\\x9f\\x98z");
    }

    #[test]
    fn a_cut_is_shown_with_its_surroundings() {
        assert_eq!(around_cut("0123456789".as_bytes(), 5, 3), "…234 ┆ 567…");
        assert_eq!(around_cut("ab\n".as_bytes(), 1, 9), "a ┆ b↵");
        assert_eq!(around_cut("é😀é".as_bytes(), 4, 9), "é\\xf0\\x9f ┆ \\x98\\x80é");
        assert_eq!(around_cut(b"", 0, 9), " ┆ ");
        assert_eq!(around_cut("ééé".as_bytes(), 4, 1), "…\\xa9 ┆ é");
    }

    #[test]
    fn json_stays_equal_and_hides_nothing() {
        let value = "a\u{202e}b\u{9b}c\u{e0041}é\u{7f}\u{1b}";
        let safe = json(&serde_json::to_string(value).unwrap());
        assert!(safe.is_ascii() || safe.chars().all(|c| c == 'é' || c.is_ascii_graphic()), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), value);
    }

    #[test]
    fn nothing_breaks_out_of_a_code_span() {
        assert_eq!(code_span("a|b"), "`a\\|b`");
        assert_eq!(code_span("``x` @user <b>"), "``` ``x` @user <b> ```");
        assert_eq!(code_span("`"), "`` ` ``");
        assert_eq!(code_span("a\nb"), "`a↵b`");
    }

    #[test]
    fn shortening_counts_characters() {
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("abcd", 3), "ab…");
        assert_eq!(excerpt("é\né\né", 4), "é↵é…");
    }
}
