//! The process groups of all adapters that run: one list for the whole program, because what ends the program is no concern of one
//! subject. Whoever handles signals calls [`give_up`] and [`end_all`]; a watchdog process ends the groups of a program that was killed.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use process_wrap::std::ChildWrapper;

/// True when no adapter is waited for any longer.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

static RUNNING: Mutex<Running> = Mutex::new(Running { groups: BTreeSet::new(), ended: false, watchdog: None });

struct Running {
    /// The id of each group, which is that of its leader.
    groups: BTreeSet<u32>,
    /// True when no more may be started.
    ended: bool,
    /// It knows the same groups.
    watchdog: Option<Child>,
}

impl Running {
    /// Tells the watchdog. One that has ended is told nothing more.
    fn tell(&mut self, sign: char, group: u32) {
        if let Some(pipe) = self.watchdog.as_mut().and_then(|watchdog| watchdog.stdin.as_mut())
            && writeln!(pipe, "{sign}{group}").is_err()
        {
            self.watchdog = None;
        }
    }
}

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives up all readings in hand, within a twentieth of a second, and starts no adapter any more. What was given up has no outcome: an
/// interrupt says nothing of a parser.
pub fn give_up() {
    GIVEN_UP.store(true, Ordering::Relaxed);
}

pub(super) fn given_up() -> bool {
    GIVEN_UP.load(Ordering::Relaxed)
}

/// Kills every adapter with its whole group at once. For a program that ends without dropping its subjects.
pub fn end_all() {
    give_up();
    let mut running = running();
    running.ended = true;
    running.groups.iter().copied().for_each(kill);
}

/// A group in the list, until dropped.
pub(super) struct Place(u32);

impl Drop for Place {
    fn drop(&mut self) {
        let mut running = running();
        running.groups.remove(&self.0);
        running.tell('-', self.0);
    }
}

/// Starts a group and lists it; nothing can come in between.
pub(super) fn list(start: impl FnOnce() -> io::Result<Box<dyn ChildWrapper>>) -> io::Result<(Box<dyn ChildWrapper>, Place)> {
    let mut running = running();
    if running.ended {
        return Err(io::Error::other("this program is being ended"));
    }
    let child = start()?;
    let group = child.id();
    running.groups.insert(group);
    running.tell('+', group);
    Ok((child, Place(group)))
}

/// Starts `command`, which must do [`watch`], as the watchdog of this program, once. It sees its standard input end when this program
/// ends, however that comes about, and then kills the groups that are left.
///
/// # Errors
/// It cannot be started.
pub fn start_watchdog(mut command: Command) -> io::Result<()> {
    let mut running = running();
    if running.watchdog.is_some() {
        return Ok(());
    }
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // Out of reach of what a terminal sends to this program's group.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    running.watchdog = Some(command.spawn()?);
    let groups: Vec<u32> = running.groups.iter().copied().collect();
    for group in groups {
        running.tell('+', group);
    }
    Ok(())
}

/// Ends the watchdog, and with it what still runs. For a program that ends in order, and would leave a dead process for others to bury.
pub fn end_watchdog() {
    let watchdog = running().watchdog.take();
    if let Some(mut watchdog) = watchdog {
        // Waiting closes the pipe.
        let _ = watchdog.wait();
    }
}

/// What a watchdog does: it reads `+ID` and `-ID` until the end, then kills the groups that were added and not taken away.
///
/// # Errors
/// The input breaks. The groups are killed all the same.
pub fn watch(input: impl BufRead) -> io::Result<()> {
    let mut left = BTreeSet::new();
    let read = input.lines().try_for_each(|line| {
        let line = line?;
        match (line.strip_prefix('+').map(str::parse), line.strip_prefix('-').map(str::parse::<u32>)) {
            (Some(Ok(group)), _) => drop(left.insert(group)),
            (_, Some(Ok(group))) => drop(left.remove(&group)),
            _ => {}
        }
        Ok(())
    });
    left.into_iter().for_each(kill);
    read
}

/// Kills a group. One that is gone is no matter.
#[cfg(unix)]
fn kill(group: u32) {
    // 0 and 1 would mean this group and all processes.
    if let Some(group) = i32::try_from(group).ok().filter(|&id| id > 1).and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// A job is ended by its own handle only, which its subject has. An adapter that does not end when its input does outlives a killed
/// program here.
#[cfg(not(unix))]
const fn kill(_group: u32) {}
