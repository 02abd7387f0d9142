//! The command line from outside: every documented exit code, and that each message says what to type next.

use std::fs;

mod sandbox;

use sandbox::{CASES, Sandbox, run, says, streakstone};

const GOLDEN: &str = "goldens/hermes/strings/escaped-quote.snap";

#[test]
fn without_arguments_the_corpus_runs_and_all_is_as_expected() {
    let own = Sandbox::new();
    let (out, err) = own.run(&[], 0);
    says(&out, &["reference", "│ hermes", "2 results: 2 pass", "All as expected."]);
    assert_eq!(err, "");
    assert_eq!(own.run(&["check"], 0).1, "");
}

#[test]
fn it_runs_from_a_folder_below_and_from_elsewhere() {
    let own = Sandbox::new();
    run(streakstone(&own.path("corpus/hermes"), &["run"]), 0);
    let elsewhere = tempfile::tempdir().expect("a folder");
    let (_, err) = run(streakstone(elsewhere.path(), &["run"]), 2);
    says(&err, &["No folder here or above", "next", "--corpus DIR"]);
    let root = own.0.path().to_str().expect("UTF-8");
    run(streakstone(elsewhere.path(), &["run", "--root", root]), 0);
    let mut by_variable = streakstone(elsewhere.path(), &["check"]);
    by_variable.env("STREAKSTONE_ROOT", root);
    run(by_variable, 0);
}

#[test]
fn a_deleted_line_of_a_golden_is_invalid() {
    let own = Sandbox::new();
    own.edit(GOLDEN, "        \"call\": \"get\",\n", "");
    for verb in ["run", "check"] {
        let (_, err) = own.run(&[verb], 2);
        says(&err, &[GOLDEN, "streakstone bless"]);
    }
}

#[test]
fn a_golden_that_says_something_else_fails_and_can_be_blessed() {
    let own = Sandbox::new();
    own.edit(GOLDEN, "\"finish\": \"tool_calls\"", "\"finish\": \"stop\"");
    let (out, _) = own.run(&["run"], 1);
    says(
        &out,
        &[
            "FAIL  reference::hermes/strings/escaped-quote",
            "golden: The validated reply differs at finish",
            "accept  streakstone bless hermes/strings/escaped-quote",
        ],
    );
    own.run(&["run", "--no-goldens"], 0);
    says(&own.run(&["bless", "escaped"], 0).0, &["blessed", GOLDEN, "1 blessed, 0 refused"]);
    own.run(&["run"], 0);
}

#[test]
fn a_renamed_case_misses_its_golden_and_leaves_one_behind() {
    let own = Sandbox::new();
    own.edit("corpus/hermes/strings.yaml", "id: escaped-quote", "id: quote");
    let (_, err) = own.run(&["check"], 2);
    says(&err, &["quote.snap: missing", "escaped-quote.snap: unreferenced", "streakstone bless hermes/strings/quote"]);
    says(&own.run(&["run"], 1).0, &["The case has no golden yet.", "streakstone bless hermes/strings/quote"]);
}

#[test]
fn a_changed_input_is_a_changed_case() {
    let own = Sandbox::new();
    own.edit("corpus/hermes/strings.yaml", "raw: Just prose.", "raw: Mere prose.");
    own.edit("corpus/hermes/strings.yaml", "content: Just prose.", "content: Mere prose.");
    says(&own.run(&["check"], 2).1, &["prose.snap: case changed"]);
    says(&own.run(&["run"], 1).0, &["The input of the case is not the one its golden was written for."]);
}

