//! What is wrong with one property, before it is known where it was written.

use std::fmt;

use crate::value::{SENSITIVE, Value};

/// The rule that is shown if the real one may hold a secret.
const HIDDEN_RULE: &str = "was refused; the reason is hidden, because the value is sensitive";

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
    /// Whether the kind's own code computed the rule from the value: it is hidden as a whole where the value is.
    computed: bool,
    /// More of them, found in other members of the same value.
    others: Box<[Problem]>,
}

impl Problem {
    /// `rule` is broken; the property's name is added on the way up.
    pub fn new(value: Option<&Value>, rule: impl Into<String>, fix: impl Into<String>) -> Self {
        Self {
            sort: ProblemSort::default(),
            property: String::new(),
            value: value.cloned(),
            rule: rule.into(),
            fix: fix.into(),
            computed: false,
            others: Box::default(),
        }
    }

    /// Problems of several members as one of the whole; none if there are none.
    pub fn of_members(problems: impl IntoIterator<Item = Problem>) -> Option<Self> {
        let mut problems = problems.into_iter();
        let mut first = problems.next()?;
        first.others = std::mem::take(&mut first.others).into_iter().chain(problems).collect();
        Some(first)
    }

    /// This one and all that it carries.
    pub fn into_all(mut self) -> Vec<Problem> {
        let others = std::mem::take(&mut self.others);
        std::iter::once(self).chain(others.into_iter().flat_map(Problem::into_all)).collect()
    }

    /// The same, with the values hidden.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        if self.computed {
            HIDDEN_RULE.clone_into(&mut self.rule);
        } else if let Some(Value::Text(text)) = &self.value
            && !text.is_empty()
        {
            // A rule may quote the value that it refuses.
            self.rule = self.rule.replace(&**text, SENSITIVE);
        }
        self.value = self.value.map(Value::sensitive);
        self.others = self.others.into_iter().map(Problem::hidden).collect();
        self
    }

    /// The value that was refused, if it tells more than the rule: "cannot be null" says it already.
    pub fn shown_value(&self) -> Option<&Value> {
        self.value.as_ref().filter(|value| **value != Value::Null)
    }

    /// The same, with a rule that the kind's own code computed: it may hold any part of the value.
    #[must_use]
    pub fn computed(self) -> Self {
        Self { computed: true, ..self }
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
