//! The readings of one case under one setting of the policies, and the laws asked of each.

use std::time::Duration;

use streakstone_model::{Block, Delivery, Dialect, End, Markers, Policies, ReadOptions, Reply, Span};

use crate::case::Case;
use crate::difference::{alike, between, found};
use crate::judge::expectation;
use crate::judge::ledger::{Ledger, Place, Rules};
use crate::judge::prefetch::{Prefetched, reuse_pairs, whole_readings};
use crate::judge::{Check, wall_clock};
use crate::law::bytes::{Decoded, Facts, no_byte_lost, no_marker_leak};
use crate::law::reply::{arguments_json, deliveries_agree, finish_honest, id_valid_unique, prefix_honest};
use crate::law::stream::{Matcher, arguments_join, fault_law, names_not_empty, never_retracted, prose_not_held};
use crate::law::{Judgement, Law, Sides};
use crate::limits::{
    OUTSIDE_PREFIXES, POLICY_EVERY_CUT_BYTES, POLICY_RANDOM, POLICY_SPLIT_BYTES, PREFIX_SEED, RANDOM_SEED, WHITE_SPACE_CAP,
};
use crate::markers::{occurrences, special_spans};
use crate::plan::{Plan, PlanCut, Planned, Tier, character_starts, family_limit, near_markers, seeded_chunkings};
use crate::seeded::SplitMix64;
use crate::shrink::Failing;
use crate::subject::{Ask, Batch, Chunking, Declared, Outcome, Reading, Subject};

/// A case with what the laws need to know of its text, worked out once.
pub(super) struct Scene<'a> {
    pub case: &'a Case,
    pub dialect: &'static Dialect,
    /// What the subject says of itself.
    pub declared: Declared,
    markers: Markers,
    occurrences: Vec<Span>,
    decoded: Decoded,
}

impl<'a> Scene<'a> {
    pub fn new(case: &'a Case, dialect: &'static Dialect, declared: Declared) -> Self {
        let mut markers = Markers::of(dialect);
        if !declared.tells.reasoning {
            // Who does not tell reasoning leaves it in the content, markers and all.
            markers.other.retain(|m| !dialect.reasoning.iter().any(|r| [r.open, r.close].contains(m)));
        }
        let occurrences = occurrences(&markers, &case.raw);
        Self { case, dialect, declared, occurrences, markers, decoded: Decoded::new(&case.raw) }
    }

    /// What of the subject's readings does not count.
    pub fn rules(&self) -> Rules {
        let declared = self.declared.clone();
        let specials = if declared.special_tokens_whole { special_spans(&Markers::of(self.dialect), &self.case.raw) } else { Vec::new() };
        Rules { specials, declared }
    }

    /// The bound of `prose-not-held`.
    fn held_limit(&self) -> usize {
        self.markers.longest().saturating_sub(1) + self.dialect.lead + WHITE_SPACE_CAP
    }
}

/// What the whole text gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whole {
    Reply(Reply),
    Rejected(String),
    /// It crashed, was too late, or its events are of no reply; said elsewhere.
    Nothing,
}

impl Whole {
    pub const fn reply(&self) -> Option<&Reply> {
        match self {
            Self::Reply(reply) => Some(reply),
            Self::Rejected(_) | Self::Nothing => None,
        }
    }

    pub fn into_reply(self) -> Option<Reply> {
        match self {
            Self::Reply(reply) => Some(reply),
            Self::Rejected(_) | Self::Nothing => None,
        }
    }
}

/// One subject on one case under one setting.
struct Examination<'a> {
    subject: &'a dyn Subject,
    scene: &'a Scene<'a>,
    policies: Policies,
    options: ReadOptions,
    facts: Facts<'a>,
}

