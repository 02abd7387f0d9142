//! Every planted subject is caught by the law that names its fault, with the smallest cut shown.

use streakstone_model::{Lookup, lookup};
use streakstone_subjects::{by_name, planted};
use streakstone_suite::case::{Case, Expect};
use streakstone_suite::judge::{Check, Judge, Judged};
use streakstone_suite::law::Law;
use streakstone_suite::plan::Plan;

fn case(raw: &str) -> Case {
    Case::of_text("hermes/planted/test", "hermes", raw)
}

fn judge(subject: &str, raw: &str, plans: &[Plan]) -> Judged {
    let subject = by_name(subject).unwrap();
    Judge { plans: plans.to_vec(), ..Judge::default() }.judge(&*subject, &case(raw))
}

/// The smallest reading that breaks `law`.
fn broken(judged: &Judged, law: Law) -> &Check {
    let smallest = judged.failures().filter(|c| c.law == law).min_by_key(|c| (c.cut.len(), c.cut.clone()));
    smallest.unwrap_or_else(|| panic!("{law} is not among {:?}", judged.failures().map(|c| (c.law, &c.cut)).collect::<Vec<_>>()))
}

const CALL: &str = r#"<tool_call>{"name":"f","arguments":{"n":12}}</tool_call>"#;
const TEXT: &str = r#"Sure.<tool_call>{"name":"f","arguments":{"n":12}}</tool_call> bye"#;

#[test]
fn exo_generic_breaks_split_invariance_at_the_first_byte_of_the_opener() {
    let judged = judge("exo-generic", CALL, &Plan::ALL);
    let check = broken(&judged, Law::SplitInvariance);
    assert_eq!(check.cut, [1]);
    let difference = check.detail.difference.as_ref().unwrap();
    assert!(!difference.path.is_empty(), "{difference:?}");
}

#[test]
fn the_issues_first_sequence_is_caught_where_a_cut_frees_the_opener() {
    // E-e2: text shares a chunk with the opener. So does the whole text, and both are wrong alike; a cut between them is not.
    let raw = r#"Sure.<tool_call>{"name":"f","arguments":{}}</tool_call>"#;
    let exo = by_name("exo-generic").unwrap();
    let sequence = Judge { cuts: Some(vec![16, 43]), ..Judge::default() }.judge(&*exo, &case(raw));
    assert!(sequence.failures().all(|c| c.law != Law::WholeEqualsStream));
    let judged = judge("exo-generic", raw, &Plan::ALL);
    assert_eq!(broken(&judged, Law::SplitInvariance).cut, [5]);
    // What the case expects catches it without any cut.
    let mut expecting = case(raw);
    expecting.expect = Expect { content: Some("Sure.".to_owned()), ..Expect::default() };
    assert_eq!(broken(&Judge { plans: vec![Plan::Whole], ..Judge::default() }.judge(&*exo, &expecting), Law::Expect).cut, [] as [usize; 0]);
}

#[test]
fn the_issues_second_sequence_is_caught_at_its_own_cut() {
    // E-e3: the opener is split.
    let raw = r#"<tool_call>{"name":"f","arguments":{}}</tool_call>"#;
    let exo = by_name("exo-generic").unwrap();
    let judged = Judge { cuts: Some(vec![6]), ..Judge::default() }.judge(&*exo, &case(raw));
    let check = broken(&judged, Law::WholeEqualsStream);
    let difference = check.detail.difference.as_ref().unwrap();
    assert_eq!((check.cut.as_slice(), difference.left.as_str(), difference.right.as_str()), ([6].as_slice(), "f({})", "none"));
}

#[test]
fn leaks_split_marker_leaks_at_the_first_byte_of_the_marker() {
    let judged = judge("leaks-split-marker", TEXT, &Plan::ALL);
    let cut = TEXT.find('<').unwrap() + 1;
    assert_eq!(broken(&judged, Law::NoMarkerLeak).cut, [cut]);
    assert_eq!(broken(&judged, Law::SplitInvariance).cut, [cut]);
    assert!(judge("leaks-split-marker", TEXT, &[Plan::Whole, Plan::SpecialTokens]).failures().next().is_none());
}

#[test]
fn loses_finishing_text_loses_bytes_where_the_finish_rides_on_the_last_chunk() {
    let judged = judge("loses-finishing-text", TEXT, &Plan::ALL);
    let check = broken(&judged, Law::NoByteLost);
    assert_eq!(check.plan, Plan::LastWithFinish);
    assert!(check.cut.is_empty(), "{:?}", check.cut);
    let others: Vec<Plan> = Plan::ALL.into_iter().filter(|p| *p != Plan::LastWithFinish).collect();
    assert!(judge("loses-finishing-text", TEXT, &others).failures().next().is_none());
}

#[test]
fn retracts_argument_takes_back_what_it_sent() {
    let judged = judge("retracts-argument", TEXT, &Plan::ALL);
    // The first cut after which the arguments can be guessed: behind their opening brace.
    let cut = TEXT.find(r#"{"n""#).unwrap() + 1;
    assert_eq!(broken(&judged, Law::NeverRetracted).cut, [cut]);
    assert_eq!(broken(&judged, Law::ArgumentsJoin).cut, [cut]);
}

#[test]
fn keeps_state_is_not_reusable() {
    let judged = judge("keeps-state", TEXT, &Plan::ALL);
    let check = broken(&judged, Law::Reusable);
    assert_eq!((check.plan, check.cut.as_slice()), (Plan::Reuse, [].as_slice()));
    let others: Vec<Plan> = Plan::ALL.into_iter().filter(|p| *p != Plan::Reuse).collect();
    assert!(judge("keeps-state", TEXT, &others).failures().next().is_none());
}

#[test]
fn rescans_keeps_every_law_but_the_one_of_growth() {
    let judged = judge("rescans", TEXT, &Plan::ALL);
    let broken: Vec<Law> = judged.failures().map(|c| c.law).collect();
    assert!(broken.is_empty(), "{broken:?}");
}

#[test]
fn every_planted_subject_names_a_law_that_exists_and_reads_hermes_only() {
    let subjects = planted::subjects();
    assert_eq!(subjects.len(), 6);
    for subject in subjects {
        let law = subject.planted().unwrap();
        assert!(law.parse::<Law>().is_ok(), "{law}");
        assert!(subject.description().starts_with("planted: "));
        let Lookup::Known(lfm2) = lookup("lfm2") else { panic!("no row") };
        assert!(!subject.supports(lfm2));
    }
}
