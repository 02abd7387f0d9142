//! `streakstone replay` from outside: exit codes, both formats, every composed transcript.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use streakstone_surfaces::transcript::{Chunk, Transcript};

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
fn whole_bodies_error_statuses_and_lost_transfers_are_judged_as_what_they_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = Transcript::read(&std::fs::read_to_string(data().join("chat-crlf.ndjson")).expect("a file")).expect("a transcript");
    let replayed = |change: &dyn Fn(&mut Transcript), code| {
        let mut transcript = own.clone();
        change(&mut transcript);
        std::fs::write(folder.path().join("t.ndjson"), transcript.write()).expect("a file");
        lines(&replay(folder.path(), &["--format", "json", "t.ndjson"], code).0)
    };
    let checks = |lines: &[Value]| -> Vec<String> { lines.iter().filter_map(|line| line["check"].as_str().map(str::to_owned)).collect() };
    let body = |transcript: &mut Transcript, kind: &str, text: &str| {
        transcript.header.headers.insert("content-type".to_owned(), Value::from(kind));
        transcript.chunks = vec![Chunk { t_us: 5, bytes: text.as_bytes().to_vec() }];
    };
    // The transcript's raw text means more than this body says; that it is no stream is nothing wrong.
    let text = r#"{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}"#;
    let found = replayed(&|transcript| body(transcript, "application/json", text), 1);
    assert!(checks(&found).iter().all(|check| ["raw-text", "CC20"].contains(&check.as_str())), "{found:?}");
    assert_eq!(found.last().expect("a sum")["told"], serde_json::json!(["the request asks for a stream, and a whole body came"]));
    let busy = |transcript: &mut Transcript| {
        body(transcript, "application/json", r#"{"error":{"message":"parser failed"}}"#);
        transcript.header.status = Some(500);
    };
    // A raw text was generated, and the client got an error for it.
    let found = replayed(&busy, 1);
    assert_eq!(checks(&found), ["raw-text"]);
    assert_eq!(found[0]["message"], "the client got HTTP status 500, and no reply");
    let found = replayed(
        &|transcript| {
            busy(transcript);
            transcript.header.about.clear();
        },
        0,
    );
    assert!(found[0]["status"] == 500 && found[0]["told"][0].as_str().is_some_and(|told| told.contains("parser failed")), "{found:?}");
    let found = replayed(
        &|transcript| {
            transcript.chunks.truncate(5);
            transcript.outcome = "reset".to_owned();
        },
        1,
    );
    assert!(checks(&found).iter().all(|check| ["CC01", "CC15", "CC23"].contains(&check.as_str())), "{found:?}");
    assert_eq!(found.last().expect("a sum")["raw_text_compared"], false);
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
