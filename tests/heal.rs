//! `streakstone heal` from outside: bodies, streams, notes, exit codes.

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};
use streakstone_model::{Event, Finish, Span};
use streakstone_surfaces::{Frame, Ids, Surface, WriteOptions, read_stream, read_whole, write_stream, write_whole};
use tempfile::TempDir;

const TEXT: &str = "Sure. <tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}}</tool_call> Done.";

fn tools(surface: Surface) -> Value {
    match surface {
        Surface::Chat => json!([{"type": "function", "function": {"name": "f"}}]),
        Surface::Responses => json!([{"type": "function", "name": "f"}]),
        Surface::Anthropic => json!([{"name": "f", "input_schema": {}}]),
    }
}

fn events(text: &str) -> Vec<Event> {
    let span = Span::new(0, 0);
    let mut events: Vec<Event> = text.split_inclusive(' ').map(|word| Event::Text { text: word.to_owned(), span }).collect();
    events.push(Event::Finish { reason: Finish::Stop });
    events
}

fn stream(surface: Surface, text: &str) -> Vec<u8> {
    Frame::encode_all(&write_stream(surface, &events(text), &WriteOptions::default(), Ids::sequential()))
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_streakstone"));
    command.arg("heal").args(arguments).current_dir(folder);
    for name in ["CI", "STREAKSTONE_ROOT", "STREAKSTONE_DISABLE_HEALING", "STREAKSTONE_NUDGE"] {
        command.env_remove(name);
    }
    command
}

/// Heals `input` from stdin under this request; stdout and stderr.
fn heal(surface: Surface, request: &Value, input: &[u8], more: &[&str]) -> (Vec<u8>, String) {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("request.json"), request.to_string()).expect("a file");
    let arguments = [&["--surface", surface.as_str(), "--request", "request.json"], more].concat();
    let output = command(folder.path(), &arguments).write_stdin(input).assert().code(0).get_output().clone();
    (output.stdout, String::from_utf8(output.stderr).expect("UTF-8"))
}

#[test]
fn bodies_and_streams_are_healed_and_a_note_says_so() {
    for surface in Surface::ALL {
        let request = json!({"tools": tools(surface)});
        let body = write_whole(surface, &events(TEXT), &WriteOptions::default(), Ids::sequential());
        let (out, note) = heal(surface, &request, format!(" \n{body}").as_bytes(), &[]);
        let whole = read_whole(surface, std::str::from_utf8(&out).expect("UTF-8")).expect("a body");
        assert_eq!(note, "stdin: 1 call healed.\n");
        let (out, note) = heal(surface, &request, &stream(surface, TEXT), &[]);
        let streamed = read_stream(surface, &out);
        assert_eq!(note, "stdin: 1 call healed.\n");
        for got in [&whole, &streamed] {
            assert_eq!(got.content(), "Sure.  Done.", "{surface}");
            assert_eq!(got.calls().map(|call| call.arguments.as_str()).collect::<Vec<_>>(), ["{\"a\":1}"], "{surface}");
        }
        for size in ["1", "7", "100"] {
            assert_eq!(heal(surface, &request, &stream(surface, TEXT), &["--chunks", size, "-"]).0, out, "{surface} by {size}");
        }
    }
}

#[test]
fn what_has_nothing_to_heal_passes_byte_for_byte() {
    let odd = b"\xef\xbb\xbf: ping\r\n\r\ndata: {\"choices\" : [{\"delta\":{\"content\":\"<tool_ca\"}}]}\r\n\r\ndata: x\n\n\xff";
    for surface in Surface::ALL {
        let request = json!({"tools": tools(surface)});
        for input in [&odd[..], b"", b"  ", b"{\"error\": 1.0}\n", b"{\"\xff\"}", &stream(surface, "a <tool_call> b")] {
            let (out, note) = heal(surface, &request, input, &["--chunks", "3"]);
            assert_eq!((out.as_slice(), note.as_str()), (input, "stdin: 0 calls healed.\n"), "{surface}");
        }
    }
}

#[test]
fn u3_switches_of_request_and_environment_turn_healing_off() {
    let surface = Surface::Chat;
    let input = stream(surface, TEXT);
    let cases = [
        ("auto_heal_tool_calls", json!(false), "opted-out"),
        ("tool_choice", json!("none"), "choice-none"),
        ("tools", json!([]), "no-tools"),
    ];
    for (key, value, why) in cases {
        let mut request = json!({"tools": tools(surface)});
        request[key] = value;
        assert_eq!(heal(surface, &request, &input, &[]), (input.clone(), format!("stdin: not healed ({why}).\n")));
    }
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("tools.json"), tools(surface).to_string()).expect("a file");
    let arguments = ["--surface", "chat", "--tools", "tools.json"];
    let output = command(folder.path(), &arguments).env("STREAKSTONE_DISABLE_HEALING", "1").write_stdin(input.clone()).assert().code(0);
    assert_eq!(output.get_output().stdout, input);
    let output = command(folder.path(), &arguments).write_stdin(input.clone()).assert().code(0);
    assert_ne!(output.get_output().stdout, input);
}

#[test]
fn a_policy_decides_on_cut_calls() {
    let surface = Surface::Chat;
    let request = json!({"tools": tools(surface)});
    let input = stream(surface, "<tool_call>{\"name\":\"f\",\"arguments\":{\"a\":1}");
    assert_eq!(heal(surface, &request, &input, &[]).1, "stdin: 1 call healed.\n");
    assert_eq!(heal(surface, &request, &input, &["--policy", "truncated=text"]), (input.clone(), "stdin: 0 calls healed.\n".to_owned()));
}

#[test]
fn wrong_usage_exits_2_and_names_the_file() {
    let folder = TempDir::new().expect("a folder");
    for (name, text) in [("list.json", "[]"), ("object.json", "{}"), ("broken.json", "{")] {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    let cases: [(&[&str], &str); 7] = [
        (&[], "--request <FILE>"),
        (&["--request", "broken.json"], "broken.json: is no request"),
        (&["--request", "list.json"], "list.json: is no request: it is no JSON object"),
        (&["--request", "none.json"], "none.json: is no request"),
        (&["--tools", "object.json"], "object.json: is no list of tools"),
        (&["--tools", "list.json", "none.sse"], "none.sse: cannot be read"),
        (&["--tools", "list.json", "--policy", "x=y"], "--policy x=y: unknown policy"),
    ];
    for (arguments, message) in cases {
        let arguments = [&["--surface", "chat"], arguments].concat();
        let output = command(folder.path(), &arguments).assert().code(2).get_output().clone();
        let error = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(error.contains(message), "{arguments:?}: {error}");
    }
}
