//! What is wrong with one property, before it is known where it was written.

use std::fmt;

use crate::value::Value;

/// What sort of problem it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProblemSort {
    /// The value breaks a rule.
    #[default]
    Invalid,
    /// There is no such property.
    Unknown,
    /// It has to be set.
    Missing,
    /// It should no longer be used.
    Deprecated,
}

/// A property that cannot be taken as it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What sort of problem it is.
    pub sort: ProblemSort,
    /// The property, with its path inside nested values: `env.PATH`, `ports[2]`.
    pub property: String,
    /// The value that was refused, if there is one; secrets hide themselves.
    pub value: Option<Value>,
    /// The rule that it breaks.
    pub rule: String,
    /// What to write instead.
    pub fix: String,
}

impl Problem {
    /// `rule` is broken; the property's name is added on the way up.
    pub fn new(value: Option<&Value>, rule: impl Into<String>, fix: impl Into<String>) -> Self {
        let sort = ProblemSort::default();
        Self { sort, property: String::new(), value: value.cloned(), rule: rule.into(), fix: fix.into() }
    }

    /// The same, of this sort.
    #[must_use]
    pub fn sort(self, sort: ProblemSort) -> Self {
        Self { sort, ..self }
    }

    /// The same, found inside `outer`.
    #[must_use]
    pub fn inside(mut self, outer: &str) -> Self {
        let joint = if self.property.is_empty() || self.property.starts_with('[') { "" } else { "." };
        self.property = format!("{outer}{joint}{}", self.property);
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.property)?;
        if let Some(value) = &self.value {
            write!(f, " = {value}")?;
        }
        write!(f, " {}; {}", self.rule, self.fix)
    }
}

impl std::error::Error for Problem {}
