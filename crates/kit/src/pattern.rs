//! Regular expressions as a property.

use std::fmt;

use regex_lite::Regex;
use uphold_resource::{Context, Problem, Property, Type, Value};

use crate::document::Document;

/// A regular expression, matched against one line at a time.
#[derive(Clone)]
pub struct Pattern(Regex);

impl Pattern {
    /// The source of the expression.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it matches this line. Invalid UTF-8 matches as the replacement character.
    pub fn matches(&self, line: &[u8]) -> bool {
        self.0.is_match(&String::from_utf8_lossy(line))
    }

    /// Whether it matches any line of this text. Line endings are not part of the lines.
    pub fn matches_any(&self, text: &[u8]) -> bool {
        Document::new(text).lines().any(|line| self.matches(line))
    }
}

impl Property for Pattern {
    const TYPE: &'static Type = &Type::Named {
        name: "pattern",
        doc: "a regular expression, matched against one line at a time",
        example: r#""^Port ""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let Value::Text(text) = value else {
            return Err(Problem::new(Some(value), "must be a regular expression", "put it in quotes"));
        };
        Regex::new(text).map(Pattern).map_err(|error| {
            let rule = format!("is not a regular expression: {error}");
            Problem::new(
                Some(value),
                rule,
                r"fix the expression; write `\` before a special character to match it literally",
            )
        })
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

/// Patterns are equal if their sources are.
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
