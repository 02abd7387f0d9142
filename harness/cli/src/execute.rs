//! Judges many pairs at once, in a stable order, with a progress bar, until done or interrupted.

use std::collections::BTreeMap;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use anyhow::{Context as _, Result};
use indicatif::{ProgressBar, ProgressStyle};
use streakstone_suite::case::Case;
use streakstone_suite::judge::Judge;
use streakstone_suite::known::{Known, Standing};
use streakstone_suite::runlog::{CaseResult, LogWriter};
use streakstone_suite::subject::Subject;
use streakstone_suite::verdict::Verdict;

use crate::exit::Exit;
use crate::output;
use crate::world::GoldenBook;

/// Set by Ctrl-C.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

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
    /// True if Ctrl-C ended it; the jobs that had not begun are `not-run`.
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
        while let Some(result) = self.waiting.remove(&self.results.len()) {
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
    // A second Ctrl-C does not wait for the cases in hand. Without a handler Ctrl-C ends the program at once, which is no harm.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(Exit::Incomplete as u8));
        }
    });
    // A subject's panic is data and is reported as such; the hook's message would only stand in between.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let bar = bar(jobs.len());
    let shelf = Mutex::new(Shelf { waiting: BTreeMap::new(), results: Vec::with_capacity(jobs.len()), writer, error: None });
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((place, job)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, jobs.get(i)?))) {
            let mut result = one(judge, job, book);
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
    Ok(Done { results: shelf.results, interrupted: INTERRUPTED.load(Ordering::Relaxed) })
}

fn one(judge: &Judge<'_>, job: &Job<'_>, book: Option<&GoldenBook>) -> CaseResult {
    if INTERRUPTED.load(Ordering::Relaxed) {
        return blank(job, Verdict::NotRun, "The run was interrupted.".to_owned());
    }
    let compare =
        |case: &Case, validated: &_, eager: Option<&_>| book.map_or(Ok(()), |b| b.compare(job.subject.name(), case, validated, eager));
    let judge = Judge { golden: book.is_some().then_some(&compare as _), ..judge.clone() };
    catch_unwind(AssertUnwindSafe(|| judge.judge(job.subject, job.case).to_log(job.subject, job.case))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
        blank(job, Verdict::AdapterFault, format!("The harness panicked: {}. Please report it.", text.unwrap_or("(no message)")))
    })
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
