//! What was read, by path.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use uphold_resource::Result;

use crate::known::Known;

/// Things that are read once each. Only those who ask for the same one wait for each other.
pub(super) struct Kept<T>(Mutex<HashMap<PathBuf, Arc<Known<T>>>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// Whether it was asked for before.
    pub(super) fn has(&self, path: &Path) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(path)
    }

    /// What `find` found for `path` when it was first asked for, as `show` shows it.
    pub(super) fn get<R>(
        &self,
        path: &Path,
        find: impl FnOnce() -> Result<T>,
        show: impl FnOnce(&T) -> R,
    ) -> Result<R> {
        let known = {
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match kept.get(path) {
                Some(known) => Arc::clone(known),
                None => Arc::clone(kept.entry(path.to_owned()).or_default()),
            }
        };
        known.get(find).map(show)
    }
}
