//! `streakstone stream check` from outside: exit codes, both formats, every planted stream.

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};
use streakstone_surfaces::transcript::{Chunk, Transcript};
use streakstone_surfaces::{Frame, Surface, planted};
use tempfile::TempDir;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_streakstone"));
    command.args(["stream"]).args(arguments).current_dir(folder).env_remove("CI").env_remove("STREAKSTONE_ROOT");
    command
}

/// Checks `bytes` from a file; stdout and stderr.
fn check(surface: Surface, bytes: &[u8], more: &[&str], code: i32) -> (String, String) {
    let folder = TempDir::new().expect("a folder");
    std::fs::write(folder.path().join("stream"), bytes).expect("a file");
    let arguments = [&["check", "--surface", surface.as_str(), "stream"], more].concat();
    let output = command(folder.path(), &arguments).assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).expect("UTF-8"), String::from_utf8(output.stderr).expect("UTF-8"))
}

fn good(surface: Surface) -> Vec<u8> {
    Frame::encode_all(&planted::good_stream(surface))
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

#[test]
fn a_clean_stream_exits_0_and_says_what_was_judged() {
    for surface in Surface::ALL {
        let (out, err) = check(surface, &good(surface), &[], 0);
        assert!(out.starts_with("stream: clean. ") && out.contains("laws judged; not known enough for "), "{out}");
        assert_eq!(err, "");
        assert_eq!(check(surface, &good(surface), &["--format", "json"], 0).0, "");
    }
}

#[test]
fn a_broken_law_exits_1_with_its_event_and_line() {
    let text = String::from_utf8(good(Surface::Chat)).expect("UTF-8").replace("\"index\":0,\"id\"", "\"id\"");
    let (out, _) = check(Surface::Chat, text.as_bytes(), &[], 1);
    assert!(out.contains("B     CC05  index-present  event 4, line 7: an entry of `tool_calls` has no integer `index`\n"), "{out}");
    let (out, _) = check(Surface::Chat, text.as_bytes(), &["--format", "json"], 1);
    let want = json!({"law": "CC05", "severity": "B", "event": 4, "line": 7, "message": "an entry of `tool_calls` has no integer `index`"});
    assert_eq!(lines(&out), [want]);
}

#[test]
fn a_broken_policy_alone_exits_0_and_can_be_declared() {
    let text = String::from_utf8(good(Surface::Chat)).expect("UTF-8").replace("call_2", "call 2");
    let (out, _) = check(Surface::Chat, text.as_bytes(), &["--format", "json"], 0);
    assert_eq!(lines(&out)[0]["law"], "CC09");
    assert_eq!(check(Surface::Chat, text.as_bytes(), &["--format", "json", "--declare", "ids-unique"], 0).0, "");
}

#[test]
fn each_kind_of_input_is_read() {
    for variant in planted::variants() {
        let (out, _) = check(variant.surface, &variant.bytes(), &["--format", "json"], 0);
        assert_eq!(out, "", "{variant:?}");
    }
    let body = br#"{"id":"chatcmpl-1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant",
        "content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":""}}]},"finish_reason":"tool_calls"}]}"#;
    let (out, _) = check(Surface::Chat, body, &["--format", "json"], 1);
    assert_eq!(lines(&out)[0]["law"], "CC13");
    let mut piped = command(Path::new("."), &["check", "--surface", "messages", "-"]);
    piped.write_stdin(good(Surface::Anthropic)).assert().code(0);
}

