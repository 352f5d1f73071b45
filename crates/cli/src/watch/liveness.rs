//! The watchdog of the service manager, and whether the engine is alive.
#![expect(clippy::disallowed_methods, reason = "the watchdog must work while the engine's workers are busy")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use uphold::resource::{Interest, Machine, Result, Token, WatchEvent, Watcher, Watchers};

use super::service_manager::ServiceManager;
use crate::CliError;

/// Counts how often the engine waits for changes: whenever it is woken and not stuck, it waits again. Clones share the
/// count.
#[derive(Clone, Default)]
pub(super) struct Liveness(Arc<WaitCount>);

#[derive(Default)]
struct WaitCount {
    waits: AtomicU64,
    watcher: OnceLock<Arc<dyn Watcher>>,
}

impl Liveness {
    /// Whether the engine waited again since the previous check, and wakes it for the next one. True until its first
    /// wait.
    pub(super) fn check(&self, last: &mut u64) -> bool {
        let now = self.0.waits.load(Ordering::Acquire);
        let is_alive = now == 0 || now != *last;
        *last = now;
        if let Some(watcher) = self.0.watcher.get() {
            watcher.nudge();
        }
        is_alive
    }

    /// The machine with watchers that count their waits.
    pub(super) fn counting(self, mut machine: Machine) -> Machine {
        machine.watchers = Arc::new(CountingWatchers { inner: machine.watchers, liveness: self });
        machine
    }
}

struct CountingWatchers {
    inner: Arc<dyn Watchers>,
    liveness: Liveness,
}

impl Watchers for CountingWatchers {
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        let inner = self.inner.watcher()?;
        // If the engine requests a second watcher, only the first one is woken, which is harmless.
        let _ = self.liveness.0.watcher.set(inner.clone());
        Ok(Arc::new(CountingWatcher { inner, liveness: self.liveness.clone() }))
    }
}

struct CountingWatcher {
    inner: Arc<dyn Watcher>,
    liveness: Liveness,
}

impl Watcher for CountingWatcher {
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()> {
        self.inner.arm(token, interests)
    }

    fn collect(&self, tell: &mut dyn FnMut(WatchEvent)) {
        self.inner.collect(tell);
    }

    fn wait(&self, span: Option<Duration>) {
        self.liveness.0.waits.fetch_add(1, Ordering::AcqRel);
        self.inner.wait(span);
    }

    fn nudge(&self) {
        self.inner.nudge();
    }
}

/// Sends keep-alive messages at half of the allowed interval while the engine is alive; stops when it is dropped.
///
/// A stuck engine sends none, so that the service manager restarts it.
pub(super) struct Watchdog {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Starts the thread, which calls `is_alive` before each message.
    pub(super) fn start(
        manager: ServiceManager,
        allowed: Duration,
        mut is_alive: impl FnMut() -> bool + Send + 'static,
    ) -> Result<Self, CliError> {
        let (end, ended) = mpsc::channel();
        let send = move || {
            while ended.recv_timeout(allowed / 2) == Err(RecvTimeoutError::Timeout) {
                if is_alive() {
                    manager.send("WATCHDOG=1");
                }
            }
        };
        let thread = thread::Builder::new().name("watchdog".to_owned()).spawn(send);
        let thread = thread.map_err(|error| CliError::new("cannot start the watchdog").because(&error))?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.end.take());
        // The thread only sleeps, and was woken.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use uphold::LocalHost;

    use super::*;

    #[test]
    fn an_engine_that_does_not_wait_again_is_not_alive() {
        let liveness = Liveness::default();
        let watcher = liveness
            .clone()
            .counting(LocalHost::new().machine())
            .watchers
            .watcher()
            .expect("it can be watched");
        let mut last = 0;
        assert!(liveness.check(&mut last), "it has not begun");
        let (sender, listens) = mpsc::channel();
        let listen = watcher.clone();
        let listener = thread::spawn(move || {
            for _ in 0..3 {
                sender.send(()).expect("the test listens");
                listen.wait(None);
            }
        });
        for _ in 0..2 {
            listens.recv().expect("it listens");
            // The message is sent right before the wait.
            while !liveness.check(&mut last) {
                thread::yield_now();
            }
        }
        while !listener.is_finished() {
            watcher.nudge();
            thread::yield_now();
        }
        liveness.check(&mut last);
        assert!(!liveness.check(&mut last), "it has stopped");
    }
}
