//! Writes known lists: entries for what a run found, and out with what no longer holds. Comments and entries that stand are left as they
//! are: the text is edited by lines.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::known::{Known, KnownEntry, Standing, failed};
use crate::law::Law;
use crate::runlog::CaseResult;
use crate::verdict::Verdict;

/// What every new entry has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    /// Why the cases fail.
    pub reason: String,
    /// A public report.
    pub issue: Option<String>,
    /// Date or version since when.
    pub since: String,
}

/// An edited list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The whole text; a text without an entry is no list, and its file goes.
    pub text: String,
    /// One line a change, for people.
    pub changes: Vec<String>,
    /// Entries left.
    pub entries: usize,
}

/// Why a list is not edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// An entry does not begin on a line of its own.
    #[error("line {line}: the entry does not begin with `- ` on a line of its own; edit the list by hand")]
    Form {
        /// The line, from 1.
        line: usize,
    },
}

/// True if the result says nothing of the subject, so that no promise speaks of it.
const fn says_nothing(verdict: Verdict) -> bool {
    matches!(verdict, Verdict::AdapterFault | Verdict::NotRun | Verdict::Unsupported)
}

/// Adds an entry for each law and group of cases that `results` of this subject fail and no entry covers, marked for review.
///
/// A pattern names a whole dialect folder or topic only if each case that the corpus has there fails the law by the same verdict, or
/// says nothing: an entry is a promise about every case it names.
///
/// # Errors
/// The text is not in a form that can be edited by lines.
pub fn sync(known: &Known, text: &str, results: &[CaseResult], all_cases: &[&str], reason: &Reason) -> Result<Edited, EditError> {
    by_lines(known, text)?;
    let mut missing: BTreeMap<(Law, Verdict), BTreeSet<&str>> = BTreeMap::new();
    let mut failing: BTreeMap<(Law, Verdict), BTreeSet<&str>> = BTreeMap::new();
    let silent: BTreeSet<&str> = results.iter().filter(|r| says_nothing(r.verdict)).map(|r| r.case.as_str()).collect();
    for result in results.iter().filter(|r| r.verdict.is_bad()) {
        let unexpected = known.standing(result) == Standing::Unexpected;
        for law in failed(result) {
            failing.entry((law, result.verdict)).or_default().insert(&result.case);
            let listed = known.entries.iter().any(|e| (e.check, e.status) == (law, result.verdict) && e.names(&result.case));
            if unexpected && !listed {
                missing.entry((law, result.verdict)).or_default().insert(&result.case);
            }
        }
    }
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    let (mut changes, mut entries) = (Vec::new(), known.entries.len());
    for ((law, verdict), cases) in &missing {
        let may = |case: &str| failing[&(*law, *verdict)].contains(case) || silent.contains(case);
        for (pattern, count) in patterns(cases, all_cases, &may) {
            text.push_str(&entry(&pattern, *law, *verdict, reason));
            changes.push(format!("added    {pattern}  {law} {} ({count} cases)", verdict.as_str()));
            entries += 1;
        }
    }
    Ok(Edited { text, changes, entries })
}

/// Takes out what no longer holds: entries that name no case, and, by `results` of this subject, cases that pass the check. An entry
/// of which some cases still fail is narrowed to those.
///
/// # Errors
/// The text is not in a form that can be edited by lines.
pub fn prune(known: &Known, text: &str, results: &[CaseResult], all_cases: &[&str]) -> Result<Edited, EditError> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let starts: Vec<usize> = known.entries.iter().map(|e| e.line - 1).collect();
    by_lines(known, text)?;
    let mut out: String = lines[..starts.first().copied().unwrap_or(lines.len())].concat();
    let (mut changes, mut entries) = (Vec::new(), 0);
    for (entry, &start) in known.entries.iter().zip(&starts) {
        let next = starts.iter().copied().find(|&other| other > start).unwrap_or(lines.len());
        // Comments directly above the next entry are that entry's.
        let own = (start + 1..next).rev().find(|&at| !matches!(lines[at].trim_start().chars().next(), None | Some('#'))).unwrap_or(start);
        let (body, below) = (lines[start..=own].concat(), lines[own + 1..next].concat());
        match fate(entry, results, all_cases) {
            Fate::Stands => {
                entries += 1;
                out.push_str(&body);
            }
            Fate::NamesNothing => changes.push(format!("removed  {}  {}: it names no case", entry.cases, entry.check)),
            Fate::Passes => changes.push(format!("removed  {}  {}: no case fails it", entry.cases, entry.check)),
            Fate::Narrowed(patterns) => {
                let reason = Reason { reason: entry.reason.clone(), issue: entry.issue.clone(), since: entry.since.clone() };
                for (pattern, count) in patterns {
                    out.push_str(&self::entry(&pattern, entry.check, entry.status, &reason));
                    changes.push(format!("narrowed {} to {pattern}  {} ({count} cases)", entry.cases, entry.check));
                    entries += 1;
                }
            }
        }
        out.push_str(&below);
    }
    Ok(Edited { text: out, changes, entries })
}

