//! Compares two runs: what is newly wrong, what is newly right, and what cannot be compared.

use std::collections::{BTreeMap, BTreeSet};

use crate::law::Law;
use crate::runlog::{CaseResult, RunLog};
use crate::verdict::Verdict;

/// One subject and case whose result changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The old result.
    pub old: CaseResult,
    /// The new result.
    pub new: CaseResult,
}

/// Why a pair of results says nothing about the subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Incomparable {
    /// It did not run in the old log.
    NotRunBefore,
    /// It did not run in the new log.
    NotRunNow,
    /// The adapter was at fault in one of them.
    AdapterFault,
    /// The subject could not be judged in one of them (`unsupported`).
    Unsupported,
}

/// The difference of two runs. Lists are sorted by subject and case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// Good before, bad now; or good before and less good now (`pass` to `soft`).
    pub regressed: Vec<Change>,
    /// Bad before, good now; or good before and better now.
    pub fixed: Vec<Change>,
    /// Bad in both, but by another verdict or other checks.
    pub failing_differently: Vec<Change>,
    /// Bad in both, in the same way.
    pub still_failing: Vec<Change>,
    /// Only in the new log.
    pub new: Vec<CaseResult>,
    /// Only in the old log.
    pub gone: Vec<CaseResult>,
    /// In both, but not comparable.
    pub not_comparable: Vec<(Change, Incomparable)>,
    /// Number of results that are equal and good.
    pub unchanged: usize,
    /// Number of results of the new log that did not run: of them nothing is known.
    pub not_run: usize,
    /// True if the corpus digests are equal; else a change may be the corpus' own.
    pub same_corpus: bool,
}

impl Diff {
    /// True if the new run is worse: something regressed, or a new case is bad.
    #[must_use]
    pub fn is_worse(&self) -> bool {
        !self.regressed.is_empty() || self.new.iter().any(|r| r.verdict.is_bad())
    }
}

/// Compares `new` with `old`.
#[must_use]
pub fn diff(old: &RunLog, new: &RunLog) -> Diff {
    let mut result = Diff { same_corpus: old.header.corpus_digest == new.header.corpus_digest, not_run: new.not_run(), ..Diff::default() };
    let before: BTreeMap<(&str, &str), &CaseResult> = by_name(old);
    let after = by_name(new);
    result.new = after.iter().filter(|(name, _)| !before.contains_key(*name)).map(|(_, r)| (*r).clone()).collect();
    for (name, &old) in &before {
        let Some(&new) = after.get(name) else {
            result.gone.push(old.clone());
            continue;
        };
        let change = || Change { old: old.clone(), new: new.clone() };
        if let Some(why) = incomparable(old.verdict, new.verdict) {
            result.not_comparable.push((change(), why));
            continue;
        }
        match (old.verdict.is_bad(), new.verdict.is_bad()) {
            (true, true) if same_failure(old, new) => result.still_failing.push(change()),
            (true, true) => result.failing_differently.push(change()),
            (false, true) => result.regressed.push(change()),
            (true, false) => result.fixed.push(change()),
            (false, false) if new.verdict > old.verdict => result.regressed.push(change()),
            (false, false) if new.verdict < old.verdict => result.fixed.push(change()),
            (false, false) => result.unchanged += 1,
        }
    }
    result
}

fn by_name(log: &RunLog) -> BTreeMap<(&str, &str), &CaseResult> {
    log.results.iter().map(|r| ((r.subject.as_str(), r.case.as_str()), r)).collect()
}

fn incomparable(old: Verdict, new: Verdict) -> Option<Incomparable> {
    match (old, new) {
        (Verdict::AdapterFault, _) | (_, Verdict::AdapterFault) => Some(Incomparable::AdapterFault),
        (Verdict::NotRun, _) => Some(Incomparable::NotRunBefore),
        (_, Verdict::NotRun) => Some(Incomparable::NotRunNow),
        (Verdict::Unsupported, Verdict::Unsupported) => None,
        (Verdict::Unsupported, _) | (_, Verdict::Unsupported) => Some(Incomparable::Unsupported),
        _ => None,
    }
}

/// The verdict and the set of (law, delivery, place) decide; cuts may move with the text around them.
fn same_failure(old: &CaseResult, new: &CaseResult) -> bool {
    let key = |r: &CaseResult| -> BTreeSet<(Law, Option<&'static str>, Option<String>)> {
        r.checks.iter().map(|c| (c.law, c.delivery.map(streakstone_model::Delivery::as_str), c.at.clone())).collect()
    };
    old.verdict == new.verdict && key(old) == key(new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runlog::read::tests::{log, result};

    fn names(changes: &[Change]) -> Vec<&str> {
        changes.iter().map(|c| c.new.case.as_str()).collect()
    }

    #[test]
    fn every_pair_falls_into_one_class() {
        let old = log(vec![
            result("broke", Verdict::Pass),
            result("mended", Verdict::Fail),
            result("worse", Verdict::Fail),
            result("same-bad", Verdict::Fail),
            result("same-good", Verdict::Pass),
            result("softer", Verdict::Pass),
            result("gone", Verdict::Pass),
            result("skipped", Verdict::Pass),
            result("was-skipped", Verdict::NotRun),
            result("adapter", Verdict::AdapterFault),
            result("learned", Verdict::Unsupported),
        ]);
        let mut other_law = result("worse", Verdict::Fail);
        other_law.checks[0].law = Law::NoByteLost;
        let mut moved = result("same-bad", Verdict::Fail);
        moved.checks[0].cut = vec![53];
        let new = log(vec![
            result("broke", Verdict::Crashed),
            result("mended", Verdict::Pass),
            other_law,
            moved,
            result("same-good", Verdict::Pass),
            result("softer", Verdict::Soft),
            result("new", Verdict::Fail),
            result("skipped", Verdict::NotRun),
            result("was-skipped", Verdict::Pass),
            result("adapter", Verdict::Pass),
            result("learned", Verdict::Pass),
        ]);
        let diff = diff(&old, &new);
        assert_eq!(names(&diff.regressed), ["broke", "softer"]);
        assert_eq!(names(&diff.fixed), ["mended"]);
        assert_eq!(names(&diff.failing_differently), ["worse"]);
        assert_eq!(names(&diff.still_failing), ["same-bad"]);
        assert_eq!(diff.new.len(), 1);
        assert_eq!(diff.gone.len(), 1);
        let why: Vec<Incomparable> = diff.not_comparable.iter().map(|(_, w)| *w).collect();
        assert_eq!(why, [Incomparable::AdapterFault, Incomparable::Unsupported, Incomparable::NotRunNow, Incomparable::NotRunBefore]);
        assert_eq!((diff.unchanged, diff.not_run), (1, 1));
        assert!(diff.is_worse());
    }

    #[test]
    fn two_equal_runs_do_not_differ() {
        let one = log(vec![result("a", Verdict::Pass), result("b", Verdict::Fail)]);
        let diff = diff(&one, &one);
        assert!(!diff.is_worse());
        assert!(diff.same_corpus);
        assert_eq!((diff.unchanged, diff.still_failing.len()), (1, 1));
    }
}
