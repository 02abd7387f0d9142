//! What the case expects of the default reply, and of each policy it names.

use streakstone_model::{Dialect, Finish, Lookup, Policies, Reply, ToolChoice, stop_tokens};

use crate::case::{Case, Expect};
use crate::difference::{Difference, from_expected};
use crate::judge::examine::{Scene, Whole};
use crate::judge::explain::{self, Explanation};
use crate::judge::ledger::{Ledger, Place, finding};
use crate::judge::{Check, Judge};
use crate::law::reply::finish_honest;
use crate::law::{Finding, Judgement, Law, Sides};
use crate::plan::Plan;
use crate::subject::{Ask, Chunking, Declared, Outcome, Subject, Tells};
use crate::verdict::Verdict;

/// Compares the default validated reply with `expect`, `one_of`, and, for a subject without policies, with what its documented choices
/// and `under` give; then with the golden, if the expectation passed.
pub(super) fn compare(
    ledger: &mut Ledger,
    subject: &dyn Subject,
    scene: &Scene<'_>,
    (whole, eager): (&Whole, Option<&Reply>),
    judge: &Judge<'_>,
) {
    let case = scene.case;
    let place = Place { case, policies: Policies::default(), plan: Plan::Whole, cuts: &[] };
    let reply = match whole {
        Whole::Reply(reply) => reply,
        Whole::Rejected(message) => {
            ledger.broken(Law::Expect, place, finding(format!("it refuses the text: {message}")));
            return;
        }
        Whole::Nothing => return,
    };
    let declared = subject.declared();
    if !declared.tells.reasoning && explain::has_reasoning(judge, case) {
        let why = "the reply has reasoning, and the subject does not tell reasoning";
        ledger.unsupported(Law::Expect, why);
        ledger.notes.push(format!("not compared with what the case expects: {why}"));
        return;
    }
    ledger.judged.insert(Law::Expect);
    let (verdict, finding) = verdict(subject, judge, case, &declared, reply);
    if let Some(finding) = finding {
        ledger.add(Law::Expect, verdict, place, finding);
    }
    if verdict < Verdict::Unsupported && !subject.abilities().spans {
        // A legitimate reply has lost and leaked nothing, whatever words of the text stand elsewhere in it.
        let guess = |c: &Check| matches!(c.law, Law::NoByteLost | Law::NoMarkerLeak) && c.plan == Plan::Whole && c.cut.is_empty();
        ledger.checks.retain(|c| !guess(c));
    }
    let (Verdict::Pass, Some(golden)) = (verdict, judge.golden) else { return };
    if declared.tells != Tells::ALL {
        ledger.unsupported(Law::Golden, "the subject does not tell all that a golden holds");
        return;
    }
    let Err(message) = golden(case, reply, eager) else {
        ledger.judged.insert(Law::Golden);
        return;
    };
    // Whoever obeys policies is asked under them; the oracle may be that subject itself.
    let explained = if subject.abilities().policies { None } else { explain::of_golden(judge, case, explain::choices(&declared), reply) };
    match explained {
        None => ledger.broken(Law::Golden, place, self::finding(message)),
        Some(Explanation { pairs, .. }) if pairs.is_empty() => {
            ledger.add(Law::Golden, Verdict::Soft, place, self::finding(format!("{message} Only white space differs.")));
        }
        Some(explained) => ledger.add(Law::Golden, Verdict::Policy, place, documented(&explained)),
    }
}

/// True if the case says what calls and content it expects, and `reply` is one of its outcomes but for white space.
pub(super) fn is_met(case: &Case, tells: Tells, reply: &Reply) -> bool {
    let says_all = |expect: &&Expect| expect.calls.is_some() && expect.content.is_some();
    case.outcomes().filter(says_all).any(|expect| from_expected(&explain::told(expect, tells), reply, true).is_none())
}

/// Why the case asks nothing of this subject: its engine never hands over such a text, or what it turns on is answered for elsewhere.
pub(super) fn beside_the_point(case: &Case, dialect: &Dialect, declared: &Declared) -> Option<String> {
    let around = match case.tool_choice {
        ToolChoice::None => declared.ignores_none,
        ToolChoice::Function(_) => declared.ignores_named,
        ToolChoice::Auto | ToolChoice::Required => false,
    };
    if around {
        return Some("`tool_choice` is answered for around this parser".to_owned());
    }
    if declared.ignores_parallel && !case.parallel_tool_calls {
        return Some("`parallel_tool_calls` is answered for around this parser".to_owned());
    }
    if !declared.stop_tokens_cut.contains(&dialect.name) {
        return None;
    }
    let handed = String::from_utf8_lossy(declared.handed(dialect, &case.raw, case.end));
    // A model can spell the token's letters, as text or in an argument; then the right reply has them.
    let expect = case.outcomes().next();
    let said = |token: &str| {
        let calls = expect.iter().flat_map(|e| e.calls.iter().flatten()).map(|call| call.arguments.matches(token).count()).sum::<usize>();
        let texts = expect.iter().flat_map(|e| [&e.content, &e.reasoning]).flatten().map(|text| text.matches(token).count()).sum::<usize>();
        calls + texts
    };
    let stop = stop_tokens(dialect).iter().find(|token| handed.matches(**token).count() > said(token))?;
    Some(format!("its engine ends a reply at `{stop}`, and this text goes on behind one"))
}

