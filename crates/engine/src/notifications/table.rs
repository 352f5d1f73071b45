//! The notifications that a program declares.

use rustc_hash::FxHashMap;
use uphold_model::{
    Action, Code, Diagnostic, Diagnostics, Moment, Notification, Place, Reference, ResourceId,
};
use uphold_resource::Registry;

use crate::graph::NodeIndex;
use crate::program::decode::check_action;
use crate::program::list::{ActionEntry, ActionList, GroupIndex};
use crate::program::set::{ResourceIndex, ResourceSet};

/// One notification, ready to be delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notice {
    /// The action that runs: an entry of the list that runs only when it is notified.
    pub(crate) target: NodeIndex,
    pub(crate) moment: Moment,
}

/// Which resource and group notifies which action.
#[derive(Debug, Default)]
pub(crate) struct NotificationTable {
    of_resources: FxHashMap<ResourceIndex, Vec<Notice>>,
    of_groups: FxHashMap<GroupIndex, Vec<Notice>>,
    /// Resources whose change makes a group run.
    subscriptions: FxHashMap<GroupIndex, Vec<ResourceIndex>>,
    /// The members of groups that subscribe to something; then the groups that subscribe to each resource.
    members: FxHashMap<GroupIndex, Vec<NodeIndex>>,
    subscribers: FxHashMap<ResourceIndex, Vec<GroupIndex>>,
    /// The action that verifies the changes of a group.
    verifiers: FxHashMap<GroupIndex, NodeIndex>,
    /// The same, from the actions.
    verified: FxHashMap<NodeIndex, GroupIndex>,
    /// Which groups deliver notifications at their end.
    ending: Vec<bool>,
    /// The entry of each action that can be notified.
    targets: FxHashMap<(ResourceIndex, Action), NodeIndex>,
}

impl NotificationTable {
    /// A table with these notifications of resources.
    #[cfg(test)]
    pub(super) fn of_pairs(pairs: impl Iterator<Item = (ResourceIndex, Notice)>) -> Self {
        let mut table = Self::default();
        for (by, notice) in pairs {
            table.of_resources.entry(by).or_default().push(notice);
        }
        table
    }

    /// The notifications of a resource when it changes.
    pub(crate) fn of_resource(&self, resource: ResourceIndex) -> &[Notice] {
        self.of_resources.get(&resource).map_or(&[], Vec::as_slice)
    }

    /// The notifications of a group when one of its members has changed.
    pub(crate) fn of_group(&self, group: GroupIndex) -> &[Notice] {
        self.of_groups.get(&group).map_or(&[], Vec::as_slice)
    }

    /// The resources whose change makes a group run; none if it always does.
    pub(crate) fn subscribed(&self, group: GroupIndex) -> Option<&[ResourceIndex]> {
        self.subscriptions.get(&group).map(Vec::as_slice)
    }

    /// All groups that run only if something changed, with the resources that count.
    pub(crate) fn subscriptions(&self) -> impl Iterator<Item = (GroupIndex, &[ResourceIndex])> {
        self.subscriptions.iter().map(|(group, resources)| (*group, resources.as_slice()))
    }

    /// The action that verifies the changes of a group.
    pub(crate) fn verifier(&self, group: GroupIndex) -> Option<NodeIndex> {
        self.verifiers.get(&group).copied()
    }

    /// The actions that verify groups.
    pub(crate) fn verifiers(&self) -> impl Iterator<Item = NodeIndex> {
        self.verifiers.values().copied()
    }

    /// The group whose changes an action verifies.
    pub(crate) fn verified_by(&self, node: NodeIndex) -> Option<GroupIndex> {
        self.verified.get(&node).copied()
    }

    /// The innermost of `group` and those around it whose changes are verified.
    pub(crate) fn verified(&self, list: &ActionList, group: Option<GroupIndex>) -> Option<GroupIndex> {
        list.groups.around(group).find(|group| self.verifiers.contains_key(group))
    }

    /// Whether a group delivers notifications at its end.
    pub(crate) fn has_end(&self, group: GroupIndex) -> bool {
        self.ending.get(group.place()).copied().unwrap_or(false)
    }

