//! A journal: the state directory, and what is in it.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::applied::{Applied, AppliedResource, LastSet};
use crate::failure::Result;
use crate::format::{Found, NewerJournal};
use crate::known_contents::StoredContents;
use crate::line::Damage;
use crate::lock::{Holder, LockFailure, OtherHolder, RunLock, current_holder};
use crate::objects::Objects;
use crate::paused::PauseFile;
use crate::pending::{Pending, PendingView};
use crate::resource_key::ResourceKey;
use crate::runs::{FOLDER as RUNS, NewRun, RunBounds, RunWriter, Runs, prune};
use crate::secret_key::SecretKey;
use crate::storage::{DiskStorage, Location, Problem, Storage};
use crate::time::Time;
use crate::{applied, format};

use super::failure::Attempt;
use super::storage::StoredFile;

/// The file for pending notifications, and the one for versions that are too old for the journal.
const PENDING: &str = "pending";
const PENDING_FORMAT_1: &str = "pending.1";

/// The journal of a machine.
///
/// Opening costs microseconds, creates nothing and syncs nothing. Readers need no lock; a run takes [`Journal::lock`] first,
/// which creates the directory.
pub struct Journal {
    disk: Arc<DiskStorage>,
    newer: Option<NewerJournal>,
}

impl Journal {
    /// Opens the journal at `location`, which may not exist yet.
    ///
    /// # Errors
    /// If the directory is not trusted or cannot be read. The run goes on without it.
    pub fn open(location: Location) -> Result<Self, Problem> {
        let disk = DiskStorage::open(location)?;
        let newer = match format::read(&disk) {
            Ok(Found::Newer(newer)) => Some(newer),
            // A file that cannot be read fails again, with its name, when something is needed from it.
            Ok(Found::Missing | Found::Usable) | Err(_) => None,
        };
        Ok(Self { disk: Arc::new(disk), newer })
    }

    /// The place of the state directory.
    pub fn location(&self) -> &Location {
        self.disk.location()
    }

    /// Set if a newer version wrote this journal: then only pending notifications are written.
    pub fn newer(&self) -> Option<&NewerJournal> {
        self.newer.as_ref()
    }

    /// Takes the lock of a run: in the state directory, or in `runtime` (`/run/uphold`) if that is read-only. While another
    /// run holds it, `waiting` is called before each delay; returning false ends the wait.
    ///
    /// # Errors
    /// After the time limit, on request of `waiting`, or if no lock file can be created.
    pub fn lock(
        &self,
        runtime: &Path,
        holder: &Holder,
        limit: Option<Duration>,
        waiting: &mut dyn FnMut(&OtherHolder) -> bool,
    ) -> Result<RunLock, LockFailure> {
        RunLock::take(&self.disk, runtime, holder, limit, waiting)
    }

    /// The run that holds the lock now, for commands without a lock.
    pub fn holder(&self) -> Option<Holder> {
        current_holder(&*self.disk)
    }

    /// The pending notifications, for the holder of the lock. Repairs the file; the damage is for a warning.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn pending(&self, now: Time) -> Result<(Pending, Option<Damage>)> {
        Pending::open(self.storage(), self.pending_file(), now)
    }

    /// The pending notifications, for commands without a lock.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read_pending(&self) -> Result<PendingView> {
        PendingView::read(&*self.disk, self.pending_file())
    }

    fn pending_file(&self) -> &'static str {
        if self.newer.is_some() { PENDING_FORMAT_1 } else { PENDING }
    }

    /// Everything but lock and pending notifications. None if a newer version wrote the journal.
    pub fn records(&self) -> Option<Records> {
        self.newer.is_none().then(|| Records { storage: self.storage() })
    }

    /// The contents of files that did not change since. Only a run that holds the lock may keep more (`is_kept`).
    pub fn known_contents(&self, is_kept: bool) -> StoredContents {
        StoredContents::on(self.storage(), is_kept)
    }

    fn storage(&self) -> Arc<dyn Storage> {
        Arc::clone(&self.disk) as Arc<dyn Storage>
    }
}

/// The records of a journal in the format of this version.
#[derive(Clone)]
pub struct Records {
    storage: Arc<dyn Storage>,
}

impl Records {
    /// The records in another storage, such as one in memory for tests.
    pub fn on(storage: Arc<dyn Storage>) -> Self {
        Self { storage }
    }

    /// The pending notifications, as [`Journal::pending`].
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn pending(&self, now: Time) -> Result<(Pending, Option<Damage>)> {
        Pending::open(Arc::clone(&self.storage), PENDING, now)
    }

