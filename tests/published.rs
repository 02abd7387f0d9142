//! Logs that outlive their run: published and put on one page, gone on with after a kill, spread over jobs, turned into known lists.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use streakstone_report::scoreboard;
use streakstone_suite::runlog::RunLog;

mod sandbox;

use sandbox::{Sandbox, run, says, streakstone};

#[test]
fn the_scoreboard_is_the_page_of_the_published_logs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = fs::read_dir(root.join("reports/published")).expect("reports/published").map(|entry| entry.expect("an entry").path());
    let logs: Vec<RunLog> = files
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .map(|path| RunLog::load(&path).unwrap_or_else(|error| panic!("{error}")))
        .collect();
    let board = fs::read_to_string(root.join("reports/SCOREBOARD.md")).expect("reports/SCOREBOARD.md");
    assert!(board == scoreboard::render(&logs), "reports/SCOREBOARD.md is stale\n  next  streakstone check");
    assert!(logs.iter().any(|log| log.results.iter().any(|r| r.subject == "reference")));
}

#[test]
fn check_says_when_the_scoreboard_is_stale_and_whose_log_is_of_another_corpus() {
    let own = Sandbox::new();
    fs::create_dir_all(own.path("reports/published")).expect("a folder");
    own.run(&["run", "--log", "reports/published/1-reference.jsonl"], 0);
    own.run(&["run", "--subject", "exo-generic", "--log", "all.jsonl"], 1);
    own.run(&["merge", "all.jsonl", "--condensed", "-o", "reports/published/2-exo.jsonl"], 1);
    let (_, err) = own.run(&["check"], 2);
    says(&err, &["reports/SCOREBOARD.md:1: stale", "streakstone report --scoreboard reports/published/1-reference.jsonl"]);
    let board =
        ["report", "--scoreboard", "reports/published/2-exo.jsonl", "reports/published/1-reference.jsonl", "-o", "reports/SCOREBOARD.md"];
    own.run(&board, 0);
    assert_eq!(own.run(&["check"], 0).1, "", "the order of the logs does not matter");
    says(&own.read("reports/SCOREBOARD.md"), &["| `hermes` | 2 | 1 / 0 / 0 / 1 |", "`exo-generic` (wrong on purpose)"]);
    let digest = |text: &str| text.split("\"corpus_digest\":\"").nth(1).expect("a digest")[..64].to_owned();
    let today = digest(&own.read("reports/published/1-reference.jsonl"));
    own.edit("reports/published/2-exo.jsonl", &today, &"0".repeat(64));
    own.run(&board, 0);
    says(&own.run(&["check"], 0).1, &["reports/published/2-exo.jsonl: of the corpus 00000000 of 20"]);
    own.edit("reports/published/1-reference.jsonl", &today, &"0".repeat(64));
    own.run(&board, 0);
    says(&own.run(&["check"], 2).1, &["reports/published/1-reference.jsonl:1: of the corpus 00000000", "publish a run of the reference"]);
    own.edit("reports/published/2-exo.jsonl", "\"type\":\"footer\"", "\"type\":\"floor\"");
    says(&own.run(&["check"], 2).1, &["reports/published/2-exo.jsonl:4"]);
    says(&own.run(&["report", "all.jsonl", "all.jsonl"], 2).1, &["a report is of one", "--scoreboard"]);
}

/// A corpus of `count` cases, to be judged long enough for a kill.
fn many(own: &Sandbox, count: usize) {
    let case = |i: usize| {
        let raw = format!("<tool_call>{{\\\"name\\\": \\\"f{i}\\\", \\\"arguments\\\": {{\\\"q\\\": \\\"a b c d e f\\\"}}}}</tool_call>");
        format!("  - {{id: c{i:03}, raw: \"{raw}\"}}\n")
    };
    own.write("many/hermes/many.yaml", &format!("dialect: hermes\ncases:\n{}", (0..count).map(case).collect::<String>()));
}

/// The lines of a log without what another run of the same has otherwise: times and the place of the log.
fn timeless(log: &str) -> Vec<serde_json::Value> {
    let without = |line: &str| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        for key in ["cpu_ns", "started", "args"] {
            line.as_object_mut().expect("an object").remove(key);
        }
        line
    };
    log.lines().map(without).collect()
}

#[test]
fn a_killed_run_that_is_resumed_has_the_log_of_one_that_was_not() {
    let own = Sandbox::new();
    many(&own, 40);
    let arguments = |log: &'static str, file: &'static str| ["run", "--corpus", "many", "-j", "2", log, file];
    own.run(&arguments("--log", "whole.jsonl"), 0);
    let whole = timeless(&own.read("whole.jsonl"));
    for lines in [1, 5, 20] {
        let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_streakstone"))
            .args(arguments("--log", "killed.jsonl"))
            .current_dir(own.0.path())
            .env_remove("STREAKSTONE_ROOT")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("a child");
        let patience = Instant::now() + Duration::from_mins(1);
        while fs::read_to_string(own.path("killed.jsonl")).map_or(0, |text| text.lines().count()) < lines && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        assert!(!own.read("killed.jsonl").contains("\"type\":\"footer\""), "it was killed too late to show anything");
        let (out, err) = own.run(&arguments("--resume", "killed.jsonl"), 0);
        says(&out, &["40 results: 40 pass"]);
        says(&err, &["results stand", "to judge"]);
        assert_eq!(timeless(&own.read("killed.jsonl")), whole, "killed after {lines} lines");
        fs::remove_file(own.path("killed.jsonl")).expect("removed");
    }
}

