//! Limits a run to a plan.

use std::collections::HashMap;

use uphold_engine::{Approval, Change, ChangeKind, NodeIndex};
use uphold_model::{Action, Difference, ResourceId, Side};
use uphold_wire::saved_plan::{Action as PlannedAction, Guard, Outcome, Record, Unwanted};

use super::change::{compare, compare_settings};
use super::record::actions;
use super::salt::Salt;

/// Approves the planned changes.
///
/// # Guarantees
/// A change is made only if it was planned: of the same kind, with the same properties, from the same values to the same
/// values. Values that were unknown may be anything, and so may a change that was planned as *may change*. A resource
/// that is as declared by now is always approved.
pub struct PlanApproval<'a> {
    salt: &'a Salt,
    written: HashMap<NodeIndex, &'a PlannedAction>,
    /// Removals by resource: their positions depend on how many there are now.
    removals: HashMap<(&'a ResourceId, &'a Action), &'a PlannedAction>,
    /// Notified actions: each run must match one of these.
    on_request: HashMap<(&'a ResourceId, &'a Action), Vec<&'a PlannedAction>>,
}

impl<'a> PlanApproval<'a> {
    /// `is_removal` says whether the run removes or reverts a resource, because it is no longer declared.
    pub(super) fn new(
        records: &'a [Record],
        salt: &'a Salt,
        is_removal: impl Fn(&ResourceId) -> bool,
    ) -> Self {
        let (written, removals, on_request) = Default::default();
        let mut approval = Self { salt, written, removals, on_request };
        for planned in actions(records) {
            match planned.node {
                Some(_) if is_removal(&planned.resource) => {
                    approval.removals.insert((&planned.resource, &planned.action), planned);
                }
                Some(node) => _ = approval.written.insert(node, planned),
                None => {
                    let pair = (&planned.resource, &planned.action);
                    approval.on_request.entry(pair).or_default().push(planned);
                }
            }
        }
        approval
    }

    fn judge(&self, planned: &PlannedAction, change: &Change) -> Result<(), String> {
        match &planned.outcome {
            Outcome::MayChange { settings, .. } => {
                compare_settings(settings, &change.inputs, &planned.resource, self.salt)
            }
            Outcome::WouldChange { change: then } => compare(then, change, &planned.resource, self.salt),
            Outcome::Unchanged => Err(no_longer_unchanged(change)),
            Outcome::Differs { .. } => Err("it was only to be audited".to_owned()),
            Outcome::Paused { .. } => Err("it was paused".to_owned()),
            Outcome::Ignored { .. } => Err("its change was unknown in the plan".to_owned()),
            Outcome::Skipped { condition: why, .. } => Err(format!("it was to be skipped: {}", reason(why))),
        }
    }
}

impl Approval for PlanApproval<'_> {
    fn approve(
        &self,
        node: NodeIndex,
        resource: &ResourceId,
        action: &Action,
        change: Option<&Change>,
    ) -> Result<(), String> {
        let Some(change) = change else { return Ok(()) };
        let is_it = |planned: &&&PlannedAction| planned.resource == *resource && planned.action == *action;
        let written = self.written.get(&node).filter(is_it);
        if let Some(planned) = written.or_else(|| self.removals.get(&(resource, action))) {
            return self.judge(planned, change);
        }
        let mut refused = Err("it is not in the plan".to_owned());
        for planned in self.on_request.get(&(resource, action)).into_iter().flatten() {
            refused = self.judge(planned, change);
            if refused.is_ok() {
                break;
            }
        }
        refused
    }
}

fn reason(why: &Unwanted) -> String {
    match why {
        Unwanted::When => "its `when` was false".to_owned(),
        Unwanted::OnlyIf(guard) => decided("only_if", guard),
        Unwanted::NotIf(guard) => decided("not_if", guard),
        Unwanted::NothingChanged => "its group subscribes to resources that were not to change".to_owned(),
        Unwanted::RunFailed => "the run was to fail".to_owned(),
    }
}

fn decided(word: &str, guard: &Guard) -> String {
    let whose = if guard.of_group { " of its group" } else { "" };
    format!("`{word}`{whose} was {}", word == "not_if")
}

// Messages about deviations from a plan.

/// The longest value that is shown, in characters.
const SHOWN: usize = 60;

/// The most properties in a message.
const NAMED: usize = 3;

pub(super) fn other_kind(planned: ChangeKind, now: &Change) -> String {
    let planned = match planned {
        ChangeKind::Create => "it was to be created",
        ChangeKind::Update => "it was to be changed",
        ChangeKind::Remove => "it was to be removed",
        ChangeKind::Run => "it was to be run",
    };
    match now.kind {
        ChangeKind::Create => format!("{planned}, but does not exist"),
        ChangeKind::Update => format!("{planned}, but exists now{}", states(now)),
        ChangeKind::Remove => format!("{planned}, but would be removed now"),
        ChangeKind::Run => format!("{planned}, but would be run now"),
    }
}

pub(super) fn no_longer_unchanged(now: &Change) -> String {
    match now.kind {
        ChangeKind::Create => "it was as declared, but does not exist".to_owned(),
        ChangeKind::Update => format!("it was as declared, but is not now{}", states(now)),
        ChangeKind::Remove => "it did not exist, but does now".to_owned(),
        ChangeKind::Run => "there was nothing to run, but there is now".to_owned(),
    }
}

pub(super) fn settled(property: &str) -> String {
    format!("{property} was to be changed, and needs no change now")
}

pub(super) fn newly_different(now: &Difference) -> String {
    match value(&now.from, now.is_sensitive()) {
        Some(value) => format!("{} was as declared, and is {value} now", now.property),
        None => format!("{} was as declared, and is not set now", now.property),
    }
}

