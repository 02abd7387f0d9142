//! Known failures: `goldens/known/<subject>.yaml`, a list of expected failures of one subject, each with a reason.
//!
//! ```yaml
//! - cases: hermes/strings/*      # glob over full names: `*` within a level, `**` over levels
//!   check: split-invariance      # a law, `golden` or `expect`
//!   status: fail                 # the verdict it must have
//!   reason: The parser looks at one chunk at a time.
//!   issue: exo-explore/exo#2233  # optional
//!   since: 2026-05-01            # a date or a version
//! ```
//!
//! An entry is a promise about every case it names: a named case that passes the check is an unexpected pass, and a pattern that
//! names no case is a fault. A fault of the adapter or harness is never excused.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use globset::{GlobBuilder, GlobMatcher};

use crate::corpus::{CorpusError, CorpusErrors};
use crate::law::Law;
use crate::load::node::{Fields, Node, Value};
use crate::load::report::{FileReport, Report};
use crate::load::{read_bytes, read_tree};
use crate::runlog::{CaseResult, Check};
use crate::verdict::Verdict;

/// Keys of an entry.
const KEYS: &[&str] = &["cases", "check", "status", "reason", "issue", "since"];

/// Verdicts that an entry may promise.
const STATUSES: &[Verdict] = &[Verdict::Fail, Verdict::Crashed, Verdict::TimedOut, Verdict::Soft, Verdict::Policy, Verdict::Disputed];

/// One expected failure.
#[derive(Debug, Clone)]
pub struct KnownEntry {
    /// Glob over full case names, as written.
    pub cases: String,
    /// The law, or `golden`, or `expect`.
    pub check: Law,
    /// The verdict that the named cases must have.
    pub status: Verdict,
    /// Why it fails.
    pub reason: String,
    /// A public report.
    pub issue: Option<String>,
    /// Date or version since when.
    pub since: String,
    /// Line of the entry, from 1.
    pub line: usize,
    glob: GlobMatcher,
}

impl KnownEntry {
    /// True if the entry names this case.
    #[must_use]
    pub fn names(&self, case: &str) -> bool {
        self.glob.is_match(case)
    }
}

/// The known failures of one subject.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// The file; empty if the subject has none.
    pub file: PathBuf,
    /// The entries in the order written.
    pub entries: Vec<KnownEntry>,
}

/// How a result stands with the known list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing<'k> {
    /// Nothing is wrong, and nothing was said to be.
    AsExpected,
    /// Everything wrong with it is listed; the first entry that covers it.
    Known(&'k KnownEntry),
    /// Something is wrong that no entry covers.
    Unexpected,
    /// The adapter or harness is at fault; never excused.
    HarnessFault,
}

impl PartialEq for KnownEntry {
    fn eq(&self, other: &Self) -> bool {
        (&self.cases, self.check, self.status, self.line) == (&other.cases, other.check, other.status, other.line)
    }
}

impl Eq for KnownEntry {}

/// A promise of the list that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KnownFault {
    /// A named case passes the check.
    #[error("{}:{line}: unexpected pass: {case} no longer breaks {check}; remove the entry, or take the case out of its pattern `{cases}`", file.display())]
    UnexpectedPass {
        /// The known file.
        file: PathBuf,
        /// The entry's line.
        line: usize,
        /// The case.
        case: String,
        /// The check's name.
        check: &'static str,
        /// The entry's pattern.
        cases: String,
    },
    /// A named case breaks the check, but by another verdict.
    #[error("{}:{line}: {case} is listed as {listed}, but is {got}; look at it anew and correct the `status`", file.display(), listed = listed.as_str(), got = got.as_str())]
    OtherVerdict {
        /// The known file.
        file: PathBuf,
        /// The entry's line.
        line: usize,
        /// The case.
        case: String,
        /// The verdict listed.
        listed: Verdict,
        /// The verdict given.
        got: Verdict,
    },
    /// The pattern names no case of the corpus.
    #[error("{}:{line}: the pattern `{cases}` names no case; mend it or remove the entry (`streakstone list` prints all names)", file.display())]
    NamesNothing {
        /// The known file.
        file: PathBuf,
        /// The entry's line.
        line: usize,
        /// The pattern.
        cases: String,
    },
}

