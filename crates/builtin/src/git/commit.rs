//! Commits.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// A commit ID: 40 hexadecimal digits, or 64 in repositories that use SHA-256.
#[derive(Clone)]
pub struct Commit {
    id: String,
    /// Whether a revision was resolved to it, rather than the user naming it.
    found: bool,
}

impl Commit {
    /// Parses a full ID; none if it is abbreviated or invalid.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        whole.then(|| Self { id: text.to_ascii_lowercase(), found: false })
    }

    /// Git's ID for no commit: nothing is checked out yet.
    pub(crate) fn none() -> Self {
        Self { id: "0".repeat(40), found: false }
    }

    /// The same commit, resolved from a revision.
    pub(crate) fn found(self) -> Self {
        Self { found: true, ..self }
    }

    /// Whether the user named this commit.
    pub(crate) fn is_chosen(&self) -> bool {
        !self.found
    }

    /// The ID.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

/// How it was found does not matter for equality.
impl PartialEq for Commit {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Commit {}

impl Property for Commit {
    const TYPE: &'static Type = &Type::Named {
        name: "commit",
        doc: "a commit ID: 40 hexadecimal digits",
        example: r#""4b825dc642cb6eb9a060e54bf8d69288fbee4904""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let found = match value {
            Value::Text(text) => Commit::parse(text),
            _ => None,
        };
        found
            .ok_or_else(|| Problem::new(Some(value), "is not a commit ID", "write all 40 hexadecimal digits"))
    }

    fn to_value(&self) -> Value {
        Value::text(self.id.as_str())
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}

impl fmt::Debug for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}
