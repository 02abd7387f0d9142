//! The growth check: one curve a subject, dialect, generator, delivery and chunk size.
//!
//! Sizes are interleaved, so that a slow spell of the machine falls on all of them; of several rounds the best time counts; a
//! curve above its limit is measured again before it is believed. A subject that is plainly quadratic is not read at sizes
//! that would take longer than the budget.

use std::time::{Duration, Instant};

use streakstone_model::{Delivery, Dialect, End};
use streakstone_suite::runlog::Growth;
use streakstone_suite::subject::{Ask, Chunking, Subject};

use crate::clock;
use crate::fit::{Fit, fit};
use crate::generators::{self, Generator};

/// Sizes of the texts: a range of ×100. Below ×8 an exponent says little.
pub const SIZES: [usize; 5] = [10_000, 32_000, 100_000, 320_000, 1_000_000];
/// Rounds of which the best time counts.
pub const ROUNDS: usize = 3;
/// More batches of rounds for a curve above its limit: under load linear code measures up to 1.12.
pub const RETRIES: usize = 3;
/// An exponent this far above its limit is no noise and is not measured again.
const CLEARLY_OVER: f64 = 0.4;
/// Limit by thread CPU time for the reference parsers.
pub const REFERENCE_LIMIT: f64 = 1.25;
/// Limit by thread CPU time for every other subject.
pub const SUBJECT_LIMIT: f64 = 1.4;
/// Limit by counted steps. A count has no noise, so the limit only leaves room for constant parts.
pub const STEP_LIMIT: f64 = 1.1;
/// A sample shorter than this repeats its reading: the clock call itself takes a third of a microsecond.
const SHORTEST_SAMPLE: Duration = Duration::from_micros(500);
/// Most readings of a sample: a clock that ticks too seldom never adds up to one.
const MOST_READINGS: usize = 10_000;
/// A sample ends after so long on the wall, whatever the subject's own clock says.
const LONGEST_SAMPLE: Duration = Duration::from_secs(2);
/// A size whose reading is expected to take longer is left out.
pub const BUDGET: Duration = Duration::from_secs(5);

/// What to measure and how.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Sizes in bytes, ascending.
    pub sizes: Vec<usize>,
    /// Bytes a chunk; 0 = whole.
    pub chunks: Vec<usize>,
    /// Deliveries; one the subject does not have is left out.
    pub deliveries: Vec<Delivery>,
    /// Rounds of timing; 0 = steps only, which is deterministic.
    pub rounds: usize,
    /// The longest expected reading.
    pub budget: Duration,
    /// Limit by time; by default that of the subject's kind.
    pub limit: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { sizes: SIZES.to_vec(), chunks: vec![0, 4], deliveries: Delivery::ALL.to_vec(), rounds: ROUNDS, budget: BUDGET, limit: None }
    }
}

impl Settings {
    /// Steps only: no clock, the same result on every machine.
    #[must_use]
    pub fn steps_only() -> Self {
        Self { rounds: 0, ..Self::default() }
    }
}

/// Why a curve is not linear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Over {
    /// By thread CPU time.
    Time {
        /// The exponent.
        exponent: f64,
        /// The limit.
        limit: f64,
    },
    /// By counted steps.
    Steps {
        /// The exponent.
        exponent: f64,
        /// The limit.
        limit: f64,
    },
}

/// One measured curve.
#[derive(Debug, Clone, PartialEq)]
pub struct GrowthRow {
    /// The subject's name.
    pub subject: String,
    /// The row's name.
    pub dialect: &'static str,
    /// The generator's name.
    pub generator: &'static str,
    /// The delivery.
    pub delivery: Delivery,
    /// Bytes a chunk; 0 = whole.
    pub chunk: usize,
    /// True lengths of the texts read.
    pub sizes: Vec<usize>,
    /// Best thread CPU time of each, in nanoseconds; empty if only steps were counted.
    pub cpu_ns: Vec<u64>,
    /// Steps of each; empty if the subject does not count.
    pub steps: Vec<u64>,
    /// The fit of time.
    pub time: Option<Fit>,
    /// The fit of steps.
    pub step: Option<Fit>,
    /// The limit by time.
    pub limit: f64,
    /// True if sizes were left out because the subject is too slow for them.
    pub cut_short: bool,
    /// True if the subject is wrong on purpose.
    pub planted: bool,
    /// Why the subject gave no times: then there is no curve.
    pub fault: Option<String>,
}

