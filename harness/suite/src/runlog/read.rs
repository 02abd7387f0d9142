//! Reads a log back and refuses what is not whole.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use crate::runlog::{CaseResult, FORMAT, Footer, Header, Line, RunLog, count};
use crate::verdict::Verdict;

/// Largest log that is read, in bytes: 1 GiB. A full run of this corpus is a few megabytes.
pub const MAX_LOG: u64 = 1 << 30;

const AGAIN: &str = "run it again with `streakstone run --log FILE`";
const GO_ON: &str = "type the same command again with `--resume` instead of `--log`";

/// Why a log is refused. Every message begins with the file, and the line where there is one.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be read.
    #[error("{}: cannot be read: {source}", file.display())]
    Unreadable {
        /// The log.
        file: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is larger than `MAX_LOG`.
    #[error("{}: larger than {MAX_LOG} bytes; split the run with `--shard k/n`", file.display())]
    TooLarge {
        /// The log.
        file: PathBuf,
    },
    /// A line is no line of a run log.
    #[error("{}:{line}:{column}: not a line of a run log: {what}; {AGAIN}", file.display())]
    Garbage {
        /// The log.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// The last line breaks off.
    #[error("{}:{line}: the last line breaks off: the run did not end; {GO_ON}", file.display())]
    BreaksOff {
        /// The log.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
    },
    /// The first line is no header, or a header comes later.
    #[error("{}:{line}: {what}; {AGAIN}", file.display())]
    Order {
        /// The log.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is out of order.
        what: &'static str,
    },
    /// The header's format is not ours.
    #[error("{}:1: run log format {got}, this build reads {FORMAT}; {AGAIN}", file.display())]
    Format {
        /// The log.
        file: PathBuf,
        /// Its format.
        got: u32,
    },
    /// No footer.
    #[error("{}:{line}: the log has no footer: the run did not end; {GO_ON}", file.display())]
    NoFooter {
        /// The log.
        file: PathBuf,
        /// Its last line.
        line: usize,
    },
    /// The footer's counts are not those of the results.
    #[error("{}:{line}: the footer counts {said} `{}`, the log has {found}: results were lost or edited; {AGAIN}", file.display(), verdict.as_str())]
    Counts {
        /// The log.
        file: PathBuf,
        /// The footer's line.
        line: usize,
        /// The first verdict that differs.
        verdict: Verdict,
        /// What the footer says.
        said: u64,
        /// What the log has.
        found: u64,
    },
    /// A run that has ended was to go on.
    #[error("{}: the run has ended; there is nothing to resume", file.display())]
    Ended {
        /// The log.
        file: PathBuf,
    },
    /// A result of a subject that the header does not name.
    #[error("{}:{line}: a result of `{subject}`, which is none of the header's subjects ({}); {AGAIN}", file.display(), subjects.join(", "))]
    NotInHeader {
        /// The log.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The subject.
        subject: String,
        /// Those of the header.
        subjects: Vec<String>,
    },
    /// One subject and case have two results.
    #[error("{}:{line}: a second result of {subject}::{case}; {AGAIN}", file.display())]
    Twice {
        /// The log.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The subject.
        subject: String,
        /// The case.
        case: String,
    },
}

impl RunLog {
    /// Reads a log.
    ///
    /// # Errors
    /// The file cannot be read, or is no complete log; see [`LogError`].
    pub fn load(file: &Path) -> Result<Self, LogError> {
        let unreadable = |source| LogError::Unreadable { file: file.to_owned(), source };
        if std::fs::metadata(file).map_err(unreadable)?.len() > MAX_LOG {
            return Err(LogError::TooLarge { file: file.to_owned() });
        }
        let bytes = std::fs::read(file).map_err(unreadable)?;
        Self::parse(file, &bytes)
    }

    /// Reads the bytes of a log; `file` is named in errors.
    ///
    /// # Errors
    /// The bytes are no complete log; see [`LogError`].
    pub fn parse(file: &Path, bytes: &[u8]) -> Result<Self, LogError> {
        let mut header = None;
        let mut results: Vec<CaseResult> = Vec::new();
        let mut growth = Vec::new();
        let mut footer: Option<(usize, Footer)> = None;
        let mut seen = HashSet::new();
        let mut last = 0;
        let owned = || file.to_owned();
        for (number, text) in (1..).zip(bytes.split_inclusive(|&b| b == b'\n')) {
            last = number;
            let line = match text.strip_suffix(b"\n") {
                None => return Err(LogError::BreaksOff { file: owned(), line: number }),
                Some(text) => parse_line(file, number, text)?,
            };
            if footer.is_some() {
                return Err(LogError::Order { file: owned(), line: number, what: "a line follows the footer" });
            }
            match line {
                Line::Header(h) if number == 1 => {
                    if h.format != FORMAT {
                        return Err(LogError::Format { file: owned(), got: h.format });
                    }
                    header = Some(h);
                }
                Line::Header(_) => return Err(LogError::Order { file: owned(), line: number, what: "a second header" }),
                _ if header.is_none() => return Err(LogError::Order { file: owned(), line: number, what: "the first line is no header" }),
                Line::Result(r) => {
                    in_header(file, number, &r.subject, header.as_ref())?;
                    if !seen.insert((r.subject.clone(), r.case.clone())) {
                        return Err(LogError::Twice { file: owned(), line: number, subject: r.subject, case: r.case });
                    }
                    results.push(r);
                }
                Line::Growth(g) => {
                    in_header(file, number, &g.subject, header.as_ref())?;
                    growth.push(g);
                }
                Line::Footer(f) => footer = Some((number, f)),
            }
        }
        let (Some(header), Some((line, footer))) = (header, footer) else {
            return Err(LogError::NoFooter { file: owned(), line: last.max(1) });
        };
        compare_counts(file, line, &footer, &count(&results))?;
        Ok(Self { header, results, growth })
    }
}

pub(super) fn parse_line(file: &Path, number: usize, text: &[u8]) -> Result<Line, LogError> {
    let garbage = |column, what| LogError::Garbage { file: file.to_owned(), line: number, column, what };
    let text = std::str::from_utf8(text).map_err(|e| garbage(e.valid_up_to() + 1, "it is not UTF-8".to_owned()))?;
    serde_json::from_str(text).map_err(|e| {
        // serde_json appends "at line 1 column n", which would contradict the log's own line.
        let message = e.to_string();
        let what = message.rsplit_once(" at line ").map_or(message.as_str(), |(what, _)| what).to_owned();
        garbage(e.column().max(1), what)
    })
}

/// Fails if the header does not name the subject of a line.
pub(super) fn in_header(file: &Path, line: usize, subject: &str, header: Option<&Header>) -> Result<(), LogError> {
    match header {
        Some(header) if !header.subjects.iter().any(|named| named == subject) => {
            Err(LogError::NotInHeader { file: file.to_owned(), line, subject: subject.to_owned(), subjects: header.subjects.clone() })
        }
        _ => Ok(()),
    }
}

fn compare_counts(file: &Path, line: usize, footer: &Footer, found: &BTreeMap<Verdict, u64>) -> Result<(), LogError> {
    let verdicts = footer.counts.keys().chain(found.keys());
    for &verdict in verdicts {
        let (said, found) = (footer.counts.get(&verdict).copied().unwrap_or(0), found.get(&verdict).copied().unwrap_or(0));
        if said != found {
            return Err(LogError::Counts { file: file.to_owned(), line, verdict, said, found });
        }
    }
    Ok(())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::law::Law;
    use crate::runlog::{Check, Growth, LogWriter};
    use streakstone_model::Delivery;

    pub(crate) fn header() -> Header {
        Header {
            format: FORMAT,
            version: "0.1.0".to_owned(),
            commit: "abc".to_owned(),
            corpus: "corpus".to_owned(),
            corpus_digest: "d1".to_owned(),
            seeds: vec![7],
            args: vec!["run".to_owned()],
            subjects: vec!["reference".to_owned()],
            plans: vec!["whole".to_owned()],
            cpu: "cpu".to_owned(),
            os: "linux".to_owned(),
            started: "2026-01-01T00:00:00Z".to_owned(),
            about: BTreeMap::new(),
            condensed: false,
            shard: None,
        }
    }

    pub(crate) fn result(case: &str, verdict: Verdict) -> CaseResult {
        let mut checks = Vec::new();
        if verdict != Verdict::Pass {
            checks.push(Check {
                plan: Some("every-cut".to_owned()),
                delivery: Some(Delivery::Eager),
                cut: vec![52],
                ..Check::new(Law::SplitInvariance)
            });
        }
        CaseResult {
            subject: "reference".to_owned(),
            case: case.to_owned(),
            dialect: "hermes".to_owned(),
            file: "corpus/hermes/strings.yaml".to_owned(),
            line: 4,
            verdict,
            checks,
            unjudged: Vec::new(),
            unjudged_plans: Vec::new(),
            note: String::new(),
            known: None,
            cuts_run: 88,
            cuts_possible: 88,
            held_max: Some(12),
            cpu_ns: 1000,
            planted: false,
        }
    }

    pub(crate) fn log(results: Vec<CaseResult>) -> RunLog {
        RunLog { header: header(), results, growth: Vec::new() }
    }

    pub(crate) fn bytes(log: &RunLog) -> Vec<u8> {
        let mut out = Vec::new();
        log.write(&mut out).unwrap();
        out
    }

    fn refusal(bytes: &[u8]) -> String {
        RunLog::parse(Path::new("run.jsonl"), bytes).unwrap_err().to_string()
    }

    #[test]
    fn what_is_written_reads_back() {
        let mut log = log(vec![result("hermes/a/b", Verdict::Pass), result("hermes/a/c", Verdict::TimedOut)]);
        log.growth.push(Growth {
            subject: "reference".to_owned(),
            dialect: "hermes".to_owned(),
            generator: "openers".to_owned(),
            delivery: Delivery::Validated,
            chunk: 4,
            sizes: vec![10, 100],
            cpu_ns: vec![5, 50],
            exponent: 1.0,
            interval: [0.9, 1.1],
            unit: None,
            counts: Vec::new(),
            count_exponent: None,
            limit: Some(1.25),
            planted: true,
        });
        let text = bytes(&log);
        assert_eq!(RunLog::parse(Path::new("x"), &text).unwrap(), log);
        let text = String::from_utf8(text).unwrap();
        assert!(text.lines().nth(1).unwrap().starts_with(r#"{"type":"result","subject":"reference","case":"hermes/a/b""#), "{text}");
        assert!(text.ends_with("{\"type\":\"footer\",\"counts\":{\"pass\":1,\"timed-out\":1}}\n"), "{text}");
    }

    #[test]
    fn a_log_without_a_footer_is_refused() {
        let mut out = Vec::new();
        let mut writer = LogWriter::new(&mut out, &header()).unwrap();
        writer.result(&result("hermes/a/b", Verdict::Pass)).unwrap();
        drop(writer);
        assert!(refusal(&out).starts_with("run.jsonl:2: the log has no footer"), "{}", refusal(&out));
        assert!(refusal(b"").starts_with("run.jsonl:1: the log has no footer"));
    }

    #[test]
    fn counts_that_do_not_add_up_are_refused() {
        let text = String::from_utf8(bytes(&log(vec![result("hermes/a/b", Verdict::Pass), result("hermes/a/c", Verdict::Fail)]))).unwrap();
        let lost: String = text.lines().filter(|l| !l.contains("hermes/a/c")).fold(String::new(), |all, l| all + l + "\n");
        assert!(refusal(lost.as_bytes()).contains("the footer counts 1 `fail`, the log has 0"), "{}", refusal(lost.as_bytes()));
        let edited = text.replace("\"verdict\":\"fail\"", "\"verdict\":\"pass\"");
        assert!(refusal(edited.as_bytes()).contains("do not") || refusal(edited.as_bytes()).contains("the footer counts"));
    }

    #[test]
    fn a_garbage_line_is_refused_with_its_place() {
        let text = String::from_utf8(bytes(&log(vec![result("hermes/a/b", Verdict::Pass)]))).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        lines[1] = "{\"type\":\"result\",,}";
        let bad = lines.join("\n") + "\n";
        assert!(refusal(bad.as_bytes()).starts_with("run.jsonl:2:18: not a line of a run log"), "{}", refusal(bad.as_bytes()));
        let unknown = text.replace("\"cuts_run\"", "\"cuts_ran\"");
        assert!(refusal(unknown.as_bytes()).contains("unknown field `cuts_ran`"), "{}", refusal(unknown.as_bytes()));
        let kind = text.replace("\"type\":\"result\"", "\"type\":\"resalt\"");
        assert!(refusal(kind.as_bytes()).contains("unknown variant `resalt`"));
        let mut latin = text.into_bytes();
        latin[5] = 0xff;
        assert!(refusal(&latin).contains("run.jsonl:1:6: not a line of a run log: it is not UTF-8"), "{}", refusal(&latin));
    }

    #[test]
    fn a_last_line_that_breaks_off_is_refused() {
        let text = bytes(&log(vec![result("hermes/a/b", Verdict::Pass)]));
        assert!(refusal(&text[..text.len() - 1]).contains("run.jsonl:3: the last line breaks off"));
        assert!(refusal(&text[..text.len() - 60]).contains("breaks off"));
    }

    #[test]
    fn order_format_and_repeats_are_checked() {
        let text = String::from_utf8(bytes(&log(vec![result("hermes/a/b", Verdict::Pass)]))).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let join = |order: &[usize]| order.iter().fold(String::new(), |all, &i| all + lines[i] + "\n");
        assert!(refusal(join(&[1, 0, 2]).as_bytes()).contains("run.jsonl:1: the first line is no header"));
        assert!(refusal(join(&[0, 0, 1, 2]).as_bytes()).contains("run.jsonl:2: a second header"));
        assert!(refusal(join(&[0, 1, 2, 1]).as_bytes()).contains("run.jsonl:4: a line follows the footer"));
        assert!(refusal(join(&[0, 1, 1, 2]).as_bytes()).contains("a second result of reference::hermes/a/b"));
        assert!(refusal(text.replace("\"format\":1", "\"format\":9").as_bytes()).contains("run log format 9"));
    }

    #[test]
    fn a_result_of_a_subject_that_the_header_does_not_name_is_refused() {
        let mut foreign = result("hermes/a/c", Verdict::Pass);
        foreign.subject = "other".to_owned();
        let said = refusal(&bytes(&log(vec![result("hermes/a/b", Verdict::Pass), foreign])));
        assert!(said.starts_with("run.jsonl:3: a result of `other`, which is none of the header's subjects (reference)"), "{said}");
    }

    #[test]
    fn a_missing_log_names_the_file() {
        assert!(RunLog::load(Path::new("no/such.jsonl")).unwrap_err().to_string().starts_with("no/such.jsonl: cannot be read"));
    }
}
