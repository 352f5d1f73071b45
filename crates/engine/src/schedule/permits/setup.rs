//! The permits that the nodes of a program need.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::{Member, MemberIndex, Permit, PermitIndex, PermitKind, Permits};
use crate::graph::NodeIndex;
use crate::program::Program;
use crate::program::list::GroupIndex;
use crate::program::set::ResourceIndex;

impl Permits {
    pub(crate) fn new(program: &Program) -> Self {
        let mut permits = Self::default();
        permits.add_resources(program);
        (0..).zip(program.list.all()).for_each(|(node, _)| permits.add_locks_of(node, program));
        permits.add_groups(program);
        permits
    }

    /// One visit of a resource at a time. Written actions of one resource are ordered by edges; a notified one can come
    /// at any time.
    fn add_resources(&mut self, program: &Program) {
        let list = &program.list;
        for entry in &list.all()[list.len()..] {
            if !self.of_resources.contains_key(&entry.resource) {
                self.add_resource(entry.resource);
            }
        }
        if self.of_resources.is_empty() {
            return;
        }
        for (node, entry) in (0..).zip(list.all()) {
            if let Some(permit) = self.of_resources.get(&entry.resource) {
                self.of_nodes.entry(node).or_default().push(*permit);
            }
        }
    }

    fn add_locks_of(&mut self, node: NodeIndex, program: &Program) {
        for lock in program.handling(node).into_iter().flat_map(|handling| &handling.locks) {
            let permit = match self.named.get(&lock.name) {
                Some(permit) => *permit,
                None => {
                    let most = lock.most.get() as usize;
                    let permit = self.add(most, PermitKind::Lock { executing: 0, most });
                    self.named.insert(lock.name.clone(), permit);
                    permit
                }
            };
            let held = self.of_nodes.entry(node).or_default();
            if !held.contains(&permit) {
                held.push(permit);
            }
        }
    }

    fn add_resource(&mut self, resource: ResourceIndex) -> PermitIndex {
        let permit = self.add(1, PermitKind::Resource);
        self.of_resources.insert(resource, permit);
        permit
    }

    /// Adds a node while the program runs. The other nodes of its resource may be visited now.
    pub(crate) fn add_node(&mut self, node: NodeIndex, program: &Program) {
        if self.of_nodes.contains_key(&node) {
            return;
        }
        let resource = program.entry(node).resource;
        let permit = self.of_resources.get(&resource).copied().unwrap_or_else(|| {
            let permit = self.add_resource(resource);
            for sibling in program.nodes_of(resource) {
                self.of_nodes.entry(*sibling).or_default().insert(0, permit);
                if let Some(visit) = self.holding.get(sibling) {
                    (self.permits[permit].free, self.permits[permit].holder) = (0, Some(*visit));
                }
            }
            permit
        });
        self.of_nodes.insert(node, vec![permit]);
        self.add_locks_of(node, program);
    }

    /// A lock for one visit at a time, or a resource, that these nodes share.
    #[cfg(test)]
    pub(in crate::schedule) fn share(&mut self, nodes: impl Iterator<Item = NodeIndex>, is_resource: bool) {
        let lock = PermitKind::Lock { executing: 0, most: 1 };
        let permit = self.add(1, if is_resource { PermitKind::Resource } else { lock });
        nodes.for_each(|node| self.of_nodes.entry(node).or_default().push(permit));
    }

    fn add_groups(&mut self, program: &Program) {
        let groups = &program.list.groups;
        let limited = groups.iter().filter_map(|(index, group)| Some((index, group.concurrency?)));
        let limited: FxHashMap<GroupIndex, PermitIndex> =
            limited.map(|(index, most)| (index, self.add(most.get(), PermitKind::Group))).collect();
        if limited.is_empty() {
            return;
        }
        let mut members: FxHashMap<(GroupIndex, Result<GroupIndex, NodeIndex>), MemberIndex> =
            FxHashMap::default();
        for (node, entry) in (0..).zip(program.list.iter()) {
            let mut inner = Err(node);
            for group in groups.around(entry.group) {
                if let Some(&permit) = limited.get(&group) {
                    let member = *members.entry((group, inner)).or_insert_with(|| {
                        self.members.push(Member { permit, left: 0, begun: false, waiting: Vec::new() });
                        self.members.len() - 1
                    });
                    self.members[member].left += 1;
                    self.of_members.entry(node).or_default().push(member);
                }
                inner = Ok(group);
            }
        }
    }

    fn add(&mut self, free: usize, kind: PermitKind) -> PermitIndex {
        let parked = BinaryHeap::new();
        self.permits.push(Permit { free, lent: 0, parked, holder: None, kind });
        self.permits.len() - 1
    }
}
