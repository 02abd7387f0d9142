//! The Rust SDK: the example as a process, and every way a reading can end.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use streakstone_adapter::message::{Answer, End, Event, Hello, Reading, Tell, Unit};
use streakstone_adapter::serve::{Adapter, Delta, No, Request, Session, answer};

/// The program of an example, which `cargo test` builds beside this one.
fn example(name: &str) -> Command {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.set_file_name("examples");
    Command::new(path.join(name))
}

#[test]
fn the_example_answers_every_message_and_a_print_breaks_none() {
    let mut child = example("mini_hermes").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut input, mut output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    let mut talk = |message: Value| -> Value {
        writeln!(input, "{message}").unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    };
    let hello = talk(json!({"type": "hello", "protocol": 1, "harness": "test"}));
    assert_eq!((&hello["name"], &hello["protocol"]), (&json!("mini-hermes"), &json!(1)));
    let text = "é<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1.50}}</tool_call><tool_call>no</tool_call>";
    let cuts: Vec<Value> = (0..=text.len()).filter(|i| text.is_char_boundary(*i)).map(|i| json!([i])).collect();
    let (all, count) = (json!(cuts), cuts.len());
    let plans = json!([{"plan": "whole", "cuts": [null, []]}, {"plan": "every-cut", "cuts": all}, {"plan": "reuse", "cuts": [[9]], "reuse": true},
        {"plan": "prefixes", "prefixes": [2, 20]}]);
    let run = json!({"type": "run", "id": 7, "dialect": "hermes", "text": text, "tools": null, "end": "stop", "plans": plans});
    let result = talk(run.clone());
    let call = json!([
        ["text", "é"],
        ["call", 0, "f", null],
        ["arguments", 0, "{\"a\": 1.50}"],
        ["end", 0],
        ["text", "<tool_call>no</tool_call>"],
        ["finish", "tool_calls"]
    ]);
    assert_eq!((&result["id"], &result["whole"]["events"]), (&json!(7), &call));
    assert_eq!(result["plans"][1], json!({"plan": "every-cut", "read": count, "same": true}));
    assert_eq!(result["plans"][2], json!({"plan": "reuse", "read": 1, "same": true}));
    assert_eq!(result["plans"][3]["differ"]["1"]["events"], json!([["text", "é"], ["text", "<tool_call>{\"name\""], ["finish", "length"]]));
    let mut full = run;
    full["events"] = json!(true);
    assert_eq!(talk(full)["plans"][1]["differ"].as_object().unwrap().len(), count);
    let measured = talk(json!({"type": "measure", "id": 8, "dialect": "hermes", "text": text, "tools": null, "cuts": [4], "repeat": 3}));
    assert_eq!((measured["cpu_ns"].as_array().unwrap().len(), &measured["whole"]["at"][0]), (3, &json!(0)));
    for (message, why) in [
        (json!({"type": "run", "id": 9, "dialect": "foo", "text": "", "tools": null, "plans": []}), "unknown dialect `foo`"),
        (json!({"type": "run", "id": 9, "dialect": "hermes", "base64": "/w==", "tools": null, "plans": []}), "no UTF-8"),
        (
            json!({"type": "run", "id": 9, "dialect": "hermes", "text": "é", "tools": null, "plans": [{"plan": "x", "cuts": [[1]]}]}),
            "cut 1",
        ),
        (json!({"type": "run", "id": 9, "dialect": "hermes", "text": "é", "tools": null, "plans": [{"plan": "x", "cuts": [[3]]}]}), "[3]"),
        (json!({"type": "shout", "id": 9}), "`shout`"),
    ] {
        let error = talk(message);
        assert_eq!((&error["type"], &error["id"]), (&json!("error"), &json!(9)));
        assert!(error["message"].as_str().unwrap().contains(why), "{error}");
    }
    writeln!(input, "{}", json!({"type": "stop"})).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && String::from_utf8_lossy(&ended.stderr).contains("mini-hermes: a block of"));
}

/// Ends a reading as the text says.
struct Odd(Unit);

impl Adapter for Odd {
    fn hello(&self) -> Hello {
        let mut hello = Hello::new("odd", "1", ["hermes"]);
        hello.tells = vec![Tell::Order];
        hello.unit = self.0;
        hello
    }

    fn open<'a>(&'a self, request: &'a Request) -> Result<Box<dyn Session + 'a>, No> {
        if request.raw == b"shut" { Err(No::Fault("a file is missing".to_owned())) } else { Ok(Box::new(OddStream { read: 0 })) }
    }
}

