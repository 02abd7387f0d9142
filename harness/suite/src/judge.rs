//! The judge: reads one case with one subject under every plan, in both deliveries and under each single policy change, and says
//! what holds. One result a case, the worst verdict. It starts no threads and prints nothing; a caller judges cases in parallel.

mod examine;
mod expectation;
mod explain;
mod ledger;
mod prefetch;
mod record;
mod typing;

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use streakstone_model::{Delivery, Lookup, Policies, Reply};

use crate::case::Case;
use crate::difference::{Difference, Excerpt};
use crate::judge::examine::Scene;
pub(crate) use crate::judge::examine::replay;
use crate::judge::ledger::Ledger;
use crate::law::{Law, Sides};
use crate::limits::{DEADLINE, JUDGE_SHRINK_READINGS, POLICY_PREFIXES, POLICY_SPLIT_BYTES, PREFIXES};
use crate::plan::{Plan, PlanCut, Planned};
use crate::shrink::{Failing, smallest_cuts};
use crate::subject::{Chunking, Subject};
use crate::verdict::Verdict;

/// Compares the default replies (validated, and eager where the subject has it) with the case's golden; the error is one
/// sentence. The caller loads goldens; a case without one is the caller's to allow.
pub type GoldenCheck<'a> = dyn Fn(&Case, &Reply, Option<&Reply>) -> Result<(), String> + Sync + 'a;

/// The reply that a case has under some policies, from parsers that obey them; `None` if there is none. Explains a subject's documented
/// choices. The caller gives it: the judge does not link the judged.
pub type Oracle<'a> = dyn Fn(&Case, Policies) -> Option<Reply> + Sync + 'a;

/// How to judge.
#[derive(Clone)]
pub struct Judge<'a> {
    /// The plans to run; `whole` is always read.
    pub plans: Vec<Plan>,
    /// Only these cuts, under the plan `given`, instead of the plans. Offsets beyond the text are left out.
    pub cuts: Option<Vec<usize>>,
    /// Time for all readings of one case, by `clock`. An in-process reading cannot be stopped, only the ones after it; a subject
    /// outside the process watches the wall time itself.
    pub deadline: Duration,
    /// True if each single policy change is judged too, where the subject obeys policies.
    pub policy_changes: bool,
    /// Prefixes that `prefix-honest` reads of one case under the default policies.
    pub prefixes: usize,
    /// True if the cuts of a broken law are made as few and as small as a short search allows.
    pub smallest_cuts: bool,
    /// CPU time of this thread, if the caller can tell it; wall time by default.
    pub clock: fn() -> Duration,
    /// The golden comparison, if goldens are to be compared.
    pub golden: Option<&'a GoldenCheck<'a>>,
    /// What the declared choices of a subject give; without it only `under` of the case explains them.
    pub oracle: Option<&'a Oracle<'a>>,
}

impl Default for Judge<'_> {
    fn default() -> Self {
        Self {
            plans: Plan::ALL.to_vec(),
            cuts: None,
            deadline: DEADLINE,
            policy_changes: true,
            prefixes: PREFIXES,
            smallest_cuts: true,
            clock: wall_clock,
            golden: None,
            oracle: None,
        }
    }
}

impl std::fmt::Debug for Judge<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Judge")
            .field("plans", &self.plans)
            .field("cuts", &self.cuts)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

/// Wall time since the first call.
#[must_use]
pub fn wall_clock() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// What was found wrong, or worth a word, in one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// The law, or `expect`, or `golden`.
    pub law: Law,
    /// What it alone makes of the case.
    pub verdict: Verdict,
    /// The plan whose reading showed it.
    pub plan: Plan,
    /// The delivery.
    pub delivery: Delivery,
    /// The policies other than the defaults, as `name=value`, without the delivery.
    pub policies: Vec<String>,
    /// The cuts of the smallest reading that showed it; for `prefix-honest` the length of the prefix.
    pub cut: Vec<usize>,
    /// How many readings of this plan, delivery and policies showed it.
    pub failing: u64,
    /// True if only readings showed it that cut a special token, which this subject's engine never does: no part of the verdict.
    pub apart: bool,
    /// What a renderer shows.
    pub detail: Detail,
}