impl GrowthRow {
    /// What is above its limit; steps first, as they have no noise.
    #[must_use]
    pub fn over(&self) -> Option<Over> {
        let above = |fit: Option<Fit>, limit: f64| fit.map(|f| f.exponent).filter(|&exponent| exponent > limit);
        let steps = above(self.step, STEP_LIMIT).map(|exponent| Over::Steps { exponent, limit: STEP_LIMIT });
        steps.or_else(|| above(self.time, self.limit).map(|exponent| Over::Time { exponent, limit: self.limit }))
    }

    /// Nanoseconds a byte at the largest size.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "sizes and times are far below 2^52")]
    pub fn ns_per_byte(&self) -> Option<f64> {
        Some(*self.cpu_ns.last()? as f64 / *self.sizes.last()? as f64)
    }

    /// The line of the run log; `None` if no time was measured. Where two sizes leave no interval, the whole range from 0 to
    /// twice the exponent stands for it.
    #[must_use]
    pub fn to_log(&self) -> Option<Growth> {
        let time = self.time?;
        Some(Growth {
            subject: self.subject.clone(),
            dialect: self.dialect.to_owned(),
            generator: self.generator.to_owned(),
            delivery: self.delivery,
            chunk: self.chunk,
            sizes: self.sizes.iter().map(|&n| n as u64).collect(),
            cpu_ns: self.cpu_ns.clone(),
            exponent: time.exponent,
            interval: time.interval.unwrap_or([0.0, 2.0 * time.exponent]),
            unit: self.step.map(|_| "steps".to_owned()),
            counts: self.steps.clone(),
            count_exponent: self.step.map(|f| f.exponent),
            limit: Some(self.limit),
            planted: self.planted,
        })
    }
}

/// Measures every curve of `subjects` and `dialects` that `wanted` admits, and hands each row to `each` as it is done.
pub fn measure_growth(
    subjects: &[&dyn Subject],
    dialects: &[&'static Dialect],
    wanted: &dyn Fn(&Generator) -> bool,
    settings: &Settings,
    each: &mut dyn FnMut(GrowthRow),
) {
    for &subject in subjects {
        for &dialect in dialects.iter().filter(|d| subject.supports(d)) {
            for generator in generators::of(dialect).filter(|g| wanted(g)) {
                let texts: Vec<String> = settings.sizes.iter().map(|&size| generator.text(dialect, size)).collect();
                for &delivery in &settings.deliveries {
                    if delivery == Delivery::Eager && !subject.abilities().eager {
                        continue;
                    }
                    for &chunk in &settings.chunks {
                        each(Curve { subject, dialect, generator, delivery, chunk, texts: &texts }.measure(settings));
                    }
                }
            }
        }
    }
}

/// Cuts into chunks of `size` bytes; none for 0.
#[must_use]
pub fn every(size: usize, len: usize) -> Chunking {
    let cuts = if size == 0 { Vec::new() } else { (size..len).step_by(size).collect() };
    Chunking { cuts, ..Chunking::default() }
}

struct Curve<'a> {
    subject: &'a dyn Subject,
    dialect: &'static Dialect,
    generator: &'static Generator,
    delivery: Delivery,
    chunk: usize,
    texts: &'a [String],
}

