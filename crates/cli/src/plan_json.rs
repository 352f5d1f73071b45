//! A saved plan in the format of OpenTofu's plans, for policy tools: `docs/plans.md` specifies it.

use std::collections::BTreeMap;
use std::time::SystemTime;

use jiff::Timestamp;
use uphold::model::{Action, Difference, Value};
use uphold::resource::Registry;
use uphold::saved_plan::{self, PlannedAction, SavedPlan};
use uphold::{Change, ChangeKind, Unwanted, Verdict};
use uphold_wire::plan_document::{
    self as wire, Detail, Module, PlanDocument, PlannedOutput, PlannedResource, PlannedValues,
    ResourceChange, RootModule, Variable,
};
use uphold_wire::{Format, Marked, MarkedMembers, Value as Shown};

/// A saved plan as `tofu show -json` prints one, as far as both have the same concepts.
pub(crate) fn document(plan: &SavedPlan, kinds: &Registry) -> PlanDocument {
    let changes: Vec<ResourceChange> = plan.actions().map(|action| resource_change(action, kinds)).collect();
    PlanDocument {
        applyable: changes.iter().any(|one| one.change.actions[0] != "no-op"),
        complete: true,
        errored: false,
        format_version: PlanDocument::VERSION,
        output_changes: plan.outputs().map(output_change).collect(),
        planned_values: planned_values(plan, &changes),
        resource_changes: changes,
        timestamp: timestamp(plan.made_at()),
        uphold_version: plan.uphold().to_owned(),
        variables: plan.params().map(variable).collect(),
    }
}

/// RFC 3339, in UTC, whole seconds.
fn timestamp(time: SystemTime) -> String {
    format!("{:.0}", Timestamp::try_from(time).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// A param given on the command line; the value of a secret is left out.
fn variable((name, text): (&str, Option<&str>)) -> (String, Variable) {
    (name.to_owned(), Variable { value: text.map(str::to_owned) })
}

fn output_change((name, value): (&str, &Shown)) -> (String, wire::Change) {
    let Marked { value, unknown, sensitive } = value.into();
    let change = wire::Change {
        actions: vec!["create".into()],
        after: value.unwrap_or(Shown::Null),
        after_sensitive: sensitive,
        after_unknown: unknown,
        before: Shown::Null,
        before_sensitive: Shown::Bool(false),
    };
    (name.to_owned(), change)
}

/// The planned state of every resource, by module.
fn planned_values(plan: &SavedPlan, changes: &[ResourceChange]) -> PlannedValues {
    let mut modules: BTreeMap<&str, BTreeMap<&str, PlannedResource>> = BTreeMap::new();
    for change in changes {
        let resources = modules.entry(change.module_address.as_deref().unwrap_or_default()).or_default();
        // The last of several actions on a resource determines its state.
        match change.change.after {
            Shown::Null => _ = resources.remove(&*change.address),
            _ => _ = resources.insert(&change.address, change.into()),
        }
    }
    let resources = |of: BTreeMap<&str, PlannedResource>| of.into_values().collect();
    let root = modules.remove("").map(resources).unwrap_or_default();
    let child = |(address, of): (&str, _)| Module { address: address.to_owned(), resources: resources(of) };
    PlannedValues {
        outputs: plan.outputs().map(planned_output).collect(),
        root_module: RootModule { child_modules: modules.into_iter().map(child).collect(), resources: root },
    }
}

fn planned_output((name, value): (&str, &Shown)) -> (String, PlannedOutput) {
    let shown = Marked::from(value).value.unwrap_or(Shown::Null);
    (name.to_owned(), PlannedOutput { sensitive: value.is_hidden(), value: shown })
}

fn marked(value: &Value) -> Marked {
    Marked::from(&Shown::from(value))
}

/// An entry of `resource_changes`, with the verdict in the words of OpenTofu.
fn resource_change(planned: &PlannedAction, kinds: &Registry) -> ResourceChange {
    let verdict = saved_plan::verdict(planned, kinds);
    let unchanged = || (Some(declared(planned)), Some(declared(planned)));
    let (name, action, reason, (before, after)) = match &verdict {
        Verdict::Changed(change) | Verdict::WouldChange(change) => {
            ("would_change", action(change.kind), run_reason(planned, change), changed(planned, change))
        }
        // A policy should consider it, whether it changes or not. The current state is unknown.
        Verdict::MayChange { .. } => {
            let before_and_after = (Some(MarkedMembers::default()), Some(declared(planned)));
            ("may_change", "update", Some("may_change"), before_and_after)
        }
        Verdict::Differs(change) => ("differs", "no-op", Some("audited"), left_different(planned, change)),
        Verdict::Paused(change, _) => ("paused", "no-op", Some("paused"), left_different(planned, change)),
        Verdict::Ignored(_) => ("ignored", "no-op", Some("failure_ignored"), unchanged()),
        Verdict::NotWanted(why) => ("skipped", "no-op", Some(unwanted_reason(why)), unchanged()),
        Verdict::Unchanged => ("unchanged", "no-op", None, unchanged()),
        Verdict::Failed(_) => ("failed", "no-op", None, unchanged()),
        Verdict::Skipped(_) | Verdict::PutBack(_) => ("skipped", "no-op", None, unchanged()),
    };
    let (before, _, before_sensitive) = parts(before);
    let (after, after_unknown, after_sensitive) = parts(after);
    let actions = vec![action.into()];
    let change = wire::Change { actions, after, after_sensitive, after_unknown, before, before_sensitive };
    ResourceChange::new(&planned.resource, change, reason.map(Into::into), detail(planned, &verdict, name))
}

fn action(kind: ChangeKind) -> &'static str {
    match kind {
        ChangeKind::Create => "create",
        // OpenTofu has no word for running an action.
        ChangeKind::Update | ChangeKind::Run => "update",
        ChangeKind::Remove => "delete",
    }
}

fn run_reason(planned: &PlannedAction, change: &Change) -> Option<&'static str> {
    match (change.kind, &planned.notified_by, &planned.action) {
        (_, Some(_), _) => Some("notified"),
        (ChangeKind::Run, _, Action::Verb(_)) => Some("run_because_of_action"),
        (ChangeKind::Run, ..) => Some("run_because_not_done"),
        _ => None,
    }
}

