//! What ends the program: SIGINT, SIGTERM, SIGHUP and SIGKILL, while an adapter hangs. Nothing of the adapter may be left, and what was judged stays.

#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

mod sandbox;

use sandbox::{Sandbox, says};

/// Far more than an interrupt takes, on a loaded machine, and less than the deadline of one case.
const PATIENCE: Duration = Duration::from_secs(20);

const CASES: &str =
    "dialect: hermes\ncases:\n  - {id: a, raw: hi}\n  - {id: b, raw: long enough for a cut}\n  - {id: c, raw: long enough too}\n";

fn wait<T>(what: &str, mut ready: impl FnMut() -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        match ready() {
            Some(found) => return found,
            None if Instant::now() > until => panic!("{what}: not within {PATIENCE:?}"),
            None => sleep(Duration::from_millis(10)),
        }
    }
}

fn own(words: &str) -> String {
    format!("{} adapter {words}", env!("CARGO_BIN_EXE_streakstone"))
}

/// The program with every signal as it is by default: a test that runs in the background of a script would inherit ignored ones.
fn streakstone() -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", env!("CARGO_BIN_EXE_streakstone")]);
    command
}

fn start(own: &Sandbox, arguments: &[&str]) -> Child {
    own.write("many/hermes/many.yaml", CASES);
    streakstone()
        .args(arguments)
        .current_dir(own.0.path())
        .env_remove("STREAKSTONE_ROOT")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a child")
}

fn signal(name: &str, child: &Child) {
    assert!(Command::new("kill").args([format!("-{name}"), child.id().to_string()]).status().expect("kill").success());
}

fn ended(child: &mut Child) -> ExitStatus {
    wait("the end of the program", || child.try_wait().expect("a status"))
}

/// Waits until no process of these has more to do than to be taken notice of.
fn gone(processes: &[String]) {
    for id in processes {
        wait(&format!("the end of process {id}"), || {
            let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            (state.is_empty() || state.contains(") Z ")).then_some(())
        });
    }
}

/// The adapter and its child, as the file tells them.
fn family(own: &Sandbox) -> Vec<String> {
    let numbers = || fs::read_to_string(own.path("memory")).ok().filter(|text| text.ends_with('\n'));
    wait("a hanging adapter", numbers).split_whitespace().map(str::to_owned).collect()
}

