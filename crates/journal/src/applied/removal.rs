//! Resources that are no longer declared.

use std::collections::BTreeMap;

use super::record::{AppliedResource, dependency_digest};

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
