//! What the case expects of the default reply, and of each policy it names.

use streakstone_model::{Lookup, Policies, Reply};

use crate::difference::{Difference, from_expected};
use crate::judge::GoldenCheck;
use crate::judge::examine::{Scene, Whole};
use crate::judge::ledger::{Ledger, Place, finding};
use crate::law::{Finding, Judgement, Law, Sides};
use crate::plan::Plan;
use crate::subject::{Ask, Chunking, Outcome, Subject};
use crate::verdict::Verdict;

/// Compares the default validated reply with `expect`, `one_of`, and, for a subject without policies, `under`; then with the
/// golden, if the expectation passed.
pub(super) fn compare(
    ledger: &mut Ledger,
    subject: &dyn Subject,
    scene: &Scene<'_>,
    whole: &Whole,
    golden: Option<&GoldenCheck<'_>>,
    eager: Option<&Reply>,
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
    ledger.judged.insert(Law::Expect);
    let (verdict, finding) = verdict(subject, scene, reply);
    if let Some(finding) = finding {
        ledger.add(Law::Expect, verdict, place, finding);
    }
    if let (Verdict::Pass, Some(golden)) = (verdict, golden) {
        let judgement = golden(case, reply, eager).map_or_else(Judgement::broken, |()| Judgement::Holds);
        ledger.enter(Law::Golden, place, judgement);
    }
}

/// The outcomes are `one_of`, else `expect`: the first passes, a later one is disputed, and what is none of them is compared with
/// the first.
fn verdict(subject: &dyn Subject, scene: &Scene<'_>, reply: &Reply) -> (Verdict, Option<Finding>) {
    let case = scene.case;
    let differs = |difference: Difference| Finding {
        message: "the reply is not what the case expects".to_owned(),
        at: None,
        difference: Some((difference, Sides::ExpectedGot)),
    };
    let first = case.outcomes().next().unwrap_or(&case.expect);
    let Some(difference) = from_expected(first, reply, case.soft) else { return (Verdict::Pass, None) };
    for (expect, reason) in case.one_of.iter().skip(1) {
        if from_expected(expect, reply, case.soft).is_none() {
            return (Verdict::Disputed, Some(finding(format!("another legitimate outcome: {reason}"))));
        }
    }
    if from_expected(first, reply, true).is_none() {
        let message = "equal but for white space".to_owned();
        return (Verdict::Soft, Some(Finding { message, ..differs(difference) }));
    }
    if !subject.abilities().policies
        && let Some((pairs, _, _)) = case.under.iter().find(|(_, _, expect)| from_expected(expect, reply, case.soft).is_none())
    {
        return (Verdict::Policy, Some(finding(format!("it does what the policy {pairs} gives"))));
    }
    (Verdict::Fail, Some(differs(difference)))
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
