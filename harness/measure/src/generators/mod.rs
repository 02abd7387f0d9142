//! Hostile input of any size: texts meant to make a reader look at the same bytes again.
//!
//! Every generator is a row of a table: `any.rs` for what every dialect can be given, `by_grammar.rs` for what only one body
//! grammar has. Texts are built from a dialect's row, so a new row of a known grammar has its generators at once. A text has
//! the asked size to within one repeated unit and the ends around it.

mod any;
mod by_grammar;

use serde_json::json;
use streakstone_model::{Caps, Dialect, GrammarId, ReadOptions, Spelling, Tool};

/// Which rows a generator is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// All.
    Always,
    /// Those of one grammar.
    Grammar(GrammarId),
    /// Those of several.
    Grammars(&'static [GrammarId]),
    /// Those with this block opener.
    Opener(&'static str),
    /// Those that have reasoning spans.
    Reasoning,
    /// Those that have control tokens.
    Control,
    /// Those that have ambiguous stop tokens.
    Stop,
    /// Those whose block has a closing marker.
    Closer,
}

/// The request that a text is read under.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Setup {
    /// No `tools` key: every name is admissible.
    Free,
    /// The tools of [`tools`].
    Declared,
    /// As `Free`, without caps on calls and parameters, so that the growth below a cap goes on above it.
    Uncapped,
    /// As `Free`; the prompt has opened the reasoning span.
    ReasoningOpen,
}

/// One family of hostile texts.
#[derive(Debug, Clone, Copy)]
pub struct Generator {
    /// Its name, stable.
    pub name: &'static str,
    /// For which rows.
    pub when: When,
    /// Under which request.
    pub setup: Setup,
    /// What it tries to make quadratic.
    pub provokes: &'static str,
    /// Where it comes from: a statement of `spec/reference-systems.md`, a public thread, or `composed`.
    pub source: &'static str,
    make: fn(&Dialect, &Spelling, usize) -> String,
}

impl Generator {
    /// True if the generator has a text for the row.
    #[must_use]
    pub fn applies(&self, dialect: &Dialect) -> bool {
        match self.when {
            When::Always => true,
            When::Grammar(kind) => kind == dialect.grammar.id(),
            When::Grammars(kinds) => kinds.contains(&dialect.grammar.id()),
            When::Opener(open) => dialect.grammar.spelling().open == open,
            When::Reasoning => !dialect.reasoning.is_empty(),
            When::Control => !dialect.control.is_empty(),
            When::Stop => !dialect.stop.is_empty(),
            When::Closer => !dialect.grammar.spelling().close.is_empty(),
        }
    }

    /// A text of about `size` bytes.
    #[must_use]
    pub fn text(&self, dialect: &Dialect, size: usize) -> String {
        (self.make)(dialect, &dialect.grammar.spelling(), size)
    }

    /// The tools of the request; `None` = no `tools` key.
    #[must_use]
    pub fn tools(&self) -> Option<Vec<Tool>> {
        (self.setup == Setup::Declared).then(tools)
    }

    /// The reading options of the request.
    #[must_use]
    pub fn options(&self) -> ReadOptions {
        let mut options = ReadOptions { reasoning_open: self.setup == Setup::ReasoningOpen, ..ReadOptions::default() };
        if self.setup == Setup::Uncapped {
            options.caps = Caps { calls: usize::MAX, parameters: usize::MAX, ..options.caps };
        }
        options
    }
}

/// A row of a table, short so that the table can be read.
const fn row(
    name: &'static str,
    when: When,
    setup: Setup,
    provokes: &'static str,
    source: &'static str,
    make: fn(&Dialect, &Spelling, usize) -> String,
) -> Generator {
    Generator { name, when, setup, provokes, source, make }
}

/// Every generator.
pub fn all() -> impl Iterator<Item = &'static Generator> {
    any::GENERATORS.iter().chain(by_grammar::GENERATORS)
}

