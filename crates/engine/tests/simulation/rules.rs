//! The rules of a run: when a turn can start, and how it can end.

use std::collections::BTreeSet;

use uphold_engine::{Skip, Unwanted, Verdict as Came};
use uphold_model::Moment;

use super::order::{Prior, Wait};
use super::referee::Referee;
use super::scene::{Cluster, Step, Thing};
use super::turn::{Turn, TurnIndex, Verdict, What, ensure};

impl Referee<'_> {
    /// All predecessors have ended. For a notified action, only those that do not wait for it.
    pub(crate) fn check_order(&self, what: What, waits: &[Wait]) -> Verdict {
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

    /// A target does not wait for its own dependency if that has notified it, and waits for its action.
    fn has_asked(&self, prior: Prior, handler: usize) -> bool {
        let Prior::Step(step) = prior else { return false };
        let is_now = |moment| matches!(moment, Moment::Before | Moment::Immediately);
        let tells = self.scene.tells_of(self.scene.steps[step].thing).into_iter();
        let mut now = tells.filter(|(tell, _)| is_now(tell.moment));
        self.of_steps[step].is_some()
            && now.any(|(tell, transcript)| self.orders.handler(transcript, tell.action) == Some(handler))
    }

    pub(crate) fn is_done(&self, prior: Prior) -> bool {
        match prior {
            Prior::Step(step) => self.of_steps[step].is_some_and(|turn| self.turns[turn].settled),
            Prior::End(cluster) => self.groups[cluster].released,
        }
    }

    /// Nothing is running, and no declared action could be started.
    fn check_stuck(&self) -> Verdict {
        self.check_idle()?;
        for (step, waits) in self.orders.of_steps.iter().enumerate() {
            let ready = self.of_steps[step].is_none() && waits.iter().all(|wait| self.is_done(wait.prior));
            ensure(!ready, || format!("step {step} could be done"))?;
        }
        Ok(())
    }

    /// Nothing is running except turns that wait for others.
    fn check_idle(&self) -> Verdict {
        let open = self.turns.iter().filter(|turn| !turn.finished);
        let mut busy = open.filter(|turn| self.befores(turn.thing, &turn.chain).next().is_none());
        match busy.next() {
            Some(turn) => Err(format!("{:?} is under way", turn.what)),
            None => Ok(()),
        }
    }

    /// The targets that are notified before the change of a resource.
    fn befores(&self, thing: Thing, chain: &BTreeSet<usize>) -> impl Iterator<Item = usize> {
        let before = self.scene.tells_of(thing).into_iter().filter(|(tell, _)| tell.moment == Moment::Before);
        let handlers = before.filter_map(|(tell, transcript)| self.orders.handler(transcript, tell.action));
        handlers.filter(|handler| !chain.contains(handler))
    }

    /// No group has more running members than allowed, unless all of them wait for this one.
    pub(crate) fn check_limits(&self, begun: Step) -> Verdict {
        for cluster in self.scene.around(self.scene.steps[begun].cluster) {
            let Some(most) = self.scene.clusters[cluster].concurrency else { continue };
            let under_way = self.members_under_way(cluster);
            let own = self.member(cluster, begun);
            // A member that is already running needs no new place.
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

    /// Whether a step was started, and not skipped.
    fn was_begun(&self, step: Step) -> bool {
        self.of_steps[step].is_some_and(|turn| !self.turns[turn].skipped)
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

    /// The reason why a turn cannot run: its failed predecessors.
    pub(crate) fn roots(&self, waits: &[Wait]) -> BTreeSet<Thing> {
        let before = waits.iter().filter(|wait| wait.stands).filter_map(|wait| wait.prior.step());
        let turns = before.filter_map(|step| Some(&self.turns[self.of_steps[step]?]));
        turns.filter(|turn| turn.finished).flat_map(|turn| turn.roots.iter().copied()).collect()
    }

    /// Whether the subscriptions of all groups around a step were notified.
    pub(crate) fn is_called(&self, what: What) -> bool {
        let cluster = match what {
            What::Written(step) => self.scene.steps[step].cluster,
            What::Asked { handler, .. } => self.scene.things[self.orders.handlers[handler].thing].cluster,
        };
        self.scene.around(cluster).all(|cluster| {
            let heard = &self.scene.clusters[cluster].subscribes;
            heard.is_empty() || heard.iter().any(|thing| self.changed.contains(thing))
        })
    }

    /// A skip names its root cause, and a turn is skipped only if it has one.
    pub(crate) fn check_came(&self, index: TurnIndex, came: &Came) -> Verdict {
        let turn = &self.turns[index];
        ensure(turn.before_open == 0, || "it ends before those do that are transcript before".to_owned())?;
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
        let transcript = turn.told_before.len();
        match came {
            Came::Changed(_) | Came::WouldChange(_) => {
                ensure(transcript == befores || self.ambiguous, || {
                    format!("{transcript} of {befores} were transcript before it changed")
                })
            }
            Came::Failed(_) | Came::Ignored(_) | Came::MayChange { .. } => Ok(()),
            // Another resource may have made the change meanwhile.
            Came::Unchanged if self.orders.handler(turn.thing, "mend").is_some() => Ok(()),
            _ => ensure(transcript == 0 || self.ambiguous, || {
                format!("{transcript} were transcript before, and nothing changed")
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
        ensure(uncalled || called || run_failed, || "nothing changed that its group subscribes to".to_owned())
    }
}
