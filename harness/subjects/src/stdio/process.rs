//! One adapter process: its group, its three streams, and how it ends. Knows lines, not what they say.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessGroup;
use process_wrap::std::{ChildWrapper, CommandWrap};
use streakstone_adapter::MAX_LINE;

use super::running::{self, Place};

/// Bytes of standard error that are kept: its end says why a program died.
const STDERR_TAIL: usize = 4096;

/// How often a silent process is looked at: one that died may have left its streams to a child of its own.
const LOOK: Duration = Duration::from_millis(50);

/// How long the last line of a process may come after its end.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How long an answer may come after the end of the input: who reads no more can still write what is due, or be about to end.
const DEAF: Duration = Duration::from_secs(1);

/// How long the end of a process may come after the end of its output. One that was killed closes its streams first, and on a loaded
/// machine then waits for a processor to die on.
const DYING: Duration = Duration::from_secs(5);

/// Bytes of a line that a message shows.
const SHOWN: usize = 200;

/// Why a line did not come.
#[derive(Debug, Clone)]
pub(super) enum Broke {
    /// It died, by a signal or a status other than 0.
    Died(String),
    /// Someone else killed it.
    Killed,
    /// Time is over.
    Late,
    /// The run is given up.
    Interrupted,
    /// It broke the protocol, or cannot be started; one sentence.
    Fault(String),
}

/// What the reading thread found.
enum Line {
    Whole(Vec<u8>),
    /// The output ended inside a line.
    Half(Vec<u8>),
    TooLong,
    End,
}

/// A running adapter. It is killed with its whole group when dropped.
pub(super) struct Process {
    child: Box<dyn ChildWrapper>,
    /// In the list of those that run, until it is killed.
    place: Option<Place>,
    input: Sender<Vec<u8>>,
    /// Our end of its standard input, to be asked whether the other end is open.
    #[cfg(unix)]
    pipe: std::os::fd::OwnedFd,
    lines: Receiver<Line>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    /// Says nothing, and ends with standard error.
    errors_ended: Receiver<()>,
}

impl Process {
    /// Starts `command`, a program and its arguments, in a process group of its own.
    pub(super) fn spawn(command: &[String]) -> Result<Self, Broke> {
        let Some((program, arguments)) = command.split_first() else { return Err(Broke::Fault("no program is named".to_owned())) };
        if running::given_up() {
            return Err(Broke::Interrupted);
        }
        let mut wrap = CommandWrap::from({
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            command
        });
        #[cfg(unix)]
        wrap.wrap(ProcessGroup::leader());
        #[cfg(windows)]
        wrap.wrap(JobObject);
        let (mut child, place) = running::list(|| wrap.spawn()).map_err(|e| Broke::Fault(format!("`{program}` cannot be started: {e}")))?;
        let unreached = |why: &str| Broke::Fault(format!("its streams cannot be reached{why}"));
        let (Some(mut stdin), Some(stdout), Some(stderr)) = (child.stdin().take(), child.stdout().take(), child.stderr().take()) else {
            return Err(unreached(""));
        };
        #[cfg(unix)]
        let pipe = std::os::fd::AsFd::as_fd(&stdin).try_clone_to_owned().map_err(|e| unreached(&format!(": {e}")))?;
        // A thread a stream: a process that does not read must not stop us, nor one that writes to standard error only.
        let (input, messages) = channel::<Vec<u8>>();
        thread::spawn(move || messages.iter().try_for_each(|message| stdin.write_all(&message).and_then(|()| stdin.flush())));
        let (found, lines) = channel();
        thread::spawn(move || read_lines(BufReader::new(stdout), &found));
        let errors = Arc::new(Mutex::new(VecDeque::new()));
        let tail = Arc::clone(&errors);
        let (ended, errors_ended) = channel();
        thread::spawn(move || {
            keep_tail(stderr, &tail);
            drop(ended);
        });
        Ok(Self {
            child,
            place: Some(place),
            input,
            #[cfg(unix)]
            pipe,
            lines,
            errors,
            errors_ended,
        })
    }

