//! Verdicts of a subject that says of itself what it does: documented choices, special tokens it never sees cut, laws it cannot be
//! judged by, what it does not tell.

use streakstone_model::{CallOutcome, Delivery, Dialect, End, Event, Finish, Lookup, Policies, Reply, Span, ToolChoice, lookup};
use streakstone_suite::case::{Case, Expect, ExpectCall};
use streakstone_suite::judge::{Judge, Judged, Oracle};
use streakstone_suite::law::Law;
use streakstone_suite::subject::{Abilities, Ask, Chunking, Declared, Outcome, Reading, Subject, Tells};
use streakstone_suite::verdict::Verdict;

/// Reads every text into these events.
struct Says<F> {
    declared: Declared,
    events: F,
}

impl<F: Fn(&[u8], &Chunking) -> Vec<Event> + Send + Sync> Subject for Says<F> {
    fn name(&self) -> &'static str {
        "says"
    }

    fn description(&self) -> String {
        "says what it is told to".to_owned()
    }

    fn abilities(&self) -> Abilities {
        Abilities { spans: false, held: false, policies: false, eager: false }
    }

    fn supports(&self, _dialect: &Dialect) -> bool {
        true
    }

    fn declared(&self) -> Declared {
        self.declared.clone()
    }

    fn read(&self, _ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        for (i, chunking) in chunkings.iter().enumerate() {
            each(i, Outcome::Reading(Reading { events: (self.events)(raw, chunking), ..Reading::default() }));
        }
    }
}

fn plain() -> Declared {
    Declared::in_process("says")
}

fn text(text: &str) -> Event {
    Event::Text { text: text.to_owned(), span: Span::new(0, 0) }
}

fn finish(calls: bool) -> Event {
    Event::Finish { reason: if calls { Finish::ToolCalls } else { Finish::Stop } }
}

fn call(name: &str, arguments: &str) -> Vec<Event> {
    vec![
        Event::CallBegin { index: 0, name: name.to_owned(), id: "call_0".to_owned(), minted: true },
        Event::Arguments { index: 0, fragment: arguments.to_owned() },
        Event::CallEnd { index: 0, outcome: CallOutcome::Complete },
        finish(true),
    ]
}

fn policies(pairs: &str) -> Policies {
    let mut policies = Policies::default();
    policies.set_pairs(pairs).unwrap();
    policies
}

const RAW: &str = "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"5\"}}</tool_call>";

/// The right reply is content; a call under `undeclared=forward`, with another value under `coercion=vllm` too.
fn case() -> Case {
    let expect = Expect { content: Some(RAW.to_owned()), reasoning: None, calls: Some(Vec::new()), finish: Some(Finish::Stop) };
    Case { expect, ..Case::of_text("hermes/a/b", "hermes", RAW) }
}

fn oracle(_: &Case, policies: Policies) -> Option<Reply> {
    let forward = policies.undeclared == streakstone_model::Undeclared::Forward;
    let vllm = policies.coercion == streakstone_model::Coercion::Vllm;
    let events = match (forward, vllm) {
        (true, true) => call("f", "{\"a\": 5}"),
        (true, false) => call("f", "{\"a\": \"5\"}"),
        (false, _) => vec![text(RAW), finish(false)],
    };
    Reply::from_events(&events).ok()
}

fn judge(
    declared: Declared,
    case: &Case,
    with: Option<&Oracle<'_>>,
    events: impl Fn(&[u8], &Chunking) -> Vec<Event> + Send + Sync,
) -> Judged {
    let judge = Judge { oracle: with, golden: None, ..Judge::default() };
    judge.judge(&Says { declared, events }, case)
}

fn chooses(pairs: &str) -> Declared {
    Declared { policies: policies(pairs), ..plain() }
}

fn message(judged: &Judged, law: Law) -> &str {
    &judged.checks.iter().find(|c| c.law == law).unwrap_or_else(|| panic!("{law}: {:?}", judged.checks)).detail.message
}

