//! Ctrl-C, and what else asks a program to end: SIGTERM, SIGHUP. Either way no adapter is left behind.

use std::process::{Command, exit};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use streakstone_subjects::stdio;

use crate::exit::Exit;

/// True while a run can end in order.
static RUNNING: AtomicBool = AtomicBool::new(false);

/// Set by the first signal of a run.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// More than any deadline.
const AGES: Duration = Duration::from_hours(24 * 365);

/// Listens from now on: during a run the first signal ends the run in order. Any other kills the adapters and ends the program.
pub fn listen() {
    static ONCE: Once = Once::new();
    // A caller that has SIGHUP ignored wants the run to outlive it. All signals have one handler, so there is none then: SIGTERM ends
    // the program, and the watchdog the adapters. Without a handler Ctrl-C does the same.
    ONCE.call_once(|| {
        if !hangup_is_ignored() {
            let _ = ctrlc::set_handler(heard);
        }
    });
}

fn heard() {
    if RUNNING.load(Ordering::Relaxed) && !INTERRUPTED.swap(true, Ordering::Relaxed) {
        stdio::give_up();
        return;
    }
    stdio::end_all();
    exit(i32::from(Exit::Incomplete as u8));
}

/// `nohup` and its like, as Linux tells it.
fn hangup_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & 1 != 0)
}

/// Before the first adapter starts: signals are listened for, and a watchdog ends the adapters if this program is killed.
pub fn guard() {
    listen();
    let Ok(own) = std::env::current_exe() else { return };
    let mut command = Command::new(own);
    command.args(["adapter", "watch"]);
    // Without it adapters are ended in all other ways, so a failure stops nothing.
    let _ = stdio::start_watchdog(command);
}

/// The end of a program whose subjects are dropped.
pub fn end() {
    stdio::end_watchdog();
}

/// A run, until dropped.
pub struct InOrder;

impl InOrder {
    /// From now on the first signal ends the run in order.
    pub fn begin() -> Self {
        listen();
        RUNNING.store(true, Ordering::Relaxed);
        Self
    }
}

impl Drop for InOrder {
    fn drop(&mut self) {
        RUNNING.store(false, Ordering::Relaxed);
    }
}

/// True after the first signal.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Thread CPU time, and after an interrupt more than any deadline allows: the judge reads no more of a case whose result is not kept.
pub fn clock() -> Duration {
    if interrupted() { AGES } else { streakstone_measure::clock::now() }
}
