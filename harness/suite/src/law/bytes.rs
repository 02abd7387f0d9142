//! Laws of the raw bytes: none is lost, and none of a call leaks into the text.

use streakstone_model::{ByteUse, Call, Caps, DropReason, Markers, Parallel, Part, Policies, Reply, Span, SpanUse, Truncated, Undeclared};

use crate::difference::{found, span_word};
use crate::law::{Finding, Judgement, Sides};

/// What the two laws know besides the reply.
#[derive(Debug)]
pub struct Facts<'a> {
    /// The raw bytes.
    pub raw: &'a [u8],
    /// Their lossy reading.
    pub decoded: &'a Decoded,
    /// The row's markers.
    pub markers: &'a Markers,
    /// Where they stand.
    pub occurrences: &'a [Span],
    /// True if the subject's spans are true.
    pub spans: bool,
    /// The policies of the reading.
    pub policies: Policies,
    /// The caps of the reading.
    pub caps: Caps,
}

/// The lossy UTF-8 reading of a whole raw text, addressed by raw bytes: one U+FFFD per maximal subpart (semantics 8).
#[derive(Debug, Clone, Default)]
pub struct Decoded {
    text: String,
    /// Raw and decoded offset of every character; `None` where they are the same.
    map: Option<Vec<(usize, usize)>>,
}

impl Decoded {
    /// Decodes `raw`.
    #[must_use]
    pub fn new(raw: &[u8]) -> Self {
        if let Ok(text) = std::str::from_utf8(raw) {
            return Self { text: text.to_owned(), map: None };
        }
        let (mut text, mut map, mut at) = (String::new(), Vec::new(), 0);
        for chunk in raw.utf8_chunks() {
            map.extend(chunk.valid().char_indices().map(|(offset, _)| (at + offset, text.len() + offset)));
            text.push_str(chunk.valid());
            at += chunk.valid().len();
            if !chunk.invalid().is_empty() {
                map.push((at, text.len()));
                text.push(char::REPLACEMENT_CHARACTER);
                at += chunk.invalid().len();
            }
        }
        Self { text, map: Some(map) }
    }

    /// All of it.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The characters whose first raw byte lies in `span`.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        let place = |raw: usize| match &self.map {
            None => self.text.ceil_char_boundary(raw.min(self.text.len())),
            Some(map) => map.get(map.partition_point(|&(at, _)| at < raw)).map_or(self.text.len(), |&(_, at)| at),
        };
        let (start, end) = (place(span.start), place(span.end));
        &self.text[start..end.max(start)]
    }
}

/// `no-byte-lost`. With spans: they tile the raw bytes in order; content and reasoning are the joins of theirs; `dropped` stands
/// only where the policies or a cap allow it; a complete call has bytes of its own; and framing is made of markers, white space
/// and punctuation, so that no text hides there. Without spans: content, reasoning and calls are found again in order in the raw
/// text, and nothing but markers, white space and syntax stands between them; else unsupported.
#[must_use]
pub fn no_byte_lost(facts: &Facts<'_>, reply: &Reply) -> Judgement {
    if facts.spans { tiled(facts, reply) } else { found_again(facts, reply) }
}