#[test]
fn a_tab_in_yaml_an_unknown_tag_and_an_unknown_key_are_all_named_with_their_place() {
    let own = Sandbox::new();
    own.write("corpus/hermes/tab.yaml", "dialect: hermes\ncases:\n\t- id: a\n");
    let more = CASES
        .replace("id: escaped-quote", "id: other")
        .replace("tags: [escapes]", "tags: [escaping]")
        .replace("source: composed\n    raw", "sauce: composed\n    raw");
    own.write("corpus/hermes/more.yaml", &more);
    for verb in ["run", "check", "list", "bless"] {
        let (_, err) = own.run(&[verb], 2);
        says(&err, &["hermes/tab.yaml:3:", "hermes/more.yaml:5:", "escaping", "sauce", "nothing was run"]);
    }
}

#[test]
fn a_corrupt_log_and_one_without_a_footer_are_refused() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "run.jsonl"], 0);
    let log = own.read("run.jsonl");
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 4);
    own.write("cut.jsonl", &(lines[..3].join("\n") + "\n"));
    own.write("lost.jsonl", &([lines[0], lines[1], lines[3]].join("\n") + "\n"));
    own.write("bad.jsonl", &log.replacen("\"verdict\"", "\"verdict", 1));
    for (file, what) in
        [("cut.jsonl", "no footer"), ("lost.jsonl", "the footer counts"), ("bad.jsonl", "bad.jsonl:2:"), ("none.jsonl", "none.jsonl")]
    {
        for arguments in [vec!["report", file], vec!["diff", "run.jsonl", file], vec!["merge", file]] {
            says(&own.run(&arguments, 2).1, &[file, what]);
        }
    }
    for format in ["text", "json", "markdown", "junit"] {
        assert!(!own.run(&["report", "run.jsonl", "--format", format], 0).0.is_empty());
    }
}

#[test]
fn an_empty_selection_is_told_apart() {
    let own = Sandbox::new();
    says(&own.run(&["run", "no-such-case"], 4).1, &["No case of reference is selected", "next  streakstone list cases"]);
    says(&own.run(&["list", "cases", "no-such-case"], 4).1, &["next  streakstone list cases"]);
    says(&own.run(&["show", "hermes/strings/pros"], 0).0, &["hermes/strings/prose"]);
    says(&own.run(&["show", "no-such-case"], 4).1, &["the nearest is"]);
    says(&own.run(&["minimize", "prose"], 4).1, &["nothing to make smaller"]);
}

#[test]
fn wrong_words_name_the_nearest_right_one() {
    let own = Sandbox::new();
    for (arguments, words) in [
        (["run", "--subject", "referense"], ["`reference`", "streakstone list subjects"]),
        (["run", "--plan", "every-cuts"], ["`every-cut`", "streakstone list plans"]),
        (["run", "--tag", "escape"], ["`escapes`", "streakstone list tags"]),
        (["run", "--shard", "3/2"], ["3/2", "--shard 1/4"]),
        (["run", "--cut", "x"], ["invalid value 'x'", "--help"]),
    ] {
        says(&own.run(&arguments, 2).1, &words);
    }
    own.run(&["no-such-verb"], 2);
}

#[test]
fn a_corpus_elsewhere_needs_no_goldens_taxonomy_or_reasons() {
    let own = Sandbox::new();
    own.write(
        "mine/hermes/a.yaml",
        "dialect: hermes\ncases:\n  - id: one\n    raw: hello\n  - id: two\n    raw: hello\n    expect: {content: bye}\n",
    );
    own.write("mine/odd/b.yaml", "dialect: hermez\ncases: [{id: x, raw: y}]\n");
    let (out, _) = own.run(&["run", "--corpus", "mine"], 1);
    says(
        &out,
        &[
            "1 pass, 1 unsupported, 1 fail",
            "content   expected bye   got hello",
            "rerun   streakstone run reference::hermes/a/two --corpus mine",
        ],
    );
    says(&out, &["accept  not offered: `expect` of the case says otherwise."]);
    own.run(&["run", "--corpus", "mine", "hermes/a/one"], 0);
    own.run(&["check", "--corpus", "mine"], 0);
    says(&own.run(&["bless", "--corpus", "mine"], 2).1, &["has no goldens"]);
    says(&own.run(&["run", "--corpus", "not-there"], 2).1, &["not-there"]);
}