/// Fails unless every entry begins with a dash on a line of its own.
fn by_lines(known: &Known, text: &str) -> Result<(), EditError> {
    let lines: Vec<&str> = text.lines().collect();
    let dashed = |line: usize| lines.get(line - 1).is_some_and(|text| text.trim_start().starts_with("- "));
    let odd = known.entries.iter().map(|e| e.line).find(|&line| !dashed(line));
    let json = text.trim_start().starts_with(['[', '{']).then_some(1);
    odd.or(json).map_or(Ok(()), |line| Err(EditError::Form { line }))
}

enum Fate {
    Stands,
    NamesNothing,
    Passes,
    Narrowed(Vec<(String, usize)>),
}

fn fate(entry: &KnownEntry, results: &[CaseResult], all_cases: &[&str]) -> Fate {
    let named: BTreeSet<&str> = all_cases.iter().copied().filter(|case| entry.names(case)).collect();
    if named.is_empty() {
        return Fate::NamesNothing;
    }
    let judged: Vec<&CaseResult> = results.iter().filter(|r| entry.names(&r.case) && !says_nothing(r.verdict)).collect();
    let passes: BTreeSet<&str> = judged.iter().filter(|r| !failed(r).contains(&entry.check)).map(|r| r.case.as_str()).collect();
    if passes.is_empty() {
        return Fate::Stands;
    }
    let fails: BTreeSet<&str> = judged.iter().map(|r| r.case.as_str()).filter(|case| !passes.contains(case)).collect();
    if fails.is_empty() {
        return Fate::Passes;
    }
    let may = |case: &str| named.contains(case) && !passes.contains(case);
    Fate::Narrowed(patterns(&fails, all_cases, &may))
}

/// The folder of a name, and the topic with its folder.
fn parts(case: &str) -> (&str, &str, &str) {
    let folder = case.split('/').next().unwrap_or(case);
    let (topic, id) = case.rsplit_once('/').unwrap_or(("", case));
    (folder, topic, id)
}

/// As few patterns as dialect folders, topics and lists of ids allow that name all of `cases`, and else only cases that `may` be
/// named; each with the number of `cases` it stands for.
fn patterns(cases: &BTreeSet<&str>, all_cases: &[&str], may: &dyn Fn(&str) -> bool) -> Vec<(String, usize)> {
    let all_may = |of: &dyn Fn(&str) -> bool| all_cases.iter().filter(|case| of(case)).all(|case| may(case));
    let mut found = Vec::new();
    let folders: BTreeSet<&str> = cases.iter().map(|case| parts(case).0).collect();
    for folder in folders {
        let within: Vec<&str> = cases.iter().copied().filter(|case| parts(case).0 == folder).collect();
        let prefix = format!("{folder}/");
        if within.len() > 1 && all_may(&|case| case.starts_with(&prefix)) {
            found.push((format!("{}/**", globset::escape(folder)), within.len()));
            continue;
        }
        let topics: BTreeSet<&str> = within.iter().map(|case| parts(case).1).collect();
        for topic in topics {
            let ids: Vec<&str> = within.iter().filter(|case| parts(case).1 == topic).map(|case| parts(case).2).collect();
            let base = if topic.is_empty() { String::new() } else { format!("{}/", globset::escape(topic)) };
            let plain = |id: &&&str| id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
            if ids.len() > 1 && all_may(&|case| parts(case).1 == topic) {
                found.push((format!("{base}*"), ids.len()));
            } else if ids.len() > 1 && ids.iter().all(|id| plain(&id)) {
                found.push((format!("{base}{{{}}}", ids.join(",")), ids.len()));
            } else {
                found.extend(ids.iter().map(|id| (format!("{base}{}", globset::escape(id)), 1)));
            }
        }
    }
    found
}