fn tiled(facts: &Facts<'_>, reply: &Reply) -> Judgement {
    let calls = reply.calls().count();
    let mut with_bytes = vec![false; calls];
    let (mut at, mut content, mut reasoning) = (0, String::new(), String::new());
    for &(what, span) in &reply.spans {
        if span.start > at {
            let lost = facts.decoded.slice(Span::new(at, span.start));
            return Judgement::broken_at(format!("bytes {at}..{} are in no span: {}", span.start, quoted(lost)), at);
        }
        if span.start < at || span.end > facts.raw.len() {
            return Judgement::broken_at(format!("span {}..{} {} overlaps another or the end", span.start, span.end, span_word(what)), at);
        }
        at = span.end;
        match what {
            SpanUse::Content => content.push_str(facts.decoded.slice(span)),
            SpanUse::Reasoning => reasoning.push_str(facts.decoded.slice(span)),
            SpanUse::Bytes(ByteUse::Call { index }) => match with_bytes.get_mut(index) {
                Some(has) => *has = true,
                None => {
                    return Judgement::broken_at(
                        format!("bytes {}..{} are of a call {index} that is not there", span.start, span.end),
                        span.start,
                    );
                }
            },
            SpanUse::Bytes(ByteUse::Dropped { reason }) if !may_drop(facts, reason, calls) => {
                return Judgement::broken_at(
                    format!("bytes {}..{} are {} without leave", span.start, span.end, span_word(what)),
                    span.start,
                );
            }
            SpanUse::Bytes(ByteUse::Framing) if hides_text(facts, span) => {
                let text = quoted(facts.decoded.slice(span));
                return Judgement::broken_at(
                    format!("bytes {}..{} are called framing, but hold text: {text}", span.start, span.end),
                    span.start,
                );
            }
            SpanUse::Bytes(ByteUse::Dropped { .. } | ByteUse::Framing) => {}
        }
    }
    if at < facts.raw.len() {
        let lost = facts.decoded.slice(Span::new(at, facts.raw.len()));
        return Judgement::broken_at(format!("bytes {at}..{} are in no span: {}", facts.raw.len(), quoted(lost)), at);
    }
    for (path, spans, got) in [("content", content, reply.content()), ("reasoning", reasoning, reply.reasoning())] {
        if spans != got {
            return Judgement::differs(format!("{path} is not the join of its spans"), found(path, &spans, &got), Sides::ExpectedGot);
        }
    }
    match reply.calls().zip(with_bytes).position(|(call, has)| call.is_complete() && !has) {
        Some(i) => Judgement::broken(format!("calls[{i}] has no byte of the raw text")),
        None => Judgement::Holds,
    }
}

fn may_drop(facts: &Facts<'_>, reason: DropReason, calls: usize) -> bool {
    match reason {
        DropReason::Parallel => facts.policies.parallel == Parallel::First,
        DropReason::Undeclared => facts.policies.undeclared == Undeclared::Drop,
        DropReason::Truncated => facts.policies.truncated == Truncated::Drop,
        DropReason::CallCap => calls >= facts.caps.calls,
    }
}

/// True if words are left of a framing span when its markers and the words of headers are taken out. A marker that the text's end
/// cut is still a marker.
fn hides_text(facts: &Facts<'_>, span: Span) -> bool {
    let from = facts.occurrences.partition_point(|o| o.end <= span.start);
    let mut at = span.start;
    let mut rest = String::new();
    for marker in facts.occurrences[from..].iter().take_while(|o| o.start < span.end) {
        rest.push_str(facts.decoded.slice(Span::new(at, marker.start.max(at))));
        rest.push(' ');
        at = marker.end.max(at);
    }
    if at < span.end {
        let tail = facts.decoded.slice(Span::new(at, span.end));
        let cut = span.end == facts.raw.len();
        rest.push_str(if cut { without_cut_marker(facts.markers, tail) } else { tail });
    }
    words(&rest).any(|word| !facts.markers.words.contains(&word))
}

/// The runs of letters, digits and `_`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}

/// `text` without a proper prefix of a marker at its end.
fn without_cut_marker<'t>(markers: &Markers, text: &'t str) -> &'t str {
    let start = markers.all().filter_map(|m| proper_prefix_at_end(text, m, 1)).max().unwrap_or(0);
    &text[..text.len() - start]
}

/// Length of the longest proper prefix of `marker`, of at least `least` bytes, that `text` ends with.
fn proper_prefix_at_end(text: &str, marker: &str, least: usize) -> Option<usize> {
    (least..marker.len()).rev().find(|&k| marker.is_char_boundary(k) && text.ends_with(&marker[..k]))
}

/// `no-marker-leak`. What shows a leak:
///
/// 1. with spans, a marker lies across the border between content or reasoning and a complete call's bytes: one half leaked;
/// 2. with spans, an opener of a block or unit stands in content directly before a complete call that has no such opener of its
///    own, or a closer directly after one that has none;
/// 3. text directly before a complete call ends with half an opener that in the raw text is nowhere but in whole markers;
/// 4. content or reasoning has a marker, or half of one, that `truth` does not have there: the whole reading, or the expected
///    content where the reply has a complete call.
///
/// An incomplete call, which only eager delivery has, is no promoted unit: its text goes on at the byte that broke it.
#[must_use]
pub fn no_marker_leak(facts: &Facts<'_>, reply: &Reply, whole: Option<&Reply>, expected_content: Option<&str>) -> Judgement {
    let by_spans = if facts.spans { across_borders(facts, reply).or_else(|| beside_calls(facts, reply)) } else { None };
    let finding = by_spans
        .or_else(|| half_before_call(facts, reply))
        .or_else(|| whole.and_then(|whole| leaked_beside(facts, reply, whole)))
        .or_else(|| {
            let wanted = expected_content.filter(|_| reply.calls().any(Call::is_complete))?;
            leaked_text(facts.markers, "content", wanted, &reply.content(), true, Sides::ExpectedGot)
        });
    finding.map_or(Judgement::Holds, Judgement::Broken)
}

