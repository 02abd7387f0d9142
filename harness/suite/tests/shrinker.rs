//! The shrinker finds few and small cuts, then a short text, and the result is 1-minimal.

mod toys;

use streakstone_model::Policies;
use streakstone_suite::law::Law;
use streakstone_suite::plan::Plan;
use streakstone_suite::shrink::{Failing, Shrunk, smallest, smallest_cuts};
use streakstone_suite::subject::Chunking;
use streakstone_suite::verdict::Verdict;
use toys::{Fault, Toy, call_case, toy};

fn failing<'a>(subject: &'a Toy, case: &'a streakstone_suite::case::Case, law: Law, plan: Plan, cuts: Vec<usize>) -> Failing<'a> {
    Failing {
        subject,
        case,
        law,
        policies: Policies::default(),
        plan,
        chunking: Chunking { cuts, ..Chunking::default() },
        verdict: Verdict::Fail,
        apart: false,
    }
}

fn bytes(fault: Fault, law: Law, shrink: fn(&Failing<'_>, usize) -> Shrunk) -> Shrunk {
    let (subject, case) = (toy(fault), call_case("Let me see. ", " Done."));
    shrink(&failing(&subject, &case, law, Plan::Bytes, (1..case.raw.len()).collect()), 20_000)
}

#[test]
fn a_chunk_per_byte_becomes_the_smallest_single_cut() {
    let shrunk = bytes(Fault::LeaksSplitMarker, Law::SplitInvariance, smallest_cuts);
    assert_eq!(shrunk.chunking.cuts, [13]);
    assert!(shrunk.minimal);
    assert_eq!(shrunk.check.unwrap().cut, [13]);
}

#[test]
fn two_cuts_stay_where_one_shows_nothing() {
    let shrunk = bytes(Fault::DoublesName, Law::NameOnceFirst, smallest_cuts);
    assert_eq!(shrunk.chunking.cuts.len(), 2);
    assert!(shrunk.minimal);
}

#[test]
fn a_failure_of_the_whole_text_needs_no_cut() {
    let shrunk = bytes(Fault::BreaksJson, Law::ArgumentsJson, smallest_cuts);
    assert!(shrunk.chunking.cuts.is_empty());
}

#[test]
fn the_text_shrinks_to_what_breaks_the_law() {
    let shrunk = bytes(Fault::LeaksSplitMarker, Law::SplitInvariance, smallest);
    // The opener, cut; its end is left as text only if it does not open a call.
    assert_eq!((shrunk.raw.as_slice(), shrunk.chunking.cuts.as_slice()), (b"<tool_call>".as_slice(), [1].as_slice()));
    assert!(shrunk.minimal);
}

#[test]
fn what_depends_on_the_expectation_keeps_its_text() {
    let (subject, mut case) = (toy(Fault::None), call_case("a", "b"));
    case.expect.content = Some("c".to_owned());
    let shrunk = smallest(&failing(&subject, &case, Law::Expect, Plan::Whole, Vec::new()), 1_000);
    assert_eq!(shrunk.raw, case.raw);
}

#[test]
fn a_prefix_shrinks_to_a_shorter_text() {
    let (subject, case) = (toy(Fault::ClosesAtLimit), call_case("Hm. ", " x"));
    let shrunk = smallest(&failing(&subject, &case, Law::PrefixHonest, Plan::Whole, vec![30]), 5_000);
    assert_eq!(shrunk.raw, b"<tool_call>");
    assert!(shrunk.minimal);
}

#[test]
fn a_spent_budget_ends_the_search_and_says_so() {
    let (subject, case) = (toy(Fault::LeaksSplitMarker), call_case("Hm. ", ""));
    let shrunk = smallest(&failing(&subject, &case, Law::SplitInvariance, Plan::Bytes, (1..case.raw.len()).collect()), 5);
    assert!(!shrunk.minimal && shrunk.readings <= 5);
}

#[test]
fn a_failure_that_does_not_show_again_has_no_check() {
    let (subject, case) = (toy(Fault::None), call_case("Hm. ", ""));
    let shrunk = smallest(&failing(&subject, &case, Law::SplitInvariance, Plan::EveryCut, vec![3]), 100);
    assert_eq!((shrunk.check, shrunk.minimal), (None, false));
    assert_eq!(shrunk.chunking.cuts, [3]);
}
