//! Exports: values that a resource provides and other resources can refer to.

use std::fmt;
use std::marker::PhantomData;
use uphold_model::Mutex;

/// An export. `load` puts its value into the state; the user cannot set it. Takes no memory.
pub struct Seen<T>(PhantomData<fn() -> T>);

impl<T> Seen<T> {
    /// Always `None`: only `load` knows the value.
    #[doc(hidden)]
    pub fn get(&self) -> Option<T> {
        None
    }

    /// False: `load` fills it.
    #[doc(hidden)]
    pub fn is_produced(&self) -> bool {
        false
    }
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

/// An export that only `apply` can know, such as the output of a command. `apply` stores it here, and the `load` that
/// follows reads it and puts it into the state.
#[derive(Debug)]
pub struct Produced<T> {
    value: Mutex<Option<Box<T>>>,
}

impl<T: Clone> Produced<T> {
    /// Stores the value for the `load` that follows.
    pub fn set(&self, value: T) {
        *self.value.lock() = Some(Box::new(value));
    }

    /// The value that `apply` stored in this visit, if any.
    pub fn get(&self) -> Option<T> {
        self.value.lock().as_deref().cloned()
    }

    /// True: `apply` fills it.
    #[doc(hidden)]
    pub fn is_produced(&self) -> bool {
        true
    }
}

impl<T> Default for Produced<T> {
    fn default() -> Self {
        Self { value: Mutex::new(None) }
    }
}

/// A clone is empty.
impl<T> Clone for Produced<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}
