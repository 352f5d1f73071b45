//! What a whole group waits for: what its guards read, and what it subscribes to.

use rustc_hash::FxHashMap;
use uphold_model::{Place, Reference};

use super::draft::Draft;
use super::edge::{NodeIndex, Reason};
use super::passes::Nodes;
use crate::program::groups::GroupIndex;

/// Adds an edge to every member.
pub(super) fn wait(nodes: &Nodes<'_>, draft: &mut Draft) {
    let waiting = waiting(nodes);
    if waiting.is_empty() {
        return;
    }
    let members = members(nodes, &waiting);
    for (group, waits) in &waiting {
        let Some(members) = members.get(group) else { continue };
        for (reason, before) in [(Reason::Reference, &waits.reads), (Reason::Subscribes, &waits.subscribes)] {
            let inside = |node: &NodeIndex| members.binary_search_by_key(node, |(member, _)| *member).is_ok();
            let before: Vec<_> = before.iter().copied().filter(|node| !inside(node)).collect();
            draft.join(&before, members, &reason);
        }
    }
}

/// What one group waits for: the last action on each resource.
#[derive(Default)]
struct Waits {
    reads: Vec<NodeIndex>,
    subscribes: Vec<NodeIndex>,
}

fn waiting(nodes: &Nodes<'_>) -> FxHashMap<GroupIndex, Waits> {
    let mut waiting: FxHashMap<GroupIndex, Waits> = FxHashMap::default();
    let last = |reference: &Reference| {
        let target = nodes.set.find(&reference.target)?;
        nodes.of_resource[target as usize].last().copied()
    };
    for (index, group) in nodes.list.groups().iter() {
        let references = group.guards().iter().flat_map(|guard| guard.condition.references());
        let reads: Vec<_> = references.filter_map(last).collect();
        if !reads.is_empty() {
            waiting.entry(index).or_default().reads = reads;
        }
    }
    for (group, resources) in nodes.notifications.subscriptions() {
        let last = resources.iter().filter_map(|resource| nodes.of_resource[*resource as usize].last());
        waiting.entry(group).or_default().subscribes = last.copied().collect();
    }
    waiting
}

/// The nodes in each of these groups, however deep: written ones, then those that are done on request.
fn members(
    nodes: &Nodes<'_>,
    groups: &FxHashMap<GroupIndex, Waits>,
) -> FxHashMap<GroupIndex, Vec<(NodeIndex, Option<Place>)>> {
    let mut members: FxHashMap<GroupIndex, Vec<_>> = FxHashMap::default();
    for (node, entry) in (0..).zip(nodes.list.all()) {
        for group in nodes.list.groups().around(entry.group).filter(|group| groups.contains_key(group)) {
            members.entry(group).or_default().push((node, nodes.list.groups().get(group).place));
        }
    }
    members
}
