//! `streakstone list [KIND] [PATTERN...]`

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use streakstone_model::{Dialect, Markers, Missing};
use streakstone_report::escape;
use streakstone_suite::case::{Case, Source};
use streakstone_suite::law::Law;
use streakstone_suite::plan::Plan;

use crate::exit::{Exit, stop_next};
use crate::output;
use crate::place::PlaceArgs;
use crate::select::SelectArgs;
use crate::world::{REFERENCE, World};

/// List cases, subjects, plans, laws, tags, dialects or toolsets
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  streakstone list\n  streakstone list cases hermes --tag escapes\n  streakstone list plans --format json"
)]
pub struct ListArgs {
    /// What to list; anything else is a pattern over cases
    #[arg(value_name = "KIND|PATTERN")]
    pub kind: Option<String>,
    #[command(flatten)]
    pub select: SelectArgs,
    /// Text, or one JSON object a line
    #[arg(long, value_enum, default_value_t)]
    pub format: ListFormat,
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// Form of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum ListFormat {
    /// Aligned text
    #[default]
    Text,
    /// One JSON object a line
    Json,
}

/// What can be listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Cases,
    Subjects,
    Plans,
    Laws,
    Tags,
    Dialects,
    Toolsets,
}

/// One line: a name, a note, and the JSON object.
struct Row {
    name: String,
    note: String,
    json: Value,
}

impl ListArgs {
    /// Lists.
    ///
    /// # Errors
    /// Exit 2 on an invalid corpus or pattern, 4 if nothing fits.
    pub fn run(self) -> Result<Exit> {
        let kind = self.kind.as_deref().and_then(|word| Kind::from_str(word, false).ok());
        let mut select = self.select;
        if let (Some(word), None) = (&self.kind, kind) {
            select.patterns.insert(0, word.clone());
        }
        if !matches!(kind, None | Some(Kind::Cases)) && (!select.patterns.is_empty() || !select.tag.is_empty()) {
            return Err(stop_next(Exit::Usage, "Patterns and --tag select cases only.", "streakstone list cases --help"));
        }
        let rows = match kind.unwrap_or(Kind::Cases) {
            Kind::Subjects => subjects(),
            Kind::Plans => plans(),
            Kind::Laws => laws(),
            Kind::Dialects => dialects(),
            Kind::Cases => cases(&World::open(&self.place)?, &select)?,
            Kind::Tags => tags(&World::open(&self.place)?),
            Kind::Toolsets => toolsets(&World::open(&self.place)?),
        };
        let wide = rows.iter().map(|r| r.name.chars().count()).max().unwrap_or(0).min(60);
        let text: String = rows
            .iter()
            .map(|row| match self.format {
                ListFormat::Json => escape::json(&row.json.to_string()) + "\n",
                ListFormat::Text => {
                    let (name, note) = (escape::visible(&row.name), escape::visible(&row.note));
                    format!("{name:<wide$}  {note}").trim_end().to_owned() + "\n"
                }
            })
            .collect();
        output::data(&text)?;
        Ok(Exit::AsExpected)
    }
}

fn cases(world: &World, select: &SelectArgs) -> Result<Vec<Row>> {
    let selection = select.compile(world.tags(), &world.names())?;
    let taken = || world.corpus.cases.iter().filter(|c| selection.takes(REFERENCE, c));
    let rows: Vec<Row> = taken().map(case).collect();
    if rows.is_empty() {
        return Err(stop_next(Exit::NothingSelected, "No case fits.", "streakstone list cases"));
    }
    selection.notice_idle(&taken().map(|c| (REFERENCE, c)));
    Ok(rows)
}

fn case(case: &Case) -> Row {
    let source = match &case.source {
        Source::Unstated => Value::Null,
        Source::Composed => json!("composed"),
        Source::Public(text) => json!(text),
        Source::Recorded { model, .. } => json!({"recorded": model}),
    };
    let place = format!("{}:{}", case.file.display(), case.line);
    Row {
        name: case.name.clone(),
        note: format!("{}  [{}]  {}", place, case.tags.join(" "), case.why),
        json: json!({"type": "case", "case": case.name, "dialect": case.dialect_word, "file": case.file.display().to_string(),
            "line": case.line, "tags": case.tags, "why": case.why, "source": source, "bytes": case.raw.len(),
            "input_digest": case.input_digest()}),
    }
}

