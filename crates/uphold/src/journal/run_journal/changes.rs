//! The changes of a run, as its visits report them.

use std::cell::LazyCell;
use std::ops::Deref;
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustc_hash::FxHashSet;
use uphold_engine::{BeginningChange, Journal, LoadedResource, PendingNotification, VerifiedChange};
use uphold_journal::{NewAction, NewNotification, Ticket};
use uphold_model::{Action, DifferenceCauses, Moment, ResourceId};

use super::super::applied_property::{StateProperty, state_properties};
use super::super::moved_verification::VERIFICATION;
use super::super::plan_journal::pending;
use super::super::previous::{Before, Compared, StateAfter};
use super::super::run_values::BegunChange;
use super::super::words;
use super::{RunJournal, take};

/// In a run with many changes, the end of an action is written together with the next action.
const END_DELAY: Duration = Duration::from_millis(10);

/// A change that has begun.
pub(super) struct InProgress {
    /// The number of its action in the run.
    pub(super) number: Option<u64>,
    pub(super) tickets: Vec<Ticket>,
    /// The state before, until the one after is known.
    compared: Option<Compared>,
    pub(super) after: Option<StateAfter>,
}

impl RunJournal {
    fn note_converged(&self, loaded: &LoadedResource<'_>, state: &impl Deref<Target = Vec<StateProperty>>) {
        if let Some(applied) = &self.applied {
            applied.converged(loaded, state, || (self.number(), self.now()));
        }
    }

    fn begin_action(&self, beginning: &BeginningChange<'_>) -> Option<(u64, Option<Compared>)> {
        let ((_, writer), states) = (self.records.as_ref()?, self.states.as_ref()?);
        let BeginningChange { resource, action, change, instance, .. } = beginning;
        let time = words::time(self.clock.now());
        let key = states.key_of(words::key(&self.configuration, resource, *instance), beginning);
        let before = states.before(beginning, &key, time);
        let is_secret = before.is_secret();
        let Before { previous, recovery, compared } = before;
        let differences = change.differences.iter().enumerate();
        let differences =
            differences.map(|(index, one)| words::difference(one, change.causes.of(index), is_secret));
        let new = NewAction {
            key,
            address: words::address(resource),
            action: words::action(change.kind, action).to_owned(),
            differences: differences.collect(),
            previous,
            recovery,
            applied: self.applied.as_ref().and_then(|applied| applied.ending(resource)).map(Box::new),
            parent: None,
            time,
        };
        // No notification may be due without the line of its notifier.
        let is_quiet = beginning.notifies.is_empty();
        let number = if is_quiet { writer.note_action(&new) } else { writer.begin_action(&new) };
        Some((number, compared))
    }
}

impl Journal for RunJournal {
    fn pending(&self) -> Vec<PendingNotification> {
        pending(&self.configuration, &self.pending.due())
    }

    fn begin(&self, beginning: &BeginningChange<'_>) {
        let begun = self.begin_action(beginning);
        let (number, compared) = begun.map_or((None, None), |(number, compared)| (Some(number), compared));
        if let Some(applied) = &self.applied {
            let change = BegunChange { kind: beginning.change.kind, action: number };
            applied.begin(beginning.resource, change);
        }
        let run = self.number();
        let notified = beginning.notifies.iter().map(|(target, action, moment)| {
            self.pending.notify(NewNotification {
                target: self.target(target),
                address: target.to_string(),
                verb: action.word().to_owned(),
                moment: moment.map_or(VERIFICATION, Moment::word).to_owned(),
                notifier: beginning.resource.to_string(),
                run,
                time: words::time(self.clock.now()),
                parent: None,
            })
        });
        let tickets: Vec<Ticket> = notified.collect();
        for ticket in &tickets {
            // A failure is reported at the end of the run, which goes on.
            _ = self.pending.wait(ticket);
        }
        let key = (beginning.resource.clone(), beginning.action.clone());
        let begun = InProgress { number, tickets, compared, after: None };
        let earlier = self.in_progress.lock().insert(key, begun);
        for ticket in earlier.into_iter().flat_map(|earlier| earlier.tickets) {
            self.pending.settle(ticket);
        }
    }

    fn store_begun(&self) {
        if let Some((_, writer)) = &self.records {
            writer.write_noted(self.now());
        }
    }

    fn converged(&self, loaded: &LoadedResource<'_>) {
        self.note_converged(loaded, &LazyCell::new(|| state_properties(loaded)));
    }

    fn causes(&self, loaded: &LoadedResource<'_>) -> DifferenceCauses {
        self.applied.as_ref().map(|applied| applied.causes(loaded)).unwrap_or_default()
    }

    fn applied_secrets(&self, loaded: &LoadedResource<'_>) -> Vec<usize> {
        self.applied.as_ref().map(|applied| applied.secrets(loaded)).unwrap_or_default()
    }

    fn changed(&self, change: &VerifiedChange<'_>) {
        let state = LazyCell::new(|| state_properties(&change.loaded));
        self.note_converged(&change.loaded, &state);
        let key = (change.loaded.resource.clone(), change.action.clone());
        let Some(states) = &self.states else { return };
        let compared = self.in_progress.lock().get_mut(&key).and_then(|begun| begun.compared.take());
        let after = compared.and_then(|compared| states.after(&compared, change, &state));
        if let Some(begun) = self.in_progress.lock().get_mut(&key) {
            begun.after = after;
        }
    }

    fn put_back(&self, resource: &ResourceId) {
        if let Some(applied) = &self.applied {
            applied.put_back(resource);
        }
    }

    fn flush(&self, is_idle: bool) {
        if let Some((_, writer)) = self.records.as_ref().filter(|(_, writer)| writer.has_ended()) {
            writer.flush(self.now(), if is_idle { Duration::ZERO } else { END_DELAY });
        }
    }

    fn taken_up(&self, target: &ResourceId, action: &Action) {
        let delivery = self.pending.take_up(&self.target(target), action.word());
        self.deliveries.lock().insert((target.clone(), action.clone()), delivery);
    }

    fn delivered(&self, target: &ResourceId, action: &Action) {
        if let Some(delivery) = take(&self.deliveries, target, action) {
            self.pending.delivered(delivery, self.number());
        }
    }

    fn settle(&self, left: &[(&ResourceId, &Action)]) {
        let left: FxHashSet<(String, &str)> =
            left.iter().map(|(id, action)| (id.to_string(), action.word())).collect();
        let last_before = self.last_before.load(Ordering::Relaxed);
        for due in self.own_due().filter(|due| due.n > last_before) {
            if !left.contains(&(due.address.clone(), &*due.verb)) {
                let dropped = self.pending.take_up(&due.target, &due.verb);
                self.pending.delivered(dropped, self.number());
            }
        }
    }
}
