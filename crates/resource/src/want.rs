//! State properties.

use crate::property::{Base, Property};

/// A state property. Unset means *keep the current value*. It is not a value of its own, and a default never counts as set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Want<T> {
    /// Not declared.
    #[default]
    Unset,
    /// Declared with this value.
    Set(T),
}

impl<T> Want<T> {
    /// Whether the user set it.
    pub fn is_set(&self) -> bool {
        matches!(self, Want::Set(_))
    }

    /// A property that is set to `value`.
    pub fn of(value: impl Into<T>) -> Self {
        Want::Set(value.into())
    }

    /// The declared value.
    pub fn get(&self) -> Option<&T> {
        match self {
            Want::Unset => None,
            Want::Set(value) => Some(value),
        }
    }
}

impl<T: Property> Want<T> {
    /// The declared value, else the current one.
    pub fn goal(&self, current: Option<&T>) -> Option<T> {
        match self {
            Want::Unset => current.cloned(),
            Want::Set(wish) => Some(wish.settle(current)),
        }
    }
}

impl<T> From<T> for Want<T> {
    fn from(value: T) -> Self {
        Want::Set(value)
    }
}

impl<T: Base> Base for Want<T> {
    fn base(&self) -> Option<&str> {
        self.get()?.base()
    }
}

/// A change of a state property.
#[derive(Clone, Debug, PartialEq)]
pub struct Delta<T> {
    /// The current value.
    pub from: T,
    /// The desired value.
    pub to: T,
}
