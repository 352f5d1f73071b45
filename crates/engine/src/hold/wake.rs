//! Waking nodes: because of a report, because it is time, because of another node.

use std::time::Duration;

use uphold_model::Moment;

use crate::dispatcher::Dispatcher;
use crate::errand::Errand;
use crate::event::{EventKind, Wake};
use crate::graph::NodeIndex;
use crate::hold::state::State;
use crate::hold::timers::Timer;
use crate::turn::Turn;

impl Dispatcher<'_> {
    /// Takes in what was reported, and what is due.
    pub(crate) fn hear(&mut self) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        let now = self.clock.elapsed();
        let news = hold.watching.news().map(|mut marks| {
            // What is being visited may yet see it: its own look decides.
            let busy =
                |node: &NodeIndex| hold.states[*node as usize] == State::Busy && !hold.waiting.contains(node);
            let marked: Vec<_> = marks.marked.extract_if(|node, _| !busy(node)).collect();
            let sighted = std::mem::take(&mut marks.sighted);
            (marked, std::mem::take(&mut marks.blind), sighted, std::mem::take(&mut marks.lost))
        });
        if let Some((marked, blind, sighted, lost)) = news {
            sighted.into_iter().for_each(|node| self.see(node, now));
            blind.into_iter().for_each(|(node, because)| self.blind(node, because, now));
            if lost {
                self.say(EventKind::ReportsLost);
                self.wake_all(&Wake::ReportsLost, now);
            }
            marked.into_iter().for_each(|(node, what)| self.wake(node, Wake::Reported(what), now));
        }
        self.hear_time(now);
    }

    fn hear_time(&mut self, now: Duration) {
        while let Some(hold) = self.hold.as_deref_mut()
            && let Some((node, timer)) = hold.timers.pop(now)
        {
            match timer {
                Timer::Poll => self.wake(node, Wake::Polled, now),
                Timer::Retry => self.wake(node, Wake::Retried, now),
                Timer::Limit => {
                    let why = hold.wakes.remove(&node).unwrap_or(Wake::Polled);
                    self.wake(node, why, now);
                }
                Timer::Errand => {
                    let owed = hold.owed.remove(&node);
                    owed.into_iter().for_each(|errand| self.pend(errand));
                }
            }
        }
        let Some(hold) = self.hold.as_deref_mut() else { return };
        let asked = hold.control.take_recheck();
        if asked || hold.recheck_at.is_some_and(|at| at <= now) {
            hold.recheck_at = hold.request.recheck.map(|span| now.saturating_add(span));
            self.wake_all(&Wake::Rechecked, now);
        }
    }

    fn wake_all(&mut self, why: &Wake, now: Duration) {
        let Some(hold) = self.hold.as_deref() else { return };
        let all: Vec<NodeIndex> = hold.audience.held().collect();
        all.into_iter().for_each(|node| self.wake(node, why.clone(), now));
    }

    /// Something may have changed for a node: its turn comes, unless that is so already.
    pub(crate) fn wake(&mut self, node: NodeIndex, why: Wake, now: Duration) {
        let limit = self.handling(node).and_then(|handling| handling.limit.as_ref());
        let Some(hold) = self.hold.as_deref_mut() else { return };
        // Whoever is woken is looked at, however it comes out.
        hold.late.into_iter().for_each(|late| late.distrust(node));
        let state = hold.state(node);
        match state {
            State::Busy if hold.waiting.contains(&node) => return self.later.hasten(node, now),
            State::Unseen | State::Queued => return,
            State::Busy => {
                hold.again.entry(node).or_insert(why);
                return;
            }
            // It is tried when what it stands on is in order.
            State::Blocked if hold.root(node).is_some() => return,
            State::Calm | State::Failed | State::Blocked => {}
        }
        if !hold.audience.is_held(node) && !state.is_trouble() && !hold.called.contains(&node) {
            return;
        }
        if let Some(at) = hold.patience.not_before(node, limit, now).filter(|_| why != Wake::Retried) {
            hold.timers.bring_forward(node, Timer::Limit, at);
            hold.wakes.entry(node).or_insert(why);
            return;
        }
        hold.timers.cancel(node, Timer::Limit);
        hold.timers.cancel(node, Timer::Retry);
        limit.into_iter().for_each(|limit| hold.patience.visited(node, limit, now));
        hold.set_state(node, State::Queued);
        hold.restless.insert(node);
        hold.wakes.entry(node).or_insert(why);
        self.ready.push(Turn { woken: true, ..Turn::of(node) });
    }

    /// A node cannot be watched: it is looked at now and then.
    fn blind(&mut self, node: NodeIndex, because: String, now: Duration) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        let every = hold.request.blind;
        hold.timers.bring_forward(node, Timer::Poll, now.saturating_add(every));
        if hold.blind.insert(node) {
            let resource = self.id(node).clone();
            self.say(EventKind::Blind { resource, because, every });
        }
    }

    /// A node can be watched after all.
    fn see(&mut self, node: NodeIndex, now: Duration) {
        if let Some(hold) = self.hold.as_deref_mut()
            && hold.blind.remove(&node)
        {
            hold.timers.cancel(node, Timer::Poll);
            self.poll(node, now);
            let resource = self.id(node).clone();
            self.say(EventKind::Sighted { resource });
        }
    }

    /// Something is asked for that can wait until all who ask for it are at rest: then it is done once.
    pub(crate) fn pend(&mut self, errand: Errand) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        if let Some(&index) = hold.pending.get(&errand.handler) {
            return self.errands.join(index, errand);
        }
        let index = self.errands.begin(errand, None);
        hold.pending.insert(errand.handler, index);
        self.ready.push(Turn { errand: Some(index), ..Turn::of(errand.handler) });
    }

    /// Whether a turn has to wait for a node that is restless: then it is parked there. What somebody waits for does
    /// not wait itself.
    pub(crate) fn park(&mut self, turn: Turn) -> bool {
        let moment = turn.errand.map(|errand| self.errands.get(errand).moment);
        let Some(hold) = self.hold.as_deref_mut() else { return false };
        let urgent = matches!(moment, Some(Moment::Before | Moment::Immediately));
        if urgent || turn.again || (turn.errand.is_some() && !hold.over) {
            return false;
        }
        // What is done on success waits until nothing is wrong: there is no end of a run at which that is decided.
        let waits = moment == Some(Moment::OnSuccess) && hold.troubled > 0;
        let trouble = || (0..).zip(&hold.states).find(|(_, state)| state.is_trouble()).map(|(node, _)| node);
        let Some(awaited) = hold.awaited(turn).or_else(|| waits.then(trouble).flatten()) else {
            return false;
        };
        hold.parked.entry(awaited).or_default().push(turn);
        true
    }
}
