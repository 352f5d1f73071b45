//! The last applied values: what was observed after the last apply, and what was declared then.

mod lines;
mod lookup;
mod properties;
mod store;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;

use data_encoding::{DecodeError, HEXLOWER};
use serde::{Deserialize, Serialize, Serializer};
use uphold_model::DifferenceCause;

use super::digest::value_digest;
use super::json::ToJson;
use super::resource_key::ResourceKey;
use super::secret_key::SecretKey;
use super::time::Time;

pub use lines::{BlockRemoval, LeftResource, SealedRecord};
pub use lookup::LastSet;
pub use properties::AppliedProperties;
pub use store::Applied;

pub(crate) use lookup::{find, last_set};

// The record of a resource that was applied.

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
        let mut digest = "#".to_owned();
        HEXLOWER.encode_append(&value_digest(value.as_bytes()), &mut digest);
        Self(digest)
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct DeclaredDigest([u8; 4]);

impl DeclaredDigest {
    /// The digest of a value that is no secret.
    pub fn of(value: &str) -> Self {
        Self::start(&value_digest(value.as_bytes()))
    }

    /// The digest of a secret value.
    pub fn secret(key: &SecretKey, value: &[u8]) -> Self {
        Self::start(&key.hmac(value))
    }

    fn start(digest: &[u8]) -> Self {
        Self(digest.first_chunk().copied().unwrap_or_default())
    }

    /// Appends it in hex.
    fn add_hex_to(self, text: &mut String) {
        let mut hex = [0; 8];
        HEXLOWER.encode_mut(&self.0, &mut hex);
        text.push_str(std::str::from_utf8(&hex).unwrap_or_default());
    }
}

impl TryFrom<String> for DeclaredDigest {
    type Error = DecodeError;

    fn try_from(hex: String) -> Result<Self, DecodeError> {
        let digest = HEXLOWER.decode(hex.as_bytes())?;
        Ok(Self::start(&digest))
    }
}

impl Serialize for DeclaredDigest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut hex = String::new();
        self.add_hex_to(&mut hex);
        serializer.serialize_str(&hex)
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

impl ToJson for AppliedProperty {
    fn add_to(&self, json: &mut String) {
        json.push('[');
        self.observed.0.add_to(json);
        json.push_str(",\"");
        self.declared.add_hex_to(json);
        json.push_str("\"]");
    }
}

/// A notification in the declaration of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedNotification {
    /// The address of the notified resource.
    #[serde(rename = "to")]
    pub target: String,
    /// The action that it runs.
    #[serde(rename = "do")]
    pub action: String,
    /// When it is delivered.
    #[serde(rename = "at")]
    pub moment: String,
}

/// A resource after the last apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppliedResource {
    /// The resource.
    pub key: ResourceKey,
    /// Its address.
    pub address: String,
    /// Its declared properties.
    pub properties: AppliedProperties,
    /// Whether Uphold created it.
    pub is_created: bool,
    /// Whether it is no longer declared.
    pub is_left: bool,
    /// Its `on_removal`, if it is not `keep`.
    pub on_removal: Option<String>,
    /// Its `notifies`.
    pub notifies: Vec<AppliedNotification>,
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
    fn is_equivalent(&self, other: &Self) -> bool {
        self.facts() == other.facts()
    }

    /// Everything but run and time.
    fn facts(&self) -> impl PartialEq {
        let flags = (self.is_created, self.is_left, self.first_previous);
        let handling = (&self.on_removal, &self.notifies);
        (&self.key, &self.address, &self.properties, handling, &self.dependencies, flags)
    }
}

/// The short digest of the address of a resource or a module call, for the list of dependencies.
pub fn dependency_digest(address: &str) -> String {
    HEXLOWER.encode(&value_digest(address.as_bytes())[..4])
}

/// The digest of the texts of a configuration, each with its name.
pub fn text_digest<'t>(texts: impl Iterator<Item = (&'t str, &'t str)>) -> String {
    HEXLOWER.encode(&digest(texts.flat_map(|(name, text)| [name, text]))[..16])
}

/// Each part is preceded by its length, so that no two lists of parts are the same bytes.
fn digest<'p>(parts: impl Iterator<Item = &'p str>) -> [u8; 32] {
    let mut digest = blake3::Hasher::new();
    for part in parts {
        digest.update(&(part.len() as u64).to_le_bytes());
        digest.update(part.as_bytes());
    }
    digest.finalize().into()
}

// The three-way comparison: why a property differs.

