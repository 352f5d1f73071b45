//! The state that a machine and its watcher share.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, MutexGuard, PoisonError};
use std::time::Duration;

use uphold_resource::{Interest, Mutex, Token, WatchEvent};

use super::controls::{Chance, Trouble};
use super::{Register, path_of};
use crate::machine::MemoryHost;

/// A script that runs during a wait.
pub(crate) type Script = Box<dyn FnMut(&MemoryHost, Option<Duration>) + Send>;

/// How time passes during a wait.
#[derive(Default)]
pub(crate) enum WaitMode {
    /// The wait ends at once, and nothing else happens.
    #[default]
    Skipped,
    /// A script runs.
    Scripted(Script),
    /// The wait takes real time.
    Real,
}

/// The state that a machine and its watcher share. A thread that holds the lock of the machine may take the one in here, but
/// never the other way round.
#[derive(Default)]
pub(crate) struct WatchMailbox {
    inbox: Mutex<Inbox>,
    filled: Condvar,
    pub(super) wait_mode: Mutex<WaitMode>,
    /// Locked during a collection, so that only one runs at a time.
    pub(super) collecting: Mutex<()>,
}

/// The data behind the lock.
#[derive(Default)]
pub(super) struct Inbox {
    pub(super) register: Register,
    pub(super) pending: Pending,
    /// All armings.
    pub(super) armings: Vec<(Token, Vec<Interest>)>,
    /// Nothing at or below this path can be watched.
    pub(super) refused: Option<PathBuf>,
    nudged: bool,
}

impl WatchMailbox {
    pub(super) fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock()
    }

    /// Resets everything except for paths that cannot be watched.
    pub(crate) fn clear(&self) {
        let mut inbox = self.inbox();
        inbox.register = Register::default();
        inbox.pending.clear();
        inbox.armings.clear();
    }

    /// Clears the record of armings.
    pub(crate) fn forget(&self) {
        self.inbox().armings.clear();
    }

    /// Reports a change at `path`, which contains no links.
    pub(crate) fn path_changed(&self, path: &Path) {
        let mut inbox = self.inbox();
        let tokens = inbox.register.concerned(path);
        for token in tokens {
            inbox.pending.push(WatchEvent::Changed { token, what: Interest::Path(path.to_owned()) });
        }
        self.filled.notify_all();
    }

    /// Reports another change.
    pub(crate) fn changed(&self, what: &Interest) {
        if let Some(path) = path_of(what) {
            return self.path_changed(path);
        }
        let mut inbox = self.inbox();
        for token in inbox.register.interested(what) {
            inbox.pending.push(WatchEvent::Changed { token, what: what.clone() });
        }
        self.filled.notify_all();
    }

    /// Reports that `path` and its entries cannot be watched any more.
    pub(crate) fn blind(&self, path: &Path, because: &str) {
        let mut inbox = self.inbox();
        for token in inbox.register.concerned(path) {
            inbox.pending.push(WatchEvent::Blind { token, because: because.to_owned() });
        }
        self.filled.notify_all();
    }

    /// Reports a full queue.
    pub(crate) fn overflow(&self) {
        self.inbox().pending.overflow();
        self.filled.notify_all();
    }

    pub(crate) fn nudge(&self) {
        self.inbox().nudged = true;
        self.filled.notify_all();
    }

    /// Whether a wait ends immediately.
    pub(super) fn is_due(&self) -> bool {
        self.inbox().is_due()
    }

    /// Sleeps until there is something to collect, at most for `span`; returns whether it timed out.
    pub(super) fn sleep(&self, span: Option<Duration>) -> bool {
        // A year is longer than any wait.
        let span = span.unwrap_or(Duration::from_secs(365 * 24 * 3600));
        let slept = self.filled.wait_timeout_while(self.inbox(), span, |inbox| !inbox.is_due());
        slept.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl Inbox {
    /// Whether there is something to collect, or a nudge, which is consumed.
    fn is_due(&mut self) -> bool {
        std::mem::take(&mut self.nudged) || !self.pending.is_empty()
    }
}

/// Reports that were not collected yet, in order, with the injected faults.
#[derive(Default)]
pub(crate) struct Pending {
    waiting: VecDeque<Report>,
    faults: Trouble,
    chance: Chance,
}

struct Report {
    news: WatchEvent,
    /// How many collections it misses.
    delay: usize,
}

impl Pending {
    /// Injects faults.
    pub(crate) fn suffer(&mut self, seed: u64, faults: Trouble) {
        (self.faults, self.chance) = (faults, Chance::new(seed));
    }

    /// Whether an injected fault prevents this arming.
    pub(crate) fn refuses(&mut self) -> bool {
        self.chance.happens(self.faults.refused)
    }

    pub(crate) fn push(&mut self, news: WatchEvent) {
        let Self { faults, chance, .. } = self;
        if chance.happens(faults.lost) {
            return;
        }
        if chance.happens(faults.overflowing) {
            return self.overflow();
        }
        let delay = if chance.happens(faults.delayed) { 1 + chance.roll(3) } else { 0 };
        if chance.happens(faults.doubled) {
            self.waiting.push_back(Report { news: news.clone(), delay: 0 });
        }
        self.waiting.push_back(Report { news, delay });
    }

    /// Drops all reports, and reports that they were lost.
    pub(crate) fn overflow(&mut self) {
        self.waiting.clear();
        self.waiting.push_back(Report { news: WatchEvent::Lost, delay: 0 });
    }

    pub(crate) fn clear(&mut self) {
        self.waiting.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The reports of this collection.
    pub(crate) fn take(&mut self) -> Vec<WatchEvent> {
        let mut taken = Vec::new();
        for mut report in std::mem::take(&mut self.waiting) {
            match report.delay {
                0 => taken.push(report.news),
                _ => {
                    report.delay -= 1;
                    self.waiting.push_back(report);
                }
            }
        }
        if self.chance.happens(self.faults.shuffled) {
            for last in (1..taken.len()).rev() {
                taken.swap(last, self.chance.roll(last + 1));
            }
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALWAYS: u8 = 100;

    /// The result of five reports, by collection.
    fn collections(faults: Trouble) -> Vec<Vec<String>> {
        let mut pending = Pending::default();
        pending.suffer(1, faults);
        for token in 0..5 {
            pending.push(WatchEvent::Blind { token, because: String::new() });
        }
        let word = |news: WatchEvent| match news {
            WatchEvent::Blind { token, .. } => token.to_string(),
            other => format!("{other:?}"),
        };
        (0..4).map(|_| pending.take().into_iter().map(word).collect()).collect()
    }

    #[test]
    fn injects_faults() {
        let first = |faults| collections(faults).swap_remove(0).join(" ");
        assert_eq!(first(Trouble::default()), "0 1 2 3 4");
        assert_eq!(first(Trouble { lost: ALWAYS, ..Trouble::default() }), "");
        assert_eq!(first(Trouble { doubled: ALWAYS, ..Trouble::default() }), "0 0 1 1 2 2 3 3 4 4");
        assert_eq!(first(Trouble { overflowing: ALWAYS, ..Trouble::default() }), "Lost");
        let shuffled = first(Trouble { shuffled: ALWAYS, ..Trouble::default() });
        assert!(shuffled != "0 1 2 3 4" && shuffled.len() == 9, "{shuffled}");
    }

    #[test]
    fn delays_reports() {
        let all = collections(Trouble { delayed: ALWAYS, ..Trouble::default() });
        assert!(all[0].is_empty(), "{all:?}");
        assert_eq!(all.concat().len(), 5, "{all:?}");
    }
}
