//! Controls of a test over reports, faults and waits.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold_resource::{Interest, Token};

use super::mailbox::WaitMode;
use crate::machine::MemoryHost;
use crate::machine::state::mix;

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

/// Faults of a watcher, as chances out of a hundred. None unless a test injects them.
///
/// All but `doubled` and `shuffled` violate the guarantees of a [`Watcher`](uphold_resource::Watcher): they are for tests of
/// the robustness against such violations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Trouble {
    /// A report is lost silently.
    pub lost: u8,
    /// A report comes twice.
    pub doubled: u8,
    /// A report is delayed for up to three collections.
    pub delayed: u8,
    /// Reports are collected in random order.
    pub shuffled: u8,
    /// A report overflows the queue: all uncollected ones are lost, which is reported.
    pub overflowing: u8,
    /// An arming fails.
    pub refused: u8,
}

/// A repeatable random generator.
#[derive(Default)]
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(mix(seed))
    }

    /// A number in `0..sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        usize::try_from(mix(self.0) % sides.max(1) as u64).unwrap_or_default()
    }

    /// Whether an event with this chance out of a hundred occurs.
    pub(crate) fn happens(&mut self, percent: u8) -> bool {
        percent > 0 && self.roll(100) < usize::from(percent)
    }
}