    /// The entry of an action that can be notified.
    pub(crate) fn target(&self, resource: ResourceIndex, action: &Action) -> Option<NodeIndex> {
        self.targets.get(&(resource, action.clone())).copied()
    }

    /// Everything that runs because an action changes its resource: targets of the resource and of the groups around it,
    /// members of groups that subscribe to it, and the verification of its groups.
    pub(crate) fn consequences(&self, list: &ActionList, node: NodeIndex) -> Vec<(NodeIndex, Moment)> {
        let entry = list.get(node as usize);
        let of_groups = list.groups.around(entry.group).flat_map(|group| self.of_group(group));
        let notices = self.of_resource(entry.resource).iter().chain(of_groups);
        let mut found: Vec<_> = notices.map(|notice| (notice.target, notice.moment)).collect();
        let groups = self.subscribers.get(&entry.resource).into_iter().flatten();
        let members = groups.filter_map(|group| self.members.get(group)).flatten();
        found.extend(members.map(|member| (*member, Moment::Delayed)));
        if !list.is_on_request(node) {
            let verifiers = list.groups.around(entry.group).filter_map(|group| self.verifier(group));
            found.extend(verifiers.map(|verifier| (verifier, Moment::Immediately)));
        }
        found
    }

    /// Whether a node is a member of a group that runs only if something changed.
    pub(crate) fn is_subscriber(&self, list: &ActionList, node: NodeIndex) -> bool {
        !self.subscriptions.is_empty()
            && list
                .groups
                .around(list.get(node as usize).group)
                .any(|group| self.subscriptions.contains_key(&group))
    }

    /// All pairs of a notifier and its notification.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (ResourceIndex, Notice)> {
        self.of_resources.iter().flat_map(|(by, notices)| notices.iter().map(|notice| (*by, *notice)))
    }
}

/// Reads all notifications, and puts their targets at the end of the list.
pub(crate) struct TableReader<'a> {
    set: &'a ResourceSet,
    registry: &'a Registry,
    diagnostics: &'a mut Diagnostics,
    table: NotificationTable,
}

impl<'a> TableReader<'a> {
    pub(crate) fn new(
        set: &'a ResourceSet,
        registry: &'a Registry,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Self { set, registry, diagnostics, table: NotificationTable::default() }
    }

    /// A target that does not exist, or does not know the action, is a diagnostic.
    pub(crate) fn read(mut self, list: &mut ActionList) -> NotificationTable {
        for (resource, declared) in self.set.iter() {
            let Some(handling) = &declared.declaration.meta.handling else { continue };
            for sent in &handling.notifies {
                self.notify(Some(resource), sent, list);
            }
            for received in &handling.subscribes {
                self.subscribe(resource, received, list);
            }
        }
        self.groups(list);
        self.members(list);
        self.ends(list);
        self.table
    }

    fn notify(
        &mut self,
        by: Option<ResourceIndex>,
        sent: &Notification,
        list: &mut ActionList,
    ) -> Option<Notice> {
        let target = self.find(&sent.other, "notified")?;
        let notice = self.notice(target, sent, sent.other.place, list)?;
        if let Some(by) = by {
            self.table.of_resources.entry(by).or_default().push(notice);
        }
        Some(notice)
    }

    fn subscribe(&mut self, resource: ResourceIndex, received: &Notification, list: &mut ActionList) {
        let Some(by) = self.find(&received.other, "subscribed to") else { return };
        let notice = self.notice(resource, received, received.other.place, list);
        self.table.of_resources.entry(by).or_default().extend(notice);
    }

    fn groups(&mut self, list: &mut ActionList) {
        let verified = list.groups.iter().filter_map(|(index, group)| Some((index, group.verify.clone()?)));
        for (group, verify) in verified.collect::<Vec<_>>() {
            let notice = self.notify(None, &verify.by, list);
            self.table.verifiers.extend(notice.map(|notice| (group, notice.target)));
            self.table.verified.extend(notice.map(|notice| (notice.target, group)));
        }
        let all: Vec<_> = list.groups.iter().map(|(index, group)| (index, group.handling.clone())).collect();
        for (group, handling) in all.into_iter().filter_map(|(group, handling)| Some((group, handling?))) {
            let notices: Vec<_> =
                handling.notifies.iter().filter_map(|sent| self.notify(None, sent, list)).collect();
            if !notices.is_empty() {
                self.table.of_groups.insert(group, notices);
            }
            if handling.is_subscribed() {
                self.refuse_members(group, &handling.subscribes, list);
                let received = handling.subscribes.iter();
                let found =
                    received.filter_map(|received| self.find(&received.other, "subscribed to")).collect();
                self.table.subscriptions.insert(group, found);
            }
        }
    }

