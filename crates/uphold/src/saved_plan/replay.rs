//! A saved plan as the events of the run that made it.

use std::time::Duration;

use uphold_engine::{Change, Event, EventKind, Failure, Mode, Summary, Verdict};
use uphold_model::Map;
use uphold_resource::{ErrorKind, Kind, Registry};
use uphold_wire::saved_plan::{Change as PlannedChange, Outcome};

use super::difference::shown;
use super::record::{PlannedAction, Record};
use super::{change, outcome};

/// What a plan told, once more. Times are not kept: all of them are zero.
pub(super) fn events(records: &[Record], registry: &Registry) -> Vec<Event> {
    let mut summary = Summary::default();
    let mut kinds = vec![EventKind::RunStarted { mode: Mode::Plan, actions: actions(records).count() }];
    for record in records {
        let kind = kind(record, registry);
        if let EventKind::Finished { verdict, .. } = &kind {
            summary.count(verdict);
        }
        kinds.push(kind);
    }
    kinds.push(EventKind::RunFinished(summary));
    kinds.into_iter().map(|kind| Event { at: Duration::ZERO, kind }).collect()
}

/// The actions among these.
pub(super) fn actions(records: &[Record]) -> impl Iterator<Item = &PlannedAction> {
    records.iter().filter_map(|record| match record {
        Record::Action(action) => Some(&**action),
        _ => None,
    })
}

fn kind(record: &Record, registry: &Registry) -> EventKind {
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
    /// How the visit went, with blanks for secrets. Of exports that `registry` does not know nothing is told.
    pub fn verdict(&self, registry: &Registry) -> Verdict {
        match &self.outcome {
            Outcome::Unchanged => Verdict::Unchanged,
            Outcome::WouldChange { change } => Verdict::WouldChange(self.change(change, registry)),
            Outcome::MayChange { waits_for, now, .. } => Verdict::MayChange {
                waits_for: waits_for.as_str().into(),
                because: now.as_ref().map(|message| Box::new(failure(message))),
                inputs: Map::new(),
            },
            Outcome::Differs { change } => Verdict::Differs(self.change(change, registry)),
            Outcome::Ignored { now: message } => Verdict::Ignored(failure(message)),
            Outcome::NotWanted { why } => Verdict::NotWanted(outcome::unwanted(why)),
        }
    }

    fn change(&self, planned: &PlannedChange, registry: &Registry) -> Change {
        let schema = registry.get(&self.resource.kind).map(Kind::schema);
        let known =
            |name: &str| schema.and_then(|schema| schema.property(name)).map(|property| property.name);
        Change {
            kind: change::kind(planned.kind),
            differences: planned.differences.iter().map(shown).collect(),
            unknown: planned.unknown.iter().filter_map(|name| known(name)).collect(),
            inputs: Map::new(),
        }
    }
}

/// Of a failure that forbade nothing, only its words were kept.
fn failure(message: &str) -> Failure {
    Failure {
        kind: ErrorKind::Failed,
        message: message.to_owned(),
        causes: Vec::new(),
        hint: None,
        differences: Vec::new(),
        place: None,
    }
}
