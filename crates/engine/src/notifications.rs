//! Notifications: which action runs because of a change, when, and how often.
//!
//! A pure value: no thread, no clock, no IO. Its decisions are [`Effect`]s, in order, for the dispatcher to carry out.

mod change_log;
mod nested;
mod run;
mod table;
#[cfg(test)]
mod tests;
mod verification;
mod watching;

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use uphold_model::Moment;

use crate::graph::NodeIndex;
use crate::program::list::{ActionList, GroupIndex, is_run_node};
use crate::schedule::{Downstream, Visit};
use crate::selection::Selection;

pub(crate) use change_log::Subscription;
pub(crate) use run::{NotificationRun, RunId, TicketId};
pub(crate) use table::{Notice, NotificationTable, TableReader, is_delayed};

use change_log::ChangeLog;
use run::{Continuation, Queues, Runs, Wait, WaitIndex};
use verification::Unverified;

/// The notifications of a run or a watch.
///
/// # Guarantees
/// Nothing is its own consequence. One run per target and queue, in the order of the first notification. No notification
/// is lost. A visit settles once.
pub(crate) struct Notifications<'p> {
    table: &'p NotificationTable,
    list: &'p ActionList,
    selection: Option<&'p Selection>,
    runs: Runs,
    queues: Queues,
    pub(crate) changes: ChangeLog<'p>,
    /// Nested notifications of visits in a watch, which are pending once the visit is over.
    held: FxHashMap<Visit, Vec<NotificationRun>>,
    unverified: Unverified,
    /// Whether everything was visited once, and is watched: a run has no end any more.
    is_watching: bool,
    last_ticket: TicketId,
    effects: Vec<Effect>,
}

/// An instruction to the dispatcher.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Visit a notified action when its prerequisites are done.
    Start(Visit),
    /// Visit a notified action of a watch when its notifiers are idle.
    StartWhenIdle(Visit),
    /// Let the target run before its notifier is done.
    GoAhead { by: NodeIndex, target: NodeIndex, downstream: Downstream },
    /// Go on with a visit: its `before` targets have run.
    Proceed(Visit),
    /// Skip a visit: one of its `before` targets failed, for this root cause.
    Refuse(Visit, NodeIndex),
    /// A visit and all immediate consequences are over.
    Settle(Visit, Downstream),
    /// A group was verified, or need not be; if that failed, for this root cause. Dependents of its members go on.
    Verified(GroupIndex, Option<NodeIndex>),
    /// A group is over; if its verification failed, for this root cause.
    EndGroup(GroupIndex, Option<NodeIndex>),
    /// A nested notification was delivered: its sender goes on.
    Resume(TicketId),
}

/// A change that others are notified of.
#[derive(Clone, Copy)]
struct NotifierChange {
    by: NodeIndex,
    after: Option<RunId>,
    certain: bool,
}

impl NotifierChange {
    fn of(visit: Visit, certain: bool) -> Self {
        Self { by: visit.node, after: visit.run(), certain }
    }

    fn run(self, notice: &Notice) -> NotificationRun {
        let Self { by, after, certain } = self;
        NotificationRun {
            target: notice.target,
            by,
            also: BTreeSet::new(),
            moment: notice.moment,
            after,
            certain,
        }
    }
}

impl<'p> Notifications<'p> {
    /// `resources`: how many there are.
    pub(crate) fn new(
        table: &'p NotificationTable,
        list: &'p ActionList,
        selection: Option<&'p Selection>,
        resources: usize,
    ) -> Self {
        Self {
            table,
            list,
            selection,
            runs: Runs::default(),
            queues: Queues::default(),
            changes: ChangeLog::new(table, list, resources),
            held: FxHashMap::default(),
            unverified: Unverified::default(),
            is_watching: false,
            last_ticket: TicketId::default(),
            effects: Vec::new(),
        }
    }

    /// The decisions since the last call, in order.
    pub(crate) fn take_effects(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }

    /// A visit has changed something, or may have: notifies others, and settles once the immediate targets are over.
    /// `nested`: notifications that its nested resources would send, in a plan.
    pub(crate) fn changed(&mut self, visit: Visit, certain: bool, nested: &[Notice], downstream: Downstream) {
        let notifier = self.of(visit).map(|run| run.by);
        let change = NotifierChange::of(visit, certain);
        if self.table.verified_by(visit.node).is_some() {
            return self.settle(visit, None, downstream);
        }
        self.changes.note(visit.node, certain, downstream, notifier);
        if self.hold(visit, change, nested) {
            return self.settle(visit, None, downstream);
        }
        let notices = self.notices(visit.node);
        self.delay(nested.iter().chain(notices), self.group(visit.node), change, &BTreeSet::new());
        // A change that only may happen has not been announced.
        let missed = |moment| moment == Moment::Before && !certain && !visit.is_announced();
        let is_now = |notice: &&Notice| notice.moment == Moment::Immediately || missed(notice.moment);
        let nested = nested.iter().filter(|notice| !is_delayed(notice.moment));
        let now: Vec<&Notice> = nested.chain(notices.iter().filter(is_now)).collect();
        if !self.send(visit, &now, change, Wait::Settle(visit, downstream), downstream) {
            self.settle(visit, None, downstream);
        }
    }

