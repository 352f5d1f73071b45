//! Users and groups, from their files.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, Stat};
use rustix::io::Errno;
use uphold_resource::{Error, Group, Result, User, is_private_group};

use crate::calls;
use crate::look;
use crate::name_service::NameService;
use crate::root::Root;
use crate::table::{Key, Record, Table};

/// For so long a file is believed to be unchanged when the name is in it. What is not found is
/// always looked for again, and what Uphold changes itself counts at once.
const BELIEVED: Duration = Duration::from_millis(5);

/// The account databases of a root.
#[derive(Default)]
pub(crate) struct AccountFiles {
    users: Database<User>,
    groups: Database<Group>,
    /// Counts the moments from which nothing read before is believed.
    distrust: AtomicU64,
}

impl AccountFiles {
    /// The files may have changed: look at them before the next answer.
    pub(crate) fn distrust(&self) {
        self.distrust.fetch_add(1, Ordering::Release);
    }

    /// The user of this name.
    pub(crate) fn user(&self, root: &Root, name: &str) -> Result<Option<User>> {
        self.users.find(root, Key::Name(name), self.era())
    }

    /// The user with this id.
    pub(crate) fn user_by_id(&self, root: &Root, uid: u32) -> Result<Option<User>> {
        self.users.find(root, Key::Id(uid), self.era())
    }

    /// The group of this name.
    pub(crate) fn group(&self, root: &Root, name: &str) -> Result<Option<Group>> {
        self.groups.find(root, Key::Name(name), self.era())
    }

    /// The group with this id.
    pub(crate) fn group_by_id(&self, root: &Root, gid: u32) -> Result<Option<Group>> {
        self.groups.find(root, Key::Id(gid), self.era())
    }

    /// Whether the group can have no member but `owner`. False in doubt.
    pub(crate) fn is_private_group(&self, root: &Root, owner: u32, gid: u32) -> Result<bool> {
        let (Some(owner), Some(group)) = (self.user_by_id(root, owner)?, self.group_by_id(root, gid)?) else {
            return Ok(false);
        };
        Ok(is_private_group(&owner, &group, &self.users(root)?))
    }

    /// All users that are in the file.
    pub(crate) fn users(&self, root: &Root) -> Result<Vec<User>> {
        self.users.all(root, self.era())
    }

    /// All groups that are in the file.
    pub(crate) fn groups(&self, root: &Root) -> Result<Vec<Group>> {
        self.groups.all(root, self.era())
    }

    fn era(&self) -> u64 {
        self.distrust.load(Ordering::Acquire)
    }
}

/// One file, and what other sources of names said.
struct Database<T> {
    latest: RwLock<Option<Reading<T>>>,
    elsewhere: NameService<T>,
}

impl<T> Default for Database<T> {
    fn default() -> Self {
        Self { latest: RwLock::default(), elsewhere: NameService::default() }
    }
}

/// The file as it was when we last looked.
struct Reading<T> {
    table: Arc<Table<T>>,
    version: Version,
    looked: Instant,
    era: u64,
}

/// What tells two versions of a file apart: time of change, size and inode. None: no file.
pub(crate) type Version = Option<(i64, u64, i64, u64, i64, u64)>;

impl<T: Record> Database<T> {
    fn find(&self, root: &Root, key: Key<'_>, era: u64) -> Result<Option<T>> {
        if let Some(found) = self.believed(key, era) {
            return Ok(Some(found));
        }
        let (table, version) = self.refresh(root, era)?;
        match table.find(key) {
            Some(found) => Ok(Some(found.clone())),
            None if root.under().is_some() => Ok(None),
            None => Ok(self.elsewhere.find(key, version)),
        }
    }

    fn all(&self, root: &Root, era: u64) -> Result<Vec<T>> {
        let (table, _) = self.refresh(root, era)?;
        Ok(table.distinct().cloned().collect())
    }

    /// An answer that costs no system call.
    fn believed(&self, key: Key<'_>, era: u64) -> Option<T> {
        let latest = self.latest.read().unwrap_or_else(PoisonError::into_inner);
        let reading = latest.as_ref()?;
        let fresh = reading.era == era && reading.looked.elapsed() < BELIEVED;
        fresh.then(|| reading.table.find(key).cloned()).flatten()
    }

    /// Looks at the file, and reads it if it changed.
    fn refresh(&self, root: &Root, era: u64) -> Result<(Arc<Table<T>>, Version)> {
        let path = Path::new("/etc").join(T::DATABASE);
        let looked = Instant::now();
        let version = version(root, &path)?;
        let mut latest = self.latest.write().unwrap_or_else(PoisonError::into_inner);
        let table = match latest.as_ref().filter(|reading| reading.version == version) {
            Some(reading) => Arc::clone(&reading.table),
            None => Arc::new(read(root, &path, version)?),
        };
        *latest = Some(Reading { table: Arc::clone(&table), version, looked, era });
        Ok((table, version))
    }
}

fn version(root: &Root, path: &Path) -> Result<Version> {
    let stat = root.follow(path, OFlags::PATH).and_then(|file| calls::fstat(&file));
    match stat {
        Ok(stat) => Ok(Some(stamp(&stat))),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(Error::io("look at", path, errno.into())),
    }
}

fn stamp(stat: &Stat) -> (i64, u64, i64, u64, i64, u64) {
    (stat.st_mtime, stat.st_mtime_nsec, stat.st_ctime, stat.st_ctime_nsec, stat.st_size, stat.st_ino)
}

fn read<T: Record>(root: &Root, path: &Path, version: Version) -> Result<Table<T>> {
    match version {
        None => Ok(Table::default()),
        Some(_) => Ok(Table::parse(&look::read_followed(root, path)?)),
    }
}
