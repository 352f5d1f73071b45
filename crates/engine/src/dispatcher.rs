//! The dispatcher owns the walk, the queue and the order of events.

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_model::{Action, Handling, Moment, Name, ResourceId};
use uphold_resource::{Clock, Stop};

use crate::ask::Extra;
use crate::batch::Part;
use crate::errand::{Errand, Errands, Release};
use crate::event::{Cause, Event, EventKind, Mode, Skip, Unwanted, Verdict};
use crate::extras::Extras;
use crate::graph::NodeIndex;
use crate::hold::Hold;
use crate::list::ActionEntry;
use crate::permit::Permits;
use crate::postponed::Postponed;
use crate::program::Program;
use crate::request::Request;
use crate::spread::Spread;
use crate::summary::Summary;
use crate::tray::Tray;
use crate::tries::Tries;
use crate::turn::{Later, Ready, Turn};
use crate::visit::{Before, Outcome, Phase, Visited, Visits};
use crate::walk::{Free, Walk};

/// Where events go. Called in order; a slow reader slows the run down.
pub type Sink<'a> = &'a mut (dyn FnMut(&Event) + Send);

/// Hands out what is ready, takes results, says what happened. Every event of a run passes here,
/// so their order is the order in which it decided.
pub(crate) struct Dispatcher<'a> {
    pub(crate) program: &'a Program,
    pub(crate) request: Request<'a>,
    pub(crate) clock: &'a dyn Clock,
    pub(crate) began: Duration,
    sink: Sink<'a>,
    pub(crate) walk: Walk<'a>,
    pub(crate) ready: Ready,
    pub(crate) later: Later,
    pub(crate) tries: Tries,
    pub(crate) permits: Permits,
    pub(crate) errands: Errands,
    /// What was asked for, but whose prerequisites are not done.
    pub(crate) asleep: FxHashMap<NodeIndex, Vec<Turn>>,
    pub(crate) spread: Spread,
    /// What was asked for and stands nowhere in the list, for the end of the run.
    pub(crate) extras: Extras,
    /// What failed for something missing that a package may bring.
    pub(crate) postponed: Postponed,
    tray: Tray,
    /// Whether each node is as declared; empty unless the end of the run asks for it.
    pub(crate) settled: Vec<bool>,
    /// How many visits are under way.
    pub(crate) in_flight: usize,
    pub(crate) unfinished: usize,
    pub(crate) summary: Summary,
    pub(crate) stop: &'a Stop,
    /// What makes it a watch.
    pub(crate) hold: Option<Box<Hold<'a>>>,
}

/// What a worker should do.
pub(crate) enum Next {
    /// Visit this node.
    Visit(Turn, Phase, Before),
    /// Change these in one go.
    Together(Vec<(Turn, Part)>),
    /// Do this, which stands nowhere in the list.
    Extra(Extra),
    /// Nothing is ready; ask again when something was finished, or at this time.
    Wait(Option<Duration>),
    /// Everything was visited once, and is held from now on: the run is over, the watch is not.
    Over,
    /// Everything is done.
    Done,
}

impl<'a> Dispatcher<'a> {
    pub(crate) fn new(visits: &Visits<'a>, seed: Option<u64>, stop: &'a Stop, sink: Sink<'a>) -> Self {
        Self::holding(visits, seed, stop, sink, None)
    }

    /// One that goes on when everything is done, if it is given what that takes.
    pub(crate) fn holding(
        visits: &Visits<'a>,
        seed: Option<u64>,
        stop: &'a Stop,
        sink: Sink<'a>,
        hold: Option<Box<Hold<'a>>>,
    ) -> Self {
        let (program, request, clock) = (visits.program, visits.request, visits.host.clock());
        let written = (0..).take(program.list.len());
        let is_kept = |node: NodeIndex| hold.as_ref().is_some_and(|hold| hold.is_kept(node));
        let actions = written.filter(|node| request.selects(*node) && !is_kept(*node)).count();
        let walk = Walk::new(program);
        let mut dispatcher = Self {
            program,
            request,
            clock,
            began: hold.as_ref().map_or_else(|| clock.elapsed(), |hold| hold.began),
            sink,
            ready: Ready::new(seed),
            later: Later::default(),
            tries: Tries::default(),
            permits: Permits::new(program),
            errands: Errands::default(),
            asleep: FxHashMap::default(),
            spread: Spread::new(program),
            extras: Extras::default(),
            postponed: Postponed::new(program, &request, hold.is_some()),
            tray: Tray::new(visits.registry),
            settled: if visits.writes.is_some() { vec![false; program.list.len()] } else { Vec::new() },
            in_flight: 0,
            unfinished: actions,
            summary: Summary::default(),
            stop,
            hold,
            walk,
        };
        dispatcher.say(EventKind::RunStarted { mode: request.mode, actions });
        let first = dispatcher.walk.first();
        dispatcher.set_free(first);
        dispatcher
    }

