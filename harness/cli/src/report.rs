//! `streakstone report LOG`

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use streakstone_report::{escape, scoreboard};
use streakstone_suite::runlog::RunLog;

use crate::exit::{Exit, stop, stop_next};
use crate::run::{Format, exit_of, notice_unjudged};
use crate::{output, published};

/// Render a run log; the exit code is that of the run
///
/// With --scoreboard: put the logs of several subjects on one page.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  streakstone report run.jsonl --format junit -o junit.xml
  streakstone report --scoreboard reports/published/*.jsonl -o reports/SCOREBOARD.md")]
pub struct ReportArgs {
    /// The run log; several with --scoreboard
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    /// Form of the report
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Subjects against dialects and laws, as Markdown; the exit code says only whether the logs are whole
    #[arg(long, conflicts_with = "format")]
    pub scoreboard: bool,
    /// Write it to this file
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

impl ReportArgs {
    /// Renders.
    ///
    /// # Errors
    /// Exit 2 if a log is not complete, or there are several without --scoreboard, or two of one subject with it.
    pub fn run(self) -> Result<Exit> {
        output::not_onto(self.output.as_deref(), &self.logs, "--output")?;
        let loaded = self.logs.iter().map(|path| RunLog::load(path).map(|log| (path.clone(), log)));
        let logs: Vec<(PathBuf, RunLog)> = loaded.collect::<Result<_, _>>().map_err(|e| stop(Exit::Usage, e))?;
        if self.scoreboard {
            published::one_each(&logs)?;
            let torn = logs.iter().filter(|(_, log)| log.not_run() > 0);
            let torn: Vec<String> = torn.map(|(path, log)| format!("{}: {} `not-run`.", path.display(), log.not_run())).collect();
            let logs: Vec<RunLog> = logs.into_iter().map(|(_, log)| log).collect();
            output::data_to(self.output.as_deref(), &scoreboard::render(&logs))?;
            for torn in &torn {
                output::notice(&format!("{}\n  next  go on with its run: --resume instead of --log", escape::visible(torn)));
            }
            return Ok(if torn.is_empty() { Exit::AsExpected } else { Exit::Incomplete });
        }
        let [(_, log)] = logs.as_slice() else {
            let message = format!("{} logs: a report is of one.", logs.len());
            return Err(stop_next(Exit::Usage, message, "streakstone merge for shards of one run, or --scoreboard"));
        };
        output::data_to(self.output.as_deref(), &self.format.render(log, None)?)?;
        notice_unjudged(log);
        Ok(exit_of(log))
    }
}
