//! What a test says about reports and waits, and what it can ask.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;
use std::time::Duration;

use uphold_resource::{Interest, Token};

use super::post::Waiting;
use super::trouble::Trouble;
use crate::machine::host::MemoryHost;

impl MemoryHost {
    /// This happens whenever somebody waits for reports, for the span that is given or for ever: it may change the
    /// machine, let time pass, or ask for a stop. Then the wait is over. It is not called while there is something to
    /// collect, and must not call this method.
    ///
    /// On a machine without it a wait lets its time pass, and one without an end panics: nothing would ever end it.
    pub fn on_wait(&self, script: impl FnMut(&MemoryHost, Option<Duration>) + Send + 'static) {
        self.set_waiting(Waiting::Scripted(Box::new(script)));
    }

    /// From now on waits take real time, and end when something is reported: for tests with threads. The machine's own
    /// clock moves when a wait ends in vain.
    pub fn wait_for_real(&self) {
        self.set_waiting(Waiting::Real);
    }

    fn set_waiting(&self, waiting: Waiting) {
        *self.post.waiting.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
    }

    /// Reports a change of this, whether there is one or not.
    pub fn report(&self, what: &Interest) {
        self.post.changed(what);
    }

    /// Loses all reports that wait, and says so.
    pub fn lose_reports(&self) {
        self.post.overflow();
    }

    /// Says that what is at `path` can be watched no more.
    pub fn go_blind(&self, path: impl AsRef<Path>, because: &str) {
        self.post.blind(path.as_ref(), because);
    }

    /// From now on the machine reports as badly as this, by chance.
    pub fn suffer(&self, seed: u64, trouble: Trouble) {
        self.post.tray().pending.suffer(seed, trouble);
    }

    /// From now on there are no watches left for this path and all below it.
    pub fn refuse_watches(&self, path: impl Into<PathBuf>) {
        self.post.tray().refused = Some(path.into());
    }

    /// From now on there are watches for everything.
    pub fn allow_watches(&self) {
        self.post.tray().refused = None;
    }

    /// What is watched, for whom.
    pub fn watches(&self) -> BTreeMap<Token, Vec<Interest>> {
        self.post.tray().register.armed()
    }

    /// Whether somebody is told of a change at `path`.
    pub fn is_watched(&self, path: impl AsRef<Path>) -> bool {
        let path = self.lock().world.tree.real(path.as_ref());
        !self.post.tray().register.concerned(&path).is_empty()
    }

    /// Every arming since the watcher began or the last [`forget`](Self::forget), in order, also those that were
    /// refused.
    pub fn armings(&self) -> Vec<(Token, Vec<Interest>)> {
        self.post.tray().armings.clone()
    }
}
