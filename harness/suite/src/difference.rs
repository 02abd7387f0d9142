//! The first difference between two replies, as a path and two values, and the excerpt around a byte. Renderers escape what
//! is shown; nothing here is fit for a terminal as it stands.

use serde::{Deserialize, Serialize};
use streakstone_model::json::Json;
use streakstone_model::{Call, CallOutcome, Part, Reply, SpanUse};

use crate::case::{Expect, ExpectCall};
use crate::limits::{EXCERPT_CHARACTERS, VALUE_CHARACTERS};

/// The first difference between two replies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// Where, such as `calls[0].arguments`, `content`, `finish`, `order`, `spans`.
    pub path: String,
    /// The value of the first reply, cut to a length that can be shown.
    pub left: String,
    /// The value of the second.
    pub right: String,
}

/// The text around a byte of the raw text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Excerpt {
    /// What stands before it, U+FFFD for what is no UTF-8.
    pub before: String,
    /// What stands after it.
    pub after: String,
    /// True if there is more before.
    pub more_before: bool,
    /// True if there is more after.
    pub more_after: bool,
}

impl Excerpt {
    /// The excerpt of `raw` around byte `at`.
    #[must_use]
    pub fn around(raw: &[u8], at: usize) -> Self {
        let at = at.min(raw.len());
        // Four bytes a character at most, so that a megabyte is not decoded for an excerpt.
        let start = at.saturating_sub(EXCERPT_CHARACTERS * 4);
        let end = (at + EXCERPT_CHARACTERS * 4).min(raw.len());
        let head = String::from_utf8_lossy(&raw[start..at]).into_owned();
        let tail = String::from_utf8_lossy(&raw[at..end]).into_owned();
        let skip = head.chars().count().saturating_sub(EXCERPT_CHARACTERS);
        let before: String = head.chars().skip(skip).collect();
        let after: String = tail.chars().take(EXCERPT_CHARACTERS).collect();
        Self { more_before: start > 0 || skip > 0, more_after: end < raw.len() || after.len() < tail.len(), before, after }
    }
}

/// The first difference of two replies of one subject: parts merged, arguments byte for byte, minted ids only by being minted,
/// spans where the subject has them. `None` if they are equal.
#[must_use]
pub fn between(left: &Reply, right: &Reply, spans: bool) -> Option<Difference> {
    let (lefts, rights): (Vec<_>, Vec<_>) = (left.calls().collect(), right.calls().collect());
    for i in 0..lefts.len().max(rights.len()) {
        let path = format!("calls[{i}]");
        match (lefts.get(i), rights.get(i)) {
            (Some(l), Some(r)) => {
                let outcome = (l.outcome != r.outcome).then(|| found(format!("{path}.outcome"), &outcome(l), &outcome(r)));
                let found = call(&path, l, r).or(outcome);
                if found.is_some() {
                    return found;
                }
            }
            (l, r) => return Some(found(path, &show_call(l.copied()), &show_call(r.copied()))),
        }
    }
    for (path, l, r) in [("content", left.content(), right.content()), ("reasoning", left.reasoning(), right.reasoning())] {
        if l != r {
            return Some(found(path, &l, &r));
        }
    }
    if left.finish != right.finish {
        return Some(found("finish", left.finish.as_str(), right.finish.as_str()));
    }
    if left.parts != right.parts && order(left) != order(right) {
        return Some(found("order", &order(left), &order(right)));
    }
    if spans && left.spans != right.spans {
        let at = left.spans.iter().zip(&right.spans).take_while(|(l, r)| l == r).count();
        return Some(found(format!("spans[{at}]"), &show_span(left, at), &show_span(right, at)));
    }
    None
}

