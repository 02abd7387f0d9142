//! Every law is broken on purpose by a toy, and kept by the right one.

mod toys;

use std::time::Duration;

use streakstone_model::{End, Finish, lookup};
use streakstone_suite::judge::{Check, Judge, Judged};
use streakstone_suite::law::Law;
use streakstone_suite::plan::Plan;
use streakstone_suite::verdict::Verdict;
use toys::{Fault, Toy, call_case, case, toy, without_spans};

fn judge(toy: &Toy, case: &streakstone_suite::case::Case) -> Judged {
    Judge::default().judge(toy, case)
}

fn two_calls() -> streakstone_suite::case::Case {
    let mut case = call_case("Hm. ", " And then ");
    let again = case.raw.clone();
    case.raw.extend(again);
    case.expect.content = Some("Hm.  And then Hm.  And then ".to_owned());
    let calls = case.expect.calls.as_mut().unwrap();
    calls.push(calls[0].clone());
    case
}

/// The smallest check of `law` that the toy's fault gives.
fn broken(fault: Fault, law: Law) -> Check {
    let judged = judge(&toy(fault), &two_calls());
    assert_eq!(judged.verdict, Verdict::Fail, "{fault:?}");
    let check = judged.checks.iter().find(|c| c.law == law);
    check.unwrap_or_else(|| panic!("{fault:?} keeps {law}, breaks {:?}", judged.checks)).clone()
}

#[test]
fn a_right_parser_keeps_all_laws_on_all_plans() {
    for case in [two_calls(), call_case("", ""), call_case("é<tool_", "<"), case("no call <tool_cal"), case(""), case("\u{1F600}")] {
        let judged = judge(&toy(Fault::None), &case);
        assert_eq!(judged.verdict, Verdict::Pass, "{:#?}", judged.checks);
        let kept: Vec<Law> = Law::ALL.into_iter().filter(|l| l.in_process() && *l != Law::Golden).collect();
        // A text of no byte has no prefix, and nothing to cut but empty chunks.
        let missing: Vec<Law> = kept.into_iter().filter(|l| !judged.judged.contains(l)).collect();
        assert!(case.raw.len() < 2 || missing.is_empty() || case.raw == "\u{1F600}".as_bytes(), "{missing:?}");
    }
}

#[test]
fn a_right_parser_keeps_all_laws_on_bytes_that_are_no_utf8() {
    let judged = judge(&toy(Fault::None), &case(b"a\xff\xe2\x82<tool_call>\xc3</tool_call>\xf0\x9f\x98".to_vec()));
    assert_eq!(judged.verdict, Verdict::Pass, "{:#?}", judged.checks);
}

#[test]
fn a_right_parser_without_spans_keeps_all_laws_it_can_be_judged_by() {
    let mut subject = without_spans(Fault::None);
    subject.abilities.held = false;
    subject.abilities.eager = false;
    let judged = judge(&subject, &two_calls());
    assert_eq!(judged.verdict, Verdict::Pass, "{:#?}", judged.checks);
    assert!(judged.judged.contains(&Law::NoByteLost));
    let unjudged: Vec<_> = judged.unjudged.iter().filter_map(|u| u.law).collect();
    assert_eq!(unjudged, [Law::ProseNotHeld, Law::DeliveriesAgree]);
    assert!(judged.unjudged.iter().any(|u| u.plan == Some(Plan::Tokens)));
    assert!(!judged.judged.contains(&Law::ProseNotHeld), "what cannot be judged is no pass");
}

#[test]
fn a_case_that_supports_no_plan_asked_for_is_unsupported_not_passed() {
    let only = |plan| Judge { plans: vec![plan], ..Judge::default() }.judge(&toy(Fault::None), &two_calls());
    let judged = only(Plan::Tokens);
    assert_eq!(judged.verdict, Verdict::Unsupported);
    assert!(judged.note.contains("tokens"), "{}", judged.note);
    assert_eq!(judged.to_log(&toy(Fault::None), &two_calls()).unjudged_plans, [Plan::Tokens]);
    assert_eq!(only(Plan::Given).verdict, Verdict::Unsupported);
    assert_eq!(only(Plan::Bytes).verdict, Verdict::Pass);
}

