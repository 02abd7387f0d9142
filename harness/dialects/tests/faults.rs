//! Every message: the line, what is wrong, what to do.

use serde_json::{Value, json};
use streakstone_dialects::{from_response_template, load};

fn refusal(file: &str, text: &str, name: Option<&str>) -> String {
    load(file, text, name).map(|row| row.name).unwrap_err().to_string()
}

#[test]
fn a_dialect_file_is_refused_with_the_line_of_each_fault() {
    for (text, says) in [
        ("name: 'a b'\nlike: hermes\n", &["x.yaml:1: `a b` is no word for a dialect"][..]),
        ("name: ..\nlike: hermes\n", &["x.yaml:1: `..` is no word"]),
        ("like: hermes\nname: qwen3_xml\n", &["x.yaml:2: `qwen3_xml` is a word of the dialect `qwen3_coder`; choose another"]),
        ("name: x\nlike: hermez\n", &["x.yaml:2: no dialect is named `hermez`; the nearest is `hermes` (`streakstone list dialects`)"]),
        ("name: x\nlike: auto\n", &["x.yaml:2: `auto` stands for all rows and has no grammar of its own; name the row"]),
        ("name: x\nlike: auto\npython: {bare: true}\n", &["x.yaml:2: `auto` stands for all rows"]),
        ("name: x\n", &["x.yaml:1: no grammar; write `like: ROW`, or one of the sections json"]),
        ("name: x\njson: {open: [a]}\npython: {bare: true}\n", &["x.yaml:3: a second grammar"]),
        ("name: x\nlike: hermes\nlead: 99\n", &["x.yaml:3: 99 newlines are held back in prose; 16 at most"]),
        ("name: x\nlike: hermes\naliases: [y, x]\n", &["x.yaml:3: `x` names the dialect already"]),
        ("name: x\nlike: hermes\naliases: [y, y]\n", &["x.yaml:3: `y` names the dialect already"]),
        ("name: x\nlike: hermes\ncontrol:\n  - ''\n", &["x.yaml:3: an empty marker"]),
        ("name: x\nlike: hermes\ncontrol: ['<a>', '<a>']\n", &["x.yaml:3: `<a>` stands here twice"]),
        ("name: x\nlike: hermes\nstop: [' ']\n", &["x.yaml:3: a marker of white space only"]),
        ("name: x\nlike: hermes\nreasoning: [{open: '<a>', close: '<a>'}]\n", &["x.yaml:3: opener and closer are both `<a>`"]),
        ("name: x\nlike: hermes\nreasoning: [{open: '<tool_call>', close: '<a>'}]\n", &["x.yaml:3: `<tool_call>` opens calls too"]),
        ("name: x\nlike: hermes\ncontrol: ['</tool_call>']\n", &["x.yaml:3: `</tool_call>` is a marker of the calls too"]),
        ("name: x\nlike: hermes\ncontrol: ['<think>']\n", &["x.yaml:3: `<think>` opens reasoning too"]),
        ("name: x\nlike: hermes\nstop: ['<|im_end|>']\n", &["x.yaml:3: `<|im_end|>` is a control token too"]),
        ("name: x\njson:\n  open: ['<a>']\n  close: ['<a>']\n", &["x.yaml:2: `<a>` opens and closes"]),
        ("name: x\ntags:\n  unit: ['<a=', '</a>']\n", &["x.yaml:2: is missing; give the opener up to the name, and the closer"]),
        (
            "name: x\ntags:\n  unit: ['<a=', '<a=']\n  parameter: ['', '</p>']\n",
            &["x.yaml:3: opener and closer are both", "x.yaml:4: an empty marker"],
        ),
        ("name: x\npython: {}\n", &["x.yaml:2: nothing opens a call; give an opener"]),
        (
            "name: x\nlike: hermes\nliek: y\n",
            &["x.yaml:3: unknown field `liek`, expected one of name, like", "read as YAML", "streakstone schema dialect"],
        ),
        ("name: x\nids: above\n", &["x.yaml:2: unknown variant `above`, expected one of none"]),
        ("name: x\njson:\n  open: [a]\n  inside: ['x', '']\n", &["x.yaml:4: `x` is no white space"]),
        ("name: x\njson:\n  open: [a]\n  separator: '{'\n", &["x.yaml:4: `{` is not one mark"]),
        ("name: x\njson:\n  open: [a]\n  keys: {arguments: []}\n", &["x.yaml:4: no key holds the arguments"]),
        ("name: x\njson:\n  keys: {id: ['']}\n", &["x.yaml:3: an empty marker", "x.yaml:2: nothing opens a call"]),
        ("name: x\nlike: glm45\ntags:\n  style: {pairs: {key_end: ''}}\n", &["x.yaml:4: an empty marker"]),
        (
            "name: x\ntags:\n  unit: [<a, </a>]\n  parameter: [<p, </p>]\n  style: {pairs: {}}\n",
            &["x.yaml:5: is missing; give the text that ends a key"],
        ),
        ("name: x\nlike: qwen3_coder\ntags:\n  style: {equal: {}}\n", &["x.yaml:4: unknown variant `equal`, expected"]),
        ("name: x\nnamed:\n  unit: ['<f=']\n  header: [{text: ['>']}]\n", &["x.yaml:4: has 0 names"]),
        ("name: x\nnamed:\n  unit: ['<f=']\n  header: [name, {maybe: []}]\n", &["x.yaml:4: a part without a spelling"]),
        (
            "name: x\ntags:\n  unit: ['[a=', '[/a]']\n  parameter: ['<p=', '</p>']\n",
            &["x.yaml:3: `[a=` does not begin with `<`", "x.yaml:3: `[/a]` does"],
        ),
        ("name: x\nnamed:\n  unit: [a]\n  fence: {open: ['~~~'], close: '~~~'}\n", &["x.yaml:4: `~~~` does not begin with ``"]),
        ("name: x\nnamed:\n  unit: [a]\n  unit_close: [b]\n  text: input\n", &["x.yaml:4: `b` does not begin with `<`"]),
        ("name: x\nnamed:\n  unit: ['<f:']\n  header: [name, {text: [';']}]\n", &["x.yaml:2: `;` behind the name would be read"]),
        ("name: x\nlike: hermes\nchannels: {space: true}\n", &["x.yaml:3: messages with headers are written over a row"]),
        ("name: x\nlike: harmony\nchannels:\n  to: ' '\n", &["x.yaml:4: a marker of white space only"]),
        ("name: x\nlike: harmony\nchannels:\n  channels: {final: speech}\n", &["x.yaml:4: unknown variant `speech`"]),
        ("name: x\nelements:\n  unit: ['<do ', '[/do]']\n", &["x.yaml:3: `[/do]` does not begin with `<`", "x.yaml:2: is missing"]),
        ("name: x\nbraces:\n  open: ['<a>']\n", &["x.yaml:2: is missing; give the text that stands on both sides of a string"]),
        ("name: x\nbraces:\n  open: ['<a>']\n  quote: ''\n", &["x.yaml:4: an empty marker"]),
        ("name: x\nlike: gemma4\nbraces:\n  quote: '|'\n", &["x.yaml:4: `|` does not begin with `<`"]),
        ("name: x\nlike: gemma4\nbraces:\n  heads: ['']\n", &["x.yaml:4: an empty marker"]),
        ("name: x\nbraces:\n  quote: '<q>'\n", &["x.yaml:2: nothing opens a call"]),
        ("name: x\nlike: lfm2\npython:\n  shape: tuple\n", &["x.yaml:4: unknown variant `tuple`, expected"]),
        ("name: x\nname: y\n", &["x.yaml:2: duplicate mapping key"]),
        ("name: [x\n", &["read as YAML"]),
    ] {
        let said = refusal("x.yaml", text, None);
        assert!(says.iter().all(|part| said.contains(part)), "{text}\n{said}");
    }
    let long = format!("name: x\nlike: hermes\ncontrol: ['{}']\n", "<".repeat(300));
    assert!(refusal("x.yaml", &long, None).contains("x.yaml:3: a marker of 300 bytes; 256 at most"));
}

