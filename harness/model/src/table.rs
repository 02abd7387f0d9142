//! The dialect table: every row, as data, a file a family. Adding a dialect of an existing grammar is one row here.

mod auto;
mod braces;
mod channels;
mod elements;
mod json;
mod named;
mod python;
mod tags;

use crate::dialect::{Dialect, Lookup, Missing, ReasoningMarkers, nearest};
use crate::registry::registered;

const THINK: ReasoningMarkers = ReasoningMarkers { open: "<think>", close: "</think>" };

/// A static, not a constant: each crate would have its own copy of a constant's rows, and rows are known by their addresses.
static FAMILIES: &[&[Dialect]] =
    &[json::ROWS, named::ROWS, tags::ROWS, elements::ROWS, python::ROWS, braces::ROWS, channels::ROWS, auto::ROWS_OF_FAMILY];

/// What the peers' matrix names and no row reads, with the reason.
pub static MISSING: &[Missing] = &[
    Missing {
        name: "gemma3",
        families: "Gemma 3",
        reason: "no native format: prompts ask for Python or JSON (dialects B27); `pythonic` and `generic_json` read those",
    },
    Missing { name: "ernie5", families: "ERNIE 5", reason: "no peer has a parser and no template was found (dialects B38)" },
    Missing { name: "smollm3_python", families: "SmolLM3 python_tools", reason: "Python code in `<code>`, not verified (dialects B1 [?])" },
    Missing {
        name: "hermes_tags",
        families: "old fine-tunes",
        reason: "other tag spellings (`<function_call>`, `<tools>`) are seen in heuristics only, with no model named (dialects B1)",
    },
    Missing {
        name: "anthropic_prompt",
        families: "fine-tunes of an Anthropic-style prompt",
        reason: "no peer registers it (dialects B24); a dialect file over `dots` reads it",
    },
    Missing {
        name: "cline",
        families: "Cline, Roo",
        reason: "one element a tool, read by clients only; no server parses it (dialects B49)",
    },
    Missing {
        name: "berrylm",
        families: "BerryLM",
        reason: "a name on a branch, not opened (dialects B49 [B]); said to be harmony's form",
    },
    Missing {
        name: "minicpmv",
        families: "MiniCPM-V",
        reason: "a name on a branch, not opened (dialects B49 [B]); said to be qwen3_coder's form",
    },
    Missing { name: "kimi_vl", families: "Kimi-VL", reason: "reasoning marks `◁think▷` only; no tool-call format (dialects B50)" },
    Missing { name: "mlc, tensorrt_llm, lmdeploy", families: "parsers of other servers", reason: "not examined (dialects A [?])" },
];

/// Every dialect of the table. Those that a program [registered](crate::register) are not among them.
pub fn dialects() -> impl Iterator<Item = &'static Dialect> + Clone {
    FAMILIES.iter().copied().flatten()
}

/// The row of a name, an alias or a peer's name, else the nearest name. Rows of the table come first, then those that were
/// [registered](crate::register).
#[must_use]
pub fn lookup(word: &str) -> Lookup {
    let added = registered();
    let all = || dialects().chain(added.iter().copied());
    let by = |matches: fn(&Dialect, &str) -> bool| all().find(|d| matches(d, word));
    let row = by(|d, word| d.name == word)
        .or_else(|| by(|d, word| d.aliases.contains(&word)))
        .or_else(|| by(|d, word| d.peers.iter().any(|(_, names)| names.contains(&word))));
    match row {
        Some(row) => Lookup::Known(row),
        None => Lookup::Unknown { nearest: nearest(word, all().flat_map(words)).unwrap_or("") },
    }
}

/// Every word that means a row, once or among others.
fn words(row: &'static Dialect) -> impl Iterator<Item = &'static str> {
    let peers = row.peers.iter().flat_map(|(_, names)| names.iter().copied());
    std::iter::once(row.name).chain(row.aliases.iter().copied()).chain(peers)
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
