//! The lines of `applied` and `applied.log`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::record::{AppliedProperty, AppliedResource};
use crate::resource_key::ResourceKey;
use crate::time::Time;

/// A line of `applied` or `applied.log`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AppliedLine {
    /// The first line of `applied`.
    Applied { format: u32, count: usize, sets: Vec<ConfigurationSet> },
    /// The record of a resource.
    Put(ResourceLine),
    /// The resource has no record any more.
    Forget { g: u32, k: String, i: String },
    /// The number of a configuration, before the first record of it.
    Name { g: u32, name: String },
    /// The sets of all configurations: the last line of a run in `applied.log`.
    Sets(Vec<ConfigurationSet>),
    /// The last line of `applied`: the SHA-256 of everything before it, and the sets again, without which no record has a
    /// configuration.
    End { sha256: String, sets: Vec<ConfigurationSet> },
}

/// A configuration, and the digest of the set that was applied last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ConfigurationSet {
    pub(super) g: u32,
    pub(super) name: String,
    /// None after a run that did not visit every resource.
    pub(super) set: Option<String>,
    /// The resources that are no longer declared, if they are few.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) left: Vec<LeftResource>,
}

/// A resource that is no longer declared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftResource {
    /// Its kind.
    pub kind: String,
    /// Its identity within the kind.
    pub identity: String,
    /// Its last address.
    pub address: String,
    /// Its `on_removal`, if it is not `keep`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_removal: Option<String>,
    /// Why it was not removed, if it was to be: a fragment that reads on after the address and a colon.
    #[serde(skip)]
    pub refusal: Option<String>,
}

impl From<&AppliedResource> for LeftResource {
    fn from(resource: &AppliedResource) -> Self {
        let ResourceKey { kind, identity, .. } = resource.key.clone();
        let AppliedResource { address, on_removal, .. } = resource.clone();
        Self { kind, identity, address, on_removal, refusal: None }
    }
}

/// The record of a resource, with short names: there may be 10,000 of them.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct ResourceLine {
    g: u32,
    k: String,
    i: String,
    /// None if the address is made of kind and identity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<String>,
    v: BTreeMap<String, AppliedProperty>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    c: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    left: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    o: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    b: Option<(u64, u64)>,
    r: u64,
    t: Time,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dep: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    d: BTreeMap<String, serde_json::Value>,
}

/// The address of a resource at the top of a configuration whose label is its identity.
fn plain_address(kind: &str, identity: &str) -> String {
    format!("{kind}[\"{identity}\"]")
}

impl ResourceLine {
    pub(super) fn new(g: u32, resource: &AppliedResource) -> Self {
        let AppliedResource {
            key,
            address,
            properties,
            is_created,
            is_left,
            on_removal,
            first_previous,
            run,
            time,
            dependencies,
            declared,
        } = resource.clone();
        let a = (address != plain_address(&key.kind, &key.identity)).then_some(address);
        Self {
            g,
            k: key.kind,
            i: key.identity,
            a,
            v: properties,
            c: is_created,
            left: is_left,
            o: on_removal,
            b: first_previous,
            r: run,
            t: time,
            dep: dependencies,
            d: declared,
        }
    }

    pub(super) fn configuration(&self) -> u32 {
        self.g
    }

    pub(super) fn into_resource(self, configuration: &str) -> AppliedResource {
        let Self { g: _, k, i, a, v, c, left, o, b, r, t, dep, d } = self;
        AppliedResource {
            address: a.unwrap_or_else(|| plain_address(&k, &i)),
            key: ResourceKey::new(configuration, k, i),
            properties: v,
            is_created: c,
            is_left: left,
            on_removal: o,
            first_previous: b,
            run: r,
            time: t,
            dependencies: dep,
            declared: d,
        }
    }
}
