//! `streakstone show CASE`

use std::fmt::Write as _;

use anyhow::Result;
use clap::Args;
use streakstone_model::{Delivery, Policies};
use streakstone_report::escape::{dotted_lines, printable, visible};
use streakstone_suite::case::{Case, Source};

use crate::adapter::AdapterArgs;
use crate::exit::Exit;
use crate::place::PlaceArgs;
use crate::world::{REFERENCE, World, subject};
use crate::{events, output};

/// Raw bytes shown; the rest of a generated text is counted.
const RAW_SHOWN: usize = 16 * 1024;

/// Show a case: its text with visible white space, its golden, its readings
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  streakstone show hermes/strings/escaped-quote --cut 52")]
pub struct ShowArgs {
    /// Full name of the case, or a part that only one case has
    #[arg(value_name = "CASE")]
    pub case: String,
    /// Whose readings
    #[arg(long, value_name = "NAME", default_value = REFERENCE)]
    pub subject: String,
    #[command(flatten)]
    pub adapters: AdapterArgs,
    /// Read it cut at these byte offsets instead of whole
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',')]
    pub cut: Vec<usize>,
    #[command(flatten)]
    pub place: PlaceArgs,
}

impl ShowArgs {
    /// Shows the case.
    ///
    /// # Errors
    /// Exit 2 on an invalid corpus, 4 if there is no such case.
    pub fn run(self) -> Result<Exit> {
        let subject = match self.adapters.only(true)? {
            Some(adapter) => adapter,
            None => subject(&self.subject)?,
        };
        let world = World::open(&self.place)?;
        let case = world.case(&self.case)?;
        let mut out = head(case);
        out.push_str("\nraw\n");
        let shown = &case.raw[..case.raw.len().min(RAW_SHOWN)];
        let mut at = 0;
        for (line, bytes) in dotted_lines(shown).iter().zip(shown.split_inclusive(|&b| b == b'\n')) {
            let _ = writeln!(out, "  {at:>5}  {line}");
            at += bytes.len();
        }
        if at < case.raw.len() {
            let _ = writeln!(out, "  … {} more bytes", case.raw.len() - at);
        }
        if let Some(goldens) = &world.goldens {
            let path = goldens.path_for(case);
            let _ = writeln!(out, "\ngolden  {}", path.display());
            match goldens.load(case) {
                Ok(Some(golden)) => golden.render().lines().for_each(|l| output::line(&mut out, &format!("  {}", printable(l)))),
                Ok(None) => output::line(&mut out, &format!("  none; streakstone bless {}", case.name)),
                Err(fault) => output::line(&mut out, &format!("  {}", visible(&fault.to_string()))),
            }
        }
        out.push('\n');
        let validated = events::render(&*subject, case, &self.cut, Policies::default());
        out.push_str(&validated);
        if subject.abilities().eager {
            let eager = events::render(&*subject, case, &self.cut, Policies { delivery: Delivery::Eager, ..Policies::default() });
            let rest = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_owned());
            if rest(&eager) == rest(&validated) {
                out.push_str("The eager delivery has the same events.\n");
            } else {
                out.push_str(&eager);
            }
        }
        output::data(&out)?;
        Ok(Exit::AsExpected)
    }
}

fn head(case: &Case) -> String {
    let mut out = format!("{}   {}:{}\n", visible(&case.name), case.file.display(), case.line);
    let source = match &case.source {
        Source::Unstated => "-".to_owned(),
        Source::Composed => "composed".to_owned(),
        Source::Public(text) => text.clone(),
        Source::Recorded { model, revision, engine, .. } => format!("recorded from {model} {revision} by {engine}"),
    };
    let tools = match &case.tools {
        None => "no `tools` key: every name".to_owned(),
        Some(tools) if tools.is_empty() => "none".to_owned(),
        Some(tools) => tools.iter().map(|t| t.name.as_str()).collect::<Vec<_>>().join(", "),
    };
    for (key, value) in [
        ("why", case.why.clone()),
        ("source", source),
        ("dialect", case.dialect_word.clone()),
        ("tags", case.tags.join(", ")),
        ("tools", tools),
        ("request", format!("tool_choice {}, parallel {}", visible(&case.tool_choice.to_string()), case.parallel_tool_calls)),
        ("prompt", format!("reasoning {}", if case.reasoning_open { "open" } else { "closed" })),
        ("end", format!("{}, {} bytes", case.end, case.raw.len())),
    ] {
        let _ = writeln!(out, "  {key:<8} {}", visible(&value));
    }
    let own =
        case.one_of.iter().map(|(_, why)| format!("one_of: {why}")).chain(case.under.iter().map(|(pairs, ..)| format!("under: {pairs}")));
    own.for_each(|line| output::line(&mut out, &format!("  {}", visible(&line))));
    out
}
