//! The result of `prepare`: how the wishes of one visit differ from the declaration.

use crate::want::Want;

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
    #[doc(hidden)]
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
