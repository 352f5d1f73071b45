//! A time limit for calls whose cost is not known in advance.

use std::time::{Duration, Instant};

/// The maximum duration of such a call; ten times as long in debug builds.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 40 } else { 4 });

/// The time when a call must give up. No result depends on it.
#[derive(Debug)]
pub(crate) struct Deadline(Instant);

impl Deadline {
    #[expect(clippy::disallowed_methods, reason = "a watchdog needs the real time; no result depends on it")]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    #[expect(clippy::disallowed_methods, reason = "a watchdog needs the real time; no result depends on it")]
    pub(crate) fn is_over(&self) -> bool {
        self.0.elapsed() > LONGEST
    }
}