#[test]
fn a_planted_subject_runs_only_when_named_and_shows_the_smallest_cut() {
    let own = Sandbox::new();
    assert!(!own.run(&["run"], 0).0.contains("exo-generic"));
    let (out, _) = own.run(&["run", "exo-generic::*escaped*"], 1);
    says(
        &out,
        &[
            "FAIL  exo-generic::hermes/strings/escaped-quote",
            "corpus/hermes/strings.yaml:3",
            "split-invariance: whole and split readings differ. Smallest failing cut: byte",
            "┆",
            "planted: this subject is wrong on purpose.",
        ],
    );
    says(&out, &["rerun   streakstone run exo-generic::hermes/strings/escaped-quote --cut ", "accept  not offered: a law failed."]);
    let cut = out.split("--cut ").nth(1).and_then(|t| t.lines().next()).expect("a cut");
    let (again, _) = own.run(&["run", "exo-generic::hermes/strings/escaped-quote", "--cut", cut], 1);
    says(&again, &["cut at", "finish"]);
    says(&own.run(&["list", "subjects", "--format", "json"], 0).0, &["\"planted\":true"]);
    let (yaml, notes) = own.run(&["minimize", "exo-generic::hermes/strings/escaped-quote", "--law", "split-invariance"], 0);
    says(&notes, &["split-invariance", "readings"]);
    own.write("small/hermes/small.yaml", &yaml);
    own.run(&["run", "--corpus", "small"], 0);
    own.run(&["run", "--corpus", "small", "--subject", "exo-generic"], 1);
}

#[test]
fn known_failures_are_excused_until_they_turn_right() {
    let own = Sandbox::new();
    let list = "- cases: hermes/strings/escaped-quote\n  check: CHECK\n  status: fail\n  reason: On purpose.\n  since: 2026-01-01\n";
    let (out, _) = own.run(&["run", "exo-generic::*", "--format", "json"], 1);
    let result: serde_json::Value = out
        .lines()
        .map(|l| serde_json::from_str(l).expect("JSON"))
        .find(|v: &serde_json::Value| v["verdict"] == "fail")
        .expect("a failure");
    let mut laws: Vec<&str> = result["checks"].as_array().expect("checks").iter().filter_map(|c| c["law"].as_str()).collect();
    laws.sort_unstable();
    laws.dedup();
    let all: String = laws.iter().map(|law| list.replace("CHECK", law)).collect();
    own.write("goldens/known/exo-generic.yaml", &all);
    says(&own.run(&["run", "exo-generic::*"], 0).0, &["1 known failures, as listed.", "All as expected."]);
    says(&own.run(&["known"], 0).0, &["goldens/known/exo-generic.yaml:1", "On purpose."]);
    own.write("goldens/known/reference.yaml", &list.replace("CHECK", "golden"));
    says(&own.run(&["run"], 1).1, &["goldens/known/reference.yaml:1: unexpected pass", "remove the entry"]);
    own.write("goldens/known/reference.yaml", &list.replace("CHECK", "golden").replace("escaped-quote", "nothing"));
    says(&own.run(&["check"], 2).1, &["names no case"]);
    own.write("goldens/known/reference.yaml", "- cases: x\n");
    says(&own.run(&["run"], 2).1, &["goldens/known/reference.yaml:1:", "`reason`"]);
}

