//! Notifications: who is told by whom, and what is done then.

use rustc_hash::FxHashMap;
use uphold_model::{Action, Diagnostic, Diagnostics, Moment, Notification, Place, Reference, ResourceId};
use uphold_resource::Registry;

use crate::decode::check_action;
use crate::graph::NodeIndex;
use crate::groups::GroupIndex;
use crate::list::{ActionEntry, ActionList};
use crate::set::{ResourceIndex, ResourceSet};

/// One notification, ready to be delivered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notice {
    /// The action of the list that is done on request.
    pub(crate) handler: NodeIndex,
    pub(crate) moment: Moment,
}

/// Who tells whom.
#[derive(Debug, Default)]
pub(crate) struct Notices {
    of_resources: FxHashMap<ResourceIndex, Vec<Notice>>,
    of_groups: FxHashMap<GroupIndex, Vec<Notice>>,
    /// Whose change makes a group run.
    subscriptions: FxHashMap<GroupIndex, Vec<ResourceIndex>>,
    /// Which groups have something to do at their end.
    ending: Vec<bool>,
    /// What is done when somebody asks.
    handlers: FxHashMap<(ResourceIndex, Action), NodeIndex>,
}

impl Notices {
    /// What a resource tells when it changes.
    pub(crate) fn of_resource(&self, resource: ResourceIndex) -> &[Notice] {
        self.of_resources.get(&resource).map_or(&[], Vec::as_slice)
    }

    /// What a group tells when one of its members has changed.
    pub(crate) fn of_group(&self, group: GroupIndex) -> &[Notice] {
        self.of_groups.get(&group).map_or(&[], Vec::as_slice)
    }

    /// Whose change makes a group run; none if it always does.
    pub(crate) fn subscribed(&self, group: GroupIndex) -> Option<&[ResourceIndex]> {
        self.subscriptions.get(&group).map(Vec::as_slice)
    }

    /// All groups that only run if something changed, and what that is.
    pub(crate) fn subscriptions(&self) -> impl Iterator<Item = (GroupIndex, &[ResourceIndex])> {
        self.subscriptions.iter().map(|(group, resources)| (*group, resources.as_slice()))
    }

    /// Whether a group has something to do at its end.
    pub(crate) fn has_end(&self, group: GroupIndex) -> bool {
        self.ending.get(group.place()).copied().unwrap_or(false)
    }

    /// The entry that does this when somebody asks, if there is one.
    pub(crate) fn handler(&self, resource: ResourceIndex, action: &Action) -> Option<NodeIndex> {
        self.handlers.get(&(resource, action.clone())).copied()
    }

    /// All pairs of who tells, and what is done.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (ResourceIndex, Notice)> {
        self.of_resources.iter().flat_map(|(by, told)| told.iter().map(|notice| (*by, *notice)))
    }
}

/// Reads all notifications, and puts what they ask for at the end of the list.
pub(crate) struct NoticeReader<'a> {
    set: &'a ResourceSet,
    registry: &'a Registry,
    diagnostics: &'a mut Diagnostics,
    notices: Notices,
}

impl<'a> NoticeReader<'a> {
    pub(crate) fn new(
        set: &'a ResourceSet,
        registry: &'a Registry,
        diagnostics: &'a mut Diagnostics,
    ) -> Self {
        Self { set, registry, diagnostics, notices: Notices::default() }
    }

    /// A target that does not exist, or does not know the action, is a diagnostic.
    pub(crate) fn read(mut self, list: &mut ActionList) -> Notices {
        for (resource, declared) in self.set.iter() {
            let Some(handling) = &declared.declaration.meta.handling else { continue };
            for told in &handling.notifies {
                self.notify(Some(resource), told, list);
            }
            for heard in &handling.subscribes {
                self.subscribe(resource, heard, list);
            }
        }
        self.groups(list);
        self.ends(list);
        self.notices
    }

    fn notify(
        &mut self,
        by: Option<ResourceIndex>,
        told: &Notification,
        list: &mut ActionList,
    ) -> Option<Notice> {
        let target = self.find(&told.other, "notified")?;
        let notice = self.notice(target, told, told.other.place, list)?;
        if let Some(by) = by {
            self.notices.of_resources.entry(by).or_default().push(notice);
        }
        Some(notice)
    }

    fn subscribe(&mut self, resource: ResourceIndex, heard: &Notification, list: &mut ActionList) {
        let Some(by) = self.find(&heard.other, "subscribed to") else { return };
        let notice = self.notice(resource, heard, heard.other.place, list);
        self.notices.of_resources.entry(by).or_default().extend(notice);
    }

    fn groups(&mut self, list: &mut ActionList) {
        let all: Vec<_> =
            list.groups().iter().map(|(index, group)| (index, group.handling.clone())).collect();
        for (group, handling) in all.into_iter().filter_map(|(group, handling)| Some((group, handling?))) {
            let told: Vec<_> =
                handling.notifies.iter().filter_map(|told| self.notify(None, told, list)).collect();
            if !told.is_empty() {
                self.notices.of_groups.insert(group, told);
            }
            if !handling.subscribes.is_empty() {
                self.refuse_members(group, &handling.subscribes, list);
                let heard = handling.subscribes.iter();
                let found = heard.filter_map(|heard| self.find(&heard.other, "subscribed to")).collect();
                self.notices.subscriptions.insert(group, found);
            }
        }
    }

    /// A group that waits for the change of its own member would never run.
    fn refuse_members(&mut self, group: GroupIndex, heard: &[Notification], list: &ActionList) {
        for heard in heard {
            let inside = self.set.find(&heard.other.target).and_then(|index| self.set.entry(index).group);
            if list.groups().around(inside).any(|around| around == group) {
                let detail = format!("{} stands in the group that subscribes to it", heard.other.target);
                let problem = Diagnostic::error("group that waits for itself", detail).at(heard.other.place);
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

    /// What is done by `target`, once for all who ask.
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
        let handler = *self.notices.handlers.entry(key).or_insert_with_key(|(target, action)| {
            let entry = ActionEntry::new(*target, action.clone());
            list.on_request(ActionEntry { place, group: declared.group, ..entry })
        });
        Some(Notice { handler, moment: notification.moment })
    }

    /// An unknown kind is told where it was declared.
    fn refuse(&self, target: &ResourceId, action: &Action, place: Option<Place>) -> Option<Diagnostic> {
        check_action(self.registry.get(&target.kind)?.schema(), action, place)
    }

    /// A group has an end if it tells somebody, if something inside is put off to its end, or if a group inside
    /// has one.
    fn ends(&mut self, list: &ActionList) {
        let groups = list.groups();
        let mut ending = vec![false; groups.len()];
        for entry in list.all() {
            let told = self.notices.of_resource(entry.resource).iter();
            for notice in told.filter(|notice| is_delayed(notice.moment)) {
                if let Some(group) = groups.common(entry.group, list.get(notice.handler as usize).group) {
                    ending[group.place()] = true;
                }
            }
        }
        self.notices.of_groups.keys().for_each(|group| ending[group.place()] = true);
        // What is asked for at the end of a group, or by the group, is put off to the end of one around it.
        for group in (0..ending.len()).rev().map(GroupIndex::after) {
            if let (true, Some(parent)) = (ending[group.place()], groups.get(group).parent) {
                ending[parent.place()] = true;
            }
        }
        self.notices.ending = ending;
    }
}

/// Whether something is put off to the end of a group.
pub(crate) fn is_delayed(moment: Moment) -> bool {
    matches!(moment, Moment::Delayed | Moment::OnSuccess)
}
