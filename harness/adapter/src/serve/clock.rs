//! CPU time of this thread.

use crate::message::Clock;

/// What [`now`] reads.
pub const CLOCK: Clock = if cfg!(unix) { Clock::ThreadCpu } else { Clock::None };

/// Nanoseconds from an arbitrary start; always 0 where there is no thread clock that is safe to call.
#[cfg(unix)]
pub fn now() -> u64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    u64::try_from(time.tv_sec).unwrap_or(0) * 1_000_000_000 + u64::try_from(time.tv_nsec).unwrap_or(0)
}

/// As above.
#[cfg(not(unix))]
pub const fn now() -> u64 {
    0
}
