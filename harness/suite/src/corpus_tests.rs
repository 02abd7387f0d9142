use std::fs;

use streakstone_model::json::Json;
use streakstone_model::{End, Finish, Lookup, ToolChoice};
use tempfile::TempDir;

use super::*;
use crate::case::Source;

/// A corpus of these files.
fn corpus(files: &[(&str, &str)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = dir.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    dir
}

/// The errors, without the corpus' own path, of a corpus that is refused.
fn errors_of(dir: &TempDir, strictness: Strictness) -> Vec<String> {
    let prefix = format!("{}/", dir.path().display());
    let errors = Corpus::load(dir.path(), strictness).unwrap_err();
    errors.0.iter().map(|e| e.to_string().replace(&prefix, "")).collect()
}

fn errors(files: &[(&str, &str)]) -> Vec<String> {
    errors_of(&corpus(files), Strictness::External)
}

/// The only error of `a/t.yaml` with this text.
fn error(text: &str) -> String {
    let mut all = errors(&[("a/t.yaml", text)]);
    assert_eq!(all.len(), 1, "{all:#?}");
    all.remove(0)
}

/// The error of one case in flow style; the case begins at 3:3.
fn case_error(case: &str) -> String {
    error(&format!("dialect: hermes\ncases:\n- {{{case}}}\n"))
}

fn check(said: &str, want: &str) {
    assert!(said.starts_with(want), "\n  said {said}\n  want {want}");
}

#[test]
fn every_key_is_read() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let corpus = Corpus::load(&dir, Strictness::Own).map_err(|e| e.to_string()).unwrap();
    assert_eq!(corpus.digest.len(), 64);
    assert_eq!(corpus.cases.len(), 5);
    let all = corpus.case("hermes/every-key/all").unwrap();
    assert_eq!((all.file.as_path(), all.line), (Path::new("corpus/hermes/every-key.yaml"), 4));
    assert_eq!(all.raw, b"<tool_call>\n{\"name\": \"get\", \"arguments\": {\"q\": \"a\\\"b\"}}\n</tool_call>");
    assert_eq!(all.chunks, [vec![12], vec![0, 12, 12]]);
    assert_eq!(all.tools.as_ref().unwrap()[0].name, "get");
    assert_eq!(all.source, Source::Public("vllm-project/vllm#12345".to_owned()));
    assert!(matches!(all.dialect, Lookup::Known(row) if row.name == "hermes"));
    let expect = &all.expect;
    assert_eq!((expect.content.as_deref(), expect.reasoning.as_deref(), expect.finish), (Some(""), Some(""), Some(Finish::ToolCalls)));
    assert_eq!(expect.calls.as_ref().unwrap()[0].arguments, r#"{"q":"a\"b"}"#);
    assert_eq!(all.under.len(), 2);
    assert_eq!(all.under[1].1.changed(), ["undeclared=drop", "names=folded"]);

    let disputed = corpus.case("hermes/every-key/disputed").unwrap();
    assert!(
        matches!(&disputed.source, Source::Recorded { revision, sampling, .. } if revision == "1.0" && sampling == r#"{"temperature":0.7}"#)
    );
    assert_eq!(disputed.pieces, Some(vec![1, 3]));
    assert_eq!(disputed.raw, "a⟨".as_bytes());
    assert_eq!((disputed.end, disputed.reasoning_open, disputed.parallel_tool_calls), (End::Length, true, false));
    assert_eq!(disputed.tool_choice, ToolChoice::Function("f".to_owned()));
    assert_eq!(disputed.expect, disputed.one_of[0].0);
    assert_eq!(disputed.one_of[1].0.calls.as_ref().unwrap()[0].arguments, r#"{"n": 9007199254740993}"#);

    let bytes = corpus.case("hermes/every-key/bytes").unwrap();
    assert_eq!(bytes.raw, b"\xff\0ab");
    assert_eq!((bytes.tools.as_ref().map(|t| t.len()), bytes.expect.calls.as_deref()), (Some(0), Some(&[][..])));
    assert_eq!((bytes.end, &bytes.source), (End::StopString, &Source::Composed));
    let generated = corpus.case("hermes/every-key/generated").unwrap();
    assert_eq!(generated.generate.as_ref().unwrap().repeat, 9);
    assert_eq!((generated.raw.len(), generated.tools.is_none()), (99, true));
    assert_eq!(corpus.case("hermes/every-key/from-file").unwrap().raw, "é\r\nx".as_bytes());
    assert_eq!(corpus.case("hermes/every-key/no"), None);
    assert_eq!(corpus.nearest("hermes/every-key/al"), Some("hermes/every-key/all"));
}

#[test]
fn names_come_from_the_path_and_other_folders_are_left_alone() {
    let file = "dialect: qwen25\ncases: [{id: x, raw: hi}]\n";
    let dir = corpus(&[
        ("any-folder/t.yaml", file),
        ("recorded/m-1.5/t.yml", file),
        ("adversarial/t.yaml", file),
        ("scenarios/s.yaml", "not: a case file"),
        ("README.md", "notes"),
        (".hidden/x.yaml", "\t"),
        ("any-folder/.x.yaml", "\t"),
        ("any-folder/notes.txt", "notes"),
    ]);
    let corpus = Corpus::load(dir.path(), Strictness::External).unwrap();
    let names: Vec<&str> = corpus.cases.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["adversarial/t/x", "any-folder/t/x", "recorded/m-1.5/t/x"]);
    let case = &corpus.cases[0];
    assert!(case.file.ends_with("adversarial/t.yaml"));
    assert!(matches!(case.dialect, Lookup::Known(row) if row.name == "hermes"));
    assert_eq!((case.why.as_str(), &case.source, case.tags.len()), ("", &Source::Unstated, 0));
    assert!(corpus.taxonomy.is_none());
}

#[test]
fn an_unknown_dialect_is_no_error() {
    let dir = corpus(&[("a/t.yaml", "dialect: hermez\ncases: [{id: x, raw: hi, tags: [any]}]\n")]);
    let corpus = Corpus::load(dir.path(), Strictness::External).unwrap();
    assert_eq!(corpus.cases[0].dialect, Lookup::Unknown { nearest: "hermes" });
    assert_eq!(corpus.cases[0].dialect_word, "hermez");
}

#[test]
fn a_file_that_begins_with_a_bracket_is_json() {
    let text = "  {\"dialect\": \"hermes\",\n \"cases\": [\n  {\"id\": \"x\", \"raw\": \"👩\\u2028\u{2028}\\ud83d\\udc69\", \"expect\": {\"calls\": [{\"name\": \"f\", \"arguments\": {\"n\": 1e400, \"m\": 9007199254740993}}]}}]}";
    let dir = corpus(&[("a/t.yaml", text), ("a/u.json", "{\"dialect\": \"hermes\", \"cases\": [{\"id\": \"x\", \"raw\": \"\"}]}")]);
    let corpus = Corpus::load(dir.path(), Strictness::External).unwrap();
    let case = corpus.case("a/t/x").unwrap();
    assert_eq!((std::str::from_utf8(&case.raw).unwrap(), case.line), ("👩\u{2028}\u{2028}👩", 3));
    let arguments = &case.expect.calls.as_ref().unwrap()[0].arguments;
    assert_eq!(arguments, r#"{"n":1e400,"m":9007199254740993}"#);
    assert!(corpus.case("a/u/x").is_some());
    check(&error("{\"dialect\": \"hermes\",\n\"cases\": [,]}"), "a/t.yaml:2:11: not JSON: expected value");
    check(&error("{\"dialect\": \"x\", \"cases\": [{\"id\": \"y\",\n \"id\": \"z\", \"raw\": \"\"}]}"), "a/t.yaml:2:2: duplicate key `id`");
}

#[test]
fn numbers_and_yaml_words_in_arguments_keep_their_meaning() {
    let text = "dialect: hermes\ncases:\n- id: x\n  raw: ''\n  expect:\n    calls:\n    - name: f\n      arguments: {a: 123456789012345678901234567890, b: yes, c: true, d: null, e: 0.1, f: 'no', on: [1.50]}\n";
    let dir = corpus(&[("a/t.yaml", text)]);
    let corpus = Corpus::load(dir.path(), Strictness::External).unwrap();
    let arguments = &corpus.cases[0].expect.calls.as_ref().unwrap()[0].arguments;
    let want = r#"{"a":123456789012345678901234567890,"b":"yes","c":true,"d":null,"e":0.1,"f":"no","on":[1.5]}"#;
    assert_eq!(Json::parse(arguments).unwrap(), Json::parse(want).unwrap());
    check(&case_error("id: x, raw: '', expect: {calls: [{name: f, arguments: {a: 007}}]}"), "a/t.yaml:3:62: `007` is no JSON number");
}

#[test]
fn a_tab_in_yaml_is_named_with_its_place() {
    check(&error("dialect: hermes\ncases:\n  - id: x\n\traw: hi\n"), "a/t.yaml:4:1: a tab in the indentation");
}

#[test]
fn syntax_errors_stop_a_file_and_all_other_errors_are_told_at_once() {
    let said = errors(&[
        ("a/t.yaml", "dialect: hermes\ncases:\n- {id: x, raw: 5}\n- {id: y}\n- {id: y, raw: '', sfot: true}\n"),
        ("a/u.yaml", "dialect: \"hermes\ncases: [\n"),
        ("b/v.yaml", "dialect: [1]\ncases: [{id: x, raw: ''}, {id: x, raw: ''}]\n"),
    ]);
    let want = [
        "a/t.yaml:3:16: `raw` must be a string, not a number; put it in quotes",
        "a/t.yaml:4:3: the case has no text; give exactly one of",
        "a/t.yaml:5:20: unknown key `sfot` in a case; did you mean `soft`?",
        "a/u.yaml:1:10: not YAML: ",
        "b/v.yaml:1:10: `dialect` must be a string, not a list",
        "b/v.yaml:2:27: duplicate id `x`, first on line 2",
    ];
    assert_eq!(said.len(), want.len(), "{said:#?}");
    said.iter().zip(want).for_each(|(said, want)| check(said, want));
    let text = Corpus::load(&corpus(&[("a/t.yaml", "")]).path().join("none"), Strictness::Own).unwrap_err().to_string();
    assert!(text.contains("none:1:1: cannot be read") && text.ends_with("run the same command again"), "{text}");
}

#[test]
fn an_unknown_tag_gets_the_nearest_one() {
    let case = "dialect: hermes\ncases:\n- {id: x, raw: '', tags: [escapes, escaped, 5]}\n";
    let said = errors(&[("taxonomy.yaml", "escapes: E.\nunicode: U.\n"), ("a/t.yaml", case)]);
    check(&said[0], "a/t.yaml:3:36: unknown tag `escaped`; did you mean `escapes`? The tags are listed in taxonomy.yaml");
    check(&said[1], "a/t.yaml:3:45: a tag must be a word, not a number");
    let said = errors(&[("taxonomy.yaml", "- escapes\n"), ("a/t.yaml", "dialect: h\ncases: [{id: x, raw: ''}]\n")]);
    check(&said[0], "taxonomy.yaml:1:1: the taxonomy must map each tag to one line");
    check(&case_error("id: x, raw: '', tags: [a, a]"), "a/t.yaml:3:30: tag `a` stands twice");
}

#[test]
fn a_duplicate_id_is_an_error_in_one_file_only() {
    check(&error("dialect: h\ncases:\n- {id: x, raw: ''}\n- {id: x, raw: ''}\n"), "a/t.yaml:4:3: duplicate id `x`, first on line 3");
    let file = "dialect: h\ncases: [{id: x, raw: ''}]\n";
    assert!(Corpus::load(corpus(&[("a/t.yaml", file), ("a/u.yaml", file)]).path(), Strictness::External).is_ok());
    check(&errors(&[("a/t.yaml", file), ("a/t.yml", file)])[0], "a/t.yml:1:1: a second case file `a/t` next to");
}

#[test]
fn unknown_tools_and_broken_schemas_are_errors() {
    let case = "dialect: h\ncases: [{id: x, raw: '', tools: wether}, {id: y, raw: '', tools: bad}]\n";
    let said = errors(&[
        ("toolsets/weather.yaml", "[]"),
        ("toolsets/bad.yaml", "- {type: function, function: {name: f, parameters: {type: objekt}}}\n"),
        ("a/t.yaml", case),
    ]);
    assert_eq!(said.len(), 2, "{said:#?}");
    check(&said[0], "a/t.yaml:2:33: unknown tools `wether`; did you mean `weather`?");
    check(&said[1], "toolsets/bad.yaml:1:3: the parameters of tool `f` are no valid JSON Schema");
    check(&case_error("id: x, raw: '', tools: [{name: f}]"), "a/t.yaml:3:28: not an OpenAI tool object: unknown field `name`");
}

#[test]
fn a_text_has_exactly_one_form() {
    check(&case_error("id: x, raw: a, raw_base64: YQ=="), "a/t.yaml:3:3: the case has its text 2 times (raw, raw_base64)");
    check(&case_error("id: x, raw: null"), "a/t.yaml:3:16: `raw` must be a string, not null");
    check(&case_error("id: x, raw_base64: '?'"), "a/t.yaml:3:23: `raw_base64` is no base64");
    check(&case_error("id: x, pieces: [a, 5]"), "a/t.yaml:3:23: item 2 of `pieces` must be a string");
    check(&case_error("id: x, pieces: [{base64: YQ==, x: 1}]"), "a/t.yaml:3:35: unknown key `x` in a piece");
    check(&case_error("id: x, generate: {unit: a}"), "a/t.yaml:3:21: `generate` needs `repeat`");
    check(&case_error("id: x, generate: {unit: '', repeat: 2}"), "a/t.yaml:3:21: `generate` needs `unit`");
    check(&case_error("id: x, generate: {unit: aa, repeat: 99999999}"), "a/t.yaml:3:21: `generate` makes more than");
    check(&case_error("id: x, generate: {unit: aa, repeat: -1}"), "a/t.yaml:3:40: `repeat` must be a whole number above 0");
}

#[test]
fn a_chunking_that_does_not_join_is_an_error() {
    let said = errors(&[("a/t.yaml", "dialect: h\ncases: [{id: x, raw: abc, chunks: [[a, bc], [a, b], [a, xc], a, [1]]}]\n")]);
    let want = [
        "a/t.yaml:2:45: chunking 2 does not join to the raw text: 2 bytes against 3, the first difference is at byte 2",
        "a/t.yaml:2:53: chunking 3 does not join to the raw text: 3 bytes against 3, the first difference is at byte 1",
        "a/t.yaml:2:62: `chunks` must be a list of strings",
        "a/t.yaml:2:66: item 1 of `chunks` must be a string",
    ];
    assert_eq!(said.len(), want.len(), "{said:#?}");
    said.iter().zip(want).for_each(|(said, want)| check(said, want));
}

#[test]
fn a_raw_file_stays_inside_the_corpus() {
    for (name, want) in [
        ("/etc/passwd", "it must lie inside the corpus"),
        ("../../../../../../../etc/passwd", "lies outside the corpus"),
        ("none.txt", "cannot be read"),
        ("", "it must lie inside the corpus"),
    ] {
        let said = case_error(&format!("id: x, raw_file: '{name}'"));
        check(&said, "a/t.yaml:3:21: raw_file");
        assert!(said.contains(want), "{said}");
    }
}

#[test]
fn what_the_digest_covers() {
    let file = "dialect: h\ncases: [{id: x, raw_file: ../texts/r.txt}]\n";
    let digest = |name: &str, raw: &str, notes: &str| {
        let dir = corpus(&[(name, file), ("texts/r.txt", raw), ("README.md", notes)]);
        Corpus::load(dir.path(), Strictness::External).unwrap().digest
    };
    let base = digest("a/t.yaml", "1", "n");
    assert_eq!(base, digest("a/t.yaml", "1", "m"));
    assert_ne!(base, digest("a/t.yaml", "2", "n"));
    assert_ne!(base, digest("a/u.yaml", "1", "n"));
}

#[test]
fn words_of_closed_lists_are_checked() {
    check(&case_error("id: x, raw: '', end: done"), "a/t.yaml:3:25: `end` must be one of stop, length, stop_string, not `done`");
    check(&case_error("id: x, raw: '', soft: yes"), "a/t.yaml:3:26: `soft` must be true or false, not a string");
    check(&case_error("id: x, raw: '', prompt: {reasoning: shut}"), "a/t.yaml:3:40: `reasoning` must be one of closed, open");
    check(&case_error("id: x, raw: '', request: {tool_choice: some}"), "a/t.yaml:3:43: `tool_choice` must be auto, none, required");
    check(&case_error("id: x, raw: '', request: {tool_choice: {type: function}}"), "a/t.yaml:3:43: `tool_choice` must name a function");
    check(&case_error("id: x, raw: '', expect: {finish: done}"), "a/t.yaml:3:37: `finish` must be stop, tool_calls or length");
    check(&case_error("id: a/b, raw: ''"), "a/t.yaml:3:8: `a/b` is no id");
    check(&case_error("raw: ''"), "a/t.yaml:3:3: the case needs an `id`");
    check(
        &case_error("id: x, raw: '', source: {recorded: {model: m, revision: r, engine: e, sampling: s}}"),
        "a/t.yaml:3:39: `recorded` needs `template_sha256`",
    );
}

#[test]
fn expectations_are_checked() {
    check(&case_error("id: x, raw: '', under: {undeclard=drop: {content: ''}}"), "a/t.yaml:3:28: unknown policy `undeclard`");
    check(&case_error("id: x, raw: '', under: {undeclared=no: {content: ''}}"), "a/t.yaml:3:28: policy `undeclared` has no value `no`");
    check(&case_error("id: x, raw: '', under: {coercion=exxo: {content: ''}}"), "a/t.yaml:3:28: policy `coercion` has no value `exxo`");
    check(&case_error("id: x, raw: '', under: {'coercion=exo,names=no': {content: ''}}"), "a/t.yaml:3:28: policy `names` has no value");
    check(&case_error("id: x, raw: '', under: {names=exo: {content: ''}}"), "a/t.yaml:3:28: policy `names` has no value `exo`");
    check(&case_error("id: x, raw: '', under: {coercion=exo: {content: '', contents: ''}}"), "a/t.yaml:3:56: unknown key `contents`");
    check(&case_error("id: x, raw: '', under: {undeclared=text: {content: ''}}"), "a/t.yaml:3:28: `undeclared=text` is the default");
    check(&case_error("id: x, raw: '', one_of: [{content: a}]"), "a/t.yaml:3:29: an entry of `one_of` needs a `reason`");
    check(&case_error("id: x, raw: '', one_of: []"), "a/t.yaml:3:28: `one_of` is empty");
    check(&case_error("id: x, raw: '', expect: {calls: [{name: f}]}"), "a/t.yaml:3:37: an expected call needs `arguments`");
    check(&case_error("id: x, raw: '', expect: {calls: [{name: f, arguments: '{}'}]}"), "a/t.yaml:3:58: `arguments` must be a mapping");
    check(
        &case_error("id: x, raw: '', expect: {calls: [{name: f, arguments_json: '{'}]}"),
        "a/t.yaml:3:63: `arguments_json` is no strict JSON",
    );
    check(
        &case_error("id: x, raw: '', expect: {calls: [{name: f, arguments_json: '[]'}]}"),
        "a/t.yaml:3:63: `arguments_json` must be a JSON object",
    );
    check(&case_error("id: x, raw: '', expect: {contents: ''}"), "a/t.yaml:3:29: unknown key `contents` in expect");
}

#[test]
fn an_expect_next_to_one_of_is_the_default_outcome() {
    let dir = corpus(&[("a/t.yaml", "dialect: h\ncases: [{id: x, raw: '', expect: {content: a}, one_of: [{content: b, reason: B.}]}]\n")]);
    let case = Corpus::load(dir.path(), Strictness::External).unwrap().cases.remove(0);
    assert_eq!(case.one_of.len(), 2);
    assert_eq!((&case.one_of[0].0, case.expect.content.as_deref()), (&case.expect, Some("a")));
}

#[test]
fn our_own_corpus_must_say_more() {
    let bare = corpus(&[(
        "a/t.yaml",
        "dialect: h\ncases:\n- {id: x, raw: ''}\n- {id: y, raw: '', why: W, source: composed, tags: [a], expect: {content: ''}}\n- {id: z, raw: '', why: W, source: composed, tags: [a], one_of: [{calls: [], reason: R}]}\n",
    )]);
    let said = errors_of(&bare, Strictness::Own);
    let want = [
        "a/t.yaml:3:3: the case expects nothing",
        "a/t.yaml:3:3: the case needs `why`",
        "a/t.yaml:3:3: the case needs a `source`",
        "a/t.yaml:3:3: the case needs at least one tag",
        "a/t.yaml:4:65: expect must give content, calls and finish; calls, finish is missing",
        "a/t.yaml:5:66: each entry of one_of must give content, calls and finish; content, finish is missing",
    ];
    assert_eq!(said.len(), want.len(), "{said:#?}");
    said.iter().zip(want).for_each(|(said, want)| check(said, want));
    assert!(Corpus::load(bare.path(), Strictness::External).is_ok());
}

#[test]
fn files_in_odd_places_and_of_odd_bytes_are_errors() {
    let file = "dialect: h\ncases: [{id: x, raw: ''}]\n";
    check(&errors(&[("t.yaml", file)])[0], "t.yaml:1:1: a case file lies in a folder of its dialect");
    check(&errors(&[("a/b/t.yaml", file)])[0], "a/b/t.yaml:1:1: a case file lies directly in the folder");
    check(&errors(&[("recorded/t.yaml", file)])[0], "recorded/t.yaml:1:1: a recorded case file lies in a folder of its model");
    check(&errors(&[("a b/t.yaml", file)])[0], "a b:1:1: `a b` cannot be part of a case's name");
    check(&errors(&[("a/t u.yaml", file)])[0], "a/t u.yaml:1:1: `t u` cannot be a topic");
    check(&error(""), "a/t.yaml:1:1: the file is empty");
    check(&error("- a\n"), "a/t.yaml:1:1: a case file must be a mapping");
    check(&error("dialect: h\n"), "a/t.yaml:1:1: a case file needs `cases`");
    check(&error("cases: [{id: x, raw: ''}]\n"), "a/t.yaml:1:1: a case file needs `dialect`");
    let dir = corpus(&[]);
    assert!(errors_of(&dir, Strictness::External)[0].contains("holds no case file"));
    fs::create_dir(dir.path().join("empty")).unwrap();
    check(&errors_of(&dir, Strictness::External)[0], "empty:1:1: the folder is empty");
    fs::write(dir.path().join("empty/t.yaml"), b"dialect: h\ncases:\n- {id: \xff}\n").unwrap();
    check(&errors_of(&dir, Strictness::External)[0], "empty/t.yaml:3:8: the file is not UTF-8");
    let large = fs::File::create(dir.path().join("empty/t.yaml")).unwrap();
    large.set_len(crate::load::MAX_FILE + 1).unwrap();
    check(&errors_of(&dir, Strictness::External)[0], "empty/t.yaml:1:1: has 67108865 bytes, more than 67108864");
}

#[cfg(unix)]
#[test]
fn links_in_circles_are_errors_and_do_not_hang() {
    use std::os::unix::fs::symlink;
    let dir = corpus(&[("a/t.yaml", "dialect: h\ncases: [{id: x, raw: ''}]\n")]);
    symlink("loop.yaml", dir.path().join("a/loop.yaml")).unwrap();
    symlink("..", dir.path().join("a/up")).unwrap();
    let said = errors_of(&dir, Strictness::External);
    assert_eq!(said.len(), 1, "{said:#?}");
    check(&said[0], "a/loop.yaml:1:1: cannot be read");
    fs::remove_file(dir.path().join("a/loop.yaml")).unwrap();
    symlink("/etc/hostname", dir.path().join("a/out.txt")).unwrap();
    fs::write(dir.path().join("a/t.yaml"), "dialect: h\ncases: [{id: x, raw_file: out.txt}]\n").unwrap();
    assert!(errors_of(&dir, Strictness::External)[0].contains("lies outside the corpus"));
}
