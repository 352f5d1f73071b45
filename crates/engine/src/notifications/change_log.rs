//! The groups and resources that have changed.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::table::NotificationTable;
use crate::graph::NodeIndex;
use crate::program::list::{ActionList, GroupIndex};
use crate::program::set::ResourceIndex;
use crate::schedule::{Downstream, Visit};

/// A node that changed something, and whether that is certain: in a plan it may be that it only may.
type Changed = (NodeIndex, bool);

/// The changes of a run so far.
pub(crate) struct ChangeLog<'p> {
    table: &'p NotificationTable,
    list: &'p ActionList,
    groups: Vec<GroupLog>,
    /// For each resource, its last action that changed it. Empty if no group subscribes to anything.
    resources: Vec<Option<Changed>>,
    /// In a plan, notifiers whose change cannot be predicted.
    unpredicted: FxHashSet<NodeIndex>,
    /// In a plan, resources whose change cannot be predicted, and the node that caused it.
    stale: FxHashMap<ResourceIndex, NodeIndex>,
    /// Members of groups that an earlier run was to visit because of a change.
    pending: FxHashSet<NodeIndex>,
}

#[derive(Clone, Default)]
struct GroupLog {
    /// Its last member that changed.
    changed: Option<Changed>,
    /// All members that changed, if the group notifies of that.
    members: Vec<Changed>,
    /// Whether it has notified of that.
    has_notified: bool,
    has_ended: bool,
}

/// Whether something has changed that the groups of a node subscribe to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Subscription {
    /// It has, or they subscribe to nothing.
    Met,
    /// Nothing has changed.
    Unmet,
    /// It depends on this node, which may change.
    Depends(NodeIndex),
}

impl<'p> ChangeLog<'p> {
    pub(crate) fn new(table: &'p NotificationTable, list: &'p ActionList, resources: usize) -> Self {
        let is_subscribed = table.subscriptions().next().is_some();
        Self {
            table,
            list,
            groups: vec![GroupLog::default(); list.groups.len()],
            resources: if is_subscribed { vec![None; resources] } else { Vec::new() },
            unpredicted: FxHashSet::default(),
            stale: FxHashMap::default(),
            pending: FxHashSet::default(),
        }
    }

    /// Notes a change, on a visit that `notifier` caused.
    pub(crate) fn note(
        &mut self,
        node: NodeIndex,
        certain: bool,
        downstream: Downstream,
        notifier: Option<NodeIndex>,
    ) {
        let entry = self.list.get(node as usize);
        if let Some(changed) = self.resources.get_mut(entry.resource as usize) {
            *changed = newer(*changed, node, certain);
        }
        for group in self.list.groups.around(entry.group) {
            let log = &mut self.groups[group.place()];
            log.changed = newer(log.changed, node, certain);
            if !self.table.of_group(group).is_empty() {
                log.members.push((node, certain));
            }
        }
        self.unpredicted.extend(downstream.unpredicted);
        if downstream.unpredicted == Some(node) {
            self.stale.insert(entry.resource, notifier.unwrap_or(node));
        }
    }

    /// The change of a node is not verified: groups that subscribe to its resource do not run for it.
    pub(crate) fn forget(&mut self, node: NodeIndex) {
        let resource = self.list.get(node as usize).resource;
        if let Some(changed) = self.resources.get_mut(resource as usize) {
            changed.take_if(|(by, _)| *by == node);
        }
    }

    /// An earlier run was to visit this member of a group because of a change, and did not.
    pub(crate) fn inherit(&mut self, member: NodeIndex) {
        self.pending.insert(member);
    }

    /// The member is not visited because of that after all.
    pub(crate) fn withdraw(&mut self, member: NodeIndex) {
        self.pending.remove(&member);
    }

    /// In a plan, the node that has changed a resource in a way that cannot be predicted.
    pub(crate) fn stale(&self, resource: ResourceIndex) -> Option<NodeIndex> {
        self.stale.get(&resource).copied()
    }

    /// Whether the change of a node cannot be predicted, in a plan.
    pub(crate) fn is_unpredicted(&self, node: NodeIndex) -> bool {
        self.unpredicted.contains(&node)
    }

    pub(crate) fn has_ended(&self, group: GroupIndex) -> bool {
        self.groups[group.place()].has_ended
    }

    pub(crate) fn end(&mut self, group: GroupIndex) {
        self.groups[group.place()].has_ended = true;
    }

    /// The change that a group notifies of, and the other members that changed as certainly; once.
    pub(crate) fn take_change(&mut self, group: GroupIndex) -> Option<(Changed, BTreeSet<NodeIndex>)> {
        let group = &mut self.groups[group.place()];
        let (by, certain) = group.changed.filter(|_| !group.has_notified)?;
        group.has_notified = true;
        let members = std::mem::take(&mut group.members).into_iter();
        let others = members.filter(|(other, is_certain)| *other != by && *is_certain == certain);
        Some(((by, certain), others.map(|(other, _)| other).collect()))
    }

    /// Whether something has changed that the groups around an action subscribe to. As with guards, a notification runs no
    /// member of a skipped group.
    pub(crate) fn subscription(&self, visit: Visit) -> Subscription {
        let mut found = Subscription::Met;
        if self.resources.is_empty() || visit.is_woken() || self.pending.contains(&visit.node) {
            return found;
        }
        for group in self.list.groups.around(self.list.get(visit.node as usize).group) {
            let Some(resources) = self.table.subscribed(group) else { continue };
            let changed = resources.iter().filter_map(|resource| self.resources[*resource as usize]);
            match changed.max_by_key(|(_, certain)| *certain) {
                Some((_, true)) => {}
                Some((node, false)) => found = Subscription::Depends(node),
                None => return Subscription::Unmet,
            }
        }
        found
    }
}

/// A certain change counts more than a possible one.
fn newer(old: Option<Changed>, node: NodeIndex, certain: bool) -> Option<Changed> {
    match old {
        Some((_, true)) if !certain => old,
        _ => Some((node, certain)),
    }
}
