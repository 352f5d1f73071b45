//! State properties: what the user may want.

use crate::property::{Base, Property};

/// A state property. Unset means *keep what is there*; it is not a value, and nothing ever turns
/// a default into something that was set.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Want<T> {
    /// The user said nothing.
    #[default]
    Unset,
    /// The user wants this.
    Set(T),
}

impl<T> Want<T> {
    /// Whether the user set it.
    pub fn is_set(&self) -> bool {
        matches!(self, Want::Set(_))
    }

    /// Wants this.
    pub fn of(value: impl Into<T>) -> Self {
        Want::Set(value.into())
    }

    /// What the user set.
    pub fn get(&self) -> Option<&T> {
        match self {
            Want::Unset => None,
            Want::Set(value) => Some(value),
        }
    }
}

impl<T: Property> Want<T> {
    /// What the user set, else what is there.
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

/// A state property that has to change.
#[derive(Clone, Debug, PartialEq)]
pub struct Delta<T> {
    /// What is there.
    pub from: T,
    /// What should be there.
    pub to: T,
}
