//! State properties.

use super::property::{Base, Property};

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

// The result of `prepare`: how the wishes of one visit differ from the declaration.

/// The wish for one state property in this visit. `#[derive(Resource)]` generates a struct of them, whose default is
/// the declaration.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Wish<T> {
    /// As declared.
    #[default]
    Declared,
    /// This value.
    Set(T),
    /// No wish: keep the current value.
    Unset,
    /// The declared value if the resource is created; otherwise keep the current one.
    OnCreate,
}

impl<T> Wish<T> {
    /// Whether the declaration holds.
    pub fn is_declared(&self) -> bool {
        matches!(self, Self::Declared)
    }
}

impl<T: Clone> Wish<T> {
    /// The property with this wish.
    #[doc(hidden)]
    pub fn on(self, declared: &Want<T>) -> Want<T> {
        match (self, declared) {
            (Self::Declared, declared) => declared.clone(),
            (Self::Set(value), _) => Want::Set(value),
            (Self::OnCreate, Want::Set(value) | Want::OnCreate(value)) => Want::OnCreate(value.clone()),
            (Self::Unset, _) | (Self::OnCreate, Want::Unset) => Want::Unset,
        }
    }
}

impl<T> From<T> for Wish<T> {
    fn from(value: T) -> Self {
        Self::Set(value)
    }
}
