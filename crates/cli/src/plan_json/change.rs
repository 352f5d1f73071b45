//! What becomes of one resource.

use uphold::model::Action;
use uphold::resource::Registry;
use uphold::saved_plan::PlannedAction;
use uphold::{Cause, Change, ChangeKind, Unwanted, Verdict};
use uphold_wire::plan_document::{Detail, ResourceChange};

use super::object::Sides;

/// An entry of `resource_changes`.
pub(super) fn resource_change(planned: &PlannedAction, registry: &Registry) -> ResourceChange {
    let verdict = planned.verdict(registry);
    let Judged { action, reason, sides } = judged(planned, &verdict);
    let detail = detail(planned, &verdict);
    ResourceChange::new(&planned.resource, sides.change(action), reason.map(Into::into), detail)
}

/// A verdict in the words of OpenTofu.
struct Judged {
    action: &'static str,
    reason: Option<&'static str>,
    sides: Sides,
}

fn judged(planned: &PlannedAction, verdict: &Verdict) -> Judged {
    let (action, reason, sides) = match verdict {
        Verdict::WouldChange(change) => {
            (action(change.kind), run_reason(planned, change), Sides::changed(planned, change))
        }
        // Whatever it comes to, a policy should look at it.
        Verdict::MayChange { .. } => ("update", Some("may_change"), Sides::later(planned)),
        Verdict::Differs(change) => ("no-op", Some("audited"), Sides::as_it_is(planned, change)),
        Verdict::Ignored(_) => ("no-op", Some("failure_ignored"), Sides::same(planned)),
        Verdict::NotWanted(why) => ("no-op", Some(unwanted_reason(why)), Sides::same(planned)),
        _ => ("no-op", None, Sides::same(planned)),
    };
    Judged { action, reason, sides }
}

fn action(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Create => "create",
        // OpenTofu has no word for what runs.
        ChangeKind::Update | ChangeKind::Run => "update",
        ChangeKind::Remove => "delete",
    }
}

fn run_reason(planned: &PlannedAction, change: &Change) -> Option<&'static str> {
    match (change.kind, &planned.cause, &planned.action) {
        (_, Cause::Notified { .. }, _) => Some("notified"),
        (ChangeKind::Run, _, Action::Verb(_)) => Some("run_because_of_action"),
        (ChangeKind::Run, ..) => Some("run_because_not_done"),
        _ => None,
    }
}

fn unwanted_reason(why: &Unwanted) -> &'static str {
    match why {
        Unwanted::When => "not_wanted_because_of_when",
        Unwanted::Guard { .. } => "not_wanted_because_of_guard",
        Unwanted::NothingChanged => "not_wanted_because_nothing_changed",
        Unwanted::RunFailed => "not_wanted_because_run_failed",
    }
}

/// What OpenTofu has no place for.
fn detail(planned: &PlannedAction, verdict: &Verdict) -> Detail {
    let (notified_by, moment) = match &planned.cause {
        Cause::Notified { by, moment } => (Some(by.to_string()), Some(moment.word().into())),
        _ => (None, None),
    };
    let (waits_for, now) = match verdict {
        Verdict::MayChange { waits_for, because, .. } => {
            let now = because.as_ref().map(|failure| failure.message.clone());
            (Some(waits_for.to_string()), Some(now))
        }
        Verdict::Ignored(failure) => (None, Some(Some(failure.message.clone()))),
        _ => (None, None),
    };
    let (action, written_at) = (planned.action.word().to_owned(), planned.written_at.clone());
    Detail { action, moment, notified_by, now, verdict: verdict_name(verdict).into(), waits_for, written_at }
}

fn verdict_name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Unchanged => "unchanged",
        Verdict::Changed(_) | Verdict::WouldChange(_) => "would_change",
        Verdict::MayChange { .. } => "may_change",
        Verdict::Differs(_) => "differs",
        Verdict::Failed(_) => "failed",
        Verdict::Ignored(_) => "ignored",
        Verdict::Skipped(_) => "skipped",
        Verdict::NotWanted(_) => "not_wanted",
    }
}
