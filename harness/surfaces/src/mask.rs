//! Masks for goldens: what differs from run to run becomes a word that keeps identity.
//!
//! `"id": "call_0123..."` becomes `<id1>`, the same id the same word everywhere; creation times become `<time>`. Only ids of the minted
//! form are masked: that the model's own id passed through must show.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::ids::IdKind;

/// Keys whose value may be a minted id.
const ID_KEYS: &[&str] = &["id", "call_id", "item_id"];
/// Keys whose value is a time.
const TIME_KEYS: &[&str] = &["created", "created_at", "completed_at"];
/// Fewest characters behind the prefix of a minted id: a UUID has 32 digits, most servers write 24 and vLLM 16.
const MIN_MINTED: usize = 16;

/// Masks a body's or a stream's text.
#[must_use]
pub fn mask(text: &str) -> String {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('"') {
        let before = rest[..at].chars().next_back().or_else(|| out.chars().next_back());
        out.push_str(&rest[..=at]);
        rest = &rest[at + 1..];
        // Inside a JSON string a quote has a backslash before it: no key begins there.
        if before == Some('\\') {
            continue;
        }
        let Some((key, behind)) = rest.split_once('"') else { break };
        let Some(value) = behind.strip_prefix(':').map(|v| v.strip_prefix(' ').unwrap_or(v)) else { continue };
        let value_at = rest.len() - value.len();
        if TIME_KEYS.contains(&key) {
            let digits = value.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(value.len());
            if digits > 0 {
                out.push_str(&rest[..value_at]);
                out.push_str("\"<time>\"");
                rest = &value[digits..];
            }
        } else if ID_KEYS.contains(&key)
            && let Some((id, behind)) = value.strip_prefix('"').and_then(|v| v.split_once('"'))
            && is_minted(id)
        {
            let next = seen.len() + 1;
            let number = *seen.entry(id).or_insert(next);
            out.push_str(&rest[..value_at]);
            let _ = write!(out, "\"<id{number}>\"");
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}

/// True for a prefix of ours and hexadecimal digits, as servers mint.
fn is_minted(id: &str) -> bool {
    IdKind::ALL
        .into_iter()
        .filter_map(|kind| id.strip_prefix(kind.prefix()))
        .any(|tail| tail.len() >= MIN_MINTED && tail.bytes().all(|b| b.is_ascii_hexdigit() || b == b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_id_is_one_word_everywhere() {
        let (a, b) = ("call_000000000000000000000001", "fc_0123456789abcdef01234567");
        let text = format!(r#"data: {{"id":"{a}","call_id": "{b}"}} data: {{"item_id":"{a}","id":"{b}"}}"#);
        assert_eq!(mask(&text), r#"data: {"id":"<id1>","call_id": "<id2>"} data: {"item_id":"<id1>","id":"<id2>"}"#);
    }

    #[test]
    fn the_models_own_id_shows() {
        let text = r#"{"id":"abc123XYZ","call_id":"functions.f:0","tool":"call_000000000000000000000001"}"#;
        assert_eq!(mask(text), text);
    }

    #[test]
    fn times_are_masked_and_quoted_json_is_not() {
        let text =
            r#"{"created":17,"created_at": 18,"completed_at":null,"arguments":"{\"created\":5,\"id\":\"call_000000000000000000000001\"}"}"#;
        let want = r#"{"created":"<time>","created_at": "<time>","completed_at":null,"arguments":"{\"created\":5,\"id\":\"call_000000000000000000000001\"}"}"#;
        assert_eq!(mask(text), want);
    }

    #[test]
    fn what_is_no_json_is_left_alone() {
        for text in ["", "\"", "\"id", "\"id\":", "\"id\":\"", "\\\"", "é\"created\":x"] {
            assert_eq!(mask(text), text);
        }
    }
}
