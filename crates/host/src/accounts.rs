//! Users and groups, read from their files.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, Stat};
use rustix::io::Errno;
use uphold_resource::{Command, Group, Mutex, Result, Stop, User, is_private_group};

use crate::account_table::{AccountTable, Key, Record};
use crate::root::Root;
use crate::{calls, clock, look};

use super::io_error::io_error;
use super::process;

/// How long a file is assumed to be unchanged after a check, by a coarse clock, for names that it contains. Missing names are
/// always checked again, and Uphold's own changes take effect immediately.
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
    checked: Duration,
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
        let fresh = snapshot.generation == generation
            && clock::coarse().saturating_sub(snapshot.checked) < RECHECK_AFTER;
        fresh.then(|| snapshot.table.find(key).cloned()).flatten()
    }

    /// Checks the file, and reads it if it changed.
    fn refresh(&self, root: &Root, generation: u64) -> Result<(Arc<AccountTable<T>>, Version)> {
        let path = Path::new("/etc").join(T::DATABASE);
        let checked = clock::coarse();
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

// Accounts of other name services: a directory server's, or those of an init system.

/// The timeout of `getent`: a directory server that is down must not block a run for long.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How long results are cached. No file shows when they change.
const CACHED_FOR: Duration = Duration::from_secs(60);

/// A cache of `getent` results, valid until the account file changes or a minute has passed.
pub(crate) struct NameService<T> {
    cache: Mutex<Cache<T>>,
}

struct Cache<T> {
    version: Version,
    since: Option<Instant>,
    known: HashMap<String, Option<T>>,
}

impl<T> Default for NameService<T> {
    fn default() -> Self {
        Self { cache: Mutex::new(Cache { version: None, since: None, known: HashMap::new() }) }
    }
}

impl<T: Record> NameService<T> {
    /// Runs `getent` once for each key. `version` is the account file's.
    pub(crate) fn find(&self, key: Key<'_>, version: Version) -> Option<T> {
        let word = search_word(key)?;
        let mut cache = self.cache.lock();
        let stale = cache.since.is_none_or(|since| since.elapsed() > CACHED_FOR);
        if stale || cache.version != version {
            *cache = Cache { version, since: Some(Instant::now()), known: HashMap::new() };
        }
        let record = cache.known.entry(word).or_insert_with_key(|word| ask(word));
        record.clone().filter(|record| matches(record, key))
    }
}

/// The argument for `getent`. It takes a number for an id, so a name of digits cannot be looked up.
fn search_word(key: Key<'_>) -> Option<String> {
    match key {
        Key::Id(id) => Some(id.to_string()),
        Key::Name(name) => {
            let number = name.bytes().all(|byte| byte.is_ascii_digit());
            let odd = name.starts_with('-') || name.contains([':', '\n', '\0']);
            (!number && !odd).then(|| name.to_owned())
        }
    }
}

/// Runs `getent`. A missing program, no result and an invalid result all mean that the name does not exist.
fn ask<T: Record>(word: &str) -> Option<T> {
    let mut command = Command::new("getent", [T::DATABASE, word]);
    command.timeout = Some(TIMEOUT);
    let output = process::run(&Root::machine(), &command, &Stop::default())
        .ok()
        .filter(uphold_resource::Output::success)?;
    T::parse(String::from_utf8_lossy(&output.stdout).lines().next()?)
}

fn matches<T: Record>(record: &T, key: Key<'_>) -> bool {
    match key {
        Key::Id(id) => record.id() == id,
        Key::Name(name) => record.name() == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_getent_accepts() {
        let check = |key: Key<'_>, expected: Option<&str>| assert_eq!(search_word(key).as_deref(), expected);
        check(Key::Id(7), Some("7"));
        check(Key::Name("ann"), Some("ann"));
        check(Key::Name("7up"), Some("7up"));
        check(Key::Name("7"), None);
        check(Key::Name(""), None);
        check(Key::Name("-s"), None);
        check(Key::Name("a:b"), None);
        check(Key::Name("a\nb"), None);
    }
}