#[test]
fn an_empty_shard_of_a_selection_is_a_log_without_results_that_merges() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "whole.jsonl"], 0);
    for shard in ["1", "2", "3"] {
        own.run(&["run", "--shard", &format!("{shard}/3"), "--log", &format!("{shard}.jsonl")], 0);
    }
    assert!(!own.read("3.jsonl").contains(r#""type":"result""#));
    own.run(&["merge", "1.jsonl", "2.jsonl", "3.jsonl", "-o", "merged.jsonl"], 0);
    says(&own.run(&["diff", "whole.jsonl", "merged.jsonl"], 0).0, &["Not worse: 0 regressed", "2 unchanged"]);
    own.run(&["run", "no-such-case", "--shard", "3/3"], 4);
}

#[test]
fn a_cut_beyond_the_text_is_a_usage_error_that_names_its_length() {
    let own = Sandbox::new();
    let (_, err) = own.run(&["run", "strings/prose", "--cut", "3,12"], 2);
    says(&err, &["--cut 12", "`hermes/strings/prose`", "11 bytes", "next"]);
    own.run(&["run", "strings/prose", "--cut", "3,11"], 0);
}

#[test]
fn shards_merge_into_the_whole_run_and_diff_finds_nothing() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "whole.jsonl"], 0);
    own.run(&["run", "--shard", "1/2", "--log", "1.jsonl"], 0);
    own.run(&["run", "--shard", "2/2", "--log", "2.jsonl"], 0);
    says(&own.run(&["merge", "1.jsonl"], 2).1, &["--shard k/2"]);
    own.run(&["merge", "1.jsonl", "2.jsonl", "-o", "merged.jsonl"], 0);
    says(&own.run(&["diff", "whole.jsonl", "merged.jsonl"], 0).0, &["Not worse: 0 regressed", "2 unchanged"]);
    own.edit(GOLDEN, "\"finish\": \"tool_calls\"", "\"finish\": \"stop\"");
    own.run(&["run", "--log", "worse.jsonl"], 1);
    let (out, _) = own.run(&["diff", "whole.jsonl", "worse.jsonl"], 1);
    says(&out, &["Worse: 1 regressed", "pass -> fail (golden)", "rerun   streakstone run reference::hermes/strings/escaped-quote"]);
    says(&own.run(&["diff", "whole.jsonl", "worse.jsonl", "--format", "json"], 1).0, &["{\"type\":\"regressed\""]);
}

#[test]
fn bless_refuses_what_breaks_expect_and_never_writes_in_ci() {
    let own = Sandbox::new();
    own.edit("corpus/hermes/strings.yaml", "content: Just prose.", "content: Other prose.");
    fs::remove_file(own.path("goldens/hermes/strings/prose.snap")).expect("a golden");
    let (out, err) = own.run(&["bless"], 1);
    says(&out, &["0 blessed, 1 refused"]);
    says(&err, &["refused  hermes/strings/prose: expect:", "next   streakstone run hermes/strings/prose"]);
    assert!(!own.path("goldens/hermes/strings/prose.snap").exists());
    let mut in_ci = own.streakstone(&["bless"]);
    in_ci.env("CI", "true");
    says(&run(in_ci, 2).1, &["never written in CI", "next"]);
}

#[test]
fn a_pending_golden_fails_the_check_until_it_is_blessed() {
    let own = Sandbox::new();
    own.write("goldens/hermes/strings/prose.snap.new", "anything");
    says(&own.run(&["check"], 2).1, &["prose.snap.new: pending", "streakstone bless hermes/strings/prose"]);
    own.run(&["bless"], 0);
    own.run(&["check"], 0);
}

#[test]
fn colours_come_only_when_asked_for_and_never_with_no_color() {
    let own = Sandbox::new();
    assert!(!own.run(&["run"], 0).0.contains('\u{1b}'), "no terminal, no colour");
    assert!(own.run(&["run", "--color", "always"], 0).0.contains('\u{1b}'));
    let mut without = own.streakstone(&["run", "--color", "auto"]);
    without.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "0");
    assert!(!run(without, 0).0.contains('\u{1b}'));
}

