//! The CPU clock of the calling thread. Wall time is only advice: on a busy machine it measures the neighbours.

use std::time::Duration;

/// What [`now`] reads on this platform, for the run log.
pub const CLOCK: &str = if cfg!(unix) { "thread-cpu" } else { "wall" };

/// CPU time that the calling thread has used, from an arbitrary start. Compare readings of one thread only.
#[cfg(unix)]
#[must_use]
pub fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Time since the first reading: this platform has no thread clock that is safe to call.
#[cfg(not(unix))]
#[must_use]
pub fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// CPU time of one run of `work`.
pub fn time<T>(work: impl FnOnce() -> T) -> (Duration, T) {
    let before = now();
    let result = std::hint::black_box(work());
    (now().saturating_sub(before), result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_never_runs_backwards_and_moves_with_work() {
        let start = now();
        let mut last = start;
        while last <= start {
            let next = now();
            assert!(next >= last);
            last = next;
        }
    }
}
