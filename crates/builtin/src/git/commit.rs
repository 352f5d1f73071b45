//! Commits.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The id of a commit: 40 hexadecimal digits, or 64 in repositories that use SHA-256.
#[derive(Clone)]
pub struct Commit {
    id: String,
    /// Whether a revision led to it, rather than the user.
    found: bool,
}

impl Commit {
    /// The commit of this id; none if it is not written whole.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        whole.then(|| Self { id: text.to_ascii_lowercase(), found: false })
    }

    /// Git's id for no commit at all: where nothing is checked out yet.
    pub(crate) fn none() -> Self {
        Self { id: "0".repeat(40), found: false }
    }

    /// The same, found by what a revision means.
    pub(crate) fn found(self) -> Self {
        Self { found: true, ..self }
    }

    /// Whether the user asked for this very commit.
    pub(crate) fn is_chosen(&self) -> bool {
        !self.found
    }

    /// Its id.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

/// How it was found is no part of it.
impl PartialEq for Commit {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Commit {}

impl Property for Commit {
    const TYPE: &'static Type = &Type::Named {
        name: "commit",
        doc: "the id of a commit: 40 hexadecimal digits",
        example: r#""4b825dc642cb6eb9a060e54bf8d69288fbee4904""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let found = match value {
            Value::Text(text) => Commit::parse(text),
            _ => None,
        };
        found.ok_or_else(|| Problem::new(Some(value), "is not a commit", "write all of its 40 digits"))
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
