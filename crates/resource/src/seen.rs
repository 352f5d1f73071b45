//! Exports: what is found by looking, for others to refer to.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Mutex, PoisonError};

/// An export. `load` puts its value into the state; the user cannot set it. Costs no memory.
pub struct Seen<T>(PhantomData<fn() -> T>);

impl<T> Seen<T> {
    /// Nothing but `load` can tell.
    #[doc(hidden)]
    pub fn told(&self) -> Option<T> {
        None
    }

    /// A new visit begins.
    #[doc(hidden)]
    pub fn forget(&self) {}
}

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<T> Clone for Seen<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl<T> fmt::Debug for Seen<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seen")
    }
}

/// An export that only `apply` can know, such as the output of a command: it is told here by `apply`, and the `load` that
/// follows finds it again and puts it into the state.
#[derive(Debug)]
pub struct Told<T> {
    told: Mutex<Option<Box<T>>>,
}

impl<T: Clone> Told<T> {
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

impl<T> Default for Told<T> {
    fn default() -> Self {
        Self { told: Mutex::new(None) }
    }
}

/// A copy has been told nothing yet.
impl<T> Clone for Told<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
