//! The watcher of this machine.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use uphold_resource::{Interest, News, Result, Token, Watcher};

use super::gate::{AT_ONCE, Gate, Source};
use super::state::State;
use super::tidings::Tidings;
use crate::root::Root;

/// How often more sources are asked for, so that those that never rest do not hold us up.
const ROUNDS: usize = 64;

/// Watches this machine, or the part of it below another root. All mechanisms are waited for at one place; there is no
/// thread of its own. Whoever arms or collects waits for the one who does.
pub(crate) struct LocalWatcher {
    gate: Gate,
    hasher: RandomState,
    state: Mutex<State>,
    /// A wait heard that the table of mounts is another. The kernel says so once, and the wait cannot look.
    remounted: AtomicBool,
}

impl LocalWatcher {
    /// Watches nothing yet.
    ///
    /// # Errors
    /// If the kernel has no inotify left for us.
    pub(crate) fn new(root: Root) -> Result<Self> {
        let gate = Gate::new()?;
        let state = Mutex::new(State::new(root, &gate)?);
        Ok(Self { gate, hasher: RandomState::new(), state, remounted: AtomicBool::new(false) })
    }

    /// What a panic of another thread left is as good as any other state: reports may be told twice.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watcher for LocalWatcher {
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()> {
        let print = self.hasher.hash_one(interests);
        let mut state = self.state();
        match state.is_armed(token, print) {
            true => Ok(()),
            false => {
                tracing::debug!(token, interests = interests.len(), "watch armed");
                state.arm(token, interests, print, &self.gate)
            }
        }
    }

    fn collect(&self, tell: &mut dyn FnMut(News)) {
        let mut state = self.state();
        let mut tidings = Tidings::default();
        if self.remounted.swap(false, Ordering::Relaxed) {
            state.take_in(Source::Mounts, &self.gate, &mut tidings);
        }
        for _ in 0..ROUNDS {
            let mut count = 0;
            for source in self.gate.ready(Some(Duration::ZERO)) {
                state.take_in(source, &self.gate, &mut tidings);
                count += 1;
            }
            if count < AT_ONCE {
                break;
            }
        }
        state.tell(tidings, &self.gate, tell);
    }

    fn wait(&self, span: Option<Duration>) {
        for source in self.gate.ready(span) {
            match source {
                Source::Bell => self.gate.hush(),
                Source::Mounts => self.remounted.store(true, Ordering::Relaxed),
                _ => {}
            }
        }
    }

    fn nudge(&self) {
        self.gate.ring();
    }
}