/// The current value is not the one at the time of the plan.
pub(super) fn other_origin(property: &str, planned: &Side, now: &Side, hidden: bool) -> String {
    if hidden {
        return format!("{property} is a secret, and has changed since the plan");
    }
    let (planned, now) = (shown(planned), shown(now));
    format!("{property} was {planned} at the time of the plan, and is {now} now")
}

/// The declared value is not the planned one.
pub(super) fn other_goal(property: &str, planned: &Side, now: &Side, hidden: bool) -> String {
    if hidden {
        return format!("{property} is a secret, and differs from the planned one");
    }
    let (planned, now) = (shown(planned), shown(now));
    format!("{property} was to become {planned}, and would become {now} now")
}

/// The properties that differ: `: mode "0600", owner "root"`.
fn states(now: &Change) -> String {
    let shown = now.differences.iter().filter_map(|difference| {
        Some(format!("{} {}", difference.property, value(&difference.from, difference.is_sensitive())?))
    });
    let shown: Vec<String> = shown.take(NAMED).collect();
    if shown.is_empty() { String::new() } else { format!(": {}", shown.join(", ")) }
}

fn shown(side: &Side) -> String {
    value(side, false).unwrap_or_else(|| "nothing".to_owned())
}

fn value(side: &Side, hidden: bool) -> Option<String> {
    let value = side.value()?;
    if hidden {
        return Some(uphold_model::SENSITIVE.to_owned());
    }
    let text = value.to_string();
    Some(match text.char_indices().nth(SHOWN) {
        None => text,
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
    })
}

#[cfg(test)]
mod tests {
    use super::super::change::planned as planned_change;
    use super::*;
    use uphold_model::Moment;
    use uphold_wire::saved_plan::SkipReason;

    fn change(kind: ChangeKind) -> Change {
        let (differences, causes, unknown, inputs) = Default::default();
        Change { kind, differences, causes, unknown, inputs }
    }

    fn planned(node: Option<NodeIndex>, action: &str, outcome: Outcome) -> Record {
        let by = ResourceId::new("file", "/by");
        Record::Action(Box::new(PlannedAction {
            resource: ResourceId::new("file", "/x"),
            action: Action::named(action).expect("an action"),
            notified_by: node.is_none().then_some(by),
            also_notified_by: Vec::new(),
            more_notifiers: 0,
            timing: node.is_none().then_some(Moment::Delayed),
            declared_at: None,
            attributes: Vec::new(),
            node,
            outcome,
        }))
    }

    #[test]
    fn each_action_is_limited_to_its_own_plan() {
        let (salt, id) = (Salt::fresh(), ResourceId::new("file", "/x"));
        let would = |kind| Outcome::WouldChange { change: planned_change(&change(kind), &id, &salt) };
        let may = Outcome::MayChange { waits_for: "task.a".to_owned(), error: None, settings: Vec::new() };
        let guard = Unwanted::NotIf(Guard { command: None, of_group: false });
        let records = [
            planned(Some(0), "converge", would(ChangeKind::Create)),
            planned(Some(1), "converge", Outcome::Unchanged),
            planned(Some(2), "remove", may),
            planned(
                Some(3),
                "converge",
                Outcome::Skipped { condition: guard, skip_reason: SkipReason::Condition },
            ),
            planned(Some(4), "converge", Outcome::Ignored { error: "no".to_owned() }),
            planned(
                Some(5),
                "converge",
                Outcome::Differs { change: planned_change(&change(ChangeKind::Run), &id, &salt) },
            ),
            planned(None, "run", Outcome::Unchanged),
            planned(None, "run", would(ChangeKind::Run)),
        ];
        let approval = PlanApproval::new(&records, &salt, |_| false);
        let check = |node, action: &str, kind: Option<ChangeKind>, expected: Result<(), &str>| {
            let (action, change) = (Action::named(action).expect("an action"), kind.map(change));
            let found = approval.approve(node, &id, &action, change.as_ref());
            assert_eq!(found.as_ref().map_err(String::as_str).copied(), expected, "{node} {action}");
        };
        check(0, "converge", Some(ChangeKind::Create), Ok(()));
        check(0, "converge", Some(ChangeKind::Update), Err("it was to be created, but exists now"));
        check(1, "converge", Some(ChangeKind::Create), Err("it was as declared, but does not exist"));
        check(1, "converge", None, Ok(()));
        check(2, "remove", Some(ChangeKind::Remove), Ok(()));
        check(3, "converge", Some(ChangeKind::Create), Err("it was to be skipped: `not_if` was true"));
        check(4, "converge", Some(ChangeKind::Create), Err("its change was unknown in the plan"));
        check(5, "converge", Some(ChangeKind::Create), Err("it was only to be audited"));
        // Notified: like one of the planned runs.
        check(9, "run", Some(ChangeKind::Run), Ok(()));
        check(9, "run", Some(ChangeKind::Create), Err("it was to be run, but does not exist"));
        // Another action, or another position in the list, is not in the plan.
        check(0, "run", Some(ChangeKind::Create), Err("it was to be run, but does not exist"));
        check(7, "converge", Some(ChangeKind::Create), Err("it is not in the plan"));
        check(0, "remove", Some(ChangeKind::Remove), Err("it is not in the plan"));
        check(7, "converge", None, Ok(()));
        // A removal of a resource that is no longer declared has no fixed position in the list.
        let removals = PlanApproval::new(&records, &salt, |_| true);
        assert_eq!(removals.approve(0, &id, &Action::Remove, Some(&change(ChangeKind::Remove))), Ok(()));
    }
}
