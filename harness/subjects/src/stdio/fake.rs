//! Faux adapters, one for every way to misbehave. Each begins as the reference parsers behind the protocol and then does its one wrong
//! thing; what verdict it gets is a table in the tests.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use streakstone_adapter::MAX_LINE;
use streakstone_adapter::message::{Answer, Clock, Event, Place, Reading, Request, Run, RunResult};

use super::served::{Served, write};
use crate::Reference;

/// Longer than any deadline.
const FOREVER: Duration = Duration::from_hours(1);

macro_rules! modes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $word:literal),+ $(,)?) => {
        /// What a faux adapter does.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Mode { $($(#[doc = $doc])+ $variant),+ }

        impl Mode {
            /// All of them, with their words and what they do.
            pub const ALL: &'static [(Self, &'static str, &'static str)] = &[$((Self::$variant, $word, concat!($($doc),+))),+];
        }
    };
}

modes! {
    /// Nothing wrong.
    WellBehaved = "well-behaved",
    /// Ends with status 3 whenever it is to read.
    Crash = "crash",
    /// Ends with status 3 the first time only; needs a file to remember it by.
    CrashOnce = "crash-once",
    /// Ends with status 3 when a reading has a cut at byte 5 alone.
    CrashAtFive = "crash-at-five",
    /// Dies by SIGABRT whenever it is to read.
    AbortSignal = "abort-signal",
    /// Dies and leaves a child that holds its streams; the file gets its number.
    Orphan = "orphan",
    /// Never answers.
    Hang = "hang",
    /// Never answers, and has a child that does the same; the file gets both numbers.
    HangWithChild = "hang-with-child",
    /// Never answers when a reading has a cut at byte 5 alone.
    HangAtFive = "hang-at-five",
    /// Says hello and reads no more.
    Deaf = "deaf",
    /// Says hello, closes its input and stays.
    DeafForGood = "deaf-for-good",
    /// Says hello after an hour.
    SlowStart = "slow-start",
    /// Ends with status 0 before its hello.
    NoHello = "no-hello",
    /// Speaks protocol 99.
    WrongProtocol = "wrong-protocol",
    /// Ends with status 0 whenever it is to read.
    SilentExit = "silent-exit",
    /// Closes its output and stays.
    Closed = "closed",
    /// Answers with a line that is no JSON.
    Garbage = "garbage",
    /// Answers with half a line and ends.
    HalfLine = "half-line",
    /// Answers with a line that is too long.
    HugeLine = "huge-line",
    /// Answers another message than the one asked.
    WrongId = "wrong-id",
    /// Leaves out a plan.
    MissingPlan = "missing-plan",
    /// Leaves out a reading.
    MissingReadings = "missing-readings",
    /// Says that a reading differs which nobody asked for.
    SurplusReading = "surplus-reading",
    /// Answers with a key that the protocol does not have.
    UnknownKey = "unknown-key",
    /// Answers with an event that the protocol does not have.
    UnknownEvent = "unknown-event",
    /// Answers `error` to every text.
    Error = "error",
    /// Prints a line of its own after each answer.
    NoisyStdout = "noisy-stdout",
    /// Prints a line of its own before it ends.
    LastWords = "last-words",
    /// Speaks of dialects that nobody knows.
    UnknownDialects = "unknown-dialects",
    /// Prints a megabyte to standard error before each answer.
    NoisyStderr = "noisy-stderr",
    /// Every reading throws.
    Raised = "raised",
    /// Every reading is refused.
    Rejected = "rejected",
    /// It has no entry point for anything.
    Unsupported = "unsupported",
    /// Begins a call twice.
    Disorder = "disorder",
    /// Gets SIGKILL whenever it is to read, as if from outside.
    Killed = "killed",
    /// Gets SIGKILL the first time only; needs a file to remember it by.
    KilledOnce = "killed-once",
}

impl Mode {
    /// The mode of a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known, _)| *known == word).map(|(mode, ..)| *mode)
    }
}

