//! The end of what nobody would wait for.

use std::time::{Duration, Instant};

/// How long a call may take where its cost cannot be told ahead.
const LONGEST: Duration = Duration::from_secs(10);

/// When a call must give up. It never shapes a result.
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
