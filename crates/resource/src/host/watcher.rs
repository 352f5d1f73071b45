//! Being told what changes.

use std::time::Duration;

use crate::error::Result;
use crate::interest::Interest;

/// Whom a report is for: a number that the caller chose.
pub type Token = u32;

/// Reports what changes on a machine. One serves a whole process: there is one inotify, one netlink socket and so on,
/// however much is watched.
///
/// # Guarantees
/// - Whatever changes after [`arm`](Watcher::arm) has returned is reported, or [`News::Lost`] is.
/// - Whatever happened before [`collect`](Watcher::collect) is called is told by the time it returns, so that a look
///   that begins then has seen it. That is how our own writes wake nobody: they come before the look that follows them.
/// - The one exception: what is written to a file is told when the writer closes it, so that nobody acts on half of it;
///   or after a second if it is not closed by then, and once a second while it is written and stays open. Whatever else
///   happens to the file meanwhile, as when another is put in its place, is told as ever, and tells of the write, too.
/// - It may tell of changes that did not happen; never the other way round.
pub trait Watcher: Send + Sync {
    /// From now on, wakes `token` when something that it is interested in may have changed, instead of what was armed
    /// for it before. With no interests it is forgotten. Costs next to nothing if they are the same as before.
    ///
    /// Intervals are the caller's work, and ignored here.
    ///
    /// # Errors
    /// If something cannot be watched, as when the kernel has no watches left: the rest is. The caller should look
    /// now and then, and may try again.
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()>;

    /// Tells everything that was reported up to now. Nobody else is told the same; whoever calls this meanwhile waits.
    fn collect(&self, tell: &mut dyn FnMut(News));

    /// Waits until there is something to collect, for this long at most, or until somebody [nudges](Watcher::nudge).
    fn wait(&self, span: Option<Duration>);

    /// Ends a wait, or the next one if nobody waits. Can be called from any thread.
    fn nudge(&self);
}

/// What a [`Watcher`] tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// Something may have changed.
    Changed {
        /// Who wanted to know.
        token: Token,
        /// What it was: of a path, the one that changed, which may be above or below the one that was asked for.
        what: Interest,
    },
    /// Something cannot be watched any more: look now and then.
    Blind {
        /// Who wanted to know.
        token: Token,
        /// Why.
        because: String,
    },
    /// Reports were lost. Anything may have changed.
    Lost,
}
