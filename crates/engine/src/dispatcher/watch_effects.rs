//! What the dispatcher does for a watch.

use uphold_resource::Level;

use super::Dispatcher;
use crate::event::EventKind;
use crate::lifecycle::{Lifecycle, Round};
use crate::program::outputs::Told;
use crate::watch::{WatchEffect, WatchReport};

impl<L: Lifecycle> Dispatcher<'_, L> {
    /// Does what the watch decided, in order.
    pub(super) fn carry_out_watch(&mut self, effects: Vec<WatchEffect>) {
        for effect in effects {
            match effect {
                WatchEffect::Due(visit) => self.schedule.due(visit),
                WatchEffect::DueAt(visit, at) => self.schedule.due_at(visit, at),
                WatchEffect::Hasten(node) => self.schedule.hasten(node, self.log.now()),
                WatchEffect::Distrust(node) => self.lifecycle.distrust(node),
                WatchEffect::KeepFailed(visit) => self.notifications.failed(visit),
                WatchEffect::NotifyAgain(target) => {
                    let mut out = Vec::new();
                    self.notifications.due_again(target, &mut out);
                    self.carry_out(out);
                }
                WatchEffect::Report(report) => {
                    let kind = self.event(report);
                    self.log.report(kind);
                }
            }
        }
    }

    fn event(&self, report: WatchReport) -> EventKind {
        match report {
            WatchReport::BackingOff { node, failures, after } => {
                EventKind::BackingOff { resource: self.id(node).clone(), failures, after }
            }
            WatchReport::Pausing { node, pause } => {
                let seconds = pause.as_secs_f64();
                let text = format!(
                    "something changes it, or what it looks at, all the time; it is left alone for {seconds:.0} s"
                );
                EventKind::Message { resource: self.id(node).clone(), level: Level::Warning, text }
            }
            WatchReport::Blind { node, because, every } => {
                EventKind::Blind { resource: self.id(node).clone(), because, every }
            }
            WatchReport::Sighted(node) => EventKind::Sighted { resource: self.id(node).clone() },
            WatchReport::ReportsLost => EventKind::ReportsLost,
        }
    }

    /// Everything was visited, for the first time or again: reports the outputs.
    pub(crate) fn end_round(&mut self, outputs: Vec<Told>) {
        let values = outputs.iter().map(|told| told.value.as_ref().ok().cloned()).collect();
        match self.lifecycle.end_round(values) {
            Round::First { watched: resources } => {
                self.schedule.shrink();
                self.end(outputs.into_iter());
                self.log.report(EventKind::Watching { resources });
            }
            Round::Again(previous) => {
                for (told, previous) in outputs.into_iter().zip(previous) {
                    if told.value.as_ref().ok() != previous.as_ref() {
                        self.report_output(told);
                    }
                }
            }
        }
    }
}