/// True if the replies are equal but for white space in content and reasoning, and for the spelling of arguments: the same calls in the
/// same places, with the same JSON values (a parser may print its arguments anew on one way and pass them on by another).
#[must_use]
pub fn alike(left: &Reply, right: &Reply) -> bool {
    let texts = |reply: &Reply| {
        let spoken = |part: &&Part| !matches!(part, Part::Text(text) | Part::Reasoning(text) if text.trim().is_empty());
        reply.parts.iter().filter(spoken).cloned().collect::<Vec<_>>()
    };
    let (lefts, rights) = (texts(left), texts(right));
    let same = |pair: (&Part, &Part)| match pair {
        (Part::Text(l), Part::Text(r)) | (Part::Reasoning(l), Part::Reasoning(r)) => collapsed(l) == collapsed(r),
        (Part::Call(l), Part::Call(r)) => l.outcome == r.outcome && head("", l, r).is_none() && same_json(&l.arguments, &r.arguments),
        _ => false,
    };
    left.finish == right.finish && lefts.len() == rights.len() && lefts.iter().zip(&rights).all(same)
}

/// The first difference of two calls in name, id or arguments' bytes.
fn call(path: &str, left: &Call, right: &Call) -> Option<Difference> {
    let arguments = || (left.arguments != right.arguments).then(|| found(format!("{path}.arguments"), &left.arguments, &right.arguments));
    head(path, left, right).or_else(arguments)
}

/// The first difference of two calls in name or id.
fn head(path: &str, left: &Call, right: &Call) -> Option<Difference> {
    if left.name != right.name {
        return Some(found(format!("{path}.name"), &left.name, &right.name));
    }
    if left.id.minted != right.id.minted || (!left.id.minted && left.id.value != right.id.value) {
        return Some(found(format!("{path}.id"), &show_id(left), &show_id(right)));
    }
    None
}

/// The first difference between an expectation and a reply's complete calls, content, reasoning and finish. Arguments compare
/// as JSON values with exact numbers; `collapse` compares content and reasoning with white space collapsed and trimmed.
#[must_use]
pub fn from_expected(expect: &Expect, reply: &Reply, collapse: bool) -> Option<Difference> {
    if let Some(wanted) = &expect.calls {
        let got: Vec<&Call> = reply.calls().filter(|c| c.is_complete()).collect();
        for i in 0..wanted.len().max(got.len()) {
            let path = format!("calls[{i}]");
            match (wanted.get(i), got.get(i)) {
                (Some(w), Some(g)) => {
                    let found = expected_call(&path, w, g);
                    if found.is_some() {
                        return found;
                    }
                }
                (w, g) => {
                    let wanted = w.map_or_else(|| "none".to_owned(), |w| format!("{}({})", w.name, w.arguments));
                    return Some(found(path, &wanted, &show_call(g.copied())));
                }
            }
        }
    }
    for (path, wanted, got) in [("content", &expect.content, reply.content()), ("reasoning", &expect.reasoning, reply.reasoning())] {
        if let Some(wanted) = wanted
            && *wanted != got
            && !(collapse && collapsed(wanted) == collapsed(&got))
        {
            return Some(found(path, wanted, &got));
        }
    }
    match expect.finish {
        Some(wanted) if wanted != reply.finish => Some(found("finish", wanted.as_str(), reply.finish.as_str())),
        _ => None,
    }
}

fn expected_call(path: &str, wanted: &ExpectCall, got: &Call) -> Option<Difference> {
    if wanted.name != got.name {
        return Some(found(format!("{path}.name"), &wanted.name, &got.name));
    }
    if !same_json(&wanted.arguments, &got.arguments) {
        return Some(found(format!("{path}.arguments"), &wanted.arguments, &got.arguments));
    }
    match &wanted.id {
        Some(id) if got.id.minted || *id != got.id.value => Some(found(format!("{path}.id"), id, &show_id(got))),
        _ => None,
    }
}

/// True if both texts are strict JSON of one value, or the same bytes.
#[must_use]
pub fn same_json(left: &str, right: &str) -> bool {
    left == right || matches!((Json::parse(left), Json::parse(right)), (Ok(l), Ok(r)) if l == r)
}

/// White space runs become one space, none at the ends.
#[must_use]
pub fn collapsed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A difference with values cut to [`VALUE_CHARACTERS`], around the place where they part.
pub(crate) fn found(path: impl Into<String>, left: &str, right: &str) -> Difference {
    let common = left.char_indices().zip(right.chars()).take_while(|((_, l), r)| l == r).count();
    Difference { path: path.into(), left: clip(left, common), right: clip(right, common) }
}