    fn members(&mut self, list: &ActionList) {
        let NotificationTable { subscriptions, members, subscribers, .. } = &mut self.table;
        for (group, resources) in &*subscriptions {
            for resource in resources {
                subscribers.entry(*resource).or_default().push(*group);
            }
        }
        if subscriptions.is_empty() {
            return;
        }
        for (node, entry) in (0..).zip(list.iter()) {
            for group in list.groups.around(entry.group).filter(|group| subscriptions.contains_key(group)) {
                members.entry(group).or_default().push(node);
            }
        }
    }

    /// A group that subscribes to its own member would never run.
    fn refuse_members(&mut self, group: GroupIndex, received: &[Notification], list: &ActionList) {
        for received in received {
            let inside = self.set.find(&received.other.target).and_then(|index| self.set.entry(index).group);
            if list.groups.around(inside).any(|around| around == group) {
                let detail = format!("{} is in the group that subscribes to it", received.other.target);
                let problem = Diagnostic::new(Code::GroupCycle, detail).at(received.other.place);
                self.diagnostics
                    .push(problem.fix("put it outside the group, or subscribe to something else"));
            }
        }
    }

    fn find(&mut self, reference: &Reference, role: &str) -> Option<ResourceIndex> {
        let found = self.set.find(&reference.target);
        if found.is_none() {
            self.diagnostics.push(self.set.missing(&reference.target, reference.place, role));
        }
        found
    }

    /// The entry of an action, one for all its notifiers.
    fn notice(
        &mut self,
        target: ResourceIndex,
        notification: &Notification,
        place: Option<Place>,
        list: &mut ActionList,
    ) -> Option<Notice> {
        let declared = self.set.entry(target);
        let refused = self.refuse(&declared.declaration.id, &notification.action, place);
        if refused.is_some() {
            self.diagnostics.extend(refused);
            return None;
        }
        let key = (target, notification.action.clone());
        let node = *self.table.targets.entry(key).or_insert_with_key(|(target, action)| {
            let entry = ActionEntry::new(*target, action.clone());
            list.on_request(ActionEntry { place, group: declared.group, ..entry })
        });
        Some(Notice { target: node, moment: notification.moment })
    }

    /// An unknown kind is reported where it was declared.
    fn refuse(&self, target: &ResourceId, action: &Action, place: Option<Place>) -> Option<Diagnostic> {
        check_action(self.registry.get(&target.kind)?.schema(), action, place)
    }

    /// A group has an end if it is verified, if it notifies something, if a notification inside is delayed to its end, or if a group inside
    /// has one.
    fn ends(&mut self, list: &ActionList) {
        let groups = &list.groups;
        let mut ending = vec![false; groups.len()];
        for entry in list.all() {
            let notices = self.table.of_resource(entry.resource).iter();
            for notice in notices.filter(|notice| is_delayed(notice.moment)) {
                if let Some(group) = groups.common(entry.group, list.get(notice.target as usize).group) {
                    ending[group.place()] = true;
                }
            }
        }
        let groups_themselves = self.table.of_groups.keys().chain(self.table.verifiers.keys());
        groups_themselves.for_each(|group| ending[group.place()] = true);
        // Notifications that are delayed at the end of a group go to the end of a group around it.
        for group in (0..ending.len()).rev().map(GroupIndex::after) {
            if let (true, Some(parent)) = (ending[group.place()], groups.get(group).parent) {
                ending[parent.place()] = true;
            }
        }
        self.table.ending = ending;
    }
}

/// Whether a notification is delayed to the end of a group.
pub(crate) fn is_delayed(moment: Moment) -> bool {
    matches!(moment, Moment::Delayed | Moment::OnSuccess)
}
