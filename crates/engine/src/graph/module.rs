//! `depends_on` with the call of a module, or with a block that has `for_each`: all its resources are dependencies.

use rustc_hash::FxHashMap;
use uphold_model::{Diagnostics, Place, Reference};

use super::adjacency::Draft;
use super::edge::{NodeIndex, Reason};
use super::passes::Nodes;
use crate::program::did_you_mean::calls;

/// A node, and its dependency that is no resource.
pub(super) type Waiting<'a> = (NodeIndex, &'a Reference);

/// One call of a module, or several of the same name, that others depend on.
#[derive(Default)]
struct Call {
    exists: bool,
    /// The last action on each resource in it.
    members: Vec<NodeIndex>,
    /// Its dependents, and the places of these references.
    waiting: Vec<(NodeIndex, Option<Place>)>,
}

/// Adds the edges from the modules that `waiting` names; a name that is no module is a diagnostic.
pub(super) fn depend(
    nodes: &Nodes<'_>,
    waiting: &[Waiting<'_>],
    draft: &mut Draft,
    diagnostics: &mut Diagnostics,
) {
    let mut named: FxHashMap<String, usize> = FxHashMap::default();
    let mut found: Vec<Call> = Vec::new();
    let mut call_of = Vec::with_capacity(waiting.len());
    for (node, reference) in waiting {
        let call = *named.entry(reference.target.to_string()).or_insert_with(|| {
            found.push(Call::default());
            found.len() - 1
        });
        found[call].waiting.push((*node, reference.place));
        call_of.push(call);
    }
    collect_members(nodes, &named, &mut found);
    collect_ends(nodes, &named, &mut found, draft);
    for ((_, reference), call) in waiting.iter().zip(call_of) {
        if !found[call].exists {
            let (target, place) = (&reference.target, reference.place);
            diagnostics.push(nodes.set.missing(target, place, "named in depends_on"));
        }
    }
    for call in found {
        draft.join(&call.members, &call.waiting, &Reason::DependsOn);
    }
}

fn collect_members(nodes: &Nodes<'_>, named: &FxHashMap<String, usize>, found: &mut [Call]) {
    if named.is_empty() {
        return;
    }
    for (resource, declared) in nodes.set.iter() {
        let id = &declared.declaration.id;
        let block = id.key().map(|_| id.with_key(None).to_string());
        let around = id.module().into_iter().flat_map(|module| calls(module));
        for call in around.chain(block.as_deref()).filter_map(|call| named.get(call)) {
            let call = &mut found[*call];
            call.exists = true;
            call.members.extend(nodes.of_resource[resource as usize].last());
        }
    }
}

/// The end of a module's group belongs to the module.
fn collect_ends(nodes: &Nodes<'_>, named: &FxHashMap<String, usize>, found: &mut [Call], draft: &Draft) {
    for (index, group) in nodes.list.groups.iter() {
        let (Some(name), Some(end)) = (&group.name, draft.end_of(index)) else { continue };
        for call in calls(name).filter_map(|call| named.get(call)) {
            found[*call].members.push(end);
        }
    }
}
