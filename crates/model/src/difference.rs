//! How a machine differs from what was asked, property by property.

use crate::id::Name;
use crate::value::Value;

/// One property that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The property; a path such as `file.mode` when it is an embedded one.
    pub property: Name,
    /// What is there now.
    pub from: Side,
    /// What should be there.
    pub to: Side,
}

/// One side of a difference.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// There is nothing: the thing is created, or removed.
    Absent,
    /// This value.
    Value(Value),
    /// This value, which nobody asked for: the kind's create default.
    Default(Value),
}

impl Side {
    /// The value, if there is one.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Side::Absent => None,
            Side::Value(value) | Side::Default(value) => Some(value),
        }
    }

    /// The same side as a secret.
    #[must_use]
    pub fn sensitive(self) -> Self {
        match self {
            Side::Absent => Side::Absent,
            Side::Value(value) => Side::Value(value.sensitive()),
            Side::Default(value) => Side::Default(value.sensitive()),
        }
    }
}

impl Difference {
    /// The same, with both sides hidden.
    #[must_use]
    pub fn sensitive(self) -> Self {
        Self { property: self.property, from: self.from.sensitive(), to: self.to.sensitive() }
    }

    /// Whether either side holds a secret.
    pub fn is_sensitive(&self) -> bool {
        [&self.from, &self.to].iter().any(|side| side.value().is_some_and(Value::is_sensitive))
    }
}
