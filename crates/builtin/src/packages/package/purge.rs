//! The property `purge` of a package.

use uphold_resource::{Context, Problem, Property, Type, Value};

/// Whether removal also removes configuration: `true.into()` or `false.into()`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Purge {
    is_set: bool,
    /// Whether the package must be installed: then remaining configuration counts as not installed.
    converging: bool,
}

impl Purge {
    pub(crate) fn is_set(self) -> bool {
        self.is_set
    }

    pub(crate) fn is_converging(self) -> bool {
        self.converging
    }

    /// Records that the package must be installed.
    pub(crate) fn note_converging(&mut self) {
        self.converging = true;
    }
}

impl Property for Purge {
    const TYPE: &'static Type = bool::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        bool::from_value(value, context).map(Self::from)
    }

    fn to_value(&self) -> Value {
        self.is_set.to_value()
    }
}

impl From<bool> for Purge {
    fn from(is_set: bool) -> Self {
        Self { is_set, converging: false }
    }
}

/// `converging` is not part of the value.
impl PartialEq for Purge {
    fn eq(&self, other: &Self) -> bool {
        self.is_set == other.is_set
    }
}