    /// Writes a line and waits for one.
    pub(super) fn exchange(&mut self, message: Vec<u8>, until: Instant) -> Result<Vec<u8>, Broke> {
        match self.lines.try_recv() {
            Err(TryRecvError::Empty) => {}
            Ok(Line::Whole(line)) => return Err(Broke::Fault(unasked(&line))),
            Ok(line) => return Err(self.without_a_line(line)),
            Err(TryRecvError::Disconnected) => return Err(self.without_a_line(Line::End)),
        }
        // The writing thread ends when the process closes its input; the reading one sees its end.
        let _ = self.input.send(message);
        let mut deaf_since = None;
        loop {
            if running::given_up() {
                return Err(Broke::Interrupted);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(Line::Whole(line)) => return Ok(line),
                Ok(line) => return Err(self.without_a_line(line)),
                Err(RecvTimeoutError::Disconnected) => return Err(self.without_a_line(Line::End)),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(Broke::Late),
                Err(RecvTimeoutError::Timeout) if self.ended().is_some() => {
                    return match self.lines.recv_timeout(LAST_WORDS) {
                        Ok(Line::Whole(line)) => Ok(line),
                        Ok(line) => Err(self.without_a_line(line)),
                        Err(_) => Err(self.without_a_line(Line::End)),
                    };
                }
                Err(RecvTimeoutError::Timeout) if self.is_deaf() => {
                    if deaf_since.get_or_insert_with(Instant::now).elapsed() > DEAF {
                        return Err(Broke::Fault("it closed its standard input, and did not answer".to_owned()));
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// True if nobody can read what is written to it.
    #[cfg(unix)]
    fn is_deaf(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut pipe = [PollFd::new(&self.pipe, PollFlags::empty())];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        poll(&mut pipe, Some(&now)).is_ok() && pipe[0].revents().intersects(PollFlags::ERR | PollFlags::HUP)
    }

    /// A pipe is not asked here; the deadline tells.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "the other one needs it")]
    const fn is_deaf(&self) -> bool {
        false
    }

    /// What it means that the output ended.
    fn without_a_line(&mut self, line: Line) -> Broke {
        if matches!(line, Line::TooLong) {
            return Broke::Fault(format!("it wrote a line over {} MiB", MAX_LINE >> 20));
        }
        let status = self.status();
        match (status, line) {
            (Some(status), _) if killed(status) => Broke::Killed,
            (Some(status), _) if !status.success() => Broke::Died(status.to_string()),
            (_, Line::Half(start)) => Broke::Fault(format!("it wrote half a line and ended: {}", shown(&start))),
            (Some(_), _) => Broke::Fault("it ended with status 0 before the answer".to_owned()),
            (None, _) => Broke::Fault("it closed its standard output before the answer".to_owned()),
        }
    }

    /// The status, if it has ended. A process that was killed before it had a group of its own is no part of the group that is asked
    /// first.
    fn ended(&mut self) -> Option<ExitStatus> {
        self.child.try_wait().ok().flatten().or_else(|| self.child.inner_mut().try_wait().ok().flatten())
    }

    /// The status of a process whose output has ended.
    fn status(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + DYING;
        loop {
            match self.ended() {
                Some(status) => return Some(status),
                None if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                None => return None,
            }
        }
    }

    /// The end of its standard error, as text; empty if it was silent.
    pub(super) fn stderr_tail(&self) -> String {
        // What a dead process wrote last may still be on its way.
        let _ = self.errors_ended.recv_timeout(LOOK);
        let tail = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = tail.iter().copied().collect();
        String::from_utf8_lossy(&bytes).trim().to_owned()
    }

    /// Asks it to end.
    pub(super) fn ask_to_stop(&self, message: Vec<u8>) {
        let _ = self.input.send(message);
    }

    /// Waits for its end, and says what it wrote that nobody asked for.
    pub(super) fn stopped(mut self, until: Instant) -> Option<String> {
        let mut ended = false;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            match self.lines.recv_timeout(left.min(LOOK)) {
                Ok(Line::Whole(line) | Line::Half(line)) => return Some(format!("after its last answer {}", unasked(&line))),
                Ok(Line::TooLong) => return Some(format!("after its last answer it wrote a line over {} MiB", MAX_LINE >> 20)),
                Ok(Line::End) | Err(RecvTimeoutError::Disconnected) => {
                    while Instant::now() < until && self.ended().is_none() {
                        thread::sleep(Duration::from_millis(2));
                    }
                    return None;
                }
                // Ended, or out of time: what it wrote before has had its time to come.
                Err(RecvTimeoutError::Timeout) if ended || left.is_zero() => return None,
                Err(RecvTimeoutError::Timeout) => ended = self.ended().is_some(),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The group, even if its leader has ended: what it started may live on.
        let _ = self.child.start_kill();
        // Out of the list before its number is free for another.
        self.place = None;
        let _ = self.child.wait();
    }
}

/// True if SIGKILL ended it. We send that only to a process that is not asked again, so it was someone else.
#[cfg(unix)]
fn killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt as _;
    status.signal() == Some(9)
}

/// Signals are not told here.
#[cfg(not(unix))]
const fn killed(_status: ExitStatus) -> bool {
    false
}

fn read_lines(mut output: impl std::io::BufRead, found: &Sender<Line>) {
    loop {
        let mut line = Vec::new();
        let read = output.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line);
        let complete = line.ends_with(b"\n");
        let next = match read {
            Ok(0) | Err(_) if line.is_empty() => Line::End,
            Ok(_) if complete => Line::Whole(line),
            _ if line.len() > MAX_LINE => Line::TooLong,
            _ => Line::Half(line),
        };
        if found.send(next).is_err() || !complete {
            return;
        }
    }
}

fn keep_tail(mut errors: impl Read, tail: &Mutex<VecDeque<u8>>) {
    let mut buffer = [0; STDERR_TAIL];
    while let Ok(read @ 1..) = errors.read(&mut buffer) {
        let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
        tail.extend(&buffer[..read]);
        let over = tail.len().saturating_sub(STDERR_TAIL);
        tail.drain(..over);
    }
}

fn unasked(line: &[u8]) -> String {
    format!("it wrote a line that nobody asked for: {}", shown(line))
}

/// The beginning of a hostile line.
pub(super) fn shown(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(&line[..line.len().min(SHOWN)]).into_owned();
    let more = if line.len() > SHOWN { " ..." } else { "" };
    format!("{:?}{more}", text.trim_end_matches('\n'))
}
