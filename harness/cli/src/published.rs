//! The published run logs, and the scoreboard that is made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use streakstone_report::scoreboard;
use streakstone_suite::runlog::RunLog;

use crate::exit::{Exit, stop_lines, stop_next};
use crate::world::REFERENCE;

/// What `check` says of them.
#[derive(Debug, Default)]
pub struct Findings {
    /// What is wrong.
    pub faults: Vec<String>,
    /// What is worth a word: logs of another corpus.
    pub notices: Vec<String>,
}

/// The logs of `<root>/reports/published`, by name; none if there is no such folder.
///
/// # Errors
/// Exit 2 with all logs that are damaged, or if two are of one subject.
pub fn logs(root: &Path) -> Result<Vec<(PathBuf, RunLog)>> {
    let folder = root.join("reports").join("published");
    let listed = match std::fs::read_dir(&folder) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        other => other
            .and_then(Iterator::collect::<std::io::Result<Vec<_>>>)
            .with_context(|| format!("{}: cannot be listed", folder.display()))?,
    };
    let mut files: Vec<PathBuf> = listed.into_iter().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "jsonl")).collect();
    files.sort();
    let (mut logs, mut damaged) = (Vec::new(), Vec::new());
    for path in files {
        match RunLog::load(&path) {
            Ok(log) => logs.push((path, log)),
            Err(error) => damaged.push(error.to_string()),
        }
    }
    if damaged.is_empty() {
        one_each(&logs)?;
        return Ok(logs);
    }
    Err(stop_lines(Exit::Usage, damaged))
}

/// One page has one run of a subject: which of two stands there must be said by whoever gives the logs.
///
/// # Errors
/// Exit 2 if two logs have results of one subject.
pub fn one_each(logs: &[(PathBuf, RunLog)]) -> Result<()> {
    let mut seen: BTreeMap<&str, &Path> = BTreeMap::new();
    for (path, log) in logs {
        let subjects: BTreeSet<&str> = log.results.iter().map(|r| r.subject.as_str()).collect();
        for subject in subjects {
            if let Some(other) = seen.insert(subject, path) {
                let message = format!("{} and {}: both have results of the subject `{subject}`.", other.display(), path.display());
                return Err(stop_next(Exit::Usage, message, "leave one out; shards of one run are put together by `streakstone merge`"));
            }
        }
    }
    Ok(())
}

/// The logs that have results of `subject`.
pub fn of<'l>(logs: &'l [(PathBuf, RunLog)], subject: &'l str) -> impl Iterator<Item = &'l RunLog> {
    logs.iter().map(|(_, log)| log).filter(move |log| log.results.iter().any(|r| r.subject == subject))
}

/// Is the scoreboard that of the published logs, and the reference's log of this corpus?
pub fn findings(root: &Path, digest: &str, logs: &[(PathBuf, RunLog)]) -> Findings {
    let mut found = Findings::default();
    if logs.is_empty() {
        return found;
    }
    for (path, log) in logs {
        let (file, header) = (path.display(), &log.header);
        let date = header.started.get(..10).unwrap_or(&header.started);
        if header.commit.ends_with("-dirty") {
            found.faults.push(format!("{file}:1: of a checkout with changes; run it on a clean one (reports/README.md)"));
        }
        if header.corpus_digest == digest {
            continue;
        }
        let what = format!("of the corpus {} of {date}, today's is {}", short(&header.corpus_digest), short(digest));
        if log.results.iter().any(|r| r.subject == REFERENCE) {
            found.faults.push(format!("{file}:1: {what}; publish a run of the reference (reports/README.md)"));
        } else {
            found.notices.push(format!("{file}: {what}."));
        }
    }
    let board = root.join("reports").join("SCOREBOARD.md");
    let wanted = scoreboard::render(&logs.iter().map(|(_, log)| log.clone()).collect::<Vec<_>>());
    if std::fs::read_to_string(&board).ok().as_deref() != Some(wanted.as_str()) {
        let names: Vec<String> = logs.iter().map(|(path, _)| path.display().to_string()).collect();
        let next = format!("streakstone report --scoreboard {} -o {}", names.join(" "), board.display());
        found.faults.push(format!("{}:1: stale: not what the published logs give; {next}", board.display()));
    }
    found
}

fn short(digest: &str) -> &str {
    digest.get(..8).unwrap_or(digest)
}
