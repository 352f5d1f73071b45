//! SHA-256 digests, as a property and of files.
//!
//! ```
//! use uphold_kit::digest::Digest;
//!
//! assert!(Digest::of(b"").to_string().starts_with("e3b0c442"));
//! ```

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use uphold_resource::{Context, Problem, Property, Reading, Type, Value};

use crate::regular_file;

/// A SHA-256 digest, written as 64 hexadecimal digits.
#[derive(Clone, PartialEq, Eq)]
pub struct Digest(Arc<[u8; 32]>);

impl Digest {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Digest(Arc::new(Sha256::digest(bytes).into()))
    }

    /// The digest of the regular file at `path`. A machine that remembers the digest of a file that did not change does not
    /// read it; otherwise it is read piece by piece.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of_file(path: &Path, host: &Reading<'_>) -> uphold_resource::Result<Self> {
        if let Some(digest) = host.files().sha256(path)? {
            return Ok(Digest(Arc::new(digest)));
        }
        let mut hasher = Sha256::new();
        regular_file::each_piece(path, host, |piece| {
            hasher.update(piece);
            Ok(())
        })?;
        Ok(Digest(Arc::new(hasher.finalize().into())))
    }
}

impl Property for Digest {
    const TYPE: &'static Type = &Type::Named {
        name: "sha256",
        doc: "a SHA-256 digest: 64 hexadecimal digits",
        example: r#""e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let digest = match value {
            Value::Text(text) => parse(text),
            _ => None,
        };
        digest.map(|digest| Digest(Arc::new(digest))).ok_or_else(|| {
            Problem::new(
                Some(value),
                "is not a SHA-256 digest",
                "use the 64 hexadecimal digits that `sha256sum` prints",
            )
        })
    }

    fn to_value(&self) -> Value {
        Value::text(self.to_string())
    }
}

fn parse(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let mut bytes = [0; 32];
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    #[test]
    fn digests_round_trip() {
        assert_eq!(Digest::of(b"").to_string(), EMPTY);
        let read = |text: &str| Digest::from_value(&Value::text(text), &Context::NOTHING);
        assert_eq!(read(EMPTY), Ok(Digest::of(b"")));
        assert_eq!(read(&EMPTY.to_uppercase()), Ok(Digest::of(b"")));
        for wrong in ["", &EMPTY[1..], &EMPTY.replace('e', "+"), &"é".repeat(32)] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
