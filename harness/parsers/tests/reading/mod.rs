//! What the tests of the families share: a row by its name, and one reading of it.

use streakstone_model::{Dialect, End, Event, Lookup, ReadOptions, lookup};
use streakstone_parsers::{Parser, ToolSet};

/// The row of a name.
pub fn row(name: &str) -> &'static Dialect {
    match lookup(name) {
        Lookup::Known(dialect) => dialect,
        Lookup::Unknown { nearest } => panic!("no row {name}; nearest {nearest}"),
    }
}

/// The events of one reading.
pub fn events(dialect: &'static Dialect, tools: &ToolSet, options: &ReadOptions, chunks: &[&[u8]], end: End) -> Vec<Event> {
    let mut parser = Parser::new(dialect, tools, options);
    let mut events = Vec::new();
    for chunk in chunks {
        parser.push(chunk, &mut events);
    }
    parser.finish(end, &mut events);
    events
}
