//! Names of locales.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

/// The locales that every system has.
const BUILTIN: [&str; 3] = ["C", "POSIX", "C.utf8"];

/// The name of a locale: `de_AT.UTF-8`. The spelling of its encoding does not matter.
#[derive(Clone, Debug)]
pub struct LocaleName(String);

impl LocaleName {
    /// An existing name, valid or not.
    pub(super) fn found(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The spelling of the C library: `de_AT.utf8`.
    pub(super) fn normalised(&self) -> String {
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

    /// Whether every system has it without generation.
    pub(super) fn is_builtin(&self) -> bool {
        BUILTIN.contains(&self.normalised().as_str())
    }
}

impl PartialEq for LocaleName {
    fn eq(&self, other: &Self) -> bool {
        self.normalised() == other.normalised()
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
        &Type::Named { name: "locale", doc: "the name of a locale", example: r#""de_AT.UTF-8""# };

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let text = String::from_value(value, context)?;
        let is_letter = |c: char| c.is_ascii_alphanumeric() || "_.@-".contains(c);
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) && text.chars().all(is_letter) {
            return Ok(Self(text));
        }
        let fix = "use a name such as \"de_AT.UTF-8\" or \"C.UTF-8\"";
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
    fn ignores_the_spelling_of_an_encoding() {
        let check = |one: &str, other: &str, equal: bool| {
            assert_eq!(LocaleName::found(one) == LocaleName::found(other), equal, "{one} {other}");
        };
        check("de_AT.UTF-8", "de_AT.utf8", true);
        check("de_AT.ISO-8859-1", "de_AT.iso88591", true);
        check("de_AT.UTF-8@euro", "de_AT.utf8@euro", true);
        check("de_AT", "de_AT.UTF-8", false);
        check("de_AT.UTF-8", "de_DE.UTF-8", false);
        assert!(LocaleName::found("C.UTF-8").is_builtin());
        assert!(!LocaleName::found("de_AT.UTF-8").is_builtin());
    }
}
