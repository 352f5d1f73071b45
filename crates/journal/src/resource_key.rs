//! The key of a resource: it identifies the same thing on the machine in every run.

use serde::{Deserialize, Serialize, Serializer};

use crate::json::ToJson;

/// Configuration, kind and identity of a resource.
///
/// The identity comes from the kind (a path, a user), not from the address: renaming a label or moving a block into a
/// module keeps the key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(from = "(String, String, String)")]
pub struct ResourceKey {
    /// The name of the configuration, else its canonical path. Empty for standard input.
    pub configuration: String,
    /// The kind.
    pub kind: String,
    /// The identity within the kind.
    pub identity: String,
}

impl ResourceKey {
    /// The key of these three parts.
    pub fn new(
        configuration: impl Into<String>,
        kind: impl Into<String>,
        identity: impl Into<String>,
    ) -> Self {
        Self { configuration: configuration.into(), kind: kind.into(), identity: identity.into() }
    }
}

impl From<(String, String, String)> for ResourceKey {
    fn from((configuration, kind, identity): (String, String, String)) -> Self {
        Self { configuration, kind, identity }
    }
}

impl Serialize for ResourceKey {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.configuration, &self.kind, &self.identity).serialize(serializer)
    }
}

impl ToJson for ResourceKey {
    fn add_to(&self, json: &mut String) {
        let Self { configuration, kind, identity } = self;
        for (before, part) in [('[', configuration), (',', kind), (',', identity)] {
            json.push(before);
            part.add_to(json);
        }
        json.push(']');
    }
}