fn subjects() -> Vec<Row> {
    let row = |s: &dyn streakstone_suite::subject::Subject| Row {
        name: s.name().to_owned(),
        note: match s.planted() {
            Some(law) => format!("{} (planted: breaks {law})", s.description()),
            None => s.description(),
        },
        json: json!({"type": "subject", "subject": s.name(), "description": s.description(), "planted": s.planted().is_some(),
            "breaks": s.planted(), "dialects": streakstone_model::known().filter(|d| s.supports(d)).map(|d| d.name).collect::<Vec<_>>()}),
    };
    streakstone_subjects::subjects().iter().map(|s| row(&**s)).collect()
}

fn plans() -> Vec<Row> {
    let row = |plan: Plan| Row {
        name: plan.as_str().to_owned(),
        note: format!("{:<9}  {}", plan.tier().as_str(), plan.describe()),
        json: json!({"type": "plan", "plan": plan.as_str(), "tier": plan.tier().as_str(), "statement": plan.describe()}),
    };
    Plan::ALL.into_iter().map(row).collect()
}

fn laws() -> Vec<Row> {
    let row = |law: Law| Row {
        name: law.as_str().to_owned(),
        note: law.statement().to_owned(),
        json: json!({"type": "law", "law": law.as_str(), "statement": law.statement(), "in_process": law.in_process()}),
    };
    Law::ALL.into_iter().map(row).collect()
}

fn dialects() -> Vec<Row> {
    let row = |d: &Dialect| {
        let peers: Vec<String> = d.peers.iter().map(|(peer, names)| format!("{} {}", peer.as_str(), names.join(" "))).collect();
        let peers = if peers.is_empty() { String::new() } else { format!("  ({})", peers.join(", ")) };
        let named: serde_json::Map<String, Value> = d.peers.iter().map(|(peer, names)| (peer.as_str().to_owned(), json!(names))).collect();
        let reasoning: Vec<[&str; 2]> = d.reasoning.iter().map(|r| [r.open, r.close]).collect();
        Row {
            name: d.name.to_owned(),
            note: format!("{:<22}  {}{peers}", d.grammar.id().as_str(), d.families.join(", ")),
            json: json!({"type": "dialect", "dialect": d.name, "aliases": d.aliases, "peers": named, "grammar": d.grammar.id().as_str(),
                "families": d.families, "markers": Markers::of(d).all().collect::<Vec<_>>(), "reasoning": reasoning,
                "call_ends_reasoning": d.call_ends_reasoning, "control": d.control, "stop": d.stop, "lead": d.lead,
                "evidence": d.evidence}),
        }
    };
    let missing = |m: &Missing| Row {
        name: m.name.to_owned(),
        note: format!("{:<22}  {}: {}", "missing", m.families, m.reason),
        json: json!({"type": "missing", "dialect": m.name, "families": m.families, "reason": m.reason}),
    };
    let rows = streakstone_model::known().map(row);
    rows.chain(streakstone_model::MISSING.iter().map(missing)).collect()
}

fn tags(world: &World) -> Vec<Row> {
    let row = |(tag, meaning): (&String, &String)| {
        let used = world.corpus.cases.iter().filter(|c| c.tags.contains(tag)).count();
        Row {
            name: tag.clone(),
            note: format!("{used:>4}  {meaning}"),
            json: json!({"type": "tag", "tag": tag, "meaning": meaning, "cases": used}),
        }
    };
    world.corpus.taxonomy.iter().flatten().map(row).collect()
}

fn toolsets(world: &World) -> Vec<Row> {
    let row = |(name, tools): (&String, &std::sync::Arc<Vec<streakstone_model::Tool>>)| {
        let names: Vec<&str> = tools.iter().map(|t| t.name.as_str()).collect();
        Row { name: name.clone(), note: names.join(", "), json: json!({"type": "toolset", "toolset": name, "tools": names}) }
    };
    world.corpus.toolsets.iter().map(row).collect()
}
