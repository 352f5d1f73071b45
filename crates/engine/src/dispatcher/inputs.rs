//! What a visit has to know of what came before it.

use uphold_model::{Action, Moment, Name};

use super::Dispatcher;
use crate::event::{Mode, Unwanted};
use crate::graph::NodeIndex;
use crate::lifecycle::Lifecycle;
use crate::notifications::{NotificationRun, Subscription};
use crate::schedule::{Downstream, Visit};
use crate::visit::VisitInputs;

impl<L: Lifecycle> Dispatcher<'_, L> {
    pub(super) fn inputs(&self, visit: Visit) -> VisitInputs {
        let Downstream { changes, unpredicted, secret, .. } = self.schedule.passed(visit.node);
        let name = |node: NodeIndex| self.name(node);
        let (changes, unpredicted) = (changes.map(name), unpredicted.map(name));
        let mut inputs = VisitInputs { changes, unpredicted, secret, ..VisitInputs::default() };
        if let Some(run) = self.notifications.of(visit) {
            // Decided when the visit begins: its `before` targets may have run since.
            let failed = run.moment == Moment::OnSuccess && visit.is_first() && self.has_failed();
            inputs.unwanted = failed.then_some(Unwanted::RunFailed);
            inputs.depends = (!run.certain).then(|| self.name(run.by));
            self.add_notifier(run, &mut inputs);
        }
        match self.notifications.subscription(visit) {
            Subscription::Met => {}
            Subscription::Unmet => _ = inputs.unwanted.get_or_insert(Unwanted::NothingChanged),
            Subscription::Depends(node) => inputs.depends = Some(self.name(node)),
        }
        inputs.brought = self.schedule.bringer().map(name);
        inputs.can_wait = self.schedule.can_wait(visit);
        let entry = self.entry(visit.node);
        // A verb runs whatever a load finds.
        if !matches!(entry.action(), Action::Verb(_))
            && let Some(by) = self.notifications.stale(entry.resource).map(name)
        {
            inputs.unpredicted.get_or_insert_with(|| by.clone());
            inputs.stale = Some(by);
        }
        inputs
    }

    /// In a plan, a notified resource is predicted as if it depended on its notifier.
    fn add_notifier(&self, run: &NotificationRun, inputs: &mut VisitInputs) {
        if self.request.mode == Mode::Apply || run.moment == Moment::Before {
            return;
        }
        inputs.changes.get_or_insert_with(|| self.name(run.by));
        if self.notifications.is_unpredicted(run.by) {
            inputs.unpredicted.get_or_insert_with(|| self.name(run.by));
        }
    }

    fn name(&self, node: NodeIndex) -> Name {
        self.id(node).to_string().into()
    }
}