#[test]
fn a_documented_choice_that_explains_a_reply_is_policy_and_is_named() {
    let forwards = |_: &[u8], _: &Chunking| call("f", "{\"a\": \"5\"}");
    let judged = judge(chooses("coercion=vllm,undeclared=forward"), &case(), Some(&oracle), forwards);
    assert_eq!(judged.verdict, Verdict::Policy, "{:?}", judged.checks);
    assert_eq!(message(&judged, Law::Expect), "it does what its documented undeclared=forward gives");
    let both = judge(chooses("coercion=vllm,undeclared=forward"), &case(), Some(&oracle), |_, _| call("f", "{\"a\": 5}"));
    assert_eq!(both.verdict, Verdict::Policy);
    assert_eq!(message(&both, Law::Expect), "it does what its documented undeclared=forward,coercion=vllm gives");
}

#[test]
fn a_choice_that_is_not_documented_or_does_not_explain_the_reply_fails() {
    let forwards = |_: &[u8], _: &Chunking| call("f", "{\"a\": \"5\"}");
    assert_eq!(judge(plain(), &case(), Some(&oracle), forwards).verdict, Verdict::Fail);
    assert_eq!(judge(chooses("coercion=vllm"), &case(), Some(&oracle), forwards).verdict, Verdict::Fail);
    assert_eq!(
        judge(chooses("undeclared=forward"), &case(), None, forwards).verdict,
        Verdict::Fail,
        "without an oracle nothing explains it"
    );
    let other = |_: &[u8], _: &Chunking| call("g", "{}");
    assert_eq!(judge(chooses("undeclared=forward"), &case(), Some(&oracle), other).verdict, Verdict::Fail);
}

#[test]
fn under_of_the_case_goes_before_the_oracle() {
    let mut case = case();
    let calls = Some(vec![ExpectCall { name: "g".to_owned(), arguments: "{}".to_owned(), id: None }]);
    let expect = Expect { content: Some(String::new()), calls, finish: Some(Finish::ToolCalls), reasoning: None };
    case.under = vec![("undeclared=forward".to_owned(), policies("undeclared=forward"), expect)];
    let judged = judge(chooses("undeclared=forward"), &case, Some(&oracle), |_, _| call("g", "{}"));
    assert_eq!(judged.verdict, Verdict::Policy, "{:?}", judged.checks);
    assert_eq!(judge(chooses("undeclared=forward"), &case, Some(&oracle), |_, _| call("f", "{\"a\": \"5\"}")).verdict, Verdict::Fail);
}

/// Content of the prose case whose split reading is `split`.
fn prose(split: &'static str) -> impl Fn(&[u8], &Chunking) -> Vec<Event> + Send + Sync {
    move |_, chunking| vec![text(if chunking.cuts.is_empty() { " ab " } else { split }), finish(false)]
}

fn prose_case() -> Case {
    Case { expect: Expect { content: Some(" ab ".to_owned()), ..Expect::default() }, ..Case::of_text("hermes/a/c", "hermes", " ab ") }
}

#[test]
fn split_readings_that_differ_by_white_space_only_are_soft_with_their_laws() {
    let judged = judge(plain(), &prose_case(), None, prose("ab"));
    assert_eq!(judged.verdict, Verdict::Soft, "{:?}", judged.checks);
    assert_eq!(message(&judged, Law::SplitInvariance), "whole and split readings differ by white space or the spelling of arguments only");
    assert!(judged.checks.iter().any(|c| c.law == Law::NeverRetracted && c.verdict == Verdict::Soft));
    let log = judged.checks[0].to_log();
    assert_eq!(log.verdict, Some(Verdict::Soft), "the log says what the check makes of the case");
    assert_eq!(judge(plain(), &prose_case(), None, prose("a")).verdict, Verdict::Fail);
}

