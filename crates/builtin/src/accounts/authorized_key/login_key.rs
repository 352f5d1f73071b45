//! A public key with its comment, as in a `.pub` file.

use uphold_resource::{Context, Problem, Property, Type, Value};

use crate::public_key::PublicKey;

/// A public key and its comment. The key type is read from the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoginKey {
    key: PublicKey,
    comment: Option<String>,
}

impl LoginKey {
    /// The key type, such as `ssh-ed25519`.
    pub(super) fn kind(&self) -> &str {
        self.key.kind()
    }

    /// The base64 text that identifies the key.
    pub(super) fn body(&self) -> &str {
        self.key.body()
    }

    /// The SHA-256 fingerprint, as `ssh-keygen -l` prints it.
    pub(super) fn fingerprint(&self) -> String {
        self.key.fingerprint()
    }

    /// The comment after the key, if any.
    pub(super) fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        if text.contains(['\n', '\r', '\0']) {
            return Err("it has more than one line");
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
            _ => Err("it is not a string"),
        };
        parsed.map_err(|why| {
            let fix = "use the content of the `.pub` file: type, key and comment; put options into `options`";
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
    fn parses_keys() {
        let check = |text: &str, expected: Result<Option<&str>, &str>| {
            let found = LoginKey::parse(text);
            assert_eq!(found.as_ref().map(LoginKey::comment).map_err(|why| *why), expected, "{text}");
        };
        check(KEY, Ok(None));
        check(&format!("ssh-ed25519 {KEY}\n"), Ok(None));
        check(&format!(" ssh-ed25519  {KEY}  Ann's  laptop "), Ok(Some("Ann's  laptop")));
        check(&format!("{KEY} ann"), Ok(Some("ann")));
        check(&format!("ssh-rsa {KEY}"), Err("the key is not of the given type"));
        check(&format!("no-pty ssh-ed25519 {KEY}"), Err("the key is not base64, or truncated"));
        check(&format!("{KEY}\n{KEY}"), Err("it has more than one line"));
        check("", Err("it is empty"));
    }
}
