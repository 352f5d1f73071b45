//! Edges of groups and modules: sequences, the dependencies of a whole group, and `depends_on` with the call of a module or
//! with a block that has `for_each`: all its resources are dependencies.

use rustc_hash::FxHashMap;
use uphold_model::{Diagnostics, Order, Place, Reference, covering_addresses};

use super::Nodes;
use super::adjacency::Draft;
use super::edge::{NodeIndex, Reason};
use crate::program::list::GroupIndex;

/// A member of a group, seen from outside. Edges to it end at its `first` nodes; edges from it start at its `last` ones.
#[derive(Default)]
struct Member {
    first: Vec<NodeIndex>,
    last: Vec<NodeIndex>,
}

/// A group that is being read.
struct Open {
    group: GroupIndex,
    order: Order,
    place: Option<Place>,
    /// Its members so far, as one.
    whole: Member,
}

/// Adds the edges of all sequences.
///
/// # Flow
/// The list is read once, with the open groups on a stack. Each node is among the first nodes of
/// at most one member that has one before it, and among the last ones of at most one that has one
/// after it: so there are at most two edges a node, however deep the groups lie.
pub(super) fn sequence(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
    if nodes.list.groups.len() == 0 {
        return;
    }
    let mut open: Vec<Open> = Vec::new();
    for (node, entry) in (0..).zip(nodes.list.iter()) {
        enter(nodes, entry.group, &mut open, draft);
        if let Some(innermost) = open.last_mut() {
            innermost.add(Member { first: vec![node], last: vec![node] }, draft);
        }
    }
    enter(nodes, None, &mut open, draft);
}

/// Closes and opens groups until `group` is the innermost one.
fn enter(nodes: &Nodes<'_>, group: Option<GroupIndex>, open: &mut Vec<Open>, draft: &mut Draft) {
    let mut path = Vec::new();
    let mut at = group;
    // An open group is found by its depth, which is its index on the stack.
    while let Some(index) = at {
        let around = nodes.list.groups.get(index);
        if open.get(around.depth()).is_some_and(|open| open.group == index) {
            break;
        }
        path.push(index);
        at = around.parent;
    }
    let stays = at.map_or(0, |index| nodes.list.groups.get(index).depth() + 1);
    while open.len() > stays {
        close(open, draft);
    }
    for index in path.into_iter().rev() {
        let group = nodes.list.groups.get(index);
        open.push(Open { group: index, order: group.order, place: group.place, whole: Member::default() });
    }
}

/// The innermost group is complete: it is one member of the group around it. Nodes after it wait for its end, if it has
/// one.
fn close(open: &mut Vec<Open>, draft: &mut Draft) {
    let Some(mut done) = open.pop() else { return };
    if let Some(end) = draft.end_of(done.group) {
        draft.join(&done.whole.last, &[(end, done.place)], &Reason::Sequence);
        done.whole.last = vec![end];
    }
    if let Some(outer) = open.last_mut() {
        outer.add(done.whole, draft);
    }
}

impl Open {
    fn add(&mut self, member: Member, draft: &mut Draft) {
        match self.order {
            Order::Parallel => {
                merge(&mut self.whole.first, member.first);
                merge(&mut self.whole.last, member.last);
            }
            Order::Sequence if self.whole.first.is_empty() => self.whole = member,
            Order::Sequence => {
                let after: Vec<_> = member.first.iter().map(|&node| (node, self.place)).collect();
                draft.join(&self.whole.last, &after, &Reason::Sequence);
                self.whole.last = member.last;
            }
        }
    }
}

/// Adds the shorter list to the longer one, so that nested groups cost no more than flat ones.
fn merge(all: &mut Vec<NodeIndex>, mut more: Vec<NodeIndex>) {
    if more.len() > all.len() {
        std::mem::swap(all, &mut more);
    }
    all.append(&mut more);
}

/// The dependencies of a whole group are those of every member: the resources that its guards read, and those that it
/// subscribes to.
pub(super) fn wait(nodes: &Nodes<'_>, draft: &mut Draft, _: &mut Diagnostics) {
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

/// The dependencies of one group: the last action on each resource.
#[derive(Default)]
struct Waits {
    reads: Vec<NodeIndex>,
    subscribes: Vec<NodeIndex>,
}

fn waiting(nodes: &Nodes<'_>) -> FxHashMap<GroupIndex, Waits> {
    let mut waiting: FxHashMap<GroupIndex, Waits> = FxHashMap::default();
    let last = |reference: &Reference| {
        let target = nodes.set.find(&reference.target)?;
        nodes.of_resource[target].last().copied()
    };
    for (index, group) in nodes.list.groups.iter() {
        let references = group.guards().iter().flat_map(|guard| guard.condition.references());
        let reads: Vec<_> = references.filter_map(last).collect();
        if !reads.is_empty() {
            waiting.entry(index).or_default().reads = reads;
        }
    }
    for (group, resources) in nodes.notifications.subscriptions() {
        let last = resources.iter().filter_map(|resource| nodes.of_resource[*resource].last());
        waiting.entry(group).or_default().subscribes = last.copied().collect();
    }
    waiting
}

/// The nodes in each of these groups, however deep: written ones, then those that run only when they are notified.
fn members(
    nodes: &Nodes<'_>,
    groups: &FxHashMap<GroupIndex, Waits>,
) -> FxHashMap<GroupIndex, Vec<(NodeIndex, Option<Place>)>> {
    let mut members: FxHashMap<GroupIndex, Vec<_>> = FxHashMap::default();
    for (node, entry) in (0..).zip(nodes.list.all()) {
        for group in nodes.list.groups.around(entry.group).filter(|group| groups.contains_key(group)) {
            members.entry(group).or_default().push((node, nodes.list.groups.get(group).place));
        }
    }
    members
}

/// A node, and its dependency that is no resource.
pub(super) type ModuleDependency<'a> = (NodeIndex, &'a Reference);

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
pub(super) fn depend_on_modules(
    nodes: &Nodes<'_>,
    waiting: &[ModuleDependency<'_>],
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
    // An element that is no longer declared is no member any more: it may be removed after the dependents.
    for (resource, declared) in nodes.set.iter().take(nodes.declared) {
        let id = &declared.declaration.id;
        let block = id.key().map(|_| id.with_key(None).to_string());
        let around = id.module().into_iter().flat_map(|module| covering_addresses(module));
        for call in around.chain(block.as_deref()).filter_map(|call| named.get(call)) {
            let call = &mut found[*call];
            call.exists = true;
            call.members.extend(nodes.of_resource[resource].last());
        }
    }
}

/// The end of a module's group belongs to the module.
fn collect_ends(nodes: &Nodes<'_>, named: &FxHashMap<String, usize>, found: &mut [Call], draft: &Draft) {
    for (index, group) in nodes.list.groups.iter() {
        let (Some(name), Some(end)) = (&group.name, draft.end_of(index)) else { continue };
        for call in covering_addresses(name).filter_map(|call| named.get(call)) {
            found[*call].members.push(end);
        }
    }
}
