//! What a dialect is: one row of data. Envelope, body grammar and quirks; no code.

/// How one model family writes calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dialect {
    /// The name used in cases, folders and logs.
    pub name: &'static str,
    /// Names that peers use for the same dialect (`spec/dialects.md` A), and words of public case collections.
    pub aliases: &'static [&'static str],
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
    /// After the arguments: the call begins when its element closes (semantics 5).
    After,
}

/// A body grammar with its markers. The ids are those of `spec/dialects.md` D.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grammar {
    /// G1: one JSON object `{"name", "arguments"}` per tag pair.
    JsonObject(JsonListMarkers),
    /// G2 with a marker and G4 of Mistral: after the opener either `[{...}, ...]` or `name([CALL_ID]id)?([ARGS])?{...}`.
    Mistral {
        /// Block opener.
        open: &'static str,
        /// Optional list closer.
        close: &'static str,
        /// Between name and id.
        call_id: &'static str,
        /// Between name or id and the arguments.
        args: &'static str,
    },
    /// G2 without a marker: a bare JSON list of call objects.
    BareJsonList,
    /// G5: `[f(k=literal, ...), ...]`.
    PythonList {
        /// Block markers; `None` where the list stands bare.
        open: &'static [&'static str],
        /// Optional block closers.
        close: &'static [&'static str],
        /// True if a list without the opener counts too (then it must close).
        bare: bool,
    },
    /// G7: `<function=N><parameter=K>V</parameter></function>` in an optional wrapper.
    TagEquals {
        /// The wrapper.
        wrapper: BlockTags,
        /// How values are typed.
        types: TagTypes,
        /// True if the template writes one newline on each side of a value.
        newlines: bool,
    },
    /// G9: `<Dinvoke name="N"><Dparameter name="K" string="true|false">V</Dparameter></Dinvoke>` in a wrapper.
    InvokeTyped(InvokeSpelling),
}

impl Grammar {
    /// The grammar's id and kebab-case name in `spec/dialects.md` D.
    #[must_use]
    pub const fn id(&self) -> &'static str {
        match self {
            Self::JsonObject(_) => "G1 json-object",
            Self::Mistral { .. } => "G2+G4 mistral",
            Self::BareJsonList => "G2 json-array",
            Self::PythonList { .. } => "G5 python-list",
            Self::TagEquals { .. } => "G7 tag-equals",
            Self::InvokeTyped(_) => "G9 invoke-typed",
        }
    }

    /// True if units can stand without an opening marker: such units are promoted only when their list has closed.
    #[must_use]
    pub const fn is_bare(&self) -> bool {
        matches!(self, Self::BareJsonList | Self::PythonList { bare: true, .. })
    }
}

/// Tags around JSON objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JsonListMarkers {
    /// Opener.
    pub open: &'static str,
    /// Closer, optional framing.
    pub close: &'static str,
}

/// A wrapper around units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockTags {
    /// Opener; models leave it out.
    pub open: &'static str,
    /// Closer.
    pub close: &'static str,
}

/// How the values of a tag grammar are typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TagTypes {
    /// By the declared schema (semantics 7).
    Schema,
}

/// The spelling of a typed-invoke dialect. All tags are `<` or `</`, then `prefix`, then the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvokeSpelling {
    /// What follows `<` or `</` in every tag, such as `｜DSML｜`.
    pub prefix: &'static str,
    /// Block names: the template's first, then spellings seen from models.
    pub blocks: &'static [&'static str],
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