fn lines(own: &Sandbox, log: &str) -> Vec<Value> {
    own.read(log).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn the_first_signal_gives_up_what_is_in_hand_and_leaves_a_whole_log_and_no_process() {
    for name in ["INT", "TERM", "HUP"] {
        let sandbox = Sandbox::new();
        let adapter = own(&format!("fake hang-with-child {}", sandbox.path("memory").display()));
        let mut child = start(&sandbox, &["run", "--corpus", "many", "--adapter", &adapter, "-j", "1", "--log", "run.jsonl"]);
        let family = family(&sandbox);
        assert_eq!(family.len(), 2);
        signal(name, &child);
        assert_eq!(ended(&mut child).code(), Some(5), "{name}");
        gone(&family);
        let log = lines(&sandbox, "run.jsonl");
        assert_eq!(log[1..].iter().filter(|line| line["verdict"] == "not-run").count(), 3, "{name}: no verdict on what was given up");
        assert_eq!(log.last().expect("a footer")["counts"], serde_json::json!({"not-run": 3}));
        says(&std::io::read_to_string(child.stderr.take().expect("stderr")).expect("UTF-8"), &["Interrupted", "--resume"]);
    }
}

#[test]
fn a_killed_program_leaves_no_adapter_and_no_child_of_one() {
    let sandbox = Sandbox::new();
    let adapter = own(&format!("fake hang-with-child {}", sandbox.path("memory").display()));
    let mut child = start(&sandbox, &["run", "--corpus", "many", "--adapter", &adapter, "-j", "1"]);
    let family = family(&sandbox);
    child.kill().expect("killed");
    child.wait().expect("ended");
    gone(&family);
}

#[test]
fn the_second_signal_waits_for_nothing() {
    let sandbox = Sandbox::new();
    let mut cases = "dialect: hermes\ncases:\n".to_owned();
    cases.extend((0..2000).map(|i| format!("  - {{id: c{i}, raw: one more}}\n")));
    sandbox.write("thousands/hermes/many.yaml", &cases);
    let adapter = own(&format!("fake hang-with-child {}", sandbox.path("memory").display()));
    // Nobody reads the log: the run cannot end in order.
    let mut command = streakstone();
    command.args(["run", "--corpus", "thousands", "--adapter", &adapter, "-j", "1", "--log", "/dev/stdout"]);
    let mut child = command.current_dir(sandbox.0.path()).stdout(Stdio::piped()).spawn().expect("a child");
    let family = family(&sandbox);
    signal("TERM", &child);
    sleep(Duration::from_secs(2));
    assert_eq!(child.try_wait().expect("a status"), None, "the log was written, and the test shows nothing");
    signal("TERM", &child);
    assert_eq!(ended(&mut child).code(), Some(5));
    gone(&family);
}

/// The processes that `child` has started and whose command line has `words`.
fn started(child: &Child, words: &str) -> Option<String> {
    let parent = child.id().to_string();
    let all = fs::read_dir("/proc").expect("/proc").flatten().filter_map(|entry| entry.file_name().into_string().ok());
    all.filter(|id| id.bytes().all(|b| b.is_ascii_digit())).find(|id| {
        let read = |file: &str| fs::read_to_string(format!("/proc/{id}/{file}")).unwrap_or_default();
        let of_parent = read("stat").rsplit(") ").next().and_then(|fields| fields.split(' ').nth(1).map(|p| p == parent));
        of_parent == Some(true) && read("cmdline").contains(words)
    })
}

#[test]
fn a_signal_outside_of_a_run_kills_the_adapters_and_ends_the_program_at_once() {
    let sandbox = Sandbox::new();
    for arguments in [&["run", "--corpus", "many", "--adapter"][..], &["adapter", "smoke"]] {
        let mut child = start(&sandbox, &[arguments, &[&own("fake slow-start")]].concat());
        let adapter = wait("an adapter", || started(&child, "slow-start"));
        signal("TERM", &child);
        assert_eq!(ended(&mut child).code(), Some(5));
        gone(&[adapter]);
    }
}

#[test]
fn an_interrupted_run_goes_on_to_the_log_of_one_that_was_not() {
    let sandbox = Sandbox::new();
    let program = env!("CARGO_BIN_EXE_streakstone");
    sandbox
        .write("adapter.sh", &format!("[ -e go ] && exec {program} adapter serve reference\nexec {program} adapter fake hang-at-five\n"));
    let arguments = |option, log| ["run", "--corpus", "many", "--adapter", "sh adapter.sh", "-j", "2", option, log];
    let mut child = start(&sandbox, &arguments("--log", "run.jsonl"));
    wait("a result", || fs::read_to_string(sandbox.path("run.jsonl")).ok().filter(|text| text.lines().count() > 1));
    signal("TERM", &child);
    assert_eq!(ended(&mut child).code(), Some(5));
    let verdicts =
        |log: &str| lines(&sandbox, log).iter().filter_map(|line| line["verdict"].as_str().map(str::to_owned)).collect::<Vec<_>>();
    assert_eq!(verdicts("run.jsonl"), ["pass", "not-run", "not-run"]);
    sandbox.write("go", "");
    let (_, err) = sandbox.run(&arguments("--resume", "run.jsonl"), 0);
    says(&err, &["1 results stand, 2 to judge", "2 results that did not run"]);
    sandbox.run(&arguments("--log", "whole.jsonl"), 0);
    let cases = |log: &str| lines(&sandbox, log).iter().map(|line| (line["case"].clone(), line["verdict"].clone())).collect::<Vec<_>>();
    assert_eq!(cases("run.jsonl"), cases("whole.jsonl"));
}
