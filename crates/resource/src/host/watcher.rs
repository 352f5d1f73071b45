//! Reports of changes.

use std::time::Duration;

use crate::error::Result;
use crate::interest::Interest;

/// The receiver of a report, as a number that the caller chose.
pub type Token = u32;

/// Reports changes on a machine. One watcher serves a whole process: there is one inotify instance, one netlink socket
/// and so on, however much is watched.
///
/// # Guarantees
/// - Every change after [`arm`](Watcher::arm) has returned is reported, or [`WatchEvent::Lost`] is.
/// - Every change before [`collect`](Watcher::collect) is called has been reported when it returns, so that a check that
///   starts then has seen it. That is why Uphold's own writes wake no resource: they precede the check that follows them.
/// - The one exception: a write to a file is reported when the writer closes the file, so that no resource acts on a partial
///   write; or after a second if it is still open, and then once a second while it is written. Any other event of the
///   file in that time, such as its replacement, is reported immediately, and covers the write, too.
/// - A change that did not happen may be reported; a change that happened is never missed.
pub trait Watcher: Send + Sync {
    /// Replaces the interests of `token`: from now on, a change that may concern one of them is reported. An empty slice
    /// removes the token. Almost free if the interests are the same as before.
    ///
    /// Intervals are ignored here: the caller handles them.
    ///
    /// # Errors
    /// If an interest cannot be watched, as when the kernel has no watches left. The others are watched all the same. The
    /// caller should check periodically, and may try again.
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()>;

    /// Passes everything that was reported up to now to `report`, once. Concurrent callers wait.
    fn collect(&self, report: &mut dyn FnMut(WatchEvent));

    /// Waits until there is something to collect, at most for `span`, or until [`nudge`](Watcher::nudge) is called.
    fn wait(&self, span: Option<Duration>);

    /// Ends a wait, or the next one if no thread waits. Can be called from any thread.
    fn nudge(&self);
}

/// A report of a [`Watcher`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WatchEvent {
    /// A change of an interest, possibly.
    Changed {
        /// The receiver.
        token: Token,
        /// The change. For a path, the one that changed, which may be above or below the requested one.
        what: Interest,
    },
    /// An interest that cannot be watched any more: it must be checked periodically.
    Blind {
        /// The receiver.
        token: Token,
        /// The reason.
        because: String,
    },
    /// Reports were lost: anything may have changed.
    Lost,
}
