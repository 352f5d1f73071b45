//! Resources that were applied, and are no longer declared.

use rustc_hash::FxHashSet;
use uphold_engine::Program;
use uphold_journal::{Applied, AppliedResource, LastSet, LeftResource, Records, Result, no_longer_declared};
use uphold_model::ResourceId;

use super::applied_property::is_absent;
use super::words;

/// The keys of all declared resources, as far as they are known before the run.
pub(super) struct DeclaredKeys {
    /// Kinds and identities.
    keys: FxHashSet<(String, String)>,
    /// The addresses of resources whose identity is known only during the run.
    addresses: FxHashSet<String>,
    /// The addresses of resources, blocks and modules whose `when` is false.
    inactive: FxHashSet<String>,
}

impl DeclaredKeys {
    pub(super) fn of(program: &Program) -> Self {
        let (mut keys, mut decoded) = (FxHashSet::default(), FxHashSet::<ResourceId>::default());
        program.for_each_decoded(|declared, instance| {
            let declaration = &declared.declaration;
            let key = words::applied_key("", &declaration.id, instance, declaration.meta.sensitive);
            keys.insert((key.kind, key.identity));
            decoded.insert(declaration.id.clone());
        });
        let others = program.set().ids().filter(|id| !decoded.contains(*id));
        let addresses = others.map(ToString::to_string).collect();
        Self { keys, addresses, inactive: program.inactive().iter().map(ToString::to_string).collect() }
    }

    /// Whether a resource is declared, or may be.
    pub(super) fn contains(&self, record: &AppliedResource) -> bool {
        let address = &record.address;
        let ends = address.char_indices().filter(|(_, sign)| matches!(sign, '.' | '['));
        let mut blocks = ends.map(|(end, _)| &address[..end]).chain([address.as_str()]);
        self.addresses.contains(address)
            || (!self.inactive.is_empty() && blocks.any(|block| self.inactive.contains(block)))
            || self.keys.contains(&(record.key.kind.clone(), record.key.identity.clone()))
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
    let left = no_longer_declared(all, |record| is_absent(record) || declared.contains(record));
    left.into_iter().map(LeftResource::from).collect()
}
