//! Measures how many commands run at the same time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use uphold_testkit::MemoryHost;

/// Counts simultaneous commands. None ends before `wanted` of them run, so that a run that can have that many does;
/// then it waits a moment for one more.
#[derive(Clone)]
pub(crate) struct Gauge {
    wanted: usize,
    shared: Arc<(Mutex<Level>, Condvar)>,
}

#[derive(Default)]
struct Level {
    now: usize,
    most: usize,
    total: usize,
}

/// Timeout for the wanted number of commands.
const LONG: Duration = Duration::from_secs(5);
/// Long enough for another worker to start a command that it must not start.
const SHORT: Duration = Duration::from_millis(5);

impl Gauge {
    pub(crate) fn new(wanted: usize) -> Self {
        Self { wanted, shared: Arc::default() }
    }

    /// Adds the program `work`, which is measured.
    pub(crate) fn on(&self, host: MemoryHost) -> MemoryHost {
        let gauge = self.clone();
        host.program("work", move |call| {
            gauge.measure();
            call.succeed("")
        })
    }

    fn measure(&self) {
        let (level, bell) = &*self.shared;
        let mut level = level.lock().unwrap_or_else(PoisonError::into_inner);
        level.now += 1;
        level.total += 1;
        level.most = level.most.max(level.now);
        bell.notify_all();
        for (patience, most) in [(LONG, self.wanted), (SHORT, self.wanted + 1)] {
            let waited = bell.wait_timeout_while(level, patience, |level| level.most < most);
            level = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        level.now -= 1;
    }

    /// The most at the same time, and the total.
    pub(crate) fn read(&self) -> (usize, usize) {
        let level = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        (level.most, level.total)
    }
}