/// Reads `<dir>/<subject>.yaml` of every subject; an absent folder has none.
///
/// # Errors
/// All errors of all files, as for a corpus.
pub fn load(dir: &Path) -> Result<BTreeMap<String, Known>, CorpusErrors> {
    let mut report = Report::default();
    let mut all = BTreeMap::new();
    let listed = match fs::read_dir(dir).and_then(Iterator::collect::<Result<Vec<_>, _>>) {
        Ok(listed) => listed,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => {
            report.file(dir, &format!("cannot be listed: {error}"));
            Vec::new()
        }
    };
    for path in listed.into_iter().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(subject) = name.strip_suffix(".yaml").filter(|subject| !subject.starts_with('.')) else { continue };
        let subject = subject.to_owned();
        if let Some(known) = file(&path, &mut report) {
            all.insert(subject, known);
        }
    }
    if report.errors.is_empty() {
        return Ok(all);
    }
    report.errors.sort();
    Err(CorpusErrors(report.errors))
}

fn file(path: &Path, report: &mut Report) -> Option<Known> {
    let bytes = read_bytes(path, report)?;
    let tree = read_tree(path, &bytes, report)?;
    let mut report = FileReport { file: path.to_owned(), report };
    let Value::List(items) = &tree.value else {
        report.at(tree.place, format!("a known file is a list of entries with the keys {}, not {}", KEYS.join(", "), tree.value.kind()));
        return None;
    };
    let entries = items.iter().filter_map(|node| entry(node, &mut report)).collect();
    Some(Known { file: path.to_owned(), entries })
}

fn entry(node: &Node, report: &mut FileReport<'_>) -> Option<KnownEntry> {
    let fields = Fields::of(node, "a known entry", KEYS, report)?;
    let mut need = |key: &'static str, what: &str| {
        // A version such as 0.1 is a number to YAML.
        let text = match fields.get(key) {
            Some(Node { value: Value::Number(text) | Value::OddNumber(text), .. }) => Some(text.as_str()),
            _ => fields.string(key, report).map(str::trim),
        };
        let text = text.filter(|text| !text.is_empty());
        if text.is_none() && fields.get(key).is_none_or(|n| n.string().is_some()) {
            report.at(fields.raw(key).map_or(node.place, |n| n.place), format!("the entry needs `{key}`: {what}"));
        }
        text
    };
    let cases = need("cases", "a pattern over case names, such as `hermes/strings/*`");
    let check = need("check", "a law, `golden` or `expect`");
    let status = need("status", "the verdict it has, such as `fail`");
    let reason = need("reason", "one sentence on why it fails");
    let since = need("since", "the date or version since when");
    let issue = fields.string("issue", report).map(str::to_owned);
    let place = |key| fields.raw(key).map_or(node.place, |n| n.place);
    let glob = cases.and_then(|cases| match GlobBuilder::new(cases).literal_separator(true).build() {
        Ok(glob) => Some(glob.compile_matcher()),
        Err(error) => {
            report.at(place("cases"), format!("`{cases}` is no pattern: {}; `*` stands for a word, `**` for several levels", error.kind()));
            None
        }
    });
    let check = check.and_then(|word| Law::from_str(word).map_err(|error| report.at(place("check"), error.to_string())).ok());
    let status = status.and_then(|word| {
        let found = Verdict::from_word(word).filter(|verdict| STATUSES.contains(verdict));
        if found.is_none() {
            let words: Vec<&str> = STATUSES.iter().map(|v| v.as_str()).collect();
            report.at(
                place("status"),
                format!("`{word}` cannot be excused; the status is one of {} (a fault of the adapter never is)", words.join(", ")),
            );
        }
        found
    });
    Some(KnownEntry {
        cases: cases?.to_owned(),
        check: check?,
        status: status?,
        reason: reason?.to_owned(),
        issue,
        since: since?.to_owned(),
        line: node.place.0,
        glob: glob?,
    })
}

