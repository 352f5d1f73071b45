//! The path of an account's home directory or shell.

use std::path::Path;

use uphold_resource::{AbsolutePath, Context, Problem, Property, Type, Value};

/// An absolute path in an account entry.
///
/// Unlike other paths it is neither a dependency nor watched: an account may name a path that does not exist, and
/// its home directory is often a resource that depends on the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountPath(String);

impl AccountPath {
    /// A path read from the database, valid or not.
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
                "contains a character that the account databases cannot store",
                "use a path without `:` and line breaks",
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
