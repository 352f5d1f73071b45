//! Resources that are no longer declared.

use std::collections::BTreeMap;

use super::record::{AppliedResource, dependency_digest};

/// So many removals are always allowed.
const FREE: usize = 10;
/// Above [`FREE`], at most one in so many resources may be removed.
const SHARE: usize = 5;
/// A module with so many resources may be removed as a whole.
const SMALL_MODULE: usize = 2;

/// The records of one configuration that are not declared, dependents before their dependencies. Only right after a valid
/// load of the whole configuration.
pub fn no_longer_declared<'a>(
    applied: impl Iterator<Item = &'a AppliedResource>,
    is_declared: impl Fn(&AppliedResource) -> bool,
) -> Vec<&'a AppliedResource> {
    let mut left: BTreeMap<String, Vec<&AppliedResource>> = BTreeMap::new();
    for resource in applied.filter(|resource| !is_declared(resource)) {
        left.entry(dependency_digest(&resource.key)).or_default().push(resource);
    }
    dependents_first(&left)
}

/// Orders resources by their digest so that a dependent precedes its dependencies. Resources in a cycle, which only equal
/// short digests can form, come last.
fn dependents_first<'a>(all: &BTreeMap<String, Vec<&'a AppliedResource>>) -> Vec<&'a AppliedResource> {
    let mut dependents: BTreeMap<&str, usize> = all.keys().map(|digest| (digest.as_str(), 0)).collect();
    let edges = |digest: &str| all[digest].iter().flat_map(|resource| &resource.dependencies);
    for digest in all.keys() {
        for dependency in edges(digest) {
            if let Some(count) = dependents.get_mut(dependency.as_str()) {
                *count += 1;
            }
        }
    }
    let mut ready: Vec<&str> =
        dependents.iter().filter(|(_, count)| **count == 0).map(|(digest, _)| *digest).collect();
    let mut ordered = Vec::new();
    while let Some(digest) = ready.pop() {
        dependents.remove(digest);
        ordered.extend(&all[digest]);
        for dependency in edges(digest) {
            let Some(count) = dependents.get_mut(dependency.as_str()) else { continue };
            *count -= 1;
            if *count == 0
                && let Some((digest, _)) = all.get_key_value(dependency)
            {
                ready.push(digest);
            }
        }
    }
    ordered.extend(dependents.keys().flat_map(|digest| &all[*digest]));
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

/// Refuses more than 10 removals that are more than a fifth of the configuration, and all resources of a module with more
/// than 2. `module` gives the module of an address, if it is in one.
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
    if removed.len() > FREE && removed.len() * SHARE > total {
        return Err(TooManyRemovals::Share { removed: removed.len(), of: total });
    }
    let mut left = sizes.clone();
    for module in removed.iter().filter_map(|resource| module(&resource.address)) {
        let left = left.entry(module.clone()).or_default();
        *left = left.saturating_sub(1);
        if *left == 0 && sizes.get(&module).is_some_and(|size| *size > SMALL_MODULE) {
            return Err(TooManyRemovals::Module(module));
        }
    }
    Ok(())
}