const fn is_text(what: SpanUse) -> bool {
    matches!(what, SpanUse::Content | SpanUse::Reasoning)
}

const fn is_promoted(what: SpanUse) -> bool {
    matches!(what, SpanUse::Bytes(ByteUse::Framing | ByteUse::Call { .. }))
}

/// Which calls of the reply are complete, by index.
fn complete_calls(reply: &Reply) -> Vec<bool> {
    reply.calls().map(Call::is_complete).collect()
}

/// True if the first of `spans` with a call's bytes has those of an incomplete call.
fn incomplete<'s>(complete: &[bool], spans: impl IntoIterator<Item = &'s (SpanUse, Span)>) -> bool {
    let index =
        spans.into_iter().find_map(|(what, _)| if let SpanUse::Bytes(ByteUse::Call { index }) = what { Some(*index) } else { None });
    index.is_some_and(|index| complete.get(index) == Some(&false))
}

fn across_borders(facts: &Facts<'_>, reply: &Reply) -> Option<Finding> {
    let complete = complete_calls(reply);
    for i in 1..reply.spans.len() {
        let (before, after) = reply.spans.split_at(i);
        let (left, right, at) = (before[i - 1].0, after[0].0, after[0].1.start);
        let place = facts.occurrences.partition_point(|o| o.end <= at);
        let Some(marker) = facts.occurrences.get(place).filter(|o| o.start < at) else { continue };
        let leaks = (is_text(left) && is_promoted(right) && !incomplete(&complete, after))
            || (is_promoted(left) && is_text(right) && !incomplete(&complete, before.iter().rev()));
        if leaks {
            let text = facts.decoded.slice(*marker);
            return Some(Finding {
                message: format!("the marker {} lies half in {} and half in {}", quoted(text), span_word(left), span_word(right)),
                at: Some(at),
                difference: None,
            });
        }
    }
    None
}

fn beside_calls(facts: &Facts<'_>, reply: &Reply) -> Option<Finding> {
    let complete = complete_calls(reply);
    let has = |run: &[&(SpanUse, Span)], markers: &[&str], like: &str| {
        let mut rivals = markers.iter().filter(|m| facts.markers.same_level(m, like));
        rivals.any(|m| run.iter().any(|(_, s)| facts.decoded.slice(*s).contains(*m)))
    };
    // A run of promoted spans that has a call, the nearest one complete.
    let promoted = |run: &[&(SpanUse, Span)]| {
        let call = run.iter().any(|(w, _)| matches!(w, SpanUse::Bytes(ByteUse::Call { .. })));
        call && !incomplete(&complete, run.iter().copied())
    };
    for (i, &(what, span)) in reply.spans.iter().enumerate().filter(|(_, (what, _))| *what == SpanUse::Content) {
        let text = facts.decoded.slice(span);
        // Most text ends and begins with no marker, and the runs need not be looked at.
        let opener = facts.markers.openers.iter().find(|m| text.trim_end().ends_with(**m));
        let closer = facts.markers.closers.iter().find(|m| text.trim_start().starts_with(**m));
        let mut leak = None;
        if let Some(opener) = opener {
            let after: Vec<_> = reply.spans[i + 1..].iter().take_while(|(w, _)| is_promoted(*w)).collect();
            leak = (promoted(&after) && !has(&after, &facts.markers.openers, opener)).then_some((opener, "before", span.end));
        }
        if let (Some(closer), None) = (closer, &leak) {
            let before: Vec<_> = reply.spans[..i].iter().rev().take_while(|(w, _)| is_promoted(*w)).collect();
            leak = (promoted(&before) && !has(&before, &facts.markers.closers, closer)).then_some((closer, "after", span.start));
        }
        if let Some((marker, side, at)) = leak {
            let message = format!("{} is {} directly {side} a call, not its framing", quoted(marker), span_word(what));
            return Some(Finding { message, at: Some(at), difference: None });
        }
    }
    None
}