/// Judges all plans in both deliveries, and whether these agree.
pub(super) fn both_deliveries(
    ledger: &mut Ledger,
    subject: &dyn Subject,
    scene: &Scene<'_>,
    policies: Policies,
    plans: &[(Plan, PlanCut)],
    prefixes: usize,
) -> (Whole, Whole) {
    let validated = Policies { delivery: Delivery::Validated, ..policies };
    let first = at_once(ledger, subject, scene, validated, plans, prefixes);
    if !subject.abilities().eager {
        ledger.unsupported(Law::DeliveriesAgree, "the subject has one delivery");
        return (first, Whole::Nothing);
    }
    let eager = Policies { delivery: Delivery::Eager, ..policies };
    let second = Examination::new(subject, scene, eager).run(ledger, plans, prefixes);
    if let (Some(first), Some(second)) = (first.reply(), second.reply()) {
        let place = Place { case: scene.case, policies: eager, plan: Plan::Whole, cuts: &[] };
        let policies = scene.case.options(policies).policies;
        let mild = !subject.abilities().spans && alike(first, second);
        ledger.enter_mild(Law::DeliveriesAgree, place, deliveries_agree(first, second, &policies), mild);
    }
    (first, second)
}

/// Judges all plans in one delivery; of a subject that it is dear to ask, all readings are asked for first.
fn at_once(
    ledger: &mut Ledger,
    subject: &dyn Subject,
    scene: &Scene<'_>,
    policies: Policies,
    plans: &[(Plan, PlanCut)],
    prefixes: usize,
) -> Whole {
    let examination = Examination::new(subject, scene, policies);
    if !subject.batches() {
        return examination.run(ledger, plans, prefixes);
    }
    let (raw, prefixes) = (&scene.case.raw, prefixes.min(OUTSIDE_PREFIXES));
    let chunkings = Prefetched::chunkings(&scene.declared, plans);
    let lengths = if scene.declared.whole { examination.prefix_lengths(prefixes) } else { Vec::new() };
    let batch = Batch { plans: chunkings.iter().map(|(plan, all)| (*plan, all.as_slice())).collect(), prefixes: &lengths };
    let prefetched = Prefetched::ask(subject, &examination.ask(scene.case.end), raw, &batch);
    ledger.outside(prefetched.cpu_ns, &prefetched.notes);
    Examination::new(&prefetched, scene, policies).run(ledger, plans, prefixes)
}

/// The cheap plans of a policy change: bytes, a sample, and every cut of a short text if the policy changes the reply. A text
/// above [`POLICY_SPLIT_BYTES`] is read whole only; what that leaves out is in `cuts_possible`.
pub(super) fn policy_plans(
    subject: &dyn Subject,
    scene: &Scene<'_>,
    policies: Policies,
    default: Option<&Reply>,
    allowed: &[Plan],
    ledger: &mut Ledger,
) -> Vec<(Plan, PlanCut)> {
    let case = scene.case;
    if case.raw.len() > POLICY_SPLIT_BYTES {
        let random = if allowed.contains(&Plan::Random) { POLICY_RANDOM as u64 } else { 0 };
        let left_out = u64::from(allowed.contains(&Plan::Bytes)) + random;
        ledger.cuts_possible += left_out * (1 + u64::from(subject.abilities().eager));
        return Vec::new();
    }
    let reply = Examination::new(subject, scene, policies).whole_reply(ledger);
    let changed = match (&reply, default) {
        (Some(reply), Some(default)) => between(reply, default, false).is_some(),
        _ => true,
    };
    let mut plans = Vec::new();
    let cuts = |plan: Plan| match plan.chunkings(case) {
        Planned::Cuts(cut) if allowed.contains(&plan) => Some((plan, cut)),
        _ => None,
    };
    plans.extend(cuts(Plan::Bytes));
    if allowed.contains(&Plan::Random) {
        let chunkings = seeded_chunkings(case.raw.len(), if changed { POLICY_RANDOM } else { 1 }, RANDOM_SEED);
        let possible = chunkings.len() as u64;
        plans.push((Plan::Random, PlanCut { chunkings, possible }));
    }
    if changed && case.raw.len() <= POLICY_EVERY_CUT_BYTES {
        plans.extend(cuts(Plan::EveryCut));
    }
    plans
}

