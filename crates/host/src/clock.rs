//! The clock of this machine.

use std::time::{Duration, Instant, SystemTime};

use rustix::time::{ClockId, clock_gettime};
use uphold_resource::Clock;

use crate::local::LocalHost;

impl Clock for LocalHost {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A time that only grows, exact to some milliseconds: reading it costs next to nothing.
pub(crate) fn coarse() -> Duration {
    Duration::try_from(clock_gettime(ClockId::MonotonicCoarse)).unwrap_or_default()
}

/// The start of [`Clock::elapsed`].
pub(crate) fn start() -> Instant {
    Instant::now()
}
