//! OpenSSH public keys as a property.

use std::fmt;

use data_encoding::{BASE64, BASE64_NOPAD};
use sha2::{Digest, Sha256};
use uphold_resource::{Context, Problem, Property, Type, Value};

/// An OpenSSH public key: its type and the key itself. A comment after them is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    kind: String,
    body: String,
}

impl PublicKey {
    /// The type, such as `ssh-ed25519`.
    pub fn kind(&self) -> &str {
        &self.kind
    }

    /// The base64 text of the key.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// The SHA-256 fingerprint, as `ssh-keygen -l` prints it.
    pub(crate) fn fingerprint(&self) -> String {
        let bytes = BASE64.decode(self.body.as_bytes()).unwrap_or_default();
        format!("SHA256:{}", BASE64_NOPAD.encode(&Sha256::digest(bytes)))
    }

    /// Parses `TYPE KEY`, or `KEY` alone, which contains its type.
    ///
    /// # Errors
    /// The reason why this is not a public key.
    pub(crate) fn parse(text: &str) -> Result<Self, &'static str> {
        let mut words = text.split_ascii_whitespace();
        let first = words.next().ok_or("it is empty")?;
        if let Some(kind) = kind_of(first) {
            return Ok(Self { kind, body: first.to_owned() });
        }
        let body = words.next().ok_or("it is not base64, or truncated")?;
        match kind_of(body) {
            Some(kind) if kind == first => Ok(Self { kind, body: body.to_owned() }),
            Some(_) => Err("the key is not of the given type"),
            None => Err("the key is not base64, or truncated"),
        }
    }
}

/// The type that a key contains as its first field. None if this is not a key.
pub(crate) fn kind_of(body: &str) -> Option<String> {
    let bytes = BASE64.decode(body.as_bytes()).ok()?;
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let kind = String::from_utf8(rest.get(..length)?.to_vec()).ok()?;
    // Data with nothing but a type is not a key.
    (rest.len() > length && kind.contains('-')).then_some(kind)
}

impl Property for PublicKey {
    const TYPE: &'static Type = &Type::Named {
        name: "public key",
        doc: "an OpenSSH public key: its type and the key in base64, or the key alone",
        example: r#""ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let parsed = match value {
            Value::Text(text) => PublicKey::parse(text),
            _ => Err("it is not a string"),
        };
        parsed.map_err(|why| {
            let rule = format!("is not a public key: {why}");
            Problem::new(Some(value), rule, "use the content of a .pub file, or the output of `ssh-keyscan`")
        })
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind, self.body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_keys() {
        let body = "AAAAC3NzaC1lZDI1NTE5AAAAIISuksGi8IZJKdQjbVjxRyhk0/sR+ttQ3RJ96GMbYr7u";
        let check = |text: &str, expected: Result<&str, &str>| {
            let key = PublicKey::parse(text).map(|key| key.to_string());
            assert_eq!(key.as_deref().map_err(|why| *why), expected, "{text}");
        };
        let whole = format!("ssh-ed25519 {body}");
        check(&whole, Ok(&whole));
        check(body, Ok(&whole));
        check(&format!("  {whole} me@here "), Ok(&whole));
        check(&format!("ssh-rsa {body}"), Err("the key is not of the given type"));
        check("ssh-ed25519", Err("it is not base64, or truncated"));
        check("ssh-ed25519 AAAA", Err("the key is not base64, or truncated"));
        check("", Err("it is empty"));
    }
}
