//! Digests that tell whether something is the same, and little else.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use uphold_model::Value;

use super::canonical;

/// What makes the digests of one plan differ from those of any other: nobody can look them up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Salt([u8; 32]);

impl Salt {
    /// One that nobody has had before.
    ///
    /// The standard library asks the system for 128 random bits to seed its hash maps; that is the
    /// randomness of this. A salt has to be new, not secret: it stands in the file.
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

    /// The digest of what is said about `subject`. The same content has another digest for another
    /// subject, so that nobody sees that two secrets are equal.
    pub(crate) fn digest(&self, subject: &str, content: &[u8]) -> String {
        let mut inner = Sha256::new();
        inner.update(self.0);
        inner.update((subject.len() as u64).to_le_bytes());
        inner.update(subject);
        inner.update(content);
        // Twice, so that a digest cannot be continued with more content.
        let mut outer = Sha256::new();
        outer.update(self.0);
        outer.update(inner.finalize());
        HEXLOWER.encode(&outer.finalize())
    }

    /// The digest of a value, with all that is hidden in it.
    pub(crate) fn digest_value(&self, subject: &str, value: &Value) -> String {
        self.digest(subject, &canonical::bytes(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_of_one_salt_subject_and_content() {
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
