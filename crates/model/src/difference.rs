//! Differences between the machine and the declared state, by property.

use crate::id::Name;
use crate::value::Value;

/// One property that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The property; a path such as `file.mode` for a property of an embedded struct.
    pub property: Name,
    /// The current value.
    pub from: Side,
    /// The declared value.
    pub to: Side,
}

/// One side of a difference.
#[derive(Clone, Debug, PartialEq)]
pub enum Side {
    /// No value: the thing does not exist yet, or is removed.
    Absent,
    /// This value.
    Value(Value),
    /// This value, which the user did not set: the kind's default on creation.
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

    /// Whether either side is a secret.
    pub fn is_sensitive(&self) -> bool {
        [&self.from, &self.to].iter().any(|side| side.value().is_some_and(Value::is_sensitive))
    }
}
