//! Where secrets go on the machine, found before the run.

use std::collections::BTreeMap;
use std::path::PathBuf;

use rustc_hash::FxHashMap;
use uphold_model::{Claims, PropertySchema, Reference, Role};

use super::instances::Instances;
use crate::program::decode::Decoder;
use crate::program::secret_paths::{SecretPathSet, SecretPaths, filled, held, needed};
use crate::program::set::ResourceIndex;

/// The paths at which resources put secrets, and those to which other resources copy them. Linear in the claims of
/// programs with secrets; programs without pay for one question to each resource.
pub(crate) fn secret_paths(decoder: &Decoder<'_>, instances: &Instances) -> SecretPaths {
    let sources: Vec<usize> =
        (0..instances.of_nodes.len()).filter(|node| is_source(decoder, instances, *node)).collect();
    if sources.is_empty() {
        return SecretPaths::default();
    }
    let mut flow = SecretFlow::new(decoder, instances);
    sources.into_iter().for_each(|node| flow.reach(node));
    while let Some(node) = flow.open.pop() {
        flow.spread(node);
    }
    SecretPaths::new(flow.found)
}

/// Whether a secret comes into the program's files with this node: by its own properties, or from a resource whose property
/// is always secret.
fn is_source(decoder: &Decoder<'_>, instances: &Instances, node: usize) -> bool {
    let Decoder { set, list, .. } = *decoder;
    let declared = set.entry(list.get(node).resource);
    let always_secret =
        |reference: &Reference| property(decoder, reference).is_some_and(|property| property.ty.is_secret());
    declared.declaration.meta.sensitive
        || instances.of_nodes[node].as_ref().is_some_and(|instance| instance.is_tainted())
        || (declared.reads_others() && declared.references().any(always_secret))
}

fn property(decoder: &Decoder<'_>, reference: &Reference) -> Option<&'static PropertySchema> {
    decoder.registry.get(&reference.target.kind)?.schema().property(reference.path.first()?)
}

/// Whether what is read identifies a resource: that is no secret.
fn is_name(decoder: &Decoder<'_>, reference: &Reference) -> bool {
    property(decoder, reference).is_some_and(|property| matches!(property.role, Role::Name | Role::Identity))
}

struct SecretFlow {
    resources: Vec<ResourceIndex>,
    claims: Vec<Claims>,
    /// The nodes that read a path.
    readers: BTreeMap<PathBuf, Vec<usize>>,
    /// The nodes that replace a path, and those that pack a directory with everything inside.
    holders: FxHashMap<PathBuf, Vec<usize>>,
    packers: FxHashMap<PathBuf, Vec<usize>>,
    /// The nodes that read values of a resource.
    referrers: FxHashMap<ResourceIndex, Vec<usize>>,
    reached: Vec<bool>,
    /// Reached, and not spread from yet.
    open: Vec<usize>,
    found: SecretPathSet,
}

impl SecretFlow {
    fn new(decoder: &Decoder<'_>, instances: &Instances) -> Self {
        let Decoder { set, list, .. } = *decoder;
        let claims = |instance: &Option<Box<dyn uphold_resource::Instance>>| {
            instance.as_ref().map(|instance| instance.claims()).unwrap_or_default()
        };
        let claims: Vec<Claims> = instances.of_nodes.iter().map(claims).collect();
        let resources: Vec<ResourceIndex> = list.all().iter().map(|entry| entry.resource).collect();
        let mut flow = Self {
            readers: BTreeMap::new(),
            holders: FxHashMap::default(),
            packers: FxHashMap::default(),
            referrers: FxHashMap::default(),
            reached: vec![false; claims.len()],
            open: Vec::new(),
            found: SecretPathSet::default(),
            resources,
            claims,
        };
        for (node, claims) in flow.claims.iter().enumerate() {
            needed(claims).for_each(|path| flow.readers.entry(path.to_owned()).or_default().push(node));
            held(claims).for_each(|path| flow.holders.entry(path.to_owned()).or_default().push(node));
            claims.reads.iter().for_each(|path| flow.packers.entry(path.clone()).or_default().push(node));
            let declared = set.entry(flow.resources[node]);
            let read = declared
                .references()
                .filter(|reference| declared.reads_others() && !is_name(decoder, reference));
            let targets = read.filter_map(|reference| set.find(&reference.target));
            targets.for_each(|target| flow.referrers.entry(target).or_default().push(node));
        }
        flow
    }

    fn reach(&mut self, node: usize) {
        if !std::mem::replace(&mut self.reached[node], true) {
            self.open.push(node);
        }
    }

    /// The secret goes to the files of a node, from there to those who read them, and with its values to those who refer to
    /// it. Which of its values are secret is known when it is visited: until then, all of them may be.
    fn spread(&mut self, node: usize) {
        let resource = self.resources[node];
        let mut next = self.referrers.remove(&resource).unwrap_or_default();
        for path in filled(&self.claims[node]) {
            if !self.found.insert(path, resource) {
                continue;
            }
            let below =
                self.readers.range(path.to_owned()..).take_while(|(reader, _)| reader.starts_with(path));
            next.extend(below.flat_map(|(_, nodes)| nodes));
            next.extend(self.holders.get(path).into_iter().flatten());
            next.extend(path.ancestors().filter_map(|above| self.packers.get(above)).flatten());
        }
        next.into_iter().for_each(|node| self.reach(node));
    }
}