#[test]
fn split_readings_that_spell_the_same_arguments_otherwise_are_soft() {
    let spelled = |split: &'static str| {
        move |_: &[u8], chunking: &Chunking| call("f", if chunking.cuts.is_empty() { "{\"a\":\"5\"}" } else { split })
    };
    let mut case = case();
    case.expect = Expect { finish: Some(Finish::ToolCalls), ..Expect::default() };
    let soft = judge(plain(), &case, None, spelled("{\"a\": \"\\u0035\"}"));
    assert_eq!(soft.verdict, Verdict::Soft, "{:?}", soft.checks);
    assert!(soft.checks.iter().any(|c| c.law == Law::ArgumentsJoin && c.verdict == Verdict::Soft));
    assert_eq!(judge(plain(), &case, None, spelled("{\"a\": 5}")).verdict, Verdict::Fail);
}

/// Leaks half of a cut `<tool_call>`; with `also`, other cuts too.
fn cut_minds(also: bool) -> impl Fn(&[u8], &Chunking) -> Vec<Event> + Send + Sync {
    move |_, chunking| {
        let (open, close) = (11, RAW.len() - 12);
        let inside = chunking.cuts.iter().any(|&cut| (cut > 0 && cut < open) || (cut > close && cut < RAW.len()));
        let other = also && chunking.cuts.contains(&20);
        if inside || other { vec![text("<tool_call"), finish(false)] } else { vec![text(RAW), finish(false)] }
    }
}

#[test]
fn what_only_cut_special_tokens_show_is_kept_apart_and_does_not_decide() {
    let whole = Declared { special_tokens_whole: true, ..plain() };
    let judged = judge(whole.clone(), &case(), None, cut_minds(false));
    assert_eq!(judged.verdict, Verdict::Pass, "{:?}", judged.checks);
    assert!(!judged.checks.is_empty() && judged.checks.iter().all(|c| c.apart), "{:?}", judged.checks);
    assert_eq!(judged.failures().count(), 0);
    assert!(judged.checks[0].to_log().apart);
    assert_eq!(judge(plain(), &case(), None, cut_minds(false)).verdict, Verdict::Fail, "every cut counts by default");
    let judged = judge(whole, &case(), None, cut_minds(true));
    assert_eq!(judged.verdict, Verdict::Fail);
    let split = judged.failures().find(|c| c.law == Law::SplitInvariance).unwrap();
    assert_eq!(split.cut, [20], "the smallest cut that counts, and not a smaller one inside a special token");
}

#[test]
fn a_law_that_the_subject_cannot_be_judged_by_is_unsupported_with_its_reason() {
    let cannot = vec![(Law::SplitInvariance, "it has no stream".to_owned()), (Law::NoCrash, "it crashes".to_owned())];
    let judged = judge(Declared { cannot, ..plain() }, &prose_case(), None, |_, chunking| {
        vec![text(if chunking.cuts.len() == 1 { "a" } else { " ab " }), finish(false)]
    });
    assert!(judged.checks.iter().all(|c| c.law != Law::SplitInvariance), "{:?}", judged.checks);
    assert!(judged.unjudged.iter().any(|u| u.law == Some(Law::SplitInvariance) && u.why == "it has no stream"));
    assert!(!judged.judged.contains(&Law::SplitInvariance) && judged.judged.contains(&Law::NoCrash));
}

#[test]
fn a_law_that_a_documented_choice_exempts_is_said_so() {
    let judged = judge(chooses("block=all_or_nothing"), &case(), None, |_, _| vec![text(RAW), finish(false)]);
    let why = judged.unjudged.iter().find(|u| u.law == Some(Law::PrefixHonest)).map(|u| u.why.as_str());
    assert!(why.is_some_and(|why| why.contains("block=all_or_nothing")), "{:?}", judged.unjudged);
    let judged = judge(chooses("undeclared=drop"), &case(), None, |_, _| vec![finish(false)]);
    assert!(judged.unjudged.iter().any(|u| u.law == Some(Law::NoByteLost)), "{:?}", judged.unjudged);
}

