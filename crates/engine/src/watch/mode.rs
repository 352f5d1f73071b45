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
use crate::program::scope::Published;
use crate::schedule::{Downstream, Pick, Visit};
use crate::visit::Visits;

/// A watch of one program.
pub(crate) struct WatchMode<'a> {
    state: WatchState<'a>,
    program: &'a Program,
    reports: &'a Reports,
    published: &'a Published,
    deferred: Option<&'a DeferredValues>,
    control: &'a Control,
    /// Which nodes go on as in the previous program.
    kept: Vec<bool>,
    /// Nodes at whose path a secret is.
    secrets: FxHashSet<NodeIndex>,
    outputs: Outputs,
}

/// The outputs as they were reported last.
#[derive(Default)]
struct Outputs {
    values: Vec<Option<Value>>,
    /// Whether they were reported once.
    are_reported: bool,
    /// Whether one may have changed since.
    are_due: bool,
}

impl<'a> WatchMode<'a> {
    pub(crate) fn new(
        state: WatchState<'a>,
        visits: &'a Visits<'a>,
        reports: &'a Reports,
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
            deferred: visits.watch.as_ref().map(|watch| &watch.deferred),
            control,
            kept,
            secrets,
            outputs: Outputs::default(),
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

    fn is_ending(&mut self, now: Duration) -> bool {
        self.state.is_ending(self.control.has_next(), now)
    }

    fn take_reports(&mut self, now: Duration, out: &mut Vec<WatchEffect>) {
        let Some(mut marks) = self.reports.fresh() else { return };
        let marked: Vec<_> = marks.marked.extract_if(|node, _| self.state.hears(*node)).collect();
        let (sighted, blind) = (std::mem::take(&mut marks.sighted), std::mem::take(&mut marks.blind));
        let lost = std::mem::take(&mut marks.lost);
        drop(marks);
        for node in sighted {
            if self.state.revisits.sighted(node) {
                self.state.poll(node, self.reports.interval(node), now);
                out.push(WatchEffect::Report(WatchReport::Sighted(node)));
            }
        }
        for (node, because) in blind {
            if let Some(every) = self.state.revisits.blind(node, now) {
                out.push(WatchEffect::Report(WatchReport::Blind { node, because, every }));
            }
        }
        if lost {
            out.push(WatchEffect::Report(WatchReport::ReportsLost));
            self.state.wake_all(&Wake::ReportsLost, now, out);
        }
        for (node, what) in marked {
            self.state.wake(node, Wake::Reported(what), now, out);
        }
    }
}

impl Lifecycle for WatchMode<'_> {
    fn passes(&self, node: NodeIndex) -> Option<Downstream> {
        let secret = self.secrets.contains(&node);
        self.kept[node as usize].then_some(Downstream { secret, ..Downstream::default() })
    }

    fn collect(&mut self, now: Duration, out: &mut Vec<WatchEffect>) {
        self.take_reports(now, out);
        self.state.advance(self.control.take_recheck(), now, out);
    }

    fn pick(&mut self, now: Duration) -> Pick {
        if self.is_ending(now) { Pick::Awaited } else { Pick::Any }
    }

    fn admit(
        &mut self,
        visit: Visit,
        run: Option<&NotificationRun>,
        stopped: bool,
        out: &mut Vec<WatchEffect>,
    ) -> Admission {
        self.state.admit(visit, run, stopped, out)
    }

    /// What failed in this run may have recovered since.
    fn root(&self, node: NodeIndex, _walked: Option<NodeIndex>) -> Option<NodeIndex> {
        self.state.root_cause(node)
    }

    fn began(&mut self, visit: Visit) {
        self.state.began(visit);
    }

    fn left(&mut self, node: NodeIndex) {
        self.state.left(node);
    }

    fn waits(&mut self, visit: Visit, out: &mut Vec<WatchEffect>) {
        let reported = !visit.is_notified() && self.reports.take(visit.node).is_some();
        self.state.waits(visit, reported, out);
    }

    fn excuse(&mut self, visit: Visit, failure: &Failure, now: Duration, out: &mut Vec<WatchEffect>) -> bool {
        if visit.is_notified() {
            return false;
        }
        self.reports.give_up(visit.node);
        self.collect(now, out);
        self.state.excuse(visit, failure.is_still_different(), now, out)
    }

    fn ended(&mut self, visit: Visit, ending: Ending, now: Duration, out: &mut Vec<WatchEffect>) {
        self.state.ended(visit, ending, self.reports.interval(visit.node), now, out);
    }

    fn keep_secret(&mut self, node: NodeIndex) {
        self.secrets.insert(node);
    }

    fn settled(&mut self, visit: Visit, now: Duration, out: &mut Vec<WatchEffect>) -> bool {
        let resource = self.program.list.get(visit.node as usize).resource;
        let values_changed = self.published.take_changed(resource);
        self.outputs.are_due |= values_changed && !self.program.outputs.is_empty();
        let news = Settled { values_changed, reported: self.reports.take(visit.node) };
        let id = self.program.set.id(resource);
        let changed = self.state.settled(visit, (resource, id), news, now, out);
        changed && self.state.is_watching()
    }

    fn distrust(&mut self, node: NodeIndex) {
        if let Some(deferred) = self.deferred {
            deferred.distrust(node);
        }
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

    fn is_watching(&self) -> bool {
        self.state.is_watching()
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
            return if std::mem::take(&mut self.outputs.are_due) { Idle::Round } else { Idle::Wait };
        }
        if !counts.is_finished || counts.next_due.is_some() {
            return Idle::Wait;
        }
        self.state.begin_watching(now);
        Idle::Round
    }

    fn end_round(&mut self, values: Vec<Option<Value>>) -> Round {
        let Outputs { values: before, are_reported, .. } = std::mem::take(&mut self.outputs);
        self.outputs = Outputs { values, are_reported: true, are_due: false };
        if are_reported { Round::Again(before) } else { Round::First { watched: self.state.watched() } }
    }
}
