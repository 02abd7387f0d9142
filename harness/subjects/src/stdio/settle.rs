//! One batch, through crashes, hangs and kills, until each reading has an outcome or a reason for having none.

use std::ops::Range;
use std::time::Duration;

use streakstone_suite::subject::{Ask, Outcome};

use super::Stdio;
use super::ask::Item;
use super::process::Broke;

/// Starts that one batch may cost besides its first: two to confirm, and a dozen halvings for the one reading to blame.
const RESTARTS: usize = 16;

/// SIGKILLs from outside that one batch outlives. Something that kills more often is to be found, not to be waited for.
const KILLS: usize = 16;

/// A part of a batch that is only looked at to find who is to blame waits for this part of the deadline.
const SHORTER: u32 = 4;

/// How a batch went wrong, twice.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// The parser's fault: a death or a hang.
    Parser { outcome: Outcome, stderr: String },
    /// The adapter's.
    Adapter(String),
    /// No start is left.
    Budget,
    /// The run is given up: nobody's.
    Interrupted,
}

/// What came of a batch.
pub(super) struct Settled {
    pub outcomes: Vec<Option<Outcome>>,
    pub cpu_ns: u64,
    pub notes: Vec<String>,
}

/// A batch being settled.
pub(super) struct Settling<'a> {
    stdio: &'a Stdio,
    ask: &'a Ask<'a>,
    raw: &'a [u8],
    items: &'a [Item<'a>],
    settled: Settled,
    restarts: usize,
    kills: usize,
    /// True once a reading has been blamed.
    blamed: bool,
}

