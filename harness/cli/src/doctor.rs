//! `streakstone doctor`

use std::io::IsTerminal as _;

use anyhow::Result;
use clap::Args;
use streakstone_suite::corpus::{Corpus, Strictness};
use streakstone_suite::golden::Goldens;
use streakstone_suite::runlog;

use crate::exit::Exit;
use crate::place::PlaceArgs;
use crate::{output, receipt};

/// Say what this build is, what it finds here, and what is wrong
#[derive(Debug, Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    pub place: PlaceArgs,
}

impl DoctorArgs {
    /// Looks around. What is not found is said, not an error.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub fn run(self) -> Result<Exit> {
        let mut out = String::new();
        let mut say = |key: &str, value: &str| output::line(&mut out, &format!("{key:<10} {}", streakstone_report::escape::visible(value)));
        let mut exit = Exit::AsExpected;
        let profile = if cfg!(debug_assertions) { "debug (timings mean nothing)" } else { "release" };
        say("build", &format!("streakstone {} {profile}, run log format {}", env!("CARGO_PKG_VERSION"), runlog::FORMAT));
        say("system", &format!("{} {}", std::env::consts::OS, std::env::consts::ARCH));
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        say("cpu", &format!("{}, {cores} cores", or_unknown(&receipt::cpu())));
        say("clock", streakstone_measure::clock::CLOCK);
        let terminal = |is: bool| if is { "terminal" } else { "no terminal" };
        let colour = if std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty()) { "off by NO_COLOR" } else { "auto" };
        say("stdout", &format!("{}, colour {colour}", terminal(std::io::stdout().is_terminal())));
        say(
            "stderr",
            &format!("{}, progress {}", terminal(std::io::stderr().is_terminal()), if output::progress_wanted() { "on" } else { "off" }),
        );
        say("ci", if output::in_ci() { "yes: no progress bar, goldens are never written" } else { "no" });
        match self.place.find() {
            Err(error) => {
                exit = Exit::Usage;
                say("corpus", &error.to_string());
            }
            Ok(place) => {
                if let Some(root) = &place.root {
                    say("commit", &or_unknown(&receipt::commit(root)));
                }
                let strictness = if place.goldens.is_some() { Strictness::Own } else { Strictness::External };
                match Corpus::load(&place.corpus, strictness) {
                    Ok(corpus) => {
                        say(
                            "corpus",
                            &format!("{}, {} cases, digest {}", place.corpus.display(), corpus.cases.len(), &corpus.digest[..16]),
                        );
                        if let Some(root) = &place.goldens {
                            let goldens = Goldens::new(root);
                            let faults = goldens.audit(&corpus.cases)?;
                            say("goldens", &format!("{}, {} files, {} faults", root.display(), goldens.files()?.len(), faults.len()));
                            if !faults.is_empty() {
                                exit = Exit::Usage;
                                say("next", "streakstone check");
                            }
                        }
                    }
                    Err(errors) => {
                        exit = Exit::Usage;
                        say("corpus", &format!("{}, {} errors", place.corpus.display(), errors.0.len()));
                        say("next", "streakstone check");
                    }
                }
            }
        }
        let names: Vec<String> = streakstone_subjects::subjects().iter().map(|s| s.name().to_owned()).collect();
        say("subjects", &names.join(", "));
        output::data(&out)?;
        Ok(exit)
    }
}

fn or_unknown(text: &str) -> String {
    if text.is_empty() { "unknown".to_owned() } else { text.to_owned() }
}