    /// The next thing to do. What cannot run because of an earlier failure is done with here.
    pub(crate) fn next(&mut self) -> Next {
        loop {
            self.wake_later();
            self.hear();
            while let Some(turn) = self.next_ready() {
                if self.put_aside(turn) {
                    continue;
                }
                if let Some(skip) = self.skip(turn) {
                    self.conclude(turn, Verdict::Skipped(skip), Release::default(), Duration::ZERO);
                    continue;
                }
                let taken = self.permits.take(turn);
                let (is_taken, woken) = (taken.is_ok(), taken.unwrap_or_else(|others| others));
                woken.into_iter().for_each(|other| self.ready.push(other));
                if is_taken {
                    return self.begin(turn);
                }
            }
            if let Some(parts) = self.tray.take() {
                return self.begin_together(parts);
            }
            let due = self.later.due();
            if self.in_flight == 0 && due.is_none() && self.go_on() {
                continue;
            }
            // A watch is never over: there, nothing else under way is enough.
            if self.in_flight == 0
                && (due.is_none() || self.is_steady())
                && let Some(extra) = self.next_extra()
            {
                return Next::Extra(extra);
            }
            return match &self.hold {
                None if self.in_flight == 0 && due.is_none() => Next::Done,
                None => Next::Wait(due),
                Some(_) => self.keep_on(due),
            };
        }
    }

    /// Nothing is under way: lets one go on that waits for what waits for it, or does what was put off to the end of
    /// the run. False if there is nothing.
    fn go_on(&mut self) -> bool {
        if self.resume_postponed() {
            return true;
        }
        if let Some(turn) = self.permits.force().or_else(|| self.wake_first()) {
            self.ready.push(turn);
            return true;
        }
        if self.unfinished > 0 || self.errands.open > 0 {
            return false;
        }
        self.drain(None)
    }

    /// The first of those that were asked for too early.
    fn wake_first(&mut self) -> Option<Turn> {
        let first = self.asleep.keys().min().copied()?;
        let turns = self.asleep.get_mut(&first)?;
        let turn = turns.pop();
        if turns.is_empty() {
            self.asleep.remove(&first);
        }
        turn
    }

    fn wake_later(&mut self) {
        let now = if self.stop.is_requested() { Duration::MAX } else { self.clock.elapsed() };
        while let Some(turn) = self.later.pop(now) {
            self.ready.push(turn);
        }
    }

    fn begin(&mut self, turn: Turn) -> Next {
        self.note_begin(turn);
        if !turn.again {
            turn.errand.into_iter().for_each(|errand| self.errands.take_up(errand));
            let (resource, action) = self.describe(turn.node);
            let cause = self.cause(turn);
            self.say(EventKind::Started { resource, action, cause });
        }
        self.in_flight += 1;
        self.tray.begin(self.kind(turn.node));
        let told = turn.told || !self.tells_before(turn.node);
        let phase = if told { Phase::Whole } else { Phase::Look };
        Next::Visit(turn, phase, self.before(turn))
    }

    fn begin_together(&mut self, parts: Vec<(Turn, Part)>) -> Next {
        self.in_flight += parts.len();
        // The next go of this kind waits for the end of this one.
        parts.iter().for_each(|(turn, _)| self.tray.begin(self.kind(turn.node)));
        if parts.len() > 1 {
            let resources = parts.iter().map(|(turn, _)| self.id(turn.node).clone()).collect();
            self.say(EventKind::Merged { resources });
        }
        Next::Together(parts)
    }

    /// Whether a visit is under way.
    pub(crate) fn is_visiting(&self) -> bool {
        self.in_flight > 0
    }

