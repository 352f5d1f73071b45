//! A problem with one property, before the property's place is known.

use std::fmt;

use crate::value::{SENSITIVE, Value};

/// The rule that is shown if the real one may contain a secret.
const HIDDEN_RULE: &str = "was refused; the reason is hidden, because the value is sensitive";

/// The kind of a problem.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProblemKind {
    /// The value breaks a rule.
    #[default]
    Invalid,
    /// The property does not exist.
    Unknown,
    /// The property must be set.
    Missing,
    /// The property is deprecated.
    Deprecated,
}

/// A problem with a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The kind of the problem.
    pub sort: ProblemKind,
    /// The property, with its path inside nested values: `env.PATH`, `ports[2]`.
    pub property: String,
    /// The rejected value, if there is one; secrets hide themselves.
    pub value: Option<Value>,
    /// The broken rule.
    pub rule: String,
    /// A hint how to fix it.
    pub fix: String,
    /// Whether the kind's own code computed the rule from the value: then the whole rule is hidden if the value is.
    computed: bool,
    /// Further problems, found in other members of the same value.
    others: Box<[Problem]>,
}

impl Problem {
    /// A broken rule; callers add the property's name with [`Problem::inside`].
    pub fn new(value: Option<&Value>, rule: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            sort: ProblemKind::default(),
            property: String::new(),
            value: value.cloned(),
            rule: rule.into(),
            fix: fix.into(),
            computed: false,
            others: Box::default(),
        }
    }

    /// The problems of several members as one problem; none if there are none.
    pub fn of_members(problems: impl IntoIterator<Item = Problem>) -> Option<Self> {
        let mut problems = problems.into_iter();
        let mut first = problems.next()?;
        first.others = std::mem::take(&mut first.others).into_iter().chain(problems).collect();
        Some(first)
    }

    /// This problem and all that it contains.
    pub fn into_all(mut self) -> Vec<Problem> {
        let others = std::mem::take(&mut self.others);
        std::iter::once(self).chain(others.into_iter().flat_map(Problem::into_all)).collect()
    }

    /// The same, with hidden values.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        if self.computed {
            HIDDEN_RULE.clone_into(&mut self.rule);
        } else if let Some(Value::Text(text)) = &self.value
            && !text.is_empty()
        {
            // A rule may quote the rejected value.
            self.rule = self.rule.replace(&**text, SENSITIVE);
        }
        self.value = self.value.map(Value::sensitive);
        self.others = self.others.into_iter().map(Problem::hidden).collect();
        self
    }

    /// The rejected value, unless the rule already says it, as "cannot be null" does.
    pub fn shown_value(&self) -> Option<&Value> {
        self.value.as_ref().filter(|value| **value != Value::Null)
    }

    /// The same, with a rule that the kind's own code computed, which may contain any part of the value.
    #[must_use]
    pub fn computed(self) -> Self {
        Self { computed: true, ..self }
    }

    /// The same, of this kind.
    #[must_use]
    pub fn sort(self, sort: ProblemKind) -> Self {
        Self { sort, ..self }
    }

    /// The same, found inside `outer`.
    #[must_use]
    pub fn inside(mut self, outer: &str) -> Self {
        let joint = if self.property.is_empty() || self.property.starts_with('[') { "" } else { "." };
        self.property = format!("{outer}{joint}{}", self.property);
        self.others = self.others.into_iter().map(|other| other.inside(outer)).collect();
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.property)?;
        if let Some(value) = self.shown_value() {
            write!(f, " = {value}")?;
        }
        write!(f, " {}; {}", self.rule, self.fix)
    }
}

impl std::error::Error for Problem {}
