//! Controls of a test over reports and waits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold_resource::{Interest, Token};

use super::faults::Trouble;
use super::mailbox::WaitMode;
use crate::machine::host::MemoryHost;

impl MemoryHost {
    /// Sets a script that runs at each wait for reports, with the span of the wait: it may change the machine, let time pass, or
    /// request a stop. The wait ends after it. It is not called while there is something to collect, and must not call this
    /// method.
    ///
    /// Without a script, a wait advances the clock, and a wait without a limit panics because nothing would ever end it.
    pub fn on_wait(&self, script: impl FnMut(&MemoryHost, Option<Duration>) + Send + 'static) {
        self.set_wait_mode(WaitMode::Scripted(Box::new(script)));
    }

    /// Makes waits take real time, and end with a report: for tests with threads. The machine's own clock advances when a wait
    /// times out.
    pub fn wait_for_real(&self) {
        self.set_wait_mode(WaitMode::Real);
    }

    fn set_wait_mode(&self, mode: WaitMode) {
        *self.mailbox.wait_mode.lock() = mode;
    }

    /// Reports a change of this interest, whether there is one or not.
    pub fn report(&self, what: &Interest) {
        self.mailbox.changed(what);
    }

    /// Loses all uncollected reports, and reports that.
    pub fn lose_reports(&self) {
        self.mailbox.overflow();
    }

    /// Reports that `path` cannot be watched any more.
    pub fn go_blind(&self, path: impl AsRef<Path>, because: &str) {
        self.mailbox.blind(path.as_ref(), because);
    }

    /// Makes the watcher misbehave at random.
    pub fn suffer(&self, seed: u64, trouble: Trouble) {
        self.mailbox.inbox().pending.suffer(seed, trouble);
    }

    /// Makes this path, and everything below it, impossible to watch.
    pub fn refuse_watches(&self, path: impl Into<PathBuf>) {
        self.mailbox.inbox().refused = Some(path.into());
    }

    /// Makes everything possible to watch again.
    pub fn allow_watches(&self) {
        self.mailbox.inbox().refused = None;
    }

    /// The armed interests by token.
    pub fn watches(&self) -> BTreeMap<Token, Vec<Interest>> {
        self.mailbox.inbox().register.armed()
    }

    /// Whether a change at `path` is reported to any token.
    pub fn is_watched(&self, path: impl AsRef<Path>) -> bool {
        let path = self.lock().world.tree.real(path.as_ref());
        !self.mailbox.inbox().register.concerned(&path).is_empty()
    }

    /// All armings since the start of the watcher or the last [`forget`](Self::forget), in order, including refused ones.
    pub fn armings(&self) -> Vec<(Token, Vec<Interest>)> {
        self.mailbox.inbox().armings.clone()
    }
}
