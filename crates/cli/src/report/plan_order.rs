//! The events of a plan in the order of the configuration, however many resources are visited at a time.

use std::cmp::Ordering;
use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use uphold::model::{Action, Moment, ResourceId};
use uphold::{Cause, Event, EventKind, Program};

/// Visits that a notification starts before its notifier changes come before 0, the notifier itself; others after it.
const BEFORE: i64 = -1_000_000;

/// Holds back the events that are shown until the plan is complete, and sorts them by their visits: each action after its
/// dependencies, else as written; notified actions directly after their notifier, delayed ones at the end. Costs nothing
/// but a list of the visits if nothing is shown.
pub(crate) struct PlanOrder<'a> {
    program: &'a Program,
    /// The visits so far, in the order in which they began.
    visits: Vec<Visit>,
    /// The visits that are not over.
    open: FxHashMap<ResourceId, usize>,
}

struct Visit {
    resource: ResourceId,
    action: Action,
    cause: Cause,
    /// Its events that are held back.
    held: Vec<Event>,
}

impl<'a> PlanOrder<'a> {
    pub(crate) fn new(program: &'a Program) -> Self {
        Self { program, visits: Vec::new(), open: FxHashMap::default() }
    }

    /// Takes an event, and hands on those that are next in order.
    pub(crate) fn take(&mut self, event: &Event, is_shown: bool, hand_on: &mut dyn FnMut(&Event)) {
        let visit = match &event.kind {
            EventKind::RunStarted { .. } => None,
            EventKind::Started { resource, action, cause } => {
                let visit = self.begin(resource, action, cause);
                self.open.insert(resource.clone(), visit);
                Some(visit)
            }
            EventKind::Retrying { resource, .. }
            | EventKind::Waiting { resource, .. }
            | EventKind::Message { resource, .. } => self.open.get(resource).copied(),
            // One that is skipped has not begun.
            EventKind::Finished { resource, action, cause, .. } => {
                let begun = self.open.remove(resource);
                Some(begun.unwrap_or_else(|| self.begin(resource, action, cause)))
            }
            _ => {
                self.in_order().iter().for_each(&mut *hand_on);
                None
            }
        };
        match visit.filter(|_| is_shown) {
            Some(visit) => self.visits[visit].held.push(event.clone()),
            None => hand_on(event),
        }
    }

    fn begin(&mut self, resource: &ResourceId, action: &Action, cause: &Cause) -> usize {
        let (resource, action, cause) = (resource.clone(), action.clone(), cause.clone());
        self.visits.push(Visit { resource, action, cause, held: Vec::new() });
        self.visits.len() - 1
    }

    /// All events that are held back, in order.
    fn in_order(&mut self) -> Vec<Event> {
        let visits = std::mem::take(&mut self.visits);
        if visits.iter().all(|visit| visit.held.is_empty()) {
            return Vec::new();
        }
        let mut positions = Positions::of(self.program);
        let mut all: Vec<(Position, Vec<Event>)> = Vec::with_capacity(visits.len());
        for Visit { resource, action, cause, mut held } in visits {
            let position = positions.of_visit(&resource, action, &cause);
            held.iter_mut().for_each(|event| positions.sort_notifiers(event));
            positions.last.insert(resource, position.clone());
            all.push((position, held));
        }
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        all.into_iter().flat_map(|(_, held)| held).collect()
    }
}

/// The position of a visit: round and place of the visits that caused it, then its own place among them. Compared part by
/// part; a missing part is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position {
    round: i64,
    place: i64,
    rest: Vec<i64>,
}

impl Ord for Position {
    fn cmp(&self, other: &Self) -> Ordering {
        let part = |position: &Self, at: usize| position.rest.get(at).copied().unwrap_or(0);
        let parts = 0..self.rest.len().max(other.rest.len());
        let rest = || parts.map(|at| part(self, at).cmp(&part(other, at))).find(|order| order.is_ne());
        let first = (self.round, self.place).cmp(&(other.round, other.place));
        first.then_with(|| rest().unwrap_or(Ordering::Equal))
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Gives each visit its position.
struct Positions {
    /// The places of written actions in the order; a resource may be changed in the same way several times.
    written: FxHashMap<(ResourceId, Action), Places>,
    /// The places of actions that run when they are notified.
    on_request: FxHashMap<(ResourceId, Action), i64>,
    /// The position of the last visit of each resource.
    last: FxHashMap<ResourceId, Position>,
    /// The number of immediate notifications of each notifier.
    notified: FxHashMap<ResourceId, i64>,
}

/// The next place, and further ones; few actions have any.
struct Places(i64, VecDeque<i64>);

impl Positions {
    fn of(program: &Program) -> Self {
        let (mut written, mut on_request): (FxHashMap<_, Places>, _) = Default::default();
        for (place, (resource, action, is_written)) in (0..).zip(program.in_order()) {
            let key = (resource.clone(), action.clone());
            if is_written {
                let places = written.entry(key);
                places
                    .and_modify(|places| places.1.push_back(place))
                    .or_insert(Places(place, VecDeque::new()));
            } else {
                FxHashMap::insert(&mut on_request, key, place);
            }
        }
        let (last, notified) = Default::default();
        Self { written, on_request, last, notified }
    }

    fn of_visit(&mut self, resource: &ResourceId, action: Action, cause: &Cause) -> Position {
        let key = (resource.clone(), action);
        let Cause::Notified { by, moment } = cause else {
            let next = self.written.get_mut(&key).map(|Places(next, more)| {
                let following = more.pop_front().unwrap_or(i64::MAX);
                std::mem::replace(next, following)
            });
            return Position { round: 0, place: next.unwrap_or(i64::MAX), rest: Vec::new() };
        };
        let place = self.on_request.get(&key).copied().unwrap_or(i64::MAX);
        match moment {
            Moment::Before | Moment::Immediately => {
                let unknown = || Position { round: 0, place, rest: Vec::new() };
                // Of a group, all members are over.
                let notifiers = std::iter::once(&by.first).chain(by.others());
                let last = notifiers.filter_map(|by| self.last.get(by)).max();
                let mut position = last.cloned().unwrap_or_else(unknown);
                if by.more() > 0 {
                    position = position.max(unknown());
                }
                let count = self.notified.entry(by.first.clone()).or_default();
                *count += 1;
                position.rest.push(if *moment == Moment::Before { BEFORE + *count } else { *count });
                position
            }
            // In rounds: the consequences of delayed notifications come after all of these.
            Moment::Delayed | Moment::OnSuccess => {
                let notifiers = || std::iter::once(&by.first).chain(by.others());
                let positions = || notifiers().filter_map(|by| self.last.get(by));
                let round = positions().map(|position| position.round).max().unwrap_or(0) + 1;
                let first = positions().min().map_or(i64::MAX, |position| position.place);
                Position { round, place: first, rest: vec![place] }
            }
        }
    }

    /// The first notifier of several depends on the number of workers.
    fn sort_notifiers(&self, event: &mut Event) {
        let (EventKind::Started { cause, .. } | EventKind::Finished { cause, .. }) = &mut event.kind else {
            return;
        };
        if let Cause::Notified { by, .. } = cause {
            by.sort_by_key(|one| self.last.get(one).cloned());
        }
    }
}
