//! Reads a text with a row, whole and cut.

use streakstone_model::{Dialect, End, Event, ReadOptions, Reply};
use streakstone_parsers::{Parser, ToolSet};

/// The reply of a text in the order of its parts; any name is a tool.
pub fn read(dialect: &'static Dialect, chunks: &[&[u8]]) -> Reply {
    let (tools, options) = (ToolSet::new(None), ReadOptions::default());
    let mut parser = Parser::new(dialect, &tools, &options);
    let mut events: Vec<Event> = Vec::new();
    for chunk in chunks {
        parser.push(chunk, &mut events);
    }
    parser.finish(End::Stop, &mut events);
    Reply::from_events(&events).unwrap()
}

/// Both rows give the same reply for every way to cut the text in two, and it has this many calls.
pub fn agree(own: &'static Dialect, row: &'static Dialect, text: &str, calls: usize) {
    let text = text.as_bytes();
    let whole = read(row, &[text]);
    assert_eq!(whole.calls().count(), calls, "{whole:?}");
    for cut in 0..=text.len() {
        let (a, b) = text.split_at(cut);
        assert_eq!(read(own, &[a, b]), whole, "{} differs from {} at cut {cut}", own.name, row.name);
    }
}

/// A row for good.
pub fn leaked(dialect: Dialect) -> &'static Dialect {
    Box::leak(Box::new(dialect))
}
