//! Verification of groups: notifications of changed members wait until the group is verified.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::Moment;

use super::run::{NotificationRun, Wait};
use super::{Effect, Notice, Notifications, NotifierChange, is_delayed};
use crate::graph::NodeIndex;
use crate::program::list::GroupIndex;
use crate::schedule::Visit;

/// Changes that were not verified yet.
#[derive(Default)]
pub(super) struct Unverified {
    /// For each group, the changes of its members.
    held: FxHashMap<GroupIndex, Vec<Held>>,
    /// The number of changes that a verification which has begun is about: in a watch, a member may change meanwhile.
    begun: FxHashMap<GroupIndex, usize>,
    /// Groups whose verification failed, with the root cause.
    failed: FxHashMap<GroupIndex, NodeIndex>,
    /// Members that were put back after a failed verification.
    put_back: FxHashSet<NodeIndex>,
    /// Members that were not, and whose notifications were not sent.
    dropped: FxHashSet<NodeIndex>,
}

/// A change whose notifications are held.
struct Held {
    change: NotifierChange,
    /// Whether the declared notifications of the notifier are held, too.
    declared: bool,
    /// Notifications of its nested resources.
    nested: Vec<Notice>,
}

impl Held {
    /// Whether the change was made by an earlier run, whose notifications are in the journal.
    fn is_inherited(&self) -> bool {
        !self.declared && self.nested.is_empty()
    }
}

impl Unverified {
    pub(super) fn failure(&self, group: GroupIndex) -> Option<NodeIndex> {
        self.failed.get(&group).copied()
    }

    /// The verification of a group begins.
    pub(super) fn begin(&mut self, group: GroupIndex) {
        let held = self.held.get(&group).map_or(0, Vec::len);
        self.begun.entry(group).or_insert(held);
    }

    /// Takes the changes that the verification was about. Later ones have a verification of their own.
    fn take(&mut self, group: GroupIndex) -> Vec<Held> {
        let mut held = self.held.remove(&group).unwrap_or_default();
        let number = self.begun.remove(&group).unwrap_or(held.len());
        let later = held.split_off(number.min(held.len()));
        if !later.is_empty() {
            self.held.insert(group, later);
        }
        held
    }
}