/// What a renderer shows of a check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Detail {
    /// One sentence.
    pub message: String,
    /// The byte of the raw text that is to blame, or the first cut.
    pub at: Option<usize>,
    /// Bytes of the raw text.
    pub len: usize,
    /// The text around `at`.
    pub excerpt: Option<Excerpt>,
    /// The first difference.
    pub difference: Option<Difference>,
    /// The words for its two sides.
    pub sides: Option<Sides>,
}

/// A law that the subject, or the case, cannot be judged by.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unjudged {
    /// The law; `None` if a plan could not run.
    pub law: Option<Law>,
    /// The plan that could not run.
    pub plan: Option<Plan>,
    /// Why.
    pub why: String,
}

/// What the judge says of one subject on one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged {
    /// The worst verdict.
    pub verdict: Verdict,
    /// What is wrong or worth a word, the smallest cut of each law first.
    pub checks: Vec<Check>,
    /// Laws that were judged, kept or broken.
    pub judged: Vec<Law>,
    /// Laws and plans that could not be judged; never a pass.
    pub unjudged: Vec<Unjudged>,
    /// Why the verdict is `unsupported` or `adapter-fault`, else which expectations this build cannot judge; empty otherwise.
    pub note: String,
    /// Readings made by the plans.
    pub cuts_run: u64,
    /// Readings their full families have.
    pub cuts_possible: u64,
    /// Most bytes held outside an open unit; `None` if the subject does not tell.
    pub held_max: Option<u64>,
    /// Time of the plans' readings, by the judge's clock, in nanoseconds. Comparing them is included: about a third of it for a
    /// fast parser.
    pub cpu_ns: u64,
    /// The default validated reply.
    pub validated: Option<Reply>,
    /// The default eager reply, if the subject has that delivery.
    pub eager: Option<Reply>,
}

impl Judged {
    /// The checks that break a law or a comparison and count: no soft, policy and disputed outcomes, nothing that is kept apart.
    pub fn failures(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|c| c.verdict > Verdict::Unsupported && !c.apart)
    }

    fn unsupported(note: String) -> Self {
        Self {
            verdict: Verdict::Unsupported,
            checks: Vec::new(),
            judged: Vec::new(),
            unjudged: Vec::new(),
            note,
            cuts_run: 0,
            cuts_possible: 0,
            held_max: None,
            cpu_ns: 0,
            validated: None,
            eager: None,
        }
    }
}