fn unwanted_reason(why: &Unwanted) -> &'static str {
    match why {
        Unwanted::When => "skip_because_when_is_false",
        Unwanted::Guard { .. } => "skip_because_of_guard",
        Unwanted::NothingChanged => "skip_because_nothing_changed",
        Unwanted::RunFailed => "skip_because_run_failed",
    }
}

/// The fields that OpenTofu's plans do not have.
fn detail(planned: &PlannedAction, verdict: &Verdict, name: &'static str) -> Detail {
    let notified_by = planned.notified_by.as_ref().map(ToString::to_string);
    let timing = planned.timing.map(|moment| moment.word().into());
    let (waits_for, error) = match verdict {
        Verdict::MayChange { waits_for, because, .. } => {
            let error = because.as_ref().map(|failure| failure.message.clone());
            (Some(waits_for.to_string()), Some(error))
        }
        Verdict::Ignored(failure) => (None, Some(Some(failure.message.clone()))),
        _ => (None, None),
    };
    let (action, declared_at) = (planned.action.word().to_owned(), planned.declared_at.clone());
    Detail {
        action,
        declared_at,
        error,
        notified_by,
        also_notified_by: planned.also_notified_by.iter().map(ToString::to_string).collect(),
        more_notifiers: Some(planned.more_notifiers).filter(|more| *more > 0),
        skip_reason: matches!(verdict, Verdict::NotWanted(_)).then(|| "condition".into()),
        timing,
        verdict: name.into(),
        waits_for,
    }
}

/// The state of a resource before and after; none where it does not exist.
type BeforeAndAfter = (Option<MarkedMembers>, Option<MarkedMembers>);

/// An audited or paused resource keeps its state, although it differs from the declaration.
fn left_different(action: &PlannedAction, change: &Change) -> BeforeAndAfter {
    let state = (change.kind != ChangeKind::Create)
        .then(|| overlaid(action, &change.differences, |one| one.from.value()));
    (state.clone(), state)
}

fn changed(action: &PlannedAction, change: &Change) -> BeforeAndAfter {
    let before = overlaid(action, &change.differences, |one| one.from.value());
    let mut after = overlaid(action, &change.differences, |one| one.to.value());
    for name in &change.unknown {
        after.add(name, marked(&Value::unknown(*name)));
    }
    (
        Some(before).filter(|_| change.kind != ChangeKind::Create),
        Some(after).filter(|_| change.kind != ChangeKind::Remove),
    )
}

/// Values, unknown marks and sensitive marks.
fn parts(members: Option<MarkedMembers>) -> (Shown, Shown, Shown) {
    match members {
        Some(members) => {
            (Shown::Map(members.values), Shown::Map(members.unknown), Shown::Map(members.sensitive))
        }
        None => (Shown::Null, Shown::Map(Vec::new()), Shown::Bool(false)),
    }
}

/// The declared properties.
fn declared(action: &PlannedAction) -> MarkedMembers {
    let mut members = MarkedMembers::default();
    action.attributes.iter().for_each(|one| members.add(&one.name, (&one.value.0).into()));
    members
}

/// The declared properties, overlaid with one side of the differences.
fn overlaid<'d>(
    action: &PlannedAction,
    differences: &'d [Difference],
    side: impl Fn(&'d Difference) -> Option<&'d Value>,
) -> MarkedMembers {
    let mut members = declared(action);
    for difference in differences {
        if let Some(value) = side(difference) {
            members.add(&difference.property, marked(value));
        }
    }
    members
}