#[test]
fn faults_of_toml_and_json_have_their_lines_too() {
    let said = refusal("x.toml", "name = \"x\"\n\n[tags]\nunti = 5\n", None);
    assert!(said.starts_with("x.toml:4: unknown field `unti`, expected one of"), "{said}");
    assert!(said.contains("read as TOML"), "{said}");
    let said = refusal("x.toml", "name = \"x\"\nlike = \"hermes\"\n\n[[reasoning]]\nopen = \"a\"\nclose = \"a\"\n", None);
    assert!(said.starts_with("x.toml:4: opener and closer are both `a`"), "{said}");
    let said = refusal("x.json", "{\"name\": \"x\",\n\"like\": 5}", None);
    assert!(said.starts_with("x.json:2: invalid type: integer `5`, expected a string"), "{said}");
    assert!(said.contains("read as JSON"), "{said}");
}

#[test]
fn a_name_belongs_to_a_template_and_to_nothing_else() {
    assert!(refusal("x.yaml", "name: x\nlike: hermes\n", Some("y")).contains("x.yaml:1: the file names its dialect itself"));
    let template = json!({"response_template": template(|_| {})}).to_string();
    assert!(refusal("x.json", &template, None).contains("x.json:1: a response template has no name; write NAME= before the file"));
    assert!(refusal("x.json", &template, Some("hermes")).contains("`hermes` is a word of the dialect `hermes`"));
    assert_eq!(load("x.json", &template, Some("mine")).unwrap().name, "mine");
}

