//! Requests: how a program is run or watched; and the control of a watch from outside.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use uphold_model::{Action, Mutex, ResourceId};
use uphold_resource::Watcher;

use super::pause::Pauses;
use crate::event::{Change, Mode};
use crate::graph::NodeIndex;
use crate::program::Program;
use crate::selection::Selection;

/// How a program is run. [`Mode`] alone is a request without limits.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// Whether it plans or applies.
    pub mode: Mode,
    /// Load and report, never change; unlike a plan, nothing is predicted.
    pub audit: bool,
    /// The actions that run; all of them unless set.
    pub selection: Option<&'a Selection>,
    /// The number of actions that may change something. Further ones are skipped.
    pub max_changes: Option<usize>,
    /// After this many failures, no action begins.
    pub stop_after_failures: Option<NonZeroUsize>,
    /// Approves each change.
    pub approval: Option<&'a dyn Approval>,
    /// The resources that are checked and not changed.
    pub pauses: Option<&'a dyn Pauses>,
    /// The local time zone, for the maintenance window of the program. Without it, the window is ignored.
    pub window_zone: Option<&'a TimeZone>,
}

impl Request<'_> {
    /// Whether an action is run.
    pub(crate) fn selects(&self, node: NodeIndex) -> bool {
        self.selection.is_none_or(|selection| selection.contains(node))
    }
}

impl From<Mode> for Request<'_> {
    fn from(mode: Mode) -> Self {
        Self {
            mode,
            audit: false,
            selection: None,
            max_changes: None,
            stop_after_failures: None,
            approval: None,
            pauses: None,
            window_zone: None,
        }
    }
}

/// Decides whether a change may be made: so a saved plan is applied exactly.
pub trait Approval: Send + Sync {
    /// Called when a change is known, before it is made. `change` is none if the resource is as declared. `node` is the index
    /// of the action in the list, as in the run that made the plan.
    ///
    /// # Errors
    /// How the change differs from the plan, in a few words; it is not made.
    fn approve(
        &self,
        node: NodeIndex,
        resource: &ResourceId,
        action: &Action,
        change: Option<&Change>,
    ) -> Result<(), String>;
}

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
    /// The resources that are checked and not changed.
    pub pauses: Option<Arc<dyn Pauses>>,
    /// The local time zone, for the maintenance window of the program. Without it, the window is ignored.
    pub window_zone: Option<TimeZone>,
}

impl Default for WatchRequest {
    fn default() -> Self {
        Self {
            audit: false,
            recheck: Some(Duration::from_secs(30 * 60)),
            blind: Duration::from_secs(10),
            until_converged: None,
            max_runtime: None,
            pauses: None,
            window_zone: None,
        }
    }
}

/// Controls a watch while it runs. Clones control the same one.
#[derive(Clone, Default)]
pub struct Control(Arc<Mutex<Requests>>);

#[derive(Default)]
struct Requests {
    next: Option<(u64, Arc<Program>)>,
    generation: u64,
    recheck: bool,
    pauses_changed: bool,
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

    /// Other resources are paused from now on: those that are not any more are checked.
    pub fn pauses_changed(&self) {
        self.change(|requests| requests.pauses_changed = true);
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

    /// Whether pauses have changed since the last call.
    pub(crate) fn take_pauses_changed(&self) -> bool {
        std::mem::take(&mut self.0.lock().pauses_changed)
    }
}