    /// Whether there is more to do than was just handed out.
    pub(crate) fn has_more(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Takes a result: what stands on it may become ready.
    pub(crate) fn finish(&mut self, turn: Turn, visited: Visited, took: Duration) {
        let Visited { outcome, messages, secret, predicted, unwritten, asked } = visited;
        self.in_flight -= 1;
        self.note_visited(turn.node);
        self.tray.end(self.kind(turn.node));
        for (level, text) in messages {
            if !self.is_heard(turn, &outcome, level) {
                continue;
            }
            let resource = self.id(turn.node).clone();
            self.say(EventKind::Message { resource, level, text });
        }
        match outcome {
            Outcome::Done(verdict) => {
                self.take_asks(turn, Some(&verdict), asked);
                self.finish_with(turn, verdict, secret, predicted, unwritten, took);
            }
            Outcome::Intends => {
                self.give_back(turn);
                self.tell_before(turn, secret);
            }
            Outcome::NotYet { reason, after } => self.wait(turn, reason, after, took),
            Outcome::AfterPackages => {
                self.give_back(turn);
                self.visit_after_packages(turn);
            }
            Outcome::Prepared(prepared) => {
                let part = Part { node: turn.node, prepared, before: self.before(turn) };
                let turn = Turn { again: true, ..turn };
                self.tray.put(self.kind(turn.node), turn, part);
            }
        }
    }

    /// Lets those go on that stand on a node.
    pub(crate) fn release(&mut self, node: NodeIndex, release: Release) {
        let free = self.walk.release(node, release);
        self.set_free(free);
    }

    /// Everything before these is done.
    fn set_free(&mut self, free: Vec<Free>) {
        let mut all = free;
        while let Some(free) = all.pop() {
            match free {
                Free::End(gate) => self.drain_at(gate),
                Free::Node(node) if self.program.list.is_on_request(node) => {
                    let turns = self.asleep.remove(&node).unwrap_or_default();
                    turns.into_iter().for_each(|turn| self.ready.push(turn));
                }
                Free::Node(node) if self.request.selects(node) && !self.is_kept(node) => {
                    self.ready.push(Turn::of(node));
                }
                Free::Node(node) => {
                    let woken = self.permits.finish(node);
                    woken.into_iter().for_each(|turn| self.ready.push(turn));
                    let secret = self.hold.as_ref().is_some_and(|hold| hold.secrets.contains(&node));
                    all.extend(self.walk.release(node, Release { secret, ..Release::default() }));
                }
            }
        }
    }

    fn before(&self, turn: Turn) -> Before {
        let mut before = self.walk.before(turn.node);
        if let Some(errand) = turn.errand.map(|errand| self.errands.get(errand)) {
            // That is decided when it is taken up: those who are told before it may have acted since.
            let failed = errand.moment == Moment::OnSuccess && self.has_failed() && !turn.again;
            before.unwanted = failed.then_some(Unwanted::RunFailed);
            before.depends = (!errand.certain).then(|| self.name(errand.by));
            self.add_news(errand, &mut before);
        }
        match self.spread.subscribed(self.program, turn) {
            Some(Ok(())) | None => {}
            Some(Err(None)) => before.unwanted = Some(Unwanted::NothingChanged),
            Some(Err(Some(node))) => before.depends = Some(self.name(node)),
        }
        before.can_wait = self.postponed.can_wait(turn);
        before.brought = self.postponed.bringer().map(|node| self.name(node));
        let entry = self.entry(turn.node);
        // A verb runs whatever a look finds.
        if !matches!(entry.action(), Action::Verb(_))
            && let Some(by) = self.spread.stale(entry.resource).map(|by| self.name(by))
        {
            before.unpredicted.get_or_insert_with(|| by.clone());
            before.stale = Some(by);
        }
        before
    }

    /// In a plan, who is told stands on what it is told of, as far as a look is concerned.
    fn add_news(&self, errand: &Errand, before: &mut Before) {
        if self.request.mode == Mode::Apply || errand.moment == Moment::Before {
            return;
        }
        before.changes.get_or_insert_with(|| self.name(errand.by));
        if self.spread.is_unpredicted(errand.by) {
            before.unpredicted.get_or_insert_with(|| self.name(errand.by));
        }
    }

    /// Why a node that is ready is not visited.
    fn skip(&self, turn: Turn) -> Option<Skip> {
        if self.stop.is_requested() {
            return Some(Skip::Stopped);
        }
        if let Some(root) = self.root(turn) {
            return Some(Skip::FailedBefore(self.id(root).clone()));
        }
        let most = self.request.stop_after_failures;
        most.is_some_and(|most| self.summary.failed >= most.get()).then_some(Skip::TooManyFailures)
    }

    pub(crate) fn cause(&self, turn: Turn) -> Cause {
        match turn.errand.map(|errand| self.errands.get(errand)) {
            None if turn.woken => Cause::Woken(self.why(turn.node)),
            None => Cause::Written,
            Some(errand) => Cause::Notified { by: self.id(errand.by).clone(), moment: errand.moment },
        }
    }

    fn tells_before(&self, node: NodeIndex) -> bool {
        let told = self.program.notices.of_resource(self.entry(node).resource);
        told.iter().any(|notice| notice.moment == Moment::Before)
    }

    pub(crate) fn handling(&self, node: NodeIndex) -> Option<&'a Handling> {
        self.program.set.entry(self.entry(node).resource).handling()
    }

    pub(crate) fn entry(&self, node: NodeIndex) -> &'a ActionEntry {
        self.program.list.get(node as usize)
    }

    fn kind(&self, node: NodeIndex) -> &'a Name {
        &self.program.set.id(self.entry(node).resource).kind
    }

    pub(crate) fn describe(&self, node: NodeIndex) -> (ResourceId, Action) {
        (self.id(node).clone(), self.entry(node).action().clone())
    }

    pub(crate) fn id(&self, node: NodeIndex) -> &'a ResourceId {
        self.program.set.id(self.entry(node).resource)
    }

    fn name(&self, node: NodeIndex) -> Name {
        self.id(node).to_string().into()
    }

    pub(crate) fn say(&mut self, kind: EventKind) {
        let at = self.clock.elapsed().saturating_sub(self.began);
        (self.sink)(&Event { at, kind });
    }
}
