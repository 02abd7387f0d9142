//! The published run log is whole, and `reports/SCOREBOARD.md` is its report.

use std::fs;
use std::path::{Path, PathBuf};

use streakstone_report::markdown;
use streakstone_suite::runlog::RunLog;

/// The published log with the greatest name, which begins with the date.
fn newest(folder: &Path) -> PathBuf {
    let files = fs::read_dir(folder).expect("reports/published").map(|entry| entry.expect("an entry").path());
    files.filter(|path| path.extension().is_some_and(|e| e == "jsonl")).max().expect("a published log")
}

#[test]
fn the_scoreboard_is_the_report_of_the_newest_published_log() {
    let reports = Path::new(env!("CARGO_MANIFEST_DIR")).join("reports");
    let path = newest(&reports.join("published"));
    let log = RunLog::load(&path).unwrap_or_else(|error| panic!("{error}"));
    let board = fs::read_to_string(reports.join("SCOREBOARD.md")).expect("reports/SCOREBOARD.md");
    assert!(
        board == markdown::render(&log),
        "reports/SCOREBOARD.md: not the report of {0}\n  next  streakstone report {0} --format markdown -o reports/SCOREBOARD.md",
        path.display()
    );
    assert!(!log.header.commit.ends_with("-dirty"), "{}: of a checkout with changes\n  next  see reports/README.md", path.display());
}
