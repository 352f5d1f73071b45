//! The fold of the engine's events into a status.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_engine::{Event, EventKind};
use uphold_model::ResourceId;
use uphold_wire::status::{Next, Overview, Phase, Polling, RecentEvent, Refusal, Totals, WatchEventKind};

use super::visit_outcome::{PropertyLists, excerpt};
use crate::entry::{Reason, after};
use crate::metrics::{Counters, KindCounters};
use crate::resource_index::ResourceIndex;
use crate::visit_outcome::FinishedVisit;

/// The number of events that are kept: more than a screen shows.
pub const MOST_EVENTS: usize = 200;

/// The status of a watch. It does not grow with time: the program bounds the entries, [`MOST_EVENTS`] the events, and the
/// number of kinds the counters.
#[derive(Debug)]
pub(crate) struct EventFold {
    pub(crate) began: SystemTime,
    /// The time of the last event.
    pub(crate) now: SystemTime,
    phase: Phase,
    /// The end of the first run.
    watching: Option<SystemTime>,
    generation: u64,
    swapped: Option<SystemTime>,
    refused: Option<Refusal>,
    pub(crate) index: ResourceIndex,
    pub(crate) counters: Counters,
    /// The last events, oldest first.
    happenings: VecDeque<Arc<RecentEvent>>,
    pub(crate) properties: PropertyLists,
    pub(crate) last_reason: Reason,
}

impl EventFold {
    pub(crate) fn new(began: SystemTime) -> Self {
        Self {
            began,
            now: began,
            phase: Phase::Starting,
            watching: None,
            generation: 0,
            swapped: None,
            refused: None,
            index: ResourceIndex::default(),
            counters: Counters::default(),
            happenings: VecDeque::new(),
            properties: PropertyLists::default(),
            last_reason: None,
        }
    }

    pub(crate) fn note(&mut self, event: &Event, now: SystemTime) {
        self.now = now;
        match &event.kind {
            EventKind::RunStarted { actions, .. } => self.phase = Phase::Converging { done: 0, of: *actions },
            EventKind::Started { resource, action, .. } => {
                let at = self.index.at(resource, action, now.into());
                self.index.edit(at, |entry| {
                    entry.busy = Some(now.into());
                    if let Some(more) = entry.if_more() {
                        more.next = None;
                    }
                });
            }
            EventKind::Finished { resource, action, cause, verdict, took } => {
                self.progress();
                FinishedVisit { resource, action, cause, verdict, took: *took }.record(self, now);
            }
            EventKind::Retrying { resource, failure, tried, after } => {
                self.delay(resource, *after, &format!("attempt {tried} failed: {}", failure.message));
            }
            EventKind::Waiting { resource, reason, after } => self.delay(resource, *after, reason),
            EventKind::BackingOff { resource, failures, after } => self.back_off(resource, *failures, *after),
            EventKind::Blind { resource, because, every } => self.poll(resource, because, *every),
            EventKind::Sighted { resource } => self.index.stop_polling(resource),
            EventKind::Watching { resources } => self.watch(*resources),
            EventKind::ReportsLost => {
                self.counters.reports_lost += 1;
                self.happened(None, WatchEventKind::EventsLost);
            }
            EventKind::Swapped { generation, kept, visited, left } => {
                self.swap(*generation, *kept, *visited, *left);
            }
            _ => {}
        }
    }

    /// A run ended. Only the first is an event: others follow a reload.
    fn watch(&mut self, resources: usize) {
        if self.watching.is_none() {
            self.happened(None, WatchEventKind::Watching { resources });
        }
        self.phase = Phase::Watching { since: *self.watching.get_or_insert(self.now) };
    }

    fn progress(&mut self) {
        if let Phase::Converging { done, of } = &mut self.phase {
            *done = (*done + 1).min(*of);
        }
    }

    fn delay(&mut self, resource: &ResourceId, span: Duration, reason: &str) {
        let next = Next { at: after(self.now, span), reason: excerpt(reason) };
        let at = self.index.current(resource, self.now.into());
        self.index.edit(at, |entry| entry.more().next = Some(Box::new(next)));
    }

    fn back_off(&mut self, resource: &ResourceId, failures: u32, span: Duration) {
        let reason = match failures {
            0 | 1 => "it failed".to_owned(),
            more => format!("it failed {more} times in a row"),
        };
        self.delay(resource, span, &reason);
    }

    fn poll(&mut self, resource: &ResourceId, because: &str, every: Duration) {
        let because = excerpt(because);
        let at = self.index.current(resource, self.now.into());
        let blind = Arc::new(Polling { reason: because.clone(), interval: every });
        let before = self.index.edit(at, |entry| entry.more().blind.replace(blind));
        if before.is_none() {
            self.happened(Some(resource), WatchEventKind::Polling { reason: because });
        }
    }

    fn swap(&mut self, generation: u64, kept: usize, visited: usize, left: usize) {
        self.generation = generation;
        self.swapped = Some(self.now);
        self.refused = None;
        self.counters.swaps += 1;
        // Values that change over time cause a reload every few seconds, mostly without changes.
        if visited > 0 || left > 0 {
            self.happened(
                None,
                WatchEventKind::ConfigurationReloaded {
                    generation,
                    unchanged: kept,
                    visited,
                    no_longer_declared: left,
                },
            );
        }
    }

    /// A reload failed.
    pub(crate) fn refuse(&mut self, message: &str, now: SystemTime) {
        self.now = now;
        let message = excerpt(message);
        self.counters.refusals += 1;
        self.refused = Some(Refusal { at: now, message: message.clone() });
        self.happened(None, WatchEventKind::ReloadFailed { message });
    }

    fn happened(&mut self, resource: Option<&ResourceId>, kind: WatchEventKind) {
        let resource = resource.cloned();
        self.push(RecentEvent { at: self.now, resource, kind, cause: None, duration: None });
    }

    /// Adds an event; the oldest is dropped.
    pub(crate) fn push(&mut self, happening: RecentEvent) {
        if self.happenings.len() == MOST_EVENTS {
            self.happenings.pop_front();
        }
        self.happenings.push_back(Arc::new(happening));
    }

    pub(crate) fn totals(&self) -> Totals {
        Totals {
            visits: self.counters.sum(|kind| kind.visits),
            changes: self.counters.sum(KindCounters::all_changes),
            failures: self.counters.sum(|kind| kind.failures),
            drifted: self.counters.sum(|kind| kind.drifted),
            repaired: self.counters.sum(|kind| kind.repaired),
            events_lost: self.counters.reports_lost,
            reloads: self.counters.swaps,
            reload_failures: self.counters.refusals,
            ..self.index.counts()
        }
    }

    /// The overview, with at most this many problems.
    pub(crate) fn overview(&self, troubles: usize) -> Overview {
        let (troubles, more_problems) = self.index.troubles(troubles);
        Overview {
            started_at: self.began,
            pid: std::process::id(),
            phase: self.phase,
            generation: self.generation,
            reloaded_at: self.swapped,
            reload_error: self.refused.clone(),
            totals: self.totals(),
            problems: troubles,
            more_problems,
            busy: self.index.busy(),
            events: self.happenings.iter().cloned().collect(),
        }
    }
}
