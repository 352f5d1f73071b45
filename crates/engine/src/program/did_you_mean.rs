//! Suggestions for the id of a resource that is not declared.

use uphold_model::{Name, Place, ResourceId, Term, Value, closest, covering_addresses};

use crate::program::set::{Declared, ResourceSet};

/// The resource, or the call of a module, that is nearest to `id`, as a reference at `place` names it. The block around that
/// place is not meant. Costs a walk over all names.
pub(crate) fn nearest(set: &ResourceSet, id: &ResourceId, place: Option<Place>) -> Option<String> {
    if &*id.kind == "module" {
        return nearest_call(set, &id.to_string());
    }
    let of_kind =
        || set.iter().map(|(_, declared)| declared).filter(|one| one.declaration.id.kind == id.kind);
    let ids = || of_kind().filter(|other| !other.names_at(place)).map(|other| &other.declaration.id);
    let here = || ids().filter(|other| other.module() == id.module());
    let managing = of_kind().find(|one| one.declaration.id.module() == id.module() && manages(one, &id.name));
    let found = managing
        .map(|one| &one.declaration.id)
        .or_else(|| of_same_name(&here, id))
        .or_else(|| of_near_name(&here, id))
        .or_else(|| of_same_name(&|| ids().filter(|other| other.module() != id.module()), id));
    written(found?, id.module().filter(|_| is_inside(set, id, place)))
}

/// Whether a property of a resource is this name: a reference needs the label, not the path that it manages.
fn manages(declared: &Declared, name: &Name) -> bool {
    let is_name = |value: &Term| matches!(value, Term::Known(Value::Text(text)) if text == name);
    declared.declaration.id.name != *name
        && declared.declaration.attributes.iter().any(|one| is_name(&one.value))
}

/// Whether a reference to `id` is written in the module of `id`.
pub(crate) fn is_inside(set: &ResourceSet, id: &ResourceId, place: Option<Place>) -> bool {
    let mut writers = set.iter().map(|(_, declared)| declared).filter(|one| one.names_at(place));
    id.module().is_some() && writers.any(|one| one.declaration.id.module() == id.module())
}

/// The reference to a resource in this module, or in the configuration itself. None if the module cannot name it.
fn written(id: &ResourceId, module: Option<&Name>) -> Option<String> {
    let Some(module) = module else { return Some(id.to_string()) };
    let relative = id.in_module(None);
    let parent = covering_addresses(module).filter(|address| **address != **module).last();
    if id.module() == Some(module) {
        Some(relative.to_string())
    } else if id.module().map(|own| &**own) == parent {
        Some(format!("parent.{relative}"))
    } else {
        None
    }
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
