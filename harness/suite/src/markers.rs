//! Where the markers of a dialect's row stand in a raw text.

use memchr::memmem;
use streakstone_model::{Markers, Span};

/// Where `markers` stand in `raw`: leftmost, longest, not overlapping.
#[must_use]
pub fn occurrences(markers: &Markers, raw: &[u8]) -> Vec<Span> {
    let mut found: Vec<Span> =
        markers.all().flat_map(|m| memmem::find_iter(raw, m).map(move |at| Span::new(at, at + m.len())).collect::<Vec<_>>()).collect();
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
}
