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
    fn a_suffix_belongs_to_its_marker() {
        let Lookup::Known(row) = lookup("hy_v4") else { panic!() };
        let raw = b"<tool_call:6124c78e>f</tool_call><arg_key:>";
        let found: Vec<_> = occurrences(&Markers::of(row), raw).iter().map(|s| (s.start, s.end)).collect();
        assert_eq!(found, [(0, 20), (21, 33)]);
    }
}