#[test]
fn the_request_and_the_dialect_are_held_against_the_stream() {
    let folder = TempDir::new().expect("a folder");
    let request = folder.path().join("request.json");
    std::fs::write(&request, r#"{"tools":[{"name":"get_weather"},{"name":"get_time"}],"tool_choice":{"type":"none"}}"#).expect("a file");
    let request = request.to_str().expect("UTF-8");
    let (out, _) = check(Surface::Anthropic, &good(Surface::Anthropic), &["--request", request, "--format", "json"], 1);
    assert_eq!(lines(&out).iter().map(|line| line["law"].clone()).collect::<Vec<_>>(), ["AN19", "AN19"]);
    let leak = String::from_utf8(good(Surface::Chat)).expect("UTF-8").replace("Let me look.", "<tool_call>");
    let (out, _) = check(Surface::Chat, leak.as_bytes(), &["--dialect", "hermes", "--format", "json"], 0);
    assert_eq!(lines(&out)[0]["law"], "CC19");
}

#[test]
fn an_error_status_and_a_lost_transfer_are_told_in_both_forms() {
    let header = |status: u16, kind: &str| json!({"surface": "chat", "status": status, "headers": {"content-type": kind}});
    let recorded = |header: &Value, outcome: &str, bytes: &[u8]| {
        let chunks = vec![Chunk { t_us: 9, bytes: bytes.to_vec() }];
        let header = serde_json::from_value(header.clone()).expect("a header");
        Transcript { header, chunks, outcome: outcome.to_owned() }.write().into_bytes()
    };
    let busy = recorded(&header(503, "application/json"), "complete", br#"{"error":{"message":"busy\u001b[2J"}}"#);
    let (out, _) = check(Surface::Chat, &busy, &[], 0);
    let note = "note  HTTP status 503, an error instead of a reply: \"busy\\u{1b}[2J\"; only the law of errors is judged\n";
    assert_eq!(out, format!("{note}stream: no reply, but an error as it should be. 1 of 25 laws judged.\n"));
    let (out, err) = check(Surface::Chat, &busy, &["--format", "json"], 0);
    assert!(out.is_empty() && err.starts_with("note: stream: HTTP status 503, an error instead of a reply"), "{err}");
    let page = recorded(&header(502, "text/html"), "complete", b"<h1>Bad Gateway</h1>");
    let (out, _) = check(Surface::Chat, &page, &[], 1);
    assert!(out.starts_with("S     CC01  record-shape: the HTTP status is 502, and the body is no error object: "), "{out}");
    let bytes = good(Surface::Chat);
    let lost = recorded(&header(200, "text/event-stream"), "reset", &bytes[..bytes.len() / 2]);
    let (out, _) = check(Surface::Chat, &lost, &[], 1);
    assert!(out.contains("note  the transfer was recorded as \"reset\", not as complete\n") && out.contains("CC15"), "{out}");
    let (out, _) = check(Surface::Chat, &lost, &["--format", "json"], 1);
    let laws: Vec<Value> = lines(&out).iter().map(|line| line["law"].clone()).collect();
    assert!(laws.iter().all(|law| ["CC01", "CC15", "CC23"].contains(&law.as_str().expect("text"))), "{laws:?}");
    let failed = [&bytes[..bytes.len() / 2], b"\n\ndata: {\"error\":{\"message\":\"out of memory\"}}\n\ndata: [DONE]\n\n"].concat();
    assert!(check(Surface::Chat, &failed, &[], 1).0.contains("note  it ends with an error of the server: \"out of memory\"\n"));
}

#[test]
fn a_stream_of_another_surface_exits_2_and_says_which() {
    for (own, asked) in [(Surface::Chat, Surface::Anthropic), (Surface::Responses, Surface::Chat), (Surface::Anthropic, Surface::Responses)]
    {
        let (out, err) = check(asked, &good(own), &[], 2);
        let want = format!("it has the form of the surface {own}, not {asked}.\n  next  streakstone stream check --surface {own} stream");
        assert!(out.is_empty() && err.contains(&want), "{err}");
    }
}

#[test]
fn what_is_unreadable_exits_2_and_says_what_to_type() {
    let unread: [&[u8]; 9] = [
        b"",
        b"\r\n\r\n",
        b": ping\n\n",
        b"\x00\x01",
        b"\x1f\x8b\x08",
        b"\xff\xfed\x00",
        b"data: {}\n",
        b"{\"surface\":\"chat\"}\n",
        b"HTTP/1.1 200 OK\n",
    ];
    for bytes in unread {
        let (out, err) = check(Surface::Chat, bytes, &[], 2);
        assert!(
            out.is_empty() && err.contains("stream: cannot be checked: ") && err.contains("next  streakstone stream check --help"),
            "{err}"
        );
    }
    let folder = TempDir::new().expect("a folder");
    for (text, said) in [
        ("[1]", "no JSON object"),
        ("{\"model\": \"m\"}", "none of the keys that are read: messages, tools"),
        ("{\"messages\": [], \"tool\": []}", "`tool` is no key of the surface chat; the nearest is `tools`"),
        ("{\"input\": []}", "`input` is a key of the surface responses"),
        (r#"{"messages": "hi"}"#, "`messages` is no array"),
        (r#"{"tools": {"name": "f"}}"#, "`tools` is no array"),
        (r#"{"tools": ["f"]}"#, "`tools[0]` is no object"),
        (r#"{"tools": [{"type": "function", "name": "f"}]}"#, "`tools[0]` has no text `function.name`"),
        (r#"{"tool_choice": "always"}"#, "`tool_choice` is read as a word: none, auto, required"),
        (r#"{"tool_choice": true}"#, "`tool_choice` is read as"),
        (r#"{"tool_choice": {"type": "function", "name": "f"}}"#, "`tool_choice` has no text `function.name`"),
        (r#"{"tool_choice": {"type": "allowed_tools", "allowed_tools": {"mode": "auto", "tools": []}}}"#, "`tool_choice` is read as"),
        (r#"{"parallel_tool_calls": "false"}"#, "`parallel_tool_calls` is neither true nor false"),
        (r#"{"stream_options": {"include_usage": 1}}"#, "`stream_options.include_usage` is neither"),
        ("{\"x\\nerror: none\": 1, \"tols\": []}", "`tols` is no key"),
    ] {
        let request = folder.path().join("request.json");
        std::fs::write(&request, text).expect("a file");
        let (_, err) = check(Surface::Chat, &good(Surface::Chat), &["--request", request.to_str().expect("UTF-8")], 2);
        assert!(err.contains("request.json: is no request: ") && err.contains(said) && err.contains("next  correct --request"), "{err}");
    }
    let recorded = planted::variants().into_iter().find(|v| v.name.starts_with("recorded") && v.surface == Surface::Chat).expect("one");
    assert!(check(Surface::Responses, &recorded.bytes(), &[], 2).1.contains("of the surface chat, not responses"));
    for more in [&["--request", "absent.json"][..], &["--dialect", "hermez"], &["--declare", "CC99"]] {
        assert!(check(Surface::Chat, &good(Surface::Chat), more, 2).1.contains("next  "));
    }
    command(Path::new("."), &["check", "--surface", "chat", "absent.sse"]).assert().code(2);
    let folder = command(Path::new("."), &["check", "--surface", "chat", "."]).assert().code(2).get_output().stderr.clone();
    assert!(String::from_utf8_lossy(&folder).contains(".: cannot be checked: "));
    command(Path::new("."), &["check", "--surface", "chats", "-"]).assert().code(2);
}

#[test]
fn each_surface_has_its_own_form_of_a_request() {
    let folder = TempDir::new().expect("a folder");
    let request = folder.path().join("request.json");
    let of = |surface, text: &str, code| {
        std::fs::write(&request, text).expect("a file");
        check(surface, &good(surface), &["--request", request.to_str().expect("UTF-8"), "--format", "json"], code).1
    };
    for (surface, text, said) in [
        (Surface::Responses, r#"{"input": {"role": "user"}}"#, "`input` is no array and no string"),
        (Surface::Responses, r#"{"tools": [{"type": "function", "function": {"name": "f"}}]}"#, "`tools[0]` has no text `name`"),
        (Surface::Responses, r#"{"tool_choice": {"type": "function", "function": {"name": "f"}}}"#, "`tool_choice` has no text `name`"),
        (Surface::Anthropic, r#"{"tools": [{"type": "function", "function": {"name": "f"}}]}"#, "`tools[0]` has no text `name`"),
        (Surface::Anthropic, r#"{"tool_choice": "any"}"#, "`tool_choice` is read as an object whose `type` is none, auto, any"),
        (Surface::Anthropic, r#"{"tool_choice": {"type": "auto", "disable_parallel_tool_use": 1}}"#, "`tool_choice.disable_parallel"),
    ] {
        let err = of(surface, text, 2);
        assert!(err.contains(said), "{err}");
    }
    let tools = r#"{"type": "function", "function": {"name": "get_weather"}}, {"type": "function", "function": {"name": "get_time"}}"#;
    of(Surface::Chat, &format!(r#"{{"messages": [], "tools": [{tools}], "tool_choice": "required", "parallel_tool_calls": null}}"#), 0);
    let named = r#"{"name": "get_weather"}, {"name": "get_time"}, {"type": "mcp_toolset", "mcp_server_name": "x"}"#;
    of(Surface::Anthropic, &format!(r#"{{"messages": [], "tools": [{named}], "tool_choice": {{"type": "any"}}}}"#), 0);
}

#[test]
fn hostile_text_cannot_reach_the_terminal() {
    let text = String::from_utf8(good(Surface::Chat)).expect("UTF-8").replace("call_2", "\\u001b[31m\u{202e}");
    for format in ["text", "json"] {
        let (out, _) = check(Surface::Chat, text.as_bytes(), &["--format", format], 0);
        assert!(out.contains("CC09") && !out.contains('\u{1b}') && !out.contains('\u{202e}'), "{out}");
    }
}

#[test]
fn the_laws_are_listed() {
    let output = command(Path::new("."), &["laws"]).assert().code(0).get_output().clone();
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(out.lines().count(), 25 + 25 + 24);
    assert!(out.starts_with("CC01  S     record-shape "), "{out}");
}

#[test]
fn bytes_that_are_no_utf8_are_told_of_data_and_not_of_comments() {
    for (surface, law) in Surface::ALL.into_iter().zip(["CC01", "RS01", "AN01"]) {
        let good = good(surface);
        let at = good.windows(7).position(|bytes| bytes == b"planted").expect("the model's name");
        let (out, _) = check(surface, &[&good[..at], b"\xff", &good[at..]].concat(), &[], 1);
        assert!(out.contains(law) && out.contains("of the data is no UTF-8"), "{out}");
        let (out, _) = check(surface, &[b": \xff\n\n", &good[..]].concat(), &[], 0);
        assert!(out.starts_with("stream: clean. "), "{out}");
    }
}

#[test]
fn an_index_that_is_no_number_of_ours_breaks_one_law() {
    let text = String::from_utf8(good(Surface::Anthropic)).expect("UTF-8");
    for index in ["18446744073709551616", "2e3", "\"1\""] {
        let wrong = text.replace("\"index\":1,", &format!("\"index\":{index},")).replace("\"index\":1}", &format!("\"index\":{index}}}"));
        assert_ne!(wrong, text);
        let (out, _) = check(Surface::Anthropic, wrong.as_bytes(), &["--format", "json"], 1);
        assert!(lines(&out).iter().all(|line| line["law"] == "AN04"), "{out}");
    }
}

#[test]
fn a_content_type_has_no_case() {
    for (kind, code) in [("Text/Event-Stream; charset=utf-8", 0), ("text/event-streamX", 1)] {
        let header = json!({"surface": "chat", "status": 200, "headers": {"content-type": kind}});
        let chunks = vec![Chunk { t_us: 1, bytes: good(Surface::Chat) }];
        let header = serde_json::from_value(header).expect("a header");
        let transcript = Transcript { header, chunks, outcome: "complete".to_owned() };
        let (out, _) = check(Surface::Chat, transcript.write().as_bytes(), &[], code);
        assert_eq!(out.contains("CC23"), code == 1, "{out}");
    }
}
