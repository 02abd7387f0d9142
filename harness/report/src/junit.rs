//! The JUnit report: one suite a subject, one test a case.

use std::fmt::Write as _;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use streakstone_suite::runlog::{CaseResult, Header, RunLog};
use streakstone_suite::verdict::Verdict;

use crate::escape::visible;
use crate::standing::{accept, by_law, by_subject, folder, rerun, sides};
use crate::terminal::counted;

/// The report could not be written as XML.
#[derive(Debug, thiserror::Error)]
#[error("the JUnit report cannot be written: {0}")]
pub struct JunitError(#[from] quick_junit::SerializeError);

/// The report as XML. Every character is legal in XML 1.0; control characters stand as visible marks.
///
/// # Errors
/// The XML writer's.
pub fn render(log: &RunLog) -> Result<String, JunitError> {
    let mut report = Report::new("streakstone");
    for (subject, folders) in by_subject(log) {
        let mut suite = TestSuite::new(visible(subject));
        for result in folders.values().flatten() {
            suite.add_test_case(test_case(&log.header, result));
        }
        report.add_test_suite(suite);
    }
    Ok(report.to_string()?)
}

fn test_case(header: &Header, result: &CaseResult) -> TestCase {
    let mut status = match result.verdict {
        Verdict::Pass | Verdict::Soft | Verdict::Policy | Verdict::Disputed => TestCaseStatus::success(),
        Verdict::Unsupported | Verdict::NotRun => TestCaseStatus::skipped(),
        Verdict::Fail | Verdict::TimedOut | Verdict::Crashed if result.known.is_some() => TestCaseStatus::skipped(),
        Verdict::Fail => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Verdict::TimedOut | Verdict::Crashed | Verdict::AdapterFault => TestCaseStatus::non_success(NonSuccessKind::Error),
    };
    let first = result.checks.first();
    match &result.known {
        Some(reason) => status.set_message(visible(&format!("known: {reason}"))),
        None if !result.note.is_empty() => status.set_message(visible(&result.note)),
        None if result.verdict.is_bad() => {
            status.set_message(first.map_or_else(String::new, |c| visible(&format!("{}: {}", c.law, c.detail))))
        }
        None => &mut status,
    };
    if result.verdict != Verdict::Pass {
        status.set_type(first.map_or(result.verdict.as_str(), |c| c.law.as_str()));
        status.set_description(description(header, result));
    }
    let mut case = TestCase::new(visible(&result.case), status);
    case.set_classname(visible(&format!("{}::{}", result.subject, folder(&result.case))));
    case.set_time(Duration::from_nanos(result.cpu_ns));
    if !result.file.is_empty() {
        case.extra.insert("file".into(), visible(&result.file).into());
        case.extra.insert("line".into(), result.line.to_string().into());
    }
    case
}

fn description(header: &Header, result: &CaseResult) -> String {
    let mut out = String::new();
    let found = by_law(result);
    for (check, others) in &found {
        let more = if *others > 0 { format!(" And {} more.", counted(*others as u64, "finding")) } else { String::new() };
        let _ = writeln!(out, "{}: {}{more}", check.law, visible(&check.detail));
        if check.want.is_some() || check.got.is_some() {
            let (left, right) = sides(check.law);
            let value = |v: &Option<String>| visible(v.as_deref().unwrap_or("nothing"));
            let at = check.at.as_deref().map_or(String::new(), |at| visible(at) + " ");
            let _ = writeln!(out, "  {at}{left} {}, {right} {}", value(&check.want), value(&check.got));
        }
    }
    let shrunk = found.iter().map(|(c, _)| *c).find(|c| !c.cut.is_empty()).or(result.checks.first());
    let _ = writeln!(out, "rerun  {}", rerun(header, result, shrunk));
    if result.verdict.is_bad() {
        let _ = writeln!(out, "accept {}", accept(result));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{failing, hostile, log, passing};
    use streakstone_suite::law::Law;

    #[test]
    fn every_verdict_has_its_place() {
        let with = |case: &str, verdict| CaseResult { verdict, case: format!("hermes/a/{case}"), ..failing(Law::Golden) };
        let mut known = with("known", Verdict::Fail);
        known.known = Some("an issue".to_owned());
        let text = render(&log(vec![
            passing("hermes/a/pass"),
            with("fail", Verdict::Fail),
            with("crash", Verdict::Crashed),
            with("skip", Verdict::Unsupported),
            known,
        ]))
        .unwrap();
        assert!(
            text.contains(r#"<testsuite name="reference" tests="5" disabled="2" errors="1" failures="1">"#)
                || text.contains(r#"tests="5""#),
            "{text}"
        );
        assert_eq!(text.matches("<failure").count(), 1);
        assert_eq!(text.matches("<error").count(), 1);
        assert_eq!(text.matches("<skipped").count(), 2);
        assert!(text.contains("rerun  streakstone run reference::hermes/a/fail"), "{text}");
    }

    #[test]
    fn hostile_text_is_legal_xml() {
        let text = render(&log(vec![hostile()])).unwrap();
        assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}' || c == '\u{fffe}'), "{text:?}");
        assert!(!text.contains("<script>"), "{text}");
        assert!(text.contains("&lt;script&gt;"), "{text}");
    }
}