#[test]
fn split_invariance_names_the_smallest_cut() {
    let check = broken(Fault::LeaksSplitMarker, Law::SplitInvariance);
    // `Hm. ` is four bytes; the first cut inside the marker is after its first byte.
    assert_eq!(check.cut, [5]);
    assert_eq!(check.plan, Plan::EveryCut);
    assert_eq!(check.detail.at, Some(5));
    assert_eq!(check.detail.excerpt.as_ref().unwrap().before, "Hm. <");
    let difference = check.detail.difference.unwrap();
    assert_eq!((difference.path.as_str(), check.failing), ("calls[1]", 20));
}

#[test]
fn whole_equals_stream_is_broken_by_the_chunks_of_a_server() {
    assert_eq!(broken(Fault::LeaksSplitMarker, Law::WholeEqualsStream).plan, Plan::Bursts);
}

#[test]
fn no_byte_lost_sees_a_lost_tail() {
    let check = broken(Fault::LosesTail, Law::NoByteLost);
    assert!(check.detail.message.contains("in no span"), "{}", check.detail.message);
    let without = judge(&without_spans(Fault::LosesTail), &call_case("", " bye"));
    assert!(without.checks.iter().any(|c| c.law == Law::NoByteLost), "{:#?}", without.checks);
}

#[test]
fn no_byte_lost_sees_text_called_framing_or_dropped_without_leave() {
    for (fault, words) in [(Fault::HidesText, "called framing"), (Fault::DropsText, "without leave")] {
        let judged = judge(&toy(fault), &call_case("x", ""));
        let check = judged.checks.iter().find(|c| c.law == Law::NoByteLost).unwrap();
        assert!(check.detail.message.contains(words), "{}", check.detail.message);
    }
}

#[test]
fn no_marker_leak_sees_a_split_marker_and_half_a_marker() {
    assert_eq!(broken(Fault::LeaksSplitMarker, Law::NoMarkerLeak).cut, [5]);
    let half = broken(Fault::LeaksHalfMarker, Law::NoMarkerLeak);
    assert_eq!(half.cut, [8]);
    assert!(half.detail.message.contains("half in content"), "{}", half.detail.message);
    let without = judge(&without_spans(Fault::LeaksHalfMarker), &call_case("", ""));
    assert!(without.checks.iter().any(|c| c.law == Law::NoMarkerLeak), "{:#?}", without.checks);
}

#[test]
fn no_marker_leak_sees_a_closer_left_in_the_text() {
    let check = broken(Fault::LeaksCloser, Law::NoMarkerLeak);
    assert!(check.detail.message.contains("directly after a call"), "{}", check.detail.message);
    let without = judge(&without_spans(Fault::LeaksCloser), &call_case("", ""));
    assert!(without.checks.iter().any(|c| c.law == Law::NoMarkerLeak), "{:#?}", without.checks);
}

#[test]
fn a_marker_in_prose_is_no_leak() {
    let judged = judge(&toy(Fault::None), &case("Write <tool_call> and </tool_call>, then stop <tool"));
    assert_eq!(judged.verdict, Verdict::Pass, "{:#?}", judged.checks);
}

#[test]
fn never_retracted_and_arguments_join_see_arguments_sent_closed() {
    let check = broken(Fault::RetractsArguments, Law::NeverRetracted);
    assert_eq!(check.detail.difference.unwrap().path, "calls[0].arguments");
    assert_eq!(broken(Fault::RetractsArguments, Law::ArgumentsJoin).cut.len(), 1);
}

#[test]
fn arguments_json_refuses_what_is_no_strict_object() {
    for fault in [Fault::BreaksJson, Fault::QuotesJson] {
        assert_eq!(broken(fault, Law::ArgumentsJson).plan, Plan::Whole);
    }
}

#[test]
fn name_once_first_sees_two_names_late_names_and_empty_names() {
    let doubled = broken(Fault::DoublesName, Law::NameOnceFirst);
    assert_eq!(doubled.cut.len(), 2, "the smallest chunking with three chunks has two cuts");
    broken(Fault::ArgumentsFirst, Law::NameOnceFirst);
    broken(Fault::EmptyName, Law::NameOnceFirst);
}

#[test]
fn index_dense_sees_a_gap() {
    assert!(broken(Fault::SkipsIndex, Law::IndexDense).detail.message.contains('2'));
}

#[test]
fn id_valid_unique_sees_bad_and_equal_ids() {
    broken(Fault::InvalidId, Law::IdValidUnique);
    broken(Fault::SameId, Law::IdValidUnique);
}