#[test]
fn what_a_subject_does_not_tell_is_not_compared() {
    let mut case = prose_case();
    case.expect.finish = Some(Finish::Length);
    let says = |_: &[u8], _: &Chunking| vec![text(" ab "), finish(false)];
    assert_eq!(judge(plain(), &case, None, says).verdict, Verdict::Fail);
    let silent = Declared { tells: Tells { finish: false, ..Tells::ALL }, ..plain() };
    let judged = judge(silent, &case, None, says);
    assert_eq!(judged.verdict, Verdict::Pass, "{:?}", judged.checks);
    assert!(judged.unjudged.iter().any(|u| u.law == Some(Law::FinishHonest)));
    case.expect.finish = None;
    case.expect.reasoning = Some("hm".to_owned());
    let silent = Declared { tells: Tells { reasoning: false, ..Tells::ALL }, ..plain() };
    let judged = judge(silent, &case, None, says);
    assert_eq!(judged.verdict, Verdict::Unsupported, "never a pass: {:?}", judged.checks);
    assert!(judged.note.contains("does not tell reasoning"), "{}", judged.note);
}

#[test]
fn an_eager_subject_that_does_not_close_its_call_is_explained_by_its_delivery() {
    let eager = |_: &Case, policies: Policies| {
        let mut events = call("f", "{\"a\": ");
        events[2] = Event::CallEnd { index: 0, outcome: CallOutcome::Incomplete { reason: streakstone_model::Incomplete::Truncated } };
        events[3] = finish(false);
        (policies.delivery == Delivery::Eager).then(|| Reply::from_events(&events).unwrap())
    };
    let raw = "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": ";
    let expect = Expect { content: Some(raw.to_owned()), calls: Some(Vec::new()), ..Expect::default() };
    let case = Case { expect, ..Case::of_text("hermes/a/d", "hermes", raw) };
    let closes = Declared { eager: true, tells: Tells { finish: false, ..Tells::ALL }, ..plain() };
    let cannot = vec![(Law::ArgumentsJson, "it does not tell that a call never closed".to_owned())];
    let judged = judge(Declared { cannot, ..closes }, &case, Some(&eager), |_, _| call("f", "{\"a\": "));
    assert_eq!(judged.verdict, Verdict::Policy, "{:?}", judged.checks);
    assert_eq!(message(&judged, Law::Expect), "it does what its documented delivery=eager gives");
}

#[test]
fn a_golden_that_a_documented_choice_or_white_space_explains_is_no_failure() {
    let golden = |_: &Case, _: &Reply, _: Option<&Reply>| Err("The validated reply differs.".to_owned());
    let mut case = case();
    case.expect = Expect::default();
    let of = |declared: Declared, events: Vec<Event>| {
        let judge = Judge { oracle: Some(&oracle), golden: Some(&golden), ..Judge::default() };
        judge.judge(&Says { declared, events: move |_: &[u8], _: &Chunking| events.clone() }, &case)
    };
    let forwarded = of(chooses("undeclared=forward"), call("f", "{\"a\": \"5\"}"));
    assert_eq!((forwarded.verdict, forwarded.checks[0].law), (Verdict::Policy, Law::Golden), "{:?}", forwarded.checks);
    assert_eq!(of(plain(), vec![text(&format!(" {RAW}")), finish(false)]).verdict, Verdict::Soft);
    assert_eq!(of(plain(), call("f", "{\"a\": \"5\"}")).verdict, Verdict::Fail);
    let silent = of(Declared { tells: Tells { order: false, ..Tells::ALL }, ..plain() }, vec![text(RAW), finish(false)]);
    assert!(silent.unjudged.iter().any(|u| u.law == Some(Law::Golden)));
}

