//! Salted digests of values.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use uphold_model::Value;

/// The salt of a plan's digests: the same content has different digests in different plans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Salt([u8; 32]);

impl Salt {
    /// A new random salt.
    ///
    /// Its randomness is the 128 bits with which the standard library seeds hash maps. A salt must be unique, not secret:
    /// it is in the file.
    pub(crate) fn fresh() -> Self {
        let mut digest = Sha256::new();
        for _ in 0..4 {
            let mut hasher = RandomState::new().build_hasher();
            hasher.write_u8(0);
            digest.update(hasher.finish().to_le_bytes());
        }
        Self(digest.finalize().into())
    }

    /// As it was written by [`Salt::hex`].
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let bytes = HEXLOWER.decode(text.as_bytes()).ok()?;
        bytes.try_into().ok().map(Self)
    }

    pub(crate) fn hex(&self) -> String {
        HEXLOWER.encode(&self.0)
    }

    /// The digest of the content of `subject`. The subject is part of it, so that equal secrets have different digests.
    pub(crate) fn digest(&self, subject: &str, content: &[u8]) -> String {
        let mut inner = Sha256::new();
        inner.update(self.0);
        inner.update((subject.len() as u64).to_le_bytes());
        inner.update(subject);
        inner.update(content);
        // Twice, against length extension.
        let mut outer = Sha256::new();
        outer.update(self.0);
        outer.update(inner.finalize());
        HEXLOWER.encode(&outer.finalize())
    }

    /// The digest of a value, with its secrets.
    pub(crate) fn digest_value(&self, subject: &str, value: &Value) -> String {
        self.digest(subject, &value_bytes(value))
    }
}

/// The canonical bytes of a value: two values are equal exactly if their bytes are. Secrets count like other values.
pub(crate) fn value_bytes(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    write(value, &mut bytes);
    bytes
}

fn write(value: &Value, to: &mut Vec<u8>) {
    match value {
        Value::Null => to.push(b'0'),
        Value::Bool(bool) => to.extend([b'b', u8::from(*bool)]),
        Value::Int(int) => part(b'i', &int.to_le_bytes(), to),
        Value::Float(float) => part(b'f', &float.to_bits().to_le_bytes(), to),
        Value::Text(text) => part(b't', text.as_bytes(), to),
        Value::Bytes(bytes) => part(b'x', bytes, to),
        Value::Reference(id) => part(b'r', id.to_string().as_bytes(), to),
        Value::Unknown(unknown) => part(b'u', unknown.waits_for.as_bytes(), to),
        Value::Sensitive(inner) => write(inner, to),
        Value::List(items) => {
            part(b'l', &items.len().to_le_bytes(), to);
            items.iter().for_each(|item| write(item, to));
        }
        Value::Map(map) => {
            part(b'm', &map.len().to_le_bytes(), to);
            for (key, value) in map.iter() {
                part(b'k', key.as_bytes(), to);
                write(value, to);
            }
        }
    }
}

/// A tag and a length make the parts unambiguous.
fn part(sort: u8, content: &[u8], to: &mut Vec<u8>) {
    to.push(sort);
    to.extend((content.len() as u64).to_le_bytes());
    to.extend(content);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_salt_subject_and_content() {
        let salt = Salt::fresh();
        let same = salt.digest("a", b"b");
        assert_eq!(same, salt.digest("a", b"b"));
        for other in [salt.digest("", b"ab"), salt.digest("ab", b""), salt.digest("a", b"c")] {
            assert_ne!(same, other);
        }
        assert_ne!(same, Salt::fresh().digest("a", b"b"));
    }

    #[test]
    fn a_salt_is_read_as_it_was_written() {
        let salt = Salt::fresh();
        assert_eq!(Salt::from_hex(&salt.hex()), Some(salt));
        assert_eq!(Salt::from_hex("00"), None);
        assert_eq!(Salt::from_hex("zz"), None);
    }
}

#[cfg(test)]
mod canonical_tests {
    use super::*;

    #[test]
    fn bytes_are_equal_exactly_for_equal_values() {
        let text = Value::text;
        let values = [
            Value::Null,
            Value::Bool(false),
            Value::Int(0),
            Value::Float(0.0),
            text(""),
            text("0"),
            Value::Bytes(b"0".to_vec().into()),
            Value::list([text("a"), text("b")]),
            Value::list([text("ab")]),
            Value::list([Value::list([text("a")]), text("b")]),
            Value::map([("a", text("b"))]),
            Value::map([("ab", text(""))]),
            Value::unknown("a"),
        ];
        for (i, one) in values.iter().enumerate() {
            for (j, other) in values.iter().enumerate() {
                assert_eq!(value_bytes(one) == value_bytes(other), i == j, "{one} {other}");
            }
        }
        let partly = Value::list([text("a").sensitive(), text("b")]);
        assert_eq!(value_bytes(&partly), value_bytes(&Value::list([text("a"), text("b")]).sensitive()));
    }
}
