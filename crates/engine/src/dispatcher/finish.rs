//! Results of visits: each is concluded, or repeated later.

use std::time::Duration;

use uphold_resource::{Error, ErrorKind};

use super::Dispatcher;
use super::pending::Delivery;
use crate::event::{Cause, EventKind, Mode, Skip, Verdict};
use crate::failure::{Failure, with_hint};
use crate::graph::NodeIndex;
use crate::lifecycle::Lifecycle;
use crate::notifications::Notice;
use crate::schedule::{Downstream, Visit};
use crate::visit::batch::Part;
use crate::visit::converge::Together;
use crate::visit::{Outcome, PassedOn, Visited};
use crate::watch::Ending;

impl<L: Lifecycle> Dispatcher<'_, L> {
    /// Takes the result of a visit.
    pub(crate) fn finish(&mut self, visit: Visit, visited: Visited, took: Duration) {
        let Visited { outcome, messages, passed_on, requests, began, put_back } = visited;
        self.log.read_clock();
        self.schedule.end(visit);
        self.lifecycle.left(visit.node);
        self.notifications.left(visit);
        self.carry_out();
        self.notifications.put_back(&put_back);
        self.log.put_back(put_back);
        let is_unchanged = matches!(outcome, Outcome::Done(Verdict::Unchanged));
        for (level, text) in messages {
            if self.lifecycle.is_reported(visit, is_unchanged, level) {
                self.log.message(visit.node, level, text);
            }
        }
        let is_verifier = self.program.notifications.verified_by(visit.node).is_some();
        if began && !is_verifier && matches!(outcome, Outcome::Done(Verdict::Failed(_) | Verdict::Skipped(_)))
        {
            self.interrupted.insert(visit.node);
        }
        let nested = requests.iter().map(|request| self.notice(request)).collect();
        if !matches!(outcome, Outcome::Prepared(_)) {
            self.schedule.leave(visit);
        }
        match outcome {
            Outcome::Done(verdict) => {
                let end = VisitEnd { passed_on, nested, root: None, took };
                if let Some(verdict) = self.last_verdict(visit, verdict) {
                    self.conclude(visit, verdict, &end);
                }
            }
            Outcome::Intends => {
                self.notifications.intends(visit, passed_on.secret);
                self.carry_out();
            }
            Outcome::AfterPackages => self.schedule.postponed.postpone(visit),
            Outcome::NotYet { reason, after } => self.wait(visit, reason, after, took),
            Outcome::Prepared(prepared) => {
                let (visit, together) = (visit.again(), prepared.together);
                let part = Part { node: visit.node, prepared, before: self.inputs(visit) };
                match together {
                    Together::Writes => self.writers.push((visit, part)),
                    Together::Batch => {
                        self.prepared.insert(visit, part);
                        self.schedule.batches.push(visit);
                    }
                }
            }
        }
    }

    /// The verdict of a visit; none if the visit is repeated later.
    fn last_verdict(&mut self, visit: Visit, verdict: Verdict) -> Option<Verdict> {
        if self.stop.is_requested() {
            return Some(match verdict {
                Verdict::Failed(failure) => self.failed(visit.node, failure),
                other => other,
            });
        }
        if self.may_be_brought(visit, &verdict) {
            self.schedule.postponed.postpone(visit);
            return None;
        }
        let Verdict::Failed(failure) = verdict else { return Some(verdict) };
        let is_excused = self.lifecycle.excuse(visit, &failure, self.log.now());
        self.carry_out_watch();
        if is_excused {
            return None;
        }
        let retry = self.program.handling(visit.node).and_then(|handling| handling.retry.as_ref());
        let retry = retry.filter(|_| self.request.mode == Mode::Apply);
        let next = retry.and_then(|retry| self.retries.after_failure(visit, retry, &failure, self.log.now()));
        let Some((after, tried)) = next else { return Some(self.failed(visit.node, failure)) };
        let resource = self.program.id(visit.node).clone();
        self.log.report(EventKind::Retrying { resource, failure: Box::new(failure), tried, after });
        self.schedule.later.set(visit.again(), self.log.now().saturating_add(after));
        None
    }

    /// Whether a visit is repeated after all others, because one of them may bring the missing file.
    fn may_be_brought(&self, visit: Visit, verdict: &Verdict) -> bool {
        let postponed = &self.schedule.postponed;
        match verdict {
            Verdict::Failed(failure) => {
                matches!(failure.kind, ErrorKind::Missing | ErrorKind::ParentMissing)
                    && postponed.can_repeat(visit)
            }
            Verdict::Unchanged => {
                let removes = self.request.mode == Mode::Apply && self.program.removes_path(visit.node);
                removes && postponed.can_wait(visit)
            }
            _ => false,
        }
    }

    /// A resource is not ready: visits it again later, or fails at its deadline.
    fn wait(&mut self, visit: Visit, reason: String, after: Duration, took: Duration) {
        let now = self.log.now();
        let handling = self.program.handling(visit.node);
        match self.retries.until_ready(visit, handling, after, now) {
            Ok(after) => {
                let resource = self.program.id(visit.node).clone();
                self.log.report(EventKind::Waiting { resource, reason, after });
                self.schedule.later.set(visit.again(), now.saturating_add(after));
                self.lifecycle.waits(visit);
                self.carry_out_watch();
            }
            Err(deadline) => {
                let verdict = self.failed(visit.node, Failure::not_ready(deadline, &reason));
                self.conclude(visit, verdict, &VisitEnd { took, ..VisitEnd::default() });
            }
        }
    }

    /// A visit is over, and is not repeated.
    pub(super) fn conclude(&mut self, visit: Visit, verdict: Verdict, end: &VisitEnd) {
        let node = visit.node;
        let conclusion = Conclusion::of(node, &verdict, end, self.schedule.walk.passed(node));
        let Conclusion { downstream, mut change, mut failed } = conclusion;
        // An earlier attempt may have made the change before it failed: nothing else would notify of it.
        let was_interrupted = self.interrupted.remove(&node);
        match verdict {
            Verdict::Unchanged if was_interrupted => change = Some(true),
            Verdict::Failed(_) | Verdict::Skipped(_) if was_interrupted => self.note_unfinished(node),
            _ => {}
        }
        let mut delivery = Delivery::of(&verdict);
        if matches!(verdict, Verdict::Ignored(_)) && self.program.notifications.verified_by(node).is_some() {
            // The changes were undone, even if the failure does not count.
            (failed, delivery) = (Some(node), Delivery::Failed);
        }
        if let Some(settled) = self.settled.get_mut(node as usize) {
            *settled = matches!(verdict, Verdict::Unchanged | Verdict::Changed(_));
        }
        if let Some(ticket) = self.notifications.ticket(visit)
            && let Some(error) = error_of(&verdict)
        {
            // Not `while_`: a file that the target misses is not one that the sender misses.
            let failed = Error::failed(self.program.id(node).to_string()).because(error);
            self.schedule.tickets.fail(ticket, failed);
        }
        self.retries.forget(visit);
        self.schedule.postponed.done(node, downstream.unpredicted == Some(node));
        let ending = Ending::of(&verdict, || self.log.time_of_day());
        self.log.finished(node, self.cause(visit), verdict, end.took);
        self.record_delivery(visit, delivery);
        self.lifecycle.ended(visit, ending, downstream.secret, self.log.now());
        self.carry_out_watch();
        if visit.is_written() {
            self.schedule.conclude(node);
        }
        match change {
            Some(certain) => self.notifications.changed(visit, certain, &end.nested, downstream),
            None => self.notifications.settle(visit, failed, downstream),
        }
        self.carry_out();
    }

    /// A resource that was as declared has failed after all.
    pub(crate) fn fail_late(&mut self, node: NodeIndex, failure: Failure) {
        self.log.read_clock();
        let verdict = self.failed(node, failure);
        self.log.finished(node, Cause::Written, verdict, Duration::ZERO);
    }

    pub(super) fn failed(&self, node: NodeIndex, failure: Failure) -> Verdict {
        if self.program.ignores_failure(node) { Verdict::Ignored(failure) } else { Verdict::Failed(failure) }
    }
}

