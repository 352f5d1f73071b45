//! Exports: what is found by looking, for others to refer to.

use std::sync::{Arc, Mutex, PoisonError};

/// An export. `load` puts its value into the state; the user cannot set it.
///
/// What only `apply` can know, such as the output of a command, is told here by `apply`, and the
/// `load` that follows finds it again.
#[derive(Debug)]
pub struct Seen<T> {
    told: Arc<Mutex<Option<T>>>,
}

impl<T: Clone> Seen<T> {
    /// Keeps a value for the `load` that follows.
    pub fn tell(&self, value: T) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    }

    /// What `apply` told in this run, if it did.
    pub fn told(&self) -> Option<T> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self { told: Arc::default() }
    }
}

impl<T> Clone for Seen<T> {
    fn clone(&self) -> Self {
        Self { told: Arc::clone(&self.told) }
    }
}
