//! Control of a watch from outside.

use std::sync::Arc;
use std::time::Duration;

use uphold_resource::Watcher;

use crate::lock::Lock;
use crate::program::Program;

/// How a program is watched.
#[derive(Clone, Debug)]
pub struct WatchRequest {
    /// Load and report, never change.
    pub audit: bool,
    /// How often everything is checked, even if nothing is reported; never if none.
    pub recheck: Option<Duration>,
    /// How often a resource that cannot be watched is polled.
    pub blind: Duration,
    /// Ends when nothing was changed for this long, whether all is well or something keeps failing.
    pub until_converged: Option<Duration>,
    /// Ends after this long in any case.
    pub max_runtime: Option<Duration>,
}

impl Default for WatchRequest {
    fn default() -> Self {
        Self {
            audit: false,
            recheck: Some(Duration::from_secs(30 * 60)),
            blind: Duration::from_secs(10),
            until_converged: None,
            max_runtime: None,
        }
    }
}

/// Controls a watch while it runs. Clones control the same one.
#[derive(Clone, Default)]
pub struct Control(Arc<Lock<Requests>>);

#[derive(Default)]
struct Requests {
    next: Option<(u64, Arc<Program>)>,
    generation: u64,
    recheck: bool,
    watcher: Option<Arc<dyn Watcher>>,
}

impl Control {
    /// Watches another program from now on; one that was given earlier and has not begun is dropped. The number is that of
    /// [`EventKind::Swapped`](crate::EventKind::Swapped).
    pub fn swap(&self, program: Arc<Program>) -> u64 {
        self.change(|requests| {
            requests.generation += 1;
            requests.next = Some((requests.generation, program));
            requests.generation
        })
    }

    /// Checks everything now.
    pub fn recheck(&self) {
        self.change(|requests| requests.recheck = true);
    }

    fn change<T>(&self, change: impl FnOnce(&mut Requests) -> T) -> T {
        let mut requests = self.0.lock();
        let result = change(&mut requests);
        if let Some(watcher) = &requests.watcher {
            watcher.nudge();
        }
        result
    }

    /// Wakes this watcher from now on when something is requested.
    pub(crate) fn attach(&self, watcher: Option<Arc<dyn Watcher>>) {
        self.change(|requests| requests.watcher = watcher);
    }

    /// Whether another program was given.
    pub(crate) fn has_next(&self) -> bool {
        self.0.lock().next.is_some()
    }

    /// Takes the other program, if one was given.
    pub(crate) fn take_next(&self) -> Option<(u64, Arc<Program>)> {
        self.0.lock().next.take()
    }

    /// Whether a check of everything was requested since the last call.
    pub(crate) fn take_recheck(&self) -> bool {
        std::mem::take(&mut self.0.lock().recheck)
    }
}
