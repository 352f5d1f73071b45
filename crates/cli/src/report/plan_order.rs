//! The events of a plan in the order of the configuration, however many resources are visited at a time.

use std::collections::{HashMap, VecDeque};

use uphold::model::{Action, Moment, ResourceId};
use uphold::{Cause, Event, EventKind, Program};

/// The position of a visit: of the visits that caused it, then its own. Compared part by part.
type Position = Vec<i64>;

/// Visits that a notification starts before its notifier changes come before 0, the notifier itself; others after it.
const BEFORE: i64 = -1_000_000;

/// Holds back the events of visits until the plan is complete, and sorts them: each action after its dependencies, else as
/// written; notified actions directly after their notifier, delayed ones at the end. Costs a sort of all visits.
pub(crate) struct PlanOrder {
    /// The places of written actions in the order; a resource may be changed in the same way several times.
    written: HashMap<(ResourceId, Action), VecDeque<i64>>,
    /// The places of actions that run when they are notified.
    on_request: HashMap<(ResourceId, Action), i64>,
    /// The events of visits that are not over.
    open: HashMap<ResourceId, Vec<Event>>,
    /// The position of the last visit of each resource.
    positions: HashMap<ResourceId, Position>,
    /// The number of immediate notifications of each notifier.
    notified: HashMap<ResourceId, i64>,
    visits: Vec<(Position, Vec<Event>)>,
}

impl PlanOrder {
    pub(crate) fn new(program: &Program) -> Self {
        let mut written: HashMap<_, VecDeque<i64>> = HashMap::new();
        let mut on_request = HashMap::new();
        for (rank, (resource, action, is_written)) in (0..).zip(program.in_order()) {
            let key = (resource.clone(), action.clone());
            if is_written {
                written.entry(key).or_default().push_back(rank);
            } else {
                on_request.insert(key, rank);
            }
        }
        let (open, positions, notified, visits) = Default::default();
        Self { written, on_request, open, positions, notified, visits }
    }

    /// Takes an event; returns the events that are next in order.
    pub(crate) fn take(&mut self, event: &Event) -> Vec<Event> {
        match &event.kind {
            EventKind::RunStarted { .. } => vec![event.clone()],
            EventKind::Started { resource, action, cause } => {
                let (mut event, position) = (event.clone(), self.position(resource, action, cause));
                self.positions.insert(resource.clone(), position);
                self.sort_notifiers(&mut event);
                self.open.entry(resource.clone()).or_default().push(event);
                Vec::new()
            }
            EventKind::Retrying { resource, .. }
            | EventKind::Waiting { resource, .. }
            | EventKind::Message { resource, .. } => {
                self.open.entry(resource.clone()).or_default().push(event.clone());
                Vec::new()
            }
            EventKind::Finished { resource, action, cause, .. } => {
                let mut events = self.open.remove(resource).unwrap_or_default();
                let is_skipped = !events.iter().any(|event| matches!(event.kind, EventKind::Started { .. }));
                let mut position = match self.positions.get(resource).filter(|_| !is_skipped) {
                    Some(position) => position.clone(),
                    None => self.position(resource, action, cause),
                };
                self.positions.insert(resource.clone(), position.clone());
                position.push(0);
                let mut event = event.clone();
                self.sort_notifiers(&mut event);
                events.push(event);
                self.visits.push((position, events));
                Vec::new()
            }
            _ => {
                self.visits.sort_by(|(one, _), (other, _)| one.cmp(other));
                let visits = std::mem::take(&mut self.visits);
                visits.into_iter().flat_map(|(_, events)| events).chain([event.clone()]).collect()
            }
        }
    }

    fn position(&mut self, resource: &ResourceId, action: &Action, cause: &Cause) -> Position {
        let key = (resource.clone(), action.clone());
        let Cause::Notified { by, moment } = cause else {
            let next = self.written.get_mut(&key).and_then(VecDeque::pop_front);
            return vec![0, next.unwrap_or(i64::MAX)];
        };
        let rank = self.on_request.get(&key).copied().unwrap_or(i64::MAX);
        match moment {
            Moment::Before | Moment::Immediately => {
                let mut position = self.positions.get(&by.first).cloned().unwrap_or_else(|| vec![0, rank]);
                let count = self.notified.entry(by.first.clone()).or_default();
                *count += 1;
                position.push(if *moment == Moment::Before { BEFORE + *count } else { *count });
                position
            }
            // In rounds: the consequences of delayed notifications come after all of these.
            Moment::Delayed | Moment::OnSuccess => {
                let notifiers = || std::iter::once(&by.first).chain(by.others());
                let positions = || notifiers().filter_map(|by| self.positions.get(by));
                let round = positions().map(|position| position[0]).max().unwrap_or(0) + 1;
                let first = positions().min().and_then(|position| position.get(1)).copied();
                vec![round, first.unwrap_or(i64::MAX), rank]
            }
        }
    }

    /// The first notifier of several depends on the number of workers.
    fn sort_notifiers(&self, event: &mut Event) {
        let (EventKind::Started { cause, .. } | EventKind::Finished { cause, .. }) = &mut event.kind else {
            return;
        };
        if let Cause::Notified { by, .. } = cause {
            by.sort_by_key(|one| self.positions.get(one).cloned());
        }
    }
}
