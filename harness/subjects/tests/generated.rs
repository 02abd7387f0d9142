//! The reference parsers give every encoder's text the reply it was written from. A dialect of which the table has no row yet is
//! left out.

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use proptest::prelude::*;
use streakstone_model::{Lookup, dialects};
use streakstone_subjects::by_name;
use streakstone_suite::case::Case;
use streakstone_suite::encode::{Choices, Encoder, document, encoders, generate, parts_differ, scenarios};
use streakstone_suite::judge::{Judge, Judged};
use streakstone_suite::plan::Plan;
use streakstone_suite::verdict::Verdict;

/// Random replies of each dialect; `STREAKSTONE_GENERATED` sets another number, `STREAKSTONE_ROWS` names the dialects.
const RANDOM: u64 = 20;

fn judge(judge: &Judge<'_>, case: &Case) -> Judged {
    judge.judge(&*by_name("reference").unwrap(), case)
}

fn known() -> impl Iterator<Item = &'static Encoder> {
    encoders().filter(|e| matches!(streakstone_model::lookup(e.row), Lookup::Known(row) if row.name == e.row))
}

fn fault(case: &Case, judged: &Judged) -> Option<String> {
    if judged.verdict == Verdict::Pass {
        return None;
    }
    let mut out = format!("{}: {}\n  raw  {:?}\n", case.name, judged.verdict.as_str(), String::from_utf8_lossy(&case.raw));
    for check in judged.checks.iter().take(3) {
        let _ = writeln!(
            out,
            "  {} {} {} {:?} cuts {:?}: {} {:?}",
            check.law.as_str(),
            check.plan.as_str(),
            check.delivery,
            check.policies,
            check.cut,
            check.detail.message,
            check.detail.difference
        );
    }
    Some(out)
}

/// The faults of all known rows, on all cores.
fn faults(of_row: impl Fn(&'static Encoder) -> Vec<String> + Sync) -> Vec<String> {
    let only = std::env::var("STREAKSTONE_ROWS").ok();
    let rows: Vec<_> = known().filter(|e| only.as_deref().is_none_or(|rows| rows.split(',').any(|row| row == e.row))).collect();
    assert!(!rows.is_empty(), "no such row: {only:?}");
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::new());
    let work = || {
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.lock().unwrap().extend(of_row(row));
        }
    };
    thread::scope(|scope| (0..thread::available_parallelism().map_or(1, usize::from)).for_each(|_| drop(scope.spawn(work))));
    found.into_inner().unwrap()
}

#[test]
fn every_scenario_holds_under_all_plans_in_both_deliveries() {
    // Single policy changes are judged on generated replies by `scripts/generated.sh`: they double the time of a debug build.
    let all = Judge { policy_changes: false, prefixes: 64, ..Judge::default() };
    let faults = faults(|encoder| {
        let judged = |case: Case| fault(&case, &judge(&all, &case));
        scenarios(encoder.row).into_iter().filter_map(judged).collect()
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn random_replies_come_back_part_by_part() {
    let count = std::env::var("STREAKSTONE_GENERATED").ok().and_then(|n| n.parse().ok()).unwrap_or(RANDOM);
    let quick = Judge { plans: vec![Plan::Given], policy_changes: false, ..Judge::default() };
    let faults = faults(|encoder| {
        let mut faults = Vec::new();
        for generated in (0..count).filter_map(|seed| generate(encoder.row, seed)) {
            let judged = judge(&quick, &generated.case);
            faults.extend(fault(&generated.case, &judged));
            let differ = judged.validated.as_ref().and_then(|reply| parts_differ(&generated.parts, reply));
            faults
                .extend(differ.map(|d| format!("{}: {d}\n  raw {:?}", generated.case.name, String::from_utf8_lossy(&generated.case.raw))));
        }
        faults
    });
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.into_iter().take(12).collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_row_of_the_table_has_an_encoder_that_knows_its_reasoning_spans() {
    for row in dialects() {
        let encoder = encoders().find(|e| e.row == row.name).unwrap_or_else(|| panic!("no encoder for {}", row.name));
        assert_eq!(encoder.reasoning.is_some(), !row.reasoning.is_empty(), "{}", row.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn a_random_document_means_what_it_was_written_from_under_random_cuts_and_every_plan(
        row in any::<proptest::sample::Index>(),
        plan in proptest::sample::select(&Plan::ALL[..]),
        script in proptest::collection::vec(any::<u32>(), 0..80),
        cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..8),
    ) {
        let rows: Vec<_> = known().collect();
        let mut generated = document(rows[row.index(rows.len())], &mut Choices::scripted(&script));
        let mut cuts: Vec<usize> = cuts.iter().map(|c| c.index(generated.case.raw.len() + 1)).collect();
        cuts.sort_unstable();
        generated.case.chunks = vec![cuts];
        let judged = judge(&Judge { plans: vec![Plan::Given, plan], policy_changes: false, ..Judge::default() }, &generated.case);
        let wrong = fault(&generated.case, &judged);
        prop_assert!(wrong.is_none(), "{}", wrong.unwrap_or_default());
        let differ = judged.validated.as_ref().and_then(|reply| parts_differ(&generated.parts, reply));
        prop_assert!(differ.is_none(), "{differ:?}");
    }
}
