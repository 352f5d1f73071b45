//! Regular expressions as a property.

use std::fmt;

use regex_lite::Regex;
use uphold_resource::{Context, Problem, Property, Type, Value};

use super::document::Document;

/// A regular expression, tried on one line at a time.
#[derive(Clone)]
pub struct Pattern(Regex);

impl Pattern {
    /// The expression as it was written.
    pub(crate) fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it is found in this line. Bytes that are not text match as the replacement
    /// character.
    pub(crate) fn matches(&self, line: &[u8]) -> bool {
        self.0.is_match(&String::from_utf8_lossy(line))
    }

    /// Whether it is found in some line of this text. The ends of lines are not part of them.
    pub(crate) fn matches_any(&self, text: &[u8]) -> bool {
        Document::new(text).lines().any(|line| self.matches(line))
    }
}

impl Property for Pattern {
    const TYPE: &'static Type = &Type::Named {
        name: "pattern",
        doc: "a regular expression, tried on one line at a time",
        example: r#""^Port ""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let Value::Text(text) = value else {
            return Err(Problem::new(Some(value), "must be a regular expression", "put it in quotes"));
        };
        Regex::new(text).map(Pattern).map_err(|error| {
            let rule = format!("is not a regular expression: {error}");
            Problem::new(Some(value), rule, r"mend it; a `\` before a special character takes it literally")
        })
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

/// Two patterns are equal if they are written alike.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0.as_str(), f)
    }
}
