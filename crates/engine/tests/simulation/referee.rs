//! Follows one run, event by event, and reports broken rules.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use uphold_engine::{Cause, Event, EventKind, Summary, Verdict as Came};
use uphold_model::ResourceId;

use super::order::Orders;
use super::scene::{Cluster, Scene, Thing};
use super::turn::{Ask, Parent, Progress, Turn, TurnIndex, Verdict, What, ensure};

/// How a turn ended.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) what: What,
    pub(crate) thing: Thing,
    pub(crate) action: &'static str,
    pub(crate) came: Came,
    /// Whether it started before its predecessors.
    pub(crate) early: bool,
}

/// The state of a run so far.
pub(crate) struct Referee<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) orders: &'a Orders,
    pub(crate) turns: Vec<Turn>,
    pub(crate) of_steps: Vec<Option<TurnIndex>>,
    /// Notified actions that have not started.
    pub(crate) asks: Vec<Ask>,
    pub(crate) queues: BTreeMap<Option<Cluster>, VecDeque<Ask>>,
    pub(crate) draining: BTreeSet<Option<Cluster>>,
    pub(crate) groups: Vec<Progress>,
    pub(crate) changed: BTreeSet<Thing>,
    pub(crate) summary: Summary,
    pub(crate) records: Vec<Record>,
    /// Whether two turns have become indistinguishable.
    pub(crate) ambiguous: bool,
    over: bool,
}

impl<'a> Referee<'a> {
    pub(crate) fn new(scene: &'a Scene, orders: &'a Orders) -> Self {
        let mut referee = Self {
            scene,
            orders,
            turns: Vec::new(),
            of_steps: vec![None; scene.steps.len()],
            asks: Vec::new(),
            queues: BTreeMap::new(),
            draining: BTreeSet::new(),
            groups: vec![Progress::default(); scene.clusters.len()],
            changed: BTreeSet::new(),
            summary: Summary::default(),
            records: Vec::new(),
            ambiguous: false,
            over: false,
        };
        referee.end_groups();
        referee
    }

    /// Handles an event. Once two turns are indistinguishable, nothing is checked any more.
    pub(crate) fn hear(&mut self, event: &Event) -> Verdict {
        ensure(!self.over, || "something comes after the end".to_owned())?;
        self.record(event)?;
        let verdict = if self.ambiguous { Ok(()) } else { self.judge(event) };
        if self.ambiguous { Ok(()) } else { verdict }
    }

    fn judge(&mut self, event: &Event) -> Verdict {
        match &event.kind {
            EventKind::RunStarted { actions, .. } => {
                ensure(*actions == self.scene.steps.len(), || format!("{actions} actions are announced"))
            }
            EventKind::Started { resource, action, cause } => {
                self.start(resource, action.word(), cause, false).map(drop)
            }
            EventKind::Finished { resource, action, cause, verdict, .. } => {
                self.finish(resource, action.word(), cause, verdict)
            }
            EventKind::RunFinished(summary) => {
                let own = self.summary;
                ensure(*summary == own, || format!("the summary is {summary:?}, the events say {own:?}"))
            }
            _ => Ok(()),
        }
    }

    fn record(&mut self, event: &Event) -> Verdict {
        match &event.kind {
            EventKind::Finished { resource, action, cause, verdict, .. } => {
                let thing = self.thing(resource)?;
                let what = self.what(thing, action.word(), cause)?;
                let action = match what {
                    What::Written(step) => self.scene.steps[step].action,
                    What::Asked { handler, .. } => self.orders.handlers[handler].action,
                };
                self.summary.count(verdict);
                self.records.push(Record { what, thing, action, came: verdict.clone(), early: false });
            }
            EventKind::RunFinished(_) => self.over = true,
            _ => {}
        }
        Ok(())
    }

    /// The run has ended: nothing may remain.
    pub(crate) fn end(&self) -> Verdict {
        ensure(self.over, || "the run has no end".to_owned())?;
        if self.ambiguous {
            return Ok(());
        }
        for (step, turn) in self.of_steps.iter().enumerate() {
            let done = turn.is_some_and(|turn| self.turns[turn].settled);
            ensure(done, || format!("step {step} was not done"))?;
        }
        ensure(self.asks.is_empty(), || format!("nobody did {:?}", self.asks))?;
        ensure(self.queues.values().all(VecDeque::is_empty), || {
            format!("put off forever: {:?}", self.queues)
        })?;
        ensure(self.turns.iter().all(|turn| turn.settled), || "a turn has no end".to_owned())
    }

