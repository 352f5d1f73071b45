//! How news of a change spreads: to those who are told, and to groups.

use std::collections::VecDeque;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::Moment;

use crate::dispatcher::Dispatcher;
use crate::errand::{Continuation, Errand, ErrandIndex, HoldIndex, Release, Then};
use crate::event::{Skip, Verdict};
use crate::graph::NodeIndex;
use crate::groups::GroupIndex;
use crate::notices::{Notice, is_delayed};
use crate::program::Program;
use crate::set::ResourceIndex;
use crate::turn::Turn;

/// What changed so far.
pub(crate) struct Spread {
    /// For each group, the last of its members that changed or may change, and whether it did.
    groups: Vec<Option<(NodeIndex, bool)>>,
    /// Whether a group has told that.
    told: Vec<bool>,
    /// Whether a group is over.
    ended: Vec<bool>,
    /// For each resource, if groups subscribe to any: the last of its actions that changed it, and whether it did.
    resources: Vec<Option<(NodeIndex, bool)>>,
    /// In a plan, what tells others and changes in a way that cannot be told.
    unpredicted: FxHashSet<NodeIndex>,
    /// The resources of these, and who brought that about.
    stale: FxHashMap<ResourceIndex, NodeIndex>,
}

impl Spread {
    pub(crate) fn new(program: &Program) -> Self {
        let groups = program.list.groups().len();
        let subscribed = program.notices.subscriptions().next().is_some();
        let resources = if subscribed { vec![None; program.set.numbers()] } else { Vec::new() };
        Self {
            groups: vec![None; groups],
            told: vec![false; groups],
            ended: vec![false; groups],
            resources,
            unpredicted: FxHashSet::default(),
            stale: FxHashMap::default(),
        }
    }

    /// Who has changed a resource in a way that cannot be told, in a plan.
    pub(crate) fn stale(&self, resource: ResourceIndex) -> Option<NodeIndex> {
        self.stale.get(&resource).copied()
    }

    /// Whether what a node changes cannot be told, in a plan.
    pub(crate) fn is_unpredicted(&self, node: NodeIndex) -> bool {
        self.unpredicted.contains(&node)
    }

    fn note(&mut self, program: &Program, node: NodeIndex, certain: bool) {
        let entry = program.list.get(node as usize);
        if let Some(changed) = self.resources.get_mut(entry.resource as usize) {
            *changed = newer(*changed, node, certain);
        }
        for group in program.list.groups().around(entry.group) {
            let changed = &mut self.groups[group.place()];
            *changed = newer(*changed, node, certain);
        }
    }

    /// Whether something changed that the groups around a written action subscribe to: none if they subscribe to
    /// nothing, an error with what may change if it only may.
    pub(crate) fn subscribed(&self, program: &Program, turn: Turn) -> Option<Result<(), Option<NodeIndex>>> {
        if self.resources.is_empty() || turn.errand.is_some() || turn.woken {
            return None;
        }
        let group = program.list.get(turn.node as usize).group;
        let mut answer = None;
        for group in program.list.groups().around(group) {
            let Some(heard) = program.notices.subscribed(group) else { continue };
            let changed = heard.iter().filter_map(|resource| self.resources[*resource as usize]);
            match changed.max_by_key(|(_, certain)| *certain) {
                Some((_, true)) => answer = answer.or(Some(Ok(()))),
                Some((node, false)) => answer = Some(Err(Some(node))),
                None => return Some(Err(None)),
            }
        }
        answer
    }
}

/// What certainly changed counts more than what only may.
fn newer(old: Option<(NodeIndex, bool)>, node: NodeIndex, certain: bool) -> Option<(NodeIndex, bool)> {
    match old {
        Some((_, true)) if !certain => old,
        _ => Some((node, certain)),
    }
}

/// What others are told of.
#[derive(Clone, Copy)]
struct News {
    by: NodeIndex,
    /// The errand on which it happened, if it was on one.
    after: Option<ErrandIndex>,
    certain: bool,
}