/// The checks that a result fails. What is kept apart does not count, nor does a soft finding of a case that fails. A crash or a deadline without a check is the law of that name.
fn failed(result: &CaseResult) -> Vec<Law> {
    let counts = |check: &&Check| !check.apart && (!result.verdict.is_bad() || check.verdict.is_none());
    let mut laws: Vec<Law> = result.checks.iter().filter(counts).map(|check| check.law).collect();
    if laws.is_empty() {
        match result.verdict {
            Verdict::Crashed => laws.push(Law::NoCrash),
            Verdict::TimedOut => laws.push(Law::Deadline),
            Verdict::Fail | Verdict::Soft | Verdict::Policy | Verdict::Disputed => laws.push(Law::Expect),
            Verdict::Pass | Verdict::Unsupported | Verdict::NotRun | Verdict::AdapterFault => {}
        }
    }
    laws.sort_unstable();
    laws.dedup();
    laws
}

impl Known {
    /// How one result of this subject stands.
    #[must_use]
    pub fn standing(&self, result: &CaseResult) -> Standing<'_> {
        if result.verdict == Verdict::AdapterFault {
            return Standing::HarnessFault;
        }
        let covers = |law: Law| self.entries.iter().find(|e| e.check == law && e.status == result.verdict && e.names(&result.case));
        let failed = failed(result);
        let covered: Vec<&KnownEntry> = failed.iter().filter_map(|&law| covers(law)).collect();
        match covered.first() {
            Some(entry) if covered.len() == failed.len() => Standing::Known(entry),
            _ if result.verdict.is_bad() => Standing::Unexpected,
            _ => Standing::AsExpected,
        }
    }

    /// Every promise that does not hold, given this subject's results and the names of all cases of the corpus (also of those not
    /// selected, so that a narrow run does not make a pattern empty).
    #[must_use]
    pub fn faults<'a>(&self, results: &[CaseResult], all_cases: impl Iterator<Item = &'a str>) -> Vec<KnownFault> {
        let names: Vec<&str> = all_cases.collect();
        let mut faults = Vec::new();
        for entry in &self.entries {
            let (file, line) = (self.file.clone(), entry.line);
            if !names.iter().any(|case| entry.names(case)) {
                faults.push(KnownFault::NamesNothing { file, line, cases: entry.cases.clone() });
                continue;
            }
            for result in results.iter().filter(|result| entry.names(&result.case)) {
                let (file, case) = (file.clone(), result.case.clone());
                match result.verdict {
                    // Says nothing about the subject.
                    Verdict::AdapterFault | Verdict::NotRun | Verdict::Unsupported => {}
                    _ if !failed(result).contains(&entry.check) => {
                        let (check, cases) = (entry.check.as_str(), entry.cases.clone());
                        faults.push(KnownFault::UnexpectedPass { file, line, case, check, cases });
                    }
                    got if got != entry.status => {
                        faults.push(KnownFault::OtherVerdict { file, line, case, listed: entry.status, got });
                    }
                    _ => {}
                }
            }
        }
        faults
    }

    /// Writes the reason of the entry that excuses it into each result, and returns the promises that do not hold.
    pub fn judge<'a>(&self, results: &mut [CaseResult], all_cases: impl Iterator<Item = &'a str>) -> Vec<KnownFault> {
        for result in results.iter_mut() {
            let reason = match self.standing(result) {
                Standing::Known(entry) => Some(entry.reason.clone()),
                Standing::AsExpected | Standing::Unexpected | Standing::HarnessFault => None,
            };
            result.known = reason;
        }
        self.faults(results, all_cases)
    }
}

