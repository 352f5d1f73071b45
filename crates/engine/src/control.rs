//! Steering a watch from outside.

use std::sync::Arc;
use std::time::Duration;

use uphold_resource::Watcher;

use crate::lock::Lock;
use crate::program::Program;

/// How a program is held.
#[derive(Clone, Debug)]
pub struct WatchRequest {
    /// Look and report, never change.
    pub audit: bool,
    /// How often everything is looked at, whether something is reported or not; never if none.
    pub recheck: Option<Duration>,
    /// How often something is looked at that cannot be watched.
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

/// Steers a watch while it goes on. Clones steer the same one.
#[derive(Clone, Default)]
pub struct Control(Arc<Lock<Wishes>>);

#[derive(Default)]
struct Wishes {
    next: Option<(u64, Arc<Program>)>,
    generation: u64,
    recheck: bool,
    watcher: Option<Arc<dyn Watcher>>,
}

impl Control {
    /// Holds another program from now on; one that was given before and has not begun yet is forgotten. The number
    /// is that of [`EventKind::Swapped`](crate::EventKind::Swapped).
    pub fn swap(&self, program: Arc<Program>) -> u64 {
        self.wish(|wishes| {
            wishes.generation += 1;
            wishes.next = Some((wishes.generation, program));
            wishes.generation
        })
    }

    /// Looks at everything now.
    pub fn recheck(&self) {
        self.wish(|wishes| wishes.recheck = true);
    }

    fn wish<T>(&self, wish: impl FnOnce(&mut Wishes) -> T) -> T {
        let mut wishes = self.0.lock();
        let answer = wish(&mut wishes);
        if let Some(watcher) = &wishes.watcher {
            watcher.nudge();
        }
        answer
    }

    /// Wakes this one from now on when something is wished.
    pub(crate) fn attach(&self, watcher: Option<Arc<dyn Watcher>>) {
        self.wish(|wishes| wishes.watcher = watcher);
    }

    /// Whether there is another program.
    pub(crate) fn has_next(&self) -> bool {
        self.0.lock().next.is_some()
    }

    /// The other program, if there is one.
    pub(crate) fn take_next(&self) -> Option<(u64, Arc<Program>)> {
        self.0.lock().next.take()
    }

    /// Whether everything should be looked at; told once.
    pub(crate) fn take_recheck(&self) -> bool {
        std::mem::take(&mut self.0.lock().recheck)
    }
}
