//! Errands: actions that somebody asked for, who waits for them, and what is put off.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use uphold_model::Moment;

use crate::graph::NodeIndex;
use crate::groups::GroupIndex;
use crate::turn::Turn;

/// Number of an errand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ErrandIndex(u32);

/// Number of a hold.
pub(crate) type HoldIndex = usize;

/// An action that is done because somebody asked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Errand {
    /// What is done.
    pub(crate) handler: NodeIndex,
    /// Who asked.
    pub(crate) by: NodeIndex,
    pub(crate) moment: Moment,
    /// The errand on which it was asked, if it was on one.
    pub(crate) after: Option<ErrandIndex>,
    /// Whether who asked did change; in a plan it may be that it only may.
    pub(crate) certain: bool,
}

/// Something that goes on when errands are done.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Then {
    /// Who asked is done with; others may go on.
    Settle(Turn, Release),
    /// Who asked can be changed now.
    Change(Turn),
    /// The group does the next of what was put off to its end.
    Drain(Option<GroupIndex>),
}

/// What comes after an errand.
pub(crate) enum Continuation {
    /// The next one of the same list.
    Errand(Errand, HoldIndex),
    /// What waited for all of them; and the first cause of a failure among them.
    Then(Then, Option<NodeIndex>),
}

/// What is passed on to those that stand on a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Release {
    /// The root cause that keeps them from running.
    pub(crate) root: Option<NodeIndex>,
    /// Something before them that changes, in a plan.
    pub(crate) changes: Option<NodeIndex>,
    /// The same, if what it changes cannot be told.
    pub(crate) unpredicted: Option<NodeIndex>,
    /// Whether a secret is at the node's path.
    pub(crate) secret: bool,
    /// Whether the root cause is a file that could not be written: later edits of it would come out in another order.
    pub(crate) unwritten: bool,
}

/// What waits for errands.
struct Hold {
    left: usize,
    /// What is begun when those are done: errands of one list come one after the other.
    rest: VecDeque<Errand>,
    /// Why an errand failed: the root cause.
    failed: Option<NodeIndex>,
    then: Then,
}

/// An errand that was begun.
struct Entry {
    errand: Errand,
    hold: Option<HoldIndex>,
    is_done: bool,
}

/// All errands of a run.
#[derive(Default)]
pub(crate) struct Errands {
    all: Vec<Entry>,
    holds: Vec<Hold>,
    /// How many are not done.
    pub(crate) open: usize,
    /// How often, as consequences of a change of the first, the second asked the third.
    times: FxHashMap<(NodeIndex, NodeIndex, NodeIndex), u32>,
    /// What is put off to the end of each group, in the order in which it was first asked for.
    queues: FxHashMap<Option<GroupIndex>, Queue>,
}

/// What is put off: each action once, in the order in which it was first asked for.
#[derive(Default)]
struct Queue {
    order: VecDeque<NodeIndex>,
    errands: FxHashMap<NodeIndex, Errand>,
    /// The one whose turn it is, until it is taken up: who asks for the same meanwhile asks for no more.
    due: Option<ErrandIndex>,
}

impl Errands {
    /// Something that goes on when as many errands as are begun for it are done.
    pub(crate) fn hold(&mut self, then: Then) -> HoldIndex {
        self.holds.push(Hold { left: 0, rest: VecDeque::new(), failed: None, then });
        self.holds.len() - 1
    }

    /// Begins an errand.
    pub(crate) fn begin(&mut self, errand: Errand, hold: Option<HoldIndex>) -> ErrandIndex {
        self.open += 1;
        if let Some(hold) = hold {
            self.holds[hold].left += 1;
        }
        self.all.push(Entry { errand, hold, is_done: false });
        ErrandIndex(u32::try_from(self.all.len() - 1).expect("fewer than 2^32 errands"))
    }

    /// Errands of one list, of which the first can be begun.
    pub(crate) fn queue(&mut self, hold: HoldIndex, mut errands: VecDeque<Errand>) -> Option<Errand> {
        let first = errands.pop_front();
        self.holds[hold].rest = errands;
        first
    }