impl Curve<'_> {
    fn measure(&self, settings: &Settings) -> GrowthRow {
        let tools = self.generator.tools();
        let mut options = self.generator.options();
        options.policies.delivery = self.delivery;
        let ask = Ask { dialect: self.dialect, tools: tools.as_deref(), options: &options, end: End::Stop };
        let planted = self.subject.planted().is_some();
        let default = if self.subject.name() == "reference" { REFERENCE_LIMIT } else { SUBJECT_LIMIT };
        let mut row = GrowthRow {
            subject: self.subject.name().to_owned(),
            dialect: self.dialect.name,
            generator: self.generator.name,
            delivery: self.delivery,
            chunk: self.chunk,
            sizes: Vec::new(),
            cpu_ns: Vec::new(),
            steps: Vec::new(),
            time: None,
            step: None,
            limit: settings.limit.unwrap_or(default),
            cut_short: false,
            planted,
            fault: None,
        };
        let chunkings: Vec<Chunking> = self.texts.iter().map(|text| every(self.chunk, text.len())).collect();
        if let Err(fault) = self.times(&ask, &chunkings, settings, &mut row) {
            row.fault = Some(fault);
            row.time = None;
        }
        row
    }

    /// Measures the curve.
    fn times(&self, ask: &Ask<'_>, chunkings: &[Chunking], settings: &Settings, row: &mut GrowthRow) -> Result<(), String> {
        self.pace(ask, chunkings, settings, row)?;
        for retry in 0..=RETRIES {
            for _ in 0..settings.rounds {
                for (place, chunking) in chunkings.iter().enumerate().take(row.sizes.len()) {
                    row.cpu_ns[place] = row.cpu_ns[place].min(self.sample(ask, place, chunking)?);
                }
            }
            row.time = if settings.rounds > 0 { fit(row.sizes.iter().copied().zip(row.cpu_ns.iter().copied())) } else { None };
            let doubtful = |f: Fit| f.exponent > row.limit && f.exponent < row.limit + CLEARLY_OVER;
            if !row.time.is_some_and(doubtful) || row.cut_short || retry == RETRIES {
                break;
            }
        }
        Ok(())
    }

    /// The first pass: counts the steps, and finds the sizes that the budget allows, by what the size before took.
    fn pace(&self, ask: &Ask<'_>, chunkings: &[Chunking], settings: &Settings, row: &mut GrowthRow) -> Result<(), String> {
        let mut last: Option<(usize, Duration)> = None;
        for (place, chunking) in chunkings.iter().enumerate() {
            let len = self.texts[place].len();
            if let Some((before, took)) = last {
                // The worst case is taken to be quadratic.
                let factor = u32::try_from((len / before.max(1) + 1).pow(2)).unwrap_or(u32::MAX);
                if took.saturating_mul(factor) > settings.budget && took > settings.budget / 200 {
                    row.cut_short = true;
                    break;
                }
            }
            let raw = self.texts[place].as_bytes();
            let (took, steps) = clock::time(|| self.subject.steps(ask, raw, chunking));
            row.steps.extend(steps);
            let first = if settings.rounds > 0 || steps.is_none() { self.once(ask, place, chunking)? } else { took };
            row.sizes.push(len);
            row.cpu_ns.push(nanos(first));
            last = Some((len, first.max(took)));
        }
        row.step = fit(row.sizes.iter().copied().zip(row.steps.iter().copied()).take(row.steps.len()));
        if settings.rounds == 0 {
            row.cpu_ns.clear();
        }
        Ok(())
    }

    fn once(&self, ask: &Ask<'_>, place: usize, chunking: &Chunking) -> Result<Duration, String> {
        let raw = self.texts[place].as_bytes();
        // A subject elsewhere is timed where it is; our own time is that of waiting.
        if let Some(own) = self.subject.measure(ask, raw, chunking, 1) {
            return own.map(|all| Duration::from_nanos(all.first().copied().unwrap_or_default()));
        }
        let read = || {
            self.subject.read(ask, raw, std::slice::from_ref(chunking), &mut |_, outcome| {
                std::hint::black_box(&outcome);
            });
        };
        Ok(clock::time(read).0)
    }

    /// Nanoseconds of one reading, from as many as a sample needs.
    fn sample(&self, ask: &Ask<'_>, place: usize, chunking: &Chunking) -> Result<u64, String> {
        let mut best = u64::MAX;
        let mut spent = Duration::ZERO;
        let start = Instant::now();
        for _ in 0..MOST_READINGS {
            let took = self.once(ask, place, chunking)?.max(Duration::from_nanos(1));
            spent += took;
            best = best.min(nanos(took));
            if spent >= SHORTEST_SAMPLE || start.elapsed() > LONGEST_SAMPLE {
                break;
            }
        }
        if best > 1 { Ok(best) } else { Err("by its clock a reading takes no time".to_owned()) }
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
