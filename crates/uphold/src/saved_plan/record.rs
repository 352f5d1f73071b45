//! The records of a plan: from events, to the file, and back to events.

use std::time::Duration;

use uphold_engine::{
    Cause, Change, Event, EventKind, Failure, Mode, NodeIndex, Summary, Unwanted as Condition, Verdict,
};
use uphold_model::{Action, Map, Name, ResourceId, Value};
use uphold_resource::{ErrorKind, Kind, Level, Registry};
use uphold_wire::SavedValue;
use uphold_wire::saved_plan::{self as wire, Guard, Outcome, Unwanted};

use super::change::{planned, planned_settings, shown};
use super::salt::Salt;

/// One record of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Record {
    Action(Box<PlannedAction>),
    Message {
        resource: ResourceId,
        level: Level,
        text: String,
    },
    /// An output, without secrets.
    Output {
        name: Name,
        value: Value,
    },
}

/// One action of a saved plan.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedAction {
    /// The resource.
    pub resource: ResourceId,
    /// The action.
    pub action: Action,
    /// The reason for it.
    pub cause: Cause,
    /// The location of the declaration and of its edits.
    pub written_at: Option<String>,
    /// The attributes that are set and do not differ, without secrets; unknown where only apply can compute them.
    pub attributes: Vec<(Name, Value)>,
    /// The position in the list of actions; none for a notified action.
    pub(super) node: Option<NodeIndex>,
    pub(super) outcome: Outcome,
}

impl From<&Record> for wire::Record {
    fn from(record: &Record) -> Self {
        match record {
            Record::Action(action) => wire::Record::Action(Box::new((&**action).into())),
            Record::Message { resource, level, text } => wire::Record::Message {
                level: match level {
                    Level::Debug => wire::Level::Debug,
                    Level::Info => wire::Level::Info,
                    Level::Warning => wire::Level::Warning,
                },
                resource: resource.clone(),
                text: text.clone(),
            },
            Record::Output { name, value } => {
                wire::Record::Output { name: name.to_string(), value: SavedValue(value.into()) }
            }
        }
    }
}

impl From<wire::Record> for Record {
    fn from(record: wire::Record) -> Self {
        match record {
            wire::Record::Action(action) => Record::Action(Box::new((*action).into())),
            wire::Record::Message { level, resource, text } => Record::Message {
                resource,
                level: match level {
                    wire::Level::Debug => Level::Debug,
                    wire::Level::Info => Level::Info,
                    wire::Level::Warning => Level::Warning,
                },
                text,
            },
            wire::Record::Output { name, value } => {
                Record::Output { name: name.into(), value: (&value.0).into() }
            }
        }
    }
}

impl From<&PlannedAction> for wire::Action {
    fn from(planned: &PlannedAction) -> Self {
        let (notified_by, timing) = match &planned.cause {
            Cause::Notified { by, moment } => (Some(by.first.clone()), Some(*moment)),
            _ => (None, None),
        };
        let attribute = |(name, value): &(Name, Value)| wire::Attribute {
            name: name.to_string(),
            value: SavedValue(value.into()),
        };
        Self {
            action: planned.action.clone(),
            attributes: planned.attributes.iter().map(attribute).collect(),
            declared_at: planned.written_at.clone(),
            node: planned.node,
            notified_by,
            outcome: planned.outcome.clone(),
            resource: planned.resource.clone(),
            timing,
        }
    }
}

impl From<wire::Action> for PlannedAction {
    fn from(saved: wire::Action) -> Self {
        let attribute = |one: wire::Attribute| (one.name.into(), (&one.value.0).into());
        Self {
            action: saved.action,
            cause: match (saved.notified_by, saved.timing) {
                (Some(by), Some(moment)) => Cause::Notified { by: by.into(), moment },
                _ => Cause::Written,
            },
            resource: saved.resource,
            written_at: saved.declared_at,
            attributes: saved.attributes.into_iter().map(attribute).collect(),
            node: saved.node,
            outcome: saved.outcome,
        }
    }
}

/// The planned outcome of a verdict; none if a plan with it cannot be applied.
pub(super) fn outcome_of(verdict: &Verdict, resource: &ResourceId, salt: &Salt) -> Option<Outcome> {
    Some(match verdict {
        Verdict::Unchanged => Outcome::Unchanged,
        Verdict::Changed(change) | Verdict::WouldChange(change) => {
            Outcome::WouldChange { change: planned(change, resource, salt) }
        }
        Verdict::MayChange { waits_for, because, inputs } => Outcome::MayChange {
            waits_for: waits_for.to_string(),
            error: because.as_ref().map(|failure| failure.message.clone()),
            settings: planned_settings(inputs, resource, salt),
        },
        Verdict::Differs(change) => Outcome::Differs { change: planned(change, resource, salt) },
        Verdict::Ignored(failure) => Outcome::Ignored { error: failure.message.clone() },
        Verdict::NotWanted(condition) => Outcome::ConditionFalse { condition: saved_condition(condition) },
        Verdict::Failed(_) | Verdict::Skipped(_) => return None,
    })
}

