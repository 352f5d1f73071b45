//! The last applied values after an undo.

use std::collections::BTreeSet;

use uphold_journal::{ActionBegin, Applied, AppliedResource, Records, Result, Time};
use uphold_resource::{Machine, Registry};

use super::super::removal::Redeclared;
use super::changed_since::TargetKey;

/// A resource whose change is undone.
#[derive(Debug)]
pub(in crate::journal) struct UndoneRecord {
    target: TargetKey,
    /// Its last applied values, if they ended with the change.
    ended: Option<AppliedResource>,
}

impl UndoneRecord {
    pub(super) fn of(begin: &ActionBegin) -> Self {
        let ended = begin.applied.as_deref().cloned();
        let key = ended.as_ref().map_or(&begin.key, |ended| &ended.key);
        Self { target: (key.kind.clone(), key.identity.clone()), ended }
    }
}

/// Makes the records of undone changes those of the present state, whichever configuration declared them: the undo did that,
/// so it is no drift. A resource that does not exist any more has no record. One that is no longer declared, and came back,
/// has its record again.
pub(in crate::journal) fn update_records(
    undone: &[UndoneRecord],
    records: &Records,
    machine: &Machine,
    kinds: &Registry,
    now: Time,
) -> Result<()> {
    let (mut applied, _) = records.applied(now)?;
    let mut configurations = BTreeSet::new();
    let host = machine.reading();
    let key = || records.secret_key().ok();
    for UndoneRecord { target, ended } in undone {
        let mut known = of_target(&applied, target);
        known.extend(ended.iter().filter(|ended| applied.get(&ended.key).is_none()).cloned());
        for record in known {
            let configuration = record.key.configuration.clone();
            let is_ended = ended.as_ref().is_some_and(|ended| ended.key == record.key);
            match Redeclared::observe(&record, kinds, &host, key) {
                Some(properties) => {
                    let is_left = record.is_left || is_ended;
                    applied.put(AppliedResource { properties, is_left, ..record });
                }
                None => _ = applied.forget(&record.key),
            }
            configurations.insert(configuration);
        }
    }
    configurations.iter().for_each(|configuration| applied.finish(configuration, None));
    applied.failure().cloned().map_or(Ok(()), Err)
}

fn of_target(applied: &Applied, (kind, identity): &TargetKey) -> Vec<AppliedResource> {
    let of_target =
        applied.all().filter(|record| record.key.kind == *kind && record.key.identity == *identity);
    of_target.cloned().collect()
}
