//! A cache of parsed files.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_model::Mutex;

use super::{Entry, Reading};
use crate::error::Result;

/// The resolution of file times. A file that changed less than this ago may change again without a new time, so its
/// parsed form is not cached.
const TICK: Duration = Duration::from_millis(20);

/// The parsed form of a whole file, such as the table of an account database.
pub trait Parsed: Send + Sync + Sized + 'static {
    /// Parses the content of the file.
    ///
    /// # Errors
    /// If the content is invalid. The caller adds the path.
    fn parse(content: &[u8]) -> Result<Self>;
}

/// Parsed files. Resources that use the same file read it once, and again only after a change. Each machine has one
/// cache: see [`Reading::parsed`].
#[derive(Default)]
pub struct ParseCache {
    entries: Mutex<HashMap<(TypeId, PathBuf), CacheEntry>>,
}

#[derive(Clone)]
struct CacheEntry {
    versions: Versions,
    value: Arc<dyn Any + Send + Sync>,
}

/// The version of each path that the value depends on; `None` for a path that does not exist.
type Versions = Vec<Option<Version>>;

/// The attributes that distinguish two versions of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Version {
    identity: (u64, u64),
    size: u64,
    modified: SystemTime,
    changed: SystemTime,
}

impl Version {
    fn of(entry: &Entry) -> Self {
        let Entry { identity, size, modified, changed, .. } = *entry;
        Self { identity, size, modified, changed }
    }

    /// Whether every later version is sure to have other attributes.
    fn is_settled(&self, now: SystemTime) -> bool {
        now.duration_since(self.changed.max(self.modified)).is_ok_and(|age| age > TICK)
    }
}

impl ParseCache {
    fn find<T: Send + Sync + 'static>(&self, path: &Path, versions: &Versions) -> Option<Arc<T>> {
        let entries = self.entries.lock();
        let entry = entries.get(&(TypeId::of::<T>(), path.to_owned()));
        let entry = entry.filter(|entry| entry.versions == *versions);
        entry.and_then(|entry| Arc::clone(&entry.value).downcast().ok())
    }

    fn insert<T: Send + Sync + 'static>(&self, path: &Path, versions: Versions, value: &Arc<T>) {
        let value: Arc<dyn Any + Send + Sync> = Arc::<T>::clone(value);
        self.entries.lock().insert((TypeId::of::<T>(), path.to_owned()), CacheEntry { versions, value });
    }
}

impl Reading<'_> {
    /// The regular file at `path` parsed as `T`; `None` if it does not exist. The file is read only if it changed since any
    /// resource last asked for it; otherwise this costs one `look`.
    ///
    /// # Errors
    /// If the file cannot be read, or `T` cannot parse it.
    pub fn parsed<T: Parsed>(&self, path: &Path) -> Result<Option<Arc<T>>> {
        let Some(entry) = self.files().look(path)? else { return Ok(None) };
        let versions = vec![Some(Version::of(&entry))];
        if let Some(value) = self.machine.parsed.find(path, &versions) {
            return Ok(Some(value));
        }
        let looked = self.clock().now();
        let content = self.files().read(path, entry.size)?;
        let value =
            T::parse(&content).map_err(|error| error.while_(format!("reading {}", path.display())))?;
        let value = Arc::new(value);
        if are_settled(&versions, looked) {
            self.machine.parsed.insert(path, versions, &value);
        }
        Ok(Some(value))
    }

    /// The cached result of `make`, a slow operation such as a probe whose result depends only on the files at `paths`. It
    /// runs again only if one of them appeared, vanished or changed since any resource last asked. `T` and the first path
    /// are the key of the cache. Costs one `look` for each path.
    ///
    /// # Errors
    /// If a `look` or `make` fails.
    pub fn noted<T, P>(&self, paths: &[P], make: impl FnOnce() -> Result<T>) -> Result<Arc<T>>
    where
        T: Send + Sync + 'static,
        P: AsRef<Path>,
    {
        let look = |path: &P| Ok(self.files().look(path.as_ref())?.as_ref().map(Version::of));
        let versions: Versions = paths.iter().map(look).collect::<Result<_>>()?;
        let name = paths.first().map_or(Path::new(""), AsRef::as_ref);
        if let Some(value) = self.machine.parsed.find(name, &versions) {
            return Ok(value);
        }
        let looked = self.clock().now();
        let value = Arc::new(make()?);
        if are_settled(&versions, looked) {
            self.machine.parsed.insert(name, versions, &value);
        }
        Ok(value)
    }
}

fn are_settled(versions: &Versions, now: SystemTime) -> bool {
    versions.iter().flatten().all(|version| version.is_settled(now))
}
