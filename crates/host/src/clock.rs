//! The clock of this machine.

use std::time::{Duration, Instant, SystemTime};

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

/// The start of [`Clock::elapsed`].
pub(crate) fn start() -> Instant {
    Instant::now()
}
