//! What the judge leaves out of large texts, and the clock its deadline is measured by.

mod toys;

use std::cell::Cell;
use std::sync::Mutex;
use std::time::Duration;

use streakstone_model::{Dialect, Policies};
use streakstone_suite::judge::Judge;
use streakstone_suite::law::Law;
use streakstone_suite::limits::{FAMILY_BUDGET_BYTES, POLICY_SPLIT_BYTES};
use streakstone_suite::plan::{Plan, Planned};
use streakstone_suite::subject::{Abilities, Ask, Chunking, Outcome, Subject};
use streakstone_suite::verdict::Verdict;
use toys::{Fault, Toy, call_case, case, toy};

/// A toy with policies that notes the bytes and the cuts of each reading under a policy other than the defaults.
struct Watched {
    toy: Toy,
    readings: Mutex<Vec<(usize, Vec<usize>)>>,
}

impl Subject for Watched {
    fn name(&self) -> &'static str {
        "watched"
    }

    fn description(&self) -> String {
        self.toy.description()
    }

    fn abilities(&self) -> Abilities {
        self.toy.abilities()
    }

    fn supports(&self, dialect: &Dialect) -> bool {
        self.toy.supports(dialect)
    }

    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        let changed = Policies { delivery: Policies::default().delivery, ..ask.options.policies };
        if changed != Policies::default() {
            self.readings.lock().unwrap().extend(chunkings.iter().map(|c| (raw.len(), c.cuts.clone())));
        }
        self.toy.read(ask, raw, chunkings, each);
    }
}

/// The readings under single policy changes, and whether the log says that some were left out.
fn policy_readings(length: usize) -> (Vec<(usize, Vec<usize>)>, bool) {
    let mut toy = toy(Fault::None);
    toy.abilities.policies = true;
    let subject = Watched { toy, readings: Mutex::default() };
    let judge = Judge { plans: vec![Plan::Whole, Plan::Random], ..Judge::default() };
    let wrapping = call_case("", "").raw.len();
    let judged = judge.judge(&subject, &call_case("", &"x".repeat(length - wrapping)));
    assert_eq!(judged.verdict, Verdict::Pass, "{:#?}", judged.checks);
    (subject.readings.into_inner().unwrap(), judged.cuts_run < judged.cuts_possible)
}

#[test]
fn a_policy_change_is_judged_on_the_whole_text_only_above_256_kib() {
    assert_eq!(POLICY_SPLIT_BYTES, 256 * 1024);
    let (readings, _) = policy_readings(1_000);
    assert!(readings.iter().any(|(_, cuts)| !cuts.is_empty()));
    let (readings, left_out) = policy_readings(POLICY_SPLIT_BYTES + 1);
    assert!(!readings.is_empty() && readings.iter().all(|(bytes, cuts)| *bytes > POLICY_SPLIT_BYTES && cuts.is_empty()));
    assert!(left_out);
}

#[test]
fn one_plan_reads_8_mib_of_a_text_above_the_full_family() {
    assert_eq!(FAMILY_BUDGET_BYTES, 8 * 1024 * 1024);
    let raw = "<tool_call>".repeat(4_000);
    let Planned::Cuts(cut) = Plan::EveryCut.chunkings(&case(raw.as_str())) else { panic!("no cuts") };
    assert_eq!(cut.chunkings.len(), FAMILY_BUDGET_BYTES / raw.len());
    assert_eq!(cut.possible, raw.len() as u64 - 1);
}

thread_local! {
    static TIME: Cell<u64> = const { Cell::new(0) };
}

/// A minute at each look.
fn hasty() -> Duration {
    Duration::from_mins(TIME.replace(TIME.get() + 1))
}

#[test]
fn the_deadline_is_measured_by_the_clock_of_the_judge_and_not_by_wall_time() {
    let case = call_case("a", "b");
    let frozen = Judge { deadline: Duration::ZERO, clock: || Duration::from_secs(7), ..Judge::default() };
    assert_eq!(frozen.judge(&toy(Fault::None), &case).verdict, Verdict::Pass);
    let judged = Judge { clock: hasty, ..Judge::default() }.judge(&toy(Fault::None), &case);
    assert_eq!(judged.verdict, Verdict::TimedOut);
    assert_eq!(judged.checks.iter().find(|c| c.verdict == Verdict::TimedOut).unwrap().law, Law::Deadline);
}
