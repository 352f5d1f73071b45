//! Resources that were applied, and are no longer declared.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_engine::Program;
use uphold_journal::{
    Applied, AppliedResource, LastSet, LeftResource, Records, ResourceKey, Result, no_longer_declared,
};
use uphold_model::{OnRemoval, ResourceId, covering_addresses};
use uphold_resource::Instance;

use super::applied_property::is_absent;
use super::removal::Removals;
use super::words;

/// The declared resources, as far as they are known before the run.
pub(super) struct DeclaredResources<'a> {
    program: &'a Program,
    /// Resources that read others, without the values that depend on the machine.
    deferred: FxHashMap<ResourceId, Box<dyn Instance>>,
    /// Resources whose identity is known only during the run.
    unknown: FxHashSet<ResourceId>,
}

impl<'a> DeclaredResources<'a> {
    pub(super) fn of(program: &'a Program) -> Self {
        let deferred = program.deferred().into_iter();
        let deferred: FxHashMap<ResourceId, Box<dyn Instance>> = deferred
            .filter_map(|(declared, instance)| Some((declared.declaration.id.clone(), instance?)))
            .collect();
        // A resource that is being visited is not known, either.
        let mut unknown: FxHashSet<ResourceId> = program.declared_ids().cloned().collect();
        program.for_each_decoded(|declared, _| _ = unknown.remove(&declared.declaration.id));
        unknown.retain(|id| !deferred.contains_key(id));
        Self { program, deferred, unknown }
    }

    /// Calls `visit` with each resource whose identity is known.
    pub(super) fn for_each(&self, mut visit: impl FnMut(&ResourceId, &dyn Instance)) {
        self.program.for_each_decoded(|declared, instance| visit(&declared.declaration.id, instance));
        self.deferred.iter().for_each(|(id, instance)| visit(id, &**instance));
    }

    /// Passes a resource to `read`, if its identity is known.
    pub(super) fn with<T>(&self, id: &ResourceId, read: impl Fn(&dyn Instance) -> T) -> Option<T> {
        let deferred = self.deferred.get(id).map(|instance| read(&**instance));
        deferred.or_else(|| self.program.with_decoded(id, read))
    }

    /// The keys of all resources. `has_secrets`: a record may have the key of a resource with `sensitive = true`.
    pub(super) fn keys(&self, has_secrets: bool) -> DeclaredKeys {
        let (set, mut keys, mut other_keys) =
            (self.program.set(), FxHashMap::default(), FxHashMap::default());
        self.for_each(|id, instance| {
            let meta = set.find(id).map(|index| &set.entry(index).declaration.meta);
            let sensitive = meta.is_some_and(|meta| meta.sensitive);
            let on_removal = meta.map(|meta| meta.on_removal).unwrap_or_default();
            let key = words::applied_key("", id, instance, sensitive);
            if sensitive || has_secrets {
                let other = words::applied_key("", id, instance, !sensitive);
                if other != key {
                    other_keys.insert((other.kind, other.identity), (id.to_string(), on_removal));
                }
            }
            keys.insert((key.kind, key.identity), on_removal);
        });
        let addresses = self.unknown.iter().map(ToString::to_string).collect();
        let inactive = self.program.inactive().iter();
        let inactive = inactive.map(|block| (block.id.to_string(), block.on_removal)).collect();
        DeclaredKeys { keys, other_keys, addresses, inactive }
    }

    /// The kinds of resources with an unknown identity and no record by their address, each with one such address: any record
    /// of these kinds may be theirs.
    pub(super) fn unknown_kinds(&self, all: &[&AppliedResource]) -> FxHashMap<String, String> {
        if self.unknown.is_empty() {
            return FxHashMap::default();
        }
        let recorded: FxHashSet<&str> =
            all.iter().filter(|record| !record.is_left).map(|record| &*record.address).collect();
        let unknown = self.unknown.iter().map(|id| (id.kind.to_string(), id.to_string()));
        unknown.filter(|(_, address)| !recorded.contains(&**address)).collect()
    }
}

