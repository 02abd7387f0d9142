//! Random replies that the dialects' encoders write: what they mean is known, so nothing but a subject is needed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use anyhow::Result;
use streakstone_model::{Dialect, Lookup, dialects, lookup};
use streakstone_suite::case::Case;
use streakstone_suite::encode::{GeneratedCase, encoder, generate, parts_differ, scenario};
use streakstone_suite::judge::Judge;
use streakstone_suite::law::Law;
use streakstone_suite::plan::Plan;
use streakstone_suite::runlog::{CaseResult, Check};
use streakstone_suite::seeded::SplitMix64;
use streakstone_suite::subject::Subject;
use streakstone_suite::verdict::Verdict;

use crate::exit::{Exit, stop_next};

/// Failures kept; more of a million are no news.
const FAILURES_KEPT: usize = 10;

/// Replies that a thread takes at once: enough that threads do not meet, few enough that they end together.
const TAKEN: u64 = 64;

/// Prefixes that `prefix-honest` reads of one reply. Replies are many, so that each needs few.
const PREFIXES: usize = 2;

/// One reply of so many is judged under every single policy change too, which costs as much as fifty replies without.
const POLICIES_EVERY: u64 = 64;

/// What came of the replies of one subject.
#[derive(Debug, Default)]
pub struct Done {
    /// Replies judged.
    pub replies: u64,
    /// Readings made by the plans.
    pub readings: u64,
    /// Replies that failed.
    pub failed: u64,
    /// The first failures, by seed.
    pub shown: Vec<CaseResult>,
}

impl Done {
    /// One line for the terminal.
    pub fn summary(&self, subject: &str, rows: usize, seed: u64) -> String {
        let last = seed.saturating_add(self.replies.saturating_sub(1));
        let counts = format!("{} generated replies of {rows} dialects, seeds {seed} to {last}, {} readings", self.replies, self.readings);
        match self.failed {
            0 => format!("{subject}: {counts}: every reply is as it was written.\n"),
            failed => format!("{subject}: {counts}: {failed} failed.\n"),
        }
    }
}

/// The generated case of a name such as `hermes/generated/7` or `hermes/generated/two-calls`, with or without a subject before it.
pub fn by_name(pattern: &str) -> Option<Case> {
    let name = pattern.split_once("::").map_or(pattern, |(_, name)| name);
    let (row, id) = name.split_once("/generated/")?;
    match id.parse() {
        Ok(seed) => generate(row, seed).map(|generated| generated.case),
        Err(_) => scenario(row, id),
    }
}

/// The rows that dialect words name, all with an encoder if there are none.
///
/// # Errors
/// Exit 2 on a word that names no row.
pub fn rows(words: &[String]) -> Result<Vec<&'static Dialect>> {
    if words.is_empty() {
        return Ok(dialects().filter(|row| encoder(row.name).is_some()).collect());
    }
    let row = |word: &String| match lookup(word) {
        Lookup::Known(row) if encoder(row.name).is_some() => Ok(row),
        Lookup::Known(_) => Err(stop_next(Exit::Usage, format!("`{word}` has no encoder."), format!("streakstone run {word}"))),
        Lookup::Unknown { nearest } => {
            Err(stop_next(Exit::Usage, format!("No dialect is named `{word}`; the nearest is `{nearest}`."), "streakstone list dialects"))
        }
    };
    words.iter().map(row).collect()
}

/// Judges `count` replies from `seed` on, each with random cuts, in both deliveries and by all laws, on `threads` threads (all
/// cores if `None`). The seed says which row comes next, so that one reply can be made again.
pub fn judge(subject: &dyn Subject, rows: &[&'static Dialect], seed: u64, count: u64, threads: Option<usize>) -> Done {
    let rows: Vec<_> = rows.iter().filter(|row| subject.supports(row)).collect();
    let clock = streakstone_measure::clock::now;
    let judge = Judge { plans: vec![Plan::Given], policy_changes: false, prefixes: PREFIXES, clock, ..Judge::default() };
    let thorough = Judge { policy_changes: true, ..judge.clone() };
    let done = Mutex::new(Done::default());
    let next = AtomicU64::new(0);
    let work = || {
        let mut own = Done::default();
        loop {
            let from = next.fetch_add(TAKEN, Ordering::Relaxed);
            if from >= count || rows.is_empty() {
                break;
            }
            for place in from..count.min(from + TAKEN) {
                let seed = seed.wrapping_add(place);
                let row = rows[usize::try_from(seed % rows.len() as u64).unwrap_or(0)];
                if let Some(generated) = generate(row.name, seed) {
                    // Not by the seed itself: its remainder already chose the row.
                    let judge = if SplitMix64::new(seed).next_word().is_multiple_of(POLICIES_EVERY) { &thorough } else { &judge };
                    own.one(judge, subject, &generated);
                }
            }
        }
        if let Ok(mut done) = done.lock() {
            done.replies += own.replies;
            done.readings += own.readings;
            done.failed += own.failed;
            done.shown.append(&mut own.shown);
        }
    };
    // A subject's panic is data; the hook's message would only stand in between.
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let threads = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, usize::from)).max(1);
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    std::panic::set_hook(hook);
    let mut done = done.into_inner().unwrap_or_default();
    done.shown.sort_by(|a, b| (a.case.len(), &a.case).cmp(&(b.case.len(), &b.case)));
    done.shown.truncate(FAILURES_KEPT);
    done
}

impl Done {
    fn one(&mut self, judge: &Judge<'_>, subject: &dyn Subject, generated: &GeneratedCase) {
        self.replies += 1;
        let case = &generated.case;
        let Ok(judged) = catch_unwind(AssertUnwindSafe(|| judge.judge(subject, case))) else {
            self.failed += 1;
            return;
        };
        self.readings += judged.cuts_run;
        // What fails otherwise needs no second word.
        let order = judged.validated.as_ref().filter(|_| judged.verdict == Verdict::Pass).and_then(|r| parts_differ(&generated.parts, r));
        if judged.verdict == Verdict::Pass && order.is_none() {
            return;
        }
        self.failed += 1;
        if self.shown.len() < FAILURES_KEPT {
            let mut result = judged.to_log(subject, case);
            // What a reply means is known byte for byte, so white space counts.
            result.verdict = result.verdict.max(Verdict::Fail);
            if let Some(detail) = order {
                result.checks.push(Check { detail: format!("The order of the parts is another: {detail}."), ..Check::new(Law::Expect) });
            }
            self.shown.push(result);
        }
    }
}
