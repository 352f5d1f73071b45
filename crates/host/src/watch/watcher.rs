//! The watcher of this machine.

use std::hash::{BuildHasher, RandomState};
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use uphold_resource::{Interest, Mutex, Result, Token, WatchEvent, Watcher};

use super::change_batch::ChangeBatch;
use super::epoll::{AT_ONCE, Epoll, Source};
use super::state::State;
use crate::root::Root;

/// The limit for rounds of sources, so that sources that are always ready do not block the watcher.
const ROUNDS: usize = 64;

/// Watches this machine, or a system below another root. All mechanisms share one epoll; there is no thread of its own.
/// Callers that arm or collect wait for each other.
pub(crate) struct LocalWatcher {
    epoll: Epoll,
    hasher: RandomState,
    state: Mutex<State>,
    /// Whether a wait saw that the mount table changed. The kernel reports that once, and the wait cannot process it.
    remounted: AtomicBool,
}

impl LocalWatcher {
    /// Watches nothing yet.
    ///
    /// # Errors
    /// If the user has no inotify instances left.
    pub(crate) fn new(root: Root) -> Result<Self> {
        let epoll = Epoll::new()?;
        let state = Mutex::new(State::new(root, &epoll)?);
        Ok(Self { epoll, hasher: RandomState::new(), state, remounted: AtomicBool::new(false) })
    }

    /// A state after a panic of another thread is valid, too: at most, reports are repeated.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }
}

impl Watcher for LocalWatcher {
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()> {
        let print = self.hasher.hash_one(interests);
        let mut state = self.state();
        if state.is_armed(token, print) {
            return Ok(());
        }
        tracing::debug!(token, interests = interests.len(), "watch armed");
        state.arm(token, interests, print, &self.epoll)
    }

    fn collect(&self, report: &mut dyn FnMut(WatchEvent)) {
        let mut state = self.state();
        let mut batch = ChangeBatch::default();
        if self.remounted.swap(false, Ordering::Relaxed) {
            state.process(Source::Mounts, &self.epoll, &mut batch);
        }
        for _ in 0..ROUNDS {
            let mut count = 0;
            for source in self.epoll.ready(Some(Duration::ZERO)) {
                state.process(source, &self.epoll, &mut batch);
                count += 1;
            }
            if count < AT_ONCE {
                break;
            }
        }
        state.report(batch, &self.epoll, report);
    }

    fn wait(&self, span: Option<Duration>) {
        for source in self.epoll.ready(span) {
            match source {
                Source::Nudge => self.epoll.clear_nudge(),
                Source::Mounts => self.remounted.store(true, Ordering::Relaxed),
                _ => {}
            }
        }
    }

    fn nudge(&self) {
        self.epoll.nudge();
    }
}
