//! The Markdown report: the step summary of a CI job. Hostile text stands in code spans only.

use std::fmt::Write as _;

use streakstone_suite::runlog::{CaseResult, Check, Header, RunLog};
use streakstone_suite::verdict::Verdict;

use crate::escape::{code_span, shorten};
use crate::standing::{Standing, accept, broken_by_tier, by_law, by_subject, rerun, sides};
use crate::terminal::{cell, counted, counts, grouped};

/// Largest report in bytes: GitHub refuses a step summary above 1 MiB; the rest is left for the end marker.
pub const MAX_BYTES: usize = 1_000_000;
/// Widest value in a failure, in characters.
const VALUE_WIDTH: usize = 400;
/// Broken laws of one failure; the others are named.
const CHECKS_SHOWN: usize = 8;

/// A code span of at most `width` characters of `text`.
fn code(text: &str, width: usize) -> String {
    code_span(&shorten(text, width))
}

/// The whole report, never above [`MAX_BYTES`].
#[must_use]
pub fn render(log: &RunLog) -> String {
    let mut out = String::from("## Streakstone\n\n");
    push_receipt(&mut out, &log.header);
    if !log.results.is_empty() {
        push_summary(&mut out, log);
        push_matrix(&mut out, log);
    }
    push_growth(&mut out, log);
    cap(&mut out);
    let sections = [
        ("Unexpected", Standing::Unexpected),
        ("Faults of an adapter or the harness", Standing::Fault),
        ("Not run", Standing::NotRun),
        ("Known failures", Standing::Known),
    ];
    for (title, standing) in sections {
        let results: Vec<&CaseResult> = log.results.iter().filter(|r| Standing::of(r) == standing).collect();
        push_section(&mut out, &log.header, title, &results);
    }
    out
}

/// Cuts the report at a line, should a log have a hundred thousand rows in its matrix.
fn cap(out: &mut String) {
    if out.len() > MAX_BYTES {
        let end = out[..out.floor_char_boundary(MAX_BYTES - 100)].rfind('\n').unwrap_or(0);
        out.truncate(end);
        out.push_str("\n\nThe rest is left out: the report reached its size limit.\n");
    }
}

fn push_receipt(out: &mut String, header: &Header) {
    let or_dash = |text: &str, width| if text.is_empty() { "-".to_owned() } else { code(text, width) };
    let commit: String = header.commit.chars().take(12).collect();
    let _ = writeln!(
        out,
        "streakstone {} at {}, corpus {} ({}), on {}, {}.\n",
        code(&header.version, 40),
        or_dash(&commit, 12),
        code(&header.corpus, 200),
        or_dash(&header.corpus_digest, 16),
        or_dash(&header.cpu, 80),
        or_dash(&header.started, 40),
    );
}

fn push_summary(out: &mut String, log: &RunLog) {
    let standing = |s: Standing| log.results.iter().filter(|r| Standing::of(r) == s).count() as u64;
    let (bad, faults, not_run) = (standing(Standing::Unexpected), standing(Standing::Fault), standing(Standing::NotRun));
    let (realistic, hostile) = broken_by_tier(&log.results);
    let (run, possible): (u64, u64) = (log.results.iter().map(|r| r.cuts_run).sum(), log.results.iter().map(|r| r.cuts_possible).sum());
    let verdict = if bad + faults + not_run == 0 {
        "All as expected.".to_owned()
    } else {
        format!("{} unexpected, {} faults, {} not run.", grouped(bad), grouped(faults), grouped(not_run))
    };
    let _ = writeln!(
        out,
        "**{verdict}** {} results: {}. {} readings of {} possible. Broken by realistic plans: {realistic}, by hostile plans: {hostile}.\n",
        grouped(log.results.len() as u64),
        counts(log),
        grouped(run),
        grouped(possible),
    );
}

fn push_matrix(out: &mut String, log: &RunLog) {
    let subjects = by_subject(log);
    let mut folders: Vec<&str> = subjects.iter().flat_map(|(_, f)| f.keys().copied()).collect();
    folders.sort_unstable();
    folders.dedup();
    out.push_str("| dialect |");
    for (subject, _) in &subjects {
        let _ = write!(out, " {} |", code(subject, 80));
    }
    out.push_str("\n|---|");
    out.push_str(&"---:|".repeat(subjects.len()));
    out.push('\n');
    for folder in folders {
        let _ = write!(out, "| {} |", code(folder, 80));
        for (_, by_folder) in &subjects {
            let _ = write!(out, " {} |", cell(by_folder.get(folder).map_or(&[], Vec::as_slice)));
        }
        out.push('\n');
        if out.len() > MAX_BYTES {
            return;
        }
    }
    out.push('\n');
}

fn push_growth(out: &mut String, log: &RunLog) {
    if log.growth.is_empty() {
        return;
    }
    out.push_str("### Growth\n\n| subject | dialect | generator | delivery | chunk | exponent | interval | by count | limit |\n");
    out.push_str("|---|---|---|---|---:|---:|---|---:|---:|\n");
    for g in &log.growth {
        let number = |n: Option<f64>| n.map_or_else(|| "-".to_owned(), |n| format!("{n:.2}"));
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {:.2} | {:.2} to {:.2} | {} | {} |",
            code(&g.subject, 80),
            code(&g.dialect, 80),
            code(&g.generator, 80),
            g.delivery.as_str(),
            if g.chunk == 0 { "whole".to_owned() } else { g.chunk.to_string() },
            g.exponent,
            g.interval[0],
            g.interval[1],
            number(g.count_exponent),
            number(g.limit),
        );
        if out.len() > MAX_BYTES {
            return;
        }
    }
    out.push('\n');
}

