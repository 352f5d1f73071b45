//! The event log: names nodes, stamps events with the time, counts verdicts, and hands events to the reader in order.

use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;
use tracing::{debug, info, warn};
use uphold_resource::{Clock, Level};

use crate::event::{Cause, Change, Event, EventKind, Verdict};
use crate::graph::NodeIndex;
use crate::program::Program;
use crate::program::outputs::OutputValue;
use crate::summary::Summary;
use crate::watch::WatchReport;

/// Where events go. Called in order; a slow reader slows the run down.
pub type Sink<'a> = &'a mut (dyn FnMut(&Event) + Send);

/// The one way out for events of a run or a watch.
pub(crate) struct EventLog<'a> {
    program: &'a Program,
    sink: Sink<'a>,
    clock: &'a dyn Clock,
    began: Duration,
    /// The time of the machine's clock when it was last read.
    now: Duration,
    pub(crate) summary: Summary,
    /// The changes in verified groups, which may be put back.
    unverified: FxHashMap<NodeIndex, (Cause, Change, Duration)>,
}

impl<'a> EventLog<'a> {
    /// Times of events count from `began`.
    pub(crate) fn new(program: &'a Program, sink: Sink<'a>, clock: &'a dyn Clock, began: Duration) -> Self {
        let unverified = FxHashMap::default();
        Self { program, sink, clock, began, now: clock.elapsed(), summary: Summary::default(), unverified }
    }

    /// The time of the machine's clock when this step of the dispatcher began: reading it for each decision costs as much as
    /// the decision.
    pub(crate) fn now(&self) -> Duration {
        self.now
    }

    /// Reads the clock: a step begins.
    pub(crate) fn read_clock(&mut self) {
        self.now = self.clock.elapsed();
    }

    /// The time of day.
    pub(super) fn time_of_day(&self) -> SystemTime {
        self.clock.now()
    }

    pub(crate) fn report(&mut self, kind: EventKind) {
        trace(&kind);
        let at = self.now.saturating_sub(self.began);
        (self.sink)(&Event { at, kind });
    }

    pub(super) fn started(&mut self, node: NodeIndex, cause: Cause) {
        let (resource, action) = (self.program.id(node).clone(), self.program.entry(node).action().clone());
        self.report(EventKind::Started { resource, action, cause });
    }

    /// An action is over: counts its verdict.
    pub(super) fn finished(&mut self, node: NodeIndex, cause: Cause, verdict: Verdict, took: Duration) {
        self.summary.count(&verdict);
        if let Verdict::Changed(change) = &verdict
            && self.program.is_verified(node)
        {
            self.unverified.insert(node, (cause.clone(), change.clone(), took));
        }
        self.report_verdict(node, cause, verdict, took);
    }

    /// A failed verification put the changes of these nodes back.
    pub(super) fn put_back(&mut self, nodes: Vec<NodeIndex>) {
        for node in nodes {
            if let Some((cause, change, took)) = self.unverified.remove(&node) {
                self.finished(node, cause, Verdict::PutBack(change), took);
            }
        }
    }

    /// A woken action is skipped. It is not counted: the summary of a watch counts the failures that are left at its end.
    pub(super) fn blocked(&mut self, node: NodeIndex, cause: Cause, verdict: Verdict) {
        self.report_verdict(node, cause, verdict, Duration::ZERO);
    }

    fn report_verdict(&mut self, node: NodeIndex, cause: Cause, verdict: Verdict, took: Duration) {
        let (resource, action) = (self.program.id(node).clone(), self.program.entry(node).action().clone());
        self.report(EventKind::Finished { resource, action, cause, verdict, took });
    }

    pub(super) fn message(&mut self, node: NodeIndex, level: Level, text: String) {
        self.report(EventKind::Message { resource: self.program.id(node).clone(), level, text });
    }

    pub(super) fn output(&mut self, output: OutputValue) {
        let OutputValue { name, value } = output;
        self.summary.failed += usize::from(value.is_err());
        self.report(EventKind::Output { name, value: value.map_err(Box::new) });
    }

    /// The run is over, with these outputs.
    pub(crate) fn end(&mut self, outputs: impl Iterator<Item = OutputValue>) {
        self.read_clock();
        outputs.for_each(|output| self.output(output));
        self.report(EventKind::RunFinished(self.summary));
    }

    pub(super) fn watch(&mut self, report: WatchReport) {
        let id = |node| self.program.id(node).clone();
        self.report(match report {
            WatchReport::BackingOff { node, failures, after } => {
                EventKind::BackingOff { resource: id(node), failures, after }
            }
            WatchReport::Overloaded { node, wait } => {
                let seconds = wait.as_secs_f64();
                let text = format!(
                    "it is changed all the time, by another program or by its own visits; it is not visited for {seconds:.0} s"
                );
                EventKind::Message { resource: id(node), level: Level::Warning, text }
            }
            WatchReport::Blind { node, because, every } => {
                EventKind::Blind { resource: id(node), because, every }
            }
            WatchReport::Sighted(node) => EventKind::Sighted { resource: id(node) },
            WatchReport::ReportsLost => EventKind::ReportsLost,
        });
    }
}

/// Writes a log line: names, numbers and times. Values, messages and paths may be secrets, and are left out. Costs a few
/// comparisons while nothing is logged.
fn trace(event: &EventKind) {
    match event {
        EventKind::RunStarted { mode, actions } => info!(?mode, actions, "run started"),
        EventKind::Started { resource, action, .. } => {
            debug!(%resource, action = action.word(), "visit started");
        }
        EventKind::Retrying { resource, tried, after, .. } => info!(%resource, tried, ?after, "retrying"),
        EventKind::Waiting { resource, after, .. } => debug!(%resource, ?after, "not ready"),
        EventKind::Merged { resources } => debug!(resources = resources.len(), "batch started"),
        EventKind::Finished { resource, verdict, took, .. } => match verdict {
            Verdict::Failed(_) => warn!(%resource, ?took, "failed"),
            Verdict::Changed(_) => info!(%resource, ?took, "changed"),
            _ => debug!(%resource, ?took, "visit finished"),
        },
        EventKind::RunFinished(summary) => {
            info!(changed = summary.changed, failed = summary.failed, "run finished");
        }
        EventKind::Watching { resources } => info!(resources, "watching"),
        EventKind::BackingOff { resource, failures, after } => {
            info!(%resource, failures, ?after, "backing off");
        }
        EventKind::Blind { resource, every, .. } => warn!(%resource, ?every, "not watched, polled"),
        EventKind::Sighted { resource } => info!(%resource, "watched again"),
        EventKind::ReportsLost => warn!("reports lost, everything is checked"),
        EventKind::Swapped { generation, kept, visited, left } => {
            info!(generation, kept, visited, left, "configuration swapped");
        }
        EventKind::Message { .. } | EventKind::Output { .. } | EventKind::OutputLeftOut { .. } => {}
    }
}
