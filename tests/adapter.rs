//! Adapters from outside: `run --adapter`, `adapter smoke`, `fake` and `serve`.

use assert_cmd::Command;

fn streakstone() -> Command {
    Command::cargo_bin("streakstone").expect("the program")
}

/// This program with these words, as the command of an adapter.
fn own(words: &str) -> String {
    format!("{} adapter {words}", env!("CARGO_BIN_EXE_streakstone"))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_reference_behind_the_protocol_passes_and_the_log_says_what_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("run.jsonl");
    let out = streakstone()
        .args(["run", "--adapter", &own("serve reference"), "hermes/strings", "lfm2/strings", "--log"])
        .arg(&log)
        .assert()
        .code(0);
    assert!(text(&out.get_output().stdout).contains("reference-served"));
    let log = std::fs::read_to_string(log).unwrap();
    let header: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    assert_eq!(header["subjects"], serde_json::json!(["reference-served"]));
    assert_eq!(header["about"]["reference-served"]["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_broken_adapter_is_a_fault_and_the_command_to_run_again_has_it() {
    let command = own("fake garbage");
    let out = streakstone().args(["run", "--adapter", &command, "hermes/strings/escaped-quote"]).assert().code(3);
    let shown = text(&out.get_output().stdout);
    assert!(shown.contains("no JSON"), "{shown}");
    let failing = streakstone().args(["run", "--adapter", &own("fake rejected"), "hermes/strings/escaped-quote"]).assert().code(1);
    let shown = text(&failing.get_output().stdout);
    assert!(shown.contains("--adapter '") && shown.contains("fake rejected'"), "{shown}");
}

#[test]
fn an_adapter_that_does_not_start_ends_with_3_and_the_next_command() {
    let out = streakstone().args(["run", "--adapter", "no-such-program-anywhere", "hermes"]).assert().code(3);
    let said = text(&out.get_output().stderr);
    assert!(said.contains("cannot be started") && said.contains("streakstone adapter smoke no-such-program-anywhere"), "{said}");
    streakstone().args(["run", "--adapter", "'", "hermes"]).assert().code(2);
}

#[test]
fn smoke_has_ten_lines_and_says_what_to_do() {
    let out = streakstone().args(["adapter", "smoke", &own("serve reference")]).assert().code(0);
    let shown = text(&out.get_output().stdout);
    assert_eq!(shown.lines().filter(|line| line.starts_with("ok ")).count(), 10, "{shown}");
    for (mode, said) in
        [("no-hello", "hello"), ("garbage", "no JSON"), ("missing-readings", "readings are missing"), ("raised", "it raised")]
    {
        let out = streakstone().args(["adapter", "smoke", &own(&format!("fake {mode}"))]).assert().code(3);
        let shown = text(&out.get_output().stdout);
        assert!(shown.contains("FAIL") && shown.contains(said) && shown.contains("next  "), "{mode}: {shown}");
    }
}

#[test]
fn show_gives_each_event_the_chunk_it_came_with() {
    let by = |more: &[&str]| {
        let out = streakstone().args(["show", "hermes/strings/escaped-quote", "--cut", "52"]).args(more).assert().code(0);
        let shown = text(&out.get_output().stdout);
        let steps = shown.lines().filter(|line| line.trim_start().starts_with("args 0") || line.trim_start().starts_with("call 0"));
        steps.map(|line| line.split(" id ").next().unwrap_or_default().to_owned()).collect::<Vec<_>>()
    };
    let own = by(&["--adapter", &own("serve reference")]);
    assert!(!own.is_empty());
    assert!(by(&[]).starts_with(&own), "the validated reading comes first");
}

#[test]
fn an_adapter_of_unknown_dialects_is_not_green() {
    let out = streakstone().args(["run", "--adapter", &own("fake unknown-dialects"), "hermes/strings"]).assert().code(3);
    let said = text(&out.get_output().stderr);
    assert!(said.contains("knows none of its dialects: `hermez` (the nearest is `hermes`), `lfm↵error: none`"), "{said}");
    assert!(said.contains("next  streakstone list dialects"), "{said}");
    assert_eq!(said.lines().filter(|line| line.starts_with("error: ")).count(), 1, "no text of the adapter begins a line: {said}");
    let out = streakstone().args(["adapter", "smoke", &own("fake unknown-dialects")]).assert().code(3);
    assert!(text(&out.get_output().stdout).contains("`hermez` (the nearest is `hermes`)"));
}

#[test]
fn an_adapter_that_reads_none_of_the_cases_leaves_the_run_incomplete() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("corpus/odd")).unwrap();
    std::fs::write(folder.path().join("corpus/odd/a.yaml"), "dialect: hermez\ncases: [{id: x, raw: y}]\n").unwrap();
    let corpus = folder.path().join("corpus");
    let run = |more: &[&str], code| {
        let adapter = own("serve reference");
        let out = streakstone().args(["run", "--adapter", &adapter, "--corpus"]).arg(&corpus).args(more).assert().code(code);
        text(&out.get_output().stderr)
    };
    let said = run(&[], 5);
    assert!(said.contains("reference-served: nothing was judged") && said.contains("next  "), "{said}");
    let log = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(run(&["--shard", "1/1", "--log", &log("shard.jsonl")], 0), "", "a shard may have none that it reads");
    run(&["--log", &log("whole.jsonl")], 5);
    streakstone().args(["report", &log("shard.jsonl")]).assert().code(0);
    let merged = log("merged.jsonl");
    for arguments in [
        &["merge", &log("shard.jsonl"), "-o", &merged][..],
        &["report", &merged],
        &["merge", &log("whole.jsonl")],
        &["merge", &log("whole.jsonl"), "--condensed"],
        &["report", &log("whole.jsonl"), "--format", "junit"],
    ] {
        let out = streakstone().args(arguments).assert().code(5);
        assert!(text(&out.get_output().stderr).contains("reference-served: nothing was judged"), "{arguments:?}");
    }
}

