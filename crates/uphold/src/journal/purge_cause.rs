//! Purges of paths that the configuration stopped declaring: changes of the configuration, not drift.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;
use uphold_journal::AppliedResource;
use uphold_model::{Claim, Difference, DifferenceCause, PropertySchema, Role, Side, Type, Value};
use uphold_resource::{Instance, Registry};

use super::applied_property::is_absent;
use super::removal::Redeclared;

/// The paths of the resources in some records, with all their parents.
#[derive(Default)]
pub(super) struct AppliedPaths(FxHashSet<PathBuf>);

impl AppliedPaths {
    /// The paths that these resources provided, edited or owned.
    pub(super) fn of<'a>(records: impl Iterator<Item = &'a AppliedResource>, kinds: &Registry) -> Self {
        let mut paths = Self::default();
        for record in records.filter(|record| !is_absent(record)) {
            let Some(claims) = Redeclared::claims(record, kinds) else { continue };
            claims.provided().chain(&claims.edits).for_each(|claim| {
                if let Claim::Path(path) = claim {
                    paths.insert(path);
                }
            });
            claims.owns.iter().for_each(|path| paths.insert(path));
        }
        paths
    }

    /// Stops where the parents are known already.
    fn insert(&mut self, path: &Path) {
        for path in path.ancestors() {
            if !self.0.insert(path.to_owned()) {
                break;
            }
        }
    }

    /// Whether it contains this path or one below it.
    pub(super) fn contains(&self, path: &Path) -> bool {
        self.0.contains(path)
    }
}

/// The cause of a difference of an existing resource, which is `cause` unless it is a purge.
///
/// A purge removes only paths that no resource declares. So a path that was applied is no longer declared: then the
/// configuration changed, and not the machine.
pub(super) fn cause_of_purge(
    cause: DifferenceCause,
    instance: &dyn Instance,
    difference: &Difference,
    was_applied: impl Fn(&Path) -> bool,
) -> DifferenceCause {
    let Some(purged) = purged(instance, difference).filter(|_| cause.is_drift()) else { return cause };
    let undeclared = purged.iter().filter(|path| was_applied(path)).count();
    match undeclared {
        0 => cause,
        all if all == purged.len() => DifferenceCause::New,
        _ => DifferenceCause::Both,
    }
}

/// The paths that a purge removes. None if the difference is no purge.
fn purged(instance: &dyn Instance, difference: &Difference) -> Option<Vec<PathBuf>> {
    let schema = instance.schema();
    let is_purge = matches!(schema.property(&difference.property)?.ty, Type::Named { name: "purge", .. });
    let is_name = |property: &PropertySchema| property.role == Role::Name;
    let directory = instance.value(schema.find(&is_name).filter(|_| is_purge)?.name, None)?;
    let Value::Text(directory) = directory.reveal() else { return None };
    let (found, stays) = (entries(&difference.from), entries(&difference.to));
    let stays: FxHashSet<&str> = stays.into_iter().collect();
    let removed = found.into_iter().filter(|entry| !stays.contains(entry));
    Some(removed.map(|entry| Path::new(&**directory).join(entry.trim_end_matches('/'))).collect())
}

fn entries(side: &Side) -> Vec<&str> {
    let Some(Value::List(entries)) = side.value().map(Value::reveal) else { return Vec::new() };
    let texts = entries.iter().filter_map(|entry| match entry {
        Value::Text(text) => Some(&**text),
        _ => None,
    });
    texts.collect()
}
