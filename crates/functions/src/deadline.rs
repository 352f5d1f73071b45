//! A limit on the time of calls whose cost is not known ahead.

use std::time::{Duration, Instant};

/// How long such a call may take; ten times as long where nothing is optimised.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 40 } else { 4 });

/// When a call must give up. No result depends on it.
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
