//! Notifications that outlive a run: those of earlier runs are delivered, those of this one are recorded until they are.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Action, Moment};

use super::Dispatcher;
use crate::event::{Cause, Mode, Unwanted, Verdict};
use crate::graph::NodeIndex;
use crate::journal::{Journal, PendingNotification};
use crate::lifecycle::Lifecycle;
use crate::notifications::NotificationRun;
use crate::program::Program;
use crate::program::decode::check_action;
use crate::program::list::{GroupIndex, is_run_node};
use crate::program::set::ResourceIndex;
use crate::schedule::Visit;

/// The notifications in the journal.
pub(super) struct Pending<'a> {
    journal: &'a dyn Journal,
    /// Whether deliveries are recorded: not in a plan, which delivers nothing.
    records: bool,
    /// Those of earlier runs, by target.
    inherited: FxHashMap<NodeIndex, Inherited>,
    /// Notified actions that failed or did not run.
    undelivered: FxHashSet<NodeIndex>,
    /// Those of earlier runs that wait for a verification, which failed.
    withheld: FxHashSet<NodeIndex>,
    /// Nodes that failed for good while they changed their resource, perhaps after the change.
    unfinished: FxHashSet<NodeIndex>,
}

impl<'a> Pending<'a> {
    pub(super) fn new(journal: &'a dyn Journal, mode: Mode) -> Self {
        Self {
            journal,
            records: mode == Mode::Apply,
            inherited: FxHashMap::default(),
            undelivered: FxHashSet::default(),
            withheld: FxHashSet::default(),
            unfinished: FxHashSet::default(),
        }
    }

    /// Why a node is visited, if an earlier run was to notify it.
    pub(super) fn cause(&self, node: NodeIndex) -> Option<Cause> {
        let PendingNotification { notifier, since, .. } = &self.inherited.get(&node)?.notification;
        Some(Cause::Pending { by: notifier.clone(), since: *since })
    }
}

/// A notification of an earlier run.
struct Inherited {
    notification: PendingNotification,
    by: NodeIndex,
    /// The verified groups around its notifiers.
    groups: FxHashSet<GroupIndex>,
}

/// The verified groups around the notifiers; all of them if not every notifier is known.
fn notifying_groups(
    program: &Program,
    declared: &FxHashMap<String, ResourceIndex>,
    notification: &PendingNotification,
) -> FxHashSet<GroupIndex> {
    let table = &program.notifications;
    let Some(also) = &notification.also else {
        return table.verifiers().filter_map(|verifier| table.verified_by(verifier)).collect();
    };
    let notifiers = std::iter::once(&notification.notifier).chain(also);
    let resources = notifiers.filter_map(|name| declared.get(&**name));
    let nodes = resources.flat_map(|resource| program.nodes_of(*resource));
    let groups = nodes.flat_map(|node| program.list.groups.around(program.entry(*node).group));
    groups.filter(|group| table.verifier(*group).is_some()).collect()
}

fn pending_run(target: NodeIndex, by: NodeIndex) -> NotificationRun {
    let (also, moment) = (BTreeSet::new(), Moment::Delayed);
    NotificationRun { target, by, also, moment, after: None, certain: true }
}

/// What a verdict means for the notification that led to the visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delivery {
    Done,
    Failed,
    /// It waits for a run without failures, for a change, or for the end of a pause.
    Postponed,
}

impl Delivery {
    pub(super) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Failed(_) | Verdict::Skipped(_) => Delivery::Failed,
            Verdict::NotWanted(Unwanted::RunFailed | Unwanted::NothingChanged) | Verdict::Paused(..) => {
                Delivery::Postponed
            }
            _ => Delivery::Done,
        }
    }
}

