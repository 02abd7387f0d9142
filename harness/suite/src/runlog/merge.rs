//! Puts the logs of the shards of one run together.

use std::collections::HashSet;

use crate::runlog::RunLog;

/// Why logs are no shards of one run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    /// Nothing to merge.
    #[error("no run log to merge; give at least one")]
    Nothing,
    /// The runs differ in what must be equal.
    #[error("log {place} is of another run: its {what} is `{got}`, the first log's is `{want}`; merge only shards of one run")]
    OtherRun {
        /// Place of the log in the list, from 1.
        place: usize,
        /// Which field of the header.
        what: &'static str,
        /// The first log's.
        want: String,
        /// This one's.
        got: String,
    },
    /// Two logs have a result of the same subject and case.
    #[error("{subject}::{case} is in two of the logs; shards must not overlap (`--shard k/n` with one n and every k once)")]
    Overlap {
        /// The subject.
        subject: String,
        /// The case.
        case: String,
    },
    /// One shard is missing or stands twice.
    #[error("the logs are shards {got}, but every shard of 1/{of} to {of}/{of} must stand once; run the missing one with `--shard k/{of}`")]
    Shards {
        /// The shards given.
        got: String,
        /// How many there are.
        of: usize,
    },
}

/// The logs as one, its results sorted by subject and case; the header is the first log's without its shard.
///
/// Version, commit, corpus digest, seeds and plans must be equal, no subject and case may stand twice, and if the logs say
/// that they are shards, every shard must be there.
///
/// # Errors
/// The logs are not all the shards of one run.
pub fn merge(logs: &[RunLog]) -> Result<RunLog, MergeError> {
    let (first, rest) = logs.split_first().ok_or(MergeError::Nothing)?;
    for (place, log) in (2..).zip(rest) {
        let (a, b) = (&first.header, &log.header);
        let pairs = [
            ("version", a.version.clone(), b.version.clone()),
            ("commit", a.commit.clone(), b.commit.clone()),
            ("corpus digest", a.corpus_digest.clone(), b.corpus_digest.clone()),
            ("list of seeds", format!("{:?}", a.seeds), format!("{:?}", b.seeds)),
            ("list of plans", a.plans.join(","), b.plans.join(",")),
        ];
        if let Some((what, want, got)) = pairs.into_iter().find(|(_, want, got)| want != got) {
            return Err(MergeError::OtherRun { place, what, want, got });
        }
    }
    all_shards(logs)?;
    let mut merged = RunLog { header: first.header.clone(), results: Vec::new(), growth: Vec::new() };
    merged.header.shard = None;
    let mut seen = HashSet::new();
    for log in logs {
        for result in &log.results {
            if !seen.insert((result.subject.as_str(), result.case.as_str())) {
                return Err(MergeError::Overlap { subject: result.subject.clone(), case: result.case.clone() });
            }
        }
        merged.results.extend(log.results.iter().cloned());
        merged.growth.extend(log.growth.iter().cloned());
        for (subject, about) in &log.header.about {
            merged.header.about.entry(subject.clone()).or_insert_with(|| about.clone());
        }
        merged.header.condensed |= log.header.condensed;
        for subject in &log.header.subjects {
            if !merged.header.subjects.contains(subject) {
                merged.header.subjects.push(subject.clone());
            }
        }
    }
    merged.results.sort_by(|a, b| (&a.subject, &a.case).cmp(&(&b.subject, &b.case)));
    Ok(merged)
}

/// Logs that name a shard must name every one of the same `n`, once. Logs that name none are taken as they are.
fn all_shards(logs: &[RunLog]) -> Result<(), MergeError> {
    let named: Vec<&str> = logs.iter().filter_map(|l| l.header.shard.as_deref()).collect();
    let Some(of) = named.first().and_then(|s| s.split_once('/')).and_then(|(_, n)| n.parse::<usize>().ok()) else {
        return Ok(());
    };
    let given: HashSet<&str> = named.iter().copied().collect();
    let complete = named.len() == logs.len() && given.len() == named.len() && given.len() == of && named.iter().all(|s| shard_of(s, of));
    if complete { Ok(()) } else { Err(MergeError::Shards { got: named.join(", "), of }) }
}

fn shard_of(text: &str, of: usize) -> bool {
    text.split_once('/').is_some_and(|(k, n)| n.parse() == Ok(of) && k.parse::<usize>().is_ok_and(|k| (1..=of).contains(&k)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runlog::read::tests::{log, result};
    use crate::verdict::Verdict;

    fn shard(name: &str, cases: &[&str]) -> RunLog {
        let mut log = log(cases.iter().map(|c| result(c, Verdict::Pass)).collect());
        log.header.shard = Some(name.to_owned());
        log
    }

    #[test]
    fn shards_become_one_sorted_log() {
        let merged = merge(&[shard("1/2", &["hermes/b/b"]), shard("2/2", &["hermes/a/a"])]).unwrap();
        assert_eq!(merged.header.shard, None);
        let cases: Vec<&str> = merged.results.iter().map(|r| r.case.as_str()).collect();
        assert_eq!(cases, ["hermes/a/a", "hermes/b/b"]);
        assert_eq!(merged.counts()[&Verdict::Pass], 2);
    }

    #[test]
    fn overlapping_shards_are_refused() {
        let error = merge(&[shard("1/2", &["hermes/a/a"]), shard("2/2", &["hermes/a/a"])]).unwrap_err();
        assert!(matches!(error, MergeError::Overlap { .. }));
    }

    #[test]
    fn another_corpus_or_version_is_refused() {
        let mut other = shard("2/2", &["hermes/a/b"]);
        other.header.corpus_digest = "d2".to_owned();
        let error = merge(&[shard("1/2", &["hermes/a/a"]), other]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "log 2 is of another run: its corpus digest is `d2`, the first log's is `d1`; merge only shards of one run"
        );
    }

    #[test]
    fn a_missing_or_repeated_shard_is_refused() {
        assert!(matches!(merge(&[shard("1/3", &["a"]), shard("2/3", &["b"])]), Err(MergeError::Shards { of: 3, .. })));
        assert!(matches!(merge(&[shard("1/2", &["a"]), shard("1/2", &["b"])]), Err(MergeError::Shards { of: 2, .. })));
        assert!(matches!(merge(&[shard("1/2", &["a"]), shard("3/2", &["b"])]), Err(MergeError::Shards { of: 2, .. })));
        assert_eq!(merge(&[]), Err(MergeError::Nothing));
    }
}
