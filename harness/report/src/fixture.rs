//! Logs for the tests of the renderers.

use streakstone_suite::law::Law;
use streakstone_suite::runlog::{CaseResult, Check, FORMAT, Header, RunLog};
use streakstone_suite::verdict::Verdict;

/// Text that tries everything: ANSI, bidi, Markdown, HTML, XML, control characters.
pub const HOSTILE: &str = "\u{1b}[31m\u{202e}`|<script>alert(1)</script>]]>&\u{0}\n# @user";

pub fn header() -> Header {
    Header {
        format: FORMAT,
        version: "0.1.0".to_owned(),
        commit: "abcdef0123456789".to_owned(),
        corpus: "corpus".to_owned(),
        corpus_digest: "d1".to_owned(),
        seeds: vec![7],
        args: vec!["run".to_owned()],
        subjects: vec!["reference".to_owned()],
        plans: vec!["whole".to_owned(), "every-cut".to_owned()],
        cpu: "a cpu".to_owned(),
        os: "linux x86_64".to_owned(),
        started: "2026-01-01T00:00:00Z".to_owned(),
        about: std::collections::BTreeMap::new(),
        condensed: false,
        shard: None,
    }
}

pub fn check(law: Law) -> Check {
    Check::new(law)
}

pub fn passing(case: &str) -> CaseResult {
    CaseResult {
        subject: "reference".to_owned(),
        case: case.to_owned(),
        dialect: "hermes".to_owned(),
        file: "corpus/hermes/strings.yaml".to_owned(),
        line: 4,
        verdict: Verdict::Pass,
        checks: Vec::new(),
        unjudged: Vec::new(),
        unjudged_plans: Vec::new(),
        note: String::new(),
        known: None,
        cuts_run: 88,
        cuts_possible: 100,
        held_max: Some(12),
        cpu_ns: 1_500_000,
        planted: false,
    }
}

pub fn failing(law: Law) -> CaseResult {
    CaseResult { verdict: Verdict::Fail, checks: vec![check(law)], ..passing("hermes/strings/escaped-quote") }
}

pub fn log(results: Vec<CaseResult>) -> RunLog {
    RunLog { header: header(), results, growth: Vec::new() }
}

/// A failure whose every text is hostile.
pub fn hostile() -> CaseResult {
    let mut result = failing(Law::SplitInvariance);
    HOSTILE.clone_into(&mut result.subject);
    result.case = format!("hermes/{HOSTILE}/x");
    HOSTILE.clone_into(&mut result.file);
    HOSTILE.clone_into(&mut result.note);
    let check = &mut result.checks[0];
    check.plan = Some(HOSTILE.to_owned());
    check.at = Some(HOSTILE.to_owned());
    check.want = Some(HOSTILE.to_owned());
    check.got = Some(HOSTILE.to_owned());
    HOSTILE.clone_into(&mut check.detail);
    HOSTILE.clone_into(&mut check.policies);
    result
}
