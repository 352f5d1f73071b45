//! State that is loaded only if it is needed.

/// The current value of a property with `#[load(…)]`. `load` leaves it unread, and its own function loads it if the
/// property is set or enforced, or if another resource reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lazy<T>(Option<T>);

impl<T> Lazy<T> {
    /// A value that was not loaded.
    pub const UNREAD: Self = Self(None);

    /// The value, if it was loaded.
    pub fn get(&self) -> Option<&T> {
        self.0.as_ref()
    }
}

/// A value that `load` got without further cost.
impl<T> From<T> for Lazy<T> {
    fn from(value: T) -> Self {
        Self(Some(value))
    }
}