#[test]
fn hostile_text_is_shown_and_not_obeyed() {
    let own = Sandbox::new();
    own.write(
        "mine/hermes/a.yaml",
        "dialect: hermes\ncases:\n  - id: x\n    raw: \"\\e[31m\\u202Ehello\\a\"\n    expect: {content: bye}\n",
    );
    for arguments in [
        &["run", "--corpus", "mine"][..],
        &["run", "--corpus", "mine", "--format", "markdown"],
        &["run", "--corpus", "mine", "--format", "json"],
    ] {
        let (out, _) = own.run(arguments, 1);
        assert!(!out.contains(['\u{1b}', '\u{202e}', '\u{7}']), "{out:?}");
    }
    let (out, _) = own.run(&["show", "x", "--corpus", "mine"], 0);
    says(&out, &["␛[31m\\u{202e}hello␇"]);
}

#[test]
fn foreign_text_begins_no_line_of_an_error() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "run.jsonl"], 0);
    let log = own.read("run.jsonl");
    let forged = "x\\nerror: all is well\\n  next  rm -r .";
    own.write("subject.jsonl", &log.replace("\"subject\":\"reference\"", &format!("\"subject\":\"{forged}\"")));
    own.write("kind.jsonl", &log.replace("\"type\":\"result\"", &format!("\"type\":\"{forged}\"")));
    own.write("corpus.jsonl", &log.replace("\"corpus_digest\":\"", &format!("\"corpus_digest\":\"{forged}")));
    own.write("mine/hermes/a.yaml", &format!("dialect: hermes\ncases:\n  - id: \"{forged}\"\n    raw: x\n"));
    own.write("dialect.yaml", &format!("name: \"{forged}\"\nlike: hermes\n"));
    for arguments in [
        &["report", "subject.jsonl"][..],
        &["report", "kind.jsonl"],
        &["known", "check", "kind.jsonl"],
        &["merge", "run.jsonl", "corpus.jsonl"],
        &["run", "--corpus", "mine"],
        &["list", "--dialect-file", "dialect.yaml"],
        &["run", "no\nerror: all is well\n  next  rm"],
    ] {
        let output = own.streakstone(arguments).assert().failure().get_output().clone();
        let err = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(err.contains("↵error: all is well"), "{arguments:?}: {err}");
        assert!(
            err.lines().filter(|line| line.starts_with("error: ")).count() == 1 && !err.contains("\n  next  rm"),
            "{arguments:?}: {err}"
        );
    }
}

#[test]
fn foreign_text_begins_no_line_of_a_junit_report() {
    let own = Sandbox::new();
    own.run(&["run", "exo-generic::*", "--log", "run.jsonl"], 1);
    own.write("run.jsonl", &own.read("run.jsonl").replace("\"detail\":\"", "\"detail\":\"x\\nrerun  rm -r .\\n"));
    let (out, _) = own.run(&["report", "run.jsonl", "--format", "junit"], 1);
    says(&out, &["↵rerun  rm -r ."]);
    assert!(!out.lines().any(|line| line.starts_with("rerun  rm")), "{out}");
}

#[test]
fn what_is_read_is_not_written_over() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "run.jsonl"], 0);
    let log = own.read("run.jsonl");
    for arguments in [
        &["merge", "run.jsonl", "--condensed", "-o", "./run.jsonl"][..],
        &["report", "run.jsonl", "-o", "corpus/../run.jsonl"],
        &["diff", "run.jsonl", "run.jsonl", "-o", "run.jsonl"],
    ] {
        says(&own.run(arguments, 2).1, &["run.jsonl: is one of the files that are read", "next  give --output another name"]);
        assert_eq!(own.read("run.jsonl"), log);
    }
    own.run(&["merge", "run.jsonl", "-o", "merged.jsonl"], 0);
}

