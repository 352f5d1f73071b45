//! How a visit ends: with a verdict, another attempt, or a wait.

use std::time::Duration;

use uphold_model::Action;
use uphold_resource::ErrorKind;

use super::Dispatcher;
use crate::event::{Cause, EventKind, Mode, Skip, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::lifecycle::Lifecycle;
use crate::notifications::Notice;
use crate::schedule::{Downstream, Visit};
use crate::watch::Ending;

/// What a visit passes on besides its verdict.
pub(super) struct Passed {
    /// In a plan, what its nested resources would notify.
    pub(super) nested: Vec<Notice>,
    pub(super) secret: bool,
    pub(super) predicted: bool,
    pub(super) unwritten: bool,
}

impl<L: Lifecycle> Dispatcher<'_, L> {
    /// A visit came to a verdict: concludes it, unless it is repeated.
    pub(super) fn finish_with(&mut self, visit: Visit, verdict: Verdict, passed: Passed, took: Duration) {
        let Passed { nested, secret, predicted, unwritten } = passed;
        self.schedule.leave(visit);
        if self.is_postponed(visit, &verdict) {
            return;
        }
        let verdict = match verdict {
            Verdict::Failed(failure) if self.is_excused(visit, &failure) => return,
            Verdict::Failed(failure) => match self.next_attempt(visit, &failure) {
                Some((after, tried)) => return self.try_again(visit, failure, tried, after),
                None => self.failed(visit.node, failure),
            },
            other => other,
        };
        let downstream = Downstream { unwritten, ..downstream(visit.node, &verdict, secret, predicted) };
        self.conclude_with(visit, verdict, &nested, downstream, took);
    }

    /// Whether a visit is repeated after the packages, because one of them may bring what it misses.
    fn is_postponed(&mut self, visit: Visit, verdict: &Verdict) -> bool {
        let may_help = match verdict {
            Verdict::Failed(failure) => {
                matches!(failure.kind, ErrorKind::Missing | ErrorKind::ParentMissing)
            }
            Verdict::Unchanged => self.request.mode == Mode::Apply && self.removes_path(visit.node),
            _ => false,
        };
        let waits = may_help && !self.stop.is_requested() && self.schedule.can_wait(visit);
        if waits {
            self.schedule.postpone(visit);
        }
        waits
    }

    fn removes_path(&self, node: NodeIndex) -> bool {
        let entry = self.entry(node);
        *entry.action() == Action::Remove && self.program.is_named_by_path(entry.resource)
    }

    fn is_excused(&mut self, visit: Visit, failure: &Failure) -> bool {
        if self.stop.is_requested() {
            return false;
        }
        let mut out = Vec::new();
        let is_excused = self.lifecycle.excuse(visit, failure, self.log.now(), &mut out);
        self.carry_out_watch(out);
        is_excused
    }

    fn next_attempt(&mut self, visit: Visit, failure: &Failure) -> Option<(Duration, u32)> {
        let retry = self.handling(visit.node)?.retry.as_ref()?;
        if self.request.mode == Mode::Plan || self.stop.is_requested() {
            return None;
        }
        self.retries.after_failure(visit, retry, failure, self.log.now())
    }

    fn try_again(&mut self, visit: Visit, failure: Failure, tried: u32, after: Duration) {
        let resource = self.id(visit.node).clone();
        self.log.report(EventKind::Retrying { resource, failure: Box::new(failure), tried, after });
        self.schedule.due_at(visit.again(), self.log.now().saturating_add(after));
    }

    /// A resource is not ready: visits it again later, or fails at its deadline.
    pub(super) fn wait(&mut self, visit: Visit, reason: String, after: Duration, took: Duration) {
        self.schedule.leave(visit);
        let now = self.log.now();
        let handling = self.handling(visit.node);
        match self.retries.until_ready(visit, handling, after, now) {
            Ok(after) => {
                let resource = self.id(visit.node).clone();
                self.log.report(EventKind::Waiting { resource, reason, after });
                self.schedule.due_at(visit.again(), now.saturating_add(after));
                let mut out = Vec::new();
                self.lifecycle.waits(visit, &mut out);
                self.carry_out_watch(out);
            }
            Err(deadline) => {
                let verdict = self.failed(visit.node, Failure::not_ready(deadline, &reason));
                let downstream = downstream(visit.node, &verdict, false, false);
                self.conclude(visit, verdict, downstream, took);
            }
        }
    }

    /// A visit is over for good, without nested notifications.
    pub(super) fn conclude(
        &mut self,
        visit: Visit,
        verdict: Verdict,
        downstream: Downstream,
        took: Duration,
    ) {
        self.conclude_with(visit, verdict, &[], downstream, took);
    }

    fn conclude_with(
        &mut self,
        visit: Visit,
        verdict: Verdict,
        nested: &[Notice],
        downstream: Downstream,
        took: Duration,
    ) {
        let (resource, action) = self.describe(visit.node);
        let cause = self.cause(visit);
        self.summary.count(&verdict);
        if let Some(settled) = self.settled.get_mut(visit.node as usize) {
            *settled = matches!(verdict, Verdict::Unchanged | Verdict::Changed(_));
        }
        self.note_failure(visit, &verdict);
        let certain = certainty(&verdict);
        let is_failure = matches!(verdict, Verdict::Failed(_) | Verdict::Skipped(_));
        let downstream = match &verdict {
            Verdict::Skipped(Skip::TooManyChanges | Skip::NotAsPlanned(_)) => {
                Downstream { root: Some(visit.node), ..downstream }
            }
            Verdict::Skipped(_) => {
                let root = downstream.root.or(self.schedule.passed(visit.node).root);
                Downstream { root, ..downstream }
            }
            _ => downstream,
        };
        self.retries.forget(visit);
        self.schedule.brought(visit.node, downstream.unpredicted == Some(visit.node));
        if downstream.secret {
            self.lifecycle.keep_secret(visit.node);
        }
        let ending = Ending::of(&verdict);
        self.log.report(EventKind::Finished { resource, action, cause, verdict, took });
        let mut out = Vec::new();
        self.lifecycle.ended(visit, ending, self.log.now(), &mut out);
        self.carry_out_watch(out);
        if visit.is_written() {
            self.schedule.conclude(visit.node);
        }
        let mut out = Vec::new();
        match certain {
            Some(certain) => self.notifications.changed(visit, certain, nested, downstream, &mut out),
            None => {
                let failed = is_failure.then(|| downstream.root.unwrap_or(visit.node));
                self.notifications.settle(visit, failed, downstream, &mut out);
            }
        }
        self.carry_out(out);
    }

    /// A resource that was as declared has failed after all.
    pub(crate) fn fail_late(&mut self, node: NodeIndex, failure: Failure) {
        let verdict = self.failed(node, failure);
        self.summary.count(&verdict);
        let (resource, action) = self.describe(node);
        let (cause, took) = (Cause::Written, Duration::ZERO);
        self.log.report(EventKind::Finished { resource, action, cause, verdict, took });
    }

    pub(crate) fn failed(&self, node: NodeIndex, failure: Failure) -> Verdict {
        if self.ignores_failure(node) { Verdict::Ignored(failure) } else { Verdict::Failed(failure) }
    }

    fn ignores_failure(&self, node: NodeIndex) -> bool {
        let groups = self.program.list.groups();
        let of_group =
            |group| groups.get(group).handling.as_ref().is_some_and(|handling| handling.ignore_failure);
        self.handling(node).is_some_and(|handling| handling.ignore_failure)
            || groups.around(self.entry(node).group).any(of_group)
    }
}

/// What a node passes on to its dependents.
fn downstream(node: NodeIndex, verdict: &Verdict, secret: bool, predicted: bool) -> Downstream {
    let (changes, predicted) = match verdict {
        Verdict::WouldChange(_) => (Some(node), predicted),
        Verdict::MayChange { .. } => (Some(node), false),
        _ => (None, predicted),
    };
    let root = matches!(verdict, Verdict::Failed(_)).then_some(node);
    Downstream { root, changes, unpredicted: changes.filter(|_| !predicted), secret, unwritten: false }
}

/// Whether a verdict is a change: certainly, possibly, or not.
fn certainty(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Changed(_) | Verdict::WouldChange(_) => Some(true),
        Verdict::MayChange { .. } => Some(false),
        _ => None,
    }
}
