//! Judges many pairs at once, in a stable order, with a progress bar, until done or interrupted.

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use streakstone_suite::case::Case;
use streakstone_suite::judge::Judge;
use streakstone_suite::known::{Known, Standing};
use streakstone_suite::runlog::{CaseResult, LogWriter};
use streakstone_suite::subject::Subject;
use streakstone_suite::verdict::Verdict;

use crate::interrupt::{InOrder, interrupted};
use crate::output;
use crate::world::GoldenBook;

/// What a result says that an interrupt left without a verdict.
const NOT_RUN: &str = "The run was interrupted.";

/// One subject on one case.
pub struct Job<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
    /// The case.
    pub case: &'a Case,
}

/// What came of it.
pub struct Done {
    /// One result a job, in the order of the jobs.
    pub results: Vec<CaseResult>,
    /// True if a signal ended it; the jobs that had not ended are `not-run`.
    pub interrupted: bool,
}

/// Results that came out of order wait here for those before them.
struct Shelf<W: Write> {
    waiting: BTreeMap<usize, CaseResult>,
    results: Vec<CaseResult>,
    writer: Option<LogWriter<W>>,
    error: Option<std::io::Error>,
}

impl<W: Write> Shelf<W> {
    fn put(&mut self, place: usize, result: CaseResult) {
        self.waiting.insert(place, result);
        while let Some(mut result) = self.waiting.remove(&self.results.len()) {
            // A log that goes on is cut off at the first case that did not run, so what comes after it is judged again.
            if self.results.last().is_some_and(|last| last.verdict == Verdict::NotRun) {
                not_run(&mut result);
            }
            if let (Some(writer), None) = (&mut self.writer, &self.error) {
                self.error = writer.result(&result).err();
            }
            self.results.push(result);
        }
    }
}

/// Judges all jobs on `threads` threads (all cores if `None`), writing each result to the log as soon as those before it are there.
///
/// # Errors
/// The log cannot be written.
pub fn execute<W: Write + Send>(
    judge: &Judge<'_>,
    jobs: &[Job<'_>],
    book: Option<&GoldenBook>,
    known: &BTreeMap<String, Known>,
    writer: Option<LogWriter<W>>,
    threads: Option<usize>,
) -> Result<Done> {
    let in_order = InOrder::begin();
    // A subject's panic is data and is reported as such; the hook's message would only stand in between.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let bar = bar(jobs.len());
    let shelf = Mutex::new(Shelf { waiting: BTreeMap::new(), results: Vec::with_capacity(jobs.len()), writer, error: None });
    let next = AtomicUsize::new(0);
    let mut left: BTreeMap<&str, AtomicUsize> = BTreeMap::new();
    for job in jobs {
        *left.entry(job.subject.name()).or_default().get_mut() += 1;
    }
    let work = || {
        while let Some((place, job)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, jobs.get(i)?))) {
            let mut result = one(judge, job, book);
            // Nothing of the subject is in hand any more.
            if left[job.subject.name()].fetch_sub(1, Ordering::AcqRel) == 1
                && let Some(why) = job.subject.end()
            {
                at_its_end(&mut result, &why);
            }
            result.known = known.get(&result.subject).and_then(|list| match list.standing(&result) {
                Standing::Known(entry) => Some(entry.reason.clone()),
                Standing::AsExpected | Standing::Unexpected | Standing::HarnessFault => None,
            });
            if let Ok(mut shelf) = shelf.lock() {
                shelf.put(place, result);
            }
            bar.inc(1);
        }
    };
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).clamp(1, jobs.len().max(1));
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    bar.finish_and_clear();
    std::panic::set_hook(hook);
    let Ok(shelf) = shelf.into_inner() else { anyhow::bail!("a thread died while it wrote the log") };
    if let Some(error) = shelf.error {
        return Err(error).context("the run log cannot be written");
    }
    if let Some(writer) = shelf.writer {
        writer.close().and_then(|mut out| out.flush()).context("the run log cannot be written")?;
    }
    drop(in_order);
    let interrupted = interrupted() && shelf.results.iter().any(|result| result.verdict == Verdict::NotRun);
    Ok(Done { results: shelf.results, interrupted })
}

fn one(judge: &Judge<'_>, job: &Job<'_>, book: Option<&GoldenBook>) -> CaseResult {
    let not_run = || blank(job, Verdict::NotRun, NOT_RUN.to_owned());
    if interrupted() {
        return not_run();
    }
    let compare =
        |case: &Case, validated: &_, eager: Option<&_>| book.map_or(Ok(()), |b| b.compare(job.subject.name(), case, validated, eager));
    let judge = Judge { golden: book.is_some().then_some(&compare as _), ..judge.clone() };
    let judged = catch_unwind(AssertUnwindSafe(|| judge.judge(job.subject, job.case).to_log(job.subject, job.case)));
    // Readings that were given up are no ground for a verdict.
    if interrupted() {
        return not_run();
    }
    judged.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        blank(job, Verdict::AdapterFault, format!("The harness panicked: {}. Please report it.", text.unwrap_or("(no message)")))
    })
}

/// Takes back what was judged.
fn not_run(result: &mut CaseResult) {
    *result = CaseResult {
        verdict: Verdict::NotRun,
        checks: Vec::new(),
        unjudged: Vec::new(),
        unjudged_plans: Vec::new(),
        note: NOT_RUN.to_owned(),
        known: None,
        cuts_run: 0,
        cuts_possible: 0,
        held_max: None,
        cpu_ns: 0,
        ..result.clone()
    };
}

/// A fault of the adapter that showed when all was judged. It stands with the last result, so that the log has it.
fn at_its_end(result: &mut CaseResult, why: &str) {
    if result.verdict == Verdict::NotRun {
        return;
    }
    result.verdict = Verdict::AdapterFault;
    result.note = if result.note.is_empty() { why.to_owned() } else { format!("{}; {why}", result.note) };
}

fn blank(job: &Job<'_>, verdict: Verdict, note: String) -> CaseResult {
    CaseResult {
        subject: job.subject.name().to_owned(),
        case: job.case.name.clone(),
        dialect: job.case.dialect_word.clone(),
        file: job.case.file.display().to_string(),
        line: job.case.line,
        verdict,
        checks: Vec::new(),
        unjudged: Vec::new(),
        unjudged_plans: Vec::new(),
        note,
        known: None,
        cuts_run: 0,
        cuts_possible: 0,
        held_max: None,
        cpu_ns: 0,
        planted: job.subject.planted().is_some(),
    }
}

fn bar(length: usize) -> ProgressBar {
    if !output::progress_wanted() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} cases, {eta} left").unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length as u64).with_style(style)
}
