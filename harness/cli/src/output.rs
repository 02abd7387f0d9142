//! Where text goes: data to stdout, everything else to stderr; colour only where it is wanted.

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anstream::ColorChoice;
use anyhow::{Context as _, Result};
use clap::ValueEnum;
use same_file::is_same_file;
use walkdir::WalkDir;

use crate::exit::{Exit, stop_next};

/// When to colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Color {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Makes it the choice of the whole program.
    pub fn apply(self) {
        match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        }
        .write_global();
    }
}

/// Writes data to stdout. A reader that went away is no error.
///
/// # Errors
/// Any other error of stdout.
pub fn data(text: &str) -> Result<()> {
    ended(anstream::stdout().lock().write_all(text.as_bytes()).and_then(|()| anstream::stdout().flush())).context("stdout")
}

/// Writes a notice to stderr. There is nobody to tell if that fails.
pub fn notice(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{}", text.trim_end_matches('\n'));
}

/// Writes data to a file, without colours, or to stdout if there is none.
///
/// # Errors
/// The file cannot be written.
pub fn data_to(file: Option<&Path>, text: &str) -> Result<()> {
    match file {
        Some(path) => std::fs::write(path, anstream::adapter::strip_str(text).to_string())
            .with_context(|| format!("{}: cannot be written", path.display())),
        None => data(text),
    }
}

/// What is read must not be written over: the result of a wrong option would be a lost log or case. A folder stands for all that is in
/// it, a file for all its names.
///
/// # Errors
/// Exit 2 if `output`, the value of `option`, is one of `inputs`.
pub fn not_onto(output: Option<&Path>, inputs: &[PathBuf], option: &str) -> Result<()> {
    let Some(output) = output else { return Ok(()) };
    if inputs.iter().any(|input| is_part(output, input)) {
        let message = format!("{}: is one of the files that are read; it would be written over.", output.display());
        return Err(stop_next(Exit::Usage, message, format!("give {option} another name")));
    }
    Ok(())
}

/// True if `output` is the file `input`, or a file in the folder `input` by any name. A run log there is none of those that are read: with
/// `--corpus .` it lies beside the cases.
fn is_part(output: &Path, input: &Path) -> bool {
    let is_log = |path: &Path| path.extension().is_some_and(|extension| extension == "jsonl");
    if !input.is_dir() {
        return is_same_file(output, input).unwrap_or(false);
    }
    let files = WalkDir::new(input).follow_links(true).into_iter().filter_map(Result::ok).filter(|entry| entry.file_type().is_file());
    output.is_file() && files.into_iter().any(|entry| !is_log(entry.path()) && is_same_file(output, entry.path()).unwrap_or(false))
}

/// Adds one line to a text.
pub fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// True if a progress bar has a place: stderr is a terminal and this is no CI.
pub fn progress_wanted() -> bool {
    io::stderr().is_terminal() && !in_ci()
}

/// True in continuous integration: `CI` is set to anything but an empty text, `0` or `false`.
pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|v| !matches!(v.as_str(), "" | "0" | "false"))
}

fn ended(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
