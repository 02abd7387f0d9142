//! All readings of a case asked for at once, for subjects that it is dear to ask.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use streakstone_model::Dialect;

use crate::plan::Plan;
use crate::subject::{Abilities, Answers, Ask, Batch, Chunking, Declared, Outcome, Subject};

/// What came, by the length of the text read (a prefix or all of it) and the chunking; in the order asked for where several are alike.
type Store = HashMap<(usize, Chunking), VecDeque<Option<Outcome>>>;

/// A subject whose readings of one case are there already. What was not asked for is read when it is wanted.
pub(super) struct Prefetched<'a> {
    subject: &'a dyn Subject,
    store: Mutex<Store>,
    /// What the readings cost by the subject's own clock.
    pub cpu_ns: u64,
    /// What the reader of the result should know.
    pub notes: Vec<String>,
}

impl<'a> Prefetched<'a> {
    /// Asks for all of `batch`.
    pub fn ask(subject: &'a dyn Subject, ask: &Ask<'_>, raw: &[u8], batch: &Batch<'_>) -> Self {
        let Answers { plans, prefixes, cpu_ns, notes } = subject.read_batch(ask, raw, batch);
        let mut store = Store::new();
        for ((_, chunkings), outcomes) in batch.plans.iter().zip(plans) {
            for (chunking, outcome) in chunkings.iter().zip(outcomes) {
                store.entry((raw.len(), chunking.clone())).or_default().push_back(outcome);
            }
        }
        for (&length, outcome) in batch.prefixes.iter().zip(prefixes) {
            store.entry((length, Chunking::whole())).or_default().push_back(outcome);
        }
        Self { subject, store: Mutex::new(store), cpu_ns, notes }
    }

    /// The readings that the whole text and `plans` need.
    pub fn chunkings(declared: &Declared, plans: &[(Plan, crate::plan::PlanCut)]) -> Vec<(Plan, Vec<Chunking>)> {
        let mut all = vec![(Plan::Whole, whole_readings(declared))];
        for (plan, cut) in plans.iter().filter(|(plan, _)| *plan != Plan::Whole) {
            let chunkings = if *plan == Plan::Reuse { reuse_pairs(&cut.chunkings) } else { cut.chunkings.clone() };
            all.push((*plan, chunkings));
        }
        all
    }
}

/// Two readings of the whole text, and if the subject has an entry point of its own for it, a stream of one chunk.
pub(super) fn whole_readings(declared: &Declared) -> Vec<Chunking> {
    let mut all = vec![Chunking::whole(), Chunking::whole()];
    if declared.whole && declared.stream {
        all.push(Chunking::default());
    }
    all
}

/// Each reading on a fresh instance, then on a used one.
pub(super) fn reuse_pairs(chunkings: &[Chunking]) -> Vec<Chunking> {
    chunkings.iter().flat_map(|c| [Chunking { reuse: false, ..c.clone() }, c.clone()]).collect()
}

impl Subject for Prefetched<'_> {
    fn name(&self) -> &str {
        self.subject.name()
    }

    fn description(&self) -> String {
        self.subject.description()
    }

    fn planted(&self) -> Option<&'static str> {
        self.subject.planted()
    }

    fn abilities(&self) -> Abilities {
        self.subject.abilities()
    }

    fn declared(&self) -> Declared {
        self.subject.declared()
    }

    fn supports(&self, dialect: &Dialect) -> bool {
        self.subject.supports(dialect)
    }

    fn read(&self, ask: &Ask<'_>, raw: &[u8], chunkings: &[Chunking], each: &mut dyn FnMut(usize, Outcome)) {
        let mut store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
        let mut later = Vec::new();
        for (place, chunking) in chunkings.iter().enumerate() {
            match store.get_mut(&(raw.len(), chunking.clone())).and_then(VecDeque::pop_front) {
                Some(Some(outcome)) => each(place, outcome),
                // Not made, and a note says why.
                Some(None) => {}
                None => later.push(place),
            }
        }
        drop(store);
        if !later.is_empty() {
            let some: Vec<Chunking> = later.iter().map(|&place| chunkings[place].clone()).collect();
            self.subject.read(ask, raw, &some, &mut |i, outcome| each(later[i], outcome));
        }
    }
}
