//! Users and groups, read from their files.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, Stat};
use rustix::io::Errno;
use uphold_resource::{Group, Result, User, is_private_group};

use crate::account_table::{AccountTable, Key, Record};
use crate::calls;
use crate::io_error::io_error;
use crate::look;
use crate::name_service::NameService;
use crate::root::Root;

/// How long a file is assumed to be unchanged after a check, for names that it contains. Missing names are always checked
/// again, and Uphold's own changes take effect immediately.
const RECHECK_AFTER: Duration = Duration::from_millis(5);

/// The account databases of a root.
#[derive(Default)]
pub(crate) struct AccountFiles {
    users: Database<User>,
    groups: Database<Group>,
    /// Incremented when cached data must be checked before its next use.
    generation: AtomicU64,
}

impl AccountFiles {
    /// Records that the files may have changed: they are checked before the next use.
    pub(crate) fn invalidate(&self) {
        self.generation.fetch_add(1, Ordering::Release);
    }

    /// The user of this name.
    pub(crate) fn user(&self, root: &Root, name: &str) -> Result<Option<User>> {
        self.users.find(root, Key::Name(name), self.current_generation())
    }

    /// The user with this id.
    pub(crate) fn user_by_id(&self, root: &Root, uid: u32) -> Result<Option<User>> {
        self.users.find(root, Key::Id(uid), self.current_generation())
    }

    /// The group of this name.
    pub(crate) fn group(&self, root: &Root, name: &str) -> Result<Option<Group>> {
        self.groups.find(root, Key::Name(name), self.current_generation())
    }

    /// The group with this id.
    pub(crate) fn group_by_id(&self, root: &Root, gid: u32) -> Result<Option<Group>> {
        self.groups.find(root, Key::Id(gid), self.current_generation())
    }

    /// Whether the group can have no member but `owner`. False if unsure.
    pub(crate) fn is_private_group(&self, root: &Root, owner: u32, gid: u32) -> Result<bool> {
        let (Some(owner), Some(group)) = (self.user_by_id(root, owner)?, self.group_by_id(root, gid)?) else {
            return Ok(false);
        };
        Ok(is_private_group(&owner, &group, &self.users(root)?))
    }

    /// All users in the file.
    pub(crate) fn users(&self, root: &Root) -> Result<Vec<User>> {
        self.users.all(root, self.current_generation())
    }

    /// All groups in the file.
    pub(crate) fn groups(&self, root: &Root) -> Result<Vec<Group>> {
        self.groups.all(root, self.current_generation())
    }

    fn current_generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }
}

/// One account file, with the accounts that other name services know.
struct Database<T> {
    latest: RwLock<Option<Snapshot<T>>>,
    elsewhere: NameService<T>,
}

impl<T> Default for Database<T> {
    fn default() -> Self {
        Self { latest: RwLock::default(), elsewhere: NameService::default() }
    }
}

/// The file as of the last check.
struct Snapshot<T> {
    table: Arc<AccountTable<T>>,
    version: Version,
    checked: Instant,
    generation: u64,
}

/// The attributes that distinguish versions of a file: times, size and inode. `None` if the file does not exist.
pub(crate) type Version = Option<(i64, u64, i64, u64, i64, u64)>;

impl<T: Record> Database<T> {
    fn find(&self, root: &Root, key: Key<'_>, generation: u64) -> Result<Option<T>> {
        if let Some(found) = self.cached(key, generation) {
            return Ok(Some(found));
        }
        let (table, version) = self.refresh(root, generation)?;
        match table.find(key) {
            Some(found) => Ok(Some(found.clone())),
            None if root.under().is_some() => Ok(None),
            None => Ok(self.elsewhere.find(key, version)),
        }
    }

    fn all(&self, root: &Root, generation: u64) -> Result<Vec<T>> {
        let (table, _) = self.refresh(root, generation)?;
        Ok(table.distinct().cloned().collect())
    }

    /// The cached record, if it can be used without a system call.
    fn cached(&self, key: Key<'_>, generation: u64) -> Option<T> {
        let latest = self.latest.read().unwrap_or_else(PoisonError::into_inner);
        let snapshot = latest.as_ref()?;
        let fresh = snapshot.generation == generation && snapshot.checked.elapsed() < RECHECK_AFTER;
        fresh.then(|| snapshot.table.find(key).cloned()).flatten()
    }

    /// Checks the file, and reads it if it changed.
    fn refresh(&self, root: &Root, generation: u64) -> Result<(Arc<AccountTable<T>>, Version)> {
        let path = Path::new("/etc").join(T::DATABASE);
        let checked = Instant::now();
        let version = version(root, &path)?;
        let mut latest = self.latest.write().unwrap_or_else(PoisonError::into_inner);
        let table = match latest.as_ref().filter(|snapshot| snapshot.version == version) {
            Some(snapshot) => Arc::clone(&snapshot.table),
            None => Arc::new(read(root, &path, version)?),
        };
        *latest = Some(Snapshot { table: Arc::clone(&table), version, checked, generation });
        Ok((table, version))
    }
}

fn version(root: &Root, path: &Path) -> Result<Version> {
    let stat = root.follow(path, OFlags::PATH).and_then(|file| calls::fstat(&file));
    match stat {
        Ok(stat) => Ok(Some(stamp(&stat))),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(io_error("check", path, errno.into())),
    }
}

fn stamp(stat: &Stat) -> (i64, u64, i64, u64, i64, u64) {
    (stat.st_mtime, stat.st_mtime_nsec, stat.st_ctime, stat.st_ctime_nsec, stat.st_size, stat.st_ino)
}

fn read<T: Record>(root: &Root, path: &Path, version: Version) -> Result<AccountTable<T>> {
    match version {
        None => Ok(AccountTable::default()),
        Some(_) => Ok(AccountTable::parse(&look::read_followed(root, path)?)),
    }
}
