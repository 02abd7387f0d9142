//! `streakstone report LOG`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use streakstone_suite::runlog::RunLog;

use crate::exit::{Exit, stop};
use crate::output;
use crate::run::{Format, exit_of};

/// Render a run log; the exit code is that of the run
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  streakstone report run.jsonl --format junit -o junit.xml")]
pub struct ReportArgs {
    /// The run log
    pub log: PathBuf,
    /// Form of the report
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl ReportArgs {
    /// Renders.
    ///
    /// # Errors
    /// Exit 2 if the log is not complete.
    pub fn run(self) -> Result<Exit> {
        let log = RunLog::load(&self.log).map_err(|e| stop(Exit::Usage, e.to_string()))?;
        output::data_to(self.output.as_deref(), &self.format.render(&log, None)?)?;
        Ok(exit_of(&log))
    }
}
