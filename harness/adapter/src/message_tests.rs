use super::*;

fn refused<'de, T: Deserialize<'de> + fmt::Debug>(text: &'de str) -> String {
    serde_json::from_str::<T>(text).unwrap_err().to_string()
}

#[test]
fn every_message_is_written_as_it_is_read() {
    for text in [
        r#"{"type":"hello","protocol":1,"harness":"streakstone 0.1.0"}"#,
        r#"{"type":"run","id":7,"dialect":"hermes","text":"x","tools":null,"tool_choice":{"function":"f"},"parallel_tool_calls":true,"reasoning":"open","end":"stop_string","special":[[0,1]],"plans":[{"plan":"whole","cuts":[null,[],[1,1]],"last_with_finish":true},{"plan":"prefixes","prefixes":[1]}],"events":false,"deadline_ms":30000}"#,
        r#"{"type":"measure","id":8,"dialect":"hermes","base64":"/w==","tools":[{"type":"function"}],"tool_choice":"auto","parallel_tool_calls":true,"reasoning":"closed","end":"stop","cuts":null,"repeat":3}"#,
        r#"{"type":"stop"}"#,
    ] {
        let request: Request = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&request).unwrap(), text);
    }
    for text in [
        r#"{"type":"result","id":7,"cpu_ns":1,"whole":{"events":[["text","a"],["reasoning","b"],["call",0,"f",null],["arguments",0,"{}"],["end",0],["call",1,"g","x"],["end",1,"incomplete"],["finish",null]],"at":[0,0,0,0,1,1,2,2]},"plans":[{"plan":"whole","read":2,"same":true},{"plan":"bytes","read":1,"differ":{"0":{"raised":"no"}}}]}"#,
        r#"{"type":"measured","id":8,"cpu_ns":[1,2],"whole":{"rejected":"no"}}"#,
        r#"{"type":"error","id":null,"message":"no"}"#,
    ] {
        let answer: Answer = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&answer).unwrap(), text);
    }
}

#[test]
fn an_answer_with_an_unknown_key_or_event_is_refused() {
    assert!(refused::<Answer>(r#"{"type":"result","id":1,"whole":{"events":[]},"plans":[],"x":1}"#).contains("unknown field `x`"));
    assert!(refused::<Answer>(r#"{"type":"hullo"}"#).contains("unknown variant"));
    assert!(refused::<Event>(r#"["txet","a"]"#).contains("unknown event `txet`"));
    assert!(refused::<Event>(r#"["text","a",1]"#).contains("too many"));
    assert!(refused::<Event>(r#"["call",0]"#).contains("lacks the name"));
    assert!(refused::<Event>(r#"["end",0,"half"]"#).contains("`half`"));
    assert!(refused::<Event>(r#"["finish","done"]"#).contains("unknown variant"));
    assert!(refused::<Reading>(r#"{"events":[],"raised":"x"}"#).contains("exactly one"));
    assert!(refused::<Reading>(r#"{"events":[["text","a"]],"at":[]}"#).contains("`at`"));
    assert!(refused::<PlanAnswer>(r#"{"plan":"x","read":1,"differ":{"one":{"rejected":""}}}"#).contains("no place"));
}

#[test]
fn a_request_with_a_later_key_is_read() {
    let text = r#"{"type":"run","id":1,"dialect":"hermes","text":"x","tools":null,"plans":[],"later":true}"#;
    let Request::Run(run) = serde_json::from_str(text).unwrap() else { panic!("no run") };
    assert_eq!((run.raw(), run.tool_choice, run.parallel_tool_calls), (Ok(b"x".to_vec()), ToolChoice::Auto, true));
}

#[test]
fn a_hello_is_checked() {
    let hello = Hello::new("my-parser", "1", ["hermes"]);
    assert_eq!(hello.check(), Ok(()));
    assert!(Hello { protocol: 2, ..hello.clone() }.check().unwrap_err().contains("protocol 2"));
    assert!(Hello { name: "My parser".to_owned(), ..hello.clone() }.check().unwrap_err().contains("name"));
    assert!(Hello { dialects: Vec::new(), ..hello }.check().unwrap_err().contains("dialects"));
}

#[test]
fn bytes_that_are_no_text_go_as_base64() {
    assert_eq!(text_or_base64(b"\xff"), (None, Some("/w==".to_owned())));
    assert_eq!(raw(None, Some("/w==")), Ok(b"\xff".to_vec()));
    assert!(raw(None, None).is_err() && raw(None, Some("?")).is_err());
}
