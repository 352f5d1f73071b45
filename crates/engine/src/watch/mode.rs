//! The lifecycle of a watch: joins its state with the reports of the machine.

use std::time::Duration;

use rustc_hash::FxHashSet;
use uphold_model::Value;
use uphold_resource::Level;

use super::deferred_values::DeferredValues;
use super::effect::{Admission, WatchEffect, WatchReport};
use super::health::{Ending, LastHealth, Settled};
use super::reports::Reports;
use super::state::WatchState;
use crate::control::Control;
use crate::event::Wake;
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::lifecycle::{Counts, Idle, Lifecycle, Round};
use crate::notifications::NotificationRun;
use crate::program::Program;
use crate::program::outputs::OutputValue;
use crate::program::scope::Published;
use crate::schedule::{Downstream, Pick, Visit};
use crate::visit::Visits;

/// A watch of one program.
pub(crate) struct WatchMode<'a> {
    state: WatchState<'a>,
    program: &'a Program,
    reports: &'a Reports,
    published: &'a Published,
    deferred: &'a DeferredValues,
    control: &'a Control,
    /// Which nodes go on as in the previous program.
    kept: Vec<bool>,
    /// Nodes with a secret at their path.
    secrets: FxHashSet<NodeIndex>,
    /// The outputs as they were reported last; none before the first time.
    outputs: Option<Vec<Option<Value>>>,
    /// Whether an output may have changed since.
    are_outputs_due: bool,
}

impl<'a> WatchMode<'a> {
    pub(crate) fn new(
        state: WatchState<'a>,
        visits: &'a Visits<'a>,
        (reports, deferred): (&'a Reports, &'a DeferredValues),
        control: &'a Control,
        kept: Vec<bool>,
        secrets: FxHashSet<NodeIndex>,
        now: Duration,
    ) -> Self {
        let mut mode = Self {
            state,
            program: visits.program,
            reports,
            published: &visits.published,
            deferred,
            control,
            kept,
            secrets,
            outputs: None,
            are_outputs_due: false,
        };
        for node in (0..).zip(&mode.kept).filter(|(_, kept)| **kept).map(|(node, _)| node) {
            mode.state.revisits.poll(node, reports.interval(node), now);
        }
        mode
    }

    /// The watch of the program is over.
    pub(crate) fn into_last(self) -> (LastHealth, FxHashSet<NodeIndex>) {
        (self.state.hand_over(), self.secrets)
    }

    /// Whether everything was visited once.
    pub(crate) fn is_watching(&self) -> bool {
        self.state.is_watching()
    }

    fn is_ending(&mut self, now: Duration) -> bool {
        self.state.is_ending(self.control.has_next(), now)
    }

    fn take_reports(&mut self, now: Duration) {
        let Some(mut marks) = self.reports.fresh() else { return };
        let marked: Vec<_> =
            marks.marked.extract_if(|node, _| self.state.is_woken_by_reports(*node)).collect();
        let (sighted, blind) = (std::mem::take(&mut marks.sighted), std::mem::take(&mut marks.blind));
        let lost = std::mem::take(&mut marks.lost);
        drop(marks);
        for node in sighted {
            if self.state.revisits.sighted(node) {
                self.state.poll(node, self.reports.interval(node), now);
                self.state.effects.push(WatchEffect::Report(WatchReport::Sighted(node)));
            }
        }
        for (node, because) in blind {
            if let Some(every) = self.state.revisits.blind(node, now) {
                self.state.effects.push(WatchEffect::Report(WatchReport::Blind { node, because, every }));
            }
        }
        if lost {
            self.state.effects.push(WatchEffect::Report(WatchReport::ReportsLost));
            self.state.wake_all(&Wake::ReportsLost, now);
        }
        for (node, what) in marked {
            self.state.wake(node, Wake::Reported(what), now);
        }
    }
}

