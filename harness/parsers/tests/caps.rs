//! Every cap at n and at n + 1, in every row of the table that can write a call of that size.

use streakstone_model::{
    ByteUse, CallOutcome, Caps, Delivery, Dialect, DropReason, End, Event, Incomplete, Markers, Policies, ReadOptions, Reply, Spelling,
    dialects,
};
use streakstone_parsers::{Parser, ToolSet};

fn events(dialect: &'static Dialect, raw: &str, caps: Caps, delivery: Delivery) -> Vec<Event> {
    let options = ReadOptions { caps, policies: Policies { delivery, ..Policies::default() }, ..ReadOptions::default() };
    let tools = ToolSet::new(None);
    let mut parser = Parser::new(dialect, &tools, &options);
    let mut events = Vec::new();
    // A byte at a time: what a cap decides may not depend on the cut.
    for byte in raw.bytes() {
        parser.push(&[byte], &mut events);
    }
    parser.finish(End::Stop, &mut events);
    events
}

fn calls(dialect: &'static Dialect, raw: &str, caps: Caps) -> usize {
    let reply = Reply::from_events(&events(dialect, raw, caps, Delivery::Validated)).unwrap();
    reply.calls().count()
}

/// Reaching a cap is announced: eager ends the call it began as `cap`, or never began one.
fn announced(dialect: &'static Dialect, raw: &str, caps: Caps) {
    for event in events(dialect, raw, caps, Delivery::Eager) {
        if let Event::CallEnd { outcome: CallOutcome::Incomplete { reason }, .. } = event {
            assert_eq!(reason, Incomplete::Cap, "{}: {raw:?}", dialect.name);
        }
    }
}

/// `at` holds one call under the cap, `past` none.
fn border(dialect: &'static Dialect, what: &str, at: &str, past: &str, caps: Caps) {
    assert_eq!(calls(dialect, at, caps), 1, "{}: {what} at the cap: {at:?}", dialect.name);
    assert_eq!(calls(dialect, past, caps), 0, "{}: {what} past the cap: {past:?}", dialect.name);
    announced(dialect, past, caps);
}

fn named(s: &Spelling, length: usize) -> String {
    s.call(&"n".repeat(length), "")
}

#[test]
fn names() {
    let caps = Caps { name: 30, ..Caps::default() };
    for dialect in dialects() {
        let s = dialect.grammar.spelling();
        let fits = |length: &usize| calls(dialect, &named(&s, *length), caps) == 1;
        // Kimi's id has the name in it, and counts as a whole.
        let longest = (1..40).take_while(fits).last().unwrap_or(0);
        assert!((18..=30).contains(&longest), "{}: {longest}", dialect.name);
        border(dialect, "a name", &named(&s, longest), &named(&s, longest + 1), caps);
    }
}

#[test]
fn calls_of_a_reply() {
    for dialect in dialects() {
        let s = dialect.grammar.spelling();
        let caps = Caps { calls: 2, ..Caps::default() };
        let raw = s.calls(3, "");
        if calls(dialect, &raw, Caps::default()) < 3 {
            // The grammar has one call a reply.
            continue;
        }
        assert_eq!(calls(dialect, &s.calls(2, ""), caps), 2, "{}", dialect.name);
        assert_eq!(calls(dialect, &raw, caps), 2, "{}", dialect.name);
        let dropped = |event: &Event| matches!(event, Event::Bytes { what: ByteUse::Dropped { reason: DropReason::CallCap }, .. });
        assert!(events(dialect, &raw, caps, Delivery::Validated).iter().any(dropped), "{}", dialect.name);
    }
}

#[test]
fn parameters_of_a_call() {
    for dialect in dialects() {
        let s = dialect.grammar.spelling();
        let with = |count: usize| {
            // The closers of element trees name what they close.
            let end = |i: usize| s.string_end.replace("/k>", &format!("/k{i}>"));
            let all: Vec<String> = (0..count).map(|i| format!("{}v{}", s.string.join(&format!("k{i}")), end(i))).collect();
            format!("{}{}{}{}", s.head(), all.join(&s.comma), s.call_end, s.last)
        };
        let caps = Caps { parameters: 3, ..Caps::default() };
        if calls(dialect, &with(4), caps) == 1 {
            // The arguments pass as the model wrote them: one JSON object.
            assert!(s.quoted, "{}", dialect.name);
            continue;
        }
        border(dialect, "parameters", &with(3), &with(4), caps);
    }
}

