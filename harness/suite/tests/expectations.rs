//! What the verdict of a case is when its reply meets, or misses, what is expected.

mod toys;

use streakstone_model::{Finish, Policies, Undeclared};
use streakstone_suite::case::{Case, Expect};
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_suite::judge::{Judge, Judged};
use streakstone_suite::law::Law;
use streakstone_suite::plan::Plan;
use streakstone_suite::verdict::Verdict;
use toys::{Fault, call_case, toy};

fn judge(case: &Case) -> Judged {
    Judge::default().judge(&toy(Fault::None), case)
}

fn content(text: &str) -> Expect {
    Expect { content: Some(text.to_owned()), ..Expect::default() }
}

#[test]
fn an_absent_key_is_not_compared() {
    let mut case = call_case("a", "b");
    case.expect = Expect { finish: Some(Finish::ToolCalls), ..Expect::default() };
    assert_eq!(judge(&case).verdict, Verdict::Pass);
}

#[test]
fn a_difference_fails_and_names_the_path() {
    let mut case = call_case("a", "b");
    case.expect.calls.as_mut().unwrap()[0].arguments = "{\"q\": 5}".to_owned();
    let judged = judge(&case);
    assert_eq!(judged.verdict, Verdict::Fail);
    assert_eq!(judged.checks[0].law, Law::Expect);
    assert_eq!(judged.checks[0].detail.difference.as_ref().unwrap().path, "calls[0].arguments");
}

#[test]
fn white_space_alone_is_soft_or_a_pass_where_the_case_says_so() {
    let mut case = call_case("a \n", "b");
    case.expect.content = Some(" a b".to_owned());
    assert_eq!(judge(&case).verdict, Verdict::Soft);
    case.soft = true;
    assert_eq!(judge(&case).verdict, Verdict::Pass);
}

#[test]
fn the_first_of_several_outcomes_passes_and_a_later_one_is_disputed() {
    let mut case = call_case("a", "b");
    case.one_of = vec![(content("ab"), "as written".to_owned()), (content("c"), "as read".to_owned())];
    case.expect = Expect::default();
    assert_eq!(judge(&case).verdict, Verdict::Pass);
    case.one_of.reverse();
    let judged = judge(&case);
    assert_eq!(judged.verdict, Verdict::Disputed);
    assert!(judged.checks[0].detail.message.contains("as written"));
    case.one_of.pop();
    assert_eq!(judge(&case).verdict, Verdict::Fail);
}

/// The only case of `a/t.yaml`, through the loader.
fn loaded(case: &str) -> Case {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("a")).unwrap();
    std::fs::write(dir.path().join("a/t.yaml"), format!("dialect: hermes\ncases:\n- {{{case}}}\n")).unwrap();
    Corpus::load(dir.path(), Strictness::External).map_err(|e| e.to_string()).unwrap().cases.remove(0)
}

#[test]
fn each_outcome_of_a_loaded_case_stands_alone_and_a_later_one_is_disputed() {
    let outcomes = |raw: &str| loaded(&format!("id: a, raw: '{raw}', one_of: [{{reason: a, content: x}}, {{reason: b, content: Hi}}]"));
    assert_eq!(judge(&outcomes("x")).verdict, Verdict::Pass);
    let judged = judge(&outcomes("Hi"));
    assert_eq!(judged.verdict, Verdict::Disputed, "{:#?}", judged.checks);
    let judged = judge(&outcomes("y"));
    assert_eq!(judged.verdict, Verdict::Fail);
    assert_eq!(judged.checks[0].detail.difference.as_ref().unwrap().left, "x", "compared with the first");
    let next_to = loaded("id: a, raw: Hi, expect: {content: x}, one_of: [{reason: b, content: Hi}]");
    assert_eq!(judge(&next_to).verdict, Verdict::Disputed);
}

#[test]
fn a_marker_that_a_later_outcome_expects_as_content_is_no_leak() {
    let case = loaded("id: a, raw: '</tool_call>', one_of: [{reason: a, content: x}, {reason: b, content: '</tool_call>'}]");
    let first = loaded("id: a, raw: '</tool_call>', expect: {content: '</tool_call>'}");
    assert_eq!(judge(&first).verdict, Verdict::Pass, "{:#?}", judge(&first).checks);
    assert_eq!(judge(&case).verdict, Verdict::Disputed, "{:#?}", judge(&case).checks);
}

#[test]
fn a_subject_without_policies_that_does_what_a_policy_gives_is_policy() {
    let mut case = call_case("a", "b");
    case.expect = content("c");
    let policies = Policies { undeclared: Undeclared::Forward, ..Policies::default() };
    case.under = vec![("undeclared=forward".to_owned(), policies, content("ab"))];
    let judged = judge(&case);
    assert_eq!(judged.verdict, Verdict::Policy);
    assert!(judged.checks[0].detail.message.contains("undeclared=forward"));
}

#[test]
fn a_subject_with_policies_is_held_to_each_of_them() {
    let mut case = call_case("a", "b");
    let policies = Policies { undeclared: Undeclared::Forward, ..Policies::default() };
    let mut forwarded = case.expect.clone();
    forwarded.calls.as_mut().unwrap()[0].name = "get_forwarded".to_owned();
    case.under = vec![("undeclared=forward".to_owned(), policies, forwarded)];
    let mut subject = toy(Fault::None);
    subject.abilities.policies = true;
    let judged = Judge::default().judge(&subject, &case);
    assert_eq!(judged.verdict, Verdict::Pass, "{:#?}", judged.checks);
    case.under[0].2 = case.expect.clone();
    let judged = Judge::default().judge(&subject, &case);
    assert_eq!(judged.verdict, Verdict::Fail);
    assert_eq!(judged.checks[0].policies, ["undeclared=forward"]);
}

#[test]
fn laws_run_under_each_single_policy_change() {
    let mut subject = toy(Fault::LeaksSplitMarker);
    subject.abilities.policies = true;
    let judged = Judge::default().judge(&subject, &call_case("", ""));
    assert!(judged.checks.iter().any(|c| c.law == Law::SplitInvariance && c.policies == ["undeclared=forward"]));
}

#[test]
fn the_golden_is_compared_where_the_expectation_passes() {
    let golden = |_: &Case, reply: &streakstone_model::Reply, eager: Option<&streakstone_model::Reply>| {
        assert!(eager.is_some());
        if reply.content() == "ab" { Ok(()) } else { Err("parts[0]: golden \"ab\"".to_owned()) }
    };
    let judge = Judge { golden: Some(&golden), ..Judge::default() };
    assert_eq!(judge.judge(&toy(Fault::None), &call_case("a", "b")).verdict, Verdict::Pass);
    let judged = judge.judge(&toy(Fault::None), &call_case("a", "c"));
    assert_eq!((judged.verdict, judged.checks[0].law), (Verdict::Fail, Law::Golden));
}

#[test]
fn given_cuts_are_the_only_ones_read() {
    let case = call_case("", "");
    let judge = Judge { cuts: Some(vec![9_999, 3]), ..Judge::default() };
    let judged = judge.judge(&toy(Fault::LeaksSplitMarker), &case);
    assert_eq!(judged.cuts_possible, 4, "the whole and the given cut, in two deliveries");
    let check = judged.checks.iter().find(|c| c.law == Law::WholeEqualsStream).unwrap();
    assert_eq!((check.plan, check.cut.as_slice()), (Plan::Given, [3].as_slice()));
}