#[test]
fn what_an_adapter_declares_stands_in_the_log_and_another_declaration_is_another_run() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("run.jsonl");
    let run = |option: &str, code| {
        let adapter = own("serve reference");
        let out = streakstone().args(["run", "--adapter", &adapter, "hermes/strings", option]).arg(&log).assert().code(code);
        text(&out.get_output().stderr)
    };
    run("--log", 0);
    let whole = std::fs::read_to_string(&log).unwrap();
    let about = r#""outside":true,"modes":["whole","stream"],"unit":"bytes","tells":["ids","reasoning","order","finish"]"#;
    assert!(whole.contains(about), "{}", whole.lines().next().unwrap_or_default());
    let begun: String = whole.lines().take(2).map(|line| line.to_owned() + "\n").collect();
    for (now, before, said) in [
        (r#"["whole","stream"]"#, r#"["stream"]"#, "its list of modes was `stream`, now it is `whole, stream`"),
        (r#""unit":"bytes""#, r#""unit":"text""#, "its unit was `text`, now it is `bytes`"),
        (r#""tells":["ids","#, r#""tells":["#, "its list of what it tells was `reasoning, order, finish`"),
    ] {
        std::fs::write(&log, begun.replacen(now, before, 1)).unwrap();
        let err = run("--resume", 2);
        assert!(err.contains(said), "{err}");
    }
    std::fs::write(&log, begun).unwrap();
    run("--resume", 0);
}

#[test]
fn a_log_is_not_written_over_the_script_of_an_adapter() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("adapter.py");
    std::fs::write(&script, "print()\n").unwrap();
    let command = format!("no-such-program-anywhere {}", script.display());
    let out = streakstone().args(["measure", "--growth", "--adapter", &command, "--log"]).arg(&script).assert().code(2);
    assert!(text(&out.get_output().stderr).contains("give --log another name"));
    let command = format!("{} --faux={}", own("serve reference"), script.display());
    let out = streakstone().args(["run", "--adapter", &command, "hermes/strings", "--log"]).arg(&script).assert().code(2);
    assert!(text(&out.get_output().stderr).contains("give --log another name"));
    assert_eq!(std::fs::read_to_string(&script).unwrap(), "print()\n");
}

#[test]
fn a_word_after_the_last_answer_is_a_fault_that_the_log_has() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("run.jsonl");
    for mode in ["last-words", "noisy-stdout"] {
        let adapter = own(&format!("fake {mode}"));
        let arguments = ["run", "--adapter", &adapter, "hermes/strings/escaped-quote", "--log"];
        let out = streakstone().args(arguments).arg(&log).assert().code(3);
        assert!(text(&out.get_output().stdout).contains("after its last answer it wrote a line that nobody asked for"), "{mode}");
        streakstone().arg("report").arg(&log).assert().code(3);
    }
    let out = streakstone().args(["adapter", "smoke", &own("fake last-words")]).assert().code(3);
    assert!(text(&out.get_output().stdout).contains("FAIL  11  stop: does it end in silence?"));
}

#[test]
fn an_adapter_that_closes_its_input_is_a_fault_and_no_hang() {
    let out = streakstone().args(["run", "--adapter", &own("fake deaf-for-good"), "hermes/strings/escaped-quote"]).assert().code(3);
    assert!(text(&out.get_output().stdout).contains("it closed its standard input, and did not answer"));
}

#[test]
fn the_modes_of_the_faux_adapter_are_listed() {
    let out = streakstone().args(["adapter", "fake"]).assert().code(0);
    assert!(text(&out.get_output().stdout).lines().count() > 20);
    streakstone().args(["adapter", "fake", "gabrage"]).assert().code(2);
}

#[test]
fn an_adapter_that_measures_nothing_has_no_exponent() {
    for (mode, says) in [
        ("serve reference", "names no `clock`"),
        ("fake garbage", "not measured: it wrote a line"),
        ("fake crash", "not measured: it died"),
    ] {
        let arguments = ["measure", "--growth", "--dialect", "hermes", "--generator", "call-json-repeated-openers", "--sizes", "1000,8000"];
        let out = streakstone().args(arguments).args(["--adapter", &own(mode)]).assert().code(3);
        let err = text(&out.get_output().stderr);
        assert!(err.contains(says), "{mode}: {err}");
        assert!(!text(&out.get_output().stdout).contains("as expected"), "{mode}");
    }
}
