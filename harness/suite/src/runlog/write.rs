//! Writes a log line by line, so that a run that dies leaves what it had (and no footer, which tells).

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::runlog::{CaseResult, Footer, Growth, Header, Line, RunLog, count};
use crate::verdict::Verdict;

/// A log being written. Dropped without [`LogWriter::close`], it has no footer and every reader refuses it.
#[derive(Debug)]
pub struct LogWriter<W: Write> {
    out: W,
    counts: BTreeMap<Verdict, u64>,
}

impl<W: Write> LogWriter<W> {
    /// Begins a log with its header.
    ///
    /// # Errors
    /// The writer's.
    pub fn new(out: W, header: &Header) -> io::Result<Self> {
        let mut writer = Self { out, counts: BTreeMap::new() };
        writer.line(&Line::Header(header.clone()))?;
        Ok(writer)
    }

    /// Goes on with a log that has its header and these results, and nothing else; `out` appends.
    pub fn resume(out: W, results: &[CaseResult]) -> Self {
        Self { out, counts: count(results) }
    }

    /// Adds a result and flushes.
    ///
    /// # Errors
    /// The writer's.
    pub fn result(&mut self, result: &CaseResult) -> io::Result<()> {
        *self.counts.entry(result.verdict).or_insert(0) += 1;
        self.line(&Line::Result(result.clone()))
    }

    /// Adds a growth curve and flushes.
    ///
    /// # Errors
    /// The writer's.
    pub fn growth(&mut self, growth: &Growth) -> io::Result<()> {
        self.line(&Line::Growth(growth.clone()))
    }

    /// Ends the log with its footer and gives the writer back.
    ///
    /// # Errors
    /// The writer's.
    pub fn close(mut self) -> io::Result<W> {
        let counts = std::mem::take(&mut self.counts);
        self.line(&Line::Footer(Footer { counts }))?;
        Ok(self.out)
    }

    fn line(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line).map_err(io::Error::other)?;
        text.push('\n');
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}

impl RunLog {
    /// Writes the whole log.
    ///
    /// # Errors
    /// The writer's.
    pub fn write(&self, out: impl Write) -> io::Result<()> {
        let mut writer = LogWriter::new(out, &self.header)?;
        for result in &self.results {
            writer.result(result)?;
        }
        for growth in &self.growth {
            writer.growth(growth)?;
        }
        writer.close().map(drop)
    }
}