    /// An errand is done, or failed because of this: what goes on now.
    pub(crate) fn end(&mut self, index: ErrandIndex, failed: Option<NodeIndex>) -> Option<Continuation> {
        self.open -= 1;
        self.take_up(index);
        let entry = &mut self.all[index.0 as usize];
        entry.is_done = true;
        let number = entry.hold?;
        let hold = &mut self.holds[number];
        hold.left -= 1;
        hold.failed = hold.failed.or(failed);
        match hold.rest.pop_front() {
            Some(errand) => Some(Continuation::Errand(errand, number)),
            None => (hold.left == 0).then_some(Continuation::Then(hold.then, hold.failed)),
        }
    }

    pub(crate) fn get(&self, index: ErrandIndex) -> &Errand {
        &self.all[index.0 as usize].errand
    }

    /// Whether an action may be asked for on an errand: not as a consequence of itself, which would never end, and not
    /// by the same one over and over as consequences of one change. Without that, ten that tell each other would ask
    /// millions of times.
    pub(crate) fn may_ask(&mut self, by: NodeIndex, handler: NodeIndex, on: Option<ErrandIndex>) -> bool {
        const OFTEN: u32 = 16;
        let mut first = None;
        for errand in std::iter::successors(on, |errand| self.get(*errand).after) {
            if self.get(errand).handler == handler {
                return false;
            }
            first = Some(self.get(errand).by);
        }
        let Some(first) = first else { return true };
        let times = self.times.entry((first, by, handler)).or_default();
        *times += 1;
        *times <= OFTEN
    }

    /// Puts an errand off to the end of a group, unless the same is there already.
    pub(crate) fn put_off(&mut self, group: Option<GroupIndex>, errand: Errand) {
        let Queue { order, errands, due } = self.queues.entry(group).or_default();
        let due = due.map(|due| &mut self.all[due.0 as usize].errand);
        let first = match due.filter(|due| due.handler == errand.handler) {
            Some(due) => due,
            None => errands.entry(errand.handler).or_insert_with(|| {
                order.push_back(errand.handler);
                errand
            }),
        };
        merge(first, errand);
    }

    /// Somebody asks for the same as an errand that is not taken up.
    pub(crate) fn join(&mut self, index: ErrandIndex, errand: Errand) {
        merge(&mut self.all[index.0 as usize].errand, errand);
    }

    /// Everything that was asked for and is not done.
    pub(crate) fn undone(&self) -> impl Iterator<Item = Errand> {
        let begun = self.all.iter().filter(|entry| !entry.is_done).map(|entry| entry.errand);
        let waiting = self.holds.iter().flat_map(|hold| hold.rest.iter().copied());
        begun.chain(waiting).chain(self.queues.values().flat_map(|queue| queue.errands.values().copied()))
    }

    /// Nothing is under way: what was done is forgotten, so that a watch does not grow.
    pub(crate) fn forget(&mut self) {
        if self.open == 0 && !self.all.is_empty() {
            self.all.clear();
            self.holds.clear();
            self.times.clear();
        }
    }

    /// The next thing that was put off to the end of a group.
    pub(crate) fn next_of(&mut self, group: Option<GroupIndex>) -> Option<Errand> {
        let queue = self.queues.get_mut(&group)?;
        let handler = queue.order.pop_front()?;
        queue.errands.remove(&handler)
    }

    /// It is the turn of an errand that was put off to the end of a group.
    pub(crate) fn is_due(&mut self, index: ErrandIndex, group: Option<GroupIndex>) {
        self.queues.entry(group).or_default().due = Some(index);
    }

    /// An errand is taken up: who asks for it from now on asks for another one.
    pub(crate) fn take_up(&mut self, index: ErrandIndex) {
        let hold = self.all[index.0 as usize].hold;
        if let Some(Then::Drain(group)) = hold.map(|hold| self.holds[hold].then)
            && let Some(queue) = self.queues.get_mut(&group)
        {
            queue.due.take_if(|due| *due == index);
        }
    }
}

/// Two who ask for one thing: what is certain, and what does not depend on success, counts.
fn merge(first: &mut Errand, other: Errand) {
    first.certain |= other.certain;
    if other.moment == Moment::Delayed {
        first.moment = Moment::Delayed;
    }
}
