//! A dialect file: the envelope of a row, and one section with its grammar.

use serde::Deserialize;
use streakstone_model::{Dialect, Grammar, IdPlacement, Lookup, ReasoningMarkers, lookup};

use crate::check::Check;
use crate::error::Fault;
use crate::section::{BraceSection, ChannelSection, ElementSection, JsonSection, NamedSection, PythonSection, TagSection};

/// Newlines before a block that are framing where neither the file nor its `like` says (semantics 3b).
const LEAD: usize = 1;
/// Most of them: they are held back in prose.
const MAX_LEAD: usize = 16;

/// The file as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    name: String,
    /// A row of the table: what the file leaves out is taken from it, but for its words and families.
    like: Option<String>,
    aliases: Option<Vec<String>>,
    families: Option<Vec<String>>,
    evidence: Option<String>,
    lead: Option<usize>,
    reasoning: Option<Vec<Reasoning>>,
    call_ends_reasoning: Option<bool>,
    ids: Option<Ids>,
    control: Option<Vec<String>>,
    stop: Option<Vec<String>>,
    json: Option<JsonSection>,
    named: Option<NamedSection>,
    tags: Option<TagSection>,
    elements: Option<ElementSection>,
    python: Option<PythonSection>,
    braces: Option<BraceSection>,
    channels: Option<ChannelSection>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reasoning {
    open: String,
    close: String,
}

/// Where the wire carries a call's id.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Ids {
    None,
    Before,
    WithName,
    After,
}

// The words of the file are apart from the model's, so that a new variant there is a decision here.
impl From<Ids> for IdPlacement {
    fn from(ids: Ids) -> Self {
        match ids {
            Ids::None => Self::None,
            Ids::Before => Self::Before,
            Ids::WithName => Self::WithName,
            Ids::After => Self::After,
        }
    }
}

impl File {
    /// The row, or everything that is wrong with it.
    pub fn dialect(self) -> Result<Dialect, Vec<Fault>> {
        let mut check = Check::default();
        let name = check.word("name", self.name);
        let like = self.like.and_then(|word| match lookup(&word) {
            Lookup::Known(Dialect { grammar: Grammar::Auto(_), .. }) => {
                check.fault(
                    "like",
                    format!("`{word}` stands for all rows and has no grammar of its own; name the row that the model is like"),
                );
                None
            }
            Lookup::Known(row) => Some(row),
            Lookup::Unknown { nearest } => {
                check.fault("like", format!("no dialect is named `{word}`; the nearest is `{nearest}` (`streakstone list dialects`)"));
                None
            }
        });
        let mut sections: Vec<(&'static str, Grammar)> = Vec::new();
        let base = like.map(|row| &row.grammar);
        if let Some(own) = self.json {
            let base = if let Some(Grammar::Json(calls)) = base { Some(*calls) } else { None };
            sections.push(("json", Grammar::Json(own.over(base, &mut check))));
        }
        if let Some(own) = self.named {
            let base = if let Some(Grammar::Named(calls)) = base { Some(*calls) } else { None };
            sections.push(("named", Grammar::Named(own.over(base, &mut check))));
        }
        if let Some(own) = self.tags {
            let base = if let Some(Grammar::Tags(calls)) = base { Some(*calls) } else { None };
            sections.push(("tags", Grammar::Tags(Box::leak(Box::new(own.over("tags", base, &mut check))))));
        }
        if let Some(own) = self.elements {
            let base = if let Some(Grammar::Elements(calls)) = base { Some(*calls) } else { None };
            sections.push(("elements", Grammar::Elements(Box::leak(Box::new(own.over(base, &mut check))))));
        }
        if let Some(own) = self.python {
            let base = if let Some(Grammar::Python(calls)) = base { Some(*calls) } else { None };
            sections.push(("python", Grammar::Python(own.over(base, &mut check))));
        }
        if let Some(own) = self.braces {
            let base = if let Some(Grammar::Braces(calls)) = base { Some(*calls) } else { None };
            sections.push(("braces", Grammar::Braces(own.over(base, &mut check))));
        }
        if let Some(own) = self.channels {
            let base = if let Some(Grammar::Channels(calls)) = base { Some(*calls) } else { None };
            let Some(calls) = own.over(base, &mut check) else { return Err(check.faults) };
            sections.push(("channels", Grammar::Channels(Box::leak(Box::new(calls)))));
        }
        if let [_, (second, _), ..] = sections.as_slice() {
            check.fault(second, "a second grammar; a dialect has one, keep one section");
        }
        let own = sections.into_iter().next().or_else(|| base.map(|grammar| ("like", grammar.clone())));
        let Some((key, grammar)) = own else {
            if check.faults.iter().all(|fault| fault.at != "like") {
                check.fault(
                    "",
                    "no grammar; write `like: ROW`, or one of the sections json, named, tags, elements, python, braces, channels",
                );
            }
            return Err(check.faults);
        };
        let lead = self.lead.unwrap_or_else(|| like.map_or(LEAD, |row| row.lead));
        if lead > MAX_LEAD {
            check.fault("lead", format!("{lead} newlines are held back in prose; {MAX_LEAD} at most"));
        }
        let aliases: Vec<&'static str> = self.aliases.into_iter().flatten().map(|word| check.word("aliases", word)).collect();
        if let Some(twice) = aliases.iter().enumerate().find(|(at, word)| **word == name || aliases[..*at].contains(word)) {
            check.fault("aliases", format!("`{}` names the dialect already; leave it out", twice.1));
        }
        let reasoning = self.reasoning.map(|spans| {
            let spans = spans.into_iter().enumerate().map(|(index, span)| {
                let [open, close] = check.pair(&format!("reasoning[{index}]"), [span.open, span.close]);
                ReasoningMarkers { open, close }
            });
            Check::list(spans.collect::<Vec<_>>())
        });
        let control = self.control.map(|tokens| check.markers("control", tokens));
        let stop = self.stop.map(|tokens| check.markers("stop", tokens));
        let dialect = Dialect {
            name,
            aliases: Check::list(aliases),
            peers: &[],
            families: Check::list(self.families.into_iter().flatten().map(Check::text)),
            grammar,
            lead,
            reasoning: reasoning.unwrap_or_else(|| like.map_or(&[], |row| row.reasoning)),
            call_ends_reasoning: self.call_ends_reasoning.unwrap_or_else(|| like.is_some_and(|row| row.call_ends_reasoning)),
            ids: self.ids.map_or_else(|| like.map_or(IdPlacement::None, |row| row.ids), Into::into),
            control: control.unwrap_or_else(|| like.map_or(&[], |row| row.control)),
            stop: stop.unwrap_or_else(|| like.map_or(&[], |row| row.stop)),
            evidence: self.evidence.map_or("a dialect file", Check::text),
        };
        check.row(&dialect, key);
        if check.faults.is_empty() { Ok(dialect) } else { Err(check.faults) }
    }
}