/// The generators of a row.
pub fn of(dialect: &'static Dialect) -> impl Iterator<Item = &'static Generator> {
    all().filter(move |generator| generator.applies(dialect))
}

/// The declared tools of [`Setup::Declared`]: `f` with one parameter of each type, so that coercion has work to do.
#[must_use]
pub fn tools() -> Vec<Tool> {
    let properties = json!({
        "k": {"type": "string"},
        "n": {"type": "integer"},
        "x": {"type": "number"},
        "a": {"type": "array", "items": {"type": "integer"}},
        "o": {"type": "object"},
        "e": {"enum": ["one", "two"]},
        "u": {"anyOf": [{"type": "null"}, {"type": "integer"}, {"type": "array"}, {"type": "object"}, {"type": "string"}]},
    });
    vec![Tool { name: "f".to_owned(), parameters: json!({"type": "object", "properties": properties}) }]
}

/// The beginnings of a rich call of the row, one of each length, to be repeated: whatever state a unit is in, the next opener
/// comes.
#[must_use]
pub fn prefixes(dialect: &Dialect) -> Vec<String> {
    let shape = dialect.grammar.spelling();
    let escape = if shape.quoted { "a\\\"[b\\\\" } else { "a\"[b\\ <" };
    let call = format!(
        "{}{escape}{}{}{}[1, {{\"y\": 'z'}}]{}",
        shape.in_string(),
        shape.string_end,
        shape.comma,
        shape.value.join("a"),
        shape.value_to_end()
    );
    (1..=call.len()).filter(|&n| call.is_char_boundary(n)).map(|n| call[..n].to_owned()).collect()
}

/// `head`, then `unit` as often as fits into `size`, at least once, then `tail`.
#[must_use]
pub fn fill(head: &str, unit: &str, tail: &str, size: usize) -> String {
    let room = size.saturating_sub(head.len() + tail.len());
    let count = (room / unit.len().max(1)).max(1);
    let mut text = String::with_capacity(head.len() + unit.len() * count + tail.len());
    text.push_str(head);
    for _ in 0..count {
        text.push_str(unit);
    }
    text.push_str(tail);
    text
}

/// As [`fill`], with a unit that is made from its number.
fn number(head: &str, unit: impl Fn(usize) -> String, tail: &str, size: usize) -> String {
    let mut text = head.to_owned();
    let mut place = 0;
    while place == 0 || text.len() + tail.len() < size {
        text.push_str(&unit(place));
        place += 1;
    }
    text + tail
}

/// A marker without its last character.
fn short(marker: &str) -> &str {
    marker.char_indices().next_back().map_or("", |(at, _)| &marker[..at])
}

/// Plain prose, with the brackets and comparisons that prose has.
pub const PROSE: &str =
    "The quick brown fox jumps over the lazy dog, and then it writes a short note about what it saw: 3 < 5, [1], {x}.\n";

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use streakstone_model::dialects;

    #[test]
    fn every_name_is_unique_and_every_row_says_what_it_is_for() {
        let mut names = BTreeSet::new();
        for generator in all() {
            assert!(names.insert(generator.name), "{} twice", generator.name);
            assert!(!generator.provokes.is_empty() && !generator.source.is_empty(), "{}", generator.name);
            assert!(dialects().any(|row| generator.applies(row)), "{} is for no row", generator.name);
        }
    }

    #[test]
    fn texts_have_the_size_asked_for() {
        for row in dialects() {
            assert!(of(row).count() > 50, "{}", row.name);
            for generator in of(row) {
                let len = generator.text(row, 10_000).len();
                assert!((9_000..=11_500).contains(&len), "{} of {}: {len} bytes", generator.name, row.name);
            }
        }
    }

    #[test]
    fn the_skeleton_spells_the_templates_call() {
        let call = |name: &str| {
            let row = dialects().find(|d| d.name == name).unwrap();
            row.grammar.spelling().call("f", "v")
        };
        assert_eq!(call("hermes"), "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"k\": \"v\"}}\n</tool_call>");
        assert_eq!(call("mistral_list"), "[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": {\"k\": \"v\"}}]");
        assert_eq!(call("mistral_v13"), "[TOOL_CALLS]f[ARGS]{\"k\": \"v\"}");
        assert_eq!(call("guided_json"), "[{\"name\": \"f\", \"arguments\": {\"k\": \"v\"}}]");
        assert_eq!(call("llama3"), "{\"name\": \"f\", \"parameters\": {\"k\": \"v\"}}");
        assert_eq!(call("granite20b"), "<function_call> {\"name\": \"f\", \"arguments\": {\"k\": \"v\"}}");
        assert_eq!(call("cohere"), "<|START_ACTION|>[{\"tool_name\": \"f\", \"parameters\": {\"k\": \"v\"}}]<|END_ACTION|>");
        assert_eq!(call("apertus"), "<|tools_prefix|>[{\"f\": {\"k\": \"v\"}}]<|tools_suffix|>");
        assert_eq!(call("pythonic"), "[f(k=\"v\")]");
        assert_eq!(call("lfm2"), "<|tool_call_start|>[f(k=\"v\")]<|tool_call_end|>");
        assert_eq!(call("qwen3_coder"), "<tool_call>\n<function=f>\n<parameter=k>\nv\n</parameter>\n</function>\n</tool_call>");
        let dsml = "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"f\">\n<｜DSML｜parameter name=\"k\" string=\"true\">v</｜DSML｜parameter>\n\
                    </｜DSML｜invoke>\n</｜DSML｜function_calls>";
        assert_eq!(call("deepseek_v32"), dsml);
    }

    #[test]
    fn a_block_of_calls_repeats_the_unit_alone() {
        let row = dialects().find(|d| d.name == "lfm2").unwrap();
        assert_eq!(row.grammar.spelling().calls(2, ""), "<|tool_call_start|>[f(), f()]<|tool_call_end|>");
    }
}
