//! Streakstone in the side-by-side bench `tcbench`, in both deliveries: peers `streakstone` (validated) and `streakstone-eager`.
//!
//! `scripts/peer-bench.sh` copies this file into a copy of the bench; it is not compiled in this repository. Tools are compiled and
//! dialects looked up once a peer, as a server does once a request and once a model; opening a session makes a parser and boxes it.

use crate::peer::*;
use streakstone_model::{lookup, Delivery, Lookup, ReadOptions, Sink, Tool};
use streakstone_model::{ByteUse, CallOutcome, End, Finish, Span};
use streakstone_parsers::{Parser, ToolSet};

pub struct Streakstone {
    name: &'static str,
    tools: ToolSet,
    options: ReadOptions,
    /// The table's row for each dialect of the bench, `None` where this build has none.
    rows: Vec<Option<&'static streakstone_model::Dialect>>,
}

impl Streakstone {
    pub fn validated(tools: &[ToolSpec]) -> Self {
        Self::new("streakstone", tools, Delivery::Validated)
    }

    pub fn eager(tools: &[ToolSpec]) -> Self {
        Self::new("streakstone-eager", tools, Delivery::Eager)
    }

    fn new(name: &'static str, tools: &[ToolSpec], delivery: Delivery) -> Self {
        let tools: Vec<Tool> = tools.iter().map(|t| Tool { name: t.name.clone(), parameters: t.parameters.clone() }).collect();
        let mut options = ReadOptions::default();
        options.policies.delivery = delivery;
        let row = |d: &Dialect| match lookup(d.name()) {
            Lookup::Known(dialect) => Some(dialect),
            Lookup::Unknown { .. } => None,
        };
        Self { name, tools: ToolSet::new(Some(&tools)), options, rows: Dialect::ALL.iter().map(row).collect() }
    }

    fn row(&self, d: Dialect) -> Option<&'static streakstone_model::Dialect> {
        self.rows.get(d as usize).copied().flatten()
    }

    fn parser(&self, d: Dialect) -> Result<Parser<'_>, String> {
        let row = self.row(d).ok_or("unsupported")?;
        Ok(Parser::new(row, &self.tools, &self.options))
    }
}

impl Peer for Streakstone {
    fn name(&self) -> &'static str {
        self.name
    }

    fn version(&self) -> &'static str {
        "path"
    }

    fn supports(&self, d: Dialect) -> bool {
        self.row(d).is_some()
    }

    fn whole(&self, d: Dialect, text: &str) -> Result<Outcome, String> {
        let mut parser = self.parser(d)?;
        let mut out = Outcome::default();
        parser.push_str(text, &mut Assemble(&mut out));
        parser.finish(End::Stop, &mut Assemble(&mut out));
        Ok(out)
    }

    fn open(&self, d: Dialect) -> Result<Box<dyn Session + '_>, String> {
        Ok(Box::new(Open(self.parser(d)?)))
    }
}

struct Open<'a>(Parser<'a>);

impl Session for Open<'_> {
    fn push(&mut self, chunk: &str, out: &mut Outcome) -> Result<(), String> {
        self.0.push_str(chunk, &mut Assemble(out));
        Ok(())
    }

    fn finish(&mut self, out: &mut Outcome) -> Result<(), String> {
        self.0.finish(End::Stop, &mut Assemble(out));
        Ok(())
    }
}

/// Does what a client does with the deltas. Reasoning is left out, as the other adapters leave it out.
struct Assemble<'o>(&'o mut Outcome);

impl Sink for Assemble<'_> {
    fn text(&mut self, text: &str, _: Span) {
        self.0.content.push_str(text);
    }

    fn call_begin(&mut self, index: usize, name: &str, _: &str, _: bool) {
        self.0.delta(index, Some(name), "");
    }

    fn arguments(&mut self, index: usize, fragment: &str) {
        self.0.delta(index, None, fragment);
    }

    fn reasoning(&mut self, _: &str, _: Span) {}
    fn call_end(&mut self, _: usize, _: CallOutcome) {}
    fn bytes(&mut self, _: ByteUse, _: Span) {}
    fn finish(&mut self, _: Finish) {}
}