#[test]
fn finish_honest_sees_a_wrong_reason_and_a_second_finish() {
    broken(Fault::AlwaysStop, Law::FinishHonest);
    broken(Fault::FinishesTwice, Law::FinishHonest);
    let mut case = two_calls();
    case.end = End::Length;
    case.expect.finish = Some(Finish::Length);
    assert_eq!(judge(&toy(Fault::None), &case).verdict, Verdict::Pass);
    let judged = judge(&toy(Fault::OverwritesLength), &case);
    assert!(judged.checks.iter().any(|c| c.law == Law::FinishHonest));
}

#[test]
fn prose_not_held_has_a_bound_of_markers_lead_and_white_space() {
    let long = case("word ".repeat(100));
    let judged = judge(&toy(Fault::HoldsProse), &long);
    let check = judged.checks.iter().find(|c| c.law == Law::ProseNotHeld).unwrap();
    assert!(check.detail.message.contains("at most 268"), "{}", check.detail.message);
    assert_eq!(judged.held_max, Some(500));
    assert!(judge(&toy(Fault::None), &long).held_max.unwrap() < 12);
}

#[test]
fn deliveries_agree_sees_another_name() {
    assert_eq!(broken(Fault::EagerDiffers, Law::DeliveriesAgree).detail.difference.unwrap().path, "calls[0].name");
}

#[test]
fn prefix_honest_sees_a_call_that_the_full_text_has_not() {
    let check = broken(Fault::ClosesAtLimit, Law::PrefixHonest);
    assert_eq!(check.cut, ["Hm. <tool_call>".len()]);
}

#[test]
fn reusable_sees_what_an_instance_keeps() {
    let check = broken(Fault::KeepsState, Law::Reusable);
    assert_eq!((check.plan, check.cut.as_slice()), (Plan::Reuse, [].as_slice()));
    let minds_cuts = judge(&toy(Fault::LeaksSplitMarker), &two_calls());
    assert!(minds_cuts.checks.iter().all(|c| c.law != Law::Reusable), "minding the cuts is not keeping state");
}

#[test]
fn deterministic_sees_two_whole_readings_that_differ() {
    broken(Fault::Flips, Law::Deterministic);
}

#[test]
fn a_refusal_of_some_cuts_breaks_split_invariance() {
    let check = broken(Fault::RefusesEmptyChunks, Law::SplitInvariance);
    assert_eq!(check.detail.difference.unwrap().path, "outcome");
}

#[test]
fn no_crash_makes_the_case_crashed() {
    let judged = judge(&toy(Fault::RaisesOnHalfCharacter), &two_calls());
    assert_eq!(judged.verdict, Verdict::Crashed);
    let check = judged.checks.iter().find(|c| c.law == Law::NoCrash).unwrap();
    assert_eq!(check.cut.len(), 1);
    assert_eq!(judge(&toy(Fault::RaisesOnHalfCharacter), &case("plain")).verdict, Verdict::Pass);
}

#[test]
fn deadline_ends_the_case_and_skips_the_rest() {
    let judge = Judge { deadline: Duration::from_millis(20), ..Judge::default() };
    let judged = judge.judge(&toy(Fault::Slow), &case("a text of some length"));
    assert_eq!(judged.verdict, Verdict::TimedOut);
    assert!(judged.cuts_run < judged.cuts_possible);
    assert_eq!(self::judge(&toy(Fault::Killed), &case("a")).verdict, Verdict::TimedOut);
}

#[test]
fn an_adapter_fault_is_no_failure_of_the_parser() {
    let judged = judge(&toy(Fault::AdapterDies), &two_calls());
    assert_eq!((judged.verdict, judged.note.as_str()), (Verdict::AdapterFault, "broken pipe"));
    assert!(judged.checks.is_empty());
}

#[test]
fn an_unknown_dialect_is_unsupported_and_names_the_nearest() {
    let mut unknown = two_calls();
    unknown.dialect_word = "hermez".to_owned();
    unknown.dialect = lookup("hermez");
    let judged = judge(&toy(Fault::None), &unknown);
    assert_eq!(judged.verdict, Verdict::Unsupported);
    assert!(judged.note.contains("`hermes`"), "{}", judged.note);
    unknown.dialect = lookup("lfm2");
    assert_eq!(judge(&toy(Fault::None), &unknown).verdict, Verdict::Unsupported);
}