fn half_before_call(facts: &Facts<'_>, reply: &Reply) -> Option<Finding> {
    let raw = facts.decoded.text();
    for pair in reply.parts.windows(2) {
        let [Part::Text(text), Part::Call(call)] = pair else { continue };
        if !call.is_complete() {
            continue;
        }
        for opener in &facts.markers.openers {
            let Some(length) = proper_prefix_at_end(text, opener, 2) else { continue };
            let half = &opener[..length];
            // A whole marker that another one begins with is no half.
            if facts.markers.all().any(|m| m == half) {
                continue;
            }
            let elsewhere = raw.match_indices(half).any(|(at, _)| !facts.markers.all().any(|m| raw[at..].starts_with(m)));
            if !elsewhere {
                let message = format!("the text before call {} ends with {}, half of {}", quoted(&call.name), quoted(half), quoted(opener));
                return Some(Finding { message, at: None, difference: None });
            }
        }
    }
    None
}

/// What the whole reading has as framing or a call must not be text in a split one; without spans, by comparing the texts.
fn leaked_beside(facts: &Facts<'_>, reply: &Reply, whole: &Reply) -> Option<Finding> {
    if facts.spans {
        for marker in facts.occurrences {
            let promoted = whole.spans.iter().any(|(w, s)| is_promoted(*w) && s.start <= marker.start && marker.end <= s.end);
            let text = reply.spans.iter().find(|(w, s)| is_text(*w) && s.start < marker.end && marker.start < s.end);
            if let (true, Some((what, _))) = (promoted, text) {
                let shown = quoted(facts.decoded.slice(*marker));
                let message = format!("the marker {shown} is no text in the whole reading, but {} in this one", span_word(*what));
                return Some(Finding { message, at: Some(marker.start), difference: None });
            }
        }
    }
    let promoted = whole.calls().chain(reply.calls()).any(Call::is_complete);
    leaked_text(facts.markers, "content", &whole.content(), &reply.content(), promoted, Sides::WholeSplit)
        .or_else(|| leaked_text(facts.markers, "reasoning", &whole.reasoning(), &reply.reasoning(), promoted, Sides::WholeSplit))
}

/// A leak shown by comparing texts: `got` has more of a marker than `wanted`, or what it has more is, begins with or ends with a
/// piece of a marker. Pieces of one byte prove nothing, and a tail of a marker needs three. Where nothing was `promoted`, only whole markers
/// do: two texts of one refused unit differ in pieces of its markers, too.
fn leaked_text(markers: &Markers, path: &str, wanted: &str, got: &str, promoted: bool, sides: Sides) -> Option<Finding> {
    if wanted == got {
        return None;
    }
    let head =
        got.char_indices().zip(wanted.chars()).find(|((_, g), w)| g != w).map_or_else(|| wanted.len().min(got.len()), |((at, _), _)| at);
    let tail: usize =
        got[head..].chars().rev().zip(wanted[head..].chars().rev()).take_while(|(g, w)| g == w).map(|(g, _)| g.len_utf8()).sum();
    let more = got[head..got.len() - tail].trim();
    let leaks = |m: &&str| {
        let piece = more.len() >= 2 && more.len() < m.len() && m.contains(more);
        let begins = (3..m.len()).any(|k| m.is_char_boundary(m.len() - k) && more.starts_with(&m[m.len() - k..]));
        let part = || piece || begins || proper_prefix_at_end(more, m, 2).is_some();
        got.matches(*m).count() > wanted.matches(*m).count() || (promoted && part())
    };
    let marker = markers.all().find(leaks)?;
    let message = format!("{path} has {} of the marker {}", if more.contains(marker) { "all" } else { "a piece" }, quoted(marker));
    Some(Finding { message, at: None, difference: Some((found(path, wanted, got), sides)) })
}

/// The law `no-byte-lost` for a subject without spans.
fn found_again(facts: &Facts<'_>, reply: &Reply) -> Judgement {
    if facts.policies.parallel == Parallel::First
        || facts.policies.undeclared == Undeclared::Drop
        || facts.policies.truncated == Truncated::Drop
    {
        return Judgement::Unsupported("without spans a dropped call cannot be told from a lost one");
    }
    let text = facts.decoded.text();
    let mut gap = Gap { facts, start: 0, calls: Vec::new() };
    for part in &reply.parts {
        match part {
            Part::Call(call) => gap.calls.push(call),
            Part::Text(t) | Part::Reasoning(t) if t.trim().is_empty() => {}
            Part::Text(t) | Part::Reasoning(t) => {
                let Some(from) = gap.search_from() else { return Judgement::Unsupported(NOT_FOUND) };
                let needle = if text[from..].contains(t.as_str()) { t.as_str() } else { t.trim() };
                let Some(at) = text[from..].find(needle) else { return Judgement::Unsupported(NOT_FOUND) };
                match gap.judge(from + at) {
                    Judgement::Holds => {}
                    other => return other,
                }
                gap = Gap { facts, start: from + at + needle.len(), calls: Vec::new() };
            }
        }
    }
    gap.judge(text.len())
}

