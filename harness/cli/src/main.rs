//! The command line: parses the arguments and hands over to the verb. One file per verb; `run` is the default.

use std::process::ExitCode;

use clap::Parser;

mod adapter;
mod bless;
mod check;
mod completions;
mod dialect_file;
mod diff;
mod doctor;
mod events;
mod execute;
mod exit;
mod generated;
mod heal;
mod interrupt;
mod known;
mod list;
mod measure;
mod merge;
mod minimize;
mod output;
mod place;
mod published;
mod receipt;
mod replay;
mod report;
mod resume;
mod run;
mod schema;
mod select;
mod show;
mod smoke;
mod stream;
mod verb;
mod world;

use exit::Exit;
use verb::Verb;

/// Golden-file conformance harness for LLM tool-call parsers
///
/// Without a verb: `run`, the whole corpus against the reference parsers, cut at every place.
#[derive(Debug, Parser)]
#[command(name = "streakstone", version, after_help = Exit::TABLE)]
struct Cli {
    /// When to colour; `NO_COLOR` is honoured
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: output::Color,
    #[command(flatten)]
    dialects: dialect_file::DialectArgs,
    #[command(subcommand)]
    verb: Option<Verb>,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.apply();
    let verb = cli.verb.unwrap_or_else(|| Verb::Run(run::RunArgs::default()));
    let exit = cli.dialects.register().and_then(|()| verb.run()).unwrap_or_else(|error| exit::report(&error));
    interrupt::end();
    exit.into()
}
