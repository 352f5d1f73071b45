//! The decisions of a watch.

use std::time::Duration;

use crate::graph::NodeIndex;
use crate::schedule::Visit;

/// An instruction of a watch to the dispatcher.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WatchEffect {
    /// Make a visit ready.
    Due(Visit),
    /// Make a visit ready at a time.
    DueAt(Visit, Duration),
    /// Bring a visit forward that waits until its resource is ready.
    Hasten(NodeIndex),
    /// Keep a failed notification run, to be repeated.
    KeepFailed(Visit),
    /// Keep a notification run whose target is paused, to be repeated.
    KeepPaused(Visit),
    /// Repeat the failed or paused notification run of a target.
    NotifyAgain(NodeIndex),
    Report(WatchReport),
}

/// A report of a watch to the user.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum WatchReport {
    /// A node is visited again after this long.
    BackingOff { node: NodeIndex, failures: u32, after: Duration },
    /// A node is not visited for a while, because it changes all the time.
    Overloaded { node: NodeIndex, wait: Duration },
    /// A node cannot be watched, and is polled instead.
    Blind { node: NodeIndex, because: String, every: Duration },
    /// A node can be watched again.
    Sighted(NodeIndex),
    /// The kernel has dropped reports.
    ReportsLost,
}

/// Whether a ready visit may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    Take,
    /// It is dropped, or waits for another node.
    Aside,
    /// It is skipped, because this dependency has failed.
    Block(NodeIndex),
}
