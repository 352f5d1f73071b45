//! Commits.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The id of a commit: 40 hexadecimal digits, or 64 in repositories that use SHA-256.
#[derive(Clone, PartialEq, Eq)]
pub struct Commit(String);

impl Commit {
    /// The commit of this id; none if it is not written whole.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        whole.then(|| Self(text.to_ascii_lowercase()))
    }

    /// Its id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

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
        Value::text(self.0.as_str())
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
