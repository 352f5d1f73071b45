//! How many commands are under way at a time.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use uphold_testkit::MemoryHost;

/// Counts those that are under way at a time. It lets none end before `wanted` of them are, so that a run which could
/// have that many has them; then it waits a little for one more.
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

/// After this long nobody believes that so many will come.
const LONG: Duration = Duration::from_secs(5);
/// Long enough for another worker to begin what it should not.
const SHORT: Duration = Duration::from_millis(5);

impl Gauge {
    pub(crate) fn new(wanted: usize) -> Self {
        Self { wanted, shared: Arc::default() }
    }

    /// With the program `work`, which is measured.
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

    /// The most at a time, and how many there were in all.
    pub(crate) fn read(&self) -> (usize, usize) {
        let level = self.shared.0.lock().unwrap_or_else(PoisonError::into_inner);
        (level.most, level.total)
    }
}
