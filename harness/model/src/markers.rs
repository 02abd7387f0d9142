//! The markers of a row, by what they do.

use std::collections::BTreeSet;

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
    /// True if every marker that ends in `>` may have a suffix before it: `<tag:6124c78e>`.
    pub suffixed: bool,
    /// Words of message headers: framing between the markers there, ordinary text elsewhere. No markers themselves.
    pub words: Vec<&'static str>,
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

    /// The special tokens of the row's vocabulary, sorted: what an engine's detokenizer hands over whole or not at all.
    ///
    /// The table has no vocabularies, so the spelling decides. Vocabularies hold tags with a fixed inside as one entry, and never an
    /// open-ended one:
    ///
    /// * a marker that is one whole tag: `<tool_call>`, `</tool_call>`, `<seed:think>`. Not a closer whose opener is open-ended in this
    ///   row: where `<function=` is text, `</function>` is text. Control and stop tokens (`</s>`) need no opener;
    /// * a marker `[TOOL_CALLS]`, `[/THINK]`;
    /// * each `<|...|>`, `<｜...｜>` and Gemma's `<|...>`, `<...|>` that a marker holds: `<|open|>` of `<|open|>tools<|sep|>`;
    /// * `｜DSML｜` of `<｜DSML｜invoke `, and `]<]minimax[>[`: the one entry of tags that are text else.
    ///
    /// Markers that end in `=`, a quote, a space or a letter (`<function=`, `functools`) are text, as are words and fences.
    #[must_use]
    pub fn special_tokens(&self) -> BTreeSet<&'static str> {
        let all: BTreeSet<&str> = self.all().map(str::trim).collect();
        let mut found = BTreeSet::new();
        for marker in &all {
            let whole_tag = tag_name(marker).is_some_and(|name| {
                let opener = name.strip_prefix('/').is_none_or(|name| all.contains(format!("<{name}>").as_str()));
                opener || (self.other.contains(marker) && !self.closers.contains(marker))
            });
            if whole_tag || is_bracketed(marker) {
                found.insert(*marker);
            } else {
                found.extend(pieces(marker));
            }
        }
        found
    }

    /// Bytes of the longest; 0 if there is none.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.all().map(str::len).max().unwrap_or(0) + if self.suffixed { SUFFIX + 1 } else { 0 }
    }
}

/// The inside of `<...>` if it is a name, with its `/` if it closes.
fn tag_name(marker: &str) -> Option<&str> {
    let inside = marker.strip_prefix('<')?.strip_suffix('>')?;
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_-:.|\"/".contains(&b);
    (!name.is_empty() && name.bytes().all(plain)).then_some(inside)
}

/// True for `[NAME]` and `[/NAME]`.
fn is_bracketed(marker: &str) -> bool {
    let inside = marker.strip_prefix('[').and_then(|m| m.strip_suffix(']'));
    let name = inside.map(|inside| inside.strip_prefix('/').unwrap_or(inside));
    name.is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

/// The special tokens inside a marker that is none as a whole.
fn pieces(marker: &str) -> Vec<&str> {
    const MINIMAX: &str = "]<]minimax[>[";
    if let Some(piece) = marker.get(..MINIMAX.len()).filter(|piece| *piece == MINIMAX) {
        return vec![piece];
    }
    let mut found = Vec::new();
    for (start, _) in marker.match_indices('<') {
        let end = marker[start + 1..].find(['<', '>']).map(|at| start + 1 + at).filter(|&at| marker.as_bytes()[at] == b'>');
        let token = end.map(|end| &marker[start..=end]);
        found.extend(token.filter(|t| ["<|", "<｜"].iter().any(|bar| t.starts_with(bar)) && (t.ends_with("｜>") || t.starts_with("<|"))));
    }
    if found.is_empty()
        && let Some(start) = marker.find('｜')
        && let Some(len) = marker[start + '｜'.len_utf8()..].find('｜')
    {
        found.push(&marker[start..start + len + 2 * '｜'.len_utf8()]);
    }
    found
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

    fn special(name: &str) -> Vec<&'static str> {
        let Lookup::Known(row) = lookup(name) else { panic!("{name}") };
        Markers::of(row).special_tokens().into_iter().collect()
    }

    #[test]
    fn whole_tags_are_special_tokens_and_open_ended_ones_are_text() {
        assert_eq!(special("qwen3_coder"), ["</think>", "</tool_call>", "<think>", "<tool_call>", "<|im_end|>"]);
        assert_eq!(special("mistral_v13"), ["</s>", "[/THINK]", "[/TOOL_CALLS]", "[ARGS]", "[CALL_ID]", "[THINK]", "[TOOL_CALLS]"]);
        assert_eq!(special("functionary_v31"), ["<|eom_id|>", "<|eot_id|>"]);
        assert_eq!(special("react"), [""; 0]);
        assert!(!special("apriel").contains(&"[BEGIN FINAL RESPONSE]"));
        assert_eq!(special("cwm"), [""; 0], "`<tool: function>` has a space, and `</tool>` closes it");
    }

    #[test]
    fn special_tokens_inside_a_marker_are_found() {
        assert!(special("kimi_k3").starts_with(&["<|close|>", "<|end_of_msg|>", "<|open|>", "<|sep|>"]), "{:?}", special("kimi_k3"));
        assert!(special("deepseek_v3").contains(&"<｜tool▁sep｜>"));
        assert!(!special("deepseek_v3").contains(&"function<｜tool▁sep｜>"));
        assert_eq!(special("deepseek_v32"), ["</think>", "<think>", "<｜end▁of▁sentence｜>", "｜DSML｜"]);
        assert!(
            special("gemma4").contains(&"<|channel>") && special("gemma4").contains(&"<channel|>") && special("gemma4").contains(&"<|\"|>")
        );
        assert_eq!(special("minimax_m3"), ["</mm:think>", "<mm:think>", "]<]minimax[>["]);
    }
}
