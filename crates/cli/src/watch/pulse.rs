//! Whether the engine still listens to the machine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use uphold::resource::{Interest, Machine, News, Result, Token, Watcher, Watchers};

/// Counts how often the engine begins to listen: whenever it is called and not stuck, it does so again. Clones are the
/// same pulse.
#[derive(Clone, Default)]
pub(super) struct Pulse(Arc<Beats>);

#[derive(Default)]
struct Beats {
    waits: AtomicU64,
    watcher: OnceLock<Arc<dyn Watcher>>,
}

impl Pulse {
    /// Whether it listened again since it was last asked, and calls it for the next time. True as long as it has
    /// not begun to listen at all.
    pub(super) fn feel(&self, last: &mut u64) -> bool {
        let now = self.0.waits.load(Ordering::Acquire);
        let is_felt = now == 0 || now != *last;
        *last = now;
        self.0.watcher.get().into_iter().for_each(|watcher| watcher.nudge());
        is_felt
    }

    /// The machine with a count of each wait for its reports.
    pub(super) fn felt(self, mut machine: Machine) -> Machine {
        machine.watchers = Arc::new(FeltWatchers { inner: machine.watchers, pulse: self });
        machine
    }
}

/// Watchers whose waits are counted.
struct FeltWatchers {
    inner: Arc<dyn Watchers>,
    pulse: Pulse,
}

impl Watchers for FeltWatchers {
    fn watcher(&self) -> Result<Arc<dyn Watcher>> {
        let inner = self.inner.watcher()?;
        // One engine listens; should it ask twice, the first watcher is nudged, which harms nothing.
        let _ = self.pulse.0.watcher.set(inner.clone());
        Ok(Arc::new(FeltWatcher { inner, pulse: self.pulse.clone() }))
    }
}

struct FeltWatcher {
    inner: Arc<dyn Watcher>,
    pulse: Pulse,
}

impl Watcher for FeltWatcher {
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()> {
        self.inner.arm(token, interests)
    }

    fn collect(&self, tell: &mut dyn FnMut(News)) {
        self.inner.collect(tell);
    }

    fn wait(&self, span: Option<Duration>) {
        self.pulse.0.waits.fetch_add(1, Ordering::AcqRel);
        self.inner.wait(span);
    }

    fn nudge(&self) {
        self.inner.nudge();
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "somebody has to listen")]
mod tests {
    use uphold::LocalHost;

    use super::*;

    #[test]
    fn who_does_not_listen_again_is_not_felt() {
        let pulse = Pulse::default();
        let watcher =
            pulse.clone().felt(LocalHost::new().machine()).watchers.watcher().expect("it can be watched");
        let mut last = 0;
        assert!(pulse.feel(&mut last), "it has not begun");
        let (sender, listens) = std::sync::mpsc::channel();
        let listen = watcher.clone();
        let listener = std::thread::spawn(move || {
            for _ in 0..3 {
                sender.send(()).expect("the test listens");
                listen.wait(None);
            }
        });
        for _ in 0..2 {
            listens.recv().expect("it listens");
            // It is told right before it listens.
            while !pulse.feel(&mut last) {
                std::thread::yield_now();
            }
        }
        while !listener.is_finished() {
            watcher.nudge();
            std::thread::yield_now();
        }
        pulse.feel(&mut last);
        assert!(!pulse.feel(&mut last), "it has stopped");
    }
}