impl<'a> Settling<'a> {
    pub fn new(stdio: &'a Stdio, ask: &'a Ask<'a>, raw: &'a [u8], items: &'a [Item<'a>]) -> Self {
        let settled = Settled { outcomes: vec![None; items.len()], cpu_ns: 0, notes: Vec::new() };
        Self { stdio, ask, raw, items, settled, restarts: RESTARTS, kills: KILLS, blamed: false }
    }

    /// Reads all items, twice if need be, and then in halves.
    pub fn settle(mut self) -> Settled {
        let all = 0..self.items.len();
        let deadline = self.stdio.settings.deadline;
        let Err(first) = self.attempt(all.clone(), deadline) else { return self.settled };
        let Failure::Parser { outcome, stderr } = first else { return self.give_up(first, all) };
        match self.attempt(all.clone(), deadline) {
            Ok(()) => {
                let what = described(&outcome);
                self.note(format!("{what} once, and not again with the same readings on a fresh start{}", tail(&stderr)));
            }
            Err(second @ Failure::Parser { .. }) => self.blame(second, deadline / SHORTER),
            Err(other) => return self.give_up(other, all),
        }
        self.settled
    }

    /// Finds who is to blame for a batch that failed twice.
    fn blame(&mut self, failure: Failure, deadline: Duration) {
        let count = self.items.len();
        if count == 1 {
            return self.record(0, failure);
        }
        match self.attempt(0..1, deadline) {
            Ok(()) => {}
            Err(alone @ Failure::Parser { .. }) => {
                self.note(format!("the first reading is to blame; the {} others were not made", count - 1));
                return self.record(0, alone);
            }
            Err(other) => {
                self.put(other, 0..count);
                return;
            }
        }
        if self.halves(1..count, deadline) && !self.blamed {
            self.note(format!("only with all {count} readings in one process, never in halves"));
            self.record(count - 1, failure);
        }
    }

    /// Reads a range that failed in two halves, each beside the whole reading. False if it had to stop.
    fn halves(&mut self, range: Range<usize>, deadline: Duration) -> bool {
        let middle = range.start + range.len() / 2;
        let halves = if range.len() < 2 { vec![range] } else { vec![range.start..middle, middle..range.end] };
        for half in halves {
            match self.attempt(half.clone(), deadline) {
                Ok(()) => {}
                Err(failure @ Failure::Parser { .. }) if half.len() == 1 => self.record(half.start, failure),
                Err(Failure::Parser { outcome, stderr }) => {
                    let stopped = !self.halves(half.clone(), deadline);
                    if stopped {
                        return false;
                    }
                    if !self.blamed {
                        self.record(half.end - 1, Failure::Parser { outcome, stderr });
                    }
                }
                Err(other) => {
                    self.put(other, half);
                    return false;
                }
            }
        }
        true
    }

    /// Reads a range, with the whole reading before it as what `same` means, and keeps the outcomes.
    fn attempt(&mut self, range: Range<usize>, deadline: Duration) -> Result<(), Failure> {
        let mut places: Vec<usize> = range.collect();
        if places.first() != Some(&0) {
            places.insert(0, 0);
        }
        let items: Vec<Item<'_>> = places.iter().map(|&place| self.items[place]).collect();
        loop {
            let (broke, stderr) = match self.stdio.exchange_run(self.ask, self.raw, &items, deadline) {
                Ok((outcomes, cpu_ns)) => {
                    self.settled.cpu_ns += cpu_ns;
                    for (place, outcome) in places.into_iter().zip(outcomes) {
                        self.settled.outcomes[place].get_or_insert(outcome);
                    }
                    return Ok(());
                }
                Err(broke) => broke,
            };
            let failure = match broke {
                Broke::Killed if self.kills > 0 => {
                    self.kills -= 1;
                    continue;
                }
                Broke::Killed => {
                    let why = format!("something outside kills it: SIGKILL {} times with one batch{}", KILLS + 1, tail(&stderr));
                    return Err(Failure::Adapter(why));
                }
                Broke::Interrupted => return Err(Failure::Interrupted),
                Broke::Fault(why) => return Err(Failure::Adapter(format!("{why}{}", tail(&stderr)))),
                Broke::Died(status) => Failure::Parser { outcome: Outcome::Died(status), stderr },
                Broke::Late => Failure::Parser { outcome: Outcome::TimedOut, stderr },
            };
            if self.restarts == 0 {
                return Err(Failure::Budget);
            }
            self.restarts -= 1;
            return Err(failure);
        }
    }

    fn record(&mut self, place: usize, failure: Failure) {
        if let Failure::Parser { outcome, stderr } = failure {
            self.blamed = true;
            if !stderr.is_empty() {
                self.note(format!("{}{}", described(&outcome), tail(&stderr)));
            }
            self.settled.outcomes[place] = Some(outcome);
        }
    }

    fn give_up(mut self, failure: Failure, range: Range<usize>) -> Settled {
        self.put(failure, range);
        self.settled
    }

    /// A failure that ends the settling.
    fn put(&mut self, failure: Failure, range: Range<usize>) {
        match failure {
            Failure::Adapter(why) => self.settled.outcomes[range.start] = Some(Outcome::AdapterFault(why)),
            Failure::Budget => {
                let left = self.settled.outcomes.iter().filter(|o| o.is_none()).count();
                self.note(format!("{left} readings were not made: {RESTARTS} restarts are spent"));
                if !self.blamed {
                    self.settled.outcomes[range.start] = Some(Outcome::Died(format!("again and again, {RESTARTS} starts long")));
                }
            }
            Failure::Interrupted => self.note("the run was interrupted".to_owned()),
            parser @ Failure::Parser { .. } => self.record(range.start, parser),
        }
    }

    /// Of many alike one will do.
    fn note(&mut self, note: String) {
        if !self.settled.notes.contains(&note) {
            self.settled.notes.push(note);
        }
    }
}

fn described(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Died(status) => format!("it died ({status})"),
        _ => "it did not answer before its deadline".to_owned(),
    }
}

/// The end of standard error, to be said behind what happened.
pub(super) fn tail(stderr: &str) -> String {
    if stderr.is_empty() { String::new() } else { format!("; its standard error ends: {stderr:?}") }
}
