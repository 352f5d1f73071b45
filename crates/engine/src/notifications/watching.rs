//! Notifications in a watch, where a run has no end.

use uphold_model::Moment;

use super::run::NotificationRun;
use super::{Effect, Notifications, NotifierChange};
use crate::graph::NodeIndex;
use crate::schedule::Visit;

impl Notifications<'_> {
    /// From now on everything is watched: a run has no end any more.
    pub(crate) fn watch(&mut self) {
        self.is_watching = true;
    }

    /// While everything is watched a group has no end: it notifies of each change of a member.
    pub(crate) fn member_changed(&mut self, node: NodeIndex) {
        // Its groups notify when they are verified.
        if self.table.verified(self.list, self.group(node)).is_some() {
            return;
        }
        let change = NotifierChange { by: node, after: None, certain: true };
        for group in self.list.groups.around(self.group(node)) {
            for notice in self.table.of_group(group) {
                self.pend(change.run(notice));
            }
        }
    }

    /// In a watch: a run failed, and is repeated when [`due_again`](Self::due_again).
    pub(crate) fn failed(&mut self, visit: Visit) {
        if let Some(run) = visit.run() {
            // Its cause may be forgotten by then.
            let run = NotificationRun { after: None, ..self.runs.get(run).clone() };
            self.queues.failed.insert(visit.node, run);
        }
    }

    /// In a watch: the target of a run is paused, and runs when [`due_again`](Self::due_again). A change that was to come after
    /// it was made without it.
    pub(crate) fn paused(&mut self, visit: Visit) {
        if self.of(visit).is_some_and(|run| run.moment != Moment::Before) {
            self.failed(visit);
        }
    }

    /// In a watch: it is time to repeat a failed run, or that of a paused target.
    pub(crate) fn due_again(&mut self, target: NodeIndex) {
        if let Some(run) = self.queues.failed.remove(&target) {
            self.pend(run);
        }
    }

    /// Forgets runs that are over, so that a watch does not grow. Not before everything was visited: delayed notifications
    /// refer to their causes.
    pub(crate) fn forget(&mut self) {
        if self.is_watching && self.queues.pending.is_empty() {
            self.runs.forget();
        }
    }

    /// In a watch: starts a run once all its notifiers are idle.
    pub(super) fn pend(&mut self, mut run: NotificationRun) {
        if self.table.verified_by(run.target).is_some() {
            // Nothing waits for a verification here, and it has to wait for members that are visited.
            run.moment = Moment::Delayed;
        }
        if let Some(pending) = self.queues.pending.get(&run.target) {
            return self.runs.get_mut(*pending).merge(run);
        }
        let target = run.target;
        let id = self.runs.begin(run, None);
        self.queues.pending.insert(target, id);
        self.effects.push(Effect::StartWhenIdle(Visit::notified(target, id)));
    }
}