/// The end of a visit, besides its verdict.
#[derive(Default)]
pub(super) struct VisitEnd {
    pub(super) passed_on: PassedOn,
    /// In a plan, notifications that its nested resources would send.
    pub(super) nested: Vec<Notice>,
    /// Why it is skipped: the root cause.
    pub(super) root: Option<NodeIndex>,
    pub(super) took: Duration,
}

/// The consequences of a verdict for others.
struct Conclusion {
    downstream: Downstream,
    /// Whether it is a change: certainly, possibly, or not.
    change: Option<bool>,
    /// The root cause, if it is a failure or was skipped.
    failed: Option<NodeIndex>,
}

impl Conclusion {
    /// `passed`: what the prerequisites of the node passed on to it.
    fn of(node: NodeIndex, verdict: &Verdict, end: &VisitEnd, passed: Downstream) -> Self {
        let PassedOn { secret, predicted, unwritten } = end.passed_on;
        let change = match verdict {
            Verdict::Changed(_) | Verdict::WouldChange(_) => Some(true),
            Verdict::MayChange { .. } => Some(false),
            _ => None,
        };
        let changes = matches!(verdict, Verdict::WouldChange(_) | Verdict::MayChange { .. }).then_some(node);
        let unpredicted = changes.filter(|_| change == Some(false) || !predicted);
        let root = match verdict {
            Verdict::Failed(_) | Verdict::Skipped(Skip::TooManyChanges | Skip::NotAsPlanned(_)) => Some(node),
            Verdict::Skipped(_) => end.root.or(passed.root),
            _ => None,
        };
        let is_failure = matches!(verdict, Verdict::Failed(_) | Verdict::Skipped(_));
        Self {
            downstream: Downstream { root, changes, unpredicted, secret, unwritten },
            change,
            failed: is_failure.then(|| root.unwrap_or(node)),
        }
    }
}