/// Why a property that differs now does so: its observed value and declaration, compared with those of the last apply.
pub fn cause(
    last: &AppliedResource,
    property: &str,
    observed: &Observed,
    declared: &DeclaredDigest,
) -> DifferenceCause {
    // A property that was not declared before.
    let Some(last) = last.properties.get(property) else { return DifferenceCause::New };
    match (last.observed.is_same(observed), last.declared == *declared) {
        (None, _) => DifferenceCause::Unknown,
        (Some(true), _) => DifferenceCause::New,
        (Some(false), true) => DifferenceCause::Drift,
        (Some(false), false) => DifferenceCause::Both,
    }
}

// Resources that are no longer declared.

/// So many removals are always allowed.
const FREE: usize = 10;
/// Above [`FREE`], at most one in so many resources may be removed.
const SHARE: usize = 5;
/// A module, or a configuration, with so many resources may be removed as a whole.
const SMALL: usize = 2;

/// The records of one configuration that are not declared, dependents before their dependencies. Only right after a valid
/// load of the whole configuration. `covering` gives the addresses that cover an address, itself included.
pub fn no_longer_declared<'a>(
    applied: impl Iterator<Item = &'a AppliedResource>,
    is_declared: impl Fn(&AppliedResource) -> bool,
    covering: impl Fn(&str) -> Vec<String>,
) -> Vec<&'a AppliedResource> {
    let left: Vec<&AppliedResource> = applied.filter(|resource| !is_declared(resource)).collect();
    let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (index, resource) in left.iter().enumerate() {
        for address in covering(&resource.address) {
            named.entry(dependency_digest(&address)).or_default().push(index);
        }
    }
    dependents_first(&left, &named)
}

/// Orders resources so that a dependent precedes its dependencies. `named` has the resources that each digest names. Resources
/// in a cycle, which only equal short digests can form, come last.
fn dependents_first<'a>(
    all: &[&'a AppliedResource],
    named: &BTreeMap<String, Vec<usize>>,
) -> Vec<&'a AppliedResource> {
    let edges = |index: usize| {
        let dependencies = all[index].dependencies.iter().filter_map(|digest| named.get(digest)).flatten();
        dependencies.copied().filter(move |dependency| *dependency != index)
    };
    let mut dependents = vec![0_usize; all.len()];
    (0..all.len()).flat_map(edges).for_each(|dependency| dependents[dependency] += 1);
    let mut ready: Vec<usize> = (0..all.len()).rev().filter(|index| dependents[*index] == 0).collect();
    let (mut ordered, mut is_done) = (Vec::with_capacity(all.len()), vec![false; all.len()]);
    while let Some(index) = ready.pop() {
        is_done[index] = true;
        ordered.push(all[index]);
        for dependency in edges(index) {
            dependents[dependency] -= 1;
            if dependents[dependency] == 0 {
                ready.push(dependency);
            }
        }
    }
    ordered.extend(all.iter().zip(is_done).filter(|(_, is_done)| !is_done).map(|(resource, _)| *resource));
    ordered
}

/// The reason why removals are refused as a whole: they look like a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooManyRemovals {
    /// So many of so many resources of the configuration.
    Share {
        /// The removals.
        removed: usize,
        /// All resources.
        of: usize,
    },
    /// All resources of a module.
    Module(String),
}

/// Refuses more than 10 removals that are more than a fifth of the configuration, and all resources of a module or a
/// configuration with more than 2: its file may be empty while it is saved. `module` gives the module of an address, if it
/// is in one.
///
/// # Errors
/// The reason.
pub fn check_removals<'a>(
    applied: impl Iterator<Item = &'a AppliedResource>,
    removed: &[&AppliedResource],
    module: impl Fn(&str) -> Option<String>,
) -> Result<(), TooManyRemovals> {
    let (mut total, mut sizes) = (0, BTreeMap::<String, usize>::new());
    for resource in applied {
        total += 1;
        if let Some(module) = module(&resource.address) {
            *sizes.entry(module).or_default() += 1;
        }
    }
    let is_share = removed.len() > FREE && removed.len() * SHARE > total;
    let is_everything = removed.len() > SMALL && removed.len() == total;
    if is_share || is_everything {
        return Err(TooManyRemovals::Share { removed: removed.len(), of: total });
    }
    let mut left = sizes.clone();
    for module in removed.iter().filter_map(|resource| module(&resource.address)) {
        let left = left.entry(module.clone()).or_default();
        *left = left.saturating_sub(1);
        if *left == 0 && sizes.get(&module).is_some_and(|size| *size > SMALL) {
            return Err(TooManyRemovals::Module(module));
        }
    }
    Ok(())
}