const NOT_FOUND: &str = "without spans: its texts and calls are not found again in order in the raw text";

/// Words of the call objects of JSON grammars.
const SYNTAX_WORDS: &[&str] = &["name", "arguments", "parameters", "function", "id", "type"];

/// Raw text between two texts of the reply, and the calls that the reply has there.
struct Gap<'a> {
    facts: &'a Facts<'a>,
    start: usize,
    calls: Vec<&'a Call>,
}

impl Gap<'_> {
    /// Where each call's name and arguments stand together; `None` if one is not found.
    fn places(&self) -> Option<Vec<(usize, usize)>> {
        let text = self.facts.decoded.text();
        let mut from = self.start;
        self.calls
            .iter()
            .map(|call| {
                let name = from + text[from..].find(call.name.as_str())?;
                let arguments = from + text[from..].find(call.arguments.as_str())?;
                let end = (name + call.name.len()).max(arguments + call.arguments.len());
                from = end;
                Some((name.min(arguments), end))
            })
            .collect()
    }

    /// Where the text after the calls may begin: past markers, white space and closing brackets.
    fn search_from(&self) -> Option<usize> {
        let text = self.facts.decoded.text();
        let mut at = self.places()?.last().map_or(self.start, |&(_, end)| end);
        loop {
            let rest = &text[at..];
            let space = rest.len() - rest.trim_start().len();
            let bracket = usize::from(!self.calls.is_empty() && rest.starts_with(['}', ']', ')']));
            let marker = self.facts.markers.all().filter(|m| rest.starts_with(m)).map(str::len).max().unwrap_or(0);
            match space.max(bracket).max(marker) {
                0 => return Some(at),
                step => at += step,
            }
        }
    }

    /// Judges what stands between `start` and `end` besides the calls.
    fn judge(&self, end: usize) -> Judgement {
        let Some(places) = self.places().filter(|p| p.iter().all(|&(_, stop)| stop <= end)) else {
            return Judgement::Unsupported(NOT_FOUND);
        };
        let minted = self.calls.iter().any(|c| c.id.minted);
        let mut at = self.start;
        for (start, stop) in places.into_iter().chain([(end, end)]) {
            let rest = self.facts.decoded.text().get(at..start.max(at)).unwrap_or_default();
            let mut left = rest.to_owned();
            for marker in self.facts.markers.all() {
                left = left.replace(marker, " ");
            }
            for call in self.calls.iter().filter(|c| !c.id.minted) {
                left = left.replace(&call.id.value, " ");
            }
            let words = || words(&left).filter(|w| !self.facts.markers.words.contains(w));
            let syntax = |w: &&str| !self.calls.is_empty() && SYNTAX_WORDS.contains(w);
            if let Some(lost) = words().find(|w| !syntax(w)) {
                // An id that was refused is in the raw text but not in the reply.
                if minted && (words().any(|w| w == "id") || rest.contains("[CALL_ID]")) {
                    return Judgement::Unsupported("without spans: a refused id cannot be told from lost text");
                }
                return Judgement::broken(format!("{} of the raw text is in no part of the reply, near {}", quoted(lost), quoted(rest)));
            }
            at = stop;
        }
        Judgement::Holds
    }
}

/// A text in quotes, escaped and cut to what a message can carry.
fn quoted(text: &str) -> String {
    format!("{:?}", found("", text, "").left)
}

#[cfg(test)]
mod tests {
    use super::*;
    use streakstone_model::{CallId, CallOutcome, Finish, Lookup, lookup};

    fn judge(raw: &str, parts: Vec<Part>) -> Judgement {
        let Lookup::Known(dialect) = lookup("hermes") else { panic!() };
        let markers = Markers::of(dialect);
        let facts = Facts {
            raw: raw.as_bytes(),
            decoded: &Decoded::new(raw.as_bytes()),
            occurrences: &crate::markers::occurrences(&markers, raw.as_bytes()),
            markers: &markers,
            spans: false,
            policies: Policies::default(),
            caps: Caps::default(),
        };
        no_byte_lost(&facts, &Reply { parts, finish: Finish::Stop, spans: Vec::new() })
    }