    /// Removes old runs and compresses those that are not recent; removes temporary files of killed processes after a day,
    /// and copies of damaged files after 90 days. Only the holder of the lock may do this, at the end of a run; `has_changed`
    /// says whether that run changed something, so that a run without changes waits for no disk. Each folder is listed once.
    ///
    /// # Errors
    /// If a file cannot be changed.
    pub fn clean_up(&self, bounds: &RunBounds, now: Time, has_changed: bool) -> Result<()> {
        let storage = &*self.storage;
        let list = |folder: &str| storage.list(folder).attempt("list", folder);
        let runs = list(RUNS)?;
        prune(storage, &runs, bounds, now, has_changed)?;
        remove_leftovers(storage, RUNS, &runs, now)?;
        remove_leftovers(storage, "", &list("")?, now)
    }

    /// Begins a run, for the holder of the lock. `audit` is a file opened with `O_APPEND`; it gets the same lines.
    pub fn begin_run(&self, new: NewRun, audit: Option<Box<dyn Write + Send>>) -> RunWriter {
        // A missing file means the current format, so a failure to write it does no harm.
        if matches!(format::read(&*self.storage), Ok(Found::Missing)) {
            let _ = format::write(&*self.storage, &new.version);
        }
        RunWriter::begin(Arc::clone(&self.storage), audit, new)
    }

    /// The runs.
    pub fn runs(&self) -> Runs {
        Runs { storage: Arc::clone(&self.storage) }
    }

    /// The set that was applied last for a configuration; none after a run that did not visit every resource. Reads one
    /// line.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn last_set(&self, configuration: &str) -> Result<Option<LastSet>> {
        applied::last_set(&*self.storage, configuration)
    }

    /// The last applied values of one resource, for commands without a lock. It parses no other record.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn find_applied(&self, key: &ResourceKey) -> Result<Option<AppliedResource>> {
        applied::find(&self.storage, key)
    }

    /// The last applied values, for the holder of the lock. Repairs the files; the damage is for warnings.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn applied(&self, now: Time) -> Result<(Applied, Vec<Damage>)> {
        Applied::open(&self.storage, now)
    }

    /// The last applied values, for commands without a lock.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read_applied(&self) -> Result<(Applied, Vec<Damage>)> {
        Applied::read(Arc::clone(&self.storage))
    }

    /// The previous contents.
    pub fn objects(&self) -> Objects {
        Objects { storage: Arc::clone(&self.storage) }
    }

    /// The pauses.
    pub fn pauses(&self) -> PauseFile {
        PauseFile { storage: Arc::clone(&self.storage) }
    }

    /// Whether there is a key for secrets: none of the runs had a secret before there is one.
    pub fn has_secret_key(&self) -> bool {
        SecretKey::exists(&*self.storage)
    }

    /// The key for secrets; it is created by the first call.
    ///
    /// # Errors
    /// If it cannot be read or created.
    pub fn secret_key(&self) -> Result<SecretKey> {
        SecretKey::open(&*self.storage)
    }
}

// Files that no run needs any more: temporary files of killed processes, and old copies of damaged files.

/// A younger temporary file may belong to a process that runs.
const TEMPORARY_DAYS: u32 = 1;
const DAMAGED_DAYS: u32 = 90;

/// Removes those of a folder, whose files the caller has listed.
pub(crate) fn remove_leftovers(
    storage: &dyn Storage,
    folder: &str,
    files: &[StoredFile],
    now: Time,
) -> Result<()> {
    for file in files.iter().filter(|file| is_leftover(file, now)) {
        let name = if folder.is_empty() { file.name.clone() } else { format!("{folder}/{}", file.name) };
        storage.remove(&name).attempt("remove", &name)?;
    }
    Ok(())
}

fn is_leftover(file: &StoredFile, now: Time) -> bool {
    let is_temporary = file.name.starts_with('.') && file.name.ends_with(".tmp");
    let is_damaged = file.name.contains(".damaged-");
    !file.is_folder
        && (is_temporary && file.modified < now.days_before(TEMPORARY_DAYS)
            || is_damaged && file.modified < now.days_before(DAMAGED_DAYS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Durability, MemoryStorage};
    use crate::time::DAY;

    #[test]
    fn leftovers_are_removed_when_they_are_old() {
        let disk = MemoryStorage::default();
        let names = [
            ".paused.12-0.tmp",
            "runs/.000001.jsonl.gz.12-1.tmp",
            "pending.damaged-20261117-170211",
            "pending",
        ];
        for name in names {
            disk.replace(name, b"x", Durability::Synced).unwrap();
        }
        let check = |days: i64, left: usize| {
            for folder in ["", "runs"] {
                let files = disk.list(folder).unwrap();
                remove_leftovers(&disk, folder, &files, Time(days * DAY + 1)).unwrap();
            }
            let found = disk.list("").unwrap().len() + disk.list("runs").unwrap().len();
            assert_eq!(found, left, "after {days} days");
        };
        check(0, 5);
        check(1, 2);
        check(90, 1);
    }
}