fn push_section(out: &mut String, header: &Header, title: &str, results: &[&CaseResult]) {
    if results.is_empty() || out.len() + 200 > MAX_BYTES {
        return;
    }
    let _ = writeln!(out, "### {title} ({})\n", grouped(results.len() as u64));
    for (at, result) in results.iter().enumerate() {
        let entry = entry(header, result);
        if out.len() + entry.len() + 200 > MAX_BYTES {
            let _ = writeln!(
                out,
                "… and {} more, left out: the report reached its size limit. The run log has them all.\n",
                results.len() - at
            );
            return;
        }
        out.push_str(&entry);
    }
}

fn entry(header: &Header, result: &CaseResult) -> String {
    let mut out = String::new();
    let place =
        if result.file.is_empty() { String::new() } else { format!(" ({})", code(&format!("{}:{}", result.file, result.line), 200)) };
    let _ = writeln!(out, "- **{}** {}{place}", result.verdict.as_str(), code(&format!("{}::{}", result.subject, result.case), 300));
    let found = by_law(result);
    for (check, others) in found.iter().take(CHECKS_SHOWN) {
        push_check(&mut out, check, *others);
    }
    if found.len() > CHECKS_SHOWN {
        let laws: Vec<&str> = found[CHECKS_SHOWN..].iter().map(|(c, _)| c.law.as_str()).collect();
        let _ = writeln!(out, "  - also broken: {}", laws.join(", "));
    }
    if !result.note.is_empty() {
        let _ = writeln!(out, "  - {}", code(&result.note, VALUE_WIDTH));
    }
    if let Some(reason) = &result.known {
        let _ = writeln!(out, "  - known: {}", code(reason, VALUE_WIDTH));
    }
    if !matches!(result.verdict, Verdict::NotRun) {
        let shrunk = found.iter().map(|(c, _)| *c).find(|c| !c.cut.is_empty()).or(result.checks.first());
        let _ = writeln!(out, "  - rerun {}", code_span(&rerun(header, result, shrunk)));
        let _ = writeln!(out, "  - accept: {}", code_span(&accept(result)));
    }
    out
}

fn push_check(out: &mut String, check: &Check, others: usize) {
    let _ = write!(out, "  - {}", code(check.law.as_str(), 80));
    if !check.detail.is_empty() {
        let _ = write!(out, " {}", code(&check.detail, VALUE_WIDTH));
    }
    if !check.policies.is_empty() {
        let _ = write!(out, " under {}", code(&check.policies, 200));
    }
    if others > 0 {
        let _ = write!(out, ", and {} more", counted(others as u64, "finding"));
    }
    if let Some(around) = &check.excerpt {
        let _ = write!(out, "<br>{}", code_span(&format!("{} ┆ {}", around.before, around.after)));
    }
    if check.want.is_some() || check.got.is_some() {
        let (left, right) = sides(check.law);
        let value = |v: &Option<String>| code(v.as_deref().unwrap_or("nothing"), VALUE_WIDTH);
        let at = check.at.as_deref().map_or(String::new(), |at| format!("{} ", code(at, 200)));
        let _ = write!(out, "<br>{at}{left} {}, {right} {}", value(&check.want), value(&check.got));
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{failing, hostile, log, passing};
    use streakstone_suite::law::Law;

    #[test]
    fn the_matrix_and_the_failures_are_there() {
        let text = render(&log(vec![passing("hermes/a/b"), failing(Law::Golden)]));
        assert!(text.contains("| `hermes` | 1/2, 1 fail |"), "{text}");
        assert!(text.contains("- **fail** `reference::hermes/strings/escaped-quote` (`corpus/hermes/strings.yaml:4`)"), "{text}");
        assert!(text.contains("  - accept: `streakstone bless hermes/strings/escaped-quote`"), "{text}");
        assert!(!text.contains("Known failures"));
    }

    #[test]
    fn hostile_text_stays_in_code_spans() {
        let text = render(&log(vec![hostile()]));
        assert!(!text.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{text:?}");
        for line in text.lines() {
            let (mut outside, mut rest) = (String::new(), line);
            while let Some(start) = rest.find('`') {
                outside.push_str(&rest[..start]);
                let fence: String = rest[start..].chars().take_while(|c| *c == '`').collect();
                let body = &rest[start + fence.len()..];
                let end = closing(body, fence.len()).unwrap_or_else(|| panic!("an open span in {line}"));
                rest = &body[end + fence.len()..];
            }
            outside.push_str(rest);
            assert!(!outside.contains("script") && !outside.contains("@user"), "{line}");
        }
    }

    /// Where a run of exactly `length` backticks begins.
    fn closing(text: &str, length: usize) -> Option<usize> {
        let mut at = 0;
        while let Some(start) = text[at..].find('`').map(|s| s + at) {
            let run = text[start..].chars().take_while(|c| *c == '`').count();
            if run == length {
                return Some(start);
            }
            at = start + run;
        }
        None
    }

    #[test]
    fn the_report_stays_under_its_limit() {
        let long = "x".repeat(VALUE_WIDTH);
        let many: Vec<CaseResult> = (0..4000)
            .map(|i| {
                let mut result = CaseResult { case: format!("hermes/a/{i}"), ..failing(Law::Expect) };
                result.checks[0].detail.clone_from(&long);
                result.checks[0].want = Some(long.clone());
                result
            })
            .collect();
        let text = render(&log(many));
        assert!(text.len() <= MAX_BYTES, "{}", text.len());
        assert!(text.contains("more, left out"));
        let folders: Vec<CaseResult> = (0..60_000).map(|i| passing(&format!("a-long-dialect-name-{i}/a/b"))).collect();
        assert!(render(&log(folders)).len() <= MAX_BYTES);
    }
}