struct OddStream {
    read: usize,
}

impl Session for OddStream {
    fn push(&mut self, delta: Delta<'_>) -> Result<Vec<Event>, No> {
        self.read += 1;
        match delta.bytes() {
            b"no" => Err(No::Rejected("no is no".to_owned())),
            b"panic" => panic!("at {}", delta.text()),
            b"throw" => Err(No::Raised("thrown".to_owned())),
            bytes => Ok(vec![Event::Text(format!("{}{}", self.read, String::from_utf8_lossy(bytes)))]),
        }
    }

    fn finish(&mut self, _end: End) -> Result<Vec<Event>, No> {
        Ok(vec![Event::Finish(None)])
    }

    fn last(&mut self, delta: Delta<'_>, _end: End) -> Option<Result<Vec<Event>, No>> {
        Some(Ok(vec![Event::Text(format!("last {}", delta.bytes().len())), Event::Finish(None)]))
    }
}

fn asked(unit: Unit, text: &str, plans: &Value) -> Answer {
    let run = json!({"type": "run", "id": 1, "dialect": "hermes", "text": text, "tools": null, "plans": plans});
    answer(&Odd(unit), run.to_string().as_bytes()).unwrap()
}

fn whole(answer: Answer) -> Reading {
    match answer {
        Answer::Result(result) => result.whole,
        other => panic!("no result: {other:?}"),
    }
}

#[test]
fn a_reading_can_end_in_every_way() {
    let one = json!([{"plan": "x", "cuts": [[]]}]);
    assert_eq!(whole(asked(Unit::Text, "no", &one)), Reading::Rejected("no is no".to_owned()));
    assert_eq!(whole(asked(Unit::Text, "throw", &one)), Reading::Raised("thrown".to_owned()));
    let Reading::Raised(why) = whole(asked(Unit::Text, "panic", &one)) else { panic!("a panic is a result") };
    assert!(why.starts_with("panicked") && why.ends_with("at panic"), "{why}");
    assert!(matches!(whole(asked(Unit::Text, "x", &json!([{"plan": "x", "cuts": [null]}]))), Reading::Unsupported(_)));
    assert!(matches!(asked(Unit::Text, "shut", &one), Answer::Error(trouble) if trouble.message == "a file is missing"));
}

#[test]
fn the_finish_rides_the_second_reading_counts_and_bytes_may_be_cut() {
    let texts = |reading: Reading| match reading {
        Reading::Events { events, at } => {
            let text = |e| if let Event::Text(text) = e { Some(text) } else { None };
            (events.into_iter().filter_map(text).collect::<Vec<_>>(), at.unwrap())
        }
        other => panic!("no events: {other:?}"),
    };
    let ride = json!([{"plan": "x", "cuts": [[1]], "last_with_finish": true}]);
    assert_eq!(texts(whole(asked(Unit::Text, "abc", &ride))), (vec!["1a".to_owned(), "last 2".to_owned()], vec![0, 1, 1]));
    let twice = json!([{"plan": "x", "cuts": [[1]], "reuse": true}]);
    assert_eq!(texts(whole(asked(Unit::Text, "abc", &twice))), (vec!["3a".to_owned(), "4bc".to_owned()], vec![0, 1, 2]));
    let inside = json!([{"plan": "x", "cuts": [[1]]}]);
    assert_eq!(texts(whole(asked(Unit::Bytes, "é", &inside))).0, ["1\u{fffd}", "2\u{fffd}"]);
    assert!(matches!(asked(Unit::Text, "é", &inside), Answer::Error(_)));
}

#[test]
fn a_reading_in_no_possible_order_is_never_the_same() {
    struct Skips;
    impl Adapter for Skips {
        fn hello(&self) -> Hello {
            Hello::new("skips", "1", ["hermes"])
        }
        fn whole(&self, _request: &Request) -> Result<Vec<Event>, No> {
            Ok(vec![Event::Call { index: 1, name: "f".to_owned(), id: None }])
        }
    }
    let run =
        json!({"type": "run", "id": 1, "dialect": "hermes", "text": "", "tools": null, "plans": [{"plan": "x", "cuts": [null, null]}]});
    let Some(Answer::Result(result)) = answer(&Skips, run.to_string().as_bytes()) else { panic!("no result") };
    assert_eq!((result.plans[0].same, result.plans[0].differ.len()), (false, 2));
}
