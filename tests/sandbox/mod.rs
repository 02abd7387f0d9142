//! A small checkout of its own, and the program run in it.

#![allow(dead_code, reason = "each test file uses a part")]

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

pub const CASES: &str = r#"dialect: hermes
cases:
  - id: escaped-quote
    why: A backslash-quote inside an argument must not end the string.
    tags: [escapes]
    source: composed
    tools: [{type: function, function: {name: get, parameters: {type: object}}}]
    raw: |-
      <tool_call>
      {"name": "get", "arguments": {"q": "a\"b"}}
      </tool_call>
    expect:
      content: ""
      calls: [{name: get, arguments: {q: "a\"b"}}]
      finish: tool_calls
  - id: prose
    why: Prose without a marker is content.
    tags: [text]
    source: composed
    raw: Just prose.
    expect: {content: Just prose., calls: [], finish: stop}
"#;

/// A small checkout of its own, blessed.
pub struct Sandbox(pub TempDir);

impl Sandbox {
    pub fn new() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let own = Self(dir);
        own.write("corpus/hermes/strings.yaml", CASES);
        own.write("corpus/taxonomy.yaml", "escapes: Escapes in strings.\ntext: Prose.\n");
        fs::create_dir_all(own.path("goldens")).expect("goldens");
        own.streakstone(&["bless"]).assert().code(0);
        own
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.0.path().join(relative)
    }

    pub fn write(&self, relative: &str, text: &str) {
        let path = self.path(relative);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub fn read(&self, relative: &str) -> String {
        fs::read_to_string(self.path(relative)).expect("a file")
    }

    pub fn edit(&self, relative: &str, from: &str, to: &str) {
        let text = self.read(relative);
        assert!(text.contains(from), "{relative} has no {from:?}");
        self.write(relative, &text.replacen(from, to, 1));
    }

    pub fn streakstone(&self, arguments: &[&str]) -> Command {
        streakstone(self.0.path(), arguments)
    }

    /// Runs, checks the code, and gives stdout and stderr.
    pub fn run(&self, arguments: &[&str], code: i32) -> (String, String) {
        run(self.streakstone(arguments), code)
    }
}

pub fn streakstone(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_streakstone"));
    command.args(arguments).current_dir(folder).env_remove("CI").env_remove("NO_COLOR").env_remove("STREAKSTONE_ROOT");
    command
}

pub fn run(mut command: Command, code: i32) -> (String, String) {
    let output = command.assert().code(code).get_output().clone();
    (String::from_utf8(output.stdout).expect("UTF-8"), String::from_utf8(output.stderr).expect("UTF-8"))
}

pub fn says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}
