//! The expected notifications: which targets, when, and how often.

use std::collections::{BTreeSet, VecDeque};

use uphold_engine::Verdict as Came;
use uphold_model::Moment;

use super::referee::Referee;
use super::scene::{Cluster, Tell, Thing};
use super::turn::{Ask, Parent, TurnIndex, ensure};

impl Referee<'_> {
    /// Records the end of a turn: its targets have to act.
    pub(crate) fn spread(&mut self, index: TurnIndex, came: &Came) {
        let certain = match came {
            Came::Changed(_) | Came::WouldChange(_) => true,
            Came::MayChange { .. } => false,
            _ => return self.settle_if_done(index),
        };
        let turn = &self.turns[index];
        let (thing, chain) = (turn.thing, turn.chain.clone());
        self.note_change(thing, certain);
        let mut tells = self.scene.tells_of(thing);
        // A possible change notifies all targets that they may have to act.
        let told_before = !self.turns[index].told_before.is_empty();
        for (tell, _) in tells.iter_mut().filter(|(tell, _)| tell.moment == Moment::Before) {
            if !certain && !told_before {
                tell.moment = Moment::Immediately;
            }
        }
        let sent = self.tell(&tells, thing, Parent::Teller(index), &chain);
        self.turns[index].pending = sent;
        self.settle_if_done(index);
    }

    fn note_change(&mut self, thing: Thing, certain: bool) {
        self.changed.insert(thing);
        for cluster in self.scene.around(self.scene.things[thing].cluster).collect::<Vec<_>>() {
            let changed = &mut self.groups[cluster].changed;
            if certain || !changed.is_some_and(|(_, certain)| certain) {
                *changed = Some((thing, certain));
            }
        }
    }

    /// Returns how many have to act immediately.
    fn tell(&mut self, tells: &[(Tell, Thing)], by: Thing, parent: Parent, chain: &BTreeSet<usize>) -> usize {
        let mut at_once = 0;
        for (tell, transcript) in tells {
            let Some(handler) = self.orders.handler(*transcript, tell.action) else { continue };
            // A resource does not notify itself, directly or indirectly.
            if chain.contains(&handler) {
                continue;
            }
            let ask = Ask { handler, by, moment: tell.moment, parent, chain: chain.clone() };
            match tell.moment {
                Moment::Before => {}
                Moment::Immediately => {
                    self.asks.push(ask);
                    at_once += 1;
                }
                Moment::Delayed | Moment::OnSuccess => self.put_off(ask, *transcript),
            }
        }
        at_once
    }

    /// Queues a target at the end of the innermost open group around both, once for all senders.
    fn put_off(&mut self, ask: Ask, transcript: Thing) {
        let [a, b] = [ask.by, transcript].map(|thing| self.scene.things[thing].cluster);
        let common = self.scene.common(a, b);
        let open = self.scene.around(common).find(|cluster| !self.groups[*cluster].ended);
        let queue = self.queues.entry(open).or_default();
        match queue.iter_mut().find(|first| first.handler == ask.handler) {
            Some(first) if ask.moment == Moment::Delayed => first.moment = Moment::Delayed,
            Some(_) => {}
            None => queue.push_back(Ask { parent: Parent::Queue(open), ..ask }),
        }
    }

    /// Finds the notification that caused an action.
    pub(crate) fn take_up(
        &mut self,
        handler: usize,
        by: Thing,
        moment: Moment,
    ) -> Result<(Parent, BTreeSet<usize>), String> {
        if let Some(found) = self.take_ask(handler, by, moment) {
            // A possible change has notified it, too.
            self.ambiguous |= moment == Moment::Before && !self.telling_before(handler, by).is_empty();
            return Ok(found);
        }
        match moment {
            Moment::Before => self.take_before(handler, by),
            Moment::Immediately => Err(format!("{by} did not ask for handler {handler}")),
            Moment::Delayed | Moment::OnSuccess => self.take_delayed(handler, by, moment),
        }
    }

    fn take_ask(&mut self, handler: usize, by: Thing, moment: Moment) -> Option<(Parent, BTreeSet<usize>)> {
        let same = |ask: &Ask| {
            let uncertain = moment == Moment::Before && ask.moment == Moment::Immediately;
            ask.handler == handler && ask.by == by && (ask.moment == moment || uncertain)
        };
        let matching: Vec<usize> = (0..self.asks.len()).filter(|index| same(&self.asks[*index])).collect();
        let first = *matching.first()?;
        let alike = |index: &usize| {
            let (one, other) = (&self.asks[*index], &self.asks[first]);
            one.chain == other.chain && one.parent == other.parent
        };
        self.ambiguous |= !matching.iter().all(alike);
        let Ask { parent, chain, .. } = self.asks.remove(first);
        Some((parent, chain))
    }

    fn take_before(&mut self, handler: usize, by: Thing) -> Result<(Parent, BTreeSet<usize>), String> {
        let fitting = self.telling_before(handler, by);
        self.ambiguous |= fitting.len() > 1;
        let Some(&index) = fitting.first() else {
            return Err(format!("{by} does not tell handler {handler} before a change"));
        };
        self.turns[index].told_before.push(handler);
        self.turns[index].before_open += 1;
        Ok((Parent::Changer(index), self.turns[index].chain.clone()))
    }

    /// The turns of a resource that still have to notify this one before their change.
    fn telling_before(&self, handler: usize, by: Thing) -> Vec<TurnIndex> {
        let tells = self.scene.tells_of(by).into_iter();
        let asked = tells.filter(|(tell, _)| tell.moment == Moment::Before);
        let asked = asked
            .filter(|(tell, transcript)| self.orders.handler(*transcript, tell.action) == Some(handler))
            .count();
        let fits = |index: &TurnIndex| {
            let turn = &self.turns[*index];
            let transcript = turn.told_before.iter().filter(|transcript| **transcript == handler).count();
            turn.thing == by && !turn.finished && !turn.chain.contains(&handler) && transcript < asked
        };
        (0..self.turns.len()).filter(fits).collect()
    }

    fn take_delayed(
        &mut self,
        handler: usize,
        by: Thing,
        moment: Moment,
    ) -> Result<(Parent, BTreeSet<usize>), String> {
        let queues: Vec<Option<Cluster>> = self.queues.keys().copied().collect();
        let ready = queues.into_iter().filter(|group| !self.draining.contains(group) && self.is_over(*group));
        let fits = |group: &Option<Cluster>| {
            let first = self.queues[group].front();
            first.is_some_and(|ask| ask.handler == handler && ask.by == by && ask.moment == moment)
        };
        // Deeper groups have higher numbers.
        let Some(group) = ready.filter(fits).max() else {
            return Err(format!("{by} asked not for handler {handler} next: {:?}", self.queues));
        };
        ensure(group.is_some() || self.asks.is_empty(), || format!("{:?} come first", self.asks))?;
        self.draining.insert(group);
        let ask = self.queues.get_mut(&group).and_then(VecDeque::pop_front);
        Ok((Parent::Queue(group), ask.map(|ask| ask.chain).unwrap_or_default()))
    }

    /// Whether all members of a group have finished.
    fn is_over(&self, group: Option<Cluster>) -> bool {
        let settled =
            |step: usize| self.of_steps[step].is_some_and(|turn: TurnIndex| self.turns[turn].settled);
        let inside = |inner: &Cluster| Some(*inner) != group && self.scene.is_in(Some(*inner), group);
        let inner = (0..self.groups.len()).filter(inside).all(|inner| self.groups[inner].released);
        inner && self.scene.steps_in(group).all(settled)
    }

    fn settle_if_done(&mut self, index: TurnIndex) {
        let turn = &mut self.turns[index];
        if !turn.finished || turn.pending > 0 || turn.settled {
            return;
        }
        turn.settled = true;
        let (parent, roots) = (turn.parent, turn.roots.clone());
        match parent {
            Parent::Nobody => {}
            Parent::Teller(teller) => {
                self.turns[teller].pending -= 1;
                self.settle_if_done(teller);
            }
            Parent::Changer(changer) => {
                self.turns[changer].before_open -= 1;
                self.turns[changer].roots.extend(roots);
            }
            Parent::Group(cluster) => self.groups[cluster].pending -= 1,
            Parent::Queue(group) => drop(self.draining.remove(&group)),
        }
        self.end_groups();
    }

    /// Ends finished groups, the innermost first, since they were started last.
    pub(crate) fn end_groups(&mut self) {
        for cluster in (0..self.groups.len()).rev() {
            let group = &self.groups[cluster];
            let changed = group.changed;
            if group.ended {
                self.groups[cluster].released |= group.pending == 0;
                continue;
            }
            let empty = self.queues.get(&Some(cluster)).is_none_or(VecDeque::is_empty);
            if !empty || self.draining.contains(&Some(cluster)) || !self.is_over(Some(cluster)) {
                continue;
            }
            self.groups[cluster].ended = true;
            if let Some((by, _)) = changed {
                let notifies = self.scene.clusters[cluster].around.notifies.iter();
                let tells: Vec<_> = notifies.map(|tell| (*tell, tell.other)).collect();
                let sent = self.tell(&tells, by, Parent::Group(cluster), &BTreeSet::new());
                self.groups[cluster].pending = sent;
            }
            self.groups[cluster].released = self.groups[cluster].pending == 0;
        }
    }
}
