//! Compiles C libraries, loads them, and speaks the protocol with the loader from outside. Without a C compiler it says so and passes.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

fn adapters() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/adapters")
}

/// A library compiled from C; `None`, with a word about it, where there is no compiler.
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn compiled(source: &Path) -> Option<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("libparser.so");
    let flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I"];
    match Command::new("cc").args(flags).arg(adapters().join("c")).arg("-o").arg(&library).arg(source).status() {
        Ok(status) => {
            assert!(status.success(), "cc failed on {}", source.display());
            Some((folder, library))
        }
        Err(e) => {
            eprintln!("skipped: no C compiler ({e})");
            None
        }
    }
}

fn written(text: &str) -> Option<(TempDir, PathBuf)> {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("parser.c");
    std::fs::write(&source, text).unwrap();
    compiled(&source)
}

struct Loader {
    child: Child,
    answers: BufReader<ChildStdout>,
}

impl Loader {
    fn of(library: &Path) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_streakstone-cabi"));
        let mut child = command.arg(library).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let answers = BufReader::new(child.stdout.take().unwrap());
        Self { child, answers }
    }

    fn ask(&mut self, message: &Value) -> Option<Value> {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        (!line.is_empty()).then(|| serde_json::from_str(&line).unwrap())
    }

    fn run(&mut self, text: &str, plans: &Value) -> Option<Value> {
        self.ask(&json!({
            "type": "run", "id": 7, "dialect": "hermes", "text": text, "tools": [{"type": "function", "function": {"name": "f"}}],
            "tool_choice": "auto", "end": "stop", "plans": plans,
        }))
    }
}

/// What the loader says and ends with where it cannot begin.
fn refused(library: &Path) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_streakstone-cabi")).arg(library).output().unwrap();
    assert_eq!((done.status.code(), done.stdout.as_slice()), (Some(2), b"".as_slice()));
    String::from_utf8(done.stderr).unwrap()
}

#[test]
fn the_example_reads_whole_and_cut() {
    let Some((_folder, library)) = compiled(&adapters().join("c/examples/hermes.c")) else { return };
    let mut loader = Loader::of(&library);
    let hello = loader.ask(&json!({"type": "hello", "protocol": 1, "harness": "test"})).unwrap();
    assert_eq!((&hello["name"], &hello["modes"]), (&json!("example-c"), &json!(["whole", "stream"])));
    let text = "<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": \"é\"}}\n</tool_call>";
    let cuts: Vec<_> = (1..text.len()).filter(|at| text.is_char_boundary(*at)).collect();
    let each: Vec<_> = cuts.iter().map(|at| [at]).collect();
    let plans = json!([{"plan": "whole", "cuts": [null, []]}, {"plan": "every-cut", "cuts": each}, {"plan": "chars", "cuts": [cuts]},
        {"plan": "reuse", "cuts": [[8]], "reuse": true}]);
    let result = loader.run(text, &plans).unwrap();
    let events = json!([["call", 0, "f", null], ["arguments", 0, "{\"a\": \"é\"}"], ["end", 0], ["finish", "tool_calls"]]);
    assert_eq!(result["whole"], json!({ "events": events }));
    for plan in result["plans"].as_array().unwrap() {
        assert_eq!(plan["same"], true, "{plan}");
    }
}

