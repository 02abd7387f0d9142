//! The markers of a dialect's row, and where they stand in a raw text.

use std::borrow::Cow;

use memchr::memmem;
use streakstone_model::{Dialect, Grammar, Span};

/// All markers of a row, by what they do.
#[derive(Debug, Clone, Default)]
pub struct Markers {
    /// Open a block or a unit.
    pub openers: Vec<Cow<'static, str>>,
    /// Close a block or a unit.
    pub closers: Vec<Cow<'static, str>>,
    /// Stand inside a unit: `[ARGS]`, `<parameter=`.
    pub inner: Vec<Cow<'static, str>>,
    /// Those of the openers and closers that belong to one unit inside a block: `<function=`, `</invoke>`.
    pub units: Vec<Cow<'static, str>>,
    /// Reasoning markers, control and stop tokens.
    pub other: Vec<Cow<'static, str>>,
}

impl Markers {
    /// The markers of `dialect`. A grammar without markers (bare JSON list) has only reasoning, control and stop tokens.
    #[must_use]
    pub fn of(dialect: &Dialect) -> Self {
        let mut markers = Self::default();
        match &dialect.grammar {
            Grammar::JsonObject(tags) => {
                markers.openers.push(tags.open.into());
                markers.closers.push(tags.close.into());
            }
            Grammar::Mistral { open, close, call_id, args } => {
                markers.openers.push((*open).into());
                markers.closers.push((*close).into());
                markers.inner.extend([(*call_id).into(), (*args).into()]);
            }
            Grammar::BareJsonList => {}
            Grammar::PythonList { open, close, .. } => {
                markers.openers.extend(open.iter().map(|&m| m.into()));
                markers.closers.extend(close.iter().map(|&m| m.into()));
            }
            Grammar::TagEquals { wrapper, .. } => {
                markers.openers.extend([wrapper.open.into(), "<function=".into()]);
                markers.closers.extend(["</function>".into(), wrapper.close.into()]);
                markers.inner.extend(["<parameter=".into(), "</parameter>".into()]);
                markers.units.extend(["<function=".into(), "</function>".into()]);
            }
            Grammar::InvokeTyped(spelling) => {
                let p = spelling.prefix;
                markers.openers.extend(spelling.blocks.iter().map(|b| Cow::Owned(format!("<{p}{b}>"))));
                markers.openers.push(format!("<{p}invoke name=\"").into());
                markers.closers.push(format!("</{p}invoke>").into());
                markers.closers.extend(spelling.blocks.iter().map(|b| Cow::Owned(format!("</{p}{b}>"))));
                markers.units.extend([format!("<{p}invoke name=\"").into(), format!("</{p}invoke>").into()]);
                markers.inner.extend([format!("<{p}parameter name=\"").into(), format!("</{p}parameter>").into()]);
            }
        }
        markers.other.extend(dialect.reasoning.iter().flat_map(|r| [r.open.into(), r.close.into()]));
        markers.other.extend(dialect.control.iter().chain(dialect.stop).map(|&m| m.into()));
        markers
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        [&self.openers, &self.closers, &self.inner, &self.other].into_iter().flatten().map(AsRef::as_ref).filter(|m: &&str| !m.is_empty())
    }

    /// True if both open or close a unit, or both a block.
    #[must_use]
    pub fn same_level(&self, one: &str, other: &str) -> bool {
        self.units.iter().any(|m| m == one) == self.units.iter().any(|m| m == other)
    }

    /// Bytes of the longest; 0 if there is none.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.all().map(str::len).max().unwrap_or(0)
    }

    /// Where they stand in `raw`: leftmost, longest, not overlapping.
    #[must_use]
    pub fn occurrences(&self, raw: &[u8]) -> Vec<Span> {
        let mut found: Vec<Span> =
            self.all().flat_map(|m| memmem::find_iter(raw, m).map(move |at| Span::new(at, at + m.len())).collect::<Vec<_>>()).collect();
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
}

/// All markers of a row, as the plans cut around them.
#[must_use]
pub fn markers(dialect: &Dialect) -> Vec<Cow<'static, str>> {
    let Markers { openers, closers, inner, other, units: _ } = Markers::of(dialect);
    [openers, closers, inner, other].into_iter().flatten().filter(|m| !m.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use streakstone_model::{DIALECTS, Lookup, lookup};

    fn row(name: &str) -> &'static Dialect {
        let Lookup::Known(row) = lookup(name) else { panic!("{name}") };
        row
    }

    #[test]
    fn every_row_with_a_marker_grammar_has_openers_and_closers() {
        for dialect in DIALECTS.iter().filter(|d| !matches!(d.grammar, Grammar::BareJsonList)) {
            let markers = Markers::of(dialect);
            assert!(!markers.openers.is_empty() && !markers.closers.is_empty(), "{}", dialect.name);
        }
    }

    #[test]
    fn tag_and_invoke_grammars_spell_out_their_tags() {
        assert!(markers(row("qwen3_coder")).iter().any(|m| m == "<parameter="));
        let dsml = markers(row("deepseek_v32"));
        for tag in ["<｜DSML｜function_calls>", "</｜DSML｜parameter>", "<｜DSML｜invoke name=\""] {
            assert!(dsml.iter().any(|m| m == tag), "{tag}");
        }
        assert!(markers(row("mistral_v13")).iter().any(|m| m == "[ARGS]"));
    }

    #[test]
    fn occurrences_are_leftmost_and_do_not_overlap() {
        let raw = b"a<tool_call>x</tool_call></think>";
        let found: Vec<_> = Markers::of(row("hermes")).occurrences(raw).iter().map(|s| (s.start, s.end)).collect();
        assert_eq!(found, [(1, 12), (13, 25), (25, 33)]);
    }
}
