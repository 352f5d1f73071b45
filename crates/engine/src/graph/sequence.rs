//! Groups of actions: what a sequence puts one after the other.

use uphold_model::{Order, Place};

use super::draft::Draft;
use super::edge::{NodeIndex, Reason};
use super::passes::Nodes;
use crate::program::groups::GroupIndex;

/// A member of a group, seen from outside. Whatever comes before it has to come before its
/// `first` nodes only; whatever comes after it, after its `last` ones.
#[derive(Default)]
struct Member {
    first: Vec<NodeIndex>,
    last: Vec<NodeIndex>,
}

/// A group that is being read.
struct Open {
    group: GroupIndex,
    order: Order,
    place: Option<Place>,
    /// What it comes to so far.
    whole: Member,
}

/// Adds the edges of all sequences.
///
/// # Flow
/// The list is read once, with the open groups on a stack. Each node is among the first nodes of
/// at most one member that has one before it, and among the last ones of at most one that has one
/// after it: so there are at most two edges a node, however deep the groups lie.
pub(super) fn sequence(nodes: &Nodes<'_>, draft: &mut Draft) {
    if nodes.list.groups().len() == 0 {
        return;
    }
    let mut open: Vec<Open> = Vec::new();
    for (node, entry) in (0..).zip(nodes.list.iter()) {
        enter(nodes, entry.group, &mut open, draft);
        if let Some(innermost) = open.last_mut() {
            innermost.add(Member { first: vec![node], last: vec![node] }, draft);
        }
    }
    enter(nodes, None, &mut open, draft);
}

/// Closes and opens groups until `group` is the innermost one.
fn enter(nodes: &Nodes<'_>, group: Option<GroupIndex>, open: &mut Vec<Open>, draft: &mut Draft) {
    let mut path = Vec::new();
    let mut at = group;
    // What is open already is found by its depth, which is its place on the stack.
    while let Some(index) = at {
        let around = nodes.list.groups().get(index);
        if open.get(around.depth()).is_some_and(|open| open.group == index) {
            break;
        }
        path.push(index);
        at = around.parent;
    }
    let stays = at.map_or(0, |index| nodes.list.groups().get(index).depth() + 1);
    while open.len() > stays {
        close(open, draft);
    }
    for index in path.into_iter().rev() {
        let group = nodes.list.groups().get(index);
        open.push(Open { group: index, order: group.order, place: group.place, whole: Member::default() });
    }
}

/// The innermost group is complete: it is one member of the group around it. What comes after it waits for its end,
/// if it has one.
fn close(open: &mut Vec<Open>, draft: &mut Draft) {
    let Some(mut done) = open.pop() else { return };
    if let Some(end) = draft.end_of(done.group) {
        draft.join(&done.whole.last, &[(end, done.place)], &Reason::Sequence);
        done.whole.last = vec![end];
    }
    if let Some(outer) = open.last_mut() {
        outer.add(done.whole, draft);
    }
}

impl Open {
    fn add(&mut self, member: Member, draft: &mut Draft) {
        match self.order {
            Order::Parallel => {
                merge(&mut self.whole.first, member.first);
                merge(&mut self.whole.last, member.last);
            }
            Order::Sequence if self.whole.first.is_empty() => self.whole = member,
            Order::Sequence => {
                let after: Vec<_> = member.first.iter().map(|&node| (node, self.place)).collect();
                draft.join(&self.whole.last, &after, &Reason::Sequence);
                self.whole.last = member.last;
            }
        }
    }
}

/// Adds the shorter list to the longer one, so that nested groups cost no more than flat ones.
fn merge(all: &mut Vec<NodeIndex>, mut more: Vec<NodeIndex>) {
    if more.len() > all.len() {
        std::mem::swap(all, &mut more);
    }
    all.append(&mut more);
}
