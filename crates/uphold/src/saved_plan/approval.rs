//! Limits a run to a plan.

use std::collections::HashMap;

use uphold_engine::{Approval, Change, ChangeKind, NodeIndex};
use uphold_model::{Action, ResourceId};
use uphold_wire::saved_plan::{Action as PlannedAction, Guard, Outcome, Record, Unwanted};

use super::change::{compare, compare_settings};
use super::record::actions;
use super::salt::Salt;
use super::words;

/// Approves the planned changes.
///
/// # Guarantees
/// A change is made only if it was planned: of the same kind, with the same properties, from the same values to the same
/// values. Values that were unknown may be anything, and so may a change that was planned as *may change*. A resource
/// that is as declared by now is always approved.
pub struct PlanApproval<'a> {
    salt: &'a Salt,
    written: HashMap<NodeIndex, &'a PlannedAction>,
    /// The same by resource: the numbers of removals depend on how many there are now.
    written_of: HashMap<(&'a ResourceId, &'a Action), &'a PlannedAction>,
    /// Notified actions: each run must match one of these.
    on_request: HashMap<(&'a ResourceId, &'a Action), Vec<&'a PlannedAction>>,
}

impl<'a> PlanApproval<'a> {
    pub(super) fn new(records: &'a [Record], salt: &'a Salt) -> Self {
        let (written, written_of, on_request) = Default::default();
        let mut approval = Self { salt, written, written_of, on_request };
        for planned in actions(records) {
            match planned.node {
                Some(node) => {
                    approval.written.insert(node, planned);
                    approval.written_of.insert((&planned.resource, &planned.action), planned);
                }
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
            Outcome::Unchanged => Err(words::no_longer_unchanged(change)),
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
        if let Some(planned) = self.written.get(&node).filter(is_it) {
            return self.judge(planned, change);
        }
        let removal = self.written_of.get(&(resource, action));
        let mut refused = match removal.filter(|_| change.kind == ChangeKind::Remove) {
            Some(planned) => return self.judge(planned, change),
            None => Err("it is not in the plan".to_owned()),
        };
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
        let approval = PlanApproval::new(&records, &salt);
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
        // A removal of a resource that is no longer declared has no fixed position in the list.
        check(0, "remove", Some(ChangeKind::Remove), Ok(()));
        // Another action, or another position in the list, is not in the plan.
        check(0, "run", Some(ChangeKind::Create), Err("it was to be run, but does not exist"));
        check(7, "converge", Some(ChangeKind::Create), Err("it is not in the plan"));
        check(7, "converge", None, Ok(()));
    }
}
