//! Exports: what is found by looking, for others to refer to.

use std::sync::{Mutex, PoisonError};

/// An export. `load` puts its value into the state; the user cannot set it.
///
/// What only `apply` can know, such as the output of a command, is told here by `apply`, and the
/// `load` that follows finds it again.
#[derive(Debug)]
pub struct Seen<T> {
    told: Mutex<Option<Box<T>>>,
}

impl<T: Clone> Seen<T> {
    /// Keeps a value for the `load` that follows.
    pub fn tell(&self, value: T) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(value));
    }

    /// What `apply` told in this visit, if it did.
    pub fn told(&self) -> Option<T> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).as_deref().cloned()
    }

    /// A new visit begins.
    #[doc(hidden)]
    pub fn forget(&self) {
        *self.told.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self { told: Mutex::new(None) }
    }
}

/// A copy has been told nothing yet.
impl<T> Clone for Seen<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
