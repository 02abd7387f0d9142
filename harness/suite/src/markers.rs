//! Where the markers of a dialect's row stand in a raw text.

use memchr::memmem;
use streakstone_model::{Markers, Span, suffix};

/// Where `markers` stand in `raw`: leftmost, longest, not overlapping.
#[must_use]
pub fn occurrences(markers: &Markers, raw: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    for marker in markers.all() {
        let stem = marker.strip_suffix('>').filter(|_| markers.suffixed);
        found.extend(memmem::find_iter(raw, stem.unwrap_or(marker)).filter_map(|at| {
            let end = match stem {
                None => at + marker.len(),
                Some(stem) => match raw.get(at + stem.len()) {
                    Some(b'>') => at + marker.len(),
                    _ => suffix(&raw[at + stem.len()..]).filter(|(_, whole)| *whole).map(|(len, _)| at + marker.len() + len)?,
                },
            };
            Some(Span::new(at, end))
        }));
    }
    found.sort_unstable_by(|a, b| a.start.cmp(&b.start).then(b.end.cmp(&a.end)));
    let mut end = 0;
    found.retain(|span| {
        let keep = span.start >= end;
        if keep {
            end = span.end;
        }
        keep
    });
    found
}

/// Where the special tokens of a row stand in `raw`. A tokenizer finds them anywhere, also where the dialect's own markers do not count.
#[must_use]
pub fn special_spans(markers: &Markers, raw: &[u8]) -> Vec<Span> {
    let other = markers.special_tokens().into_iter().collect();
    occurrences(&Markers { other, suffixed: markers.suffixed, ..Markers::default() }, raw)
}

/// `markers` and `special` as one list of spans that no special token or marker sticks out of.
pub(crate) fn union(markers: &[Span], special: &[Span]) -> Vec<Span> {
    let mut all: Vec<Span> = markers.iter().chain(special).copied().collect();
    all.sort_unstable_by_key(|span| (span.start, span.end));
    let mut joined: Vec<Span> = Vec::with_capacity(all.len());
    for span in all {
        match joined.last_mut() {
            // Neighbours stay two: a cut may fall between them.
            Some(last) if span.start < last.end => last.end = last.end.max(span.end),
            _ => joined.push(span),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use streakstone_model::{Lookup, lookup};

    #[test]
    fn occurrences_are_leftmost_and_do_not_overlap() {
        let Lookup::Known(row) = lookup("hermes") else { panic!() };
        let raw = b"a<tool_call>x</tool_call></think>";
        let found: Vec<_> = occurrences(&Markers::of(row), raw).iter().map(|s| (s.start, s.end)).collect();
        assert_eq!(found, [(1, 12), (13, 25), (25, 33)]);
    }

    #[test]
    fn special_tokens_are_found_outside_markers_and_open_ended_tags_are_none() {
        let Lookup::Known(row) = lookup("kimi_k3") else { panic!() };
        let raw = b"<|open|>tools<|sep|> <|sep|>";
        let spans: Vec<_> = special_spans(&Markers::of(row), raw).iter().map(|s| (s.start, s.end)).collect();
        assert_eq!(spans, [(0, 8), (13, 20), (21, 28)]);
        let all = union(&occurrences(&Markers::of(row), raw), &special_spans(&Markers::of(row), raw));
        assert_eq!(all.iter().map(|s| (s.start, s.end)).collect::<Vec<_>>(), [(0, 20), (21, 28)]);
        let Lookup::Known(row) = lookup("qwen3_coder") else { panic!() };
        assert_eq!(special_spans(&Markers::of(row), b"<function=f></function>"), []);
    }

    #[test]
    fn a_suffix_belongs_to_its_marker() {
        let Lookup::Known(row) = lookup("hy_v4") else { panic!() };
        let raw = b"<tool_call:6124c78e>f</tool_call><arg_key:>";
        let found: Vec<_> = occurrences(&Markers::of(row), raw).iter().map(|s| (s.start, s.end)).collect();
        assert_eq!(found, [(0, 20), (21, 33)]);
    }
}
