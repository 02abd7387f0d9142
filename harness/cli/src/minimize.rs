//! `streakstone minimize CASE`

use std::fmt::Write as _;

use anyhow::Result;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use clap::Args;
use serde_json::json;
use streakstone_model::{End, ToolChoice};
use streakstone_report::escape::{json as escape_json, visible};
use streakstone_suite::case::Case;
use streakstone_suite::judge::{Check, Judge};
use streakstone_suite::law::Law;
use streakstone_suite::limits::SHRINK_READINGS;
use streakstone_suite::shrink::{Failing, Shrunk, smallest};

use crate::adapter::AdapterArgs;
use crate::exit::{Exit, stop, stop_next};
use crate::output;
use crate::place::PlaceArgs;
use crate::world::{REFERENCE, World, subject};

/// Find the shortest text and the fewest cuts that still break a law; prints a case to paste into a corpus
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  streakstone minimize hermes/strings/escaped-quote --subject exo-generic")]
pub struct MinimizeArgs {
    /// Full name of the case, or a part that only one case has
    #[arg(value_name = "CASE")]
    pub case: String,
    /// Whose failure
    #[arg(long, value_name = "NAME")]
    pub subject: Option<String>,
    #[command(flatten)]
    pub adapters: AdapterArgs,
    /// Which law; the first broken one by default
    #[arg(long, value_name = "LAW")]
    pub law: Option<String>,
    #[command(flatten)]
    pub place: PlaceArgs,
}

impl MinimizeArgs {
    /// Minimizes.
    ///
    /// # Errors
    /// Exit 2 on wrong usage or an invalid corpus, 4 if nothing fails.
    pub fn run(self) -> Result<Exit> {
        let law = self.law.as_deref().map(|l| l.parse::<Law>().map_err(|e| stop(Exit::Usage, format!("--law: {e}.")))).transpose()?;
        let name = self.subject.as_deref().or(self.case.split_once("::").map(|(s, _)| s)).unwrap_or(REFERENCE);
        let subject = match self.adapters.only(false)? {
            Some(adapter) => adapter,
            None => subject(name)?,
        };
        let name = subject.name();
        let world = World::open(&self.place)?;
        let case = world.case(&self.case)?;
        let judged = Judge { smallest_cuts: false, ..Judge::default() }.judge(&*subject, case);
        let wanted = |c: &&Check| law.is_none_or(|l| l == c.law);
        // The fewest cuts are the best start.
        let Some(check) = judged.failures().filter(wanted).min_by_key(|c| (c.law.needs_the_text(), c.cut.len())) else {
            let what = law.map_or_else(|| "no law".to_owned(), |l| format!("not {l}"));
            return Err(stop_next(
                Exit::NothingSelected,
                format!("{name}::{} breaks {what}: there is nothing to make smaller.", case.name),
                format!("streakstone run '{name}::*'"),
            ));
        };
        let found = smallest(&Failing::of(check, &*subject, case), SHRINK_READINGS);
        let check = found.check.as_ref().unwrap_or(check);
        output::notice(&format!(
            "{}: {} of {} bytes, number of cuts {}, {} readings{}.\n  {}",
            check.law,
            found.raw.len(),
            case.raw.len(),
            found.chunking.cuts.len(),
            found.readings,
            if found.minimal { "; no single cut or character can be left out" } else { "; the search ended at its budget" },
            visible(&check.detail.message)
        ));
        output::data(&yaml(name, case, check, &found))?;
        Ok(Exit::AsExpected)
    }
}

/// A case file of one case. JSON strings are YAML double-quoted scalars.
fn yaml(subject: &str, case: &Case, check: &Check, found: &Shrunk) -> String {
    let quoted = |text: &str| escape_json(&json!(text).to_string());
    let mut out = format!("dialect: {}\ncases:\n", quoted(&case.dialect_word));
    let id = case.name.rsplit('/').next().unwrap_or(&case.name);
    let _ = writeln!(out, "  - id: {}", quoted(&format!("{id}-smallest")));
    let _ = writeln!(out, "    why: {}", quoted(&format!("The smallest text of {} in which {subject} breaks {}.", case.name, check.law)));
    let _ = writeln!(out, "    tags: {}", escape_json(&json!(case.tags).to_string()));
    out.push_str("    source: composed\n");
    if let Some(tools) = &case.tools {
        let tools: Vec<_> =
            tools.iter().map(|t| json!({"type": "function", "function": {"name": t.name, "parameters": t.parameters}})).collect();
        let _ = writeln!(out, "    tools: {}", escape_json(&json!(tools).to_string()));
    }
    let choice = match &case.tool_choice {
        ToolChoice::Auto => json!("auto"),
        ToolChoice::Required => json!("required"),
        ToolChoice::None => json!("none"),
        ToolChoice::Function(name) => json!({"type": "function", "function": {"name": name}}),
    };
    if case.tool_choice != ToolChoice::Auto || !case.parallel_tool_calls {
        let request = json!({"tool_choice": choice, "parallel_tool_calls": case.parallel_tool_calls});
        let _ = writeln!(out, "    request: {}", escape_json(&request.to_string()));
    }
    if case.reasoning_open {
        out.push_str("    prompt: {reasoning: open}\n");
    }
    let end = match case.end {
        End::Stop => "stop",
        End::Length => "length",
        End::StopString => "stop_string",
    };
    let _ = writeln!(out, "    end: {end}");
    let text = std::str::from_utf8(&found.raw);
    match text {
        Ok(text) => output::line(&mut out, &format!("    raw: {}", quoted(text))),
        Err(_) => output::line(&mut out, &format!("    raw_base64: {}", STANDARD.encode(&found.raw))),
    }
    let chunks: Option<Vec<&str>> = found.chunking.chunks(&found.raw).map(|c| std::str::from_utf8(c).ok()).collect();
    match chunks {
        Some(chunks) if !found.chunking.cuts.is_empty() => {
            output::line(&mut out, &format!("    chunks: [{}]", escape_json(&json!(chunks).to_string())));
        }
        _ => output::line(&mut out, &format!("    # cuts: {:?}", found.chunking.cuts)),
    }
    out
}
