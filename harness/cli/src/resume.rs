//! The log of a run: begun anew, or gone on with after the run was stopped.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;
use streakstone_report::escape::visible;
use streakstone_suite::runlog::{About, CaseResult, Header, LogWriter, Partial, RunLog};

use crate::execute::{Done, Job};
use crate::exit::{Exit, stop, stop_next};
use crate::output;

/// Options that say where a log is and how it is made, not what is judged: a resumed run may have others.
const FREE: &[&str] = &["--log", "--resume", "--jobs", "-j", "--format", "--color"];

/// Where the run log goes.
#[derive(Debug, Default, Args)]
pub struct LogArgs {
    /// Write the run log (JSON Lines) to this file
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Go on with the log of the same command that was stopped: judged cases stand, the others are judged and appended
    #[arg(long, value_name = "FILE", conflicts_with = "log")]
    pub resume: Option<PathBuf>,
}

/// The log of this run.
pub struct Journal {
    header: Header,
    /// Results that an earlier run has written.
    earlier: Vec<CaseResult>,
    writer: Option<LogWriter<BufWriter<File>>>,
}

impl LogArgs {
    /// Opens the log and takes out of `jobs` what it has already.
    ///
    /// # Errors
    /// Exit 2 if the log to go on with is of another run, or has ended; any error of the file.
    pub fn open(&self, header: Header, jobs: &mut Vec<Job<'_>>) -> Result<Journal> {
        if let Some(path) = &self.resume {
            return resume(path, &header, jobs);
        }
        let cannot = |path: &Path| format!("{}: cannot be written", path.display());
        let writer = match &self.log {
            None => None,
            Some(path) => {
                let file = File::create(path).with_context(|| cannot(path))?;
                Some(LogWriter::new(BufWriter::new(file), &header).with_context(|| cannot(path))?)
            }
        };
        Ok(Journal { header, earlier: Vec::new(), writer })
    }
}

impl Journal {
    /// The writer, once.
    pub fn writer(&mut self) -> Option<LogWriter<BufWriter<File>>> {
        self.writer.take()
    }

    /// The whole log: what was there, and what was judged now.
    pub fn close(self, done: Done) -> RunLog {
        let mut results = self.earlier;
        results.extend(done.results);
        RunLog { header: self.header, results, growth: Vec::new() }
    }
}

fn resume(path: &Path, header: &Header, jobs: &mut Vec<Job<'_>>) -> Result<Journal> {
    let partial = Partial::load(path).map_err(|e| stop(Exit::Usage, e))?;
    if let Some((what, was, is)) = differs(&partial.header, header) {
        let message = format!("{}: of another run: its {what} was `{was}`, now it is `{is}`.", path.display());
        return Err(stop_next(Exit::Usage, message, "run it anew with --log, or with what it was begun with"));
    }
    let selected = |r: &CaseResult| jobs.iter().any(|job| job.subject.name() == r.subject && job.case.name == r.case);
    if let Some(odd) = partial.results.iter().find(|r| !selected(r)) {
        let message = format!("{}: has {}::{}, which this run does not select.", path.display(), odd.subject, odd.case);
        return Err(stop_next(Exit::Usage, message, "run it anew with --log"));
    }
    let has: std::collections::HashSet<(&str, &str)> = partial.results.iter().map(|r| (r.subject.as_str(), r.case.as_str())).collect();
    jobs.retain(|job| !has.contains(&(job.subject.name(), job.case.name.as_str())));
    let cannot = || format!("{}: cannot be written", path.display());
    let file = OpenOptions::new().append(true).open(path).with_context(cannot)?;
    file.set_len(partial.keep).with_context(cannot)?;
    let dropped = partial.dropped.as_ref().map_or_else(String::new, |what| format!(" Dropped: {what}."));
    output::notice(&visible(&format!("{}: {} results stand, {} to judge.{dropped}", path.display(), partial.results.len(), jobs.len())));
    let writer = LogWriter::resume(BufWriter::new(file), &partial.results);
    Ok(Journal { header: partial.header, earlier: partial.results, writer: Some(writer) })
}

/// The first thing that must be equal and is not. Not among them: when and on which machine it was begun.
fn differs(was: &Header, is: &Header) -> Option<(String, String, String)> {
    let fields = |h: &Header| {
        [
            ("version", h.version.clone()),
            ("commit", h.commit.clone()),
            ("corpus digest", h.corpus_digest.clone()),
            ("list of seeds", h.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(",")),
            ("list of subjects", h.subjects.join(",")),
            ("list of plans", h.plans.join(",")),
            ("shard", h.shard.clone().unwrap_or_else(|| "none".to_owned())),
            ("command", command(&h.args)),
        ]
    };
    let first = fields(was).into_iter().zip(fields(is)).find(|((_, was), (_, is))| was != is);
    first.map(|((what, was), (_, is))| (what.to_owned(), was, is)).or_else(|| accounts_differ(&was.about, &is.about))
}

/// The first thing that a subject says of itself otherwise.
fn accounts_differ(was: &BTreeMap<String, About>, is: &BTreeMap<String, About>) -> Option<(String, String, String)> {
    let none = About::default();
    let yes_no = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
    let fields = |about: &About| {
        let cannot: Vec<String> = about.cannot.iter().map(|(law, why)| format!("{law} ({why})")).collect();
        [
            ("version", about.version.clone()),
            ("description", about.description.clone()),
            ("list of policies", about.policies.join(", ")),
            ("place", if about.outside { "behind an adapter" } else { "this build" }.to_owned()),
            ("list of modes", about.modes.join(", ")),
            ("unit", about.unit.clone()),
            ("list of what it tells", about.tells.join(", ")),
            ("list of rows whose stop tokens are cut", about.cuts_stop_tokens.join(", ")),
            ("list of what it ignores", about.ignores.join(", ")),
            ("word on whole special tokens", yes_no(about.special_tokens_whole)),
            ("word on eager delivery", yes_no(about.eager)),
            ("list of laws that it cannot be judged by", cannot.join(", ")),
            ("list of stubs", about.stubs.join(", ")),
            ("note", about.notes.clone()),
        ]
    };
    was.keys().chain(is.keys()).find_map(|name| {
        let (was, is) = (fields(was.get(name).unwrap_or(&none)), fields(is.get(name).unwrap_or(&none)));
        let ((what, was), (_, is)) = was.into_iter().zip(is).find(|((_, was), (_, is))| was != is)?;
        let said = |text: String| if text.is_empty() { "none".to_owned() } else { text };
        Some((format!("subject `{name}` is another: its {what}"), said(was), said(is)))
    })
}

/// The arguments without those of [`FREE`] and their values.
fn command(args: &[String]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut skip = false;
    for arg in args {
        let name = arg.split('=').next().unwrap_or(arg);
        if std::mem::take(&mut skip) {
            continue;
        }
        if FREE.contains(&name) {
            skip = name == arg;
        } else if !arg.starts_with("-j") {
            kept.push(arg);
        }
    }
    kept.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_log_goes_is_no_part_of_the_command() {
        let command = |text: &str| command(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for text in ["run hermes --log a.jsonl -j 4", "run --resume=a.jsonl hermes -j2", "run hermes --format json --color=never --jobs 1"]
        {
            assert_eq!(command(text), "run hermes", "{text}");
        }
        assert_ne!(command("run hermes --plan bytes"), command("run hermes"));
    }
}
