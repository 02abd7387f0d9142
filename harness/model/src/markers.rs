//! The markers of a row, by what they do.

use crate::dialect::Dialect;
use crate::grammar::Grammar;

/// Bytes of a tag's suffix, at most, without its colon; vocabularies have eight (B18f).
pub const SUFFIX: usize = 16;

/// What `text`, behind a marker's last letter, has of a suffix: its length with the colon, and whether the `>` stands behind it.
/// `None` if it is no suffix.
#[must_use]
pub fn suffix(text: &[u8]) -> Option<(usize, bool)> {
    let rest = text.strip_prefix(b":")?;
    let run = rest.iter().take(SUFFIX + 1).position(|b| !b.is_ascii_alphanumeric());
    match run {
        Some(run) if run > 0 && rest[run] == b'>' => Some((run + 1, true)),
        None if rest.len() <= SUFFIX => Some((rest.len() + 1, false)),
        _ => None,
    }
}

/// All markers of a row.
#[derive(Debug, Clone, Default)]
pub struct Markers {
    /// Open a block or a unit.
    pub openers: Vec<&'static str>,
    /// Close a block or a unit.
    pub closers: Vec<&'static str>,
    /// Stand inside a unit: `[ARGS]`, `<parameter=`.
    pub inner: Vec<&'static str>,
    /// Those of the openers and closers that belong to one unit inside a block: `<function=`, `</invoke>`.
    pub units: Vec<&'static str>,
    /// Reasoning markers, control and stop tokens.
    pub other: Vec<&'static str>,
    /// Words of message headers: framing between the markers there, ordinary text elsewhere. No markers themselves.
    pub words: Vec<&'static str>,
    /// True if every marker that ends in `>` may have a suffix before it: `<tag:6124c78e>`.
    pub suffixed: bool,
}

impl Markers {
    /// The markers of `dialect`. A grammar without markers (bare JSON list) has only reasoning, control and stop tokens.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Self {
        let mut markers = Self::default();
        dialect.grammar.markers(&mut markers);
        if !matches!(dialect.grammar, Grammar::Channels(_)) {
            // There a span opens with a whole header, whose tokens and words are known one by one.
            markers.other.extend(dialect.reasoning.iter().flat_map(|r| [r.open, r.close]));
        }
        markers.other.extend(dialect.control.iter().chain(dialect.stop));
        markers
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &'static str> {
        [&self.openers, &self.closers, &self.inner, &self.other].into_iter().flatten().copied().filter(|m| !m.is_empty())
    }

    /// True if both open or close a unit, or both a block.
    #[must_use]
    pub fn same_level(&self, one: &str, other: &str) -> bool {
        self.units.contains(&one) == self.units.contains(&other)
    }

    /// Bytes of the longest; 0 if there is none.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.all().map(str::len).max().unwrap_or(0) + if self.suffixed { SUFFIX + 1 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Lookup, dialects, lookup};

    fn markers(name: &str) -> Vec<&'static str> {
        let Lookup::Known(row) = lookup(name) else { panic!("{name}") };
        Markers::of(row).all().collect()
    }

    #[test]
    fn every_row_with_a_marker_grammar_has_openers() {
        for dialect in dialects().filter(|d| !d.grammar.is_bare()) {
            assert!(!Markers::of(dialect).openers.is_empty(), "{}", dialect.name);
        }
    }

    #[test]
    fn tag_and_invoke_grammars_spell_out_their_tags() {
        assert!(markers("qwen3_coder").contains(&"<parameter="));
        for tag in ["<｜DSML｜function_calls>", "</｜DSML｜parameter>", "<｜DSML｜invoke "] {
            assert!(markers("deepseek_v32").contains(&tag), "{tag}");
        }
        assert!(markers("mistral_v13").contains(&"[ARGS]"));
    }
}
