//! `streakstone measure --growth` and `--ratio`

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use streakstone_measure::generators::Generator;
use streakstone_measure::growth::{GrowthRow, Over, Settings, measure_growth};
use streakstone_measure::ratio::{Ratio, measure_ratio};
use streakstone_model::{Delivery, Dialect, Lookup, known};
use streakstone_report::escape::visible;
use streakstone_report::terminal;
use streakstone_suite::runlog::{LogWriter, RunLog};
use streakstone_suite::subject::Subject;

use crate::adapter::AdapterArgs;
use crate::exit::{Exit, stop_next};
use crate::run::Format;
use crate::world::{REFERENCE, subject};
use crate::{dialect_file, output, receipt};

/// Measure how the cost of hostile input grows with its length, or what the reference costs over copying
///
/// Growth: exponents of thread CPU time over size, by least squares of the logarithms; 1 is linear, 2 quadratic. Exit 1 above a
/// limit. Ratio: calls and prose streamed in small chunks, against pushing the same chunks into a string with one memchr;
/// figures for a person, never a gate.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  streakstone measure --growth\n  streakstone measure --growth --dialect hermes --generator openers --log growth.jsonl"
)]
pub struct MeasureArgs {
    /// Growth of CPU time with the length of the text
    #[arg(long, required_unless_present = "ratio", conflicts_with = "ratio")]
    pub growth: bool,
    /// Cost of the reference parsers over copying
    #[arg(long)]
    pub ratio: bool,
    /// Bytes of a chunk, with --ratio
    #[arg(long, value_name = "N", default_value_t = 4, requires = "ratio")]
    pub chunk: usize,
    /// Subject to measure, several times for several [default: reference]
    #[arg(long, value_name = "NAME", conflicts_with = "ratio")]
    pub subject: Vec<String>,
    #[command(flatten)]
    pub adapters: AdapterArgs,
    /// Only these dialects, by name or alias [default: all]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub dialect: Vec<String>,
    /// Only generators whose name has this part
    #[arg(long, value_name = "PART", conflicts_with = "ratio")]
    pub generator: Option<String>,
    /// Only this delivery: validated or eager [default: both]
    #[arg(long, value_name = "DELIVERY")]
    pub delivery: Option<Delivery>,
    /// Sizes of the texts in bytes, ascending, a range of 8 or more [default: 10 KB to 1 MB]
    #[arg(long, value_name = "N[,N...]", value_delimiter = ',', conflicts_with = "ratio")]
    pub sizes: Vec<usize>,
    /// Limit of the exponent by time [default: 1.25 for the reference, 1.4 for others]
    #[arg(long, value_name = "X", conflicts_with = "ratio")]
    pub limit: Option<f64>,
    /// Write the run log (JSON Lines) to this file
    #[arg(long, value_name = "FILE", conflicts_with = "ratio")]
    pub log: Option<PathBuf>,
    /// Form of the report on stdout
    #[arg(long, value_enum, default_value_t, conflicts_with = "ratio")]
    pub format: Format,
}

