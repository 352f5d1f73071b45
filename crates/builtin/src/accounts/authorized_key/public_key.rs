//! A public key.

use std::fmt;

use uphold_resource::{Context, Problem, Property, Type, Value};

use super::base64;

/// A public key: what a `.pub` file says, or only the key itself. What it is follows from the key.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicKey {
    kind: String,
    body: String,
    comment: Option<String>,
}

impl PublicKey {
    /// Its type, such as `ssh-ed25519`.
    pub(super) fn kind(&self) -> &str {
        &self.kind
    }

    /// What makes it this key and no other.
    pub(super) fn body(&self) -> &str {
        &self.body
    }

    /// What was written behind it.
    pub(super) fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        if text.contains(['\n', '\r', '\0']) {
            return Err("is more than one line");
        }
        let (first, rest) = word(text);
        if let Some(kind) = kind_of(first) {
            return match rest.is_empty() {
                true => Ok(Self { kind, body: first.to_owned(), comment: None }),
                false => Err("has something behind the key, and no type before it"),
            };
        }
        let (second, rest) = word(rest);
        match kind_of(second) {
            Some(kind) if kind == first => {
                let comment = (!rest.is_empty()).then(|| rest.to_owned());
                Ok(Self { kind, body: second.to_owned(), comment })
            }
            Some(_) => Err("is a key of another type than it says"),
            None => Err("is not a public key"),
        }
    }
}

/// The first word, and what follows it.
fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim())
}

/// The type that a key says it is of: it begins with the length of the name, and the name.
pub(super) fn kind_of(body: &str) -> Option<String> {
    let bytes = base64::decode(body)?;
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let name = rest.get(..length).filter(|name| !name.is_empty() && rest.len() > name.len())?;
    let fine = name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-@.".contains(byte));
    fine.then(|| String::from_utf8_lossy(name).into_owned())
}

impl Property for PublicKey {
    const TYPE: &'static Type = &Type::Named {
        name: "public key",
        doc: "what a `.pub` file says, or only the key itself",
        example: r#""ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG2b… ann@laptop""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let fix = "write what the `.pub` file says: type, key and comment; options go to `options`";
        let Value::Text(text) = value else {
            return Err(Problem::new(Some(value), "is not a public key", fix));
        };
        Self::parse(text.trim_end_matches(['\n', '\r'])).map_err(|rule| Problem::new(Some(value), rule, fix))
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.body)?;
        self.comment.iter().try_for_each(|comment| write!(f, " {comment}"))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "AAAAC3NzaC1lZDI1NTE5AAAAIG2bPeFk2sXcEwR7Yk1y1w8nYxkC0oQdZ0m5pC3v9b1a";

    #[test]
    fn texts() {
        let check = |text: &str, expected: Result<(&str, Option<&str>), &str>| {
            let found = PublicKey::parse(text);
            let found = found.as_ref().map(|key| (key.kind(), key.comment())).map_err(|rule| *rule);
            assert_eq!(found, expected, "{text}");
        };
        check(KEY, Ok(("ssh-ed25519", None)));
        check(&format!("ssh-ed25519 {KEY}"), Ok(("ssh-ed25519", None)));
        check(&format!(" ssh-ed25519  {KEY}  Ann's  laptop "), Ok(("ssh-ed25519", Some("Ann's  laptop"))));
        check(&format!("ssh-rsa {KEY}"), Err("is a key of another type than it says"));
        check(&format!("no-pty ssh-ed25519 {KEY}"), Err("is not a public key"));
        check(&format!("{KEY} ann"), Err("has something behind the key, and no type before it"));
        check(&format!("{KEY}\n{KEY}"), Err("is more than one line"));
        check("ssh-ed25519", Err("is not a public key"));
        check("YWJj", Err("is not a public key"));
        check("", Err("is not a public key"));
    }
}
