//! Shows how two runs differ, as text, Markdown or JSON Lines: new failures apart from old ones.

use std::fmt::Write as _;

use streakstone_suite::runlog::{CaseResult, Change, Diff, Incomparable};

use crate::escape::{code_span, json, visible};
use crate::markdown::MAX_BYTES;

/// One class of changes.
struct Class<'a> {
    /// The word in JSON.
    word: &'static str,
    /// The heading.
    title: &'static str,
    changes: &'a [Change],
}

fn classes(diff: &Diff) -> [Class<'_>; 4] {
    [
        Class { word: "regressed", title: "Regressed", changes: &diff.regressed },
        Class { word: "failing-differently", title: "Failing differently", changes: &diff.failing_differently },
        Class { word: "fixed", title: "Fixed", changes: &diff.fixed },
        Class { word: "still-failing", title: "Still failing", changes: &diff.still_failing },
    ]
}

const fn why(reason: Incomparable) -> &'static str {
    match reason {
        Incomparable::NotRunBefore => "it did not run before",
        Incomparable::NotRunNow => "it did not run now",
        Incomparable::AdapterFault => "the adapter was at fault",
        Incomparable::Unsupported => "it was unsupported in one of them",
    }
}

fn name(result: &CaseResult) -> String {
    format!("{}::{}", result.subject, result.case)
}

fn laws(result: &CaseResult) -> String {
    let mut laws: Vec<&str> = result.checks.iter().map(|c| c.law.as_str()).collect();
    laws.sort_unstable();
    laws.dedup();
    if laws.is_empty() { String::new() } else { format!(" ({})", laws.join(", ")) }
}

fn step(change: &Change) -> String {
    format!("{}{} -> {}{}", change.old.verdict.as_str(), laws(&change.old), change.new.verdict.as_str(), laws(&change.new))
}

/// The first line of every form.
fn verdict(diff: &Diff) -> String {
    let not_run = match diff.not_run {
        0 => String::new(),
        1 => " 1 result of the new log did not run.".to_owned(),
        several => format!(" {several} results of the new log did not run."),
    };
    let new_bad = diff.new.iter().filter(|r| r.verdict.is_bad()).count();
    format!(
        "{}: {} regressed, {} failing differently, {} fixed, {} still failing, {} new ({new_bad} bad), {} gone, {} not comparable, {} unchanged.{not_run}{}",
        match (diff.is_worse(), diff.not_run) {
            (true, _) => "Worse",
            (false, 0) => "Not worse",
            (false, _) => "Incomplete",
        },
        diff.regressed.len(),
        diff.failing_differently.len(),
        diff.fixed.len(),
        diff.still_failing.len(),
        diff.new.len(),
        diff.gone.len(),
        diff.not_comparable.len(),
        diff.unchanged,
        if diff.same_corpus { "" } else { " The corpora differ, so a change may be the corpus' own." },
    )
}

/// As text for a terminal.
#[must_use]
pub fn text(diff: &Diff) -> String {
    let mut out = String::new();
    for class in classes(diff) {
        for change in class.changes {
            let _ = writeln!(out, "{:<20} {}  {}", class.title, visible(&name(&change.new)), visible(&step(change)));
        }
    }
    for (title, results) in [("New", &diff.new), ("Gone", &diff.gone)] {
        for result in results {
            let _ = writeln!(out, "{title:<20} {}  {}{}", visible(&name(result)), result.verdict.as_str(), visible(&laws(result)));
        }
    }
    for (change, reason) in &diff.not_comparable {
        let _ = writeln!(out, "{:<20} {}  {}", "Not comparable", visible(&name(&change.new)), why(*reason));
    }
    let _ = writeln!(out, "{}", verdict(diff));
    if let Some(first) = diff.regressed.first() {
        let _ = writeln!(out, "  rerun   streakstone run {}", crate::standing::shell_word(&name(&first.new)));
    }
    out
}

