//! How the dispatcher goes on when everything is done.

use std::time::Duration;

use uphold_resource::Level;

use crate::dispatcher::{Dispatcher, Next};
use crate::event::{EventKind, Verdict, Wake};
use crate::graph::NodeIndex;
use crate::hold::state::{Hold, State};
use crate::outputs::{Told, tell};
use crate::turn::Turn;
use crate::visit::{Outcome, Visits};

impl Hold<'_> {
    /// Whether a node goes on as in the program before.
    pub(crate) fn is_kept(&self, node: NodeIndex) -> bool {
        self.kept[node as usize]
    }

    /// Whether a node was in order, and is only looked at because it is time.
    pub(crate) fn is_only_checked(&self, turn: Turn) -> bool {
        let timely = matches!(self.wakes.get(&turn.node), Some(Wake::Polled | Wake::Rechecked));
        turn.woken && timely && !self.patience.is_failing(turn.node)
    }

    /// When a watch has to do something by itself.
    fn due(&mut self) -> Option<Duration> {
        let calm = self.restless.is_empty() && self.over;
        let converged = self.request.until_converged.filter(|_| calm);
        let converged = converged.map(|span| self.changed_at.saturating_add(span));
        let runtime = self.request.max_runtime.map(|span| self.began.saturating_add(span));
        self.timers.first().into_iter().chain(converged).chain(runtime).chain(self.recheck_at).min()
    }

    /// Whether a watch is over by its own terms.
    fn is_over(&self, now: Duration) -> bool {
        let passed = |since: Duration, span: Option<Duration>| {
            span.is_some_and(|span| since.saturating_add(span) <= now)
        };
        let calm = self.restless.is_empty() && self.over;
        (calm && passed(self.changed_at, self.request.until_converged))
            || passed(self.began, self.request.max_runtime)
    }
}

