//! Differences between the machine and the declared state, by property.

use super::id::Name;
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

/// Why something differs from its declaration: the last apply, compared with the machine and the declaration of now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DifferenceCause {
    /// The declaration is new, or the kind changed its rules.
    New,
    /// The machine was changed outside Uphold.
    Drift,
    /// Both.
    Both,
    /// The last apply is not known: it is the first run, or the journal was lost.
    #[default]
    Unknown,
}

impl DifferenceCause {
    /// The word for records and messages; none if it is unknown.
    pub fn word(self) -> Option<&'static str> {
        match self {
            Self::New => Some("new"),
            Self::Drift => Some("drift"),
            Self::Both => Some("both"),
            Self::Unknown => None,
        }
    }

    /// Whether the machine was changed outside Uphold.
    pub fn is_drift(self) -> bool {
        matches!(self, Self::Drift | Self::Both)
    }

    /// The cause of two differences together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Unknown, cause) | (cause, Self::Unknown) => cause,
            (one, other) if one == other => one,
            _ => Self::Both,
        }
    }
}

/// The causes of the differences of a resource.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DifferenceCauses {
    /// The cause of all differences together. A resource can differ by its existence alone.
    pub whole: DifferenceCause,
    /// The cause of each difference, in the same order; empty if all are unknown.
    pub each: Vec<DifferenceCause>,
}

impl DifferenceCauses {
    /// The cause of the difference at `index`.
    pub fn of(&self, index: usize) -> DifferenceCause {
        self.each.get(index).copied().unwrap_or_default()
    }
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

#[cfg(test)]
mod tests {
    use super::DifferenceCause::{Both, Drift, New, Unknown};

    #[test]
    fn causes_of_several_differences_are_joined() {
        for (one, other, expected) in [
            (New, New, New),
            (New, Drift, Both),
            (Unknown, Drift, Drift),
            (Both, Drift, Both),
            (Unknown, Unknown, Unknown),
        ] {
            assert_eq!(one.and(other), expected);
            assert_eq!(other.and(one), expected);
        }
    }
}