/// The keys of all declared resources, as far as they are known before the run.
pub(super) struct DeclaredKeys {
    /// Kinds and identities, with the policies.
    keys: FxHashMap<(String, String), OnRemoval>,
    /// The keys that resources had before `sensitive = true` was added or removed, with their addresses and policies.
    other_keys: FxHashMap<(String, String), (String, OnRemoval)>,
    /// The addresses of resources whose identity is known only during the run.
    addresses: FxHashSet<String>,
    /// The addresses of resources, blocks and modules whose `when` is false, with the policies of their resources.
    inactive: FxHashMap<String, Option<OnRemoval>>,
}

impl DeclaredKeys {
    /// Whether a resource is declared, or may be.
    pub(super) fn contains(&self, record: &AppliedResource) -> bool {
        self.addresses.contains(&record.address) || self.contains_key(record)
    }

    /// Whether a resource is declared, by its identity or by a condition that is false.
    fn contains_key(&self, record: &AppliedResource) -> bool {
        self.inactive(record).is_some() || self.by_identity(record).is_some()
    }

    /// The policy in the declaration of a resource, if it is declared and has one there.
    pub(super) fn on_removal(&self, record: &AppliedResource) -> Option<OnRemoval> {
        self.by_identity(record).or_else(|| self.inactive(record).flatten())
    }

    fn by_identity(&self, record: &AppliedResource) -> Option<OnRemoval> {
        let key = (record.key.kind.clone(), record.key.identity.clone());
        let other = || self.other_keys.get(&key).map(|(_, on_removal)| *on_removal);
        self.keys.get(&key).copied().or_else(other)
    }

    /// Whether a resource has a new record, with another key, because `sensitive = true` was added or removed. `visited` are the
    /// addresses with new records.
    pub(super) fn has_other_key(&self, record: &AppliedResource, visited: &FxHashSet<String>) -> bool {
        let key = (record.key.kind.clone(), record.key.identity.clone());
        let other = self.other_keys.get(&key).filter(|_| !self.keys.contains_key(&key));
        other.is_some_and(|(address, _)| visited.contains(address))
    }

    /// The policy of the block of a resource whose condition is false; none if there is no such block.
    fn inactive(&self, record: &AppliedResource) -> Option<Option<OnRemoval>> {
        if self.inactive.is_empty() {
            return None;
        }
        covering_addresses(&record.address).find_map(|block| self.inactive.get(block).copied())
    }

    /// The same after the run: the identities of these addresses are known by now.
    pub(super) fn contains_after(&self, record: &AppliedResource, visited: &FxHashSet<String>) -> bool {
        let is_unknown = self.addresses.contains(&record.address) && !visited.contains(&record.address);
        is_unknown || self.contains_key(record)
    }
}

/// The start of the digest of a set: the part that is known before the run.
pub(super) fn start_of_set(program: &Program) -> String {
    format!("{:016x}.", program.digest().hash)
}

/// The last set, if it is the one that is declared now.
pub(super) fn same_set(records: &Records, configuration: &str, program: &Program) -> Result<Option<LastSet>> {
    let last = records.last_set(configuration)?;
    Ok(last.filter(|last| last.set.starts_with(&start_of_set(program))))
}

/// The resources of a configuration that were applied, and are not in `declared`.
pub(super) fn left(applied: &Applied, configuration: &str, declared: &DeclaredKeys) -> Vec<LeftResource> {
    let all = applied.of_configuration(configuration);
    let is_declared = |record: &AppliedResource| is_absent(record) || declared.contains(record);
    let covering = |address: &str| covering_addresses(address).map(str::to_owned).collect();
    let left = no_longer_declared(all, is_declared, covering);
    left.into_iter().map(LeftResource::from).collect()
}

/// The resources that are no longer declared, with the reasons why they are not removed; without those that are.
pub(super) fn with_refusals(
    left: Vec<LeftResource>,
    configuration: &str,
    removals: &Removals,
) -> Vec<LeftResource> {
    let key = |left: &LeftResource| ResourceKey::new(configuration, &*left.kind, &*left.identity);
    let stays = left.into_iter().filter(|left| !removals.ends(&key(left)));
    let described = stays.map(|left| {
        let key = key(&left);
        LeftResource {
            refusal: removals.refusal(&key).cloned(),
            block_removal: removals.removal(&key),
            ..left
        }
    });
    described.collect()
}
