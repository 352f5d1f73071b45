//! The lines of `applied` and `applied.log`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{AppliedNotification, AppliedProperties, AppliedResource};
use crate::json::{Number, Object, Serialized};
use crate::line::seal_last;
use crate::resource_key::ResourceKey;
use crate::time::Time;

/// A line of `applied` or `applied.log`.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AppliedLine {
    /// The first line of `applied`.
    Applied { format: u32, count: usize, sets: Vec<ConfigurationSet> },
    /// The record of a resource. It is written by [`add_put`].
    #[serde(skip_serializing)]
    Put(ResourceLine),
    /// The resource has no record any more.
    Forget { g: u32, k: String, i: String },
    /// The number of a configuration, before the first record of it.
    Name { g: u32, name: String },
    /// The sets of all configurations: the last line of a run in `applied.log`.
    Sets(Vec<ConfigurationSet>),
    /// The last line of `applied`: the SHA-256 of everything before it, and the sets again, without which no record has a
    /// configuration.
    End { blake3: String, sets: Vec<ConfigurationSet> },
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
    /// Whether the last apply still declared it.
    #[serde(skip)]
    pub is_new: bool,
    /// Whether a `removed` block would remove it, if it is kept and that was tried.
    #[serde(skip)]
    pub block_removal: Option<BlockRemoval>,
}

/// The effect of a `removed` block with `destroy = true`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockRemoval {
    /// The resource is removed, in this order among several: the content of a directory comes before it.
    Works(usize),
    /// It stays, for this reason: a fragment that reads on after a colon.
    Fails(String),
}

impl From<&AppliedResource> for LeftResource {
    fn from(resource: &AppliedResource) -> Self {
        let ResourceKey { kind, identity, .. } = resource.key.clone();
        let AppliedResource { address, on_removal, .. } = resource.clone();
        Self {
            kind,
            identity,
            address,
            on_removal,
            refusal: None,
            is_new: !resource.is_left,
            block_removal: None,
        }
    }
}

/// The record of a resource, with short names: there may be 10,000 of them.
#[derive(Debug, Deserialize)]
pub(super) struct ResourceLine {
    g: u32,
    k: String,
    i: String,
    /// None if the address is made of kind and identity.
    #[serde(default)]
    a: Option<String>,
    v: AppliedProperties,
    #[serde(default)]
    c: bool,
    #[serde(default)]
    left: bool,
    #[serde(default)]
    o: Option<String>,
    #[serde(default)]
    b: Option<(u64, u64)>,
    r: u64,
    t: Time,
    #[serde(default)]
    n: Vec<AppliedNotification>,
    #[serde(default)]
    dep: Vec<String>,
    #[serde(default)]
    d: BTreeMap<String, serde_json::Value>,
}

/// The length of a usual line, at most.
const USUAL_RECORD: usize = 384;

/// The address of a resource at the top of a configuration whose label is its identity.
fn plain_address(kind: &str, identity: &str) -> String {
    format!("{kind}[\"{identity}\"]")
}

fn is_plain_address(address: &str, kind: &str, identity: &str) -> bool {
    let label = address.strip_prefix(kind).and_then(|rest| rest.strip_prefix("[\"")?.strip_suffix("\"]"));
    label == Some(identity)
}

/// Adds the JSON of the line that replaces the record of a resource.
pub(super) fn add_put(json: &mut String, g: u32, resource: &AppliedResource) {
    let AppliedResource { key: ResourceKey { kind, identity, .. }, address, .. } = resource;
    json.push_str("{\"put\":");
    let mut line = Object::begin(json);
    line.add("g", &Number(g));
    line.add("k", kind);
    line.add("i", identity);
    line.add_some("a", (!is_plain_address(address, kind, identity)).then_some(address));
    line.add("v", &resource.properties);
    line.add_some("c", resource.is_created.then_some(&true));
    line.add_some("left", resource.is_left.then_some(&true));
    line.add_some("o", resource.on_removal.as_ref());
    line.add_some("b", resource.first_previous.as_ref().map(Serialized).as_ref());
    line.add("r", &Number(resource.run));
    line.add("t", &Number(resource.time.0));
    if !resource.notifies.is_empty() {
        line.add("n", &Serialized(&resource.notifies));
    }
    if !resource.dependencies.is_empty() {
        line.add("dep", resource.dependencies.as_slice());
    }
    if !resource.declared.is_empty() {
        line.add("d", &Serialized(&resource.declared));
    }
    line.end();
    json.push('}');
}

/// The line of a new record. It takes less memory than the record, and the thread that made the record makes it: the end of a
/// run has one thread.
#[derive(Clone, Debug)]
pub struct SealedRecord {
    g: u32,
    line: String,
}

impl SealedRecord {
    /// The line of a record of the configuration with this number ([`Applied::number_of`](super::Applied::number_of)).
    pub fn new(number: u32, resource: &AppliedResource) -> Self {
        let mut line = String::with_capacity(USUAL_RECORD);
        add_put(&mut line, number, resource);
        seal_last(&mut line, 0);
        Self { g: number, line }
    }

    /// The number of its configuration.
    pub(super) fn configuration(&self) -> u32 {
        self.g
    }

    /// The line, with its line break.
    pub(super) fn text(&self) -> &str {
        &self.line
    }
}

impl ResourceLine {
    pub(super) fn configuration(&self) -> u32 {
        self.g
    }

    pub(super) fn into_resource(self, configuration: &str) -> AppliedResource {
        let Self { g: _, k, i, a, v, c, left, o, b, r, t, n, dep, d } = self;
        AppliedResource {
            address: a.unwrap_or_else(|| plain_address(&k, &i)),
            key: ResourceKey::new(configuration, k, i),
            properties: v,
            is_created: c,
            is_left: left,
            on_removal: o,
            notifies: n,
            first_previous: b,
            run: r,
            time: t,
            dependencies: dep,
            declared: d,
        }
    }
}