#[test]
fn depth_of_a_value() {
    for dialect in dialects() {
        let s = dialect.grammar.spelling();
        if !s.quoted {
            // What is too deep for a typed text is a string.
            continue;
        }
        let nested = |depth: usize| format!("{}{}{}{}", s.in_value("k"), "[".repeat(depth), "]".repeat(depth), s.value_to_end());
        // The object of the arguments is a level where it is JSON, unless its value is read alone.
        let levels = (1..7).filter(|&n| calls(dialect, &nested(n), Caps { depth: 4, ..Caps::default() }) == 1).max().unwrap_or(0);
        if levels == 6 {
            // Arguments that are no object are one text (CWM).
            continue;
        }
        assert!((3..=5).contains(&levels), "{}: {levels}", dialect.name);
        border(dialect, "depth", &nested(levels), &nested(levels + 1), Caps { depth: 4, ..Caps::default() });
    }
}

#[test]
fn bytes_of_the_arguments() {
    for dialect in dialects() {
        let raw = dialect.grammar.spelling().call("f", "abcdefgh");
        let reply = Reply::from_events(&events(dialect, &raw, Caps::default(), Delivery::Validated)).unwrap();
        let length = reply.calls().next().unwrap_or_else(|| panic!("{}: {raw:?}", dialect.name)).arguments.len();
        let caps = |arguments| Caps { arguments, ..Caps::default() };
        assert_eq!(calls(dialect, &raw, caps(length)), 1, "{}", dialect.name);
        assert_eq!(calls(dialect, &raw, caps(length - 1)), 0, "{}", dialect.name);
        announced(dialect, &raw, caps(length - 1));
    }
}

#[test]
fn bytes_of_an_open_unit() {
    for dialect in dialects() {
        let raw = dialect.grammar.spelling().call("f", "abcdefgh");
        let caps = |hold| Caps { hold, ..Caps::default() };
        let fits: Vec<bool> = (1..=raw.len()).map(|hold| calls(dialect, &raw, caps(hold)) == 1).collect();
        let border = fits.iter().position(|&fit| fit).unwrap_or_else(|| panic!("{}: {raw:?}", dialect.name));
        assert!(border > 4 && fits[border..].iter().all(|&fit| fit), "{}: {fits:?}", dialect.name);
        announced(dialect, &raw, caps(border));
    }
}

/// White space behind an opener is held like a unit: without the cap a megabyte of it was.
#[test]
fn white_space_behind_an_opener_counts_to_the_cap_on_what_is_held() {
    const HOLD: usize = 128;
    let caps = Caps { hold: HOLD, ..Caps::default() };
    let options = ReadOptions { caps, ..ReadOptions::default() };
    let tools = ToolSet::new(None);
    for dialect in dialects() {
        let markers = Markers::of(dialect);
        for opener in &markers.openers {
            let raw = format!("{opener}{}x", " ".repeat(4 * HOLD));
            let (mut parser, mut split) = (Parser::new(dialect, &tools, &options), Vec::new());
            for byte in raw.bytes() {
                parser.push(&[byte], &mut split);
                let held = parser.held().bytes;
                assert!(held <= HOLD + markers.longest(), "{}: {opener:?} holds {held}", dialect.name);
            }
            parser.finish(End::Stop, &mut split);
            let mut whole = Vec::new();
            parser.push_str(&raw, &mut whole);
            parser.finish(End::Stop, &mut whole);
            assert_eq!(Reply::from_events(&split), Reply::from_events(&whole), "{}: {opener:?}", dialect.name);
        }
    }
}

/// A cap smaller than an opener leaves no place where reading would stand still.
#[test]
fn the_least_caps_on_what_is_held_end_every_text() {
    let tools = ToolSet::new(None);
    for dialect in dialects() {
        let markers = Markers::of(dialect);
        let openers = markers.openers.iter().copied().chain(["\n", "\n\n", "[", "{", "a"]);
        for opener in openers {
            for behind in ["\n\n f(x=1)\n", " \n[f()]", "\n\t{\"name\":\"f\"}", "\n\n\n"] {
                let raw = format!("x{opener}{behind}{opener}{behind}y");
                for (hold, delivery) in (0..6).flat_map(|hold| Delivery::ALL.iter().map(move |delivery| (hold, *delivery))) {
                    let caps = Caps { hold, ..Caps::default() };
                    let options = ReadOptions { caps, policies: Policies { delivery, ..Policies::default() }, ..ReadOptions::default() };
                    let (mut parser, mut whole) = (Parser::new(dialect, &tools, &options), Vec::new());
                    parser.push_str(&raw, &mut whole);
                    parser.finish(End::Stop, &mut whole);
                    let split = events(dialect, &raw, caps, delivery);
                    assert_eq!(Reply::from_events(&split), Reply::from_events(&whole), "{} {hold} {delivery}: {raw:?}", dialect.name);
                }
            }
        }
    }
}
