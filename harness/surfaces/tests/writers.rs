//! The incremental writers: what a server that sends as it reads relies on.

use streakstone_model::{CallOutcome, Event, Finish, Parallel, Span};
use streakstone_surfaces::{
    Context, DeliveredPart, Ending, Frame, Ids, Surface, Usage, WriteOptions, Writer, check, mask, read_stream, read_whole, write_stream,
    write_whole,
};

fn text(text: &str) -> Event {
    Event::Text { text: text.to_owned(), span: Span::new(0, 0) }
}

fn call(index: usize, id: &str, fragments: &[&str]) -> Vec<Event> {
    let begin = Event::CallBegin { index, name: "f".to_owned(), id: id.to_owned(), minted: false };
    let add = fragments.iter().map(|fragment| Event::Arguments { index, fragment: (*fragment).to_owned() });
    let end = Event::CallEnd { index, outcome: CallOutcome::Complete };
    [begin].into_iter().chain(add).chain([end]).collect()
}

fn finish(reason: Finish) -> Event {
    Event::Finish { reason }
}

fn writer(surface: Surface) -> Writer {
    Writer::new(surface, &WriteOptions::default(), Ids::sequential())
}

#[test]
fn the_start_comes_once_and_nothing_comes_after_the_end() {
    for surface in Surface::ALL {
        let mut writer = writer(surface);
        assert!(!writer.start().is_empty() && writer.start().is_empty());
        assert_eq!(writer.step(&text("a")).iter().filter(|frame| frame.data.contains("\"a\"")).count(), 1);
        assert!(!writer.step(&finish(Finish::Stop)).is_empty());
        assert!(writer.step(&text("b")).is_empty() && writer.step(&finish(Finish::Stop)).is_empty() && writer.fail("late").is_empty());
    }
}

#[test]
fn a_reply_without_any_text_is_a_whole_stream() {
    for surface in Surface::ALL {
        let frames = write_stream(surface, &[finish(Finish::Stop)], &WriteOptions::default(), Ids::sequential());
        assert_eq!(check(surface, &Frame::encode_all(&frames), &Context::default()).unwrap(), []);
    }
}

#[test]
fn an_error_ends_the_stream_as_the_surface_says_it() {
    for surface in Surface::ALL {
        let mut writer = writer(surface);
        let mut frames = writer.step(&text("a"));
        frames.extend(writer.fail("no memory"));
        let bytes = Frame::encode_all(&frames);
        let reply = read_stream(surface, &bytes);
        assert_eq!((reply.content().as_str(), reply.error.as_deref(), reply.ending), ("a", Some("no memory"), None), "{surface}");
        let found = check(surface, &bytes, &Context::default()).unwrap();
        assert_eq!(found, [], "{surface}");
    }
}

#[test]
fn token_counts_may_come_late() {
    for surface in Surface::ALL {
        let mut writer = Writer::new(surface, &WriteOptions { include_usage: true, ..WriteOptions::default() }, Ids::sequential());
        let before = writer.step(&text("a"));
        writer.usage(Usage { input: 7, output: 4321 });
        let after = writer.step(&finish(Finish::Stop));
        assert!(
            before.iter().all(|frame| !frame.data.contains("4321")) && after.iter().any(|frame| frame.data.contains("4321")),
            "{surface}"
        );
    }
}

#[test]
fn text_after_a_call_opens_an_item_of_its_own() {
    let events = [vec![text("a")], call(0, "x", &["{}"]), vec![text("b"), finish(Finish::ToolCalls)]].concat();
    for surface in [Surface::Responses, Surface::Anthropic] {
        let body = read_whole(surface, &write_whole(surface, &events, &WriteOptions::default(), Ids::sequential())).unwrap();
        let frames = write_stream(surface, &events, &WriteOptions::default(), Ids::sequential());
        assert_eq!(read_stream(surface, &Frame::encode_all(&frames)), body, "{surface}");
        assert!(
            matches!(&body.parts[..], [DeliveredPart::Text(a), DeliveredPart::Call(_), DeliveredPart::Text(b)] if a == "a" && b == "b")
        );
    }
}

#[test]
fn the_models_id_passes_and_a_second_one_like_it_does_not() {
    let events = [call(0, "x-1", &["{}"]), call(1, "x-1", &[]), vec![finish(Finish::ToolCalls)]].concat();
    for surface in Surface::ALL {
        let frames = write_stream(surface, &events, &WriteOptions::default(), Ids::sequential());
        let reply = read_stream(surface, &Frame::encode_all(&frames));
        let calls: Vec<_> = reply.calls().collect();
        let prefix = if surface == Surface::Anthropic { "toolu_" } else { "call_" };
        assert!(calls[0].id == "x-1" && calls[1].id.starts_with(prefix), "{calls:?}");
        assert_eq!(calls[1].arguments, "{}");
        let text = mask(&String::from_utf8(Frame::encode_all(&frames)).unwrap());
        assert!(text.contains("\"x-1\"") && text.contains("\"<id1>\"") && !text.contains(&format!("\"{prefix}0")), "{text}");
    }
}

#[test]
fn one_call_where_one_is_allowed_and_length_is_never_overwritten() {
    let options = WriteOptions { parallel: Parallel::First, ..WriteOptions::default() };
    for (reason, want) in [(Finish::ToolCalls, Finish::ToolCalls), (Finish::Length, Finish::Length)] {
        let events = [call(0, "a", &["{\"k\":1}"]), call(1, "b", &["{\"k\":2}"]), vec![text("c"), finish(reason)]].concat();
        for surface in Surface::ALL {
            let frames = write_stream(surface, &events, &options, Ids::sequential());
            let reply = read_stream(surface, &Frame::encode_all(&frames));
            assert_eq!(reply.calls().map(|call| call.id.as_str()).collect::<Vec<_>>(), ["a"]);
            assert_eq!((reply.content().as_str(), reply.ending), ("c", Some(Ending::Known(want))), "{surface}");
        }
    }
}

#[test]
fn exact_numbers_leave_by_every_surface() {
    let exact = r#"{"a":9007199254740993.0000000001,"b":1e400}"#;
    let events = [call(0, "a", &[exact]), vec![finish(Finish::ToolCalls)]].concat();
    for surface in Surface::ALL {
        let body = write_whole(surface, &events, &WriteOptions::default(), Ids::sequential());
        assert_eq!(read_whole(surface, &body).unwrap().calls().next().unwrap().arguments, exact, "{surface}");
        assert_eq!(check(surface, body.as_bytes(), &Context::default()).unwrap(), [], "{surface}");
    }
}

#[test]
fn a_call_that_is_cut_before_its_arguments_looks_cut() {
    let mut events = call(0, "a", &[]);
    events[1] = Event::CallEnd { index: 0, outcome: CallOutcome::Incomplete { reason: streakstone_model::Incomplete::Truncated } };
    events.push(finish(Finish::Length));
    for surface in Surface::ALL {
        let frames = write_stream(surface, &events, &WriteOptions::default(), Ids::sequential());
        assert!(read_stream(surface, &Frame::encode_all(&frames)).calls().all(|call| !call.complete && !call.is_readable()), "{surface}");
    }
}
