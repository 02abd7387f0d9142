//! Runs the commands the README shows and compares what they print with what it says.
//!
//! A block counts if it is fenced as `console` and its first line is a call of `streakstone` or of `cargo run --release`.
//! Numbers are masked, widths collapsed; a line `…` or `...` stands for any number of lines.

use std::path::Path;
use std::process::Command;

/// One command with the output shown under it.
struct Shown {
    line: usize,
    arguments: Vec<String>,
    output: Vec<String>,
}

const PREFIXES: [&str; 2] = ["$ streakstone", "$ cargo run --release"];

fn arguments_of(command: &str) -> Option<Vec<String>> {
    let rest = PREFIXES.iter().find_map(|p| command.strip_prefix(p)).filter(|r| r.is_empty() || r.starts_with(' '))?;
    let rest = rest.trim().strip_prefix("-- ").unwrap_or(rest.trim());
    let rest = rest.split(" #").next().unwrap_or(rest);
    Some(words(rest))
}

/// Splits at spaces; single and double quotes hold a word together.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    for c in text.chars() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\'' | '"', None) => (quote, open) = (Some(c), true),
            (' ', None) => {
                if open || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (c, _) => word.push(c),
        }
    }
    if open || !word.is_empty() {
        words.push(word);
    }
    words
}

fn shown(readme: &str) -> Vec<Shown> {
    let mut all: Vec<Shown> = Vec::new();
    let (mut inside, mut first, mut counts) = (false, false, false);
    for (at, line) in readme.lines().enumerate() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            inside = !inside && info.trim() == "console";
            (first, counts) = (inside, false);
            continue;
        }
        if !inside {
            continue;
        }
        if let Some(command) = line.starts_with("$ ").then(|| arguments_of(line)) {
            counts = if first { command.is_some() } else { counts && command.is_some() };
            if let Some(arguments) = command.filter(|_| counts) {
                all.push(Shown { line: at + 1, arguments, output: Vec::new() });
            }
        } else if counts && let Some(last) = all.last_mut() {
            last.output.push(line.to_owned());
        }
        first = false;
    }
    all
}

/// Numbers become `N`; runs of spaces and of rules become one, so that a wider number changes nothing.
fn masked(line: &str) -> String {
    let mut out = String::new();
    for c in line.trim_end().chars() {
        let c = match c {
            '0'..='9' => 'N',
            '═' | '╌' | '─' => '─',
            other => other,
        };
        let repeats = matches!(c, 'N' | ' ' | '─' | '-') && out.ends_with(c);
        let inside_number = matches!(c, '.' | ',') && out.ends_with('N');
        if !repeats && !inside_number {
            out.push(c);
        }
    }
    out.trim().to_owned()
}

/// True if `got` is what `want` says, `…` in `want` standing for any number of lines.
fn agree(want: &[String], got: &[String]) -> bool {
    match want.split_first() {
        None => got.is_empty(),
        Some((gap, rest)) if gap == "…" || gap == "..." => (0..=got.len()).any(|skip| agree(rest, &got[skip..])),
        Some((line, rest)) => got.first() == Some(line) && agree(rest, &got[1..]),
    }
}

fn lines(text: impl Iterator<Item = String>) -> Vec<String> {
    text.map(|l| masked(&l)).filter(|l| !l.is_empty()).collect()
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md");
    let shown = shown(&readme);
    assert!(!shown.is_empty(), "README.md shows no command in a ```console block");
    let mut wrong = Vec::new();
    for Shown { line, arguments, output } in &shown {
        let run = Command::new(env!("CARGO_BIN_EXE_streakstone"))
            .args(arguments)
            .current_dir(root)
            .env("NO_COLOR", "1")
            .env("COLUMNS", "120")
            .env_remove("STREAKSTONE_ROOT")
            .output()
            .expect("streakstone runs");
        let text = format!("{}\n{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
        let (want, got) = (lines(output.iter().cloned()), lines(text.lines().map(str::to_owned)));
        if !agree(&want, &got) {
            wrong.push(format!("README.md:{line}: {arguments:?}\n--- shown\n{}\n--- printed\n{}", want.join("\n"), got.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn only_blocks_that_call_the_program_count() {
    let text = "```console\n$ streakstone list 'a b' \"\"\nout 12\n$ streakstone run # note\n…\n```\n```console\n$ git status\n$ streakstone x\n```\n```sh\n$ streakstone y\n```\n```console\n$ cargo run --release\n$ cargo run --release -- check\n```\n";
    let found = shown(text);
    let arguments: Vec<Vec<String>> = found.iter().map(|s| s.arguments.clone()).collect();
    let want: [&[&str]; 4] = [&["list", "a b", ""], &["run"], &[], &["check"]];
    assert_eq!(arguments, want);
    assert_eq!(found[0].output, ["out 12"]);
}

#[test]
fn numbers_and_widths_are_masked_and_dots_stand_for_lines() {
    let own = |texts: &[&str]| lines(texts.iter().map(|t| (*t).to_owned()));
    assert_eq!(masked("│ hermes   │ 1,024 cases │ 3.5 s │"), masked("│ hermes │ 7 cases │ 12 s │"));
    assert!(agree(&own(&["a", "…", "z"]), &own(&["a", "b", "c", "z"])));
    assert!(!agree(&own(&["a", "…", "z"]), &own(&["a", "b"])));
    assert!(!agree(&own(&["a"]), &own(&["a", "b"])));
}
