//! What the judge writes down while it reads: checks, times, counts.

use std::collections::BTreeSet;
use std::time::Duration;

use streakstone_model::{Policies, Reply, Span};

use crate::case::Case;
use crate::difference::Excerpt;
use crate::judge::{Check, Detail, Judged, Unjudged};
use crate::law::{Finding, Judgement, Law};
use crate::limits::DEADLINE_EVERY;
use crate::plan::Plan;
use crate::subject::{Ask, Chunking, Declared, Outcome, Subject};
use crate::verdict::Verdict;

/// Where a judgement was made.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub case: &'a Case,
    pub policies: Policies,
    pub plan: Plan,
    pub cuts: &'a [usize],
}

/// What of a subject's readings does not count, or not as a failure.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    /// The special tokens of the text, if the subject's engine never hands over a part of one.
    pub specials: Vec<Span>,
    /// What the subject says of itself.
    pub declared: Declared,
}

impl Rules {
    /// True if a cut falls inside a special token.
    fn apart(&self, cuts: &[usize]) -> bool {
        cuts.iter().any(|&cut| {
            let next = self.specials.partition_point(|span| span.end <= cut);
            self.specials.get(next).is_some_and(|span| span.start < cut)
        })
    }

    /// Why the law cannot be asked. A crash, a hang and a wrong reply are never excused.
    fn excuse(&self, law: Law) -> Option<&str> {
        if matches!(law, Law::NoCrash | Law::Deadline | Law::Expect | Law::Golden) {
            return None;
        }
        self.declared.excuse(law)
    }
}

pub(super) struct Ledger {
    rules: Rules,
    pub checks: Vec<Check>,
    pub judged: BTreeSet<Law>,
    pub unjudged: Vec<Unjudged>,
    pub cuts_run: u64,
    pub cuts_possible: u64,
    pub held_max: Option<u64>,
    /// What the adapter did wrong.
    pub fault: Option<String>,
    /// What else the reader of the result should know, a sentence each.
    pub notes: Vec<String>,
    /// Why the case as a whole cannot be judged, if it cannot.
    pub unfit: Option<String>,
    overdue: bool,
    spent: Duration,
    /// What the clock said at the beginning.
    started: Duration,
    deadline: Duration,
    clock: fn() -> Duration,
}

impl Ledger {
    pub fn new(deadline: Duration, clock: fn() -> Duration, rules: Rules) -> Self {
        Self {
            rules,
            checks: Vec::new(),
            judged: BTreeSet::from([Law::NoCrash, Law::Deadline]),
            unjudged: Vec::new(),
            cuts_run: 0,
            cuts_possible: 0,
            held_max: None,
            fault: None,
            notes: Vec::new(),
            unfit: None,
            overdue: false,
            spent: Duration::ZERO,
            started: clock(),
            deadline,
            clock,
        }
    }

    /// What readings cost that were made outside this process, and what is to be known of them.
    pub fn outside(&mut self, cpu_ns: u64, notes: &[String]) {
        self.spent += Duration::from_nanos(cpu_ns);
        self.notes.extend_from_slice(notes);
    }

    /// True if no more readings should be asked for.
    pub const fn over(&self) -> bool {
        self.overdue || self.fault.is_some()
    }

    /// Reads and takes the time, our comparison included: asking the clock about each reading would cost as much as a reading.
    pub fn timed(
        &mut self,
        subject: &dyn Subject,
        ask: &Ask<'_>,
        raw: &[u8],
        chunkings: &[Chunking],
        place: Place<'_>,
        each: impl FnMut(&mut Self, usize, Outcome),
    ) {
        let started = (self.clock)();
        self.read(subject, ask, raw, chunkings, place, each);
        self.spent += (self.clock)().saturating_sub(started);
    }

    /// Reads and watches the deadline. Outcomes that are no reading and no refusal are dealt with here.
    pub fn read(
        &mut self,
        subject: &dyn Subject,
        ask: &Ask<'_>,
        raw: &[u8],
        chunkings: &[Chunking],
        place: Place<'_>,
        mut each: impl FnMut(&mut Self, usize, Outcome),
    ) {
        let mut seen = 0_usize;
        subject.read(ask, raw, chunkings, &mut |i, outcome| {
            seen += 1;
            let place = Place { cuts: chunkings.get(i).map_or(place.cuts, |c| &c.cuts), ..place };
            if seen.is_multiple_of(DEADLINE_EVERY) {
                self.watch(place);
            }
            match outcome {
                Outcome::Raised(message) => self.broken(Law::NoCrash, place, finding(format!("it raised: {message}"))),
                Outcome::Died(message) => self.broken(Law::NoCrash, place, finding(format!("it died: {message}"))),
                Outcome::Unsupported(why) => self.plan_unsupported(place.plan, why),
                Outcome::TimedOut => self.late(place, "it ran past its deadline and was stopped".to_owned()),
                Outcome::AdapterFault(message) => self.fault = Some(message),
                Outcome::Reading(_) | Outcome::Rejected(_) => each(self, i, outcome),
            }
        });
        self.watch(place);
    }

    fn watch(&mut self, place: Place<'_>) {
        if !self.overdue && (self.clock)().saturating_sub(self.started) > self.deadline {
            self.late(place, format!("{} s were not enough for the readings of this case", self.deadline.as_secs_f64()));
        }
    }

