//! The dialect table: every row, as data, a file a family. Adding a dialect of an existing grammar is one row here.

mod braces;
mod channels;
mod json;
mod named;
mod python;
mod tags;

use crate::dialect::{Dialect, Lookup, Missing, ReasoningMarkers, nearest};

const THINK: ReasoningMarkers = ReasoningMarkers { open: "<think>", close: "</think>" };

const FAMILIES: &[&[Dialect]] = &[json::ROWS, named::ROWS, tags::ROWS, python::ROWS, braces::ROWS, channels::ROWS];

/// Rows of the peers' matrix that this build does not read.
pub static MISSING: &[Missing] = &[];

/// Every dialect this build reads.
pub fn dialects() -> impl Iterator<Item = &'static Dialect> + Clone {
    FAMILIES.iter().copied().flatten()
}

/// The row of a name, an alias or a peer's name, else the nearest name.
#[must_use]
pub fn lookup(word: &str) -> Lookup {
    let by = |matches: fn(&Dialect, &str) -> bool| dialects().find(|d| matches(d, word));
    let row = by(|d, word| d.name == word)
        .or_else(|| by(|d, word| d.aliases.contains(&word)))
        .or_else(|| by(|d, word| d.peers.iter().any(|(_, names)| names.contains(&word))));
    match row {
        Some(row) => Lookup::Known(row),
        None => Lookup::Unknown { nearest: nearest(word, words()).unwrap_or("") },
    }
}

/// Every word that [`lookup`] knows.
fn words() -> impl Iterator<Item = &'static str> {
    dialects().flat_map(|d| {
        let peers = d.peers.iter().flat_map(|(_, names)| names.iter().copied());
        std::iter::once(d.name).chain(d.aliases.iter().copied()).chain(peers)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_word_names_two_rows() {
        let mut seen = BTreeSet::new();
        for row in dialects() {
            for word in std::iter::once(&row.name).chain(row.aliases) {
                assert!(seen.insert(*word), "{word} names two rows");
            }
        }
    }

    #[test]
    fn an_alias_finds_its_row_and_a_stranger_the_nearest_name() {
        assert!(matches!(lookup("qwen3_xml"), Lookup::Known(d) if d.name == "qwen3_coder"));
        assert!(matches!(lookup("mistral_array"), Lookup::Known(d) if d.name == "mistral_list"));
        assert_eq!(lookup("hermez"), Lookup::Unknown { nearest: "hermes" });
    }
}
