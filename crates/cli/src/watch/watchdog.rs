//! The sign of life that a service manager waits for.
#![expect(clippy::disallowed_methods, reason = "it must beat while the engine's workers are busy")]

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::service_manager::ServiceManager;
use crate::error::CliError;

/// Beats at half of the time that the manager allows, as long as the engine is alive; ends when it is dropped.
///
/// An engine that is wedged is not kept alive: the manager ends it and starts another.
pub(super) struct Watchdog {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Watchdog {
    /// Beats from now on; `is_alive` is asked before each time.
    ///
    /// # Errors
    /// If there is no thread to be had.
    pub(super) fn start(
        manager: ServiceManager,
        allowed: Duration,
        mut is_alive: impl FnMut() -> bool + Send + 'static,
    ) -> Result<Self, CliError> {
        let (end, ended) = mpsc::channel();
        let beat = move || {
            while ended.recv_timeout(allowed / 2) == Err(RecvTimeoutError::Timeout) {
                if is_alive() {
                    manager.beat();
                }
            }
        };
        let thread = thread::Builder::new().name("watchdog".to_owned()).spawn(beat);
        let thread = thread.map_err(|error| CliError::new("cannot start the watchdog").because(&error))?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        drop(self.end.take());
        // It only sleeps, and was woken.
        self.thread.take().into_iter().for_each(|thread| _ = thread.join());
    }
}
