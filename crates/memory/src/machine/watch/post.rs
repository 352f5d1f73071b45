//! What a machine and its watcher share.

use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use uphold_resource::{Interest, News, Token};

use super::news::Pending;
use super::register::{Register, path_of};
use crate::machine::host::MemoryHost;

/// What happens on a machine while somebody waits.
pub(crate) type Script = Box<dyn FnMut(&MemoryHost, Option<Duration>) + Send>;

/// How time passes while somebody waits.
#[derive(Default)]
pub(crate) enum Waiting {
    /// At once; nothing else happens.
    #[default]
    Skipped,
    /// As the script says.
    Scripted(Script),
    /// As it does in the world.
    Real,
}

/// What a machine and its watcher share. Whoever holds the machine's lock may take the one in here, never the
/// other way round.
#[derive(Default)]
pub(crate) struct Post {
    tray: Mutex<Tray>,
    filled: Condvar,
    pub(super) waiting: Mutex<Waiting>,
    /// Held while something is told, so that one tells at a time.
    pub(super) telling: Mutex<()>,
}

/// What the lock guards.
#[derive(Default)]
pub(super) struct Tray {
    pub(super) register: Register,
    pub(super) pending: Pending,
    /// Every arming there was.
    pub(super) armings: Vec<(Token, Vec<Interest>)>,
    /// Below this nothing can be watched.
    pub(super) refused: Option<PathBuf>,
    nudged: bool,
}

impl Post {
    pub(super) fn tray(&self) -> MutexGuard<'_, Tray> {
        self.tray.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins anew: nothing is armed, nothing waits to be told. What cannot be watched stays so.
    pub(crate) fn clear(&self) {
        let mut tray = self.tray();
        tray.register = Register::default();
        tray.pending.clear();
        tray.armings.clear();
    }

    /// Forgets what was armed when.
    pub(crate) fn forget(&self) {
        self.tray().armings.clear();
    }

    /// Something changed at `path`, which has no links in it.
    pub(crate) fn path_changed(&self, path: &Path) {
        let mut tray = self.tray();
        let tokens = tray.register.concerned(path);
        for token in tokens {
            tray.pending.push(News::Changed { token, what: Interest::Path(path.to_owned()) });
        }
        self.filled.notify_all();
    }

    /// Something else changed.
    pub(crate) fn changed(&self, what: &Interest) {
        if let Some(path) = path_of(what) {
            return self.path_changed(path);
        }
        let mut tray = self.tray();
        for token in tray.register.interested(what) {
            tray.pending.push(News::Changed { token, what: what.clone() });
        }
        self.filled.notify_all();
    }

    /// What is at `path`, and in it, is watched no more.
    pub(crate) fn blind(&self, path: &Path, because: &str) {
        let mut tray = self.tray();
        for token in tray.register.concerned(path) {
            tray.pending.push(News::Blind { token, because: because.to_owned() });
        }
        self.filled.notify_all();
    }

    /// The queue is full.
    pub(crate) fn overflow(&self) {
        self.tray().pending.overflow();
        self.filled.notify_all();
    }

    pub(crate) fn nudge(&self) {
        self.tray().nudged = true;
        self.filled.notify_all();
    }

    /// Whether a wait is over before it begins.
    pub(super) fn is_due(&self) -> bool {
        self.tray().is_due()
    }

    /// Sleeps until there is something, for this long at most; whether that was in vain.
    pub(super) fn sleep(&self, span: Option<Duration>) -> bool {
        // Nobody waits for a year.
        let span = span.unwrap_or(Duration::from_secs(365 * 24 * 3600));
        let slept = self.filled.wait_timeout_while(self.tray(), span, |tray| !tray.is_due());
        slept.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

impl Tray {
    /// Whether there is something to collect, or somebody nudged; that is told once.
    fn is_due(&mut self) -> bool {
        std::mem::take(&mut self.nudged) || !self.pending.is_empty()
    }
}
