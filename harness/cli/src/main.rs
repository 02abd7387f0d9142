//! The command line: parses the arguments and hands over to the verb. One file per verb; `run` is the default.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod bless;
mod check;
mod completions;
mod diff;
mod doctor;
mod events;
mod execute;
mod exit;
mod known;
mod list;
mod measure;
mod merge;
mod minimize;
mod output;
mod place;
mod receipt;
mod report;
mod run;
mod schema;
mod select;
mod show;
mod world;

use exit::Exit;

/// Golden-file conformance harness for LLM tool-call parsers
///
/// Without a verb: `run`, the whole corpus against the reference parsers, cut at every place.
#[derive(Debug, Parser)]
#[command(name = "streakstone", version, after_help = Exit::TABLE)]
struct Cli {
    /// When to colour; `NO_COLOR` is honoured
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    color: output::Color,
    #[command(subcommand)]
    verb: Option<Verb>,
}

#[derive(Debug, Subcommand)]
enum Verb {
    Run(run::RunArgs),
    List(list::ListArgs),
    Show(show::ShowArgs),
    Check(check::CheckArgs),
    Bless(bless::BlessArgs),
    Known(known::KnownArgs),
    Minimize(minimize::MinimizeArgs),
    Report(report::ReportArgs),
    Diff(diff::DiffArgs),
    Merge(merge::MergeArgs),
    Measure(measure::MeasureArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Doctor(doctor::DoctorArgs),
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    cli.color.apply();
    let done = match cli.verb.unwrap_or_else(|| Verb::Run(run::RunArgs::default())) {
        Verb::Run(args) => args.run(),
        Verb::List(args) => args.run(),
        Verb::Show(args) => args.run(),
        Verb::Check(args) => args.run(),
        Verb::Bless(args) => args.run(),
        Verb::Known(args) => args.run(),
        Verb::Minimize(args) => args.run(),
        Verb::Report(args) => args.run(),
        Verb::Diff(args) => args.run(),
        Verb::Merge(args) => args.run(),
        Verb::Measure(args) => args.run(),
        Verb::Schema(args) => args.run(),
        Verb::Completions(args) => args.run(),
        Verb::Doctor(args) => args.run(),
    };
    done.unwrap_or_else(|error| exit::report(&error)).into()
}
