//! What the engine's events amount to.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_engine::{Event, EventKind};
use uphold_model::ResourceId;
use uphold_wire::status::{Blind, Happening, HappeningKind, Next, Overview, Phase, Refusal, Totals};

use crate::conclusion::Conclusion;
use crate::excerpt::excerpt;
use crate::happening::Happenings;
use crate::naming::Naming;
use crate::roll::Roll;
use crate::stamp::after;
use crate::tally::{KindTally, Tally};

/// Everything that is known, and nothing that grows as time passes: entries are bounded by the program, happenings by
/// their number, counters by the number of kinds.
#[derive(Debug)]
pub(crate) struct Ledger {
    pub(crate) began: SystemTime,
    /// When something was told last.
    pub(crate) now: SystemTime,
    phase: Phase,
    /// When everything had been visited for the first time.
    watching: Option<SystemTime>,
    generation: u64,
    swapped: Option<SystemTime>,
    refused: Option<Refusal>,
    pub(crate) roll: Roll,
    pub(crate) tally: Tally,
    pub(crate) happenings: Happenings,
    pub(crate) naming: Naming,
}

impl Ledger {
    /// Of a watch that begins now.
    pub(crate) fn new(began: SystemTime) -> Self {
        Self {
            began,
            now: began,
            phase: Phase::Starting,
            watching: None,
            generation: 0,
            swapped: None,
            refused: None,
            roll: Roll::default(),
            tally: Tally::default(),
            happenings: Happenings::default(),
            naming: Naming::default(),
        }
    }

    /// Takes an event in.
    pub(crate) fn note(&mut self, event: &Event, now: SystemTime) {
        self.now = now;
        match &event.kind {
            EventKind::RunStarted { actions, .. } => self.phase = Phase::Converging { done: 0, of: *actions },
            EventKind::Started { resource, action, .. } => {
                let at = self.roll.at(resource, action, now.into());
                self.roll.edit(at, |entry| {
                    entry.busy = Some(now.into());
                    entry.known().into_iter().for_each(|more| more.next = None);
                });
            }
            EventKind::Finished { resource, action, cause, verdict, took } => {
                self.progress();
                Conclusion { resource, action, cause, verdict, took: *took }.enter(self, now);
            }
            EventKind::Retrying { resource, failure, tried, after } => {
                self.put_off(resource, *after, &format!("try {tried} failed: {}", failure.message));
            }
            EventKind::Waiting { resource, reason, after } => self.put_off(resource, *after, reason),
            EventKind::BackingOff { resource, failures, after } => self.back_off(resource, *failures, *after),
            EventKind::Blind { resource, because, every } => self.blind(resource, because, *every),
            EventKind::Sighted { resource } => self.roll.sight(resource),
            EventKind::Watching { resources } => self.watch(*resources),
            EventKind::ReportsLost => {
                self.tally.reports_lost += 1;
                self.happened(None, HappeningKind::ReportsLost);
            }
            EventKind::Swapped { generation, kept, visited, left } => {
                self.swap(*generation, *kept, *visited, *left);
            }
            _ => {}
        }
    }

    /// A walk is over: after a swap, that is no news.
    fn watch(&mut self, resources: usize) {
        if self.watching.is_none() {
            self.happened(None, HappeningKind::Watching { resources });
        }
        self.phase = Phase::Watching { since: *self.watching.get_or_insert(self.now) };
    }

    fn progress(&mut self) {
        if let Phase::Converging { done, of } = &mut self.phase {
            *done = (*done + 1).min(*of);
        }
    }

    /// Not now, but after a while.
    fn put_off(&mut self, resource: &ResourceId, span: Duration, reason: &str) {
        let next = Next { at: after(self.now, span), reason: excerpt(reason) };
        let at = self.roll.current(resource, self.now.into());
        self.roll.edit(at, |entry| entry.more().next = Some(Box::new(next)));
    }

    fn back_off(&mut self, resource: &ResourceId, failures: u32, span: Duration) {
        let reason = match failures {
            0 | 1 => "it failed".to_owned(),
            more => format!("it failed {more} times in a row"),
        };
        self.put_off(resource, span, &reason);
    }

    fn blind(&mut self, resource: &ResourceId, because: &str, every: Duration) {
        let because = excerpt(because);
        let at = self.roll.current(resource, self.now.into());
        let blind = Arc::new(Blind { because: because.clone(), every });
        let before = self.roll.edit(at, |entry| entry.more().blind.replace(blind));
        if before.is_none() {
            self.happened(Some(resource), HappeningKind::Blind { because });
        }
    }

    fn swap(&mut self, generation: u64, kept: usize, visited: usize, left: usize) {
        self.generation = generation;
        self.swapped = Some(self.now);
        self.refused = None;
        self.tally.swaps += 1;
        // Values that change over time make a swap every few seconds, in which nothing differs.
        if visited > 0 || left > 0 {
            self.happened(None, HappeningKind::Swapped { generation, kept, visited, left });
        }
    }

    /// Another configuration was not taken up.
    pub(crate) fn refuse(&mut self, message: &str, now: SystemTime) {
        self.now = now;
        let message = excerpt(message);
        self.tally.refusals += 1;
        self.refused = Some(Refusal { at: now, message: message.clone() });
        self.happened(None, HappeningKind::ReloadRefused { message });
    }

    /// The configuration as it is written is the one that is held.
    pub(crate) fn accept(&mut self) {
        self.refused = None;
    }

    fn happened(&mut self, resource: Option<&ResourceId>, kind: HappeningKind) {
        let resource = resource.cloned();
        self.happenings.push(Happening { at: self.now, resource, kind, why: None, took: None });
    }

    /// The numbers.
    pub(crate) fn totals(&self) -> Totals {
        Totals {
            visits: self.tally.sum(|kind| kind.visits),
            changes: self.tally.sum(KindTally::all_changes),
            failures: self.tally.sum(|kind| kind.failures),
            drifted: self.tally.sum(|kind| kind.drifted),
            repaired: self.tally.sum(|kind| kind.repaired),
            reports_lost: self.tally.reports_lost,
            swaps: self.tally.swaps,
            refusals: self.tally.refusals,
            ..self.roll.counts()
        }
    }

    /// The whole in short, with so many troubles at most.
    pub(crate) fn overview(&self, troubles: usize) -> Overview {
        let (troubles, more_troubles) = self.roll.troubles(troubles);
        Overview {
            began: self.began,
            pid: std::process::id(),
            phase: self.phase,
            generation: self.generation,
            swapped: self.swapped,
            refused: self.refused.clone(),
            totals: self.totals(),
            troubles,
            more_troubles,
            busy: self.roll.busy(),
            happenings: self.happenings.all(),
        }
    }
}