/// The error of a nested notification whose target failed, or did not run.
fn error_of(verdict: &Verdict) -> Option<Error> {
    match verdict {
        Verdict::Failed(failure) => {
            Some(with_hint(Error::new(failure.kind, failure.message.clone()), failure.hint.clone()))
        }
        Verdict::Skipped(_) => Some(Error::failed("it was skipped")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use uphold_model::ChangeKind;

    use super::*;
    use crate::event::Change;

    /// Node 1 depends on a node whose root cause is 7. Root cause, change and unpredicted change for its dependents; whether it
    /// is a change; the root cause of its failure.
    #[test]
    fn a_verdict_decides_what_dependents_and_notifications_get() {
        let check =
            |verdict: Verdict, predicted: bool, expected: [Option<NodeIndex>; 4], change: Option<bool>| {
                let passed_on = PassedOn { predicted, ..PassedOn::default() };
                let end = VisitEnd { passed_on, ..VisitEnd::default() };
                let passed = Downstream { root: Some(7), ..Downstream::default() };
                let found = Conclusion::of(1, &verdict, &end, passed);
                let Downstream { root, changes, unpredicted, .. } = found.downstream;
                assert_eq!(
                    ([root, changes, unpredicted, found.failed], found.change),
                    (expected, change),
                    "{verdict:?}"
                );
            };
        let (differences, causes, unknown, inputs) = Default::default();
        let change = Change { kind: ChangeKind::Update, differences, causes, unknown, inputs };
        let failure = Failure::new(ErrorKind::Failed, "broken".to_owned());
        check(Verdict::Unchanged, false, [None; 4], None);
        check(Verdict::Changed(change.clone()), false, [None; 4], Some(true));
        check(Verdict::WouldChange(change.clone()), true, [None, Some(1), None, None], Some(true));
        check(Verdict::WouldChange(change), false, [None, Some(1), Some(1), None], Some(true));
        check(Verdict::Ignored(failure.clone()), false, [None; 4], None);
        check(Verdict::Failed(failure), false, [Some(1), None, None, Some(1)], None);
        check(Verdict::Skipped(Skip::Stopped), false, [Some(7), None, None, Some(7)], None);
        check(Verdict::Skipped(Skip::TooManyChanges), false, [Some(1), None, None, Some(1)], None);
    }
}
