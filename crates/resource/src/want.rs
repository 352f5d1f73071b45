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
    /// This value if the resource is created; an existing one is not compared. Only `prepare` makes it.
    OnCreate(T),
}

impl<T> Want<T> {
    /// Whether it is compared, because the user or `prepare` set it.
    pub fn is_set(&self) -> bool {
        matches!(self, Want::Set(_))
    }

    /// A property that is set to `value`.
    pub fn of(value: impl Into<T>) -> Self {
        Want::Set(value.into())
    }

    /// The declared value, also if it is only for a new resource.
    pub fn get(&self) -> Option<&T> {
        match self {
            Want::Unset => None,
            Want::Set(value) | Want::OnCreate(value) => Some(value),
        }
    }
}

impl<T: Property> Want<T> {
    /// The declared value, else the current one.
    pub fn goal(&self, current: Option<&T>) -> Option<T> {
        match self {
            Want::Unset => current.cloned(),
            Want::Set(wish) => Some(wish.settle(current)),
            Want::OnCreate(wish) => Some(current.cloned().unwrap_or_else(|| wish.settle(None))),
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