/// Reads `case` under one chunking and gives the check like `failing` that it shows, if any. What the shrinker asks.
pub(crate) fn replay(failing: &Failing<'_>, case: &Case, chunking: &Chunking) -> Option<Check> {
    let Failing { subject, law, policies, plan, .. } = *failing;
    let streakstone_model::Lookup::Known(dialect) = case.dialect else { return None };
    let scene = Scene::new(case, dialect, subject.declared());
    let mut ledger = Ledger::new(Duration::MAX, wall_clock, scene.rules());
    let examination = Examination::new(subject, &scene, policies);
    match law {
        Law::PrefixHonest => {
            if let Some(full) = examination.whole_reply(&mut ledger) {
                examination.prefix(&mut ledger, &full, *chunking.cuts.first()?);
            }
        }
        Law::DeliveriesAgree => {
            both_deliveries(&mut ledger, subject, &scene, policies, &[], 0);
        }
        _ => {
            let cut = PlanCut { chunkings: vec![chunking.clone()], possible: 1 };
            let plans = if plan == Plan::Whole { Vec::new() } else { vec![(plan, cut)] };
            at_once(&mut ledger, subject, &scene, policies, &plans, 0);
        }
    }
    let same = |c: &Check| (c.law, c.verdict, c.apart) == (law, failing.verdict, failing.apart);
    ledger.checks.into_iter().filter(same).min_by(|a, b| (a.cut.len(), &a.cut).cmp(&(b.cut.len(), &b.cut)))
}

impl<'a> Examination<'a> {
    fn new(subject: &'a dyn Subject, scene: &'a Scene<'a>, policies: Policies) -> Self {
        let options = scene.case.options(policies);
        // A subject that obeys no policies is judged under those that it says it has.
        let own = if subject.abilities().policies {
            options.policies
        } else {
            scene.case.options(Policies { delivery: policies.delivery, ..scene.declared.policies }).policies
        };
        let facts = Facts {
            raw: &scene.case.raw,
            decoded: &scene.decoded,
            markers: &scene.markers,
            occurrences: &scene.occurrences,
            spans: subject.abilities().spans,
            policies: own,
            caps: options.caps,
        };
        Self { subject, scene, policies, options, facts }
    }

