//! The inputs of a visit: facts about earlier nodes.

use uphold_model::{Action, Moment, Name};

use crate::event::{Mode, Unwanted};
use crate::graph::NodeIndex;
use crate::notifications::{Notifications, Subscription};
use crate::program::Program;
use crate::schedule::{Downstream, Schedule, Visit};
use crate::visit::VisitInputs;

/// Collects the inputs of a visit. `has_failed`: whether something has failed so far.
pub(super) fn inputs(
    visit: Visit,
    mode: Mode,
    program: &Program,
    schedule: &Schedule<'_>,
    notifications: &Notifications<'_>,
    has_failed: impl Fn() -> bool,
) -> VisitInputs {
    let name = |node: NodeIndex| -> Name { program.id(node).to_string().into() };
    let Downstream { changes, unpredicted, secret, .. } = schedule.walk.passed(visit.node);
    let mut inputs = VisitInputs {
        changes: changes.map(name),
        unpredicted: unpredicted.map(name),
        secret,
        installer: schedule.postponed.installer().map(name),
        can_wait: schedule.postponed.can_wait(visit),
        notified: visit.is_notified(),
        ..VisitInputs::default()
    };
    if let Some(run) = notifications.of(visit) {
        // Decided when the visit begins: its `before` targets may have run since.
        let failed = run.moment == Moment::OnSuccess && visit.is_first() && has_failed();
        inputs.unwanted = failed.then_some(Unwanted::RunFailed);
        inputs.depends = (!run.certain).then(|| name(run.by));
        // In a plan, a notified resource is predicted as if it depended on its notifier.
        if mode == Mode::Plan && run.moment != Moment::Before {
            inputs.changes.get_or_insert_with(|| name(run.by));
            if notifications.changes.is_unpredicted(run.by) {
                inputs.unpredicted.get_or_insert_with(|| name(run.by));
            }
        }
    }
    match notifications.changes.subscription(visit) {
        Subscription::Met => {}
        Subscription::Unmet => _ = inputs.unwanted.get_or_insert(Unwanted::NothingChanged),
        Subscription::Depends(node) => inputs.depends = Some(name(node)),
    }
    let entry = program.entry(visit.node);
    // A verb runs even if nothing differs.
    if !matches!(entry.action(), Action::Verb(_))
        && let Some(by) = notifications.changes.stale(entry.resource).map(name)
    {
        inputs.unpredicted.get_or_insert_with(|| by.clone());
        inputs.stale = Some(by);
    }
    inputs
}