    pub(crate) fn thing(&self, id: &ResourceId) -> Result<Thing, String> {
        let found = self.scene.things.iter().position(|prop| *prop.path == *id.name);
        found.ok_or_else(|| format!("{id} is not in the scene"))
    }

    fn what(&self, thing: Thing, action: &str, cause: &Cause) -> Result<What, String> {
        let unknown = || format!("nobody wrote {action} of {thing}");
        match cause {
            Cause::Written | Cause::Woken(_) => {
                let found = self.scene.steps_of(thing).find(|step| self.scene.steps[*step].action == action);
                found.map(What::Written).ok_or_else(unknown)
            }
            Cause::Pending { .. } => Err(format!("{action} of {thing} is pending, without a journal")),
            Cause::Notified { by, moment } => {
                let handler = self.orders.handler(thing, action).ok_or_else(unknown)?;
                Ok(What::Asked { handler, by: self.thing(&by.first)?, moment: *moment })
            }
        }
    }

    fn start(
        &mut self,
        id: &ResourceId,
        action: &str,
        cause: &Cause,
        skipped: bool,
    ) -> Result<TurnIndex, String> {
        let thing = self.thing(id)?;
        let what = self.what(thing, action, cause)?;
        let (parent, chain, action, waits) = match what {
            What::Written(step) => {
                let twice = self.of_steps[step].is_some();
                ensure(!twice, || format!("{id} {action} is done twice"))?;
                self.of_steps[step] = Some(self.turns.len());
                (Parent::Nobody, BTreeSet::new(), self.scene.steps[step].action, &self.orders.of_steps[step])
            }
            What::Asked { handler, by, moment } => {
                let (parent, mut chain) = self.take_up(handler, by, moment)?;
                chain.insert(handler);
                (parent, chain, self.orders.handlers[handler].action, &self.orders.of_handlers[handler])
            }
        };
        self.check_order(what, waits).map_err(|broken| format!("{id} {action} begins, but {broken}"))?;
        let roots = self.roots(waits);
        ensure(skipped || roots.is_empty(), || format!("{id} {action} runs after {roots:?} failed"))?;
        let turn = Turn {
            what,
            thing,
            parent,
            chain,
            roots,
            skipped,
            finished: false,
            settled: false,
            pending: 0,
            told_before: Vec::new(),
            before_open: 0,
            run_had_failed: self.summary.failed > 0,
            early: waits.iter().any(|wait| !self.is_done(wait.prior)),
            was_called: self.is_called(what),
        };
        self.turns.push(turn);
        if let (What::Written(step), false) = (what, skipped) {
            self.check_limits(step).map_err(|broken| format!("{id} {action} begins, but {broken}"))?;
        }
        Ok(self.turns.len() - 1)
    }

    fn finish(&mut self, id: &ResourceId, action: &str, cause: &Cause, came: &Came) -> Verdict {
        let what = self.what(self.thing(id)?, action, cause)?;
        let open = |turn: &Turn| turn.what == what && !turn.finished;
        let alike = self.turns.iter().filter(|turn| open(turn)).count();
        self.ambiguous |= alike > 1;
        let index = match self.turns.iter().position(open) {
            Some(index) => index,
            None => {
                let skipped = matches!(came, Came::Skipped(_));
                ensure(skipped, || format!("{id} {action} ends without a start"))?;
                self.start(id, action, cause, true)?
            }
        };
        self.check_came(index, came).map_err(|broken| format!("{id} {action}: {broken}"))?;
        let turn = &mut self.turns[index];
        turn.finished = true;
        self.records.iter_mut().last().into_iter().for_each(|record| record.early = turn.early);
        if matches!(came, Came::Failed(_)) {
            turn.roots = BTreeSet::from([turn.thing]);
        }
        self.spread(index, came);
        Ok(())
    }
}