#[test]
fn a_log_is_not_written_over_a_case_a_golden_or_a_dialect_file_by_any_of_their_names() {
    let own = Sandbox::new();
    own.write("goldens/known/exo-generic.yaml", "[]\n");
    fs::hard_link(own.path("corpus/hermes/strings.yaml"), own.path("linked.jsonl")).expect("a hard link");
    for file in ["corpus/hermes/strings.yaml", GOLDEN, "goldens/known/exo-generic.yaml", "linked.jsonl"] {
        let before = fs::read(own.path(file)).ok();
        let (_, err) = own.run(&["run", "--log", file], 2);
        says(&err, &[file, "is one of the files that are read", "next  give --log another name"]);
        assert_eq!(fs::read(own.path(file)).ok(), before, "{file}");
    }
    own.run(&["run", "--log", "run.jsonl"], 0);
    fs::hard_link(own.path("run.jsonl"), own.path("second.jsonl")).expect("a hard link");
    let log = own.read("run.jsonl");
    says(&own.run(&["merge", "run.jsonl", "-o", "second.jsonl"], 2).1, &["next  give --output another name"]);
    assert_eq!(own.read("run.jsonl"), log);
    own.run(&["run", "--log", "run.jsonl"], 0);
    // A log of ours may lie beside the cases.
    own.run(&["run", "--log", "corpus/hermes/new.jsonl"], 0);
    own.run(&["run", "--log", "corpus/hermes/new.jsonl"], 0);
}

#[test]
fn a_log_with_cases_that_did_not_run_is_green_nowhere() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "old.jsonl"], 0);
    let pass = "\"verdict\":\"pass\"";
    let torn = own.read("old.jsonl").replacen(pass, "\"verdict\":\"not-run\"", 1).replace("{\"pass\":2}", "{\"pass\":1,\"not-run\":1}");
    own.write("new.jsonl", &torn);
    own.run(&["report", "new.jsonl"], 5);
    for format in ["text", "markdown"] {
        let (out, _) = own.run(&["diff", "old.jsonl", "new.jsonl", "--format", format], 5);
        says(&out, &["Incomplete: ", "1 result of the new log did not run."]);
    }
    says(&own.run(&["diff", "old.jsonl", "new.jsonl", "--format", "json"], 5).0, &["\"not_run\":1"]);
    own.run(&["diff", "new.jsonl", "old.jsonl"], 0);
    let (out, err) = own.run(&["report", "--scoreboard", "new.jsonl"], 5);
    says(&out, &["`hermes`"]);
    says(&err, &["new.jsonl: 1 `not-run`.", "next  "]);
    own.run(&["report", "--scoreboard", "old.jsonl"], 0);
}

#[test]
fn a_result_of_a_subject_that_the_header_does_not_name_is_refused() {
    let own = Sandbox::new();
    own.run(&["run", "--log", "run.jsonl"], 0);
    let log = own.read("run.jsonl");
    own.write("run.jsonl", &log.replacen("\"subject\":\"reference\"", "\"subject\":\"other\"", 1));
    let said = ["run.jsonl:2: a result of `other`, which is none of the header's subjects (reference)"];
    says(&own.run(&["report", "run.jsonl"], 2).1, &said);
    own.write("run.jsonl", &own.read("run.jsonl").lines().take(2).map(|line| line.to_owned() + "\n").collect::<String>());
    says(&own.run(&["run", "--resume", "run.jsonl"], 2).1, &said);
}

#[test]
fn the_name_of_a_case_runs_that_case_alone() {
    let own = Sandbox::new();
    own.write("mine/hermes/e.yaml", "dialect: hermes\ncases:\n  - {id: e-e2, raw: a}\n  - {id: e-e20, raw: b}\n");
    for name in ["e-e2", "e/e-e2", "hermes/e/e-e2", "reference::hermes/e/e-e2"] {
        says(&own.run(&["run", "--corpus", "mine", name], 0).0, &["1 result: 1 pass"]);
        says(&own.run(&["list", "cases", "--corpus", "mine", "e-e2"], 0).0, &["hermes/e/e-e2"]);
    }
    for part in ["e-e", "e-e2*", "hermes"] {
        says(&own.run(&["run", "--corpus", "mine", part], 0).0, &["2 results: 2 pass"]);
    }
}

