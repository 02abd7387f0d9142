//! `streakstone diff OLD NEW`

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use streakstone_report::diff as render;
use streakstone_suite::runlog::{self, RunLog};

use crate::exit::{Exit, stop};
use crate::output;

/// Compare two run logs: new failures apart from old ones; exit 1 on a regression, else 5 if a result of the new log did not run
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  streakstone diff main.jsonl branch.jsonl --format markdown -o summary.md")]
pub struct DiffArgs {
    /// The log before
    pub old: PathBuf,
    /// The log after
    pub new: PathBuf,
    /// Form of the report
    #[arg(long, value_enum, default_value_t)]
    pub format: DiffFormat,
    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// Form of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum DiffFormat {
    /// For a terminal
    #[default]
    Text,
    /// For a step summary or a pull request
    Markdown,
    /// One JSON object a line
    Json,
}

impl DiffArgs {
    /// Compares.
    ///
    /// # Errors
    /// Exit 2 if a log is not complete.
    pub fn run(self) -> Result<Exit> {
        output::not_onto(self.output.as_deref(), &[self.old.clone(), self.new.clone()], "--output")?;
        let load = |path: &PathBuf| RunLog::load(path).map_err(|e| stop(Exit::Usage, e));
        let diff = runlog::diff(&load(&self.old)?, &load(&self.new)?);
        let text = match self.format {
            DiffFormat::Text => render::text(&diff),
            DiffFormat::Markdown => render::markdown(&diff),
            DiffFormat::Json => render::json_lines(&diff),
        };
        output::data_to(self.output.as_deref(), &text)?;
        Ok(match (diff.is_worse(), diff.not_run) {
            (true, _) => Exit::Unexpected,
            (false, 0) => Exit::AsExpected,
            (false, _) => Exit::Incomplete,
        })
    }
}
