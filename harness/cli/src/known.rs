//! `streakstone known [list|check]`

use anyhow::Result;
use clap::{Args, Subcommand};
use streakstone_report::escape::{printable, visible};
use streakstone_suite::known::Known;
use streakstone_suite::runlog::RunLog;

use crate::exit::{Exit, stop};
use crate::output;
use crate::place::PlaceArgs;
use crate::world::{World, listing};

/// Expected failures: list them, or hold them against a run log
///
/// They stand in `goldens/known/<subject>.yaml`, each with a reason. One that turns right fails, and so does one that names nothing.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  streakstone known\n  streakstone known check run.jsonl")]
pub struct KnownArgs {
    #[command(subcommand)]
    pub action: Option<Action>,
    #[command(flatten)]
    pub place: PlaceArgs,
}

/// What to do with the lists.
#[derive(Debug, Subcommand)]
pub enum Action {
    /// Print every entry
    List,
    /// Hold the entries against a run log: exit 1 for one that does not hold
    Check {
        /// The run log
        log: std::path::PathBuf,
    },
}

impl KnownArgs {
    /// Lists or checks.
    ///
    /// # Errors
    /// Exit 2 on an invalid list or corpus.
    pub fn run(self) -> Result<Exit> {
        let world = World::open(&self.place)?;
        let known = world.known()?;
        let Some(Action::Check { log }) = self.action else {
            let lines: String = known.iter().map(|(subject, list)| lines(subject, list)).collect();
            output::data(if lines.is_empty() { "No failure is listed as known.\n" } else { &lines })?;
            return Ok(Exit::AsExpected);
        };
        let log = RunLog::load(&log).map_err(|e| stop(Exit::Usage, e.to_string()))?;
        let mut faults = Vec::new();
        for (subject, list) in &known {
            let own: Vec<_> = log.results.iter().filter(|r| r.subject == *subject).cloned().collect();
            let names = world.corpus.cases.iter().map(|c| c.name.as_str());
            faults.extend(list.faults(&own, names).iter().map(|f| printable(&f.to_string())));
        }
        if faults.is_empty() {
            output::data(&format!("All {} entries hold.\n", known.values().map(|l| l.entries.len()).sum::<usize>()))?;
            return Ok(Exit::AsExpected);
        }
        Err(stop(Exit::Unexpected, listing(&faults, "broken promise")))
    }
}

fn lines(subject: &str, list: &Known) -> String {
    let line = |e: &streakstone_suite::known::KnownEntry| {
        let issue = e.issue.as_ref().map_or_else(String::new, |i| format!(" ({i})"));
        let text = format!("{subject}::{}  {} {}  since {}  {}{issue}", e.cases, e.check, e.status.as_str(), e.since, e.reason);
        format!("{}:{}  {}\n", list.file.display(), e.line, visible(&text))
    };
    list.entries.iter().map(line).collect()
}
