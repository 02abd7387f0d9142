//! `streakstone completions SHELL`

use anyhow::Result;
use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::exit::Exit;
use crate::output;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  streakstone completions bash > ~/.local/share/bash-completion/completions/streakstone")]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

impl CompletionsArgs {
    /// Prints the script.
    ///
    /// # Errors
    /// Stdout cannot be written.
    pub fn run(self) -> Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Cli::command(), "streakstone", &mut script);
        output::data(&String::from_utf8_lossy(&script))?;
        Ok(Exit::AsExpected)
    }
}