impl News {
    fn errand(self, notice: &Notice) -> Errand {
        let Self { by, after, certain } = self;
        Errand { handler: notice.handler, by, moment: notice.moment, after, certain }
    }
}

impl Dispatcher<'_> {
    /// A turn is over: tells others of a change, and lets those go on that stand on it once they have acted.
    pub(crate) fn spread_news(&mut self, turn: Turn, news: Option<bool>, failed: bool, release: Release) {
        let settle = |this: &mut Self| this.settle(turn, failed, release);
        let Some(certain) = news else { return settle(self) };
        self.spread.note(self.program, turn.node, certain);
        self.spread.unpredicted.extend(release.unpredicted);
        if release.unpredicted == Some(turn.node) {
            let by = turn.errand.map_or(turn.node, |errand| self.errands.get(errand).by);
            self.spread.stale.insert(self.entry(turn.node).resource, by);
        }
        let notices = self.program.notices.of_resource(self.entry(turn.node).resource);
        if notices.is_empty() {
            return settle(self);
        }
        let news = News { by: turn.node, after: turn.errand, certain };
        self.put_off(notices, self.entry(turn.node).group, news);
        // Whoever only may change has not told those who act before.
        let missed = |moment| moment == Moment::Before && !certain && !turn.told;
        let now = || notices.iter().filter(|told| told.moment == Moment::Immediately || missed(told.moment));
        if now().next().is_none() {
            return settle(self);
        }
        let hold = self.errands.hold(Then::Settle(turn, release));
        if !turn.woken {
            now().for_each(|told| self.walk.go_ahead(turn.node, told.handler, release));
        }
        if !self.send(now(), news, hold) {
            settle(self);
        }
    }

    /// Tells those who act before a change. If nobody is left to tell, the change is made.
    pub(crate) fn tell_before(&mut self, turn: Turn, secret: bool) {
        let notices = self.program.notices.of_resource(self.entry(turn.node).resource);
        let before = || notices.iter().filter(|notice| notice.moment == Moment::Before);
        let release = Release { secret, ..Release::default() };
        if !turn.woken {
            before().for_each(|told| self.walk.go_ahead(turn.node, told.handler, release));
        }
        let hold = self.errands.hold(Then::Change(turn));
        let news = News { by: turn.node, after: turn.errand, certain: true };
        if !self.send(before(), news, hold) {
            self.ready.push(Turn { told: true, again: true, ..turn });
        }
    }

    /// Sends errands, one after the other; false if there are none, because each would be its own consequence.
    fn send<'n>(&mut self, notices: impl Iterator<Item = &'n Notice>, news: News, hold: HoldIndex) -> bool {
        let mut errands = VecDeque::new();
        for notice in notices {
            if self.may_ask(notice.handler, news) {
                errands.push_back(news.errand(notice));
            }
        }
        let first = self.errands.queue(hold, errands);
        first.map(|errand| self.start(errand, hold)).is_some()
    }

    fn may_ask(&mut self, handler: NodeIndex, news: News) -> bool {
        self.request.selects(handler) && self.errands.may_ask(news.by, handler, news.after)
    }

    fn start(&mut self, errand: Errand, hold: HoldIndex) -> ErrandIndex {
        let node = errand.handler;
        let index = self.errands.begin(errand, Some(hold));
        let turn = Turn { errand: Some(index), ..Turn::of(node) };
        match self.walk.is_free(node) {
            true => self.ready.push(turn),
            false => self.asleep.entry(node).or_default().push(turn),
        }
        index
    }

    /// Puts off what is done at the end of the group that holds both who is told and `from`; if that is over, or has
    /// no end of its own, of the next one around it.
    fn put_off(&mut self, notices: &[Notice], from: Option<GroupIndex>, news: News) {
        let groups = self.program.list.groups();
        for notice in notices.iter().filter(|notice| is_delayed(notice.moment)) {
            if !self.may_ask(notice.handler, news) {
                continue;
            }
            if self.is_steady() {
                self.pend(news.errand(notice));
                continue;
            }
            let common = groups.common(from, self.entry(notice.handler).group);
            let has_end = |group: &GroupIndex| self.program.notices.has_end(*group);
            let open =
                groups.around(common).find(|group| has_end(group) && !self.spread.ended[group.place()]);
            self.errands.put_off(open, news.errand(notice));
        }
    }

    /// Puts off what a visit asked for itself.
    pub(crate) fn put_off_notice(&mut self, turn: Turn, notice: Notice) {
        let news = News { by: turn.node, after: turn.errand, certain: true };
        self.put_off(&[notice], self.entry(turn.node).group, news);
    }

    /// A turn and all that it brought about is over. A loop, since errands may bring about others without end.
    fn settle(&mut self, mut turn: Turn, mut failed: bool, mut release: Release) {
        while let Some(errand) = turn.errand {
            let cause = failed.then(|| release.root.unwrap_or(turn.node));
            match self.errands.end(errand, cause) {
                None => return,
                Some(Continuation::Errand(errand, hold)) => {
                    self.start(errand, hold);
                    return;
                }
                Some(Continuation::Then(Then::Settle(asked_by, passed), _)) => {
                    (turn, failed, release) = (asked_by, false, passed);
                }
                Some(Continuation::Then(Then::Change(turn), cause)) => return self.go_on_with(turn, cause),
                Some(Continuation::Then(Then::Drain(group), _)) => {
                    return group.into_iter().for_each(|group| self.end_group(group));
                }
            }
        }
        let changed = self.rest(turn);
        if changed && self.is_steady() {
            self.tell_of_groups(turn);
        }
        if !turn.woken {
            self.release(turn.node, release);
        }
    }

    /// While everything is watched a group has no end: it tells of each change of a member.
    fn tell_of_groups(&mut self, turn: Turn) {
        let groups = self.program.list.groups();
        for group in groups.around(self.entry(turn.node).group) {
            let news = News { by: turn.node, after: None, certain: true };
            for notice in self.program.notices.of_group(group) {
                self.pend(news.errand(notice));
            }
        }
    }

    /// Those who are told before a change have acted, or could not.
    fn go_on_with(&mut self, turn: Turn, failed: Option<NodeIndex>) {
        match failed {
            None => self.ready.push(Turn { told: true, again: true, ..turn }),
            Some(failed) => {
                let skip = Skip::FailedBefore(self.id(failed).clone());
                let release = Release { root: Some(failed), ..Release::default() };
                self.conclude(turn, Verdict::Skipped(skip), release, Duration::ZERO);
            }
        }
    }

    /// The members of a group are done.
    pub(crate) fn drain_at(&mut self, gate: NodeIndex) {
        if let Some(group) = self.program.graph.group_ending_at(gate) {
            self.end_group(group);
        }
    }

    fn end_group(&mut self, group: GroupIndex) {
        if self.drain(Some(group)) || self.tell_of(group) {
            return;
        }
        self.spread.ended[group.place()] = true;
        if let Some(gate) = self.program.graph.end_of(group) {
            self.release(gate, Release::default());
        }
    }

    /// Does the next thing that was put off to the end of a group; false if there is none.
    pub(crate) fn drain(&mut self, group: Option<GroupIndex>) -> bool {
        let Some(errand) = self.errands.next_of(group) else { return false };
        let hold = self.errands.hold(Then::Drain(group));
        let index = self.start(errand, hold);
        self.errands.is_due(index, group);
        true
    }

    /// Tells of the change of a group, once; false if nobody has to act before others go on.
    fn tell_of(&mut self, group: GroupIndex) -> bool {
        let notices = self.program.notices.of_group(group);
        let (Some((by, certain)), false) =
            (self.spread.groups[group.place()], self.spread.told[group.place()])
        else {
            return false;
        };
        self.spread.told[group.place()] = true;
        // It is over for what it tells itself.
        self.spread.ended[group.place()] = true;
        let news = News { by, after: None, certain };
        self.put_off(notices, self.program.list.groups().get(group).parent, news);
        let now = notices.iter().filter(|notice| notice.moment == Moment::Immediately);
        let hold = self.errands.hold(Then::Drain(Some(group)));
        self.send(now, news, hold)
    }
}
