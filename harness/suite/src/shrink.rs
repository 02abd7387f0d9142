//! The shrinker: the smallest set of cuts, then the smallest text, that still break a law. The result is 1-minimal where the
//! budget of readings allows: no single cut can be left out or moved to a smaller byte, no single character can be left out.

use streakstone_model::{Delivery, Policies};

use crate::case::{Case, Expect};
use crate::judge::{Check, replay};
use crate::law::Law;
use crate::plan::{Plan, character_starts};
use crate::subject::{Chunking, Subject};
use crate::verdict::Verdict;

/// A subject, a case and a reading of it that breaks a law.
#[derive(Clone)]
pub struct Failing<'a> {
    /// The subject.
    pub subject: &'a dyn Subject,
    /// The case.
    pub case: &'a Case,
    /// The law.
    pub law: Law,
    /// The policies, with the delivery.
    pub policies: Policies,
    /// The plan whose reading broke it; it says which of the equality laws is meant.
    pub plan: Plan,
    /// The reading.
    pub chunking: Chunking,
    /// What it makes of the case. White space only is no smaller form of a lost word.
    pub verdict: Verdict,
    /// True if it cuts a special token of a subject that never sees one cut; a smaller cut must not change that.
    pub apart: bool,
}

/// The smallest that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shrunk {
    /// The raw bytes.
    pub raw: Vec<u8>,
    /// The cuts in them.
    pub chunking: Chunking,
    /// The check they give; `None` if the failure did not show again (a flaky subject).
    pub check: Option<Check>,
    /// Readings asked for.
    pub readings: usize,
    /// True if the search ended before the budget: the result is 1-minimal.
    pub minimal: bool,
}

impl<'a> Failing<'a> {
    /// What `check` says failed.
    #[must_use]
    pub fn of(check: &Check, subject: &'a dyn Subject, case: &'a Case) -> Self {
        let mut policies = Policies { delivery: check.delivery, ..Policies::default() };
        for pair in &check.policies {
            // The words come from `Policies::changed`; a check read back from a foreign log may hold others, which change nothing.
            let _ = policies.set_pairs(pair);
        }
        let chunking = Chunking {
            cuts: check.cut.iter().copied().filter(|&cut| cut <= case.raw.len()).collect(),
            last_with_finish: check.plan == Plan::LastWithFinish,
            reuse: check.plan == Plan::Reuse,
            special: check.plan == Plan::SpecialTokens,
            whole: false,
        };
        Self { subject, case, law: check.law, policies, plan: check.plan, chunking, verdict: check.verdict, apart: check.apart }
    }

    /// The delivery that failed.
    #[must_use]
    pub const fn delivery(&self) -> Delivery {
        self.policies.delivery
    }
}

/// Readings left, and the question they are spent on.
struct Search<'f, 'a> {
    failing: &'f Failing<'a>,
    budget: usize,
    readings: usize,
    /// The check of the smallest reading so far.
    check: Option<Check>,
}

impl Search<'_, '_> {
    /// True if `case` cut by `cuts` breaks the law. False when the budget is spent, so that every search ends.
    fn breaks(&mut self, case: &Case, cuts: &[usize]) -> bool {
        if self.readings >= self.budget {
            return false;
        }
        self.readings += 1;
        let failing = self.failing;
        let chunking = Chunking { cuts: cuts.to_vec(), ..failing.chunking };
        let Some(check) = replay(failing, case, &chunking) else { return false };
        self.check = Some(check);
        true
    }

    fn spent(&self) -> bool {
        self.readings >= self.budget
    }

    /// Fewer cuts, then smaller ones. The cut of `prefix-honest` is a length and can only become smaller.
    fn cuts(&mut self, case: &Case, mut cuts: Vec<usize>) -> Vec<usize> {
        if self.failing.law != Law::PrefixHonest {
            cuts = self.fewer_cuts(case, cuts);
        }
        self.smaller_cuts(case, cuts)
    }

    fn fewer_cuts(&mut self, case: &Case, cuts: Vec<usize>) -> Vec<usize> {
        if cuts.is_empty() || self.breaks(case, &[]) {
            return Vec::new();
        }
        // One cut is the usual answer, and cheaper to look for than by halving.
        if cuts.len() > 1
            && cuts.len() <= self.budget.saturating_sub(self.readings) / 2
            && let Some(&one) = cuts.iter().find(|&&cut| self.breaks(case, &[cut]))
        {
            return vec![one];
        }
        ddmin(cuts, |some| self.breaks(case, some))
    }

