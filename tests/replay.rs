//! `streakstone replay` from outside: exit codes, both formats, every composed transcript.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use streakstone_surfaces::transcript::Transcript;

/// Transcripts that are right, with their surface and whether they fit the plans' full families.
const GOOD: [(&str, &str); 3] =
    [("chat-crlf.ndjson", "chat"), ("anthropic-pings.ndjson", "anthropic"), ("responses-no-done.ndjson", "responses")];
const LEAKS: &str = "chat-second-call-leaks.ndjson";

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("harness/surfaces/tests/data")
}

/// stdout and stderr.
fn replay(folder: &Path, arguments: &[&str], code: i32) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_streakstone"));
    command.arg("replay").args(arguments).current_dir(folder).env_remove("CI").env_remove("STREAKSTONE_ROOT");
    let output = command.assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).expect("UTF-8"), String::from_utf8(output.stderr).expect("UTF-8"))
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn every_good_transcript_is_read_alike_in_every_cut_and_says_what_the_raw_text_means() {
    for (file, surface) in GOOD {
        let (out, err) = replay(&data(), &["--format", "json", file], 0);
        let lines = lines(&out);
        let [sum] = &lines[..] else { panic!("{file}: {out}") };
        assert_eq!((sum["type"].as_str(), sum["surface"].as_str(), &sum["passes"]), (Some("replay"), Some(surface), &Value::Bool(true)));
        assert_eq!(sum["raw_text_compared"], true, "{file}");
        assert!(sum["cuts_run"].as_u64() > Some(300) && sum["cuts_possible"].as_u64() >= sum["cuts_run"].as_u64(), "{sum}");
        assert_eq!(err, "");
    }
    let files = GOOD.map(|(file, _)| file);
    assert_eq!(replay(&data(), &files, 0).0.lines().filter(|line| line.contains(": clean. ")).count(), 3);
}

#[test]
fn a_leaked_call_and_a_lost_connection_exit_1() {
    let (out, _) = replay(&data(), &["--format", "json", LEAKS], 1);
    let checks: Vec<String> = lines(&out).iter().filter_map(|line| line["check"].as_str().map(str::to_owned)).collect();
    for check in ["raw-text", "CC16", "CC19", "CC20"] {
        assert!(checks.iter().any(|own| own == check), "no {check} in {checks:?}");
    }
    assert!(!checks.iter().any(|own| own == "split-invariance"), "{checks:?}");
    let (out, _) = replay(&data(), &["chat-connection-lost.ndjson"], 1);
    assert!(out.contains("CC15") && out.contains("chat, recorded as cut: ") && out.contains("the raw text not known"), "{out}");
}

#[test]
fn dialect_and_raw_text_may_come_from_the_command_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut transcript =
        Transcript::read(&std::fs::read_to_string(data().join("chat-crlf.ndjson")).expect("a file")).expect("a transcript");
    let raw = transcript.header.about.remove("raw").and_then(|raw| raw.as_str().map(str::to_owned)).expect("a raw text");
    transcript.header.about.clear();
    std::fs::write(folder.path().join("t.ndjson"), transcript.write()).expect("a file");
    std::fs::write(folder.path().join("right"), &raw).expect("a file");
    std::fs::write(folder.path().join("wrong"), raw.replace("Europe/Berlin", "UTC")).expect("a file");
    assert!(replay(folder.path(), &["t.ndjson"], 0).0.contains("the raw text not known"));
    assert!(replay(folder.path(), &["t.ndjson", "--dialect", "hermes", "--raw", "right"], 0).0.contains("the raw text compared"));
    let (out, _) = replay(folder.path(), &["t.ndjson", "--dialect", "hermes", "--raw", "wrong"], 1);
    assert!(out.contains("core  raw-text: call 1 is ") && out.contains("UTC"), "{out}");
}

#[test]
fn what_is_no_transcript_exits_2() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("sse"), "data: [DONE]\n\n").expect("a file");
    let (_, err) = replay(folder.path(), &["sse"], 2);
    assert!(
        err.contains("sse: cannot be replayed: line 1 of the transcript is no header") && err.contains("streakstone replay --help"),
        "{err}"
    );
    assert!(replay(folder.path(), &["absent"], 2).1.contains("absent: cannot be replayed"));
    let transcript = data().join(LEAKS).display().to_string();
    assert!(replay(folder.path(), &[&transcript, "--dialect", "hermess"], 2).1.contains("the nearest is `hermes`"));
    assert!(replay(folder.path(), &[&transcript, "--declare", "AN17"], 2).1.contains("has no law `AN17`"));
    replay(folder.path(), &[], 2);
}