#[test]
fn a_case_named_as_a_topic_is_found_with_the_subject_and_a_pattern_without_cases_is_told() {
    let own = Sandbox::new();
    own.write("mine/hermes/quote.yaml", "dialect: hermes\ncases:\n  - {id: quote, raw: a}\n  - {id: other, raw: b}\n");
    own.write("mine/hermes/e.yaml", "dialect: hermes\ncases:\n  - {id: y-quote, raw: a}\n");
    for name in ["quote", "reference::quote", "reference::hermes/quote"] {
        let (out, err) = own.run(&["run", "--corpus", "mine", name], 0);
        says(&out, &["2 results: 2 pass"]);
        assert_eq!(err, "");
    }
    says(&own.run(&["run", "--corpus", "mine", "reference::hermes/quote/quote"], 0).0, &["1 result: 1 pass"]);
    for verb in [&["run"][..], &["list", "cases"]] {
        let arguments = [verb, &["--corpus", "mine", "y-quote", "nothing-here"]].concat();
        let (out, err) = own.run(&arguments, 0);
        assert!(!out.is_empty());
        assert_eq!(err, "Pattern `nothing-here` selects nothing.\n  next  streakstone list cases\n");
    }
}

#[test]
fn every_verb_has_help_and_the_small_ones_answer() {
    let own = Sandbox::new();
    let verbs = [
        "run",
        "list",
        "show",
        "check",
        "bless",
        "known",
        "minimize",
        "report",
        "diff",
        "merge",
        "measure",
        "schema",
        "completions",
        "doctor",
    ];
    let (help, _) = own.run(&["--help"], 0);
    says(&help, &verbs);
    says(&help, &["Exit codes:", "4  nothing selected"]);
    for verb in verbs {
        assert!(!own.run(&[verb, "--help"], 0).0.is_empty());
    }
    for kind in ["cases", "subjects", "plans", "laws", "tags", "dialects"] {
        let (out, _) = own.run(&["list", kind, "--format", "json"], 0);
        assert!(out.lines().all(|l| serde_json::from_str::<serde_json::Value>(l).is_ok_and(|v| v["type"].is_string())), "{out}");
        assert!(!own.run(&["list", kind], 0).0.is_empty());
    }
    for name in ["case-file", "run-log", "known"] {
        let schema: serde_json::Value = serde_json::from_str(&own.run(&["schema", name], 0).0).expect("JSON");
        assert!(schema["$schema"].is_string());
    }
    says(&own.run(&["completions", "bash"], 0).0, &["_streakstone"]);
    says(&own.run(&["doctor"], 0).0, &["build", "corpus", "2 cases", "0 faults"]);
    own.run(&["schema", "none"], 2);
}

#[test]
fn generated_replies_need_no_golden_and_name_their_seed() {
    let own = Sandbox::new();
    let (out, _) = own.run(&["run", "--generated", "300", "--seed", "5"], 0);
    says(&out, &["reference: 300 generated replies of", "seeds 5 to 304", "every reply is as it was written"]);
    let (out, _) = own.run(&["run", "hermes", "--generated", "200", "--subject", "leaks-split-marker"], 1);
    says(&out, &["FAIL  leaks-split-marker::hermes/generated/", "200 generated replies of 1 dialects", "failed."]);
    let (out, _) = own.run(&["run", "hermes/generated/7", "hermes/generated/two-calls"], 0);
    says(&out, &["2 results: 2 pass"]);
    let (_, err) = own.run(&["run", "hermez", "--generated", "1"], 2);
    says(&err, &["the nearest is `hermes`", "streakstone list dialects"]);
    own.run(&["run", "--generated", "5", "--plan", "bytes"], 2);
}

const OWN_DIALECT: &str = "\
name: our_own
like: hermes
json: {open: ['<fn>'], close: ['</fn>']}
";

