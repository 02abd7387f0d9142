//! What the reference parsers read in a case; for the tests and for `examples/jury-streams.rs`.

use streakstone_model::{Delivery, Event, Lookup, Policies};
use streakstone_parsers::{Parser, ToolSet};
use streakstone_suite::case::Case;

/// The events of a case, read whole. Its dialect must be known.
pub fn events(case: &Case, delivery: Delivery) -> Vec<Event> {
    let Lookup::Known(dialect) = case.dialect else { panic!("{} has no row", case.name) };
    let tools = ToolSet::new(case.tools.as_deref().map(Vec::as_slice));
    let options = case.options(Policies { delivery, ..Policies::default() });
    let mut parser = Parser::new(dialect, &tools, &options);
    let mut events = Vec::new();
    parser.push(&case.raw, &mut events);
    parser.finish(case.end, &mut events);
    events
}
