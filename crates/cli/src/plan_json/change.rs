//! What becomes of one resource.

use serde_json::{Value as Json, json};
use uphold::model::{Action, ResourceId};
use uphold::resource::Registry;
use uphold::saved_plan::PlannedAction;
use uphold::{Cause, Change, ChangeKind, Unwanted, Verdict};

use super::object::Sides;

/// Who provides every resource.
pub(super) const PROVIDER: &str = "uphold";

/// An entry of `resource_changes`.
pub(super) fn resource_change(planned: &PlannedAction, registry: &Registry) -> Json {
    let verdict = planned.verdict(registry);
    let Judged { actions, reason, sides } = judged(planned, &verdict);
    let mut json = resource(&planned.resource);
    json["change"] = sides.json(actions);
    if let Some(reason) = reason {
        json["action_reason"] = reason.into();
    }
    json["uphold"] = detail(planned, &verdict);
    json
}

/// `{address, mode, type, name, provider_name}`, and where there is one, `module_address` and `index`.
pub(super) fn resource(id: &ResourceId) -> Json {
    let mut json = json!({
        "address": id.to_string(),
        "mode": "managed",
        "type": &*id.kind,
        "name": &*id.name,
        "provider_name": PROVIDER,
    });
    for (name, part) in [("module_address", id.module()), ("index", id.key())] {
        if let Some(part) = part {
            json[name] = Json::from(&**part);
        }
    }
    json
}

/// A verdict in the words of OpenTofu.
struct Judged {
    actions: &'static [&'static str],
    reason: Option<&'static str>,
    sides: Sides,
}

fn judged(planned: &PlannedAction, verdict: &Verdict) -> Judged {
    let (actions, reason, sides): (&[&str], _, _) = match verdict {
        Verdict::WouldChange(change) => {
            (actions(change.kind), run_reason(planned, change), Sides::changed(planned, change))
        }
        // Whatever it comes to, a policy should look at it.
        Verdict::MayChange { .. } => (&["update"], Some("may_change"), Sides::later(planned)),
        Verdict::Differs(change) => (&["no-op"], Some("audited"), Sides::as_it_is(planned, change)),
        Verdict::Ignored(_) => (&["no-op"], Some("failure_ignored"), Sides::same(planned)),
        Verdict::NotWanted(why) => (&["no-op"], Some(unwanted_reason(why)), Sides::same(planned)),
        _ => (&["no-op"], None, Sides::same(planned)),
    };
    Judged { actions, reason, sides }
}

fn actions(kind: ChangeKind) -> &'static [&'static str] {
    match kind {
        ChangeKind::Create => &["create"],
        // OpenTofu has no word for what runs.
        ChangeKind::Update | ChangeKind::Run => &["update"],
        ChangeKind::Remove => &["delete"],
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
fn detail(planned: &PlannedAction, verdict: &Verdict) -> Json {
    let mut json = json!({
        "action": planned.action.word(),
        "verdict": verdict_name(verdict),
        "written_at": planned.written_at,
    });
    if let Cause::Notified { by, moment } = &planned.cause {
        json["notified_by"] = by.to_string().into();
        json["moment"] = moment.word().into();
    }
    match verdict {
        Verdict::MayChange { waits_for, because } => {
            json["waits_for"] = Json::from(&**waits_for);
            json["now"] = because.as_ref().map(|failure| failure.message.clone()).into();
        }
        Verdict::Ignored(failure) => json["now"] = failure.message.clone().into(),
        _ => {}
    }
    json
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
