//! What was made of files, kept for as long as they stay as they are.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::{Entry, Reading};
use crate::error::Result;

/// A file that changed less than this ago may change again within the same tick of the kernel's
/// clock, and look as it did: what was made of it is not kept.
const TICK: Duration = Duration::from_millis(20);

/// What is made of a whole file, such as the table in a database of accounts.
pub trait Parsed: Send + Sync + Sized + 'static {
    /// Reads the content of the file.
    ///
    /// # Errors
    /// If it cannot be understood. Whoever asked is told, with the path.
    fn parse(content: &[u8]) -> Result<Self>;
}

/// What was made of files. Many resources that look at one file read it once, and again only when it
/// changed. Each machine has one: see [`Reading::parsed`].
#[derive(Default)]
pub struct ParseCache {
    kept: Mutex<HashMap<(TypeId, PathBuf), Note>>,
}

#[derive(Clone)]
struct Note {
    versions: Versions,
    made: Arc<dyn Any + Send + Sync>,
}

/// The version of each path that counts; none where nothing is.
type Versions = Vec<Option<Version>>;

/// What tells two versions of a file apart.
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

    /// Whether a later version is sure to look different.
    fn is_settled(&self, now: SystemTime) -> bool {
        now.duration_since(self.changed.max(self.modified)).is_ok_and(|age| age > TICK)
    }
}

impl ParseCache {
    fn find<T: Send + Sync + 'static>(&self, path: &Path, versions: &Versions) -> Option<Arc<T>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let note = kept.get(&(TypeId::of::<T>(), path.to_owned())).filter(|note| note.versions == *versions);
        note.and_then(|note| Arc::clone(&note.made).downcast().ok())
    }

    fn keep<T: Send + Sync + 'static>(&self, path: &Path, versions: Versions, made: &Arc<T>) {
        let made: Arc<dyn Any + Send + Sync> = Arc::<T>::clone(made);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert((TypeId::of::<T>(), path.to_owned()), Note { versions, made });
    }
}

impl Reading<'_> {
    /// What `T` makes of the regular file at `path`; none if nothing is there. The file is read only
    /// if it changed since it was last asked for, by whomever: otherwise this costs one look.
    ///
    /// # Errors
    /// If it cannot be read, or `T` cannot make anything of it.
    pub fn parsed<T: Parsed>(&self, path: &Path) -> Result<Option<Arc<T>>> {
        let Some(entry) = self.files().look(path)? else { return Ok(None) };
        let versions = vec![Some(Version::of(&entry))];
        if let Some(made) = self.machine.parsed.find(path, &versions) {
            return Ok(Some(made));
        }
        let looked = self.clock().now();
        let content = self.files().read(path, entry.size)?;
        let made = T::parse(&content).map_err(|error| error.while_(format!("reading {}", path.display())))?;
        let made = Arc::new(made);
        if are_settled(&versions, looked) {
            self.machine.parsed.keep(path, versions, &made);
        }
        Ok(Some(made))
    }

    /// What `make` finds out by a slow look, such as a probe, that only depends on what is at `paths`:
    /// asked again only if one of them came, went or changed since, by whomever. `T` and the first
    /// path tell notes apart. Costs a look at each path.
    ///
    /// # Errors
    /// If a path cannot be looked at, or `make` fails.
    pub fn noted<T, P>(&self, paths: &[P], make: impl FnOnce() -> Result<T>) -> Result<Arc<T>>
    where
        T: Send + Sync + 'static,
        P: AsRef<Path>,
    {
        let look = |path: &P| Ok(self.files().look(path.as_ref())?.as_ref().map(Version::of));
        let versions: Versions = paths.iter().map(look).collect::<Result<_>>()?;
        let name = paths.first().map_or(Path::new(""), AsRef::as_ref);
        if let Some(made) = self.machine.parsed.find(name, &versions) {
            return Ok(made);
        }
        let looked = self.clock().now();
        let made = Arc::new(make()?);
        if are_settled(&versions, looked) {
            self.machine.parsed.keep(name, versions, &made);
        }
        Ok(made)
    }
}

fn are_settled(versions: &Versions, now: SystemTime) -> bool {
    versions.iter().flatten().all(|version| version.is_settled(now))
}
