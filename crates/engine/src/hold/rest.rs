//! Coming to rest: what follows from how a visit of a watched node ended.

use std::time::Duration;

use rustc_hash::FxHashSet;
use uphold_resource::Level;

use crate::dispatcher::Dispatcher;
use crate::event::{EventKind, Skip, Verdict, Wake};
use crate::failure::Failure;
use crate::graph::NodeIndex;
use crate::hold::patience::BREATH;
use crate::hold::state::{Ended, State};
use crate::hold::timers::Timer;
use crate::turn::Turn;

/// What a watch has to know of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It is as it should be, or left alone.
    Well,
    Changed,
    Failed,
    Ignored,
    /// Something before it failed.
    KeptBack,
    Stopped,
    Skipped,
}

impl Ending {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Changed(_) => Ending::Changed,
            Verdict::Failed(_) => Ending::Failed,
            Verdict::Ignored(_) => Ending::Ignored,
            Verdict::Skipped(Skip::FailedBefore(_)) => Ending::KeptBack,
            Verdict::Skipped(Skip::Stopped) => Ending::Stopped,
            Verdict::Skipped(_) => Ending::Skipped,
            _ => Ending::Well,
        }
    }
}

impl Dispatcher<'_> {
    /// A turn of a watch is over, as far as the node itself is concerned.
    pub(crate) fn note_end(&mut self, turn: Turn, ending: Ending) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        let (now, node) = (self.clock.elapsed(), turn.node);
        let changed = ending == Ending::Changed;
        if changed {
            hold.changed_at = now;
        }
        let failing = matches!(ending, Ending::Failed | Ending::Ignored);
        if let Some(errand) = turn.errand {
            if failing {
                hold.owed.insert(node, *self.errands.get(errand));
                self.back_off(node, Timer::Errand, now);
            } else {
                hold.patience.succeeded(node);
            }
            return;
        }
        let state = match ending {
            Ending::KeptBack if hold.root(node).is_some() => State::Blocked,
            // It was in order, and nobody said otherwise.
            Ending::Stopped if hold.is_only_checked(turn) => State::Calm,
            Ending::Stopped => State::Unseen,
            Ending::Failed | Ending::KeptBack | Ending::Skipped => State::Failed,
            Ending::Well | Ending::Changed | Ending::Ignored => State::Calm,
        };
        hold.ended.insert(node, Ended { state, changed });
        match failing || state == State::Failed {
            true => self.back_off(node, Timer::Retry, now),
            false if state == State::Calm => hold.patience.succeeded(node),
            false => {}
        }
        self.watch_fights(turn, changed, now);
        self.poll(node, now);
    }

    fn back_off(&mut self, node: NodeIndex, timer: Timer, now: Duration) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        let (failures, after) = hold.patience.failed(node, now);
        hold.timers.set(node, timer, now.saturating_add(after));
        let resource = self.id(node).clone();
        self.say(EventKind::BackingOff { resource, failures, after });
    }

    /// Whether a failure is none in a watch, because the visit is made again: something that it stands on drifted, too
    /// (whoever removes a directory removes what is inside before), or somebody changed it while it was repaired.
    pub(crate) fn excuse(&mut self, turn: Turn, failure: &Failure) -> bool {
        if turn.errand.is_some() || self.stop.is_requested() {
            return false;
        }
        let Some(hold) = self.hold.as_deref() else { return false };
        hold.watching.give_up(turn.node);
        self.hear();
        let Some(hold) = self.hold.as_deref_mut() else { return false };
        let turn = Turn { told: false, again: false, ..turn };
        if let Some(awaited) = hold.awaited(turn) {
            hold.set_state(turn.node, if turn.woken { State::Queued } else { State::Unseen });
            hold.parked.entry(awaited).or_default().push(turn);
            return true;
        }
        if turn.woken && failure.is_still_different() && hold.patience.may_insist(turn.node) {
            hold.set_state(turn.node, State::Queued);
            // Whoever is at it is left time to come to an end: what is half written is not ours to replace.
            self.later.push(self.clock.elapsed().saturating_add(BREATH), turn);
            return true;
        }
        false
    }

    /// What is reported all the time is changed by somebody else all the time, or by its own looks: it is left alone for
    /// a while.
    fn watch_fights(&mut self, turn: Turn, changed: bool, now: Duration) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        if !turn.woken || !matches!(hold.wakes.get(&turn.node), Some(Wake::Reported(_))) {
            return;
        }
        if let Some(pause) = hold.patience.strained(turn.node, changed, now) {
            let resource = self.id(turn.node).clone();
            let seconds = pause.as_secs_f64();
            let text = format!(
                "something changes it, or what it looks at, all the time; it is left alone for {seconds:.0} s"
            );
            self.say(EventKind::Message { resource, level: Level::Warning, text });
        }
    }

    /// Sets the time of the next look that needs no report.
    pub(crate) fn poll(&mut self, node: NodeIndex, now: Duration) {
        let asked = self.handling(node).and_then(|handling| handling.poll);
        let Some(hold) = self.hold.as_deref_mut() else { return };
        if !hold.audience.is_held(node) {
            return;
        }
        if let Some(span) = hold.period(node, asked) {
            hold.timers.set(node, Timer::Poll, now.saturating_add(span));
        }
    }

    /// A node and all that it brought about is over: who waited for it goes on, and who is concerned is woken. Whether
    /// it was changed.
    pub(crate) fn rest(&mut self, turn: Turn) -> bool {
        let now = self.clock.elapsed();
        let node = turn.node;
        let resource = self.entry(node).resource;
        let Some(hold) = self.hold.as_deref_mut() else { return false };
        let Ended { state, changed } =
            hold.ended.remove(&node).unwrap_or(Ended { state: State::Calm, changed: false });
        hold.set_state(node, state);
        hold.restless.remove(&node);
        hold.wakes.remove(&node);
        hold.called.remove(&node);
        hold.parked.remove(&node).into_iter().flatten().for_each(|turn| self.ready.push(turn));
        let published = hold.published.take_changed(resource);
        hold.outputs_due |= published && !self.program.outputs.is_empty();
        let readers = if published { hold.audience.readers(resource).to_vec() } else { Vec::new() };
        let subscribers = if changed { hold.audience.subscribers(resource).to_vec() } else { Vec::new() };
        hold.called
            .extend(subscribers.iter().copied().filter(|node| hold.states[*node as usize] != State::Unseen));
        let again = hold.again.remove(&node);
        let reported = hold.watching.marks().marked.remove(&node).map(Wake::Reported);
        let id = self.id(node).clone();
        self.wake_others(&readers, &Wake::Received(id.clone()), now);
        self.wake_others(&subscribers, &Wake::Subscribed(id.clone()), now);
        if state == State::Calm {
            self.free_blocked(node, &Wake::Freed(id), now);
        }
        again.or(reported).into_iter().for_each(|why| self.wake(node, why, now));
        changed
    }

    fn wake_others(&mut self, nodes: &[NodeIndex], why: &Wake, now: Duration) {
        nodes.iter().for_each(|node| self.wake(*node, why.clone(), now));
    }

    /// Those who were kept back by this one are tried now.
    fn free_blocked(&mut self, node: NodeIndex, why: &Wake, now: Duration) {
        let Some(hold) = self.hold.as_deref() else { return };
        if hold.troubled == 0 {
            return;
        }
        let graph = &self.program.graph;
        let mut blocked = Vec::new();
        let mut gates = FxHashSet::default();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for edge in graph.after(node) {
                match graph.is_gate(edge.after) {
                    true => open.extend(gates.insert(edge.after).then_some(edge.after)),
                    false if hold.state(edge.after) == State::Blocked => blocked.push(edge.after),
                    false => {}
                }
            }
        }
        self.wake_others(&blocked, why, now);
    }

    pub(crate) fn hold_secret(&mut self, node: NodeIndex, secret: bool) {
        if let Some(hold) = self.hold.as_deref_mut().filter(|_| secret) {
            hold.secrets.insert(node);
        }
    }

    /// Whether this is a watch, and everything was visited once.
    pub(crate) fn is_steady(&self) -> bool {
        self.hold.as_ref().is_some_and(|hold| hold.over)
    }

    /// A woken turn is not taken, because something that it stands on is not in order.
    pub(crate) fn block(&mut self, turn: Turn, root: NodeIndex) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        hold.ended.insert(turn.node, Ended { state: State::Blocked, changed: false });
        let (resource, action) = self.describe(turn.node);
        let verdict = Verdict::Skipped(Skip::FailedBefore(self.id(root).clone()));
        let cause = self.cause(turn);
        self.say(EventKind::Finished { resource, action, cause, verdict, took: Duration::ZERO });
        self.rest(turn);
    }
}
