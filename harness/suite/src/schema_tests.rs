use super::*;
use crate::corpus::{Corpus, Strictness};
use crate::runlog::tests::{bytes, log, result};
use crate::verdict::Verdict;

fn refusals(schema: &str, value: &serde_json::Value) -> Vec<String> {
    let schema = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

fn yaml(text: &str) -> serde_json::Value {
    crate::load::yaml::parse(text).unwrap().value().unwrap()
}

#[test]
fn every_schema_is_valid_itself_and_found_by_name() {
    for (name, text) in ALL {
        let schema = serde_json::from_str(text).unwrap();
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
        assert_eq!(find(name), Some(*text));
    }
    assert_eq!(find("no-such"), None);
}

#[test]
fn a_case_file_of_every_key_fits_its_schema_and_the_loader() {
    let text = include_str!("../tests/corpus/hermes/every-key.yaml");
    assert_eq!(refusals(CASE_FILE, &yaml(text)), Vec::<String>::new());
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    assert!(Corpus::load(&dir, Strictness::Own).unwrap().case("hermes/every-key/all").is_some());
}

#[test]
fn a_case_file_with_an_unknown_key_or_two_texts_does_not_fit() {
    assert_eq!(refusals(CASE_FILE, &yaml("dialect: x\ncases: [{id: a, raw: ''}]")), Vec::<String>::new());
    for text in [
        "dialect: x\ncases: [{id: a, raw: '', rwa: ''}]",
        "dialect: x\ncases: [{id: a, raw: '', raw_base64: ''}]",
        "dialect: x\ncases: [{id: a}]",
        "dialect: x\ncases: [{id: a/b, raw: ''}]",
        "dialect: x\ncases: [{id: a, raw: '', expect: {finish: done}}]",
        "dialect: x\ncases: []",
    ] {
        assert!(!refusals(CASE_FILE, &yaml(text)).is_empty(), "{text}");
    }
}

#[test]
fn every_line_of_a_log_fits_its_schema() {
    let mut log = log(Verdict::ALL.iter().map(|&verdict| result(verdict.as_str(), verdict)).collect());
    log.header.shard = Some("1/2".to_owned());
    log.results[1].checks[0].apart = true;
    log.results[1].checks[0].verdict = Some(Verdict::Soft);
    log.header.condensed = true;
    let cannot = [(crate::law::Law::NoByteLost, "no spans".to_owned())].into();
    let about = crate::runlog::About {
        version: "1".to_owned(),
        eager: true,
        special_tokens_whole: true,
        outside: true,
        modes: vec!["whole".to_owned(), "stream".to_owned()],
        unit: "text".to_owned(),
        tells: vec!["ids".to_owned(), "finish".to_owned()],
        cannot,
        ..Default::default()
    };
    log.header.about.insert("reference".to_owned(), about);
    log.results[0].known = Some("Why.".to_owned());
    log.results[1].checks[0].excerpt = Some(crate::difference::Excerpt::around(b"some text", 4));
    let text = String::from_utf8(bytes(&log)).unwrap();
    for line in text.lines() {
        assert_eq!(refusals(RUN_LOG, &serde_json::from_str(line).unwrap()), Vec::<String>::new(), "{line}");
    }
    let odd = serde_json::json!({"type": "result", "subject": "x", "case": "y", "verdict": "passed"});
    assert!(!refusals(RUN_LOG, &odd).is_empty());
}

#[test]
fn a_known_file_fits_its_schema() {
    let text = "- {cases: 'a/**', check: golden, status: fail, reason: R, issue: a/b#1, since: 2026-05-01, review: true}\n";
    assert_eq!(refusals(KNOWN, &yaml(text)), Vec::<String>::new());
    assert!(!refusals(KNOWN, &yaml("- {cases: a, check: golden, status: adapter-fault, reason: R, since: x}\n")).is_empty());
    assert!(!refusals(KNOWN, &yaml("- {cases: a, check: golden, status: fail, reason: '', since: x}\n")).is_empty());
}