/// A good template with something changed.
fn template(change: impl FnOnce(&mut Value)) -> Value {
    let mut template = json!({
        "start_anchor": "x",
        "fields": {
            "thinking": {"open": "<think>", "close": "</think>"},
            "content": {"close": "<|end|>"},
            "tool_calls": {
                "open_pattern": "<calls>\\s*<f=(?P<name>\\w+)>",
                "close_pattern": "</f>\\s*</calls>",
                "content": "xml-inline",
                "content_args": {"tag_pattern": "<p=(?P<key>\\w+)>(?P<value>.*?)</p>"},
                "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}}
            }
        }
    });
    change(&mut template);
    template
}

/// The good template with the calls of another shape.
fn with_calls(calls: &Value) -> Value {
    template(|t| t["fields"]["tool_calls"] = calls.clone())
}

fn said(template: &Value) -> String {
    let faults = from_response_template("of_a_test", template).map(|row| row.name).unwrap_err();
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

type Change = fn(&mut Value);

/// Each change of the good template is refused so.
fn refused(changes: &[(Change, &str)]) {
    assert!(from_response_template("of_a_test", &template(|_| {})).is_ok());
    for (change, expected) in changes {
        let said = said(&template(change));
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

#[test]
fn fields_that_a_row_cannot_say_are_refused_with_their_keys() {
    refused(&[
        (|t| *t = json!(5), "no response template of transformers: invalid type"),
        (|t| t["filds"] = json!({}), "no response template of transformers: unknown field `filds`"),
        (|t| t["version"] = json!(2), "`version`: only version 1 is known"),
        (|t| t["fields"]["plan"] = json!({"open": "<plan>"}), "`fields.plan`: a reply has text, reasoning and calls"),
        (|t| t["fields"]["thinking"] = json!({"close": "</think>"}), "`fields.thinking.open`: reasoning without an opener"),
        (|t| t["fields"]["content"]["opne"] = json!("x"), "`fields.content`: no field of a response template: unknown field `opne`"),
        (|t| t["fields"]["content"]["content"] = json!("json"), "`fields.content.content`: only `text` is read here"),
        (
            |t| t["fields"]["content"]["transform"] = json!("{content}"),
            "`fields.content.transform`: text and reasoning are not restructured",
        ),
        (|t| t["fields"]["content"]["content_args"] = json!({"odd": 1}), "`fields.content.content_args.odd`: no row of data says this"),
        (|t| t["fields"]["content"]["close"] = json!([]), "`fields.content.close`: must be a text, or a list of texts"),
        (|t| t["fields"]["content"]["close_pattern"] = json!("x"), "`fields.content.close_pattern`: stands beside `close`"),
        (|t| t["fields"]["thinking"]["close"] = json!(["a", "b"]), "`fields.thinking.close`: several closers"),
        (|t| t["fields"]["thinking"] = json!({"open": "<think>"}), "`fields.thinking.close`: reasoning without a closer"),
        (|t| t["fields"]["thinking"]["close"] = json!("<think>"), "`fields.thinking`: opener and closer are both `<think>`"),
        (
            |t| t["fields"]["thinking"] = json!({"open_pattern": "<t>(?P<x>\\w+)", "close": "</t>"}),
            "`fields.thinking.open_pattern`: a marker here is a literal or one of several literals",
        ),
    ]);
}

#[test]
fn tagged_calls_that_a_row_cannot_say_are_refused_with_their_keys() {
    refused(&[
        (|t| t["fields"]["tool_calls"]["open_pattern"] = json!("^<f>"), "`fields.tool_calls.open_pattern`: `^` is an assertion"),
        (
            |t| {
                t["fields"].as_object_mut().unwrap().remove("tool_calls");
            },
            "`fields`: no field `tool_calls`",
        ),
        (
            |t| {
                t["fields"]["tool_calls"].as_object_mut().unwrap().remove("open_pattern");
            },
            "`fields.tool_calls.open`: is missing",
        ),
        (|t| t["fields"]["tool_calls"]["content"] = json!("kv-lines"), "`fields.tool_calls.content`: `kv-lines` cannot be expressed"),
        (|t| t["fields"]["tool_calls"]["content"] = json!("text"), "`fields.tool_calls.content`: a call has a name and arguments"),
        (
            |t| t["fields"]["tool_calls"]["content"] = json!("toml"),
            "`fields.tool_calls`: no field of a response template: unknown variant `toml`",
        ),
        (
            |t| t["fields"]["tool_calls"]["content_args"]["merge_duplicates"] = json!(true),
            "`fields.tool_calls.content_args.merge_duplicates`: a repeated parameter is no list here",
        ),
        (
            |t| t["fields"]["tool_calls"]["content_args"]["value_parser"] = json!({"name": "kv-lines"}),
            "`fields.tool_calls.content_args.value_parser`: values are text or JSON",
        ),
        (|t| t["fields"]["tool_calls"]["content_args"] = json!({}), "`fields.tool_calls.content_args`: has no `tag_pattern`"),
        (
            |t| t["fields"]["tool_calls"]["content_args"]["tag_pattern"] = json!("<p>(?P<value>.*?)</p>"),
            "`fields.tool_calls.content_args.tag_pattern`: must be an opener with the group `key`",
        ),
        (
            |t| t["fields"]["tool_calls"]["content_args"]["tag_pattern"] = json!("<p (?P<key>\\w+)>(?P<value>.*?)</p>"),
            "`fields.tool_calls.content_args.tag_pattern`: a tag holds its name as in",
        ),
        (
            |t| t["fields"]["tool_calls"]["content_args"]["tag_pattern"] = json!("<p name=\"(?P<key>\\w+)\">(?P<value>.*?)</p>"),
            "`fields.tool_calls.content_args.tag_pattern`: the call has its name in an attribute and the parameter has not",
        ),
        (
            |t| t["fields"]["tool_calls"]["open_pattern"] = json!("<f=\\w+>"),
            "`fields.tool_calls.open_pattern`: must be the wrapper's opener",
        ),
        (|t| t["fields"]["tool_calls"]["close_pattern"] = json!("</f>"), "`fields.tool_calls.close_pattern`: openers: 2, closers: 1"),
        (
            |t| t["fields"]["tool_calls"]["close_pattern"] = json!("</f>(?P<x>.)"),
            "`fields.tool_calls.close_pattern`: must be the closer of the call",
        ),
        (
            |t| t["fields"]["tool_calls"]["transform"] = json!({"function": "{content}"}),
            "`fields.tool_calls.transform`: xml-inline gives parameters only",
        ),
        (
            |t| t["fields"]["tool_calls"]["transform"] = json!({"id": "{id}"}),
            "`fields.tool_calls.transform.id`: only `type` and `function` are read",
        ),
        (
            |t| t["fields"]["tool_calls"]["transform"] = json!({"function": "x"}),
            "`fields.tool_calls.transform`: `function` must be {content}",
        ),
        (
            |t| t["fields"]["tool_calls"]["transform"] = json!({"function": "{content.a.b}"}),
            "`fields.tool_calls.transform`: `function` must be {content}",
        ),
        (
            |t| t["fields"]["tool_calls"]["transform"] = json!({"function": {"name": "{content.f.n}", "arguments": "{content.a}"}}),
            "`fields.tool_calls.transform`: name and arguments must be keys of one object",
        ),
        (
            |t| t["fields"]["tool_calls"]["transform"] = json!({"function": {"name": "{name}"}}),
            "`fields.tool_calls.transform`: `function` must have `name` and `arguments`",
        ),
        (
            |t| t["fields"]["tool_calls"]["transform"]["function"]["arguments"] = json!("{x}"),
            "`fields.tool_calls.transform`: `name` and `arguments` must be two keys of the content",
        ),
        (|t| t["fields"]["x"] = json!({"open": "<think>", "close": "x"}), "`fields.x`: a reply has"),
        (|t| t["fields"]["reasoning"] = json!({"open": "<calls>", "close": "</x>"}), "`<calls>` opens calls too"),
    ]);
}

#[test]
fn calls_in_json_that_a_row_cannot_say_are_refused() {
    let transform = json!({"function": "{content}"});
    let captured = json!({"function": {"name": "{name}", "arguments": "{content}"}});
    for (calls, expected) in [
        (json!({"open": "<c>", "content": "python-call-list"}), "`fields.tool_calls.transform`: a python-call-list gives"),
        (json!({"open": "<c>", "content": "json", "transform": "{content}"}), "`fields.tool_calls.transform`: must be an object"),
        (
            json!({"open": "<c>", "content": "json", "transform": transform, "content_args": {"allow_non_json": true}}),
            "`fields.tool_calls.content_args.allow_non_json`: no row of data says this",
        ),
        (
            json!({"open": "<c>", "content": "python-call-list", "transform": transform}),
            "`fields.tool_calls.transform`: a python-call-list gives `name` and `arguments`",
        ),
        (
            json!({"open_pattern": "(?P<name>\\w+)\\{", "content": "json", "transform": captured}),
            "`fields.tool_calls.open_pattern`: before the object stand the group `name` and literals, a literal first",
        ),
        (
            json!({"open_pattern": "<f (?P<name>\\w+);", "content": "json", "transform": captured}),
            "`fields.tool_calls`: `;` behind the name would be read as a part of it",
        ),
        (
            json!({"open_pattern": "<f (?P<name>\\w+) (?P<id>\\w+)>", "content": "json", "transform": captured}),
            "`fields.tool_calls.open_pattern`: before the object stand the group `name` and literals",
        ),
    ] {
        let said = said(&with_calls(&calls));
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

#[test]
fn calls_in_braces_that_a_row_cannot_say_are_refused() {
    let calls = |open: &str, args: Value| {
        with_calls(&json!({"open_pattern": open, "close": "</c>", "content": "json", "content_args": args,
            "transform": {"function": {"name": "{name}", "arguments": "{content}"}}}))
    };
    let (open, quotes) = ("<c>call:(?P<name>\\w+)", json!([["<q>", "<q>"]]));
    assert!(from_response_template("of_braces", &calls(open, json!({"unquoted_keys": true, "string_delims": quotes}))).is_ok());
    for (open, args, expected) in [
        (open, json!({"string_delims": quotes}), "`fields.tool_calls.content_args.unquoted_keys`: must be true"),
        (open, json!({"unquoted_keys": false, "string_delims": quotes}), "`fields.tool_calls.content_args.unquoted_keys`: must be true"),
        (open, json!({"unquoted_keys": true}), "`fields.tool_calls.content_args.string_delims`: must be one pair"),
        (
            open,
            json!({"unquoted_keys": true, "string_delims": [["<q>", "</q>"]]}),
            "`fields.tool_calls.content_args.string_delims`: must be one pair, the same text twice",
        ),
        (
            open,
            json!({"unquoted_keys": true, "string_delims": [["|", "|"]]}),
            "`fields.tool_calls.content_args.string_delims`: `|` does not begin with `<`",
        ),
        (
            open,
            json!({"unquoted_keys": true, "string_delims": quotes, "odd": 1}),
            "`fields.tool_calls.content_args.odd`: no row of data says this",
        ),
        (
            "<c>(?P<name>\\w+):",
            json!({"unquoted_keys": true, "string_delims": quotes}),
            "`fields.tool_calls.open_pattern`: must be one literal and then the group `name`",
        ),
        (
            "<c>(?P<tool>\\w+)",
            json!({"unquoted_keys": true, "string_delims": quotes}),
            "`fields.tool_calls.open_pattern`: must be one literal and then the group `name`",
        ),
    ] {
        let said = said(&calls(open, args));
        assert!(said.contains(expected), "{expected}\n{said}");
    }
}

#[test]
fn a_fault_in_a_template_has_its_line() {
    let text = "{\"response_template\": {\n\"start_anchor\": \"x\",\n\"fields\": {\n\"content\": {\n\"close\": \"y\"},\n\"tool_calls\": {\n\"close\": \"\"}}}}";
    assert!(refusal("x.json", text, Some("mine")).starts_with("x.json:7: must be a text"), "{}", refusal("x.json", text, Some("mine")));
}
