//! A path in an account: its home directory or its shell.

use std::path::Path;

use uphold_resource::{AbsolutePath, Context, Problem, Property, Type, Value};

/// An absolute path that an account names.
///
/// Unlike other paths it is neither stood on nor watched: an account may name what is not there, and its home directory
/// often is a resource that stands on the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountPath(String);

impl AccountPath {
    /// What is there, whatever it is.
    pub(crate) fn found(path: &str) -> Self {
        Self(path.to_owned())
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn as_path(&self) -> &Path {
        Path::new(&self.0)
    }
}

impl Property for AccountPath {
    const TYPE: &'static Type = AbsolutePath::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        let path = AbsolutePath::from_value(value, context)?;
        match path.to_str() {
            Some(text) if !text.contains([':', '\n', '\r']) => Ok(Self(text.to_owned())),
            _ => Err(Problem::new(
                Some(value),
                "holds a character that the account databases cannot",
                "write a path without `:` and line breaks",
            )),
        }
    }

    fn to_value(&self) -> Value {
        Value::text(self.0.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let check = |text: &str, expected: Option<&str>| {
            let found = AccountPath::from_value(&Value::text(text), &Context::NOTHING).ok();
            assert_eq!(found.as_ref().map(AccountPath::as_str), expected, "{text}");
        };
        check("/home/ann", Some("/home/ann"));
        check("/home/ann/", Some("/home/ann"));
        check("home", None);
        check("/a:b", None);
        check("/a\nb", None);
    }
}
