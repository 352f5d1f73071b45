//! Group commit: callers that wait for the disk at the same time share one sync.

use std::sync::{Arc, Condvar, MutexGuard, PoisonError};

use uphold_model::Mutex;

use crate::failure::{Attempt, Failure, Result};
use crate::storage::AppendFile;

#[derive(Debug, Default)]
struct Progress {
    /// The largest number whose line is written.
    written: u64,
    /// The largest number that survives a power loss.
    synced: u64,
    is_syncing: bool,
    /// Up to this number a sync failed. The kernel reports a failed write only once, so a second sync would prove nothing.
    failed: Option<(u64, Failure)>,
}

/// The numbers that are written and synced.
#[derive(Debug, Default)]
pub(super) struct GroupSync {
    progress: Mutex<Progress>,
    changed: Condvar,
}

impl GroupSync {
    /// Everything up to `number` is written by earlier runs. A killed run may not have synced it.
    pub(super) fn starting_at(number: u64) -> Self {
        let progress = Progress { written: number, ..Progress::default() };
        Self { progress: Mutex::new(progress), changed: Condvar::new() }
    }

    pub(super) fn wrote(&self, number: u64) {
        let mut progress = self.progress();
        progress.written = progress.written.max(number);
    }

    /// Waits until `number` survives a power loss. One of the waiting threads syncs for all whose lines are written.
    pub(super) fn wait(&self, number: u64, file: &Arc<dyn AppendFile>, name: &str) -> Result<()> {
        let mut progress = self.progress();
        loop {
            if progress.synced >= number {
                return Ok(());
            }
            if let Some((_, failure)) = progress.failed.as_ref().filter(|(failed, _)| *failed >= number) {
                return Err(failure.clone());
            }
            if progress.is_syncing {
                progress = self.changed.wait(progress).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let covered = progress.written;
            progress.is_syncing = true;
            drop(progress);
            let result = file.sync().attempt("sync", name);
            progress = self.progress();
            progress.is_syncing = false;
            match result {
                Ok(()) => progress.synced = covered,
                Err(failure) => progress.failed = Some((covered, failure)),
            }
            self.changed.notify_all();
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress> {
        self.progress.lock()
    }
}