/// True if the request names one function and only that one was called.
pub(super) fn forced(case: &Case, reply: &Reply) -> bool {
    let ToolChoice::Function(name) = &case.tool_choice else { return false };
    reply.calls().all(|call| call.name == *name)
}

/// The outcomes are `one_of`, else `expect`: the first passes, a later one is disputed, and what is none of them is compared with
/// the first. Only white space, then a documented choice, then a policy that the case names makes it less than a failure.
fn verdict(subject: &dyn Subject, judge: &Judge<'_>, case: &Case, declared: &Declared, reply: &Reply) -> (Verdict, Option<Finding>) {
    let differs = |difference: Difference| Finding {
        message: "the reply is not what the case expects".to_owned(),
        at: None,
        difference: Some((difference, Sides::ExpectedGot)),
    };
    let outcomes: Vec<Expect> = case.outcomes().map(|expect| explain::told(expect, declared.tells)).collect();
    let Some(first) = outcomes.first() else { return (Verdict::Pass, None) };
    let Some(difference) = from_expected(first, reply, case.soft) else { return (Verdict::Pass, None) };
    for (expect, (_, reason)) in outcomes.iter().zip(&case.one_of).skip(1) {
        if from_expected(expect, reply, case.soft).is_none() {
            return (Verdict::Disputed, Some(finding(format!("another legitimate outcome: {reason}"))));
        }
    }
    if from_expected(first, reply, true).is_none() {
        let message = "equal but for white space".to_owned();
        return (Verdict::Soft, Some(Finding { message, ..differs(difference) }));
    }
    if !subject.abilities().policies {
        if declared.types_by_own_rules && explain::but_for_types(first, reply) {
            let message = "only white space and the types of values differ, which it gives by rules of its own (coercion=own)".to_owned();
            return (Verdict::Policy, Some(Finding { message, ..differs(difference) }));
        }
        if let Some(explained) = explain::of_expectation(judge, case, declared, first, reply) {
            return (Verdict::Policy, Some(Finding { difference: differs(difference).difference, ..documented(&explained) }));
        }
        let as_openai = forced(case, reply) && reply.finish == Finish::Stop && finish_honest(reply, case.end, true) == Judgement::Holds;
        if as_openai && from_expected(&Expect { finish: None, ..first.clone() }, reply, case.soft).is_none() {
            let message = "a function that the request names ends with `stop`, as OpenAI's function-calling guide has it".to_owned();
            return (Verdict::Policy, Some(Finding { message, ..differs(difference) }));
        }
        let meets = |expect: &Expect| from_expected(&explain::told(expect, declared.tells), reply, case.soft).is_none();
        if let Some((pairs, ..)) = case.under.iter().find(|(_, _, expect)| meets(expect)) {
            return (Verdict::Policy, Some(finding(format!("it does what the policy {pairs} gives"))));
        }
    }
    (Verdict::Fail, Some(differs(difference)))
}

fn documented(explained: &Explanation) -> Finding {
    let space = if explained.but_for_space { ", but for white space" } else { "" };
    finding(format!("it does what its documented {} gives{space}", explained.pairs))
}

/// Compares the whole reply under each policy the case names with what it expects there.
pub(super) fn under(ledger: &mut Ledger, subject: &dyn Subject, scene: &Scene<'_>) {
    let case = scene.case;
    let Lookup::Known(dialect) = case.dialect else { return };
    for (_, policies, expect) in &case.under {
        if ledger.over() {
            return;
        }
        let place = Place { case, policies: *policies, plan: Plan::Whole, cuts: &[] };
        let options = case.options(*policies);
        let ask = Ask { dialect, tools: case.tools.as_deref().map(Vec::as_slice), options: &options, end: case.end };
        ledger.read(subject, &ask, &case.raw, &[Chunking::whole()], place, |ledger, _, outcome| {
            let judgement = match outcome {
                Outcome::Reading(reading) => match Reply::from_events(&reading.events) {
                    Ok(reply) => match from_expected(expect, &reply, case.soft) {
                        Some(difference) => {
                            let message = "the reply under this policy is not what the case expects";
                            Judgement::differs(message, difference, Sides::ExpectedGot)
                        }
                        None => Judgement::Holds,
                    },
                    Err(fault) => Judgement::broken(fault.to_string()),
                },
                Outcome::Rejected(message) => Judgement::broken(format!("it refuses the text: {message}")),
                _ => return,
            };
            ledger.enter(Law::Expect, place, judgement);
        });
    }
}