/// As Markdown, never above [`MAX_BYTES`].
#[must_use]
pub fn markdown(diff: &Diff) -> String {
    let mut out = format!("## Streakstone: two runs\n\n**{}**\n", verdict(diff));
    let mut sections: Vec<(&str, Vec<String>)> = classes(diff)
        .iter()
        .map(|c| (c.title, c.changes.iter().map(|c| format!("{} {}", code_span(&name(&c.new)), code_span(&step(c)))).collect()))
        .collect();
    for (title, results) in [("New", &diff.new), ("Gone", &diff.gone)] {
        let line = |r: &CaseResult| format!("{} {}", code_span(&name(r)), code_span(&format!("{}{}", r.verdict.as_str(), laws(r))));
        sections.push((title, results.iter().map(line).collect()));
    }
    let line = |(c, reason): &(Change, Incomparable)| format!("{} {}", code_span(&name(&c.new)), why(*reason));
    sections.push(("Not comparable", diff.not_comparable.iter().map(line).collect()));
    for (title, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = writeln!(out, "\n### {title} ({})\n", lines.len());
        for (at, line) in lines.iter().enumerate() {
            if out.len() + line.len() + 200 > MAX_BYTES {
                let _ = writeln!(out, "\n… and {} more, left out: the report reached its size limit.", lines.len() - at);
                return out;
            }
            let _ = writeln!(out, "- {line}");
        }
    }
    out
}

/// As JSON Lines: one object a change, then one with the totals.
#[must_use]
pub fn json_lines(diff: &Diff) -> String {
    let mut lines = Vec::new();
    for class in classes(diff) {
        for c in class.changes {
            lines.push(serde_json::json!({"type": class.word, "subject": c.new.subject, "case": c.new.case,
                "old": c.old.verdict, "new": c.new.verdict, "old_checks": c.old.checks, "new_checks": c.new.checks}));
        }
    }
    for (word, results) in [("new", &diff.new), ("gone", &diff.gone)] {
        lines.extend(results.iter().map(|r| serde_json::json!({"type": word, "subject": r.subject, "case": r.case, "verdict": r.verdict})));
    }
    for (c, reason) in &diff.not_comparable {
        lines.push(serde_json::json!({"type": "not-comparable", "subject": c.new.subject, "case": c.new.case,
            "old": c.old.verdict, "new": c.new.verdict, "why": why(*reason)}));
    }
    lines.push(
        serde_json::json!({"type": "totals", "worse": diff.is_worse(), "same_corpus": diff.same_corpus, "regressed": diff.regressed.len(),
        "failing_differently": diff.failing_differently.len(), "fixed": diff.fixed.len(), "still_failing": diff.still_failing.len(),
        "new": diff.new.len(), "gone": diff.gone.len(), "not_comparable": diff.not_comparable.len(), "unchanged": diff.unchanged,
        "not_run": diff.not_run}),
    );
    lines.iter().map(|l| json(&l.to_string()) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{HOSTILE, failing, log, passing};
    use streakstone_suite::law::Law;
    use streakstone_suite::runlog::diff;

    fn sample() -> Diff {
        let name = "hermes/strings/escaped-quote";
        let mut bad = failing(Law::Golden);
        bad.case = format!("hermes/a/{HOSTILE}");
        let old = log(vec![passing(name), passing(&bad.case), passing("hermes/a/gone"), passing("hermes/a/same")]);
        let new = log(vec![failing(Law::NoByteLost), bad, passing("hermes/a/same"), passing("hermes/a/new")]);
        diff(&old, &new)
    }

    #[test]
    fn the_three_forms_agree_on_the_totals() {
        let diff = sample();
        let totals =
            "Worse: 2 regressed, 0 failing differently, 0 fixed, 0 still failing, 1 new (0 bad), 1 gone, 0 not comparable, 1 unchanged.";
        assert!(text(&diff).contains(totals), "{}", text(&diff));
        assert!(text(&diff).contains("hermes/strings/escaped-quote  pass -> fail (no-byte-lost)"), "{}", text(&diff));
        assert!(markdown(&diff).contains(totals));
        let json = json_lines(&diff);
        let last: serde_json::Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
        assert_eq!((&last["regressed"], &last["worse"]), (&serde_json::json!(2), &serde_json::json!(true)));
        assert_eq!(json.lines().count(), 2 + 1 + 1 + 1);
    }

    #[test]
    fn hostile_names_are_inert_in_all_forms() {
        for form in [text(&sample()), markdown(&sample()), json_lines(&sample())] {
            assert!(!form.contains(|c: char| (c.is_control() && c != '\n') || c == '\u{202e}'), "{form:?}");
        }
    }
}