    fn text(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    fn call(name: &str, arguments: &str) -> Part {
        let id = CallId { value: "c".to_owned(), minted: true };
        Part::Call(Call { name: name.to_owned(), id, arguments: arguments.to_owned(), outcome: CallOutcome::Complete })
    }

    const CALL: &str = r#"Sure. <tool_call>{"name": "f", "arguments": {"a": 1}}</tool_call> Done."#;

    #[test]
    fn without_spans_all_found_again_in_order_is_kept() {
        let arguments = r#"{"a": 1}"#;
        assert_eq!(judge(CALL, vec![text("Sure. "), call("f", arguments), text(" Done.")]), Judgement::Holds);
        assert_eq!(judge("<think>Hm.</think>Yes", vec![Part::Reasoning("Hm.".to_owned()), text("Yes")]), Judgement::Holds);
        assert_eq!(judge("plain", vec![text("plain")]), Judgement::Holds);
    }

    #[test]
    fn without_spans_text_before_between_or_after_is_missed() {
        let arguments = r#"{"a": 1}"#;
        for parts in [vec![call("f", arguments), text("Done.")], vec![text("Sure. "), call("f", arguments)], vec![text("Sure.")], vec![]] {
            assert!(matches!(judge(CALL, parts.clone()), Judgement::Broken(_)), "{parts:?}");
        }
        assert!(matches!(judge("one two", vec![text("one ")]), Judgement::Broken(_)));
    }

    #[test]
    fn without_spans_what_is_not_found_again_is_unsupported() {
        let coerced = r#"{"a":1}"#;
        assert!(matches!(judge(CALL, vec![text("Sure. "), call("f", coerced)]), Judgement::Unsupported(_)));
        assert!(matches!(judge("one two", vec![text("two one")]), Judgement::Unsupported(_)));
    }

    #[test]
    fn the_words_of_a_header_are_framing_and_no_others() {
        let Lookup::Known(dialect) = lookup("harmony") else { panic!() };
        let markers = Markers::of(dialect);
        let judge = |raw: &str| {
            let facts = Facts {
                raw: raw.as_bytes(),
                decoded: &Decoded::new(raw.as_bytes()),
                occurrences: &crate::markers::occurrences(&markers, raw.as_bytes()),
                markers: &markers,
                spans: true,
                policies: Policies::default(),
                caps: Caps::default(),
            };
            let spans = vec![(SpanUse::Bytes(ByteUse::Framing), Span::new(0, raw.len()))];
            no_byte_lost(&facts, &Reply { parts: Vec::new(), finish: Finish::Stop, spans })
        };
        assert_eq!(judge("<|start|>assistant to=functions.<|channel|>analysis <|constrain|>json<|message|>"), Judgement::Holds);
        assert!(matches!(judge("<|channel|>weird<|message|>"), Judgement::Broken(_)));
        assert!(matches!(judge("<|channel|>analysisX<|message|>"), Judgement::Broken(_)));
    }

    #[test]
    fn a_lossy_slice_has_one_replacement_per_maximal_subpart() {
        let raw = b"a\xe2\x82b\xff\xffc";
        let decoded = Decoded::new(raw);
        assert_eq!(decoded.text(), String::from_utf8_lossy(raw));
        assert_eq!(decoded.slice(Span::new(0, 3)), "a\u{fffd}");
        assert_eq!(decoded.slice(Span::new(3, 7)), "b\u{fffd}\u{fffd}c");
        // A character belongs to the span of its first byte.
        assert_eq!((decoded.slice(Span::new(1, 2)), decoded.slice(Span::new(2, 4))), ("\u{fffd}", "b"));
        assert_eq!(Decoded::new("é€".as_bytes()).slice(Span::new(1, 5)), "€");
    }

    #[test]
    fn where_nothing_was_promoted_pieces_of_a_marker_are_no_leak_but_a_whole_one_is() {
        let Lookup::Known(dialect) = lookup("hermes") else { panic!() };
        let markers = Markers::of(dialect);
        let leaks =
            |wanted: &str, got: &str, promoted| leaked_text(&markers, "content", wanted, got, promoted, Sides::WholeSplit).is_some();
        let (whole, split) = ("<tool_call>{}</tool_call><tool_call>{", "<tool_call>{}<tool_call>{");
        assert!(!leaks(whole, split, false));
        assert!(leaks("a", "a<tool_", true) && !leaks("a", "a<tool_", false));
        assert!(leaks("a", "a<tool_call>", false));
    }
}