#[test]
fn a_right_reply_without_spans_has_lost_nothing_wherever_its_words_stand() {
    // The name comes after the arguments, so that the words of the text are not found again in the order of the reply.
    const LAST: &str = "<tool_call>{\"arguments\": {\"q\": \"f x\"}, \"name\": \"f\"}</tool_call>";
    let wanted = ExpectCall { name: "f".to_owned(), arguments: "{\"q\": \"f x\"}".to_owned(), id: None };
    let expect = Expect { content: Some(String::new()), reasoning: None, calls: Some(vec![wanted]), finish: Some(Finish::ToolCalls) };
    let case = Case { expect, ..Case::of_text("hermes/a/b", "hermes", LAST) };
    let right = judge(plain(), &case, None, |_, _| call("f", "{\"q\": \"f x\"}"));
    assert_eq!(right.verdict, Verdict::Pass, "{:?}", right.checks);
    assert!(right.judged.contains(&Law::NoByteLost));
    // The same words in a reply that is wrong are still missed.
    let raw = format!("lost {LAST}");
    let case = Case { raw: raw.into_bytes(), ..case };
    let case = Case { expect: Expect { content: Some("lost ".to_owned()), ..case.expect.clone() }, ..case };
    let wrong = judge(plain(), &case, None, |_, _| call("f", "{\"q\": \"f x\"}"));
    assert!(wrong.checks.iter().any(|c| c.law == Law::NoByteLost), "{:?}", wrong.checks);
}

#[test]
fn who_does_not_tell_reasoning_leaks_no_marker_of_it() {
    const THOUGHT: &str = "<think>hm</think>";
    let wanted = ExpectCall { name: "f".to_owned(), arguments: "{\"a\": \"5\"}".to_owned(), id: None };
    let expect = Expect { content: Some(String::new()), reasoning: Some("hm".to_owned()), calls: Some(vec![wanted]), finish: None };
    let case = Case { expect, ..Case::of_text("hermes/a/b", "hermes", format!("{THOUGHT}{RAW}")) };
    let says = |_: &[u8], _: &Chunking| [vec![text(THOUGHT)], call("f", "{\"a\": \"5\"}")].concat();
    assert!(judge(plain(), &case, None, says).checks.iter().any(|c| c.law == Law::NoMarkerLeak));
    let silent = Declared { tells: Tells { reasoning: false, ..Tells::ALL }, ..plain() };
    let judged = judge(silent, &case, None, says);
    assert!(judged.checks.iter().all(|c| c.law != Law::NoMarkerLeak), "{:?}", judged.checks);
}

/// Hands a text over as the process boundary does.
fn reads(raw: &[u8], _: &Chunking) -> Vec<Event> {
    vec![text(&String::from_utf8_lossy(raw)), finish(false)]
}

fn said(raw: &str, content: &str) -> Case {
    let expect = Expect { content: Some(content.to_owned()), reasoning: None, calls: Some(Vec::new()), finish: Some(Finish::Stop) };
    Case { expect, ..Case::of_text("hermes/a/b", "hermes", raw) }
}

#[test]
fn an_engine_that_cuts_stop_tokens_hands_over_the_text_before_the_last_one() {
    let Lookup::Known(hermes) = lookup("hermes") else { panic!() };
    let cuts = Declared { stop_tokens_cut: vec!["hermes"], ..plain() };
    assert_eq!(cuts.handed(hermes, b"Hi.<|im_end|>", End::Stop), b"Hi.");
    assert_eq!(cuts.handed(hermes, b"Hi.<|im_end|>", End::Length), b"Hi.<|im_end|>", "nothing stopped it");
    assert_eq!(cuts.handed(hermes, b"Hi.<|eot_id|>", End::Stop), b"Hi.<|eot_id|>", "another family's token");
    assert_eq!(plain().handed(hermes, b"Hi.<|im_end|>", End::Stop), b"Hi.<|im_end|>");
    let Lookup::Known(other) = lookup("olmo3") else { panic!() };
    assert_eq!(cuts.handed(other, b"Hi.<|im_end|>", End::Stop), b"Hi.<|im_end|>", "another row");
}

#[test]
fn a_text_that_goes_on_behind_a_stop_token_is_unsupported_unless_the_token_is_data() {
    let cuts = || Declared { stop_tokens_cut: vec!["hermes"], ..plain() };
    let behind = judge(cuts(), &said("Hi.<|im_end|>Bye.", "Hi.Bye."), None, reads);
    assert_eq!(behind.verdict, Verdict::Unsupported);
    assert!(behind.note.contains("`<|im_end|>`"), "{}", behind.note);
    assert_eq!(judge(plain(), &said("Hi.<|im_end|>Bye.", "Hi.Bye."), None, reads).verdict, Verdict::Fail);
    assert_eq!(judge(cuts(), &said("Hi.<|im_end|>Bye.", "Hi.<|im_end|>Bye."), None, reads).verdict, Verdict::Pass, "spelled out");
}