    fn late(&mut self, place: Place<'_>, message: String) {
        self.overdue = true;
        self.broken(Law::Deadline, place, finding(message));
    }

    /// As [`Self::enter`]; a broken law is `soft` where only white space differs.
    pub fn enter_mild(&mut self, law: Law, place: Place<'_>, judgement: Judgement, mild: bool) {
        match judgement {
            Judgement::Broken(finding) if mild => self.add(law, Verdict::Soft, place, finding),
            other => self.enter(law, place, other),
        }
    }

    /// Writes down what a law says.
    pub fn enter(&mut self, law: Law, place: Place<'_>, judgement: Judgement) {
        match judgement {
            Judgement::Holds => {
                self.judged.insert(law);
            }
            Judgement::Broken(finding) => self.broken(law, place, finding),
            Judgement::Unsupported(why) => self.unsupported(law, why),
        }
    }

    pub fn unsupported(&mut self, law: Law, why: &str) {
        if !self.unjudged.iter().any(|u| u.law == Some(law)) {
            self.unjudged.push(Unjudged { law: Some(law), plan: None, why: why.to_owned() });
        }
    }

    /// A plan, or a part of one, that the subject has no entry point for.
    pub fn plan_unsupported(&mut self, plan: Plan, why: String) {
        if plan == Plan::Whole {
            self.unfit.get_or_insert_with(|| why.clone());
        }
        if !self.unjudged.iter().any(|u| u.plan == Some(plan)) {
            self.unjudged.push(Unjudged { law: None, plan: Some(plan), why });
        }
    }

    /// A broken law. Of one law, plan, delivery and policies only the smallest cut is kept, and the count.
    pub fn broken(&mut self, law: Law, place: Place<'_>, finding: Finding) {
        let verdict = match law {
            Law::NoCrash => Verdict::Crashed,
            Law::Deadline => Verdict::TimedOut,
            _ => Verdict::Fail,
        };
        self.add(law, verdict, place, finding);
    }

    pub fn add(&mut self, law: Law, verdict: Verdict, place: Place<'_>, finding: Finding) {
        if self.rules.excuse(law).is_some() {
            return;
        }
        // A hang ends the case whatever its cuts are, so it is never kept apart.
        let apart = law != Law::Deadline && self.rules.apart(place.cuts);
        self.judged.insert(law);
        let delivery = place.policies.delivery;
        let policies: Vec<String> = Policies { delivery: streakstone_model::Delivery::default(), ..place.policies }.changed();
        let same = |c: &Check| {
            (c.law, c.verdict, c.plan, c.delivery, c.apart) == (law, verdict, place.plan, delivery, apart) && c.policies == policies
        };
        let known = self.checks.iter().position(same);
        if let Some(known) = known {
            let check = &mut self.checks[known];
            check.failing += 1;
            if (check.cut.len(), check.cut.as_slice()) <= (place.cuts.len(), place.cuts) {
                return;
            }
        }
        let at = finding.at.or_else(|| place.cuts.first().copied());
        let (difference, sides) = finding.difference.map_or((None, None), |(d, s)| (Some(d), Some(s)));
        let detail = Detail {
            message: finding.message,
            at,
            len: place.case.raw.len(),
            excerpt: at.map(|at| Excerpt::around(&place.case.raw, at)),
            difference,
            sides,
        };
        let mut check = Check { law, verdict, plan: place.plan, delivery, policies, cut: place.cuts.to_vec(), failing: 1, apart, detail };
        match known {
            Some(known) => {
                check.failing = self.checks[known].failing;
                self.checks[known] = check;
            }
            None => self.checks.push(check),
        }
    }

    pub fn close(mut self, validated: Option<Reply>, eager: Option<Reply>) -> Judged {
        let mut verdict = self.checks.iter().filter(|c| !c.apart).map(|c| c.verdict).max().unwrap_or(Verdict::Pass);
        let excused: Vec<(Law, String)> = self.judged.iter().filter_map(|&law| Some((law, self.rules.excuse(law)?.to_owned()))).collect();
        for (law, why) in excused {
            self.judged.remove(&law);
            self.unsupported(law, &why);
        }
        if verdict < Verdict::Unsupported && self.unjudged.iter().any(|u| u.law == Some(Law::Expect)) {
            verdict = Verdict::Unsupported;
        }
        if let Some(why) = self.unfit.take() {
            verdict = verdict.max(Verdict::Unsupported);
            self.notes.insert(0, why);
        }
        if let Some(fault) = self.fault.take() {
            verdict = Verdict::AdapterFault;
            self.notes.insert(0, fault);
        }
        self.checks.sort_by(|a, b| {
            (a.law, a.cut.len(), &a.cut, a.plan, a.policies.len()).cmp(&(b.law, b.cut.len(), &b.cut, b.plan, b.policies.len()))
        });
        self.unjudged.sort();
        Judged {
            verdict,
            checks: self.checks,
            judged: self.judged.into_iter().collect(),
            unjudged: self.unjudged,
            note: self.notes.join("; "),
            cuts_run: self.cuts_run,
            cuts_possible: self.cuts_possible,
            held_max: self.held_max,
            cpu_ns: u64::try_from(self.spent.as_nanos()).unwrap_or(u64::MAX),
            validated,
            eager,
        }
    }
}

/// A finding of one sentence.
pub(super) const fn finding(message: String) -> Finding {
    Finding { message, at: None, difference: None }
}
