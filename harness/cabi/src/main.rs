//! `streakstone-cabi LIB`: a streak/1 adapter around a shared library (`scripts/adapters/c/streak.h`). It is a program of its own, so that
//! a crash of the library is the crash of a child process, and so that no other crate has `unsafe`.

mod library;
mod subject;

use std::path::Path;
use std::process::ExitCode;

use library::Library;
use streakstone_adapter::serve::serve;
use subject::Subject;

fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let (Some(path), None) = (arguments.next(), arguments.next()) else {
        return failed("usage: streakstone-cabi LIBRARY, such as ./libmine.so");
    };
    match quietly(|| Library::load(Path::new(&path)).and_then(Subject::new)) {
        Err(why) => failed(&format!("{}: {why}", Path::new(&path).display())),
        Ok(subject) => match serve(&subject) {
            Ok(()) => ExitCode::SUCCESS,
            Err(e) => failed(&format!("the line to the harness broke: {e}")),
        },
    }
}

#[expect(clippy::print_stderr, reason = "standard error is where an adapter says what is wrong with it")]
fn failed(why: &str) -> ExitCode {
    eprintln!("{why}");
    ExitCode::from(2)
}

/// Runs `load` with standard output moved to standard error: initialisers of a library may print. `serve` does the same from then on.
#[cfg(unix)]
fn quietly<T>(load: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    let moved = |e: rustix::io::Errno| format!("standard output cannot be moved: {e}");
    let own = rustix::io::dup(rustix::stdio::stdout()).map_err(moved)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr()).map_err(moved)?;
    let loaded = load();
    rustix::stdio::dup2_stdout(own).map_err(moved)?;
    loaded
}

/// There is no safe way here to move standard output.
#[cfg(not(unix))]
fn quietly<T>(load: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    load()
}
