//! What a result means for whoever reads the report: as expected or not, and the next command to type.

use std::borrow::Cow;
use std::collections::BTreeMap;

use streakstone_suite::law::{Law, Sides};
use streakstone_suite::runlog::{CaseResult, Check, Header, RunLog};
use streakstone_suite::verdict::Verdict;

use crate::escape::visible;

/// How a result stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// As expected: pass, soft, policy, disputed, unsupported.
    Expected,
    /// Bad, but listed as a known failure.
    Known,
    /// It did not run.
    NotRun,
    /// Bad, and not listed.
    Unexpected,
    /// The adapter or the harness is at fault; never excused.
    Fault,
}

impl Standing {
    /// The standing of a result.
    #[must_use]
    pub const fn of(result: &CaseResult) -> Self {
        match result.verdict {
            Verdict::Pass | Verdict::Soft | Verdict::Policy | Verdict::Disputed | Verdict::Unsupported => Self::Expected,
            Verdict::NotRun => Self::NotRun,
            Verdict::Fail | Verdict::TimedOut | Verdict::Crashed if result.known.is_some() => Self::Known,
            Verdict::Fail | Verdict::TimedOut | Verdict::Crashed => Self::Unexpected,
            Verdict::AdapterFault => Self::Fault,
        }
    }

    /// True if the report must show the result in full.
    #[must_use]
    pub const fn is_loud(self) -> bool {
        matches!(self, Self::Unexpected | Self::Fault)
    }
}

/// The dialect folder of a case: what stands before the first `/` of its name.
#[must_use]
pub fn folder(case: &str) -> &str {
    case.split('/').next().unwrap_or(case)
}

/// The results of one subject by dialect folder.
pub type Folders<'a> = BTreeMap<&'a str, Vec<&'a CaseResult>>;

/// Results by subject, in the order of first appearance, and by dialect folder.
#[must_use]
pub fn by_subject(log: &RunLog) -> Vec<(&str, Folders<'_>)> {
    let mut subjects: Vec<(&str, Folders<'_>)> = Vec::new();
    for result in &log.results {
        let place = subjects.iter().position(|(s, _)| *s == result.subject).unwrap_or_else(|| {
            subjects.push((&result.subject, BTreeMap::new()));
            subjects.len() - 1
        });
        subjects[place].1.entry(folder(&result.case)).or_default().push(result);
    }
    subjects
}

/// The words for `want` and `got` of a check.
#[must_use]
pub const fn sides(law: Law) -> (&'static str, &'static str) {
    let sides = match law {
        Law::SplitInvariance | Law::WholeEqualsStream | Law::NeverRetracted | Law::ArgumentsJoin => Sides::WholeSplit,
        Law::DeliveriesAgree => Sides::ValidatedEager,
        Law::PrefixHonest => Sides::FullPrefix,
        Law::Reusable | Law::Deterministic => Sides::FirstSecond,
        _ => Sides::ExpectedGot,
    };
    sides.words()
}

/// A finding of each broken law: the one with the fewest cuts, the defaults first, and how many others of that law there are.
/// Laws come before the comparisons.
#[must_use]
pub fn by_law(result: &CaseResult) -> Vec<(&Check, usize)> {
    let mut all: Vec<(&Check, usize)> = Vec::new();
    let rank = |c: &Check| (!c.policies.is_empty(), c.cut.len(), c.delivery.is_some_and(|d| d.as_str() == "eager"), c.cut.first().copied());
    for check in &result.checks {
        match all.iter_mut().find(|(c, _)| c.law == check.law) {
            None => all.push((check, 0)),
            Some((best, others)) => {
                *others += 1;
                if rank(check) < rank(best) {
                    *best = check;
                }
            }
        }
    }
    all
}

/// The command that shows a failure again. The cut, where there is one, is the smallest that fails.
#[must_use]
pub fn rerun(header: &Header, result: &CaseResult, check: Option<&Check>) -> String {
    let mut command = format!("streakstone run {}", shell_word(&format!("{}::{}", result.subject, result.case)));
    // A cut by hand is judged under the defaults only, and the cut of a prefix is a length.
    if let Some(check) = check.filter(|c| c.policies.is_empty() && !c.cut.is_empty() && c.law != Law::PrefixHonest) {
        let cuts: Vec<String> = check.cut.iter().map(usize::to_string).collect();
        command.push_str(" --cut ");
        command.push_str(&shell_word(&cuts.join(",")));
    }
    command.push_str(&adapters(header));
    command.push_str(&elsewhere(header));
    command
}

/// ` --adapter CMD` for each adapter of the run.
#[must_use]
pub fn adapters(header: &Header) -> String {
    let mut commands = Vec::new();
    for (place, word) in header.args.iter().enumerate() {
        let command = if word == "--adapter" { header.args.get(place + 1).map(String::as_str) } else { word.strip_prefix("--adapter=") };
        commands.extend(command);
    }
    commands.iter().flat_map(|command| [Cow::Borrowed(" --adapter "), shell_word(command)]).collect()
}

/// ` --corpus DIR` if the run was over a corpus elsewhere, else nothing.
#[must_use]
pub fn elsewhere(header: &Header) -> String {
    let given = header.args.iter().any(|a| a == "--corpus" || a.starts_with("--corpus="));
    if given { format!(" --corpus {}", shell_word(&header.corpus)) } else { String::new() }
}

/// How to accept what came, or why that is not offered.
#[must_use]
pub fn accept(result: &CaseResult) -> String {
    match result.checks.iter().map(|c| c.law).max_by_key(|law| match law {
        Law::Golden => 0,
        Law::Expect => 1,
        _ => 2,
    }) {
        Some(Law::Golden) if result.subject == "reference" => format!("streakstone bless {}", shell_word(&result.case)),
        Some(Law::Golden) => "not offered: only the reference parser writes goldens.".to_owned(),
        Some(Law::Expect) => "not offered: `expect` of the case says otherwise.".to_owned(),
        Some(_) => "not offered: a law failed.".to_owned(),
        None => "not offered: the subject did not give a reply.".to_owned(),
    }
}

/// `text` as one word of a POSIX shell. What cannot be typed is shown, not quoted.
#[must_use]
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_./:@%+=,-".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(format!("'{}'", visible(text).replace('\'', r"'\''")))
}