impl Notifications<'_> {
    /// Holds the notifications of a changed member until its group is verified; false if no group around it is. A notified
    /// action runs after the verification, or before the change: it is not verified.
    pub(super) fn hold(&mut self, visit: Visit, change: NotifierChange, nested: &[Notice]) -> bool {
        self.hold_all(visit, Held { change, declared: true, nested: nested.to_vec() })
    }

    /// Holds the delayed notification of a nested resource; false if it is delivered as always.
    pub(super) fn hold_nested(&mut self, visit: Visit, change: NotifierChange, notice: Notice) -> bool {
        self.hold_all(visit, Held { change, declared: false, nested: vec![notice] })
    }

    fn hold_all(&mut self, visit: Visit, held: Held) -> bool {
        let group = self.table.verified(self.list, self.group(visit.node)).filter(|_| !visit.is_notified());
        group.map(|group| self.hold_in(group, vec![held])).is_some()
    }

    fn hold_in(&mut self, group: GroupIndex, changes: Vec<Held>) {
        if let (true, Some(held)) = (self.is_watching, changes.last()) {
            let run = self.verification(group, held.change);
            run.into_iter().for_each(|run| self.pend(run));
        }
        self.unverified.held.entry(group).or_default().extend(changes);
    }

    /// An earlier run changed a member of a group, and was killed before it was verified: the group is verified even if no
    /// member changes.
    pub(crate) fn inherit_unverified(&mut self, group: GroupIndex, by: NodeIndex) {
        let change = NotifierChange { by, after: None, certain: true };
        let held = Held { change, declared: false, nested: Vec::new() };
        self.unverified.held.entry(group).or_default().push(held);
    }

    fn verification(&self, group: GroupIndex, change: NotifierChange) -> Option<NotificationRun> {
        let NotifierChange { by, after, certain } = change;
        let target = self.table.verifier(group)?;
        let (also, moment) = (BTreeSet::new(), Moment::Immediately);
        Some(NotificationRun { target, by, also, moment, after, certain })
    }

    /// The members of a group are done: verifies their changes, even if another member failed, since notifications of those
    /// that changed follow; then the group ends.
    pub(crate) fn members_done(&mut self, group: GroupIndex) {
        let held = self.unverified.held.get(&group);
        let latest =
            held.and_then(|held| held.iter().map(|held| held.change).max_by_key(|change| change.certain));
        let Some(change) = latest else { return self.verified(group, None) };
        let others = held.into_iter().flatten().map(|held| held.change);
        let others = others.filter(|other| other.by != change.by && other.certain == change.certain);
        let also = others.map(|other| other.by).collect();
        let run = self.verification(group, change).map(|run| NotificationRun { also, ..run });
        let run = run.filter(|run| self.may_run(run.target, change));
        let run = run.map(|run| VecDeque::from([run]));
        match run.and_then(|run| self.runs.wait(Wait::Verify(group), run)) {
            Some((run, wait)) => _ = self.start(run, wait),
            None => self.verified(group, None),
        }
    }

    /// A group was verified, or need not be; if that failed, for this root cause. Then the group ends.
    pub(super) fn verified(&mut self, group: GroupIndex, failed: Option<NodeIndex>) {
        self.effects.push(Effect::Verified(group, failed));
        match failed {
            None if self.release(group) => {}
            None => self.end_group(group),
            Some(root) => {
                self.drop_changes(group, root);
                self.end_group(group);
            }
        }
    }

    /// In a watch, where a group has no end: a verification is over.
    pub(super) fn verified_in_watch(&mut self, node: NodeIndex, failed: Option<NodeIndex>) {
        let Some(group) = self.table.verified_by(node) else { return };
        match failed {
            None => _ = self.release(group),
            Some(root) => self.drop_changes(group, root),
        }
    }

    /// The members whose notifications were not sent because their group was not verified.
    pub(crate) fn unverified(&self) -> impl Iterator<Item = NodeIndex> {
        self.unverified.dropped.iter().copied()
    }

    /// The changes of these members were undone: they have nothing to notify of. Their verification is about to end.
    pub(crate) fn put_back(&mut self, members: &[NodeIndex]) {
        self.unverified.put_back.extend(members);
    }

    fn drop_changes(&mut self, group: GroupIndex, root: NodeIndex) {
        let held = self.unverified.take(group);
        let Unverified { put_back, dropped, .. } = &mut self.unverified;
        let changed = held.iter().filter(|held| !held.is_inherited()).map(|held| held.change.by);
        dropped.extend(changed.filter(|member| !put_back.remove(member)));
        held.iter().for_each(|held| self.changes.forget(held.change.by));
        // Its change was undone: the group itself has nothing to notify of.
        _ = self.changes.take_change(group);
        if !self.is_watching {
            self.unverified.failed.insert(group, root);
        }
    }

    /// Delivers the notifications that were held, or holds them for the next verified group around. True if something
    /// has to run before the group is over.
    fn release(&mut self, group: GroupIndex) -> bool {
        let held = self.unverified.take(group);
        if held.is_empty() {
            return false;
        }
        let parent = self.list.groups.get(group).parent;
        if let Some(outer) = self.table.verified(self.list, parent) {
            self.hold_in(outer, held);
            return false;
        }
        let (mut now, mut targets) = (VecDeque::new(), FxHashSet::default());
        for Held { change, declared, nested } in held {
            let notices = if declared { self.notices(change.by) } else { &[] };
            if self.is_watching {
                self.pend_changes(change, nested.iter().chain(notices));
                continue;
            }
            self.delay(nested.iter().chain(notices), self.group(change.by), change, &BTreeSet::new());
            // A change that only may happen has not been announced.
            let is_now =
                |moment| moment == Moment::Immediately || (moment == Moment::Before && !change.certain);
            for notice in nested.iter().chain(notices).filter(|notice| is_now(notice.moment)) {
                if !targets.contains(&notice.target) && self.may_run(notice.target, change) {
                    targets.insert(notice.target);
                    now.push_back(change.run(notice));
                }
            }
        }
        let first = self.runs.wait(Wait::Drain(Some(group)), now);
        first.map(|(run, wait)| self.start(run, wait)).is_some()
    }

    fn pend_changes<'n>(&mut self, change: NotifierChange, notices: impl Iterator<Item = &'n Notice>) {
        let is_after = |notice: &&Notice| is_delayed(notice.moment) || notice.moment == Moment::Immediately;
        for notice in notices.filter(is_after) {
            if self.may_run(notice.target, change) {
                self.pend(change.run(notice));
            }
        }
        for group in self.list.groups.around(self.group(change.by)) {
            for notice in self.table.of_group(group) {
                self.pend(change.run(notice));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(by: NodeIndex) -> Held {
        let change = NotifierChange { by, after: None, certain: true };
        Held { change, declared: true, nested: Vec::new() }
    }

    #[test]
    fn a_verification_is_about_the_changes_before_it_began() {
        let group = GroupIndex::after(0);
        let mut unverified = Unverified::default();
        unverified.held.insert(group, vec![held(1)]);
        unverified.begin(group);
        unverified.held.entry(group).or_default().push(held(2));
        // The end of a visit makes sure that it has begun.
        unverified.begin(group);
        let mut take = || unverified.take(group).iter().map(|held| held.change.by).collect::<Vec<_>>();
        assert_eq!([take(), take(), take()], [vec![1], vec![2], vec![]]);
    }
}
