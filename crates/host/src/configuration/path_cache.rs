//! A cache by path.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use uphold_resource::{Mutex, Result};

use crate::cached_result::CachedResult;

/// Results that are computed once for each path. Only callers with the same path wait for each other.
pub(super) struct PathCache<T>(Mutex<HashMap<PathBuf, Arc<CachedResult<T>>>>);

impl<T> Default for PathCache<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> PathCache<T> {
    /// Whether this path was requested before.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.0.lock().contains_key(path)
    }

    /// The result of the first `find` for `path`, passed through `show`.
    pub(super) fn get<R>(
        &self,
        path: &Path,
        find: impl FnOnce() -> Result<T>,
        show: impl FnOnce(&T) -> R,
    ) -> Result<R> {
        let result = {
            let mut results = self.0.lock();
            match results.get(path) {
                Some(result) => Arc::clone(result),
                None => Arc::clone(results.entry(path.to_owned()).or_default()),
            }
        };
        result.get(find).map(show)
    }
}