/// A library whose parser does as the text says. It has no `streak_whole` and no `streak_last`, and prints while it is loaded.
const ODD: &str = r#"
#include "streak.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct streak_session { const char *said; };
__attribute__((constructor)) static void loaded(void) { puts("noise of loading"); fflush(stdout); }
uint32_t streak_abi(void) { return STREAK_ABI; }
const char *streak_hello_json(void) { return "{\"name\": \"odd\", \"version\": \"1\", \"dialects\": [\"hermes\"], \"unit\": \"bytes\"}"; }
streak_session *streak_create(const char *dialect, const char *request, size_t length) {
    return strcmp(dialect, "hermes") || !length || request[0] != '{' ? NULL : calloc(1, sizeof(streak_session));
}
int streak_push(streak_session *s, const char *bytes, size_t length) {
    s->said = NULL;
    puts("noise of reading");
    fflush(stdout);
    if (length == 2 && !memcmp(bytes, "no", 2)) { s->said = "not hermes"; return STREAK_REJECTED; }
    if (length == 5 && !memcmp(bytes, "throw", 5)) { s->said = "out of range"; return STREAK_RAISED; }
    if (length == 4 && !memcmp(bytes, "lack", 4)) return STREAK_UNSUPPORTED;
    if (length == 3 && !memcmp(bytes, "bad", 3)) s->said = "[[\"txet\", \"a\"]]";
    if (length == 3 && !memcmp(bytes, "odd", 3)) return 99;
    if (length == 5 && !memcmp(bytes, "crash", 5)) abort();
    return STREAK_OK;
}
int streak_finish(streak_session *s, const char *end) { s->said = strcmp(end, "stop") ? NULL : "[[\"finish\", \"stop\"]]"; return STREAK_OK; }
const char *streak_take_json(streak_session *s, size_t *length) { *length = s->said ? strlen(s->said) : 0; return s->said; }
void streak_destroy(streak_session *s) { free(s); }
"#;

#[test]
fn each_status_is_its_own_result() {
    let Some((_folder, library)) = written(ODD) else { return };
    let mut loader = Loader::of(&library);
    let hello = loader.ask(&json!({"type": "hello", "protocol": 1, "harness": "test"})).unwrap();
    assert_eq!(hello["modes"], json!(["stream"]), "without `streak_whole` there is no whole entry point");
    let plans = json!([{"plan": "whole", "cuts": [null, []]}]);
    let mut second = |text: &str| loader.run(text, &plans).unwrap()["plans"][0]["differ"]["1"].clone();
    assert_eq!(second("fine"), json!({"events": [["finish", "stop"]], "at": [1]}));
    assert_eq!(second("no"), json!({"rejected": "not hermes"}));
    assert_eq!(second("throw"), json!({"raised": "out of range"}));
    assert_eq!(second("lack"), json!({"unsupported": ""}));
    let whole = loader.run("fine", &plans).unwrap()["whole"].clone();
    assert_eq!(whole, json!({"unsupported": "the library has no `streak_whole`"}));
    for (text, why) in [("bad", "unknown event `txet`"), ("odd", "status 99")] {
        let fault = loader.run(text, &plans).unwrap();
        assert_eq!((&fault["type"], &fault["id"]), (&json!("error"), &json!(7)));
        assert!(fault["message"].as_str().unwrap().contains(why), "{fault}");
    }
}

const SIGABRT: i32 = 6;

#[test]
fn a_crash_of_the_library_is_the_crash_of_the_loader() {
    let Some((_folder, library)) = written(ODD) else { return };
    let mut loader = Loader::of(&library);
    assert_eq!(loader.run("crash", &json!([{"plan": "bytes", "cuts": [[]]}])), None);
    assert_eq!(loader.child.wait().unwrap().signal(), Some(SIGABRT));
}

#[test]
fn what_is_no_such_library_is_refused_in_one_sentence() {
    assert!(refused(Path::new("no/such/library.so")).starts_with("no/such/library.so: "));
    let Some((_folder, library)) = written("int nothing;") else { return };
    assert!(refused(&library).contains("no function `streak_abi`"));
    let Some((_folder, library)) = written(&ODD.replace("return STREAK_ABI;", "return 99;")) else { return };
    assert!(refused(&library).contains("version 99 of the ABI"));
    let Some((_folder, library)) = written(&ODD.replace("streak_destroy", "streak_destroyed")) else { return };
    assert!(refused(&library).contains("no function `streak_destroy`"));
    let Some((_folder, library)) = written(&ODD.replace("\\\"version\\\": \\\"1\\\", ", "")) else { return };
    assert!(refused(&library).contains("missing field `version`"));
}
