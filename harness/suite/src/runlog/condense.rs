//! Makes a log small enough to publish: verdicts and broken laws stay, values are shown for a few results of each law and dialect.

use std::collections::BTreeMap;

use crate::law::Law;
use crate::runlog::{CaseResult, Check, RunLog};
use crate::verdict::Verdict;

/// Results of one subject, dialect and law that keep their values: enough to see what kind of fault it is.
pub const EXAMPLES: usize = 2;

/// Characters kept of a value, a sentence or a note.
const VALUE: usize = 160;

/// Cuts kept where a reading has more than these, in results that are no example.
const CUTS: usize = 8;

/// What findings are alike.
type Kind<'a> = (&'a str, &'a str, Law, Option<Verdict>, bool);

fn kind<'a>(result: &'a CaseResult, check: &Check) -> Kind<'a> {
    (&result.subject, &result.dialect, check.law, check.verdict, check.apart)
}

/// The simplest finding of each law, verdict and side: the defaults first, then the fewest cuts.
fn simplest(result: &CaseResult) -> Vec<&Check> {
    let rank = |c: &Check| (!c.policies.is_empty(), c.cut.len(), c.cut.first().copied());
    let mut best: Vec<&Check> = Vec::new();
    for check in &result.checks {
        match best.iter_mut().find(|b| kind(result, b) == kind(result, check)) {
            Some(old) if rank(check) < rank(old) => *old = check,
            Some(_) => {}
            None => best.push(check),
        }
    }
    best
}

/// `log` with one finding of each law a result. The `EXAMPLES` with the fewest cuts of each subject, dialect and law keep their
/// values, shortened; the others keep law, plan, delivery and a short list of cuts. Counts, diffs and known lists come out the same.
#[must_use]
pub fn condense(log: &RunLog) -> RunLog {
    let mut candidates: BTreeMap<Kind<'_>, Vec<(usize, Option<usize>, usize)>> = BTreeMap::new();
    for (place, result) in log.results.iter().enumerate() {
        for check in simplest(result) {
            candidates.entry(kind(result, check)).or_default().push((check.cut.len(), check.cut.first().copied(), place));
        }
    }
    for places in candidates.values_mut() {
        places.sort_unstable();
        places.truncate(EXAMPLES);
    }
    let is_example = |place: usize, result: &CaseResult, check: &Check| {
        candidates.get(&kind(result, check)).is_some_and(|some| some.iter().any(|&(.., at)| at == place))
    };
    let mut condensed = RunLog { header: log.header.clone(), results: Vec::with_capacity(log.results.len()), growth: log.growth.clone() };
    condensed.header.condensed = true;
    for (place, result) in log.results.iter().enumerate() {
        let checks = simplest(result).into_iter().map(|c| if is_example(place, result, c) { shortened(c) } else { bare(c) }).collect();
        condensed.results.push(CaseResult { checks, note: clip(&result.note), ..result.clone() });
    }
    condensed
}

fn shortened(check: &Check) -> Check {
    let value = |v: &Option<String>| v.as_deref().map(clip);
    Check { want: value(&check.want), got: value(&check.got), detail: clip(&check.detail), smallest: None, ..check.clone() }
}

fn bare(check: &Check) -> Check {
    let (cut, detail) = if check.cut.len() <= CUTS {
        (check.cut.clone(), String::new())
    } else {
        (Vec::new(), format!("{} cuts, not listed.", check.cut.len()))
    };
    Check {
        plan: check.plan.clone(),
        delivery: check.delivery,
        policies: check.policies.clone(),
        cut,
        detail,
        verdict: check.verdict,
        apart: check.apart,
        ..Check::new(check.law)
    }
}

fn clip(text: &str) -> String {
    if text.chars().nth(VALUE).is_none() { text.to_owned() } else { text.chars().take(VALUE - 1).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runlog::tests::{bytes, log, result};

    /// A result that breaks eight laws under several plans, with long values and long lists of cuts.
    fn bad(i: usize) -> CaseResult {
        let mut bad = result(&format!("hermes/a-topic-of-some-length/case-number-{i}"), Verdict::Fail);
        bad.dialect = format!("dialect_{}", i % 80);
        bad.checks.clear();
        for &law in &Law::ALL[..8] {
            for plan in ["bytes", "every-cut", "random"] {
                bad.checks.push(Check {
                    plan: Some(plan.to_owned()),
                    cut: if plan == "bytes" { (0..600).collect() } else { vec![i] },
                    want: Some("w".repeat(400)),
                    got: Some("g".repeat(400)),
                    detail: "The whole and the split reading differ. Smallest failing cut: byte 52 of 88.".to_owned(),
                    ..Check::new(law)
                });
            }
        }
        bad
    }

    #[test]
    fn a_log_of_the_whole_corpus_in_which_all_is_wrong_is_under_three_megabytes() {
        let whole = log((0..2306).map(bad).collect());
        let small = bytes(&condense(&whole));
        assert!(small.len() < 3_000_000, "{} of {} bytes", small.len(), bytes(&whole).len());
    }

    #[test]
    fn the_simplest_finding_of_each_law_stays_and_only_examples_show_values() {
        let whole = log((0..5).map(|i| CaseResult { dialect: "hermes".to_owned(), ..bad(i) }).collect());
        let small = condense(&whole);
        assert!(small.header.condensed);
        assert_eq!(small.counts(), whole.counts());
        for (place, result) in small.results.iter().enumerate() {
            assert_eq!(result.checks.len(), 8);
            for check in &result.checks {
                assert_eq!((check.plan.as_deref(), check.cut.as_slice()), (Some("every-cut"), [place].as_slice()));
                assert_eq!(check.want.is_some(), place < EXAMPLES, "{place}");
            }
        }
        assert_eq!(small.results[0].checks[0].want.as_ref().unwrap().chars().count(), VALUE);
        assert_eq!(condense(&small), small, "twice is once");
    }

    #[test]
    fn findings_apart_and_soft_ones_stay_beside_the_others() {
        let mut one = result("hermes/a/b", Verdict::Fail);
        one.checks.push(Check { apart: true, ..one.checks[0].clone() });
        one.checks.push(Check { verdict: Some(Verdict::Soft), ..one.checks[0].clone() });
        assert_eq!(condense(&log(vec![one.clone()])).results[0].checks.len(), 3);
    }
}
