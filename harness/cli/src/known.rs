//! `streakstone known [list|check|sync|prune]`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use streakstone_report::escape::visible;
use streakstone_suite::known::{self, EditError, Edited, Known, Reason};
use streakstone_suite::runlog::{CaseResult, RunLog};

use crate::exit::{Exit, stop, stop_lines, stop_next};
use crate::output;
use crate::place::PlaceArgs;
use crate::world::{World, listing};

/// Expected failures: list them, hold them against a run log, write them from one
///
/// They stand in `goldens/known/<subject>.yaml`, each with a reason. One that turns right fails, and so does one that names nothing.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  streakstone known\n  streakstone known check run.jsonl\n  streakstone known sync my-parser --log run.jsonl --reason \"Reads one chunk at a time.\"\n  streakstone known prune my-parser --log run.jsonl"
)]
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
        log: PathBuf,
    },
    /// List what a run log has that is not expected, grouped by law and folder, and mark it for review
    Sync {
        /// The subject, whose list it is
        subject: String,
        /// The run log
        #[arg(long, value_name = "FILE")]
        log: PathBuf,
        /// One sentence on why they fail
        #[arg(long, value_name = "TEXT")]
        reason: String,
        /// A public report, such as `exo-explore/exo#2233`
        #[arg(long, value_name = "ISSUE")]
        issue: Option<String>,
        /// Date or version since when [default: today]
        #[arg(long, value_name = "DATE")]
        since: Option<String>,
    },
    /// Take out entries that name no case, and cases that the run log shows to have turned right
    Prune {
        /// The subject, whose list it is
        subject: String,
        /// The run log
        #[arg(long, value_name = "FILE")]
        log: PathBuf,
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
        let log = match self.action {
            None | Some(Action::List) => {
                let lines: String = known.iter().map(|(subject, list)| lines(subject, list)).collect();
                output::data(if lines.is_empty() { "No failure is listed as known.\n" } else { &lines })?;
                return Ok(Exit::AsExpected);
            }
            Some(Action::Check { log }) => log,
            Some(Action::Sync { subject, log, reason, issue, since }) => {
                let today = || chrono::Utc::now().format("%F").to_string();
                let reason = Reason { reason, issue, since: since.unwrap_or_else(today) };
                if reason.reason.trim().is_empty() {
                    return Err(stop(Exit::Usage, "--reason: one sentence on why they fail is needed."));
                }
                return edit(&world, &known, &subject, &log, |list, text, results, cases| known::sync(list, text, results, cases, &reason));
            }
            Some(Action::Prune { subject, log }) => return edit(&world, &known, &subject, &log, known::prune),
        };
        let log = RunLog::load(&log).map_err(|e| stop(Exit::Usage, e))?;
        let mut faults = Vec::new();
        for (subject, list) in &known {
            let own: Vec<_> = log.results.iter().filter(|r| r.subject == *subject).cloned().collect();
            let names = world.names();
            faults.extend(list.faults(&own, names).iter().map(ToString::to_string));
        }
        if faults.is_empty() {
            output::data(&format!("All {} entries hold.\n", known.values().map(|l| l.entries.len()).sum::<usize>()))?;
            return Ok(Exit::AsExpected);
        }
        Err(stop_lines(Exit::Unexpected, listing(&faults, "broken promise")))
    }
}

/// Edits the list of `subject` by its results in the log, and says what was changed.
fn edit(
    world: &World,
    known: &BTreeMap<String, Known>,
    subject: &str,
    path: &Path,
    how: impl Fn(&Known, &str, &[CaseResult], &[&str]) -> Result<Edited, EditError>,
) -> Result<Exit> {
    let Some(goldens) = &world.goldens else {
        return Err(stop_next(Exit::Usage, "A corpus elsewhere has no known lists.", "leave --corpus out"));
    };
    let log = RunLog::load(path).map_err(|e| stop(Exit::Usage, e))?;
    if log.header.corpus_digest != world.corpus.digest {
        let message = format!("{}: of another corpus; a list is made from a run of this one.", path.display());
        return Err(stop_next(Exit::Usage, message, "streakstone run --log FILE"));
    }
    let own: Vec<CaseResult> = log.results.into_iter().filter(|r| r.subject == subject).collect();
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"._-".contains(&b);
    if own.is_empty() || subject.starts_with('.') || !subject.bytes().all(plain) {
        let message = format!("{}: has no subject `{subject}`.", path.display());
        return Err(stop_next(Exit::Usage, message, format!("streakstone report {}", path.display())));
    }
    let file = goldens.root().join("known").join(format!("{subject}.yaml"));
    let (none, text) = (Known::default(), std::fs::read_to_string(&file).unwrap_or_default());
    let list = known.get(subject).unwrap_or(&none);
    let cases: Vec<&str> = world.names().collect();
    let edited = how(list, &text, &own, &cases).map_err(|e| stop(Exit::Usage, format!("{}: {e}.", file.display())))?;
    if edited.changes.is_empty() {
        output::data(&format!("{}: nothing to change, {} entries.\n", file.display(), edited.entries))?;
        return Ok(Exit::AsExpected);
    }
    let cannot = || format!("{}: cannot be written", file.display());
    if edited.entries == 0 {
        std::fs::remove_file(&file).with_context(cannot)?;
    } else {
        std::fs::create_dir_all(goldens.root().join("known")).and_then(|()| std::fs::write(&file, &edited.text)).with_context(cannot)?;
    }
    let changes: String = edited.changes.iter().map(|change| visible(change) + "\n").collect();
    let marked = if edited.text.contains("review: true") { " Entries with `review: true` want a look." } else { "" };
    output::data(&format!(
        "{changes}{}: {} entries.{marked}\n  next  streakstone known check {}\n",
        file.display(),
        edited.entries,
        path.display()
    ))?;
    Ok(Exit::AsExpected)
}

fn lines(subject: &str, list: &Known) -> String {
    let line = |e: &streakstone_suite::known::KnownEntry| {
        let issue = e.issue.as_ref().map_or_else(String::new, |i| format!(" ({i})"));
        let issue = if e.review { issue + "  to review" } else { issue };
        let text = format!("{subject}::{}  {} {}  since {}  {}{issue}", e.cases, e.check, e.status.as_str(), e.since, e.reason);
        format!("{}:{}  {}\n", list.file.display(), e.line, visible(&text))
    };
    list.entries.iter().map(line).collect()
}