impl<L: Lifecycle> Dispatcher<'_, L> {
    /// Delays the notifications that earlier runs did not deliver to the end of this run. A target that is no longer
    /// declared, or not selected, stays in the journal.
    pub(super) fn inherit_pending(&mut self) {
        let Some(pending) = &self.pending else { return };
        let all = pending.journal.pending();
        if all.is_empty() {
            return;
        }
        let declared: FxHashMap<String, ResourceIndex> = self
            .program
            .set
            .iter()
            .map(|(resource, one)| (one.declaration.id.to_string(), resource))
            .collect();
        let unselected = self.unselected_groups(&all, &declared);
        for notification in all {
            let Some(resource) = declared.get(&*notification.target) else { continue };
            let Some(target) = self.pending_target(*resource, &notification.action) else { continue };
            if !self.request.selects(target) {
                continue;
            }
            let by = declared.get(&*notification.notifier);
            let by = by.and_then(|resource| self.program.nodes_of(*resource).first().copied());
            let by = by.unwrap_or(target);
            let groups = notifying_groups(self.program, &declared, &notification);
            if let Some(group) = self.program.notifications.verified_by(target) {
                self.notifications.inherit_unverified(group, by);
            } else if groups.iter().any(|group| unselected.contains(group)) {
                // Its notifier is not verified in this run.
                continue;
            } else if self.program.list.is_on_request(target) {
                self.notifications.inherit(pending_run(target, by));
            } else {
                self.notifications.changes.inherit(target);
            }
            if let Some(pending) = &mut self.pending {
                let known = pending.inherited.entry(target);
                let known = known.or_insert(Inherited { notification, by, groups: FxHashSet::default() });
                known.groups.extend(groups);
            }
        }
    }

    /// The groups that an earlier run did not verify, and that this run does not verify either.
    fn unselected_groups(
        &self,
        all: &[PendingNotification],
        declared: &FxHashMap<String, ResourceIndex>,
    ) -> FxHashSet<GroupIndex> {
        let program = self.program;
        let target = |one: &PendingNotification| {
            program.notifications.target(*declared.get(&*one.target)?, &one.action)
        };
        let targets = all.iter().filter_map(target).filter(|target| !self.request.selects(*target));
        targets.filter_map(|target| program.notifications.verified_by(target)).collect()
    }

    /// The action of a pending notification: a member of a group that subscribes to something, or an action that runs only
    /// when it is notified.
    fn pending_target(&mut self, resource: ResourceIndex, action: &Action) -> Option<NodeIndex> {
        let program = self.program;
        let is_member = |node: &&NodeIndex| {
            program.entry(**node).action() == action
                && !program.list.is_on_request(**node)
                && program.notifications.is_subscriber(&program.list, **node)
        };
        if let Some(member) = program.nodes_of(resource).iter().find(is_member) {
            return Some(*member);
        }
        let schema = program.registry.get(&program.set.id(resource).kind)?.schema();
        if check_action(schema, action, None).is_some() {
            return None;
        }
        let target = program.target(resource, action);
        if is_run_node(target) {
            self.schedule.add_node(target, program);
        }
        Some(target)
    }

    fn is_handler(&self, visit: Visit) -> bool {
        visit.is_notified() || self.program.notifications.is_subscriber(&self.program.list, visit.node)
    }

    /// A visit begins.
    pub(super) fn take_up(&mut self, visit: Visit) {
        if let Some(pending) = self.pending.as_ref().filter(|pending| pending.records)
            && self.is_handler(visit)
        {
            pending.journal.taken_up(self.program.id(visit.node), self.program.entry(visit.node).action());
        }
    }

    /// A visit is over.
    pub(super) fn record_delivery(&mut self, visit: Visit, delivery: Delivery) {
        let is_handler = self.pending.is_some() && self.is_handler(visit);
        let Some(pending) = &mut self.pending else { return };
        let (node, id) = (visit.node, self.program.id(visit.node));
        let verified = self.program.notifications.verified_by(node);
        if delivery == Delivery::Failed {
            let address = id.to_string();
            let verified = verified.filter(|_| pending.inherited.contains_key(&node));
            for (target, one) in &pending.inherited {
                let waits = verified.is_some_and(|group| *target != node && one.groups.contains(&group));
                if waits || *one.notification.notifier == *address {
                    pending.undelivered.insert(*target);
                    self.notifications.withdraw(*target);
                }
                if waits {
                    pending.withheld.insert(*target);
                }
            }
        }
        if !is_handler {
            return;
        }
        if delivery != Delivery::Done {
            // After a failed verification, members that were not put back decide what is left.
            if verified.is_none() || pending.inherited.contains_key(&node) {
                pending.undelivered.insert(node);
            }
            return;
        }
        pending.undelivered.remove(&node);
        pending.inherited.remove(&node);
        if verified.is_some() {
            for target in std::mem::take(&mut pending.withheld) {
                if let Some(one) = pending.inherited.get(&target) {
                    self.notifications.inherit(pending_run(target, one.by));
                }
            }
        }
        if pending.records {
            pending.journal.delivered(id, self.program.entry(node).action());
        }
    }

    /// A node failed after it began to change its resource: the visit that succeeds owes its notifications, in this watch or
    /// in the next run.
    pub(super) fn note_unfinished(&mut self, node: NodeIndex) {
        if self.lifecycle.repeats_failed() {
            self.interrupted.insert(node);
        } else if let Some(pending) = &mut self.pending {
            pending.unfinished.insert(node);
        }
    }

    /// Nothing is under way: what is due in the journal and will not be delivered is dropped there.
    pub(crate) fn settle_pending(&mut self) {
        let Some(pending) = self.pending.as_ref().filter(|pending| pending.records) else { return };
        let program = self.program;
        let mut left: FxHashSet<NodeIndex> = pending.undelivered.clone();
        left.extend(self.notifications.undelivered().iter().map(|run| run.target));
        let unverified = self.notifications.unverified();
        let unfinished = self.interrupted.iter().chain(&pending.unfinished).copied();
        for node in unfinished.chain(unverified) {
            let consequences = program.notifications.consequences(&program.list, node);
            left.extend(consequences.into_iter().map(|(target, _)| target));
        }
        let left: Vec<_> =
            left.iter().map(|node| (program.id(*node), program.entry(*node).action())).collect();
        pending.journal.settle(&left);
    }
}