/// One entry as YAML; a JSON string is a double-quoted scalar.
fn entry(pattern: &str, law: Law, status: Verdict, reason: &Reason) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut out =
        format!("- cases: {}\n  check: {law}\n  status: {}\n  reason: {}\n", quoted(pattern), status.as_str(), quoted(&reason.reason));
    if let Some(issue) = &reason.issue {
        let _ = writeln!(out, "  issue: {}", quoted(issue));
    }
    let _ = write!(out, "  since: {}\n  review: true\n", quoted(&reason.since));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known::tests::read;
    use crate::runlog::tests::result;

    const ALL: [&str; 7] = ["hermes/s/a", "hermes/s/b", "hermes/t/a", "hermes/t/b", "hermes/t/c", "lfm2/s/a", "lfm2/s/b"];

    fn why() -> Reason {
        Reason { reason: "It says: \"no\".".to_owned(), issue: None, since: "2026-11-30".to_owned() }
    }

    fn run(failing: &[&str]) -> Vec<CaseResult> {
        ALL.iter().map(|case| result(case, if failing.contains(case) { Verdict::Fail } else { Verdict::Pass })).collect()
    }

    fn cases(known: &Known) -> Vec<&str> {
        known.entries.iter().map(|e| e.cases.as_str()).collect()
    }

    #[test]
    fn what_fails_is_listed_by_folder_topic_or_ids_and_then_nothing_is_unexpected() {
        let results = run(&["hermes/s/a", "hermes/s/b", "hermes/t/a", "hermes/t/c", "lfm2/s/a", "lfm2/s/b"]);
        let edited = sync(&Known::default(), "", &results, &ALL, &why()).unwrap();
        let known = read(&edited.text).unwrap();
        assert_eq!(cases(&known), ["hermes/s/*", "hermes/t/{a,c}", "lfm2/**"]);
        assert!(known.entries.iter().all(|e| e.review && e.reason == "It says: \"no\"."));
        assert_eq!((edited.entries, edited.changes.len()), (3, 3));
        assert_eq!(known.faults(&results, ALL.into_iter()), []);
        assert!(results.iter().all(|r| known.standing(r) != Standing::Unexpected));
        assert!(sync(&known, &edited.text, &results, &ALL, &why()).unwrap().changes.is_empty(), "twice is once");
    }

    #[test]
    fn a_case_that_did_not_run_is_not_promised_to_fail() {
        let results = vec![result("lfm2/s/a", Verdict::Fail)];
        assert_eq!(cases(&read(&sync(&Known::default(), "", &results, &ALL, &why()).unwrap().text).unwrap()), ["lfm2/s/a"]);
        let silent = vec![result("lfm2/s/a", Verdict::Fail), result("lfm2/s/b", Verdict::Unsupported)];
        assert_eq!(cases(&read(&sync(&Known::default(), "", &silent, &ALL, &why()).unwrap().text).unwrap()), ["lfm2/s/a"]);
    }

    #[test]
    fn other_verdicts_have_other_entries_and_the_old_text_stays() {
        let mut results = run(&["lfm2/s/a"]);
        results[0].verdict = Verdict::Crashed;
        results[0].checks = vec![crate::runlog::Check::new(Law::NoCrash)];
        let old = "# Ours.\n- {cases: lfm2/s/a, check: split-invariance, status: fail, reason: Old., since: 1}";
        let edited = sync(&read(old).unwrap(), old, &results, &ALL, &why()).unwrap();
        assert!(
            edited.text.starts_with(&format!("{old}\n- cases: \"hermes/s/a\"\n  check: no-crash\n  status: crashed\n")),
            "{}",
            edited.text
        );
    }

    const LIST: &str = "# The list.\n\n- cases: hermes/s/*\n  check: split-invariance\n  status: fail\n  reason: One.\n  since: 1\n\n# Of lfm2.\n\
                        - cases: lfm2/**\n  check: split-invariance\n  status: fail\n  reason: Two.\n  since: 1\n\
                        - cases: gone/**\n  check: golden\n  status: fail\n  reason: Three.\n  since: 1\n";

    #[test]
    fn what_turned_right_or_names_nothing_goes_and_what_partly_holds_is_narrowed() {
        let known = read(LIST).unwrap();
        let edited = prune(&known, LIST, &run(&["lfm2/s/b"]), &ALL).unwrap();
        let left = read(&edited.text).unwrap();
        assert_eq!(cases(&left), ["lfm2/s/b"]);
        assert_eq!(left.entries[0].reason, "Two.");
        assert!(edited.text.starts_with("# The list.\n\n\n# Of lfm2.\n- cases: \"lfm2/s/b\"\n"), "{}", edited.text);
        assert_eq!(edited.changes.len(), 3, "{:?}", edited.changes);
        assert_eq!(left.faults(&run(&["lfm2/s/b"]), ALL.into_iter()), []);
    }

    #[test]
    fn what_holds_is_left_byte_for_byte_and_no_entry_is_no_list() {
        let known = read(LIST).unwrap();
        let held = prune(&known, LIST, &run(&["hermes/s/a", "hermes/s/b", "lfm2/s/a", "lfm2/s/b"]), &ALL).unwrap();
        assert_eq!(held.text, LIST[..LIST.find("- cases: gone").unwrap()]);
        let none = prune(&known, LIST, &run(&[]), &ALL).unwrap();
        assert_eq!((none.entries, none.text.contains("cases")), (0, false), "{}", none.text);
        let json = "[{\"cases\": \"a\", \"check\": \"golden\", \"status\": \"fail\", \"reason\": \"R\", \"since\": 1}]\n";
        assert_eq!(prune(&read(json).unwrap(), json, &[], &ALL), Err(EditError::Form { line: 1 }));
        assert_eq!(sync(&read(json).unwrap(), json, &[], &ALL, &why()), Err(EditError::Form { line: 1 }));
    }
}
