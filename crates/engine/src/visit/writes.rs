//! The paths that a run writes, and by which resource.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use rustc_hash::FxHashMap;
use uphold_resource::{ErrorKind, Result};

use crate::program::set::ResourceIndex;
use crate::visit::Visits;

/// The writers of each path that was written. A run that changes nothing leaves it empty.
#[derive(Default)]
pub(crate) struct Writes(Mutex<FxHashMap<PathBuf, Writers>>);

/// The last two resources that wrote a path.
#[derive(Clone, Copy)]
pub(crate) struct Writers {
    last: ResourceIndex,
    other: Option<ResourceIndex>,
}

impl Writers {
    fn add(&mut self, by: ResourceIndex) {
        if self.last != by {
            *self = Self { last: by, other: Some(self.last) };
        }
    }

    /// Adds the writers of another path.
    pub(crate) fn join(&mut self, others: Writers) {
        others.other.into_iter().chain([others.last]).for_each(|by| self.add(by));
    }

    /// The last writer besides this resource. The order of two visits at the same time is not known, so one that wrote
    /// before it counts, too.
    pub(crate) fn besides(self, resource: ResourceIndex) -> Option<ResourceIndex> {
        Some(self.last).filter(|last| *last != resource).or(self.other)
    }
}

impl Writes {
    fn note(&self, path: &Path, by: ResourceIndex) {
        let mut writes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match writes.get_mut(path) {
            Some(writers) => writers.add(by),
            None => _ = writes.insert(path.to_owned(), Writers { last: by, other: None }),
        }
    }

    /// All of them up to now.
    pub(crate) fn take(&self) -> FxHashMap<PathBuf, Writers> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// The writes of one visit.
pub(crate) struct NotedWrites<'a> {
    /// The writes of the run, if its end asks for them.
    writes: Option<&'a Writes>,
    by: ResourceIndex,
    failed: AtomicBool,
}

impl<'a> NotedWrites<'a> {
    pub(crate) fn new(visits: &'a Visits<'a>, by: ResourceIndex) -> Self {
        Self { writes: visits.writes.as_ref(), by, failed: AtomicBool::new(false) }
    }

    /// Whether the machine failed to write something. A verification that refuses a new file is no such failure.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Notes the result of a write.
    pub(crate) fn noted<T>(&self, path: &Path, result: Result<T>) -> Result<T> {
        match &result {
            Ok(_) => self.writes.into_iter().for_each(|writes| writes.note(path, self.by)),
            Err(error) if error.kind() == ErrorKind::Rejected => {}
            Err(_) => self.failed.store(true, Ordering::Relaxed),
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_other_writer_is_known() {
        let writes = Writes::default();
        [1, 1, 2, 3].into_iter().for_each(|by| writes.note(Path::new("/a"), by));
        writes.note(Path::new("/b"), 1);
        let all = writes.take();
        let besides = |path: &str, resource| all[Path::new(path)].besides(resource);
        assert_eq!([besides("/a", 1), besides("/a", 3)], [Some(3), Some(2)]);
        assert_eq!([besides("/b", 1), besides("/b", 2)], [None, Some(1)]);
    }
}