#[test]
fn what_the_server_around_a_parser_answers_for_is_unsupported_and_nothing_else() {
    let around = || Declared { ignores_named: true, ignores_parallel: true, ..plain() };
    let named = Case { tool_choice: ToolChoice::Function("f".to_owned()), ..said("Hi.", "Bye.") };
    let none = Case { tool_choice: ToolChoice::None, ..said("Hi.", "Bye.") };
    let required = Case { tool_choice: ToolChoice::Required, ..said("Hi.", "Bye.") };
    let one = Case { parallel_tool_calls: false, ..said("Hi.", "Bye.") };
    let verdict = |declared, case: &Case| judge(declared, case, None, reads).verdict;
    assert_eq!((verdict(around(), &named), verdict(around(), &one)), (Verdict::Unsupported, Verdict::Unsupported));
    assert_eq!((verdict(around(), &none), verdict(around(), &required)), (Verdict::Fail, Verdict::Fail));
    assert_eq!((verdict(plain(), &named), verdict(plain(), &one)), (Verdict::Fail, Verdict::Fail));
}

#[test]
fn other_types_of_the_same_values_are_policy_for_who_types_by_own_rules() {
    let calls = Some(vec![ExpectCall { name: "f".to_owned(), arguments: "{\"a\":\"5\"}".to_owned(), id: None }]);
    let expect = Expect { content: Some(String::new()), reasoning: None, calls, finish: Some(Finish::ToolCalls) };
    let case = Case { expect, ..Case::of_text("hermes/a/b", "hermes", RAW) };
    let own = || Declared { types_by_own_rules: true, ..plain() };
    let number = |_: &[u8], _: &Chunking| call("f", "{\"a\": 5}");
    let judged = judge(own(), &case, None, number);
    assert_eq!(judged.verdict, Verdict::Policy, "{:?}", judged.checks);
    assert!(message(&judged, Law::Expect).contains("coercion=own"));
    assert_eq!(judge(plain(), &case, None, number).verdict, Verdict::Fail);
    assert_eq!(judge(own(), &case, None, |_, _| call("f", "{\"a\": 6}")).verdict, Verdict::Fail, "another value");
    assert_eq!(judge(own(), &case, None, |_, _| call("g", "{\"a\": 5}")).verdict, Verdict::Fail, "another name");
    // With a documented policy beside it.
    let forwards = Declared { types_by_own_rules: true, ..chooses("undeclared=forward") };
    let both = judge(forwards, &self::case(), Some(&oracle), number);
    assert_eq!(both.verdict, Verdict::Policy, "{:?}", both.checks);
    assert_eq!(message(&both, Law::Expect), "it does what its documented undeclared=forward,coercion=own gives");
}

#[test]
fn a_named_function_may_end_with_stop_but_auto_may_not() {
    let calls = Some(vec![ExpectCall { name: "f".to_owned(), arguments: "{\"a\":\"5\"}".to_owned(), id: None }]);
    let expect = Expect { content: Some(String::new()), reasoning: None, calls, finish: Some(Finish::ToolCalls) };
    let auto = Case { expect, ..Case::of_text("hermes/a/b", "hermes", RAW) };
    let stops = |_: &[u8], _: &Chunking| {
        let mut events = call("f", "{\"a\": \"5\"}");
        *events.last_mut().unwrap() = finish(false);
        events
    };
    let named = Case { tool_choice: ToolChoice::Function("f".to_owned()), ..auto.clone() };
    let judged = judge(plain(), &named, None, stops);
    assert_eq!(judged.verdict, Verdict::Policy, "{:?}", judged.checks);
    assert!(message(&judged, Law::Expect).contains("OpenAI"));
    let judged = judge(plain(), &auto, None, stops);
    assert_eq!(judged.verdict, Verdict::Fail);
    assert!(judged.failures().any(|c| c.law == Law::FinishHonest));
}