#[test]
fn a_line_that_breaks_off_is_dropped_with_a_notice_and_another_run_is_refused() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "run.jsonl"], 0);
    let whole = own.read("run.jsonl");
    let ends: Vec<usize> = whole.match_indices('\n').map(|(at, _)| at + 1).collect();
    for cut in [ends[0] + 1, ends[1] - 1, ends[1] + 30, ends[2] + 3] {
        own.write("run.jsonl", &whole[..cut]);
        says(&own.run(&["report", "run.jsonl"], 2).1, &["--resume"]);
        says(&own.run(&["run", "--resume", "run.jsonl"], 0).1, &["Dropped: line", "which breaks off"]);
        assert_eq!(timeless(&own.read("run.jsonl")), timeless(&whole), "{cut}");
    }
    says(&own.run(&["run", "--resume", "run.jsonl"], 2).1, &["the run has ended"]);
    own.write("run.jsonl", &whole[..ends[1]]);
    says(&own.run(&["run", "hermes", "--resume", "run.jsonl"], 2).1, &["of another run: its command was", "--log"]);
    says(&own.run(&["run", "--plan", "bytes", "--resume", "run.jsonl"], 2).1, &["its list of plans was"]);
    says(&own.run(&["run", "--subject", "exo-generic", "--resume", "run.jsonl"], 2).1, &["its list of subjects was `reference`"]);
    own.edit("corpus/hermes/strings.yaml", "must not end the string", "does not end the string");
    says(&own.run(&["run", "--resume", "run.jsonl"], 2).1, &["its corpus digest was"]);
    assert_eq!(own.read("run.jsonl"), whole[..ends[1]], "what is refused is left as it is");
}

#[test]
fn two_logs_of_one_subject_are_no_scoreboard() {
    let own = Sandbox::new();
    fs::create_dir_all(own.path("reports/published")).expect("a folder");
    own.run(&["run", "--log", "reports/published/1-reference.jsonl"], 0);
    own.run(&["run", "--log", "reports/published/2-reference.jsonl"], 0);
    let logs = ["reports/published/1-reference.jsonl", "reports/published/2-reference.jsonl"];
    for arguments in [&["report", "--scoreboard", logs[0], logs[1], "-o", "board.md"][..], &["check"]] {
        let (_, err) = own.run(arguments, 2);
        says(&err, &[logs[0], logs[1], "both have results of the subject `reference`", "leave one out"]);
    }
    assert!(!own.path("board.md").exists());
    own.run(&["report", "--scoreboard", logs[0], "-o", "board.md"], 0);
}

#[test]
fn a_subject_that_says_another_thing_of_itself_is_told_in_words() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "run.jsonl"], 0);
    let whole = own.read("run.jsonl");
    let begun: String = whole.lines().take(2).map(|line| line.to_owned() + "\n").collect();
    let version = format!("\"about\":{{\"reference\":{{\"version\":\"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(begun.contains(&version));
    own.write("run.jsonl", &begun.replace(&version, &version.replace(env!("CARGO_PKG_VERSION"), "0.0.9")));
    let (_, err) = own.run(&["run", "--resume", "run.jsonl"], 2);
    let words = format!("subject `reference` is another: its version was `0.0.9`, now it is `{}`", env!("CARGO_PKG_VERSION"));
    says(&err, &[&words]);
    own.write("run.jsonl", &begun.replace("\"seeds\":[", "\"seeds\":[5,"));
    let (_, err) = own.run(&["run", "--resume", "run.jsonl"], 2);
    says(&err, &["its list of seeds was `5,"]);
    assert!(!err.contains('{') && !err.contains('['), "words, not a dump: {err}");
}

#[test]
fn the_place_of_the_lists_may_be_said_after_the_verb_below() {
    let own = Sandbox::new();
    let root = own.0.path().to_str().expect("UTF-8").to_owned();
    own.run(&["run", "--subject", "exo-generic", "--log", "run.jsonl"], 1);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let log = own.path("run.jsonl").display().to_string();
    let there = |arguments: &[&str], code| run(streakstone(elsewhere.path(), arguments), code);
    there(&["known", "sync", "exo-generic", "--log", &log, "--reason", "One chunk at a time.", "--root", &root], 0);
    says(&there(&["known", "list", "--root", &root], 0).0, &["to review", "One chunk at a time."]);
    there(&["known", "check", &log, "--root", &root], 0);
    // A human hand: a comment, and an entry that names nothing any more.
    let file = "goldens/known/exo-generic.yaml";
    let stale = "# Ours.\n- cases: hermes/gone/*\n  check: golden\n  status: fail\n  reason: Gone.\n  since: 2026-01-01\n";
    own.write(file, &(own.read(file) + stale));
    says(&there(&["known", "check", &log, "--root", &root], 1).1, &["exo-generic.yaml:", "names no case"]);
    says(&there(&["known", "prune", "exo-generic", "--log", &log, "--root", &root], 0).0, &["removed  hermes/gone/*", "it names no case"]);
    says(&there(&["known", "check", &log, "--root", &root], 0).0, &["entries hold"]);
    says(&there(&["known", "sync", "exo-generic", "--log", &log, "--reason", " ", "--root", &root], 2).1, &["--reason"]);
}