fn clip(text: &str, around: usize) -> String {
    let count = text.chars().count();
    if count <= VALUE_CHARACTERS {
        return text.to_owned();
    }
    let start = around.saturating_sub(VALUE_CHARACTERS / 2).min(count - VALUE_CHARACTERS);
    let shown: String = text.chars().skip(start).take(VALUE_CHARACTERS).collect();
    let (head, tail) = (if start > 0 { "…" } else { "" }, if start + VALUE_CHARACTERS < count { "…" } else { "" });
    format!("{head}{shown}{tail}")
}

fn outcome(call: &Call) -> String {
    match call.outcome {
        CallOutcome::Complete => "complete".to_owned(),
        CallOutcome::Incomplete { reason } => format!("incomplete ({reason:?})").to_lowercase(),
    }
}

fn show_call(call: Option<&Call>) -> String {
    call.map_or_else(|| "none".to_owned(), |c| format!("{}({})", c.name, c.arguments))
}

fn show_id(call: &Call) -> String {
    if call.id.minted { "minted".to_owned() } else { call.id.value.clone() }
}

fn order(reply: &Reply) -> String {
    let words: Vec<String> = reply
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(t) => format!("text {t:?}"),
            Part::Reasoning(t) => format!("reasoning {t:?}"),
            Part::Call(c) => format!("call {}", c.name),
        })
        .collect();
    words.join(", ")
}

fn show_span(reply: &Reply, at: usize) -> String {
    reply.spans.get(at).map_or_else(|| "none".to_owned(), |(what, span)| format!("{}..{} {}", span.start, span.end, span_word(*what)))
}

/// The word of a span's use, as in `no-byte-lost`.
#[must_use]
pub fn span_word(what: SpanUse) -> String {
    use streakstone_model::{ByteUse, DropReason};
    match what {
        SpanUse::Content => "content".to_owned(),
        SpanUse::Reasoning => "reasoning".to_owned(),
        SpanUse::Bytes(ByteUse::Framing) => "framing".to_owned(),
        SpanUse::Bytes(ByteUse::Call { index }) => format!("call({index})"),
        SpanUse::Bytes(ByteUse::Dropped { reason }) => {
            let reason = match reason {
                DropReason::Parallel => "parallel",
                DropReason::Undeclared => "undeclared",
                DropReason::Truncated => "truncated",
                DropReason::CallCap => "call-cap",
            };
            format!("dropped({reason})")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_value_is_shown_around_the_first_difference() {
        let (left, right) = (format!("{}x{}", "é".repeat(900), "z".repeat(900)), "é".repeat(1_800));
        let shown = found("content", &left, &right);
        assert!(shown.left.starts_with('…') && shown.left.ends_with('…') && shown.left.contains("éxz"), "{}", shown.left);
        assert!(shown.left.chars().count() <= VALUE_CHARACTERS + 2);
    }

    #[test]
    fn an_excerpt_has_a_few_characters_on_each_side() {
        let excerpt = Excerpt::around("é".repeat(100).as_bytes(), 100);
        assert_eq!((excerpt.before.chars().count(), excerpt.after.chars().count()), (EXCERPT_CHARACTERS, EXCERPT_CHARACTERS));
        assert!(excerpt.more_before && excerpt.more_after);
        let all = Excerpt::around(b"ab", 1);
        assert_eq!((all.before.as_str(), all.after.as_str(), all.more_before, all.more_after), ("a", "b", false, false));
        assert_eq!(Excerpt::around(b"ab", 9).after, "");
    }

    #[test]
    fn arguments_compare_as_exact_json_values() {
        assert!(same_json("{\"a\": 5}", "{\"a\":5.0}"));
        assert!(!same_json("{\"a\":9007199254740993}", "{\"a\":9007199254740992}"));
        assert!(same_json("{", "{"));
    }
}
