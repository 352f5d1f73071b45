//! How a turn ends: with a verdict, with another try, or with more patience.

use std::time::Duration;

use crate::dispatcher::Dispatcher;
use crate::errand::Release;
use crate::event::{EventKind, Mode, Skip, Verdict};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::hold::Ending;
use crate::turn::Turn;

impl Dispatcher<'_> {
    pub(crate) fn finish_with(
        &mut self,
        turn: Turn,
        verdict: Verdict,
        secret: bool,
        predicted: bool,
        unwritten: bool,
        took: Duration,
    ) {
        self.give_back(turn);
        if self.postpone(turn, &verdict) {
            return;
        }
        let verdict = match verdict {
            Verdict::Failed(failure) if self.excuse(turn, &failure) => return,
            Verdict::Failed(failure) => match self.retry(turn, &failure) {
                Some((after, tried)) => return self.try_again(turn, failure, tried, after),
                None => self.failed(turn.node, failure),
            },
            other => other,
        };
        let release = Release { unwritten, ..release(turn.node, &verdict, secret, predicted) };
        self.conclude(turn, verdict, release, took);
    }

    pub(crate) fn give_back(&mut self, turn: Turn) {
        for woken in self.permits.give_back(turn) {
            self.ready.push(woken);
        }
    }

    fn retry(&mut self, turn: Turn, failure: &Failure) -> Option<(Duration, u32)> {
        let retry = self.handling(turn.node)?.retry.as_ref()?;
        if self.request.mode == Mode::Plan || self.stop.is_requested() {
            return None;
        }
        self.tries.after_failure(turn, retry, failure, self.clock.elapsed())
    }

    fn try_again(&mut self, turn: Turn, failure: Failure, tried: u32, after: Duration) {
        let resource = self.id(turn.node).clone();
        self.say(EventKind::Retrying { resource, failure: Box::new(failure), tried, after });
        self.later.push(self.clock.elapsed().saturating_add(after), Turn { again: true, ..turn });
    }

    pub(crate) fn wait(&mut self, turn: Turn, reason: String, after: Duration, took: Duration) {
        self.give_back(turn);
        let now = self.clock.elapsed();
        let handling = self.handling(turn.node);
        match self.tries.until_ready(turn, handling, after, now) {
            Ok(after) => {
                let resource = self.id(turn.node).clone();
                self.say(EventKind::Waiting { resource, reason, after });
                self.later.push(now.saturating_add(after), Turn { again: true, ..turn });
                self.note_waiting(turn);
            }
            Err(patience) => {
                let verdict = self.failed(turn.node, Failure::not_ready(patience, &reason));
                let release = release(turn.node, &verdict, false, false);
                self.conclude(turn, verdict, release, took);
            }
        }
    }

    /// A turn is over for good.
    pub(crate) fn conclude(&mut self, turn: Turn, verdict: Verdict, release: Release, took: Duration) {
        let (resource, action) = self.describe(turn.node);
        let cause = self.cause(turn);
        self.summary.count(&verdict);
        self.note_settled(turn.node, &verdict);
        let told = told(&verdict);
        let failed = matches!(verdict, Verdict::Failed(_) | Verdict::Skipped(_));
        let release = match &verdict {
            Verdict::Skipped(Skip::TooManyChanges | Skip::NotAsPlanned(_)) => {
                Release { root: Some(turn.node), ..release }
            }
            Verdict::Skipped(_) => Release { root: release.root.or(self.walk.root(turn.node)), ..release },
            _ => release,
        };
        self.tries.forget(turn);
        self.note_bringer(turn.node, release.unpredicted == Some(turn.node));
        self.hold_secret(turn.node, release.secret);
        let ending = Ending::of(&verdict);
        self.say(EventKind::Finished { resource, action, cause, verdict, took });
        self.note_end(turn, ending);
        if turn.errand.is_none() && !turn.woken {
            self.unfinished -= 1;
            for woken in self.permits.finish(turn.node) {
                self.ready.push(woken);
            }
        }
        self.spread_news(turn, told, failed, release);
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

/// What is passed on to those that stand on a node.
fn release(node: NodeIndex, verdict: &Verdict, secret: bool, predicted: bool) -> Release {
    let (changes, predicted) = match verdict {
        Verdict::WouldChange(_) => (Some(node), predicted),
        Verdict::MayChange { .. } => (Some(node), false),
        _ => (None, predicted),
    };
    let root = matches!(verdict, Verdict::Failed(_)).then_some(node);
    Release { root, changes, unpredicted: changes.filter(|_| !predicted), secret, unwritten: false }
}

/// Whether a verdict is news: Some(true) if something changed, Some(false) if it only may.
pub(crate) fn told(verdict: &Verdict) -> Option<bool> {
    match verdict {
        Verdict::Changed(_) | Verdict::WouldChange(_) => Some(true),
        Verdict::MayChange { .. } => Some(false),
        _ => None,
    }
}
