//! The watcher of a machine in memory.

use std::path::PathBuf;
use std::time::Duration;

use uphold_resource::{Error, Interest, Result, Token, WatchEvent, Watcher};

use super::mailbox::{WaitMode, WatchMailbox};
use super::register::path_of;
use crate::machine::host::MemoryHost;

/// Reports changes on a machine in memory, with the guarantees of the real watcher unless [faults](MemoryHost::suffer) are
/// injected.
///
/// A change through another hard link of a file is not reported, nor one behind a link that was broken when it was armed.
pub(crate) struct MemoryWatcher {
    pub(crate) host: MemoryHost,
}

impl MemoryWatcher {
    fn mailbox(&self) -> &WatchMailbox {
        &self.host.mailbox
    }
}

impl Watcher for MemoryWatcher {
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()> {
        // Held throughout, so that links do not change between their resolution and the arming.
        let state = self.host.lock();
        let mut inbox = self.mailbox().inbox();
        inbox.armings.push((token, interests.to_vec()));
        let blocked = if inbox.pending.refuses() { Some(PathBuf::from("/")) } else { inbox.refused.clone() };
        let is_blocked = |interest: &Interest| {
            let path = path_of(interest);
            path.zip(blocked.as_deref()).is_some_and(|(path, blocked)| path.starts_with(blocked))
        };
        let timeless = interests.iter().filter(|interest| !matches!(interest, Interest::Interval(_)));
        let (refused, watched): (Vec<_>, Vec<_>) = timeless.cloned().partition(is_blocked);
        inbox.register.arm(token, watched, |path| state.world.tree.real(path));
        match refused.first() {
            None => Ok(()),
            Some(first) => Err(Error::failed(format!("cannot watch {first}: no watches are left"))),
        }
    }

    fn collect(&self, report: &mut dyn FnMut(WatchEvent)) {
        let _alone = self.mailbox().collecting.lock();
        let taken = self.mailbox().inbox().pending.take();
        taken.into_iter().for_each(report);
    }

    fn wait(&self, span: Option<Duration>) {
        if self.mailbox().is_due() {
            return;
        }
        let mut mode = self.mailbox().wait_mode.lock();
        match &mut *mode {
            WaitMode::Scripted(script) => script(&self.host, span),
            WaitMode::Skipped => self
                .host
                .advance(span.expect("a wait without a limit would never end: set a script with `on_wait`")),
            WaitMode::Real => {
                drop(mode);
                if self.mailbox().sleep(span) {
                    self.host.advance(span.unwrap_or_default());
                }
            }
        }
    }

    fn nudge(&self) {
        self.mailbox().nudge();
    }
}