impl Dispatcher<'_> {
    pub(crate) fn is_kept(&self, node: NodeIndex) -> bool {
        self.hold.as_ref().is_some_and(|hold| hold.is_kept(node))
    }

    /// The next turn that is ready. While a watch is about to end, nothing new is begun but what others wait for.
    pub(crate) fn next_ready(&mut self) -> Option<Turn> {
        let halts = self.halts();
        self.ready.pop_if(|turn| !halts || turn.errand.is_some() || turn.told)
    }

    /// Whether another program waits, and what was under way when it came is over; or whether the time is up.
    fn halts(&mut self) -> bool {
        let Some(hold) = self.hold.as_deref_mut() else { return false };
        if hold.is_over(self.clock.elapsed()) {
            return true;
        }
        if !hold.control.has_next() {
            return false;
        }
        let visiting = &hold.visiting;
        hold.stragglers.get_or_insert_with(|| visiting.clone()).is_empty()
    }

    /// Whether a turn cannot be taken now: it is dropped, parked or blocked.
    pub(crate) fn put_aside(&mut self, turn: Turn) -> bool {
        if self.hold.is_none() {
            return false;
        }
        if turn.woken && !turn.again && self.stop.is_requested() {
            self.drop_turn(turn);
            return true;
        }
        if self.park(turn) {
            return true;
        }
        match self.root(turn).filter(|_| turn.woken && !turn.again) {
            Some(root) => {
                self.block(turn, root);
                true
            }
            None => false,
        }
    }

    /// The watch ends: a turn that was not begun is not taken any more. Whoever waited for it is told so.
    fn drop_turn(&mut self, turn: Turn) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        if hold.is_only_checked(turn) {
            hold.set_state(turn.node, State::Calm);
        }
        hold.restless.remove(&turn.node);
        hold.parked.remove(&turn.node).into_iter().flatten().for_each(|turn| self.ready.push(turn));
    }

    /// The root cause that keeps a turn from being taken. In a watch, what failed may have recovered.
    pub(crate) fn root(&self, turn: Turn) -> Option<NodeIndex> {
        match self.hold.as_deref() {
            Some(hold) => hold.root_cause(turn.node),
            None => self.walk.root(turn.node),
        }
    }

    /// Nothing is ready: the run is over, the watch is over, or there is something to wait for.
    pub(crate) fn keep_on(&mut self, later: Option<Duration>) -> Next {
        let now = self.clock.elapsed();
        let quiet = self.in_flight == 0 && self.errands.open == 0;
        let first = self.unfinished == 0 && self.in_flight == 0 && later.is_none();
        let halts = self.halts();
        let stopped = self.stop.is_requested();
        let Some(hold) = self.hold.as_deref_mut() else { return Next::Done };
        // What was asked for and is not done goes to the next program.
        if self.in_flight == 0 && (stopped || halts) {
            return Next::Done;
        }
        if first && quiet && !hold.over {
            hold.over = true;
            hold.changed_at = now;
            return Next::Over;
        }
        if quiet && hold.over && std::mem::take(&mut hold.outputs_due) {
            return Next::Over;
        }
        if quiet && hold.pending.is_empty() {
            self.errands.forget();
        }
        Next::Wait(self.due())
    }

    /// When something has to be done, whatever is reported.
    pub(crate) fn due(&mut self) -> Option<Duration> {
        let hold = self.hold.as_deref_mut().and_then(Hold::due);
        self.later.due().into_iter().chain(hold).min()
    }

    /// A visit begins.
    pub(crate) fn note_begin(&mut self, turn: Turn) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        hold.visiting.insert(turn.node);
        hold.waiting.remove(&turn.node);
        match turn.errand {
            Some(errand) if hold.pending.get(&turn.node) == Some(&errand) => {
                _ = hold.pending.remove(&turn.node);
            }
            Some(_) => {}
            None => hold.set_state(turn.node, State::Busy),
        }
    }

    /// Something is not ready. If it was reported meanwhile that it may be, it is looked at again at once.
    pub(crate) fn note_waiting(&mut self, turn: Turn) {
        let now = self.clock.elapsed();
        let Some(hold) = self.hold.as_deref_mut().filter(|_| turn.errand.is_none()) else { return };
        hold.waiting.insert(turn.node);
        if hold.watching.marks().marked.remove(&turn.node).is_some() {
            self.later.hasten(turn.node, now);
        }
    }

    /// A visit is over, perhaps to be continued.
    pub(crate) fn note_visited(&mut self, node: NodeIndex) {
        let Some(hold) = self.hold.as_deref_mut() else { return };
        hold.visiting.remove(&node);
        if let Some(stragglers) = &mut hold.stragglers {
            stragglers.remove(&node);
        }
    }

    /// Why a node was woken.
    pub(crate) fn why(&self, node: NodeIndex) -> Wake {
        self.hold.as_ref().and_then(|hold| hold.wakes.get(&node).cloned()).unwrap_or(Wake::Polled)
    }

    /// Whether what a visit says is passed on. A look that only makes sure has nothing new to say.
    pub(crate) fn is_heard(&self, turn: Turn, outcome: &Outcome, level: Level) -> bool {
        let idle = turn.woken && matches!(outcome, Outcome::Done(Verdict::Unchanged));
        !idle
            || level == Level::Warning
            || !matches!(self.why(turn.node), Wake::Polled | Wake::Rechecked | Wake::ReportsLost)
    }

    /// Whether something is wrong: in a watch, what failed before does not count.
    pub(crate) fn has_failed(&self) -> bool {
        match &self.hold {
            Some(hold) if hold.over => hold.troubled > 0,
            _ => self.summary.failed > 0,
        }
    }

    /// Everything is visited, for the first time or again: tells what it came to.
    pub(crate) fn settle_down(&mut self, visits: &Visits<'_>) {
        let (scope, complete) = (visits.scope(), !self.has_failed());
        let outputs: Vec<Told> = tell(&visits.program.outputs, &scope, visits.mode(), complete).collect();
        let values = outputs.iter().map(|told| told.value.as_ref().ok().cloned()).collect();
        let Some(hold) = self.hold.as_deref_mut() else { return };
        hold.outputs_due = false;
        let (before, first) =
            (std::mem::replace(&mut hold.outputs, values), !std::mem::replace(&mut hold.told, true));
        let resources = hold.audience.held().count();
        if first {
            self.ready.shrink();
            self.tell(outputs.into_iter());
            self.say(EventKind::Watching { resources });
            return;
        }
        for (told, before) in outputs.into_iter().zip(before) {
            if told.value.as_ref().ok() != before.as_ref() {
                self.tell_output(told);
            }
        }
    }
}