impl Judge<'_> {
    /// Judges `subject` on `case`.
    #[must_use]
    pub fn judge(&self, subject: &dyn Subject, case: &Case) -> Judged {
        let dialect = match case.dialect {
            Lookup::Unknown { nearest } => {
                return Judged::unsupported(format!("this build has no dialect `{}`; the nearest is `{nearest}`", case.dialect_word));
            }
            Lookup::Known(dialect) if !subject.supports(dialect) => {
                let nearest = streakstone_model::dialects().filter(|d| subject.supports(d)).map(|d| d.name);
                let near = streakstone_model::nearest(dialect.name, nearest)
                    .map_or_else(String::new, |n| format!("; the nearest it reads is `{n}`"));
                return Judged::unsupported(format!("`{}` does not read the dialect `{}`{near}", subject.name(), dialect.name));
            }
            Lookup::Known(dialect) => dialect,
        };
        let declared = subject.declared();
        let text = std::str::from_utf8(&case.raw);
        if !declared.bytewise && text.is_err() {
            return Judged::unsupported(format!("`{}` takes text, and this is no UTF-8", subject.name()));
        }
        if let Some(why) = expectation::beside_the_point(case, dialect, &declared) {
            return Judged::unsupported(why);
        }
        let scene = Scene::new(case, dialect, declared);
        let mut ledger = Ledger::new(self.deadline, self.clock, scene.rules());
        let mut plans = Vec::new();
        for (plan, planned) in self.planned(case) {
            match planned {
                Planned::Cuts(mut cut) => {
                    if let (false, Ok(text)) = (scene.declared.bytewise, text) {
                        // What is left out is still counted as possible.
                        cut.chunkings.retain(|chunking| chunking.cuts.iter().all(|&at| text.is_char_boundary(at)));
                        if cut.chunkings.is_empty() {
                            ledger.plan_unsupported(plan, "each cut falls inside a character, and the subject takes whole ones".to_owned());
                        }
                    }
                    plans.push((plan, cut));
                }
                Planned::NotApplicable => {}
                Planned::Unsupported(why) => ledger.unjudged.push(Unjudged { law: None, plan: Some(plan), why: why.to_owned() }),
            }
        }
        if plans.is_empty() {
            let why: Vec<String> =
                ledger.unjudged.iter().filter_map(|u| u.plan.map(|plan| format!("plan `{}`: {}", plan.as_str(), u.why))).collect();
            let note = if why.is_empty() { "none of the plans asked for applies to this case".to_owned() } else { why.join("; ") };
            return Judged { unjudged: ledger.unjudged, ..Judged::unsupported(note) };
        }
        let (validated, eager) = examine::both_deliveries(&mut ledger, subject, &scene, Policies::default(), &plans, self.prefixes);
        expectation::compare(&mut ledger, subject, &scene, (&validated, eager.reply()), self);
        if subject.abilities().policies {
            expectation::under(&mut ledger, subject, &scene);
            if self.policy_changes && self.cuts.is_none() {
                for policies in Policies::single_changes() {
                    if case.options(policies) != case.options(Policies::default()) && !ledger.over() {
                        let plans = examine::policy_plans(subject, &scene, policies, validated.reply(), &self.plans, &mut ledger);
                        let prefixes = if case.raw.len() > POLICY_SPLIT_BYTES { 0 } else { POLICY_PREFIXES };
                        examine::both_deliveries(&mut ledger, subject, &scene, policies, &plans, prefixes);
                    }
                }
            }
        }
        if self.smallest_cuts {
            shrink(&mut ledger, subject, case);
        }
        ledger.close(validated.into_reply(), eager.into_reply())
    }

    fn planned(&self, case: &Case) -> Vec<(Plan, Planned)> {
        if let Some(cuts) = &self.cuts {
            let mut cuts: Vec<usize> = cuts.iter().copied().filter(|&cut| cut <= case.raw.len()).collect();
            cuts.sort_unstable();
            let chunkings = vec![Chunking { cuts, ..Chunking::default() }];
            return vec![(Plan::Given, Planned::Cuts(PlanCut { chunkings, possible: 1 }))];
        }
        self.plans.iter().map(|&plan| (plan, plan.chunkings(case))).collect()
    }
}

/// Makes the cuts of a broken law fewer and smaller, where no single cut shows it yet.
fn shrink(ledger: &mut Ledger, subject: &dyn Subject, case: &Case) {
    let worth = |all: &[Check], check: &Check| {
        let same = |c: &&Check| {
            c.law == check.law
                && c.delivery == check.delivery
                && c.policies == check.policies
                && (c.verdict, c.apart) == (check.verdict, check.apart)
        };
        check.verdict == Verdict::Fail
            && check.cut.len() > 1
            && all.iter().filter(same).all(|c| (c.cut.len(), &c.cut) >= (check.cut.len(), &check.cut))
    };
    let best: Vec<usize> = (0..ledger.checks.len()).filter(|&i| worth(&ledger.checks, &ledger.checks[i])).collect();
    for i in best {
        if ledger.over() {
            return;
        }
        let failing = Failing::of(&ledger.checks[i], subject, case);
        let found = smallest_cuts(&failing, JUDGE_SHRINK_READINGS);
        if let Some(check) = found.check {
            ledger.checks[i] = Check { failing: ledger.checks[i].failing, ..check };
        }
    }
}
