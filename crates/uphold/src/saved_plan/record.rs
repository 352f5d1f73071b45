//! The records of a plan: from verdicts to the file, and back to events.

use std::time::Duration;

use uphold_engine::{
    Cause, Change, Event, EventKind, Failure, Mode, Notifiers, Pause, Summary, Unwanted as Condition, Verdict,
};
use uphold_model::{DifferenceCauses, Map, ResourceId, Schema};
use uphold_resource::{ErrorKind, Kind, Level, Registry};
use uphold_wire::saved_plan::{
    self as wire, Action as PlannedAction, Guard, Outcome, Record, SkipReason, Unwanted,
};

use super::change::{planned, planned_settings, shown};
use super::salt::Salt;

/// Why an action is done.
fn cause(planned: &PlannedAction) -> Cause {
    match (&planned.notified_by, planned.timing) {
        (Some(by), Some(moment)) => {
            let by =
                Notifiers::from_parts(by.clone(), planned.also_notified_by.clone(), planned.more_notifiers);
            Cause::Notified { by, moment }
        }
        _ => Cause::Written,
    }
}

pub(super) fn saved_level(level: Level) -> wire::Level {
    match level {
        Level::Debug => wire::Level::Debug,
        Level::Info => wire::Level::Info,
        Level::Warning => wire::Level::Warning,
    }
}

/// The reverse of [`saved_level`].
fn level(saved: wire::Level) -> Level {
    match saved {
        wire::Level::Debug => Level::Debug,
        wire::Level::Info => Level::Info,
        wire::Level::Warning => Level::Warning,
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
        Verdict::Paused(change, pause) => Outcome::Paused {
            change: planned(change, resource, salt),
            pause: uphold_wire::Pause {
                by: pause.by.clone(),
                reason: pause.reason.clone(),
                until: pause.until,
            },
        },
        Verdict::Ignored(failure) => Outcome::Ignored { error: failure.message.clone() },
        Verdict::NotWanted(condition) => {
            Outcome::Skipped { condition: saved_condition(condition), skip_reason: SkipReason::Condition }
        }
        Verdict::Failed(_) | Verdict::Skipped(_) | Verdict::PutBack(_) => return None,
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
            cause: cause(action),
            verdict: verdict(action, registry),
            took: Duration::ZERO,
        },
        Record::Message { resource, level: saved, text } => {
            EventKind::Message { resource: resource.clone(), level: level(*saved), text: text.clone() }
        }
        Record::Output { name, value } => {
            EventKind::Output { name: name.as_str().into(), value: Ok((&value.0).into()) }
        }
    }
}

/// The planned verdict, without secrets and without exports that `registry` does not know.
pub fn verdict(planned: &PlannedAction, registry: &Registry) -> Verdict {
    let change = |change| known_change(change, registry.get(&planned.resource.kind).map(Kind::schema));
    match &planned.outcome {
        Outcome::Unchanged => Verdict::Unchanged,
        Outcome::WouldChange { change: planned } => Verdict::WouldChange(change(planned)),
        Outcome::MayChange { waits_for, error, .. } => Verdict::MayChange {
            waits_for: waits_for.as_str().into(),
            because: error.as_ref().map(|message| Box::new(failure(message))),
            inputs: Map::new(),
        },
        Outcome::Differs { change: planned } => Verdict::Differs(change(planned)),
        Outcome::Paused { change: planned, pause } => {
            let uphold_wire::Pause { by, reason, until } = pause.clone();
            Verdict::Paused(change(planned), Pause { by, reason, until })
        }
        Outcome::Ignored { error: message } => Verdict::Ignored(failure(message)),
        Outcome::Skipped { condition: why, .. } => Verdict::NotWanted(condition(why)),
    }
}

fn known_change(planned: &wire::Change, schema: Option<&Schema>) -> Change {
    let known = |name: &String| schema.and_then(|schema| schema.property(name)).map(|property| property.name);
    Change {
        kind: planned.kind,
        differences: planned.differences.iter().map(shown).collect(),
        causes: DifferenceCauses::default(),
        unknown: planned.unknown.iter().filter_map(known).collect(),
        inputs: Map::new(),
    }
}

/// A failure of which only the message was saved.
fn failure(message: &str) -> Failure {
    let (causes, hint, differences, place) = Default::default();
    Failure { kind: ErrorKind::Failed, message: message.to_owned(), causes, hint, differences, place }
}

#[cfg(test)]
mod tests {
    use super::*;

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
