//! What a dialect is: one row of data. Envelope, body grammar and quirks; no code.

use crate::grammar::Grammar;

/// How one model family writes calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The name used in cases, folders and logs.
    pub name: &'static str,
    /// Other words for this row and no other.
    pub aliases: &'static [&'static str],
    /// What peers call the parser that reads it (`spec/dialects.md` A). A peer's name may stand in several rows: a word that is no
    /// name or alias means the first of them.
    pub peers: &'static [(Peer, &'static [&'static str])],
    /// Model families that write it.
    pub families: &'static [&'static str],
    /// The body grammar with its markers.
    pub grammar: Grammar,
    /// Newlines directly before a promoted block that are framing, at most (semantics 3b).
    pub lead: usize,
    /// Reasoning spans of the dialect.
    pub reasoning: &'static [ReasoningMarkers],
    /// True if the opener of an admissible unit ends a reasoning span that the prompt opened (B50).
    pub call_ends_reasoning: bool,
    /// Where the wire carries the call's id.
    pub ids: IdPlacement,
    /// Control tokens: framing wherever they stand outside a body.
    pub control: &'static [&'static str],
    /// Stop tokens that are ordinary text elsewhere: framing only as the last non-space bytes.
    pub stop: &'static [&'static str],
    /// Where the row's facts come from.
    pub evidence: &'static str,
}

/// Parsers and servers whose names for a dialect the table knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Peer {
    /// vLLM.
    Vllm,
    /// `SGLang`.
    Sglang,
    /// llama.cpp: dedicated parsers; its template-driven parser has no names.
    LlamaCpp,
    /// NVIDIA Dynamo, first and unified parsers.
    Dynamo,
    /// SMG's `tool-parser`.
    Smg,
    /// mlx-lm.
    MlxLm,
    /// Ollama.
    Ollama,
    /// mlxcel.
    Mlxcel,
}

impl Peer {
    /// The peer's own name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Vllm => "vLLM",
            Self::Sglang => "SGLang",
            Self::LlamaCpp => "llama.cpp",
            Self::Dynamo => "Dynamo",
            Self::Smg => "SMG",
            Self::MlxLm => "mlx-lm",
            Self::Ollama => "Ollama",
            Self::Mlxcel => "mlxcel",
        }
    }
}

/// Opener and closer of a reasoning span.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReasoningMarkers {
    /// Opener.
    pub open: &'static str,
    /// Closer.
    pub close: &'static str,
}

/// Where the wire carries a call's id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdPlacement {
    /// Nowhere.
    None,
    /// Before the arguments.
    Before,
    /// Before the arguments, with the name in it: `functions.NAME:INDEX` is kept as written (semantics 5).
    WithName,
    /// After the arguments: the call begins when its element closes (semantics 5).
    After,
}

/// A row of the peers' matrix that no grammar reads, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Missing {
    /// What it is called.
    pub name: &'static str,
    /// Model families that write it.
    pub families: &'static str,
    /// Why there is no row.
    pub reason: &'static str,
}

/// What a dialect word means to this build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    /// A row of the table, by name or alias.
    Known(&'static Dialect),
    /// No row; the nearest name.
    Unknown {
        /// The nearest name of the table.
        nearest: &'static str,
    },
}

/// The candidate nearest to `word` by edit distance; ties go to the first. `None` if there is no candidate.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    candidates.into_iter().map(|c| (distance(word, c), c)).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// The candidate with the smallest edit distance to `word`, if that is at most `edits`.
pub fn nearest_within<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>, edits: usize) -> Option<&'a str> {
    nearest(word, candidates).filter(|near| distance(word, near) <= edits)
}

/// Levenshtein distance in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(row[j + 1] + 1);
        }
    }
    row[b.len()]
}
