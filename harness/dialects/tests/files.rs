//! Dialect files: what `like` gives, what a file overrides, and the same file in three formats.

mod reading;

use reading::{agree, leaked, read};
use streakstone_dialects::{SCHEMA, load};
use streakstone_model::{Dialect, Grammar, Lookup, dialects, lookup};

fn file(name: &str) -> Dialect {
    let path = format!("{}/tests/files/{name}", env!("CARGO_MANIFEST_DIR"));
    load(name, &std::fs::read_to_string(&path).unwrap(), None).unwrap()
}

fn row(name: &str) -> &'static Dialect {
    let Lookup::Known(row) = lookup(name) else { panic!("no row {name}") };
    row
}

#[test]
fn what_a_file_leaves_out_is_taken_from_like_but_for_words_and_families() {
    let own = load("x.yaml", "name: plain_copy\nlike: hermes_2_pro\n", None).unwrap();
    let row = row("hermes");
    assert_eq!(own.grammar, row.grammar);
    assert_eq!((own.lead, own.reasoning, own.call_ends_reasoning), (row.lead, row.reasoning, row.call_ends_reasoning));
    assert_eq!((own.ids, own.control, own.stop), (row.ids, row.control, row.stop));
    assert!(own.aliases.is_empty() && own.peers.is_empty() && own.families.is_empty());
}

#[test]
fn a_file_like_hermes_with_other_markers_reads_as_hermes_with_other_markers() {
    let own = leaked(file("other_markers.yaml"));
    let text = "<why>\nHm.\n</why>\n\nSure.\n<fn>\n{\"name\": \"f\", \"arguments\": {\"q\": \"</fn>\"}}\n</fn><|done|>";
    let reply = read(own, &[text.as_bytes()]);
    let call = reply.calls().next().unwrap();
    assert_eq!((call.name.as_str(), call.arguments.as_str()), ("f", "{\"q\": \"</fn>\"}"));
    assert_eq!((reply.reasoning().as_str(), reply.content().as_str()), ("Hm.", "Sure."));
    agree(own, own, text, 1);
    let hermes = "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>";
    assert_eq!(read(own, &[hermes.as_bytes()]).content(), hermes);
}

#[test]
fn a_toml_file_with_tags_of_its_own_reads_its_calls() {
    let own = leaked(file("my_tags.toml"));
    assert_eq!((own.aliases, own.families, own.lead), (&["my-tags-v2"][..], &["a model of our own"][..], 2));
    let text = "Sure.\n\n<calls>\n<call=f>\n<with=q>\na <with b\n</with>\n</call>\n</calls>";
    let reply = read(own, &[text.as_bytes()]);
    let call = reply.calls().next().unwrap();
    assert_eq!((call.name.as_str(), call.arguments.as_str()), ("f", "{\"q\":\"a <with b\"}"));
    assert_eq!(reply.content(), "Sure.");
    agree(own, own, text, 1);
}

#[test]
fn a_section_of_another_family_than_likes_takes_the_envelope_only() {
    let text = "name: elsewhere\nlike: hermes\npython: {open: ['<py>'], close: ['</py>']}\n";
    let own = load("x.yaml", text, None).unwrap();
    assert!(matches!(own.grammar, Grammar::Python(calls) if calls.open == ["<py>"]));
    assert_eq!(own.control, row("hermes").control);
}

#[test]
fn the_three_formats_say_the_same() {
    let yaml = "name: three\nlike: seed_oss\nids: none\ncall_ends_reasoning: true\ntags:\n  blocks: []\n  newlines: false\n";
    let toml = "name = \"three\"\nlike = \"seed_oss\"\nids = \"none\"\ncall_ends_reasoning = true\n[tags]\nblocks = []\nnewlines = false\n";
    let json =
        r#"{"name": "three", "like": "seed_oss", "ids": "none", "call_ends_reasoning": true, "tags": {"blocks": [], "newlines": false}}"#;
    let own = load("x.yaml", yaml, None).unwrap();
    assert_eq!(load("x.TOML", toml, None).unwrap(), own);
    assert_eq!(load("x.json", json, None).unwrap(), own);
    assert!(matches!(own.grammar, Grammar::Tags(calls) if calls.blocks.is_empty() && calls.unit == ["<function=", "</function>"]));
}

