//! Suggestions for the id of a resource that is not declared.

use uphold_model::{Place, ResourceId, closest, covering_addresses};

use crate::program::set::{Declared, ResourceSet};

/// The resource, or the call of a module, that is nearest to `id`, which is named at `place`. The block around that place is
/// not meant. Costs a walk over all names.
pub(crate) fn nearest(set: &ResourceSet, id: &ResourceId, place: Option<Place>) -> Option<String> {
    if &*id.kind == "module" {
        return nearest_call(set, &id.to_string());
    }
    let is_other =
        |declared: &&Declared| declared.declaration.id.kind == id.kind && !declared.names_at(place);
    let ids = || set.iter().map(|(_, declared)| declared).filter(is_other).map(|other| &other.declaration.id);
    let here = || ids().filter(|other| other.module() == id.module());
    let found = of_same_name(&here, id)
        .or_else(|| of_near_name(&here, id))
        .or_else(|| of_near_name(&|| ids().filter(|other| other.module() != id.module()), id));
    found.map(ToString::to_string)
}

/// The same block, but another of the resources that its `for_each` declares.
fn of_same_name<'a, I: Iterator<Item = &'a ResourceId>>(
    ids: &impl Fn() -> I,
    id: &ResourceId,
) -> Option<&'a ResourceId> {
    let same = || ids().filter(|other| other.name == id.name);
    let Some(key) = id.key() else { return same().next() };
    let near = closest(key, same().filter_map(|other| other.key().map(|key| &**key)));
    same().find(|other| other.key().map(|key| &**key) == near)
}

/// A block of a similar name; of several resources that it declares, the one with the same key.
fn of_near_name<'a, I: Iterator<Item = &'a ResourceId>>(
    ids: &impl Fn() -> I,
    id: &ResourceId,
) -> Option<&'a ResourceId> {
    let near = closest(&id.name, ids().map(|other| &*other.name))?;
    let mut named = ids().filter(|other| *other.name == *near);
    let first = named.next()?;
    let is_same = |other: &&ResourceId| other.key() == id.key();
    if is_same(&first) { Some(first) } else { named.find(is_same).or(Some(first)) }
}

fn nearest_call(set: &ResourceSet, call: &str) -> Option<String> {
    let modules = set.iter().filter_map(|(_, declared)| declared.declaration.id.module());
    closest(call, modules.flat_map(|module| covering_addresses(module))).map(str::to_owned)
}