impl MeasureArgs {
    /// Measures.
    ///
    /// # Errors
    /// Exit 2 on wrong usage, 4 if nothing is selected.
    pub fn run(self) -> Result<Exit> {
        let read: Vec<PathBuf> = self.adapters.files().into_iter().chain(dialect_file::given()).collect();
        output::not_onto(self.log.as_deref(), &read, "--log")?;
        let adapters = self.adapters.start(false)?;
        let named = if self.subject.is_empty() && adapters.is_empty() { &[REFERENCE.to_owned()] } else { self.subject.as_slice() };
        let own = named.iter().map(|s| subject(s)).collect::<Result<Vec<_>>>()?;
        let subjects: Vec<Box<dyn Subject>> = own.into_iter().chain(adapters).collect();
        let dialects = self.dialects()?;
        if self.ratio {
            return self.ratios(&dialects);
        }
        let mut settings = Settings { limit: self.limit, ..Settings::default() };
        if let Some(delivery) = self.delivery {
            settings.deliveries = vec![delivery];
        }
        if !self.sizes.is_empty() {
            if !self.sizes.is_sorted() || self.sizes[0] == 0 || self.sizes[self.sizes.len() - 1] / self.sizes[0] < 8 {
                return Err(stop_next(
                    Exit::Usage,
                    "--sizes: not ascending, or a range below 8, of which an exponent says little.",
                    "for example --sizes 10000,100000",
                ));
            }
            settings.sizes.clone_from(&self.sizes);
        }
        let wanted = |g: &Generator| self.generator.as_ref().is_none_or(|part| g.name.contains(part.as_str()));
        let borrowed: Vec<&dyn Subject> = subjects.iter().map(|s| &**s).collect();
        let header = receipt::bare(subjects.iter().map(|s| s.name().to_owned()).collect(), Vec::new());
        let mut log = RunLog { header, results: Vec::new(), growth: Vec::new() };
        let (mut over, mut faults) = (Vec::new(), Vec::new());
        measure_growth(&borrowed, &dialects, &wanted, &settings, &mut |row| {
            if output::progress_wanted() {
                output::notice(&format!("{} {} {} chunk {}", row.dialect, row.generator, row.delivery, row.chunk));
            }
            let GrowthRow { subject, dialect, generator, .. } = &row;
            faults.extend(row.fault.as_ref().map(|why| format!("{subject} on {dialect} {generator}: not measured: {why}.")));
            over.extend(row.over().map(|o| above(&row, o)));
            log.growth.extend(row.to_log());
        });
        // What an adapter says after its last answer is its fault, too.
        faults.extend(borrowed.iter().filter_map(|subject| Some(format!("{}: {}.", subject.name(), subject.end()?))));
        if log.growth.is_empty() && faults.is_empty() {
            return Err(stop_next(Exit::NothingSelected, "No generator fits.", "streakstone measure --growth --dialect hermes"));
        }
        if let Some(path) = &self.log {
            let failed = || format!("{}: cannot be written", path.display());
            let mut writer = LogWriter::new(std::fs::File::create(path).with_context(failed)?, &log.header).with_context(failed)?;
            log.growth.iter().try_for_each(|g| writer.growth(g)).with_context(failed)?;
            writer.close().and_then(|mut f| f.flush()).with_context(failed)?;
        }
        if !log.growth.is_empty() {
            output::data(&self.format.render(&log, None)?)?;
        }
        for line in &over {
            output::notice(line);
        }
        if let Some(more) = faults.len().checked_sub(SHOWN_FAULTS).filter(|&more| more > 0) {
            faults.truncate(SHOWN_FAULTS);
            faults.push(format!("And {more} more."));
        }
        if !faults.is_empty() {
            for fault in &faults {
                output::notice(&visible(fault));
            }
            return Ok(Exit::Fault);
        }
        Ok(if over.is_empty() && terminal::steep(&log) == 0 { Exit::AsExpected } else { Exit::Unexpected })
    }

    /// Prints the ratios of each row.
    fn ratios(&self, dialects: &[&'static Dialect]) -> Result<Exit> {
        let deliveries = self.delivery.map_or_else(|| Delivery::ALL.to_vec(), |only| vec![only]);
        let mut text = format!(
            "{:<14} {:<6} {:<10} {:>8} {:>10} {:>10} {:>7}  aim\n",
            "dialect", "text", "delivery", "chunks", "ns/chunk", "baseline", "ratio"
        );
        for dialect in dialects {
            for &delivery in &deliveries {
                for figure in measure_ratio(dialect, delivery, self.chunk, RATIO_ROUNDS) {
                    text.push_str(&ratio_line(&figure));
                }
            }
        }
        output::data(&text)?;
        Ok(Exit::AsExpected)
    }

    fn dialects(&self) -> Result<Vec<&'static Dialect>> {
        if self.dialect.is_empty() {
            return Ok(known().collect());
        }
        let find = |word: &String| match streakstone_model::lookup(word) {
            Lookup::Known(dialect) => Ok(dialect),
            Lookup::Unknown { nearest } => Err(stop_next(
                Exit::Usage,
                format!("No dialect is named `{word}`; the nearest is `{nearest}`."),
                "streakstone list dialects",
            )),
        };
        self.dialect.iter().map(find).collect()
    }
}

/// Faults that are told in full.
const SHOWN_FAULTS: usize = 5;

/// Rounds of which the best counts.
const RATIO_ROUNDS: usize = 200;

fn ratio_line(figure: &Ratio) -> String {
    let (parser, baseline) = figure.ns_per_chunk();
    format!(
        "{:<14} {:<6} {:<10} {:>8} {parser:>10.1} {baseline:>10.1} {:>6.2}x  {:.1}x\n",
        figure.dialect,
        figure.text,
        figure.delivery,
        figure.chunks,
        figure.ratio(),
        figure.aim()
    )
}

fn above(row: &GrowthRow, over: Over) -> String {
    let (by, exponent, limit) = match over {
        Over::Time { exponent, limit } => ("time", exponent, limit),
        Over::Steps { exponent, limit } => ("steps", exponent, limit),
    };
    let chunk = if row.chunk == 0 { "whole".to_owned() } else { format!("in chunks of {} bytes", row.chunk) };
    format!(
        "linear: {} on {} {}, {}, {chunk}: exponent {exponent:.2} by {by}, limit {limit:.2}.\n  next  streakstone measure --growth --subject {} --dialect {} --generator {}",
        row.subject, row.dialect, row.generator, row.delivery, row.subject, row.dialect, row.generator
    )
}
