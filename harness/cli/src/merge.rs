//! `streakstone merge LOG... -o FILE`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use streakstone_report::escape;
use streakstone_suite::runlog::{self, RunLog};

use crate::exit::{Exit, stop};
use crate::output;
use crate::run::{exit_of, notice_unjudged};

/// Put the logs of all shards of one run together; the exit code is that of the whole run
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  streakstone merge shard-1.jsonl shard-2.jsonl -o run.jsonl\n  streakstone merge run.jsonl --condensed -o reports/published/2026-05-01-my-parser.jsonl"
)]
pub struct MergeArgs {
    /// The logs of `run --shard 1/N` to `run --shard N/N`
    #[arg(required = true)]
    pub logs: Vec<PathBuf>,
    /// Make it small enough to publish: of each law only a few findings keep their values
    #[arg(long)]
    pub condensed: bool,
    /// Write the whole log to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl MergeArgs {
    /// Merges.
    ///
    /// # Errors
    /// Exit 2 if a log is not complete or they are not all the shards of one run, or the output is one of the logs.
    pub fn run(self) -> Result<Exit> {
        output::not_onto(self.output.as_deref(), &self.logs, "--output")?;
        let logs: Vec<RunLog> = self.logs.iter().map(|p| RunLog::load(p)).collect::<Result<_, _>>().map_err(|e| stop(Exit::Usage, e))?;
        let merged = runlog::merge(&logs).map_err(|e| stop(Exit::Usage, format!("{e}.")))?;
        let merged = if self.condensed { runlog::condense(&merged) } else { merged };
        let mut out = Vec::new();
        merged.write(&mut out)?;
        output::data_to(self.output.as_deref(), &escape::json(&String::from_utf8_lossy(&out)))?;
        notice_unjudged(&merged);
        Ok(exit_of(&merged))
    }
}
