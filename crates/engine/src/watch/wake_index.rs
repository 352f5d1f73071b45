//! Which nodes are woken when the values of a resource change, or the resource itself.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, Reference, Term};

use crate::graph::NodeIndex;
use crate::program::Program;
use crate::program::set::ResourceIndex;

/// For each resource, the nodes that its changes concern; made once for a program.
pub(crate) struct WakeIndex {
    /// Which nodes are watched: the last written action of each resource. Earlier ones were done once, on the way.
    watched: Vec<bool>,
    /// Nodes that read a resource.
    readers: FxHashMap<ResourceIndex, Vec<NodeIndex>>,
    /// Nodes in a group that subscribes to a resource.
    subscribers: FxHashMap<ResourceIndex, Vec<NodeIndex>>,
    /// Nodes that notify a target.
    notifiers: FxHashMap<NodeIndex, FxHashSet<NodeIndex>>,
}

impl WakeIndex {
    pub(crate) fn of(program: &Program) -> Self {
        let mut index = Self {
            readers: FxHashMap::default(),
            subscribers: FxHashMap::default(),
            notifiers: FxHashMap::default(),
            watched: watched(program),
        };
        index.find_subscribers(program);
        index.find_readers(program);
        index.find_notifiers(program);
        index
    }

    /// One of so many nodes that are watched and concern nothing else.
    #[cfg(test)]
    pub(super) fn of_nodes(nodes: usize) -> Self {
        let (readers, subscribers, notifiers) =
            (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { watched: vec![true; nodes], readers, subscribers, notifiers }
    }

    fn find_readers(&mut self, program: &Program) {
        let groups = program.list.groups();
        for (node, entry) in (0..).zip(program.list.iter()).filter(|(node, _)| self.watched[*node as usize]) {
            let guards = groups.around(entry.group).flat_map(|group| groups.get(group).guards());
            let terms = guards.map(|guard| &guard.condition).chain(entry.when());
            let declared = program.set.entry(entry.resource);
            let references = declared.references().chain(terms.flat_map(Term::references));
            let values = references.filter(|reference: &&Reference| !reference.path.is_empty());
            for resource in values.filter_map(|reference| program.set.find(&reference.target)) {
                add(&mut self.readers, resource, node);
            }
        }
    }

    fn find_subscribers(&mut self, program: &Program) {
        if program.notifications.subscriptions().next().is_none() {
            return;
        }
        for (node, entry) in (0..).zip(program.list.iter()) {
            for group in program.list.groups().around(entry.group) {
                let Some(resources) = program.notifications.subscribed(group) else { continue };
                // It runs when one of these changes, and is not watched; with none of them it never runs.
                self.watched[node as usize] = false;
                resources.iter().for_each(|resource| add(&mut self.subscribers, *resource, node));
            }
        }
    }

    fn find_notifiers(&mut self, program: &Program) {
        let groups = program.list.groups();
        for (node, entry) in (0..).zip(program.list.iter()).filter(|(node, _)| self.watched[*node as usize]) {
            let of_groups =
                groups.around(entry.group).flat_map(|group| program.notifications.of_group(group));
            for notice in program.notifications.of_resource(entry.resource).iter().chain(of_groups) {
                self.notifiers.entry(notice.target).or_default().insert(node);
            }
        }
    }

    /// Whether a node is watched: visited whenever it may have changed.
    pub(crate) fn is_watched(&self, node: NodeIndex) -> bool {
        self.watched[node as usize]
    }

    /// All watched nodes.
    pub(crate) fn watched(&self) -> impl Iterator<Item = NodeIndex> {
        (0..).zip(&self.watched).filter(|(_, watched)| **watched).map(|(node, _)| node)
    }

    /// Nodes that read a resource.
    pub(crate) fn readers(&self, resource: ResourceIndex) -> &[NodeIndex] {
        self.readers.get(&resource).map_or(&[], Vec::as_slice)
    }

    /// Nodes in a group that subscribes to a resource.
    pub(crate) fn subscribers(&self, resource: ResourceIndex) -> &[NodeIndex] {
        self.subscribers.get(&resource).map_or(&[], Vec::as_slice)
    }

    /// Whether a node notifies a target.
    pub(crate) fn notifies(&self, node: NodeIndex, target: NodeIndex) -> bool {
        self.notifiers.get(&target).is_some_and(|notifiers| notifiers.contains(&node))
    }
}

fn add(map: &mut FxHashMap<ResourceIndex, Vec<NodeIndex>>, resource: ResourceIndex, node: NodeIndex) {
    let nodes = map.entry(resource).or_default();
    // Those of one node come one after the other.
    if nodes.last() != Some(&node) {
        nodes.push(node);
    }
}

/// The last action of each resource that declares its state. A verb does not.
fn watched(program: &Program) -> Vec<bool> {
    let mut watched = vec![false; program.list.all().len()];
    let mut last: FxHashMap<ResourceIndex, NodeIndex> = FxHashMap::default();
    for (node, entry) in (0..).zip(program.list.iter()) {
        if !matches!(entry.action(), Action::Verb(_)) {
            last.insert(entry.resource, node);
        }
    }
    last.into_values().for_each(|node| watched[node as usize] = true);
    watched
}