/// Runs a faux adapter. `memory` is a file that need not exist yet; the modes that do something once need it.
///
/// # Errors
/// A stream broke.
pub fn run(mode: Mode, memory: Option<&Path>, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let served = Served::new(&Reference);
    match mode {
        Mode::SlowStart => sleep(FOREVER),
        Mode::NoHello => return Ok(()),
        _ => {}
    }
    for line in input.split(b'\n') {
        let line = line?;
        let Ok(request) = serde_json::from_slice(&line) else { return Ok(()) };
        match request {
            Request::Run(run) => read(mode, memory, &served, &line, &run, &mut output)?,
            Request::Stop if mode == Mode::LastWords => return say(&mut output, b"Goodbye\n"),
            Request::Stop => break,
            Request::Measure(_) if mode == Mode::Crash => crash(),
            Request::Measure(_) if mode == Mode::Garbage => say(&mut output, b"nonsense\n")?,
            Request::Hello(_) | Request::Measure(_) => {
                let mut answer = served.answer(&line);
                if let Some(Answer::Hello(hello)) = &mut answer {
                    hello.clock = Clock::ProcessCpu;
                }
                if let (Mode::WrongProtocol, Some(Answer::Hello(hello))) = (mode, &mut answer) {
                    hello.protocol = 99;
                }
                if let (Mode::UnknownDialects, Some(Answer::Hello(hello))) = (mode, &mut answer) {
                    hello.dialects = vec!["hermez".to_owned(), "lfm\nerror: none".to_owned()];
                }
                answer.iter().try_for_each(|answer| write(&mut output, answer))?;
                match mode {
                    Mode::Deaf => sleep(FOREVER),
                    Mode::DeafForGood => close_input()?,
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// Answers one text, or does not.
fn read(mode: Mode, memory: Option<&Path>, served: &Served<'_>, line: &[u8], run: &Run, output: &mut impl Write) -> io::Result<()> {
    let at_five = || run.plans.iter().filter_map(|plan| plan.cuts.as_ref()).flatten().any(|cuts| cuts.as_deref() == Some(&[5]));
    let first_time = || memory.is_some_and(|file| std::fs::File::create_new(file).is_ok());
    match mode {
        Mode::Crash => crash(),
        Mode::CrashOnce if first_time() => crash(),
        Mode::CrashAtFive if at_five() => crash(),
        Mode::AbortSignal => std::process::abort(),
        Mode::Orphan => {
            let child = std::process::Command::new("sleep").arg("3600").spawn()?;
            memory.map_or(Ok(()), |file| std::fs::write(file, child.id().to_string()))?;
            crash();
        }
        Mode::HangWithChild => {
            let child = std::process::Command::new("sleep").arg("3600").spawn()?;
            memory.map_or(Ok(()), |file| std::fs::write(file, format!("{} {}\n", std::process::id(), child.id())))?;
            sleep(FOREVER);
        }
        Mode::Hang => sleep(FOREVER),
        Mode::HangAtFive if at_five() => sleep(FOREVER),
        Mode::SilentExit => exit(0),
        Mode::Closed => return close(),
        Mode::Killed => kill_self(),
        Mode::KilledOnce if first_time() => kill_self(),
        Mode::Garbage => return say(output, b"Loading the model, please wait\n"),
        Mode::HalfLine => {
            say(output, b"{\"type\": \"result\", \"id\"")?;
            exit(0);
        }
        Mode::HugeLine => return say(output, &vec![b'x'; MAX_LINE + 2]),
        Mode::NoisyStderr => io::stderr().write_all(&vec![b'e'; 1 << 20])?,
        _ => {}
    }
    let Some(Answer::Result(mut result)) = served.answer(line) else { return Ok(()) };
    spoil(mode, &mut result);
    let mut text = serde_json::to_string(&Answer::Result(result))?;
    match mode {
        Mode::UnknownKey => text.insert_str(1, "\"mood\":\"good\","),
        Mode::UnknownEvent => text = text.replacen("[\"finish\"", "[\"heartbeat\"],[\"finish\"", 1),
        Mode::Error => text = format!("{{\"type\":\"error\",\"id\":{},\"message\":\"no grammar for this\"}}", run.id),
        Mode::NoisyStdout => text.push_str("\ndone"),
        _ => {}
    }
    text.push('\n');
    say(output, text.as_bytes())
}

/// Changes a right answer.
fn spoil(mode: Mode, result: &mut RunResult) {
    let mut all = |reading: &Reading| {
        result.whole = reading.clone();
        for plan in &mut result.plans {
            plan.same = true;
            plan.differ.clear();
        }
    };
    match mode {
        Mode::WrongId => result.id += 1,
        Mode::MissingPlan => drop(result.plans.pop()),
        Mode::MissingReadings => result.plans.iter_mut().for_each(|plan| plan.read -= 1),
        Mode::SurplusReading => {
            if let Some(plan) = result.plans.last_mut() {
                plan.same = false;
                plan.differ.insert(Place(plan.read), Reading::Rejected("surplus".to_owned()));
            }
        }
        Mode::Raised => all(&Reading::Raised("ValueError: it threw".to_owned())),
        Mode::Rejected => all(&Reading::Rejected("it will not".to_owned())),
        Mode::Unsupported => all(&Reading::Unsupported("it cannot".to_owned())),
        Mode::Disorder => {
            let call = || Event::Call { index: 0, name: "f".to_owned(), id: None };
            all(&Reading::Events { events: vec![call(), call(), Event::Finish(None)], at: None });
        }
        _ => {}
    }
}

fn say(output: &mut impl Write, text: &[u8]) -> io::Result<()> {
    output.write_all(text)?;
    output.flush()
}

fn crash() -> ! {
    let _ = writeln!(io::stderr(), "fatal: this is the end");
    exit(3)
}

#[cfg(unix)]
fn kill_self() {
    let own = rustix::process::getpid();
    // It does not come back from this.
    let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
    sleep(FOREVER);
}

#[cfg(not(unix))]
fn kill_self() {
    exit(0)
}

#[cfg(unix)]
fn close() -> io::Result<()> {
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    sleep(FOREVER);
    Ok(())
}

#[cfg(not(unix))]
fn close() -> io::Result<()> {
    exit(0)
}

#[cfg(unix)]
fn close_input() -> io::Result<()> {
    rustix::stdio::dup2_stdin(std::fs::File::open("/dev/null")?)?;
    sleep(FOREVER);
    Ok(())
}

#[cfg(not(unix))]
fn close_input() -> io::Result<()> {
    sleep(FOREVER);
    Ok(())
}
