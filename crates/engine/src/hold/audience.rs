//! Who is woken when a resource has another value or was changed.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, Reference, Term};

use crate::graph::NodeIndex;
use crate::program::Program;
use crate::set::ResourceIndex;

/// For each resource, those whom its changes concern; made once for a program.
pub(crate) struct Audience {
    /// Who is held: the last thing that is written of a resource. What comes before it was done once, on the way.
    held: Vec<bool>,
    /// Who reads a resource.
    readers: FxHashMap<ResourceIndex, Vec<NodeIndex>>,
    /// Who stands in a group that subscribes to a resource.
    subscribers: FxHashMap<ResourceIndex, Vec<NodeIndex>>,
    /// Who asks for an action.
    askers: FxHashMap<NodeIndex, FxHashSet<NodeIndex>>,
}

impl Audience {
    pub(crate) fn of(program: &Program) -> Self {
        let mut audience = Self {
            readers: FxHashMap::default(),
            subscribers: FxHashMap::default(),
            askers: FxHashMap::default(),
            held: held(program),
        };
        audience.find_subscribers(program);
        audience.find_readers(program);
        audience.find_askers(program);
        audience
    }

    fn find_readers(&mut self, program: &Program) {
        let groups = program.list.groups();
        for (node, entry) in (0..).zip(program.list.iter()).filter(|(node, _)| self.held[*node as usize]) {
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
        if program.notices.subscriptions().next().is_none() {
            return;
        }
        for (node, entry) in (0..).zip(program.list.iter()) {
            for group in program.list.groups().around(entry.group) {
                for resource in program.notices.subscribed(group).into_iter().flatten() {
                    // It is done when it is called, and then left alone.
                    self.held[node as usize] = false;
                    add(&mut self.subscribers, *resource, node);
                }
            }
        }
    }

    fn find_askers(&mut self, program: &Program) {
        let groups = program.list.groups();
        for (node, entry) in (0..).zip(program.list.iter()).filter(|(node, _)| self.held[*node as usize]) {
            let of_groups = groups.around(entry.group).flat_map(|group| program.notices.of_group(group));
            for notice in program.notices.of_resource(entry.resource).iter().chain(of_groups) {
                self.askers.entry(notice.handler).or_default().insert(node);
            }
        }
    }

    /// Whether a node is held: looked at whenever something may have changed.
    pub(crate) fn is_held(&self, node: NodeIndex) -> bool {
        self.held[node as usize]
    }

    /// All that are.
    pub(crate) fn held(&self) -> impl Iterator<Item = NodeIndex> {
        (0..).zip(&self.held).filter(|(_, held)| **held).map(|(node, _)| node)
    }

    /// Who reads a resource.
    pub(crate) fn readers(&self, resource: ResourceIndex) -> &[NodeIndex] {
        self.readers.get(&resource).map_or(&[], Vec::as_slice)
    }

    /// Who stands in a group that subscribes to a resource.
    pub(crate) fn subscribers(&self, resource: ResourceIndex) -> &[NodeIndex] {
        self.subscribers.get(&resource).map_or(&[], Vec::as_slice)
    }

    /// Whether a node may ask for an action.
    pub(crate) fn asks(&self, node: NodeIndex, handler: NodeIndex) -> bool {
        self.askers.get(&handler).is_some_and(|askers| askers.contains(&node))
    }
}

fn add(map: &mut FxHashMap<ResourceIndex, Vec<NodeIndex>>, resource: ResourceIndex, node: NodeIndex) {
    let nodes = map.entry(resource).or_default();
    // Those of one node come one after the other.
    if nodes.last() != Some(&node) {
        nodes.push(node);
    }
}

/// Of each resource, the last action that says how it should be. A verb says nothing of the kind.
fn held(program: &Program) -> Vec<bool> {
    let mut held = vec![false; program.list.all().len()];
    let mut last: FxHashMap<ResourceIndex, NodeIndex> = FxHashMap::default();
    for (node, entry) in (0..).zip(program.list.iter()) {
        if !matches!(entry.action(), Action::Verb(_)) {
            last.insert(entry.resource, node);
        }
    }
    last.into_values().for_each(|node| held[node as usize] = true);
    held
}
