//! Reads what a run that was stopped has written, so that it can go on.

use std::collections::HashSet;
use std::path::Path;

use crate::runlog::read::{MAX_LOG, in_header, parse_line};
use crate::runlog::{CaseResult, FORMAT, Header, Line, LogError};
use crate::verdict::Verdict;

/// A log whose run did not end: killed (no footer), or interrupted (its last results are `not-run`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partial {
    /// The receipt.
    pub header: Header,
    /// The results that stand.
    pub results: Vec<CaseResult>,
    /// Bytes of the file up to the last of them; what follows is to be cut off.
    pub keep: u64,
    /// What follows, if anything, in words.
    pub dropped: Option<String>,
}

impl Partial {
    /// Reads a log to go on with.
    ///
    /// # Errors
    /// The file cannot be read, a line other than the last is none of a run log, or the run has ended.
    pub fn load(file: &Path) -> Result<Self, LogError> {
        let unreadable = |source| LogError::Unreadable { file: file.to_owned(), source };
        if std::fs::metadata(file).map_err(unreadable)?.len() > MAX_LOG {
            return Err(LogError::TooLarge { file: file.to_owned() });
        }
        Self::parse(file, &std::fs::read(file).map_err(unreadable)?)
    }

    /// Reads the bytes of a log; `file` is named in errors.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub fn parse(file: &Path, bytes: &[u8]) -> Result<Self, LogError> {
        let order = |line, what| LogError::Order { file: file.to_owned(), line, what };
        let (mut header, mut results) = (None, Vec::new());
        let mut seen = HashSet::new();
        let (mut at, mut keep, mut not_run, mut dropped) = (0, 0, 0_u64, None);
        for (number, text) in (1..).zip(bytes.split_inclusive(|&b| b == b'\n')) {
            let Some(line) = text.strip_suffix(b"\n") else {
                dropped = Some(format!("line {number}, which breaks off"));
                break;
            };
            at += text.len() as u64;
            match parse_line(file, number, line)? {
                Line::Header(h) if number == 1 && h.format == FORMAT => {
                    header = Some(h);
                    keep = at;
                }
                Line::Header(h) if number == 1 => return Err(LogError::Format { file: file.to_owned(), got: h.format }),
                _ if header.is_none() => return Err(order(number, "the first line is no header")),
                Line::Header(_) => return Err(order(number, "a second header")),
                Line::Growth(_) => return Err(order(number, "a measurement; only a `run` can go on")),
                Line::Result(r) if r.verdict == Verdict::NotRun => not_run += 1,
                Line::Result(_) if not_run > 0 => return Err(order(number, "a result follows one that did not run")),
                Line::Result(r) => {
                    in_header(file, number, &r.subject, header.as_ref())?;
                    if !seen.insert((r.subject.clone(), r.case.clone())) {
                        return Err(LogError::Twice { file: file.to_owned(), line: number, subject: r.subject, case: r.case });
                    }
                    results.push(r);
                    keep = at;
                }
                Line::Footer(_) if not_run == 0 => return Err(LogError::Ended { file: file.to_owned() }),
                Line::Footer(_) => {}
            }
        }
        if not_run > 0 {
            dropped = Some(format!("{not_run} results that did not run"));
        }
        let header = header.ok_or_else(|| order(1, "the file has no whole header"))?;
        Ok(Self { header, results, keep, dropped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runlog::LogWriter;
    use crate::runlog::tests::{bytes, log, result};

    fn whole() -> Vec<u8> {
        bytes(&log(["a", "b", "c"].map(|id| result(&format!("hermes/x/{id}"), Verdict::Fail)).to_vec()))
    }

    #[test]
    fn a_log_cut_at_any_byte_goes_on_with_its_whole_lines_and_ends_like_the_whole_log() {
        let whole = whole();
        let lines: Vec<usize> = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i + 1).collect();
        let results = crate::runlog::RunLog::parse(Path::new("x"), &whole).unwrap().results;
        for cut in lines[0]..lines[3] + 5 {
            let partial = Partial::parse(Path::new("x"), &whole[..cut]).unwrap();
            let kept = lines.iter().filter(|&&end| end <= cut).count() - 1;
            assert_eq!((partial.results.len(), partial.keep), (kept, lines[kept] as u64), "{cut}");
            assert_eq!(partial.dropped.is_some(), cut > lines[kept], "{cut}");
            let mut out = whole[..lines[kept]].to_vec();
            let mut writer = LogWriter::resume(&mut out, &partial.results);
            results[kept..].iter().for_each(|r| writer.result(r).unwrap());
            writer.close().unwrap();
            assert_eq!(out, whole, "{cut}");
        }
    }

    #[test]
    fn a_log_that_ended_or_has_no_header_cannot_go_on() {
        let whole = whole();
        let refusal = |bytes: &[u8]| Partial::parse(Path::new("run.jsonl"), bytes).unwrap_err().to_string();
        assert!(refusal(&whole).starts_with("run.jsonl: the run has ended"), "{}", refusal(&whole));
        assert!(refusal(&whole[..20]).contains("no whole header"));
        assert!(refusal(b"").contains("no whole header"));
        let mut twice = whole.clone();
        let from = whole.iter().position(|&b| b == b'\n').unwrap() + 1;
        twice.truncate(whole.len() - 40);
        twice.extend_from_slice(b"\n");
        assert!(refusal(&twice).contains("not a line of a run log"), "a broken line that is not the last is refused");
        let first_result = whole[from..].split_inclusive(|&b| b == b'\n').next().unwrap();
        let repeated = [&whole[..from], first_result, first_result].concat();
        assert!(refusal(&repeated).contains("a second result of"));
    }

    #[test]
    fn results_that_did_not_run_are_run_again() {
        let mut results = vec![result("hermes/x/a", Verdict::Pass), result("hermes/x/b", Verdict::NotRun)];
        let interrupted = bytes(&log(results.clone()));
        let partial = Partial::parse(Path::new("x"), &interrupted).unwrap();
        assert_eq!((partial.results.len(), partial.dropped.as_deref()), (1, Some("1 results that did not run")));
        results.push(result("hermes/x/c", Verdict::Pass));
        assert!(Partial::parse(Path::new("x"), &bytes(&log(results))).unwrap_err().to_string().contains("follows one that did not run"));
    }
}