#[test]
fn known_lists_are_written_from_a_log_and_pruned_when_a_case_turns_right() {
    let own = Sandbox::new();
    own.run(&["run", "--subject", "exo-generic", "--log", "run.jsonl"], 1);
    own.run(&["known", "sync", "exo-generic", "--log", "run.jsonl"], 2);
    let sync = ["known", "sync", "exo-generic", "--log", "run.jsonl", "--reason", "Reads \"one\" chunk at a time.", "--issue", "a/b#1"];
    says(
        &own.run(&sync, 0).0,
        &["added    hermes/strings/escaped-quote  split-invariance fail", "review: true", "streakstone known check"],
    );
    says(
        &own.read("goldens/known/exo-generic.yaml"),
        &["reason: \"Reads \\\"one\\\" chunk at a time.\"", "issue: \"a/b#1\"", "review: true"],
    );
    own.run(&["known", "check", "run.jsonl"], 0);
    says(&own.run(&["known"], 0).0, &["to review"]);
    says(&own.run(&["run", "--subject", "exo-generic"], 0).0, &["1 known failures, as listed."]);
    says(&own.run(&sync, 0).0, &["nothing to change"]);
    // The case of the list turns right: the run says so, and prune takes it out.
    own.write("goldens/known/reference.yaml", &own.read("goldens/known/exo-generic.yaml"));
    says(&own.run(&["run", "--log", "right.jsonl"], 1).1, &["unexpected pass"]);
    own.run(&["known", "check", "right.jsonl"], 1);
    says(&own.run(&["known", "prune", "reference", "--log", "right.jsonl"], 0).0, &["removed", "no case fails it", "0 entries"]);
    assert!(!own.path("goldens/known/reference.yaml").exists());
    own.run(&["check"], 0);
    says(&own.run(&["known", "prune", "no-such", "--log", "run.jsonl"], 2).1, &["has no subject `no-such`"]);
    own.edit("corpus/hermes/strings.yaml", "must not end the string", "does not end the string");
    says(&own.run(&sync, 2).1, &["of another corpus"]);
}

/// What the test reads of a workflow.
#[derive(serde::Deserialize)]
struct Workflow {
    jobs: BTreeMap<String, WorkflowJob>,
}

#[derive(serde::Deserialize)]
struct WorkflowJob {
    needs: Option<String>,
    strategy: Option<Strategy>,
    steps: Vec<Step>,
}

#[derive(serde::Deserialize)]
struct Strategy {
    matrix: BTreeMap<String, Vec<u32>>,
}

#[derive(serde::Deserialize)]
struct Step {
    run: Option<String>,
}

/// Runs the commands of a job that are ours, with `shard` in place, and says how many there were.
fn run_steps(own: &Sandbox, job: &WorkflowJob, shard: u32) -> usize {
    let lines = job.steps.iter().filter_map(|step| step.run.as_deref()).flat_map(str::lines);
    let ours: Vec<String> = lines
        .filter_map(|line| line.strip_prefix("target/release/streakstone "))
        .map(|line| line.replace("${{ matrix.shard }}", &shard.to_string()).replace("$GITHUB_STEP_SUMMARY", "summary.md"))
        .collect();
    for line in &ours {
        assert!(!line.contains('$'), "{line} has a variable that nobody sets");
        run(streakstone(own.0.path(), &line.split_whitespace().collect::<Vec<_>>()), 0);
    }
    ours.len()
}

#[test]
fn the_example_workflow_judges_every_case_once_and_reports_the_whole() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/ci/github-matrix.yml");
    let workflow: Workflow = serde_yaml::from_str(&fs::read_to_string(path).expect("the example")).expect("a workflow");
    let (judge, decide) = (&workflow.jobs["judge"], &workflow.jobs["decide"]);
    assert_eq!(decide.needs.as_deref(), Some("judge"));
    let own = Sandbox::new();
    for &shard in &judge.strategy.as_ref().expect("a matrix").matrix["shard"] {
        assert_eq!(run_steps(&own, judge, shard), 1);
    }
    assert_eq!(run_steps(&own, decide, 0), 2);
    own.run(&["run", "--log", "whole.jsonl"], 0);
    says(&own.run(&["diff", "whole.jsonl", "run.jsonl"], 0).0, &["Not worse: 0 regressed", "2 unchanged"]);
    says(&own.read("summary.md"), &["2 results: 2 pass"]);
}