    fn smaller_cuts(&mut self, case: &Case, mut cuts: Vec<usize>) -> Vec<usize> {
        for i in 0..cuts.len() {
            let from = if i == 0 { 1 } else { cuts[i - 1] };
            for smaller in from..cuts[i] {
                let mut moved = cuts.clone();
                moved[i] = smaller;
                if self.breaks(case, &moved) {
                    cuts = moved;
                    break;
                }
            }
        }
        cuts
    }

    /// A shorter text, by characters; its cuts move with it.
    fn text(&mut self, case: &mut Case, mut cuts: Vec<usize>) -> Vec<usize> {
        let raw = case.raw.clone();
        let starts = character_starts(&raw);
        let ends = starts.iter().skip(1).copied().chain([raw.len()]);
        let units: Vec<(usize, usize)> = starts.iter().copied().zip(ends).collect();
        let original = cuts.clone();
        let mut variant = case.clone();
        let kept = ddmin(units, |some| {
            let (raw, moved) = without(&raw, some, &original);
            variant.raw = raw;
            self.breaks(&variant, &moved)
        });
        (case.raw, cuts) = without(&raw, &kept, &cuts);
        cuts
    }
}

/// `raw` with only the `kept` ranges, and the cuts moved to where their bytes now are.
fn without(raw: &[u8], kept: &[(usize, usize)], cuts: &[usize]) -> (Vec<u8>, Vec<usize>) {
    let bytes = kept.iter().flat_map(|&(start, end)| &raw[start..end]).copied().collect();
    let moved = |cut: usize| kept.iter().map(|&(start, end)| end.min(cut).saturating_sub(start)).sum::<usize>();
    (bytes, cuts.iter().map(|&cut| moved(cut)).collect())
}

/// Zeller's delta debugging: the smallest subsequence found for which `fails` holds. It holds for all of `items`. The result is
/// 1-minimal if `fails` never said no for want of budget.
fn ddmin<T: Clone>(mut items: Vec<T>, mut fails: impl FnMut(&[T]) -> bool) -> Vec<T> {
    let mut pieces = 2;
    while !items.is_empty() {
        let size = items.len().div_ceil(pieces);
        let mut smaller = None;
        for start in (0..items.len()).step_by(size) {
            let rest: Vec<T> = items[..start].iter().chain(&items[(start + size).min(items.len())..]).cloned().collect();
            if fails(&rest) {
                smaller = Some(rest);
                break;
            }
        }
        match smaller {
            Some(rest) => {
                items = rest;
                pieces = pieces.saturating_sub(1).max(2);
            }
            None if size == 1 => break,
            None => pieces = (pieces * 2).min(items.len()),
        }
    }
    items
}

/// The smallest set of cuts of the case's own text.
#[must_use]
pub fn smallest_cuts(failing: &Failing<'_>, budget: usize) -> Shrunk {
    let mut search = Search { failing, budget, readings: 0, check: None };
    let cuts = failing.chunking.cuts.clone();
    let mut found = cuts.clone();
    if search.breaks(failing.case, &cuts) {
        found = search.cuts(failing.case, cuts);
    }
    finish(search, failing.case.raw.clone(), found)
}

/// The smallest set of cuts, then the smallest text, in turn until neither gets smaller. What depends on the case's own text
/// (`expect`, `golden`) keeps it.
#[must_use]
pub fn smallest(failing: &Failing<'_>, budget: usize) -> Shrunk {
    let mut search = Search { failing, budget, readings: 0, check: None };
    let mut cuts = failing.chunking.cuts.clone();
    if failing.law.needs_the_text() || !search.breaks(failing.case, &cuts) {
        return smallest_cuts(failing, budget);
    }
    // What is expected says nothing of another text; nor do token pieces and chunks.
    let mut case =
        Case { expect: Expect::default(), one_of: Vec::new(), under: Vec::new(), pieces: None, chunks: Vec::new(), ..failing.case.clone() };
    if !search.breaks(&case, &cuts) {
        return smallest_cuts(failing, budget);
    }
    loop {
        let before = (case.raw.len(), cuts.clone());
        cuts = search.cuts(&case, cuts);
        cuts = search.text(&mut case, cuts);
        if search.spent() || (case.raw.len(), &cuts) == (before.0, &before.1) {
            return finish(search, case.raw, cuts);
        }
    }
}

fn finish(search: Search<'_, '_>, raw: Vec<u8>, cuts: Vec<usize>) -> Shrunk {
    let chunking = Chunking { cuts, ..search.failing.chunking };
    Shrunk { raw, chunking, minimal: !search.spent() && search.check.is_some(), readings: search.readings, check: search.check }
}
