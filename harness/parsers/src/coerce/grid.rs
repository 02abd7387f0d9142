//! The executed grid of the spec's Appendix 1 as a test: 192 cells, three profiles.

use serde_json::{Value, json};
use streakstone_model::Coercion;
use streakstone_model::json::Json;

use super::{Kind, Wire, coerce};

const GRID: &str = include_str!("grid.tsv");

fn wire(dialect: &str) -> Wire {
    match dialect {
        "qwen3_coder" => Wire::TagEquals,
        "glm47" => Wire::KeyValue,
        "minimax_m2" => Wire::Invoke,
        other => panic!("no wire for {other}"),
    }
}

fn schema(name: &str) -> Value {
    match name {
        "str|null" => json!({"type": ["string", "null"]}),
        "anyOf int,null" => json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        "anyOf str,int" => json!({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        "enum(no type)" => json!({"enum": ["a", "b"]}),
        // A parameter that is not declared is read as one without a schema.
        "{} (no type)" | "undeclared" => json!({}),
        word => json!({"type": word}),
    }
}

#[test]
fn every_cell_of_the_grid_is_reproduced() {
    let mut cells = 0;
    let mut wrong = Vec::new();
    for line in GRID.lines().filter(|line| !line.starts_with('#')) {
        let [dialect, name, raw, values @ ..]: [&str; 6] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let text: String = serde_json::from_str(raw).unwrap();
        let kind = Kind::of(&schema(name), &json!({}));
        for (profile, want) in [Coercion::Schema, Coercion::Vllm, Coercion::Sglang].into_iter().zip(values) {
            cells += 1;
            let got = coerce(&text, &kind, profile, wire(dialect), 128);
            if Json::parse(&got).unwrap() != Json::parse(want).unwrap() {
                wrong.push(format!("{dialect} {name} {raw} under {profile}: {got}, not {want}"));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(cells, 3 * 192);
}