impl Lifecycle for WatchMode<'_> {
    fn passes(&self, node: NodeIndex) -> Option<Downstream> {
        let secret = self.secrets.contains(&node);
        self.kept[node as usize].then_some(Downstream { secret, ..Downstream::default() })
    }

    fn take_effects(&mut self) -> Vec<WatchEffect> {
        for node in self.state.invalidated.drain(..) {
            self.deferred.invalidate(node);
        }
        self.state.take_effects()
    }

    fn collect(&mut self, now: Duration) {
        self.take_reports(now);
        self.state.advance(self.control.take_recheck(), now);
    }

    fn pick(&mut self, now: Duration) -> Pick {
        if self.is_ending(now) { Pick::Awaited } else { Pick::Any }
    }

    fn admit(&mut self, visit: Visit, run: Option<&NotificationRun>, stopped: bool) -> Admission {
        self.state.admit(visit, run, stopped)
    }

    /// A node that failed in this run may have recovered since.
    fn root(&self, node: NodeIndex, _walked: Option<NodeIndex>) -> Option<NodeIndex> {
        self.state.root_cause(node)
    }

    fn began(&mut self, visit: Visit) {
        self.state.began(visit);
    }

    fn left(&mut self, node: NodeIndex) {
        self.state.left(node);
    }

    fn waits(&mut self, visit: Visit) {
        let reported = !visit.is_notified() && self.reports.take(visit.node).is_some();
        self.state.waits(visit, reported);
    }

    fn excuse(&mut self, visit: Visit, failure: &Failure, now: Duration) -> bool {
        if visit.is_notified() {
            return false;
        }
        self.reports.disarm(visit.node);
        self.collect(now);
        self.state.excuse(visit, failure.is_still_different(), now)
    }

    fn ended(&mut self, visit: Visit, ending: Ending, secret: bool, now: Duration) {
        if secret {
            self.secrets.insert(visit.node);
        }
        self.state.ended(visit, ending, self.reports.interval(visit.node), now);
    }

    fn settled(&mut self, visit: Visit, now: Duration) -> bool {
        let resource = self.program.list.get(visit.node as usize).resource;
        let values_changed = self.published.take_changed(resource);
        self.are_outputs_due |= values_changed && !self.program.outputs.is_empty();
        let facts = Settled { values_changed, reported: self.reports.take(visit.node) };
        let id = self.program.set.id(resource);
        let changed = self.state.settled(visit, (resource, id), facts, now);
        changed && self.state.is_watching()
    }

    fn why(&self, node: NodeIndex) -> Wake {
        self.state.why(node)
    }

    /// A visit that only makes sure that nothing has changed has nothing new to report.
    fn is_reported(&self, visit: Visit, unchanged: bool, level: Level) -> bool {
        let is_check = || matches!(self.why(visit.node), Wake::Polled | Wake::Rechecked | Wake::ReportsLost);
        !(visit.is_woken() && unchanged) || level == Level::Warning || !is_check()
    }

    fn has_failed(&self, in_run: bool) -> bool {
        if self.state.is_watching() { self.state.has_trouble() } else { in_run }
    }

    fn due(&mut self) -> Option<Duration> {
        self.state.due()
    }

    fn idle(&mut self, counts: Counts, stopped: bool, now: Duration) -> Idle {
        // Notifications that were not delivered go to the next program.
        if !counts.is_active && (stopped || self.is_ending(now)) {
            return Idle::Done;
        }
        if counts.is_active || !counts.is_delivered {
            return Idle::Wait;
        }
        if self.state.is_watching() {
            return if std::mem::take(&mut self.are_outputs_due) { Idle::Round } else { Idle::Wait };
        }
        if !counts.is_finished || counts.next_due.is_some() {
            return Idle::Wait;
        }
        self.state.begin_watching(now);
        Idle::Round
    }

    fn end_round(&mut self, outputs: Vec<OutputValue>) -> Round {
        let values = outputs.iter().map(|output| output.value.as_ref().ok().cloned()).collect();
        match self.outputs.replace(values) {
            None => Round::First { outputs, watched: self.state.watched() },
            Some(previous) => {
                let pairs = outputs.into_iter().zip(previous);
                let changed =
                    pairs.filter(|(output, previous)| output.value.as_ref().ok() != previous.as_ref());
                Round::Again { changed: changed.map(|(output, _)| output).collect() }
            }
        }
    }
}