#[test]
fn files_fit_the_schema_and_it_knows_every_key() {
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    assert!(jsonschema::meta::is_valid(&schema));
    let validator = jsonschema::validator_for(&schema).unwrap();
    let keys: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
    // The loader names its keys when one is unknown.
    let said = load("x.json", r#"{"name": "x", "nmae": 1}"#, None).unwrap_err().to_string();
    assert_eq!(said.matches('`').count(), 2 * (keys.len() + 2), "{said}");
    for key in keys {
        assert!(said.contains(&format!("`{key}`")), "the loader has no key {key}: {said}");
    }
    for (section, of) in schema["$defs"].as_object().unwrap().iter().filter(|(name, _)| schema["properties"].get(name.as_str()).is_some()) {
        let keys: Vec<&String> = of["properties"].as_object().unwrap().keys().collect();
        let said = load("x.json", &format!(r#"{{"name": "x", "{section}": {{"nmae": 1}}}}"#), None).unwrap_err().to_string();
        assert_eq!(said.matches('`').count(), 2 * (keys.len() + 2), "{section}: {said}");
        for key in keys {
            assert!(said.contains(&format!("`{key}`")), "{section} has no key {key}: {said}");
        }
    }
    for text in [
        r#"{"name": "a", "like": "hermes"}"#,
        r#"{"name": "a", "tags": {"unit": ["<a=", "</a>"], "parameter": ["<b=", "</b>"]}}"#,
        r#"{"name": "a", "python": {"bare": true}, "reasoning": [{"open": "a", "close": "b"}]}"#,
        r#"{"name": "a", "python": {"open": ["<a>"], "shape": "dicts"}}"#,
        r#"{"name": "a", "braces": {"open": ["<a>"], "close": ["</a>"], "heads": ["call:"], "quote": "<q>", "words": true}}"#,
    ] {
        let value = serde_json::from_str(text).unwrap();
        assert!(validator.is_valid(&value), "{text}");
        assert!(load("x.json", text, None).is_ok(), "{text}");
    }
    for text in [
        r"{}",
        r#"{"name": ""}"#,
        r#"{"name": "a", "lead": -1}"#,
        r#"{"name": "a", "tags": {"unit": ["<a="]}}"#,
        r#"{"name": "a", "tags": {"unit": ["[a=", "[/a]"], "parameter": ["<b=", "</b>"]}}"#,
        r#"{"name": "a", "python": {"open": ["<a>"], "shape": "tuple"}}"#,
        r#"{"name": "a", "braces": {"open": ["<a>"], "quote": "'"}}"#,
        r#"{"name": "a", "x": 1}"#,
    ] {
        let value = serde_json::from_str(text).unwrap();
        assert!(!validator.is_valid(&value), "{text}");
        assert!(load("x.json", text, None).is_err(), "{text}");
    }
}

#[test]
fn every_file_that_the_readme_shows_loads() {
    let readme = include_str!("../README.md");
    let mut names = Vec::new();
    for format in ["yaml", "toml", "json"] {
        for block in readme.split(&format!("```{format}\n")).skip(1) {
            let text = block.split("```").next().unwrap();
            names.push(load(&format!("x.{format}"), text, (format == "json").then_some("acme_template")).unwrap().name);
        }
    }
    assert_eq!(names, ["acme", "acme_lines", "acme_braces", "acme_tags", "acme_template"]);
}

#[test]
fn a_header_and_attributes_are_written_as_lists_and_mappings() {
    let yaml = "name: headed\nids: before\nnamed:\n  open: ['<calls>']\n  close: ['</calls>']\n  unit: ['<call>']\n  unit_close: ['</call>']\n  \
        header: [name, {space: ' '}, {maybe_id: '<id>'}, {text: ['<with>']}]\n";
    let own = leaked(load("x.yaml", yaml, None).unwrap());
    let text = "<calls><call>f <id>abc123<with>{\"q\": 1}</call><call>g<with>{}</call></calls>";
    let reply = read(own, &[text.as_bytes()]);
    let ids: Vec<&str> = reply.calls().map(|call| call.id.value.as_str()).collect();
    assert_eq!(ids[0], "abc123");
    agree(own, own, text, 2);

    let toml = "name = \"attributed\"\n[tags]\nunit = [\"<do \", \"</do>\"]\nparameter = [\"<with \", \"</with>\"]\n\
        [tags.style.attributes]\nname = \"what\"\nkey = \"key\"\n";
    let own = leaked(load("x.toml", toml, None).unwrap());
    let text = "<do what=\"f\"><with key=\"q\">x</with></do>";
    let reply = read(own, &[text.as_bytes()]);
    assert_eq!(reply.calls().next().map(|call| (call.name.as_str(), call.arguments.as_str())), Some(("f", "{\"q\":\"x\"}")));
    agree(own, own, text, 1);
}

#[test]
fn messages_take_other_tokens_and_channels_over_their_row() {
    let yaml = "name: messages\nlike: harmony\nreasoning: []\nchannels:\n  close: ['<|call|>', '<|done|>']\n  prefix: tools.\n  channels: {think: reasoning, say: content}\n";
    let own = leaked(load("x.yaml", yaml, None).unwrap());
    let text =
        "<|channel|>think<|message|>Hm.<|done|><|start|>assistant<|channel|>say to=tools.f <|constrain|>json<|message|>{\"q\": 1}<|call|>";
    let reply = read(own, &[text.as_bytes()]);
    assert_eq!(reply.reasoning(), "Hm.");
    assert_eq!(reply.calls().next().map(|call| (call.name.as_str(), call.arguments.as_str())), Some(("f", "{\"q\": 1}")));
    agree(own, own, text, 1);
}

#[test]
fn a_tree_of_elements_needs_its_tags_only() {
    let own = leaked(load("x.yaml", "name: tree\nelements:\n  unit: ['<do ', '</do>']\n  element: ['<', '</']\n", None).unwrap());
    let text = "<do name=\"f\"><q>x</q><l><item>1</item><item>2</item></l></do>";
    let reply = read(own, &[text.as_bytes()]);
    let call = reply.calls().next().unwrap();
    assert_eq!((call.name.as_str(), call.arguments.as_str()), ("f", "{\"q\":\"x\",\"l\":[\"1\",\"2\"]}"));
    agree(own, own, text, 1);
}

#[test]
fn braces_need_their_opener_and_quote_only() {
    let yaml = "name: braced\nbraces: {open: ['<do>'], close: ['</do>'], quote: '<q>', words: true}\n";
    let own = leaked(load("x.yaml", yaml, None).unwrap());
    let text = "<do>f{a:<q>x}</do>, y<q>,b:[1,{c:two words}]}</do>";
    let reply = read(own, &[text.as_bytes()]);
    let call = reply.calls().next().unwrap();
    assert_eq!((call.name.as_str(), call.arguments.as_str()), ("f", "{\"a\":\"x}</do>, y\",\"b\":[1,{\"c\":\"two words\"}]}"));
    agree(own, own, text, 1);
    let over = load("x.yaml", "name: over\nlike: gemma4\nbraces: {heads: ['do:']}\n", None).unwrap();
    let (Grammar::Braces(own), Grammar::Braces(base)) = (over.grammar, &row("gemma4").grammar) else { panic!("no braces") };
    assert_eq!((own.heads, own.quote, own.open), (&["do:"][..], base.quote, base.open));
}

#[test]
fn python_calls_stand_in_the_shape_that_a_file_says() {
    for (shape, body) in [
        ("list", "[f(q=1), g(q=2)]"),
        ("lines", "\nf(q=1)\ng(q=2)\n"),
        ("dicts", "[{'name': 'f', 'arguments': {'q': 1}}, {'name': 'g', 'arguments': {'q': 2}}]"),
    ] {
        let yaml = format!("name: {shape}\npython: {{open: ['<py>'], close: ['</py>'], shape: {shape}}}\n");
        let own = leaked(load("x.yaml", &yaml, None).unwrap());
        let text = format!("Sure.\n<py>{body}</py>");
        agree(own, own, &text, 2);
        let reply = read(own, &[text.as_bytes()]);
        let calls: Vec<_> = reply.calls().map(|call| (call.name.as_str(), call.arguments.replace(' ', ""))).collect();
        assert_eq!(calls, [("f", "{\"q\":1}".to_owned()), ("g", "{\"q\":2}".to_owned())]);
    }
}

#[test]
fn every_row_of_the_table_but_auto_can_be_started_from() {
    for row in dialects() {
        let section = match row.grammar {
            Grammar::Json(_) => "json",
            Grammar::Named(_) => "named",
            Grammar::Tags(_) => "tags",
            Grammar::Elements(_) => "elements",
            Grammar::Python(_) => "python",
            Grammar::Braces(_) => "braces",
            Grammar::Channels(_) => "channels",
            // All rows at once: `faults.rs` has its refusal.
            Grammar::Auto(_) => continue,
        };
        let own = load("x.yaml", &format!("name: like_{0}\nlike: {0}\n", row.name), None).unwrap_or_else(|e| panic!("{}: {e}", row.name));
        assert_eq!((&own.grammar, own.reasoning, own.control, own.stop), (&row.grammar, row.reasoning, row.control, row.stop));
        // An empty section changes nothing either.
        let own = load("x.yaml", &format!("name: like_{0}\nlike: {0}\n{section}: {{}}\n", row.name), None);
        assert_eq!(own.unwrap_or_else(|e| panic!("{}: {e}", row.name)).grammar, row.grammar);
    }
}
