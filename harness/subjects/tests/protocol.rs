//! The protocol's page, its schema and its types say the same.

use serde_json::{Value, json};
use streakstone_adapter::message::{Answer, Request};
use streakstone_suite::schema;

const PAGE: &str = include_str!("../../adapter/PROTOCOL.md");

/// The JSON blocks of the page.
fn blocks() -> Vec<Value> {
    let blocks = PAGE.split("```json\n").skip(1).map(|rest| rest.split("\n```").next().unwrap_or_default());
    blocks.map(|text| serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))).collect()
}

fn fits(value: &Value) -> Vec<String> {
    let schema: Value = serde_json::from_str(schema::PROTOCOL).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    validator.iter_errors(value).map(|e| format!("{}: {e}", e.instance_path())).collect()
}

#[test]
fn every_block_of_the_page_fits_the_schema_and_the_types() {
    let blocks = blocks();
    assert_eq!(blocks.len(), 8, "the page shows every message once");
    let mut kinds = std::collections::BTreeSet::new();
    for block in &blocks {
        assert_eq!(fits(block), Vec::<String>::new(), "{block}");
        let asked = serde_json::from_value::<Request>(block.clone()).map(|r| serde_json::to_value(r).unwrap());
        let answered = serde_json::from_value::<Answer>(block.clone()).map(|a| serde_json::to_value(a).unwrap());
        let (side, written) = match (asked, answered) {
            (_, Ok(answer)) => ("answered", answer),
            (Ok(request), _) => ("asked", request),
            (Err(request), Err(answer)) => panic!("{block}: {request}; {answer}"),
        };
        assert_eq!(fits(&written), Vec::<String>::new(), "{written}");
        kinds.insert(format!("{side} {}", block["type"].as_str().unwrap()));
    }
    let all = [
        "answered error",
        "answered hello",
        "answered measured",
        "answered result",
        "asked hello",
        "asked measure",
        "asked run",
        "asked stop",
    ];
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), all);
}

#[test]
fn the_schema_and_the_types_refuse_the_same() {
    let result = |whole: Value, plan: Value| json!({"type": "result", "id": 1, "whole": whole, "plans": [plan]});
    let (reading, same) = (json!({"events": []}), json!({"plan": "x", "read": 1, "same": true}));
    assert_eq!(fits(&result(reading.clone(), same.clone())), Vec::<String>::new());
    for odd in [
        json!({"type": "hello", "protocol": 1, "name": "x", "version": "1", "dialects": ["hermes"], "mood": "good"}),
        json!({"type": "result", "id": -1, "whole": {"events": []}, "plans": []}),
        result(json!({"events": [["heartbeat"]]}), same.clone()),
        result(json!({"events": [["text", 1]]}), same.clone()),
        result(json!({"events": [["finish", "done"]]}), same.clone()),
        result(json!({"events": [["end", 0, "half"]]}), same.clone()),
        result(json!({"events": [["text", "a", "b"]]}), same.clone()),
        result(json!({"events": [], "raised": "x"}), same.clone()),
        result(json!({}), same),
        result(reading.clone(), json!({"plan": "x", "same": true})),
        result(reading, json!({"plan": "x", "read": 1, "differ": {"one": {"rejected": ""}}})),
        json!({"type": "measured", "id": 1, "cpu_ns": 5, "whole": {"events": []}}),
        json!({"type": "sulk"}),
    ] {
        assert!(!fits(&odd).is_empty(), "the schema takes {odd}");
        assert!(serde_json::from_value::<Answer>(odd.clone()).is_err(), "the types take {odd}");
    }
}
