//! A key that somebody logs in with, as a `.pub` file says it.

use uphold_resource::{Context, Problem, Property, Type, Value};

use crate::public_key::PublicKey;

/// A public key and what is written behind it. What the key is follows from the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginKey {
    key: PublicKey,
    comment: Option<String>,
}

impl LoginKey {
    /// Its type, such as `ssh-ed25519`.
    pub(super) fn kind(&self) -> &str {
        self.key.kind()
    }

    /// What makes it this key and no other.
    pub(super) fn body(&self) -> &str {
        self.key.body()
    }

    /// What people tell it apart by.
    pub(super) fn fingerprint(&self) -> String {
        self.key.fingerprint()
    }

    /// What was written behind it.
    pub(super) fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.contains(['\n', '\r', '\0']) {
            return Err("it is more than one line");
        }
        let key = PublicKey::parse(text)?;
        let behind = text.split_once(key.body()).map(|(_, behind)| behind.trim());
        let comment = behind.filter(|comment| !comment.is_empty()).map(str::to_owned);
        Ok(Self { key, comment })
    }
}

impl Property for LoginKey {
    const TYPE: &'static Type = PublicKey::TYPE;

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let parsed = match value {
            Value::Text(text) => Self::parse(text),
            _ => Err("it is no text"),
        };
        parsed.map_err(|why| {
            let fix = "write what the `.pub` file says: type, key and comment; options go to `options`";
            Problem::new(Some(value), format!("is not a public key: {why}"), fix)
        })
    }

    fn to_value(&self) -> Value {
        let comment = self.comment.iter().map(|comment| format!(" {comment}"));
        Value::text([self.key.to_string()].into_iter().chain(comment).collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";

    #[test]
    fn texts() {
        let check = |text: &str, expected: Result<Option<&str>, &str>| {
            let found = LoginKey::parse(text);
            assert_eq!(found.as_ref().map(LoginKey::comment).map_err(|why| *why), expected, "{text}");
        };
        check(KEY, Ok(None));
        check(&format!("ssh-ed25519 {KEY}\n"), Ok(None));
        check(&format!(" ssh-ed25519  {KEY}  Ann's  laptop "), Ok(Some("Ann's  laptop")));
        check(&format!("{KEY} ann"), Ok(Some("ann")));
        check(&format!("ssh-rsa {KEY}"), Err("the key is of another type than it says"));
        check(&format!("no-pty ssh-ed25519 {KEY}"), Err("the key is not in base64, or cut off"));
        check(&format!("{KEY}\n{KEY}"), Err("it is more than one line"));
        check("", Err("it is empty"));
    }
}
