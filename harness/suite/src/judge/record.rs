//! The run-log lines of a judged case.

use streakstone_model::Lookup;

use crate::case::Case;
use crate::judge::{Check, Judged};
use crate::law::Law;
use crate::runlog;
use crate::subject::Subject;
use crate::verdict::Verdict;

impl Judged {
    /// The result line of the run log.
    #[must_use]
    pub fn to_log(&self, subject: &dyn Subject, case: &Case) -> runlog::CaseResult {
        let dialect = match case.dialect {
            Lookup::Known(dialect) => dialect.name.to_owned(),
            Lookup::Unknown { .. } => case.dialect_word.clone(),
        };
        let mut unjudged: Vec<_> = self.unjudged.iter().filter_map(|u| u.law).collect();
        unjudged.dedup();
        runlog::CaseResult {
            subject: subject.name().to_owned(),
            case: case.name.clone(),
            dialect,
            file: case.file.display().to_string(),
            line: case.line,
            verdict: self.verdict,
            checks: self.checks.iter().map(Check::to_log).collect(),
            unjudged,
            unjudged_plans: self.unjudged.iter().filter_map(|u| u.plan).collect(),
            note: self.note.clone(),
            known: None,
            cuts_run: self.cuts_run,
            cuts_possible: self.cuts_possible,
            held_max: self.held_max,
            cpu_ns: self.cpu_ns,
            planted: subject.planted().is_some(),
        }
    }
}

impl Check {
    /// The check as it stands in the run log.
    #[must_use]
    pub fn to_log(&self) -> runlog::Check {
        let difference = self.detail.difference.as_ref();
        runlog::Check {
            plan: Some(self.plan.as_str().to_owned()),
            delivery: Some(self.delivery),
            policies: self.policies.join(","),
            cut: self.cut.clone(),
            at: difference.map(|d| d.path.clone()),
            want: difference.map(|d| d.left.clone()),
            got: difference.map(|d| d.right.clone()),
            detail: self.sentence(),
            excerpt: self.detail.excerpt.clone(),
            verdict: (self.verdict < Verdict::Fail).then_some(self.verdict),
            apart: self.apart,
            ..runlog::Check::new(self.law)
        }
    }

    /// The message with its full stop, and the smallest cuts of a law that cuts can break.
    fn sentence(&self) -> String {
        let message = self.detail.message.trim_end_matches('.');
        let len = self.detail.len;
        match self.cut.as_slice() {
            [] => format!("{message}."),
            [length] if self.law == Law::PrefixHonest => format!("{message}. Shortest failing prefix: {length} of {len} bytes."),
            [cut] => format!("{message}. Smallest failing cut: byte {cut} of {len}."),
            cuts => format!(
                "{message}. Smallest failing cuts: bytes {} of {len}.",
                cuts.iter().map(usize::to_string).collect::<Vec<_>>().join(", ")
            ),
        }
    }
}