fn saved_condition(condition: &Condition) -> Unwanted {
    match condition {
        Condition::When => Unwanted::When,
        Condition::NothingChanged => Unwanted::NothingChanged,
        Condition::RunFailed => Unwanted::RunFailed,
        Condition::Guard { word, command, of_group } => {
            let guard = Guard { command: command.clone(), of_group: *of_group };
            if *word == "not_if" { Unwanted::NotIf(guard) } else { Unwanted::OnlyIf(guard) }
        }
    }
}

/// The reverse of [`saved_condition`].
fn condition(saved: &Unwanted) -> Condition {
    let guard = |word, Guard { command, of_group }: Guard| Condition::Guard { word, command, of_group };
    match saved {
        Unwanted::When => Condition::When,
        Unwanted::NothingChanged => Condition::NothingChanged,
        Unwanted::RunFailed => Condition::RunFailed,
        Unwanted::OnlyIf(one) => guard("only_if", one.clone()),
        Unwanted::NotIf(one) => guard("not_if", one.clone()),
    }
}

/// The events of the plan. Durations are not saved: all are zero.
pub(super) fn events(records: &[Record], registry: &Registry) -> Vec<Event> {
    let mut summary = Summary::default();
    let mut kinds = vec![EventKind::RunStarted { mode: Mode::Plan, actions: actions(records).count() }];
    for record in records {
        let kind = event(record, registry);
        if let EventKind::Finished { verdict, .. } = &kind {
            summary.count(verdict);
        }
        kinds.push(kind);
    }
    kinds.push(EventKind::RunFinished(summary));
    kinds.into_iter().map(|kind| Event { at: Duration::ZERO, kind }).collect()
}

/// The actions among the records.
pub(super) fn actions(records: &[Record]) -> impl Iterator<Item = &PlannedAction> {
    records.iter().filter_map(|record| match record {
        Record::Action(action) => Some(&**action),
        _ => None,
    })
}

fn event(record: &Record, registry: &Registry) -> EventKind {
    match record {
        Record::Action(action) => EventKind::Finished {
            resource: action.resource.clone(),
            action: action.action.clone(),
            cause: action.cause.clone(),
            verdict: action.verdict(registry),
            took: Duration::ZERO,
        },
        Record::Message { resource, level, text } => {
            EventKind::Message { resource: resource.clone(), level: *level, text: text.clone() }
        }
        Record::Output { name, value } => EventKind::Output { name: name.clone(), value: Ok(value.clone()) },
    }
}

impl PlannedAction {
    /// The planned verdict, without secrets and without exports that `registry` does not know.
    pub fn verdict(&self, registry: &Registry) -> Verdict {
        match &self.outcome {
            Outcome::Unchanged => Verdict::Unchanged,
            Outcome::WouldChange { change } => Verdict::WouldChange(self.change(change, registry)),
            Outcome::MayChange { waits_for, error: now, .. } => Verdict::MayChange {
                waits_for: waits_for.as_str().into(),
                because: now.as_ref().map(|message| Box::new(failure(message))),
                inputs: Map::new(),
            },
            Outcome::Differs { change } => Verdict::Differs(self.change(change, registry)),
            Outcome::Ignored { error: message } => Verdict::Ignored(failure(message)),
            Outcome::ConditionFalse { condition: why } => Verdict::NotWanted(condition(why)),
        }
    }

    fn change(&self, planned: &wire::Change, registry: &Registry) -> Change {
        let schema = registry.get(&self.resource.kind).map(Kind::schema);
        let known =
            |name: &String| schema.and_then(|schema| schema.property(name)).map(|property| property.name);
        Change {
            kind: planned.kind,
            differences: planned.differences.iter().map(shown).collect(),
            unknown: planned.unknown.iter().filter_map(known).collect(),
            inputs: Map::new(),
        }
    }
}

/// A failure of which only the message was saved.
fn failure(message: &str) -> Failure {
    let (causes, hint, differences, place) = Default::default();
    Failure { kind: ErrorKind::Failed, message: message.to_owned(), causes, hint, differences, place }
}

#[cfg(test)]
mod tests {
    use uphold_model::Moment;

    use super::*;

    #[test]
    fn records_are_read_as_they_were_written() {
        let resource = ResourceId::new("service", "nginx");
        let action = PlannedAction {
            resource: resource.clone(),
            action: Action::Verb("reload".into()),
            cause: Cause::Notified { by: ResourceId::new("file", "/x").into(), moment: Moment::Delayed },
            written_at: Some("site.hcl:1:1".to_owned()),
            attributes: vec![("running".into(), Value::Bool(true))],
            node: None,
            outcome: Outcome::Unchanged,
        };
        let written = PlannedAction { cause: Cause::Written, node: Some(7), ..action.clone() };
        for record in [
            Record::Action(Box::new(action)),
            Record::Action(Box::new(written)),
            Record::Message { resource, level: Level::Warning, text: "hm".to_owned() },
            Record::Output { name: "url".into(), value: Value::unknown("task.a") },
        ] {
            assert_eq!(Record::from(wire::Record::from(&record)), record);
        }
    }

    #[test]
    fn conditions_are_read_as_they_were_saved() {
        let guard = |word| Condition::Guard { word, command: Some("test -f /x".to_owned()), of_group: true };
        for why in [
            Condition::When,
            Condition::NothingChanged,
            Condition::RunFailed,
            guard("only_if"),
            guard("not_if"),
        ] {
            assert_eq!(condition(&saved_condition(&why)), why);
        }
    }
}