/// How many cases do not support a plan, for each plan that some do not.
#[must_use]
pub fn unsupported_plans(results: &[CaseResult]) -> BTreeMap<&'static str, u64> {
    let mut plans = BTreeMap::new();
    for plan in results.iter().flat_map(|r| &r.unjudged_plans) {
        *plans.entry(plan.as_str()).or_insert(0) += 1;
    }
    plans
}

/// Number of cases with a law broken by a plan of each tier: realistic, hostile. The tiers are reported apart.
#[must_use]
pub fn broken_by_tier(results: &[CaseResult]) -> (usize, usize) {
    use streakstone_suite::plan::{Plan, Tier};
    let in_tier = |tier| {
        let of_tier =
            |c: &Check| !c.law.needs_the_text() && c.plan.as_deref().and_then(|p| p.parse::<Plan>().ok()).is_some_and(|p| p.tier() == tier);
        results.iter().filter(|r| r.verdict.is_bad() && r.checks.iter().any(of_tier)).count()
    };
    (in_tier(Tier::Realistic), in_tier(Tier::Hostile))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{check, failing, header};

    #[test]
    fn a_known_failure_is_not_unexpected_and_a_fault_is_never_excused() {
        let mut result = failing(Law::Golden);
        assert_eq!(Standing::of(&result), Standing::Unexpected);
        result.known = Some("listed".to_owned());
        assert_eq!(Standing::of(&result), Standing::Known);
        result.verdict = Verdict::AdapterFault;
        assert_eq!(Standing::of(&result), Standing::Fault);
    }

    #[test]
    fn only_a_golden_of_the_reference_can_be_accepted() {
        assert_eq!(accept(&failing(Law::Golden)), "streakstone bless hermes/strings/escaped-quote");
        let mut other = failing(Law::Golden);
        other.checks.push(check(Law::NoByteLost));
        assert_eq!(accept(&other), "not offered: a law failed.");
        assert!(accept(&failing(Law::Expect)).contains("`expect`"));
        other.checks.truncate(1);
        other.subject = "exo-generic".to_owned();
        assert!(accept(&other).contains("only the reference"));
    }

    #[test]
    fn the_rerun_command_has_the_cut_and_the_corpus() {
        let mut header = header();
        let mut result = failing(Law::SplitInvariance);
        result.checks[0].cut = vec![3, 52];
        header.args = vec!["run".to_owned(), "--corpus".to_owned(), "my corpus".to_owned()];
        header.corpus = "my corpus".to_owned();
        assert_eq!(
            rerun(&header, &result, result.checks.first()),
            "streakstone run reference::hermes/strings/escaped-quote --cut 3,52 --corpus 'my corpus'"
        );
        result.checks[0].policies = "names=exact".to_owned();
        assert!(!rerun(&header, &result, result.checks.first()).contains("--cut"), "a cut is judged under the defaults only");
    }

    #[test]
    fn one_finding_a_law_is_shown_the_simplest() {
        let mut result = failing(Law::SplitInvariance);
        result.checks[0].policies = "names=exact".to_owned();
        let mut simple = check(Law::SplitInvariance);
        simple.cut = vec![7];
        result.checks.extend([simple.clone(), check(Law::Expect)]);
        let shown = by_law(&result);
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[0], (&simple, 1));
        assert_eq!(shown[1].1, 0);
    }

    #[test]
    fn a_hostile_name_stays_one_shell_word() {
        assert_eq!(shell_word("a'; rm -rf /\n"), r"'a'\''; rm -rf /↵'");
        assert_eq!(shell_word(""), "''");
    }
}