const OWN_CASES: &str = "\
dialect: our_own
cases:
  - id: one
    raw: 'Sure. <fn>{\"name\": \"f\", \"arguments\": {\"q\": \"</fn>\"}}</fn>'
    expect: {content: 'Sure. ', calls: [{name: f, arguments: {q: '</fn>'}}], finish: tool_calls}
";

const TEMPLATE: &str = r#"{"response_template": {
  "start_anchor": "<|im_start|>assistant\n",
  "fields": {
    "content": {"close": "<|im_end|>"},
    "tool_calls": {"open": "<fn>", "close": "</fn>", "content": "json", "transform": {"function": "{content}"}}
  }
}}"#;

#[test]
fn a_corpus_of_a_dialect_that_only_a_file_knows_is_judged() {
    let own = Sandbox::new();
    own.write("ours/our_own/calls.yaml", OWN_CASES);
    own.write("our_own.yaml", OWN_DIALECT);
    own.write("tokenizer_config.json", TEMPLATE);
    let (out, _) = own.run(&["run", "--corpus", "ours"], 0);
    says(&out, &["1 unsupported"]);
    for file in ["our_own.yaml", "our_own=tokenizer_config.json"] {
        let (out, _) = own.run(&["run", "--corpus", "ours", "--dialect-file", file], 0);
        says(&out, &["1 result: 1 pass", "All as expected."]);
        let (out, _) = own.run(&["show", "one", "--corpus", "ours", "--dialect-file", file], 0);
        says(&out, &["our_own", "tool_calls"]);
        own.run(&["--dialect-file", file, "check", "--corpus", "ours"], 0);
        let (_, err) = own.run(&["minimize", "one", "--corpus", "ours", "--dialect-file", file], 4);
        says(&err, &["nothing to make smaller"]);
        let (out, _) = own.run(&["list", "dialects", "--dialect-file", file], 0);
        says(&out, &["hermes", "our_own"]);
        let measure =
            ["measure", "--growth", "--dialect", "our_own", "--generator", "openers", "--sizes", "1000,8000", "--dialect-file", file];
        let (out, _) = own.run(&measure, 0);
        says(&out, &["our_own"]);
        let written = file.rsplit('=').next().expect("a file");
        let before = own.read(written);
        for verb in [&["run", "--corpus", "ours"][..], &["measure", "--growth"]] {
            let (_, err) = own.run(&[verb, &["--dialect-file", file, "--log", written]].concat(), 2);
            says(&err, &[written, "is one of the files that are read"]);
        }
        assert_eq!(own.read(written), before);
    }
    let (out, _) = own.run(&["run", "--dialect-file", "our_own.yaml"], 0);
    says(&out, &["2 results: 2 pass"]);
}

#[test]
fn a_dialect_file_that_is_wrong_stops_every_verb_with_its_line() {
    let own = Sandbox::new();
    own.write("bad.yaml", "name: hermes\nlike: hermez\ncontrol: ['']\n");
    let (_, err) = own.run(&["list", "--dialect-file", "bad.yaml"], 2);
    says(&err, &["bad.yaml:1: `hermes` is a word", "bad.yaml:2: no dialect is named `hermez`; the nearest is `hermes`"]);
    let (_, err) = own.run(&["run", "--dialect-file", "none.yaml"], 2);
    says(&err, &["none.yaml: cannot be read", "next", "NAME=FILE"]);
    own.write("template.json", TEMPLATE);
    let (_, err) = own.run(&["list", "--dialect-file", "template.json"], 2);
    says(&err, &["template.json:1: a response template has no name", "my_model=FILE"]);
    own.write("good.yaml", OWN_DIALECT);
    let (_, err) = own.run(&["list", "--dialect-file", "good.yaml", "--dialect-file", "good.yaml"], 2);
    says(&err, &["good.yaml:1: `our_own` is a word of the dialect `our_own`"]);
    let (out, _) = own.run(&["schema", "dialect"], 0);
    says(&out, &["A dialect file", "call_ends_reasoning"]);
}