/// The place of an entry as an error, for listings.
impl KnownFault {
    /// The same as an error of a file.
    #[must_use]
    pub fn as_error(&self) -> CorpusError {
        let (Self::UnexpectedPass { file, line, .. } | Self::OtherVerdict { file, line, .. } | Self::NamesNothing { file, line, .. }) =
            self;
        let text = self.to_string();
        let prefix = format!("{}:{line}: ", file.display());
        CorpusError { file: file.clone(), line: *line, column: 1, message: text.strip_prefix(&prefix).unwrap_or(&text).to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runlog::tests::result;

    const ENTRY: &str =
        "- cases: hermes/strings/*\n  check: split-invariance\n  status: fail\n  reason: Chunk-blind.\n  issue: a/b#1\n  since: 0.1\n";

    fn read(text: &str) -> Result<Known, String> {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("exo-generic.yaml"), text).unwrap();
        fs::write(dir.path().join("README.md"), "notes").unwrap();
        load(dir.path()).map(|mut all| all.remove("exo-generic").unwrap()).map_err(|e| e.to_string())
    }

    fn faults(known: &Known, results: &[CaseResult]) -> Vec<String> {
        known.faults(results, ["hermes/strings/a", "hermes/strings/b"].into_iter()).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_listed_failure_is_known_and_its_reason_is_written() {
        let known = read(ENTRY).unwrap();
        assert_eq!(known.entries[0].since, "0.1");
        let mut results = [result("hermes/strings/a", Verdict::Fail), result("hermes/other/a", Verdict::Fail)];
        let faults = known.judge(&mut results, ["hermes/strings/a"].into_iter());
        assert_eq!(faults, []);
        assert_eq!(results[0].known.as_deref(), Some("Chunk-blind."));
        assert_eq!(results[1].known, None);
        assert_eq!(known.standing(&results[1]), Standing::Unexpected);
    }

    #[test]
    fn an_unexpected_pass_is_a_fault() {
        let known = read(ENTRY).unwrap();
        let said = faults(&known, &[result("hermes/strings/a", Verdict::Pass), result("hermes/strings/b", Verdict::Fail)]);
        assert_eq!(said.len(), 1);
        assert!(said[0].contains(":1: unexpected pass: hermes/strings/a no longer breaks split-invariance"), "{said:?}");
    }

    #[test]
    fn a_pattern_that_matches_nothing_is_a_fault() {
        let known = read(&ENTRY.replace("hermes/strings/*", "hermes/*")).unwrap();
        assert!(faults(&known, &[])[0].contains("the pattern `hermes/*` names no case"));
        assert_eq!(faults(&read(&ENTRY.replace("hermes/strings/*", "hermes/**")).unwrap(), &[]), Vec::<String>::new());
    }

    #[test]
    fn an_adapter_fault_is_never_excused() {
        let known = read(ENTRY).unwrap();
        let fault = result("hermes/strings/a", Verdict::AdapterFault);
        assert_eq!(known.standing(&fault), Standing::HarnessFault);
        assert_eq!(faults(&known, &[fault]), Vec::<String>::new());
        let error = read(&ENTRY.replace("status: fail", "status: adapter-fault")).unwrap_err();
        assert!(error.contains(":3:11: `adapter-fault` cannot be excused"), "{error}");
    }

    #[test]
    fn a_second_law_or_another_verdict_is_not_covered() {
        let known = read(ENTRY).unwrap();
        let mut two = result("hermes/strings/a", Verdict::Fail);
        two.checks.push(Check::new(Law::NoByteLost));
        assert_eq!(known.standing(&two), Standing::Unexpected);
        let mut crashed = result("hermes/strings/a", Verdict::Crashed);
        assert_eq!(known.standing(&crashed), Standing::Unexpected);
        assert!(faults(&known, std::slice::from_ref(&crashed))[0].contains("listed as fail, but is crashed"));
        crashed.checks.clear();
        let listed = read(&ENTRY.replace("split-invariance", "no-crash").replace("fail", "crashed")).unwrap();
        assert!(matches!(listed.standing(&crashed), Standing::Known(_)));
    }

    #[test]
    fn every_bad_entry_is_named_with_its_place() {
        let error =
            read("- cases: '{a'\n  check: no-such\n  status: fail\n  reason: ''\n  since: 2026-05-01\n- cases: a\n  chek: golden\n")
                .unwrap_err();
        for part in [
            ":1:10: `{a` is no pattern",
            ":2:10: unknown law `no-such`",
            ":4:11: the entry needs `reason`",
            ":7:3: unknown key `chek`",
            ":6:3: the entry needs `status`",
        ] {
            assert!(error.contains(part), "{part} not in\n{error}");
        }
        assert!(read("cases: a\n").unwrap_err().contains("a known file is a list"));
        assert!(load(Path::new("no/such")).unwrap().is_empty());
    }
}
