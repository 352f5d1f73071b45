//! The watcher of a machine in memory.

use std::path::PathBuf;
use std::sync::PoisonError;
use std::time::Duration;

use uphold_resource::{Error, Interest, News, Result, Token, Watcher};

use super::post::{Post, Waiting};
use super::register::path_of;
use crate::machine::host::MemoryHost;

/// Tells what changes on a machine in memory, with the guarantees of the real one unless the machine is told to report
/// [badly](MemoryHost::suffer).
///
/// A change through another hard link of a file is not told, nor one behind a link that led nowhere when this was
/// armed.
pub(crate) struct MemoryWatcher {
    pub(crate) host: MemoryHost,
}

impl MemoryWatcher {
    fn post(&self) -> &Post {
        &self.host.post
    }
}

impl Watcher for MemoryWatcher {
    fn arm(&self, token: Token, interests: &[Interest]) -> Result<()> {
        // Held all the time, so that nothing changes between a look at links and the arming.
        let state = self.host.lock();
        let mut tray = self.post().tray();
        tray.armings.push((token, interests.to_vec()));
        let blocked = if tray.pending.refuses() { Some(PathBuf::from("/")) } else { tray.refused.clone() };
        let is_blocked = |interest: &Interest| {
            let path = path_of(interest);
            path.zip(blocked.as_deref()).is_some_and(|(path, blocked)| path.starts_with(blocked))
        };
        let timeless = interests.iter().filter(|interest| !matches!(interest, Interest::Interval(_)));
        let (refused, watched): (Vec<_>, Vec<_>) = timeless.cloned().partition(is_blocked);
        tray.register.arm(token, watched, |path| state.world.tree.real(path));
        match refused.first() {
            None => Ok(()),
            Some(first) => Err(Error::failed(format!("cannot watch {first}: there are no watches left"))),
        }
    }

    fn collect(&self, tell: &mut dyn FnMut(News)) {
        let _alone = self.post().telling.lock().unwrap_or_else(PoisonError::into_inner);
        let told = self.post().tray().pending.take();
        told.into_iter().for_each(tell);
    }

    fn wait(&self, span: Option<Duration>) {
        if self.post().is_due() {
            return;
        }
        let mut waiting = self.post().waiting.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *waiting {
            Waiting::Scripted(script) => script(&self.host, span),
            Waiting::Skipped => self.host.advance(span.expect(
                "somebody waits for ever on a machine on which nothing happens: say what does by `on_wait`",
            )),
            Waiting::Real => {
                drop(waiting);
                if self.post().sleep(span) {
                    self.host.advance(span.unwrap_or_default());
                }
            }
        }
    }

    fn nudge(&self) {
        self.post().nudge();
    }
}
