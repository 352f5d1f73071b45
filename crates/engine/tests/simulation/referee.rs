//! Watches one run, event by event, and says which rule was broken.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use uphold_engine::{Cause, Event, EventKind, Skip, Summary, Unwanted, Verdict as Came};
use uphold_model::{Moment, ResourceId};

use crate::order::{Orders, Prior, Wait};
use crate::scene::{Cluster, Scene, Step, Thing};
use crate::turn::{Ask, Parent, Progress, Turn, TurnIndex, Verdict, What, ensure};

/// How a turn ended.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    pub(crate) what: What,
    pub(crate) thing: Thing,
    pub(crate) action: &'static str,
    pub(crate) came: Came,
    /// Whether it was taken up before what it waits for.
    pub(crate) early: bool,
}

/// All that is known of a run so far.
pub(crate) struct Referee<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) orders: &'a Orders,
    pub(crate) turns: Vec<Turn>,
    pub(crate) of_steps: Vec<Option<TurnIndex>>,
    /// What was told, and not taken up.
    pub(crate) asks: Vec<Ask>,
    pub(crate) queues: BTreeMap<Option<Cluster>, VecDeque<Ask>>,
    pub(crate) draining: BTreeSet<Option<Cluster>>,
    pub(crate) groups: Vec<Progress>,
    pub(crate) changed: BTreeSet<Thing>,
    pub(crate) summary: Summary,
    pub(crate) records: Vec<Record>,
    /// Two turns cannot be told apart from here on.
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

    /// Something happened. From where two turns cannot be told apart, nothing is said any more.
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

    /// The run is over: nothing is left.
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

    fn thing(&self, id: &ResourceId) -> Result<Thing, String> {
        let found = self.scene.things.iter().position(|prop| *prop.path == *id.name);
        found.ok_or_else(|| format!("{id} is not in the scene"))
    }

    fn what(&self, thing: Thing, action: &str, cause: &Cause) -> Result<What, String> {
        let unknown = || format!("nobody wrote {action} of {thing}");
        match cause {
            Cause::Written => {
                let found = self.scene.steps_of(thing).find(|step| self.scene.steps[*step].action == action);
                found.map(What::Written).ok_or_else(unknown)
            }
            Cause::Notified { by, moment } => {
                let handler = self.orders.handler(thing, action).ok_or_else(unknown)?;
                Ok(What::Asked { handler, by: self.thing(by)?, moment: *moment })
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

    /// Whatever comes before is settled. For what was asked for, only if that does not wait for it.
    fn check_order(&self, what: What, waits: &[Wait]) -> Verdict {
        for wait in waits {
            if self.is_done(wait.prior) {
                continue;
            }
            let prior = wait.prior;
            match what {
                What::Written(_) => return Err(format!("{prior:?} is not done")),
                What::Asked { handler, .. } if self.has_asked(prior, handler) => {}
                What::Asked { .. } => {
                    self.check_stuck().map_err(|why| format!("{prior:?} is not done, and {why}"))?;
                }
            }
        }
        Ok(())
    }

    /// Whoever is asked by what it stands on, and has to act before that goes on, does not wait for it.
    fn has_asked(&self, prior: Prior, handler: usize) -> bool {
        let Prior::Step(step) = prior else { return false };
        let is_now = |moment| matches!(moment, Moment::Before | Moment::Immediately);
        let tells = self.scene.tells_of(self.scene.steps[step].thing).into_iter();
        let mut now = tells.filter(|(tell, _)| is_now(tell.moment));
        self.of_steps[step].is_some()
            && now.any(|(tell, told)| self.orders.handler(told, tell.action) == Some(handler))
    }

    pub(crate) fn is_done(&self, prior: Prior) -> bool {
        match prior {
            Prior::Step(step) => self.of_steps[step].is_some_and(|turn| self.turns[turn].settled),
            Prior::End(cluster) => self.groups[cluster].released,
        }
    }

    /// Nothing is under way, and no written action could be begun.
    fn check_stuck(&self) -> Verdict {
        self.check_idle()?;
        for (step, waits) in self.orders.of_steps.iter().enumerate() {
            let ready = self.of_steps[step].is_none() && waits.iter().all(|wait| self.is_done(wait.prior));
            ensure(!ready, || format!("step {step} could be done"))?;
        }
        Ok(())
    }

    /// Nothing is under way but what waits for others.
    fn check_idle(&self) -> Verdict {
        let open = self.turns.iter().filter(|turn| !turn.finished);
        let mut busy = open.filter(|turn| self.befores(turn.thing, &turn.chain).next().is_none());
        match busy.next() {
            Some(turn) => Err(format!("{:?} is under way", turn.what)),
            None => Ok(()),
        }
    }

    /// Who is told before the change of a resource.
    fn befores(&self, thing: Thing, chain: &BTreeSet<usize>) -> impl Iterator<Item = usize> {
        let before = self.scene.tells_of(thing).into_iter().filter(|(tell, _)| tell.moment == Moment::Before);
        let handlers = before.filter_map(|(tell, told)| self.orders.handler(told, tell.action));
        handlers.filter(|handler| !chain.contains(handler))
    }

    /// No group has more members under way than it may, unless they all wait for this one.
    fn check_limits(&self, begun: Step) -> Verdict {
        for cluster in self.scene.around(self.scene.steps[begun].cluster) {
            let Some(most) = self.scene.clusters[cluster].concurrency else { continue };
            let under_way = self.members_under_way(cluster);
            let own = self.member(cluster, begun);
            // Who was under way already needs no new place.
            let first = self.scene.steps_in(Some(cluster)).filter(|step| self.member(cluster, *step) == own);
            let first = first.filter(|step| *step != begun).all(|step| !self.was_begun(step));
            if first && under_way.len() > most as usize {
                let others = self.turns.len() - 1;
                let open = self.turns[..others].iter().filter(|turn| !turn.finished);
                let mut busy = open.filter(|turn| self.befores(turn.thing, &turn.chain).next().is_none());
                ensure(busy.next().is_none(), || {
                    format!("{} members of group {cluster} are under way", under_way.len())
                })?;
            }
        }
        Ok(())
    }

    fn member(&self, cluster: Cluster, step: Step) -> Result<Cluster, Step> {
        let inner = self.scene.around(self.scene.steps[step].cluster);
        inner.into_iter().find(|inner| self.scene.clusters[*inner].parent == Some(cluster)).ok_or(step)
    }

    /// Whether a step was taken up, and not skipped.
    fn was_begun(&self, step: Step) -> bool {
        let turn = self.of_steps[step].map(|turn| &self.turns[turn]);
        turn.is_some_and(|turn| turn.roots.is_empty() || !turn.told_before.is_empty())
    }

    fn members_under_way(&self, cluster: Cluster) -> BTreeSet<Result<Cluster, Step>> {
        let finished = |step: Step| self.of_steps[step].is_some_and(|turn| self.turns[turn].finished);
        let steps: Vec<Step> = self.scene.steps_in(Some(cluster)).collect();
        let begun =
            steps.iter().filter(|step| self.was_begun(**step)).map(|step| self.member(cluster, *step));
        let mut begun: BTreeSet<_> = begun.collect();
        begun.retain(|member| {
            steps.iter().any(|step| self.member(cluster, *step) == *member && !finished(*step))
        });
        begun
    }

    /// Why something cannot run: what failed before it.
    fn roots(&self, waits: &[Wait]) -> BTreeSet<Thing> {
        let before = waits.iter().filter(|wait| wait.stands).filter_map(|wait| wait.prior.step());
        let turns = before.filter_map(|step| Some(&self.turns[self.of_steps[step]?]));
        turns.filter(|turn| turn.finished).flat_map(|turn| turn.roots.iter().copied()).collect()
    }

    /// Whether all groups around a step heard what they subscribe to.
    fn is_called(&self, what: What) -> bool {
        let What::Written(step) = what else { return true };
        self.scene.around(self.scene.steps[step].cluster).all(|cluster| {
            let heard = &self.scene.clusters[cluster].subscribes;
            heard.is_empty() || heard.iter().any(|thing| self.changed.contains(thing))
        })
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

    /// Skips name their root cause, and only what has one is skipped.
    fn check_came(&self, index: TurnIndex, came: &Came) -> Verdict {
        let turn = &self.turns[index];
        ensure(turn.before_open == 0, || "it ends before those do that are told before".to_owned())?;
        if let Came::Skipped(skip) = came {
            let Skip::FailedBefore(root) = skip else { return Err(format!("nobody asked for {skip:?}")) };
            let root = self.thing(root)?;
            return ensure(turn.roots.contains(&root), || {
                format!("{root} is no root cause, {:?} are", turn.roots)
            });
        }
        ensure(turn.roots.is_empty(), || format!("it ran although {:?} failed", turn.roots))?;
        self.check_unwanted(turn, came)?;
        let befores = self.befores(turn.thing, &turn.chain).count();
        let told = turn.told_before.len();
        match came {
            Came::Changed(_) | Came::WouldChange(_) => ensure(told == befores || self.ambiguous, || {
                format!("{told} of {befores} were told before it changed")
            }),
            Came::Failed(_) | Came::Ignored(_) | Came::MayChange { .. } => Ok(()),
            // Somebody else may have done it meanwhile.
            Came::Unchanged if self.orders.handler(turn.thing, "mend").is_some() => Ok(()),
            _ => ensure(told == 0 || self.ambiguous, || {
                format!("{told} were told before, and nothing changed")
            }),
        }
    }

    fn check_unwanted(&self, turn: &Turn, came: &Came) -> Verdict {
        let run_failed = matches!(came, Came::NotWanted(Unwanted::RunFailed));
        let on_success = matches!(turn.what, What::Asked { moment: Moment::OnSuccess, .. });
        ensure(run_failed == (on_success && turn.run_had_failed), || {
            format!("that the run had failed is {}", turn.run_had_failed)
        })?;
        let uncalled = matches!(came, Came::NotWanted(Unwanted::NothingChanged));
        ensure(!uncalled || !turn.was_called, || {
            "something changed that its group subscribes to".to_owned()
        })?;
        let called = self.is_called(turn.what);
        ensure(uncalled || called, || "nothing changed that its group subscribes to".to_owned())
    }
}
