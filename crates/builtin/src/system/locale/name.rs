//! Names of locales.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// Those that every system has.
const ALWAYS: [&str; 3] = ["C", "POSIX", "C.utf8"];

/// A locale by its name: `de_AT.UTF-8`. How its encoding is spelt does not count.
#[derive(Clone, Debug)]
pub struct LocaleName(String);

impl LocaleName {
    /// As it was found, be it as it may.
    pub(super) fn found(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// As the C library lists it: `de_AT.utf8`.
    pub(super) fn normal(&self) -> String {
        let (name, modifier) = match self.0.split_once('@') {
            Some((name, modifier)) => (name, format!("@{modifier}")),
            None => (self.0.as_str(), String::new()),
        };
        match name.split_once('.') {
            Some((language, encoding)) => {
                let encoding = encoding.to_ascii_lowercase().replace('-', "");
                format!("{language}.{encoding}{modifier}")
            }
            None => format!("{name}{modifier}"),
        }
    }

    /// Whether every system has it, without anybody making it.
    pub(super) fn is_always_there(&self) -> bool {
        ALWAYS.contains(&self.normal().as_str())
    }
}

impl PartialEq for LocaleName {
    fn eq(&self, other: &Self) -> bool {
        self.normal() == other.normal()
    }
}

impl Eq for LocaleName {}

impl fmt::Display for LocaleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Property for LocaleName {
    const TYPE: &'static Type =
        &Type::Named { name: "locale", doc: "a locale by its name", example: r#""de_AT.UTF-8""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_.@-".contains(c);
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_letter) {
            return Ok(Self(text));
        }
        let fix = "write it as in \"de_AT.UTF-8\" or \"C.UTF-8\"";
        Err(Problem::new(Some(value), "is not the name of a locale", fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spelling_of_an_encoding_does_not_count() {
        let check = |one: &str, other: &str, equal: bool| {
            assert_eq!(LocaleName::found(one) == LocaleName::found(other), equal, "{one} {other}");
        };
        check("de_AT.UTF-8", "de_AT.utf8", true);
        check("de_AT.ISO-8859-1", "de_AT.iso88591", true);
        check("de_AT.UTF-8@euro", "de_AT.utf8@euro", true);
        check("de_AT", "de_AT.UTF-8", false);
        check("de_AT.UTF-8", "de_DE.UTF-8", false);
        assert!(LocaleName::found("C.UTF-8").is_always_there());
        assert!(!LocaleName::found("de_AT.UTF-8").is_always_there());
    }
}
