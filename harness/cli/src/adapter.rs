//! `streakstone adapter smoke|fake|serve`, and the option `--adapter` of the verbs that judge.

use std::io::{stdin, stdout};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::{Args, Subcommand};
use streakstone_model::{Lookup, lookup};
use streakstone_report::escape::visible;
use streakstone_subjects::stdio::{Settings, Stdio, fake, serve, watch};
use streakstone_suite::subject::Subject;

use crate::exit::{Exit, stop, stop_next};
use crate::interrupt;
use crate::output;
use crate::smoke;
use crate::world::subject;

/// Unknown dialects of an adapter that a message names.
const UNKNOWN_SHOWN: usize = 10;

/// Parsers in other programs.
#[derive(Debug, Clone, Default, Args)]
pub struct AdapterArgs {
    /// Judge the parser behind this adapter, a program and its arguments; several times for several
    ///
    /// The words are split as a shell does it, but no shell runs. The protocol is streak/1, harness/adapter/PROTOCOL.md.
    #[arg(long = "adapter", value_name = "CMD", help_heading = "Selection")]
    pub adapters: Vec<String>,
}

impl AdapterArgs {
    /// Starts them; with `events` they are asked for every reading in full.
    ///
    /// # Errors
    /// Exit 2 if a command cannot be split or two have one name, 3 if an adapter does not come up, or reads no dialect that this build knows.
    pub fn start(&self, events: bool) -> Result<Vec<Box<dyn Subject>>> {
        let mut all: Vec<Box<dyn Subject>> = Vec::new();
        for command in &self.adapters {
            let adapter = start(command)?;
            if all.iter().any(|other| other.name() == adapter.name()) || subject(adapter.name()).is_ok() {
                return Err(stop(Exit::Usage, format!("--adapter {command}: another subject is named `{}` too.", adapter.name())));
            }
            all.push(Box::new(if events { adapter.with_events() } else { adapter }));
        }
        Ok(all)
    }

    /// The files that their commands name, such as a script: part of what a run reads.
    pub fn files(&self) -> Vec<PathBuf> {
        let words = self.adapters.iter().filter_map(|command| shell_words::split(command).ok()).flatten();
        let values = words.flat_map(|word| {
            let value = word.split_once('=').map(|(_, value)| PathBuf::from(value));
            [Some(PathBuf::from(word)), value].into_iter().flatten()
        });
        values.filter(|path| path.is_file()).collect()
    }

    /// The one adapter; `None` if none is given.
    ///
    /// # Errors
    /// As [`Self::start`]; exit 2 if there are several.
    pub fn only(&self, events: bool) -> Result<Option<Box<dyn Subject>>> {
        if self.adapters.len() > 1 {
            return Err(stop(Exit::Usage, "--adapter: only one here."));
        }
        Ok(self.start(events)?.pop())
    }
}

fn start(command: &str) -> Result<Stdio> {
    interrupt::guard();
    let adapter = Stdio::start(&words(command)?, Settings::default()).map_err(|error| {
        stop_next(Exit::Fault, format!("--adapter {command}: {error}."), format!("streakstone adapter smoke {}", quoted(command)))
    })?;
    let unknown = unknown(&adapter);
    if adapter.unknown_dialects().count() == adapter.hello().dialects.len() {
        let message = format!("--adapter {command}: this build knows none of its dialects: {unknown}.");
        return Err(stop_next(Exit::Fault, message, "streakstone list dialects"));
    }
    if !unknown.is_empty() {
        let name = adapter.name();
        output::notice(&visible(&format!("{name}: this build does not know some of its dialects, and judges none of them: {unknown}.")));
    }
    Ok(adapter)
}

/// The words of its hello that no dialect is known by, a few of them, each with the nearest that is.
pub fn unknown(adapter: &Stdio) -> String {
    let mut shown: Vec<String> = adapter
        .unknown_dialects()
        .take(UNKNOWN_SHOWN)
        .map(|word| match lookup(word) {
            Lookup::Unknown { nearest } => format!("`{word}` (the nearest is `{nearest}`)"),
            Lookup::Known(dialect) => format!("`{}`", dialect.name),
        })
        .collect();
    let more = adapter.unknown_dialects().count() - shown.len();
    if more > 0 {
        shown.push(format!("{more} more"));
    }
    shown.join(", ")
}

fn words(command: &str) -> Result<Vec<String>> {
    let words = shell_words::split(command).map_err(|e| stop(Exit::Usage, format!("`{command}`: {e}.")))?;
    if words.is_empty() { Err(stop(Exit::Usage, "The adapter's command is empty.")) } else { Ok(words) }
}

fn quoted(command: &str) -> String {
    shell_words::quote(command).into_owned()
}

/// Try an adapter, play a broken one, or be one
///
/// An adapter is a program around one parser, in any language: it reads one JSON object a line and answers with one.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  streakstone adapter smoke 'python my_adapter.py'
  streakstone adapter smoke 'streakstone adapter serve reference'
  streakstone adapter fake garbage
  streakstone run --adapter 'python my_adapter.py' hermes")]
pub struct AdapterVerb {
    #[command(subcommand)]
    action: Action,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Action {
    /// Ask an adapter ten things, each with what to do if it fails; exit 3 if one does
    Smoke {
        /// The program and its arguments, as one word
        #[arg(value_name = "CMD")]
        command: String,
    },
    /// Be an adapter that does one thing wrong; without a mode, the modes
    Fake {
        /// What to do wrong
        mode: Option<String>,
        /// A file for the modes that do something once
        memory: Option<PathBuf>,
    },
    /// Be the adapter of a subject of this build, to see the protocol from the other side
    Serve {
        /// The subject
        #[arg(default_value = crate::world::REFERENCE)]
        subject: String,
    },
    /// Watch over the adapters of the program that started this one
    #[command(hide = true)]
    Watch,
}

impl AdapterVerb {
    /// Does it.
    ///
    /// # Errors
    /// Exit 2 on wrong usage; a broken stream.
    pub fn run(self) -> Result<Exit> {
        match self.action {
            Action::Smoke { command } => {
                interrupt::guard();
                smoke::smoke(&words(&command)?)
            }
            Action::Serve { subject: name } => {
                serve(&*subject(&name)?, stdin().lock(), stdout().lock()).context("a stream of the adapter broke")?;
                Ok(Exit::AsExpected)
            }
            Action::Watch => {
                watch(stdin().lock()).context("the pipe of the watched program broke")?;
                Ok(Exit::AsExpected)
            }
            Action::Fake { mode: None, .. } => {
                let line = |(_, word, what): &(_, &str, &str)| format!("{word:<18}{what}\n");
                output::data(&fake::Mode::ALL.iter().map(line).collect::<String>())?;
                Ok(Exit::AsExpected)
            }
            Action::Fake { mode: Some(word), memory } => {
                let mode = fake::Mode::from_word(&word).ok_or_else(|| {
                    let near = streakstone_model::nearest(&word, fake::Mode::ALL.iter().map(|(_, word, _)| *word)).unwrap_or_default();
                    stop_next(Exit::Usage, format!("No mode is named `{word}`; the nearest is `{near}`."), "streakstone adapter fake")
                })?;
                fake::run(mode, memory.as_deref(), stdin().lock(), stdout().lock()).context("a stream of the adapter broke")?;
                Ok(Exit::AsExpected)
            }
        }
    }
}
