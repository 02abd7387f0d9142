//! A parser of this process behind the trait of the SDK: asked and heard in the words of streak/1, without a process or a line of JSON, so
//! that the same adapter gives the same verdicts here and there. What hangs cannot be stopped, and what aborts takes the judge with it.

use std::collections::BTreeMap;

use streakstone_adapter::message::Hello;
use streakstone_adapter::serve::{self, Adapter};
use streakstone_model::{Dialect, Lookup, lookup};
use streakstone_suite::plan::Plan;
use streakstone_suite::subject::{Abilities, Answers, Ask, Batch, Chunking, Declared, Outcome, Subject};

use crate::stdio::ask::{self, Item};
use crate::stdio::declared;

/// An adapter as a subject.
pub struct InProcess<A> {
    adapter: A,
    hello: Hello,
    declared: Declared,
    /// The adapter's word for each row it reads.
    rows: BTreeMap<&'static str, String>,
}

impl<A: Adapter + Send + Sync> InProcess<A> {
    /// The subject around `adapter`.
    ///
    /// # Errors
    /// Its hello says what no adapter may.
    pub fn new(adapter: A) -> Result<Self, String> {
        let hello = adapter.hello();
        hello.check()?;
        let declared = declared(&hello)?;
        let mut rows = BTreeMap::new();
        for word in &hello.dialects {
            match lookup(word) {
                Lookup::Known(dialect) => drop(rows.entry(dialect.name).or_insert_with(|| word.clone())),
                Lookup::Unknown { nearest } => return Err(format!("this build has no dialect `{word}`; the nearest is `{nearest}`")),
            }
        }
        Ok(Self { adapter, hello, declared, rows })
    }

    /// What it said of itself.
    #[must_use]
    pub const fn hello(&self) -> &Hello {
        &self.hello
    }

    fn outcomes(&self, ask: &Ask<'_>, raw: &[u8], items: &[Item<'_>]) -> Result<(Vec<Outcome>, u64), String> {
        let word = self.rows.get(ask.dialect.name).ok_or("it does not read this dialect")?;
        let tokens = self.hello.unit == streakstone_adapter::message::Unit::Tokens;
        let asked = ask::run(ask, word, raw, items, &self.declared, tokens, true);
        let result = serve::run(&self.adapter, &self.hello, &asked)?;
        Ok((ask::outcomes(&result, &asked, items, &self.declared, ask.end)?, result.cpu_ns))
    }
}

impl<A: Adapter + Send + Sync> Subject for InProcess<A> {
    fn name(&self) -> &str {
        &self.hello.name
    }

    fn description(&self) -> String {
        format!("{} {}, in this process", self.hello.name, self.hello.version)
    }

    fn abilities(&self) -> Abilities {
        Abilities { spans: false, held: false, policies: false, eager: false }
    }

    fn declared(&self) -> Declared {
        self.declared.clone()
    }

    fn supports(&self, dialect: &Dialect) -> bool {
        self.rows.contains_key(dialect.name)
    }

    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        let batch = Batch { plans: vec![(Plan::Given, chunkings)], prefixes: &[] };
        self.read_batch(ask, raw, &batch).hand_over(each);
    }

    fn batches(&self) -> bool {
        true
    }

    fn read_batch(&self, ask: &Ask<'_>, raw: &[u8], batch: &Batch<'_>) -> Answers {
        ask::answers(batch, &self.declared, raw, |items| match self.outcomes(ask, raw, items) {
            Ok((outcomes, cpu_ns)) => (outcomes.into_iter().map(Some).collect(), cpu_ns, Vec::new()),
            Err(why) => (vec![Some(Outcome::AdapterFault(why)); items.len()], 0, Vec::new()),
        })
    }
}
