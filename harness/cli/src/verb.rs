//! The verbs, one file each. A new verb is one line in each list here.

use anyhow::Result;
use clap::Subcommand;

use crate::exit::Exit;
use crate::{
    adapter, bless, check, completions, diff, doctor, heal, known, list, measure, merge, minimize, replay, report, run, schema, show,
    stream,
};

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
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
    Adapter(adapter::AdapterVerb),
    Stream(stream::StreamArgs),
    Replay(replay::ReplayArgs),
    Heal(heal::HealArgs),
    Schema(schema::SchemaArgs),
    Completions(completions::CompletionsArgs),
    Doctor(doctor::DoctorArgs),
}

impl Verb {
    /// Does it.
    ///
    /// # Errors
    /// The verb's own.
    pub fn run(self) -> Result<Exit> {
        match self {
            Self::Run(args) => args.run(),
            Self::List(args) => args.run(),
            Self::Show(args) => args.run(),
            Self::Check(args) => args.run(),
            Self::Bless(args) => args.run(),
            Self::Known(args) => args.run(),
            Self::Minimize(args) => args.run(),
            Self::Report(args) => args.run(),
            Self::Diff(args) => args.run(),
            Self::Merge(args) => args.run(),
            Self::Measure(args) => args.run(),
            Self::Adapter(args) => args.run(),
            Self::Stream(args) => args.run(),
            Self::Replay(args) => args.run(),
            Self::Heal(args) => args.run(),
            Self::Schema(args) => args.run(),
            Self::Completions(args) => args.run(),
            Self::Doctor(args) => args.run(),
        }
    }
}
