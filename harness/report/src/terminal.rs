//! The terminal report: failures in full, the matrix, the summary line. Text with ANSI colours; who prints it strips them
//! where they are not wanted.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, Table, presets};
use streakstone_suite::runlog::{CaseResult, Check, Header, RunLog};
use streakstone_suite::verdict::Verdict;

use crate::escape::{excerpt, shorten, visible};
use crate::standing::{Folders, Standing, accept, broken_by_tier, by_law, by_subject, rerun, sides, unsupported_plans, with_apart};

/// Widest value shown in a failure, in characters; the log has all of it.
const VALUE_WIDTH: usize = 160;
/// Broken laws shown of one failure; the others are named.
const CHECKS_SHOWN: usize = 4;
/// Column where the place of a case begins.
const PLACE_COLUMN: usize = 64;

const BAD: Style = AnsiColor::Red.on_default().bold();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const NOTE: Style = AnsiColor::Yellow.on_default();
const FAINT: Style = Style::new().dimmed();

fn paint(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The whole report. At most `failures` failures are shown in full.
#[must_use]
pub fn render(log: &RunLog, failures: Option<usize>) -> String {
    let mut out = String::new();
    let loud: Vec<&CaseResult> = log.results.iter().filter(|r| Standing::of(r).is_loud()).collect();
    let shown = failures.unwrap_or(loud.len()).min(loud.len());
    for result in &loud[..shown] {
        out.push_str(&failure(&log.header, result));
        out.push('\n');
    }
    if shown < loud.len() {
        let rest = loud.len() - shown;
        let _ = writeln!(out, "… and {rest} more. See all: streakstone run --log run.jsonl, then streakstone report run.jsonl\n");
    }
    if !log.results.is_empty() {
        out.push_str(&matrix(log));
        out.push('\n');
    }
    if !log.growth.is_empty() {
        out.push_str(&growth(log));
    }
    out.push_str(&summary(log));
    out
}

/// One failure: where, what, the smallest cut, the difference, what to type next.
#[must_use]
pub fn failure(header: &Header, result: &CaseResult) -> String {
    let mut out = findings(result);
    let found = by_law(result);
    let shrunk = found.iter().map(|(c, _)| *c).find(|c| !c.cut.is_empty()).or(result.checks.first());
    let _ = writeln!(out, "  rerun   {}", rerun(header, result, shrunk));
    let _ = writeln!(out, "  accept  {}", accept(result));
    out
}

/// One failure without what to type next, for a caller that is not the command line.
#[must_use]
pub fn findings(result: &CaseResult) -> String {
    let word = match result.verdict {
        Verdict::Pass => "PASS",
        Verdict::Soft => "SOFT",
        Verdict::Policy => "POLICY",
        Verdict::Disputed => "DISPUTED",
        Verdict::Unsupported => "UNSUPPORTED",
        Verdict::NotRun => "NOT RUN",
        Verdict::Fail => "FAIL",
        Verdict::TimedOut => "TIMED OUT",
        Verdict::Crashed => "CRASHED",
        Verdict::AdapterFault => "ADAPTER FAULT",
    };
    let mut out = String::new();
    let name = format!("{}::{}", visible(&result.subject), visible(&result.case));
    let place = if result.file.is_empty() { String::new() } else { format!("{}:{}", visible(&result.file), result.line) };
    let style = if result.verdict.is_bad() || result.verdict == Verdict::AdapterFault { BAD } else { NOTE };
    let gap = PLACE_COLUMN.saturating_sub(word.chars().count() + 2 + name.chars().count()).max(2);
    let _ = writeln!(out, "{}  {name}{}{}", paint(style, word), " ".repeat(gap), paint(FAINT, &place));
    let found = by_law(result);
    for (check, others) in found.iter().take(CHECKS_SHOWN) {
        push_check(&mut out, check, *others);
    }
    if found.len() > CHECKS_SHOWN {
        let laws: Vec<&str> = found[CHECKS_SHOWN..].iter().map(|(c, _)| c.law.as_str()).collect();
        let _ = writeln!(out, "  also broken: {}", laws.join(", "));
    }
    if !result.note.is_empty() {
        let _ = writeln!(out, "  {}", excerpt(&result.note, VALUE_WIDTH));
    }
    if result.planted {
        let _ = writeln!(out, "  planted: this subject is wrong on purpose.");
    }
    out
}

fn push_check(out: &mut String, check: &Check, others: usize) {
    let mut line = format!("{}: {}", check.law, excerpt(&check.detail, 2 * VALUE_WIDTH));
    if !check.policies.is_empty() {
        let _ = write!(line, " Under {}.", visible(&check.policies));
    }
    if let Some(delivery) = check.delivery.filter(|d| d.as_str() != "validated") {
        let _ = write!(line, " Delivery {}.", delivery.as_str());
    }
    if others > 0 {
        let _ = write!(line, " And {} more.", counted(others as u64, "finding"));
    }
    let _ = writeln!(out, "  {line}");
    if let Some(around) = &check.excerpt {
        let (start, end) = (if around.more_before { "…" } else { "" }, if around.more_after { "…" } else { "" });
        let _ = writeln!(out, "      {start}{} ┆ {}{end}", visible(&around.before), visible(&around.after));
    }
    if check.want.is_some() || check.got.is_some() {
        let (left, right) = sides(check.law);
        let value = |v: &Option<String>| match v.as_deref() {
            None => "nothing".to_owned(),
            Some("") => "\"\"".to_owned(),
            Some(text) => excerpt(text, VALUE_WIDTH),
        };
        let at = check.at.as_deref().map_or(String::new(), |at| format!("{}   ", excerpt(at, VALUE_WIDTH)));
        let _ = writeln!(out, "  {at}{left} {}   {right} {}", value(&check.want), value(&check.got));
    }
}

/// Subjects against dialect folders. One subject gets a column for each verdict that occurs; several get one column each.
#[must_use]
pub fn matrix(log: &RunLog) -> String {
    let subjects = by_subject(log);
    let (table, bad) = match subjects.as_slice() {
        [(_, folders)] => one_subject(folders),
        _ => many_subjects(&subjects),
    };
    let mut out = String::new();
    let title = subjects.iter().map(|(s, _)| visible(s)).collect::<Vec<_>>().join(", ");
    let _ = writeln!(out, "{}", shorten(&title, PLACE_COLUMN));
    // Three lines stand above the first row; cells never wrap.
    for (at, line) in table.lines().enumerate() {
        let row = at.checked_sub(3).and_then(|row| bad.get(row));
        let _ = writeln!(out, "{}", if row == Some(&true) { paint(BAD, &line) } else { line });
    }
    out
}

fn new_table(header: Vec<String>) -> Table {
    let columns = header.len();
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED).set_header(header);
    for column in 1..columns {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn one_subject(folders: &Folders<'_>) -> (Table, Vec<bool>) {
    let occurs: Vec<Verdict> =
        Verdict::ALL.iter().copied().filter(|v| *v == Verdict::Pass || folders.values().flatten().any(|r| r.verdict == *v)).collect();
    let all: Vec<&CaseResult> = folders.values().flatten().copied().collect();
    // What only cuts inside special tokens show has a column of its own, where there is any.
    let apart = (with_apart(all.iter().copied()) > 0).then_some("apart");
    let header = ["dialect", "cases"].into_iter().chain(occurs.iter().map(|v| v.as_str())).chain(apart).chain(["readings", "held"]);
    let mut table = new_table(header.map(str::to_owned).collect());
    let mut bad = Vec::new();
    for (name, results) in folders.iter().map(|(n, r)| (*n, r)).chain([("all", &all)]) {
        let mut row = vec![visible(name), grouped(results.len() as u64)];
        let number = |n: usize| if n == 0 { "·".to_owned() } else { grouped(n as u64) };
        row.extend(occurs.iter().map(|v| number(results.iter().filter(|r| r.verdict == *v).count())));
        row.extend(apart.map(|_| number(with_apart(results.iter().copied()))));
        row.push(grouped(results.iter().map(|r| r.cuts_run).sum()));
        row.push(results.iter().filter_map(|r| r.held_max).max().map_or_else(|| "-".to_owned(), grouped));
        table.add_row(row);
        bad.push(results.iter().any(|r| Standing::of(r).is_loud()));
    }
    (table, bad)
}

fn many_subjects(subjects: &[(&str, Folders<'_>)]) -> (Table, Vec<bool>) {
    let mut names: Vec<&str> = subjects.iter().flat_map(|(_, f)| f.keys().copied()).collect();
    names.sort_unstable();
    names.dedup();
    let mut table = new_table(std::iter::once("dialect".to_owned()).chain(subjects.iter().map(|(s, _)| visible(s))).collect());
    let mut bad = Vec::new();
    for name in names {
        let results: Vec<&[&CaseResult]> = subjects.iter().map(|(_, f)| f.get(name).map_or(&[][..], Vec::as_slice)).collect();
        table.add_row(std::iter::once(visible(name)).chain(results.iter().map(|r| cell(r))));
        bad.push(results.iter().any(|all| all.iter().any(|r| Standing::of(r).is_loud())));
    }
    let all = subjects.iter().map(|(_, f)| cell(&f.values().flatten().copied().collect::<Vec<_>>()));
    table.add_row(std::iter::once("all".to_owned()).chain(all));
    (table, bad)
}

/// `14` if all of 14 pass, else `12/14, 2 fail`; `(3 apart)` where findings are kept apart.
pub(crate) fn cell(results: &[&CaseResult]) -> String {
    match with_apart(results.iter().copied()) {
        0 => verdicts(results),
        apart => format!("{} ({apart} apart)", verdicts(results)),
    }
}

fn verdicts(results: &[&CaseResult]) -> String {
    let count = |v: Verdict| results.iter().filter(|r| r.verdict == v).count();
    let pass = count(Verdict::Pass);
    match (results.len(), pass) {
        (0, _) => "-".to_owned(),
        (all, pass) if all == pass => grouped(all as u64),
        (all, pass) => {
            let others = Verdict::ALL[1..].iter().filter(|v| count(**v) > 0).map(|v| format!(", {} {}", count(*v), v.as_str()));
            format!("{pass}/{all}{}", others.collect::<String>())
        }
    }
}

/// Growth curves: one row each.
#[must_use]
pub fn growth(log: &RunLog) -> String {
    let header = ["subject", "dialect", "generator", "delivery", "chunk", "largest", "exponent", "interval", "by count", "limit"];
    let mut table = new_table(header.map(str::to_owned).into());
    for g in &log.growth {
        table.add_row([
            visible(&g.subject),
            visible(&g.dialect),
            visible(&g.generator),
            g.delivery.as_str().to_owned(),
            if g.chunk == 0 { "whole".to_owned() } else { grouped(g.chunk as u64) },
            g.sizes.last().map_or_else(|| "-".to_owned(), |s| grouped(*s)),
            format!("{:.2}", g.exponent),
            format!("{:.2} to {:.2}", g.interval[0], g.interval[1]),
            g.count_exponent.map_or_else(|| "-".to_owned(), |e| format!("{e:.2}")),
            g.limit.map_or_else(|| "-".to_owned(), |l| format!("{l:.2}")),
        ]);
    }
    let mut out = String::new();
    for line in table.lines() {
        let _ = writeln!(out, "{line}");
    }
    out
}

/// The last line: how many results, how many readings, what was unexpected.
#[must_use]
pub fn summary(log: &RunLog) -> String {
    let standing = |s: Standing| log.results.iter().filter(|r| Standing::of(r) == s).count();
    let (bad, faults, not_run, known) =
        (standing(Standing::Unexpected), standing(Standing::Fault), standing(Standing::NotRun), standing(Standing::Known));
    let too_steep = steep(log);
    let mut out = String::new();
    if !log.results.is_empty() {
        let readings: u64 = log.results.iter().map(|r| r.cuts_run).sum();
        let possible: u64 = log.results.iter().map(|r| r.cuts_possible).sum();
        let seconds = std::time::Duration::from_nanos(log.results.iter().map(|r| r.cpu_ns).sum()).as_secs_f64();
        let (realistic, hostile) = broken_by_tier(&log.results);
        let _ = writeln!(
            out,
            "{}: {}. {} of {} possible, {seconds:.1} s of CPU.",
            counted(log.results.len() as u64, "result"),
            counts(log),
            counted(readings, "reading"),
            grouped(possible),
        );
        let _ = writeln!(out, "Broken by realistic plans: {realistic}, by hostile plans: {hostile}.");
        for (plan, cases) in unsupported_plans(&log.results) {
            let _ = writeln!(out, "Plan {plan} unsupported in {}.", counted(cases, "case"));
        }
        if known > 0 {
            let _ = writeln!(out, "{known} known failures, as listed.");
        }
    }
    let mut verdict = Vec::new();
    for (n, what) in
        [(bad, "unexpected"), (faults, "faults of an adapter or the harness"), (not_run, "not run"), (too_steep, "growth above its limit")]
    {
        if n > 0 {
            verdict.push(format!("{} {what}", grouped(n as u64)));
        }
    }
    let last = if verdict.is_empty() { paint(GOOD, "All as expected.") } else { paint(BAD, &format!("{}.", verdict.join(", "))) };
    let _ = writeln!(out, "{last}");
    out
}

/// Number of growth curves above their limit.
#[must_use]
pub fn steep(log: &RunLog) -> usize {
    log.growth.iter().filter(|g| g.limit.is_some_and(|limit| g.exponent > limit)).count()
}

/// `300 pass, 2 fail`: every verdict that occurs.
#[must_use]
pub fn counts(log: &RunLog) -> String {
    let all: Vec<String> = log.counts().iter().map(|(v, n)| format!("{} {}", grouped(*n), v.as_str())).collect();
    all.join(", ")
}

/// A number with a comma between groups of three digits.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// `1 case`, `1,234 cases`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{failing, header, hostile, log, passing};
    use streakstone_suite::law::Law;

    fn plain(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\u{1b}') {
            out.push_str(before);
            rest = after.split_once('m').map_or("", |(_, r)| r);
        }
        out + rest
    }

    #[test]
    fn findings_apart_have_a_column_of_their_own_and_are_no_failure() {
        let mut calm = passing("hermes/a/b");
        calm.checks = vec![Check { apart: true, ..Check::new(Law::SplitInvariance) }];
        let text = plain(&render(&log(vec![calm.clone(), passing("hermes/a/c")]), None));
        let cells: Vec<&str> = text.lines().find(|l| l.contains(" hermes ")).unwrap().split('┆').map(str::trim).collect();
        assert_eq!(cells.len(), 6, "{text}");
        assert!(text.contains("apart") && text.contains("All as expected."), "{text}");
        assert_eq!(cell(&[&calm]), "1 (1 apart)");
        assert!(!plain(&render(&log(vec![passing("hermes/a/c")]), None)).contains("apart"));
    }

    #[test]
    fn a_failure_looks_as_the_design_shows_it() {
        let mut result = failing(Law::SplitInvariance);
        result.subject = "exo-generic".to_owned();
        let check = &mut result.checks[0];
        check.detail = "whole and split readings differ. Smallest failing cut: byte 52 of 88.".to_owned();
        check.cut = vec![52];
        check.at = Some("calls[0].arguments".to_owned());
        check.want = Some(r#"{"q":"a\"b"}"#.to_owned());
        check.got = Some(r#"{"q":"a\\"}"#.to_owned());
        check.excerpt = Some(streakstone_suite::difference::Excerpt {
            before: r#""arguments": {"q": "a\"#.to_owned(),
            after: "\"b\"}}\n".to_owned(),
            more_before: true,
            more_after: true,
        });
        assert_eq!(
            plain(&failure(&header(), &result)),
            "FAIL  exo-generic::hermes/strings/escaped-quote                 corpus/hermes/strings.yaml:4\n\
             \x20 split-invariance: whole and split readings differ. Smallest failing cut: byte 52 of 88.\n\
             \x20     …\"arguments\": {\"q\": \"a\\ ┆ \"b\"}}↵…\n\
             \x20 calls[0].arguments   whole {\"q\":\"a\\\"b\"}   split {\"q\":\"a\\\\\"}\n\
             \x20 rerun   streakstone run exo-generic::hermes/strings/escaped-quote --cut 52\n\
             \x20 accept  not offered: a law failed.\n"
        );
    }

    #[test]
    fn hostile_text_cannot_act_on_the_terminal() {
        let text = plain(&render(&log(vec![hostile(), passing("hermes/a/b")]), None));
        let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(acts), "{text:?}");
        assert!(text.contains("␛[31m\\u{202e}"), "{text}");
    }

    #[test]
    fn one_subject_shows_its_verdicts_and_several_show_a_cell_each() {
        let mut second = failing(Law::Golden);
        let one = plain(&matrix(&log(vec![passing("hermes/a/b"), passing("lfm2/a/b"), second.clone()])));
        assert!(one.contains("│ hermes  ┆     2 ┆    1 ┆    1 ┆      176 ┆   12 │"), "{one}");
        assert!(one.contains("│ all     ┆     3 ┆    2 ┆    1 ┆      264 ┆   12 │"), "{one}");
        second.subject = "other".to_owned();
        let two = plain(&matrix(&log(vec![passing("hermes/a/b"), second])));
        assert!(two.contains("│ hermes  ┆         1 ┆ 0/1, 1 fail │"), "{two}");
    }

    #[test]
    fn the_summary_ends_with_what_was_unexpected() {
        assert!(plain(&summary(&log(vec![passing("hermes/a/b")]))).ends_with("All as expected.\n"));
        let mut known = failing(Law::Golden);
        known.known = Some("listed".to_owned());
        let text = plain(&summary(&log(vec![known.clone(), passing("a/b/c")])));
        assert!(text.contains("1 known failures, as listed.\nAll as expected."), "{text}");
        known.known = None;
        assert!(plain(&summary(&log(vec![known]))).ends_with("1 unexpected.\n"));
    }

    #[test]
    fn failures_beyond_the_cap_are_counted() {
        let many: Vec<CaseResult> = (0..5).map(|i| CaseResult { case: format!("hermes/a/{i}"), ..failing(Law::Expect) }).collect();
        let text = plain(&render(&log(many), Some(2)));
        assert_eq!(text.matches("FAIL").count(), 2);
        assert!(text.contains("… and 3 more."));
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(grouped), ["0", "12", "999", "1,000", "1,234,567"]);
    }
}