    fn ask(&self, end: End) -> Ask<'_> {
        Ask { dialect: self.scene.dialect, tools: self.scene.case.tools.as_deref().map(Vec::as_slice), options: &self.options, end }
    }

    fn place<'p>(&'p self, plan: Plan, cuts: &'p [usize]) -> Place<'p> {
        Place { case: self.scene.case, policies: self.policies, plan, cuts }
    }

    /// The whole reply, judged by nothing.
    pub fn whole_reply(&self, ledger: &mut Ledger) -> Option<Reply> {
        let mut reply = None;
        let ask = self.ask(self.scene.case.end);
        ledger.read(self.subject, &ask, &self.scene.case.raw, &[Chunking::whole()], self.place(Plan::Whole, &[]), |_, _, outcome| {
            if let Outcome::Reading(reading) = outcome {
                reply = Reply::from_events(&reading.events).ok();
            }
        });
        reply
    }

    fn run(&self, ledger: &mut Ledger, plans: &[(Plan, PlanCut)], prefixes: usize) -> Whole {
        let whole = self.whole(ledger);
        for (plan, cut) in plans.iter().filter(|(plan, _)| *plan != Plan::Whole) {
            ledger.cuts_possible = ledger.cuts_possible.saturating_add(cut.possible);
            if ledger.over() {
                continue;
            }
            match plan {
                Plan::Reuse => self.reuse(ledger, cut),
                _ => self.split(ledger, *plan, cut, &whole),
            }
        }
        if let Some(full) = whole.reply() {
            if self.scene.declared.stream_only() {
                ledger.unsupported(Law::PrefixHonest, "the subject has no entry point for finished texts");
            } else {
                self.prefixes(ledger, full, prefixes);
            }
        }
        whole
    }

    /// Reads the whole text twice: the laws of a reply, and `deterministic`.
    fn whole(&self, ledger: &mut Ledger) -> Whole {
        let case = self.scene.case;
        let place = self.place(Plan::Whole, &[]);
        let mut whole = Whole::Nothing;
        ledger.cuts_possible = ledger.cuts_possible.saturating_add(1);
        ledger.cuts_run += 1;
        let readings = whole_readings(&self.scene.declared);
        ledger.timed(self.subject, &self.ask(case.end), &case.raw, &readings, place, |ledger, i, outcome| {
            if i == 0 {
                whole = self.first(ledger, outcome, place);
                return;
            }
            if i == 2 {
                ledger.cuts_possible += 1;
                ledger.cuts_run += 1;
                let mut matcher = whole.reply().map(|reply| Matcher::new(reply, self.facts.spans));
                self.like_whole(ledger, outcome, &whole, &mut matcher, Law::WholeEqualsStream, place);
                return;
            }
            let judgement = match (&whole, &outcome) {
                (Whole::Reply(first), Outcome::Reading(reading)) => self.like_first(first, reading, "two whole readings differ"),
                (Whole::Rejected(_), Outcome::Rejected(_)) => Judgement::Holds,
                // The first reading is no reply; said already.
                (Whole::Nothing, _) => return,
                _ => Judgement::broken("one of two whole readings was refused"),
            };
            ledger.enter(Law::Deterministic, place, judgement);
        });
        whole
    }

    fn first(&self, ledger: &mut Ledger, outcome: Outcome, place: Place<'_>) -> Whole {
        let reading = match outcome {
            Outcome::Reading(reading) => reading,
            Outcome::Rejected(message) => return Whole::Rejected(message),
            _ => return Whole::Nothing,
        };
        self.held(ledger, &reading, place);
        match Reply::from_events(&reading.events) {
            Err(fault) => {
                ledger.enter(fault_law(&fault), place, Judgement::broken(fault.to_string()));
                Whole::Nothing
            }
            Ok(reply) => {
                ledger.judged.extend([Law::NameOnceFirst, Law::IndexDense]);
                self.laws_of_a_reply(ledger, &reply, None, place);
                Whole::Reply(reply)
            }
        }
    }

    fn laws_of_a_reply(&self, ledger: &mut Ledger, reply: &Reply, whole: Option<&Reply>, place: Place<'_>) {
        ledger.enter(Law::NameOnceFirst, place, names_not_empty(reply));
        ledger.enter(Law::IdValidUnique, place, id_valid_unique(reply));
        ledger.enter(Law::ArgumentsJson, place, arguments_json(reply));
        let case = self.scene.case;
        let forced = !self.subject.abilities().policies && expectation::forced(case, reply);
        ledger.enter(Law::FinishHonest, place, finish_honest(reply, case.end, forced));
        // Without spans both laws go by the words of the text, which a right reply may have elsewhere: what is expected needs no guess.
        if !self.facts.spans && expectation::is_met(case, self.scene.declared.tells, reply) {
            ledger.judged.extend([Law::NoByteLost, Law::NoMarkerLeak]);
            return;
        }
        ledger.enter(Law::NoByteLost, place, no_byte_lost(&self.facts, reply));
        // What is expected holds for the default policies, in validated delivery, only.
        let expected = case
            .outcomes()
            .find(|e| e.content.as_deref().is_some_and(|content| *content == reply.content()))
            .or_else(|| case.outcomes().next())
            .and_then(|e| e.content.as_deref())
            .filter(|_| self.policies == Policies::default() && !case.soft);
        ledger.enter(Law::NoMarkerLeak, place, no_marker_leak(&self.facts, reply, whole, expected));
    }

    fn held(&self, ledger: &mut Ledger, reading: &Reading, place: Place<'_>) {
        if !self.subject.abilities().held {
            ledger.unsupported(Law::ProseNotHeld, "the subject does not tell what it holds");
            return;
        }
        ledger.judged.insert(Law::ProseNotHeld);
        let most = reading.held.iter().filter(|h| !h.unit_open).map(|h| h.bytes as u64).max();
        ledger.held_max = ledger.held_max.max(most);
        if let Some((chunk, mut finding)) = prose_not_held(reading, self.scene.held_limit()) {
            finding.at = place.cuts.get(chunk).copied().or(Some(self.scene.case.raw.len()));
            ledger.broken(Law::ProseNotHeld, place, finding);
        }
    }

    fn split(&self, ledger: &mut Ledger, plan: Plan, cut: &PlanCut, whole: &Whole) {
        let case = self.scene.case;
        let law = equality_law(plan);
        ledger.cuts_run += cut.chunkings.len() as u64;
        let mut matcher = whole.reply().map(|reply| Matcher::new(reply, self.facts.spans));
        let place = self.place(plan, &[]);
        if whole.reply().is_some() {
            ledger.judged.extend([law, Law::NeverRetracted, Law::ArgumentsJoin]);
        }
        ledger.timed(self.subject, &self.ask(case.end), &case.raw, &cut.chunkings, place, |ledger, i, outcome| {
            let place = Place { cuts: cut.chunkings.get(i).map_or(&[], |c| c.cuts.as_slice()), ..place };
            self.like_whole(ledger, outcome, whole, &mut matcher, law, place);
        });
    }

    /// Judges one reading of a stream beside the whole one.
    fn like_whole(
        &self,
        ledger: &mut Ledger,
        outcome: Outcome,
        whole: &Whole,
        matcher: &mut Option<Matcher<'_>>,
        law: Law,
        place: Place<'_>,
    ) {
        match (outcome, whole) {
            (Outcome::Reading(reading), _) => {
                self.held(ledger, &reading, place);
                if !matcher.as_mut().is_some_and(|m| m.same(&reading.events)) {
                    self.differs(ledger, law, &reading, whole, place);
                }
            }
            (Outcome::Rejected(message), Whole::Reply(_)) => {
                let difference = found("outcome", "a reply", &format!("refused: {message}"));
                ledger.enter(
                    law,
                    place,
                    Judgement::differs("it reads the whole text, but refuses it split", difference, Sides::WholeSplit),
                );
            }
            _ => {}
        }
    }

    /// Each reading on a used instance is compared with one on a fresh instance under the same cuts, so that a parser that
    /// minds the cuts is not said to keep state.
    fn reuse(&self, ledger: &mut Ledger, cut: &PlanCut) {
        let case = self.scene.case;
        ledger.cuts_run += cut.chunkings.len() as u64;
        let pairs = reuse_pairs(&cut.chunkings);
        let mut fresh = Whole::Nothing;
        ledger.timed(self.subject, &self.ask(case.end), &case.raw, &pairs, self.place(Plan::Reuse, &[]), |ledger, i, outcome| {
            let Some(chunking) = pairs.get(i) else { return };
            let place = self.place(Plan::Reuse, &chunking.cuts);
            if !chunking.reuse {
                fresh = match outcome {
                    Outcome::Reading(reading) => Reply::from_events(&reading.events).map_or(Whole::Nothing, Whole::Reply),
                    Outcome::Rejected(message) => Whole::Rejected(message),
                    _ => Whole::Nothing,
                };
                return;
            }
            // A fresh reading that crashed left nothing: the one before it had other cuts.
            let first = std::mem::replace(&mut fresh, Whole::Nothing);
            let judgement = match (&first, &outcome) {
                (Whole::Reply(first), Outcome::Reading(reading)) => {
                    if let Err(fault) = Reply::from_events(&reading.events) {
                        ledger.enter(fault_law(&fault), place, Judgement::broken(fault.to_string()));
                    }
                    self.like_first(first, reading, "the second reply on one instance differs from a first one")
                }
                (Whole::Rejected(_), Outcome::Rejected(_)) => Judgement::Holds,
                // The fresh reading crashed or is no reply; said elsewhere.
                (Whole::Nothing, _) => return,
                _ => Judgement::broken("of a first and a second reply on one instance one is refused"),
            };
            ledger.enter(Law::Reusable, place, judgement);
        });
    }

    /// Compares two readings that must give one reply.
    fn like_first(&self, first: &Reply, reading: &Reading, message: &str) -> Judgement {
        if Matcher::new(first, self.facts.spans).same(&reading.events) {
            return Judgement::Holds;
        }
        match Reply::from_events(&reading.events) {
            Ok(second) => match between(first, &second, self.facts.spans) {
                Some(difference) => Judgement::differs(message, difference, Sides::FirstSecond),
                // Only minted ids differ; `id-valid-unique` speaks of them.
                None => Judgement::Holds,
            },
            Err(fault) => Judgement::broken(format!("{message}: {fault}")),
        }
    }

    /// A split reading that is not plainly equal to the whole one: which laws does it break?
    fn differs(&self, ledger: &mut Ledger, law: Law, reading: &Reading, whole: &Whole, place: Place<'_>) {
        let reply = match Reply::from_events(&reading.events) {
            Ok(reply) => reply,
            Err(fault) => {
                ledger.enter(fault_law(&fault), place, Judgement::broken(fault.to_string()));
                if let Whole::Reply(whole) = whole {
                    ledger.enter(law, place, Judgement::broken(format!("the whole reading is a reply, the split one is not: {fault}")));
                    ledger.enter(Law::NeverRetracted, place, never_retracted(whole, reading));
                }
                return;
            }
        };
        match whole {
            Whole::Reply(whole) if self.may_differ(whole, &reply) => {
                ledger.judged.insert(Law::DeliveriesAgree);
                self.laws_of_a_reply(ledger, &reply, None, place);
            }
            Whole::Reply(whole) => {
                // Spans claim every byte, so white space counts where a subject gives them.
                let mild = !self.facts.spans && alike(whole, &reply);
                if let Some(difference) = between(whole, &reply, self.facts.spans) {
                    let message = if mild {
                        "whole and split readings differ by white space or the spelling of arguments only"
                    } else {
                        "whole and split readings differ"
                    };
                    ledger.enter_mild(law, place, Judgement::differs(message, difference, Sides::WholeSplit), mild);
                }
                ledger.enter_mild(Law::NeverRetracted, place, never_retracted(whole, reading), mild);
                ledger.enter_mild(Law::ArgumentsJoin, place, arguments_join(whole, &reply), mild);
                self.laws_of_a_reply(ledger, &reply, Some(whole), place);
            }
            Whole::Rejected(message) => {
                let difference = found("outcome", &format!("refused: {message}"), "a reply");
                ledger.enter(
                    law,
                    place,
                    Judgement::differs("it refuses the whole text, but reads it split", difference, Sides::WholeSplit),
                );
            }
            Whole::Nothing => self.laws_of_a_reply(ledger, &reply, None, place),
        }
    }

    /// True if an eager stream differs from the finished text only as the two deliveries may (semantics 9): it sent a call that did not
    /// become complete.
    fn may_differ(&self, whole: &Reply, stream: &Reply) -> bool {
        self.scene.declared.eager
            && self.scene.declared.whole
            && stream.calls().any(|call| !call.is_complete())
            && deliveries_agree(whole, stream, &self.options.policies) == Judgement::Holds
    }

    /// `prefix-honest` for up to `count` prefixes. Exempt: grammars without markers, which close at the end only, and
    /// `block=all_or_nothing`, which exists to take calls back when a later one is refused.
    fn prefixes(&self, ledger: &mut Ledger, full: &Reply, count: usize) {
        if self.facts.policies.block == Block::AllOrNothing && self.options.policies.block != Block::AllOrNothing {
            ledger.unsupported(
                Law::PrefixHonest,
                "the subject declares block=all_or_nothing, which takes calls back when a later one is refused",
            );
        }
        for length in self.prefix_lengths(count) {
            if ledger.over() {
                return;
            }
            self.prefix(ledger, full, length);
        }
    }

    fn prefix_lengths(&self, count: usize) -> Vec<usize> {
        let raw = &self.scene.case.raw;
        if self.scene.dialect.grammar.is_bare() || self.facts.policies.block == Block::AllOrNothing || raw.len() < 2 || count == 0 {
            return Vec::new();
        }
        let count = count.min(family_limit(raw.len()));
        let starts = character_starts(raw);
        let mut lengths: Vec<usize> = starts.into_iter().filter(|&at| at > 0).collect();
        if lengths.len() > count {
            let near = near_markers(&self.scene.occurrences, raw.len(), count / 2, PREFIX_SEED);
            lengths.retain(|at| near.binary_search(at).is_ok());
            lengths = SplitMix64::new(PREFIX_SEED).sample(lengths, count);
        }
        lengths
    }

    fn prefix(&self, ledger: &mut Ledger, full: &Reply, length: usize) {
        let raw = &self.scene.case.raw;
        let cuts = [length];
        let place = self.place(Plan::Whole, &cuts);
        let Some(prefix) = raw.get(..length) else { return };
        ledger.read(self.subject, &self.ask(End::Length), prefix, &[Chunking::whole()], place, |ledger, _, outcome| {
            if let Outcome::Reading(reading) = outcome
                && let Ok(reply) = Reply::from_events(&reading.events)
            {
                let place = Place { cuts: &cuts, ..place };
                ledger.enter(Law::PrefixHonest, place, prefix_honest(full, &reply, length));
            }
        });
    }
}

/// The law that a split reading breaks by not being equal to the whole one.
const fn equality_law(plan: Plan) -> Law {
    match plan.tier() {
        Tier::Realistic => Law::WholeEqualsStream,
        Tier::Hostile => Law::SplitInvariance,
    }
}