    /// A visit is about to change something: notifies the `before` targets, and goes on when they have run.
    pub(crate) fn intends(&mut self, visit: Visit, secret: bool) {
        let is_before = |notice: &&Notice| notice.moment == Moment::Before;
        let before: Vec<&Notice> = self.notices(visit.node).iter().filter(is_before).collect();
        let downstream = Downstream { secret, ..Downstream::default() };
        if !self.send(visit, &before, NotifierChange::of(visit, true), Wait::Proceed(visit), downstream) {
            self.effects.push(Effect::Proceed(visit.announced()));
        }
    }

    /// Starts the first of several runs; the others follow one after the other. False if each would be its own consequence.
    fn send(
        &mut self,
        visit: Visit,
        notices: &[&Notice],
        change: NotifierChange,
        then: Wait,
        downstream: Downstream,
    ) -> bool {
        if !visit.is_woken() {
            let ahead = notices.iter().map(|notice| notice.target);
            let effect = |target| Effect::GoAhead { by: visit.node, target, downstream };
            self.effects.extend(ahead.map(effect));
        }
        self.send_all(notices.iter().copied(), change, &BTreeSet::new(), then)
    }

    /// `others`: further members of the group that notifies.
    fn send_all<'n>(
        &mut self,
        notices: impl Iterator<Item = &'n Notice>,
        change: NotifierChange,
        others: &BTreeSet<NodeIndex>,
        then: Wait,
    ) -> bool {
        let runs = notices.filter(|notice| self.may_run(notice.target, change));
        let runs =
            runs.map(|notice| NotificationRun { also: others.clone(), ..change.run(notice) }).collect();
        let first = self.runs.wait(then, runs);
        first.map(|(run, wait)| self.start(run, wait)).is_some()
    }

    fn may_run(&mut self, target: NodeIndex, change: NotifierChange) -> bool {
        self.selection.is_none_or(|selection| selection.contains(target))
            && self.runs.may_follow(change.by, target, change.after)
    }

    fn start(&mut self, run: NotificationRun, wait: WaitIndex) -> RunId {
        let target = run.target;
        let id = self.runs.begin(run, Some(wait));
        self.effects.push(Effect::Start(Visit::notified(target, id)));
        id
    }

    /// Delays notifications to the end of the innermost open group around both the target and `from`; a group without an
    /// end of its own leaves it to the next one around it. In a watch they wait until their notifiers are idle.
    fn delay<'n>(
        &mut self,
        notices: impl Iterator<Item = &'n Notice>,
        from: Option<GroupIndex>,
        change: NotifierChange,
        others: &BTreeSet<NodeIndex>,
    ) {
        for notice in notices.filter(|notice| is_delayed(notice.moment)) {
            if !self.may_run(notice.target, change) {
                continue;
            }
            let run = NotificationRun { also: others.clone(), ..change.run(notice) };
            if self.is_watching {
                self.pend(run);
            } else {
                let group = self.open_group(from, notice.target);
                self.enqueue(group, run);
            }
        }
    }

    /// None for an action without a place in the list: it runs at the end of the run.
    fn open_group(&self, from: Option<GroupIndex>, target: NodeIndex) -> Option<GroupIndex> {
        if is_run_node(target) {
            return None;
        }
        let groups = &self.list.groups;
        let common = groups.common(from, self.group(target));
        let is_open = |group: &GroupIndex| self.table.has_end(*group) && !self.changes.has_ended(*group);
        groups.around(common).find(is_open)
    }

    fn enqueue(&mut self, group: Option<GroupIndex>, run: NotificationRun) {
        let due = self.queues.due(group).filter(|due| self.runs.get(*due).target == run.target);
        match due {
            Some(due) => self.runs.get_mut(due).merge(run),
            None => self.queues.push(group, run),
        }
    }

    /// Takes over a notification that an earlier run, or the previous program of a watch, did not deliver.
    pub(crate) fn inherit(&mut self, run: NotificationRun) {
        if self.is_watching { self.pend(run) } else { self.enqueue(None, run) }
    }

    /// Does not deliver an inherited notification after all.
    pub(crate) fn withdraw(&mut self, target: NodeIndex) {
        self.changes.withdraw(target);
        self.queues.remove(None, target);
    }

    /// A notified visit begins: further notifications of its target start another run.
    pub(crate) fn begun(&mut self, visit: Visit) {
        let Some(run) = visit.run() else { return };
        if let Some(group) = self.table.verified_by(visit.node) {
            self.unverified.begin(group);
        }
        if let Some(group) = self.runs.drained(run) {
            self.queues.begun(group, run);
        }
        if self.queues.pending.get(&visit.node) == Some(&run) {
            self.queues.pending.remove(&visit.node);
        }
    }

    /// A visit and all its consequences are over; if it failed, for this root cause. A loop, since runs may have
    /// consequences without end.
    pub(crate) fn settle(
        &mut self,
        mut visit: Visit,
        mut failed: Option<NodeIndex>,
        mut downstream: Downstream,
    ) {
        while let Some(run) = visit.run() {
            // A skipped visit is over without having begun.
            self.begun(visit);
            let (wait, root) = match self.runs.end(run, failed) {
                None => return self.verified_in_watch(visit.node, failed),
                Some(Continuation::Next(run, wait)) => {
                    self.start(run, wait);
                    return;
                }
                Some(Continuation::Then(wait, root)) => (wait, root),
            };
            match wait {
                Wait::Settle(notifier, passed) => (visit, failed, downstream) = (notifier, None, passed),
                Wait::Proceed(visit) => {
                    return self.effects.push(match root {
                        None => Effect::Proceed(visit.announced()),
                        Some(root) => Effect::Refuse(visit, root),
                    });
                }
                Wait::Drain(Some(group)) => return self.end_group(group),
                Wait::Drain(None) => return,
                Wait::Verify(group) => return self.verified(group, root),
                Wait::Resume(ticket, _) => return self.effects.push(Effect::Resume(ticket)),
            }
        }
        self.effects.push(Effect::Settle(visit, downstream));
    }

    /// The members of a group are done: delivers the notifications delayed to its end, then those of the group itself.
    pub(crate) fn end_group(&mut self, group: GroupIndex) {
        if !self.drain(Some(group)) && !self.notify_of(group) {
            self.changes.end(group);
            self.effects.push(Effect::EndGroup(group, self.unverified.failure(group)));
        }
    }

    /// Every written action is over: delivers the next delayed notification; false if there is none.
    pub(crate) fn end_run(&mut self) -> bool {
        self.drain(None)
    }

    fn drain(&mut self, group: Option<GroupIndex>) -> bool {
        let Some(run) = self.queues.pop(group) else { return false };
        if let Some((run, wait)) = self.runs.wait(Wait::Drain(group), VecDeque::from([run])) {
            let id = self.start(run, wait);
            self.queues.set_due(group, id);
        }
        true
    }

    /// Notifies of the change of a group, once; false if nothing has to run before the group is over.
    fn notify_of(&mut self, group: GroupIndex) -> bool {
        let Some(((by, certain), others)) = self.changes.take_change(group) else { return false };
        // It is over for its own notifications.
        self.changes.end(group);
        let change = NotifierChange { by, after: None, certain };
        let (notices, parent) = (self.table.of_group(group), self.list.groups.get(group).parent);
        self.delay(notices.iter(), parent, change, &others);
        let now = notices.iter().filter(|notice| notice.moment == Moment::Immediately);
        self.send_all(now, change, &others, Wait::Drain(Some(group)))
    }

    /// Whether every run that has begun is over.
    pub(crate) fn are_over(&self) -> bool {
        self.runs.are_over()
    }

    /// All notifications whose targets have not run.
    pub(crate) fn undelivered(&self) -> Vec<NotificationRun> {
        self.runs.undelivered().chain(self.queues.undelivered()).collect()
    }

    /// The run that a visit is part of.
    pub(crate) fn of(&self, visit: Visit) -> Option<&NotificationRun> {
        visit.run().map(|run| self.runs.get(run))
    }

    /// Whether a node has `before` targets.
    pub(crate) fn announces(&self, node: NodeIndex) -> bool {
        self.notices(node).iter().any(|notice| notice.moment == Moment::Before)
    }

    fn notices(&self, node: NodeIndex) -> &'p [Notice] {
        self.table.of_resource(self.list.get(node as usize).resource)
    }

    fn group(&self, node: NodeIndex) -> Option<GroupIndex> {
        self.list.get(node as usize).group
    }
}
