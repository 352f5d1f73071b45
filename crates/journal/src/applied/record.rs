//! The record of a resource that was applied.

use std::collections::BTreeMap;
use std::fmt;

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::content_digest::content_digest;
use crate::resource_key::ResourceKey;
use crate::secret_key::SecretKey;
use crate::time::Time;

/// A longer value is stored as a digest.
const MOST_TEXT: usize = 64;

/// A value that was observed: text, `#` and a digest, or `!`, the name of the key, and the HMAC of a secret.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Observed(String);

impl Observed {
    /// A value that is no secret.
    pub fn of(value: &str) -> Self {
        if value.len() <= MOST_TEXT && !value.starts_with(['#', '!']) {
            return Self(value.to_owned());
        }
        Self(format!("#{}", HEXLOWER.encode(&content_digest(value.as_bytes())[..16])))
    }

    /// A secret value.
    pub fn secret(key: &SecretKey, value: &[u8]) -> Self {
        Self(format!("!{}", key.hidden(value)))
    }

    /// The whole value, if it is no secret and not stored as a digest.
    pub fn text(&self) -> Option<&str> {
        (!self.0.starts_with(['#', '!'])).then_some(&*self.0)
    }

    /// Whether it is a secret.
    pub fn is_secret(&self) -> bool {
        self.0.starts_with('!')
    }

    /// Whether both are the same value. None if that cannot be said: only one is a secret, or their keys differ.
    pub fn is_same(&self, other: &Self) -> Option<bool> {
        let key = |value: &Self| {
            value.0.strip_prefix('!').and_then(|rest| rest.split('.').next().map(str::to_owned))
        };
        (key(self) == key(other)).then(|| self == other)
    }
}

impl fmt::Debug for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The first 4 bytes of a digest of a declared value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DeclaredDigest(String);

impl DeclaredDigest {
    /// The digest of a value that is no secret.
    pub fn of(value: &str) -> Self {
        Self(HEXLOWER.encode(&content_digest(value.as_bytes())[..4]))
    }

    /// The digest of a secret value.
    pub fn secret(key: &SecretKey, value: &[u8]) -> Self {
        Self(HEXLOWER.encode(&key.hmac(value)[..4]))
    }
}

/// A declared property after the last apply.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "(Observed, DeclaredDigest)")]
pub struct AppliedProperty {
    /// The observed value.
    pub observed: Observed,
    /// The digest of the declared value. It is never compared with the observed one.
    pub declared: DeclaredDigest,
}

impl AppliedProperty {
    /// The same value of a property that is not declared.
    #[must_use]
    pub fn undeclared(self) -> Self {
        Self { declared: DeclaredDigest::of(""), ..self }
    }
}

impl From<(Observed, DeclaredDigest)> for AppliedProperty {
    fn from((observed, declared): (Observed, DeclaredDigest)) -> Self {
        Self { observed, declared }
    }
}

impl Serialize for AppliedProperty {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.observed, &self.declared).serialize(serializer)
    }
}

/// A resource after the last apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedResource {
    /// The resource.
    pub key: ResourceKey,
    /// Its address.
    pub address: String,
    /// Its declared properties.
    pub properties: BTreeMap<String, AppliedProperty>,
    /// Whether Uphold created it.
    pub is_created: bool,
    /// Whether it is no longer declared.
    pub is_left: bool,
    /// Its `on_removal`, if it is not `keep`.
    pub on_removal: Option<String>,
    /// Run and action with the first previous value.
    pub first_previous: Option<(u64, u64)>,
    /// The run that applied it.
    pub run: u64,
    /// When.
    pub time: Time,
    /// The digests of its dependencies: [`dependency_digest`].
    pub dependencies: Vec<String>,
    /// Its identity and settings, as far as they have to be declared to remove it. Empty if its address is enough.
    pub declared: BTreeMap<String, serde_json::Value>,
}

impl AppliedResource {
    /// Whether both records say the same, whichever run wrote them.
    pub(super) fn is_equivalent(&self, other: &Self) -> bool {
        self.facts() == other.facts()
    }

    /// Everything but run and time.
    fn facts(&self) -> impl PartialEq {
        let flags = (self.is_created, self.is_left, self.first_previous);
        (&self.key, &self.address, &self.properties, &self.on_removal, &self.dependencies, flags)
    }
}

/// The short digest of the address of a resource or a module call, for the list of dependencies.
pub fn dependency_digest(address: &str) -> String {
    HEXLOWER.encode(&digest(std::iter::once(address))[..4])
}

/// The digest of the texts of a configuration, each with its name.
pub fn text_digest<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> String {
    HEXLOWER.encode(&digest(texts.flat_map(|(name, text)| [name, text]))[..16])
}

/// Each part is preceded by its length, so that no two lists of parts are the same bytes.
fn digest<'p>(parts: impl Iterator<Item = &'p str>) -> [u8; 32] {
    let mut digest = Sha256::new();
    for part in parts {
        digest.update((part.len() as u64).to_le_bytes());
        digest.update(part);
    }
    digest.finalize().into()
}
