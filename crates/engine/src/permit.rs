//! Permits: what a visit must hold, so that only so many are under way at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use crate::graph::NodeIndex;
use crate::groups::GroupIndex;
use crate::program::Program;
use crate::set::ResourceIndex;
use crate::turn::Turn;

type PermitIndex = usize;
type MemberIndex = usize;

/// Locks, groups with a limit, and resources that several actions may be asked of at once.
#[derive(Default)]
pub(crate) struct Permits {
    permits: Vec<Permit>,
    /// What each node holds while it is visited.
    of_nodes: FxHashMap<NodeIndex, Vec<PermitIndex>>,
    /// Members of groups with a limit. A member holds its permit from its first visit to its last.
    members: Vec<Member>,
    of_members: FxHashMap<NodeIndex, Vec<MemberIndex>>,
    /// For which permit each turn waits that is parked.
    parked: FxHashMap<Turn, PermitIndex>,
}

struct Permit {
    free: usize,
    /// How many were let through although nothing was free.
    lent: usize,
    /// The least first. Those that wait no more are dropped when their turn comes.
    parked: BinaryHeap<Reverse<Turn>>,
}

struct Member {
    permit: PermitIndex,
    /// How many of its nodes are not done.
    left: usize,
    begun: bool,
    /// Those that were parked because it was not begun.
    waiting: Vec<Turn>,
}

impl Permits {
    pub(crate) fn new(program: &Program) -> Self {
        let mut permits = Self::default();
        permits.add_resources(program);
        permits.add_locks(program);
        permits.add_groups(program);
        permits
    }

    /// Never two visits of one resource at a time; only what is asked for can come at any time.
    fn add_resources(&mut self, program: &Program) {
        let list = &program.list;
        let mut of_resource: FxHashMap<ResourceIndex, PermitIndex> = FxHashMap::default();
        for entry in &list.all()[list.len()..] {
            of_resource.entry(entry.resource).or_insert_with(|| self.add(1));
        }
        if of_resource.is_empty() {
            return;
        }
        for (node, entry) in (0..).zip(list.all()) {
            if let Some(permit) = of_resource.get(&entry.resource) {
                self.of_nodes.entry(node).or_default().push(*permit);
            }
        }
    }

    fn add_locks(&mut self, program: &Program) {
        let mut named: FxHashMap<&str, PermitIndex> = FxHashMap::default();
        for (node, entry) in (0..).zip(program.list.all()) {
            let Some(handling) = program.set.entry(entry.resource).handling() else { continue };
            for lock in &handling.locks {
                let permit = *named.entry(&lock.name).or_insert_with(|| self.add(lock.most.get() as usize));
                let held = self.of_nodes.entry(node).or_default();
                if !held.contains(&permit) {
                    held.push(permit);
                }
            }
        }
    }

    fn add_groups(&mut self, program: &Program) {
        let groups = program.list.groups();
        let limited = groups.iter().filter_map(|(index, group)| Some((index, group.concurrency?)));
        let limited: FxHashMap<GroupIndex, PermitIndex> =
            limited.map(|(index, most)| (index, self.add(most.get()))).collect();
        if limited.is_empty() {
            return;
        }
        let mut members: FxHashMap<(GroupIndex, Result<GroupIndex, NodeIndex>), MemberIndex> =
            FxHashMap::default();
        for (node, entry) in (0..).zip(program.list.iter()) {
            let mut inner = Err(node);
            for group in groups.around(entry.group) {
                if let Some(&permit) = limited.get(&group) {
                    let member = *members.entry((group, inner)).or_insert_with(|| {
                        self.members.push(Member { permit, left: 0, begun: false, waiting: Vec::new() });
                        self.members.len() - 1
                    });
                    self.members[member].left += 1;
                    self.of_members.entry(node).or_default().push(member);
                }
                inner = Ok(group);
            }
        }
    }

    fn add(&mut self, free: usize) -> PermitIndex {
        self.permits.push(Permit { free, lent: 0, parked: BinaryHeap::new() });
        self.permits.len() - 1
    }

    /// Takes everything that a turn must hold: those who need not wait any more, since a member of a group is begun. If
    /// something is not free, the turn is parked there; it may have been woken in place of others, which are given back to
    /// be tried instead.
    pub(crate) fn take(&mut self, turn: Turn) -> Result<Vec<Turn>, Vec<Turn>> {
        let needed = self.needed(turn);
        if needed.is_empty() {
            return Ok(Vec::new());
        }
        match needed.iter().find(|permit| self.permits[**permit].free == 0) {
            None => {
                needed.iter().for_each(|permit| self.permits[*permit].free -= 1);
                Ok(self.begin_members(turn.node))
            }
            Some(&taken) => {
                self.park(turn, taken);
                let others = needed.iter().filter(|permit| **permit != taken);
                Err(others.filter_map(|permit| self.unpark(*permit)).collect())
            }
        }
    }

    /// The members that a node belongs to are begun: their other nodes need no permit of the group any more.
    fn begin_members(&mut self, node: NodeIndex) -> Vec<Turn> {
        let mut woken = Vec::new();
        for member in self.of_members.get(&node).into_iter().flatten() {
            let Member { permit, begun, waiting, .. } = &mut self.members[*member];
            *begun = true;
            let parked = &mut self.parked;
            // One that was parked twice is woken once.
            let still = |turn: &Turn| parked.get(turn) == Some(permit) && parked.remove(turn).is_some();
            woken.extend(waiting.drain(..).filter(still));
        }
        woken
    }

    fn park(&mut self, turn: Turn, permit: PermitIndex) {
        self.permits[permit].parked.push(Reverse(turn));
        self.parked.insert(turn, permit);
        for member in self.of_members.get(&turn.node).into_iter().flatten() {
            let member = &mut self.members[*member];
            if member.permit == permit && !member.begun {
                member.waiting.push(turn);
            }
        }
    }

    /// A member that is done holds the permit of its group again for as long as it is visited once more.
    fn needed(&self, turn: Turn) -> Vec<PermitIndex> {
        let own = self.of_nodes.get(&turn.node).into_iter().flatten().copied();
        let members =
            self.of_members.get(&turn.node).into_iter().flatten().map(|member| &self.members[*member]);
        own.chain(members.filter(|member| !member.begun || turn.woken).map(|member| member.permit)).collect()
    }

    /// A visit is over: those who can go on now.
    pub(crate) fn give_back(&mut self, turn: Turn) -> Vec<Turn> {
        let held = if turn.woken {
            self.needed(turn)
        } else {
            self.of_nodes.get(&turn.node).cloned().unwrap_or_default()
        };
        held.into_iter().filter_map(|permit| self.release(permit)).collect()
    }

    /// A node is done with for good: those who can go on now.
    pub(crate) fn finish(&mut self, node: NodeIndex) -> Vec<Turn> {
        let mut done = Vec::new();
        for member in self.of_members.get(&node).into_iter().flatten() {
            let member = &mut self.members[*member];
            member.left -= 1;
            done.extend((member.left == 0 && member.begun).then_some(member.permit));
        }
        done.into_iter().filter_map(|permit| self.release(permit)).collect()
    }

    /// Everything that is under way waits for what is parked: the first of these may go on all the same. Nothing is
    /// visited then, so that there are not more at a time than allowed.
    pub(crate) fn force(&mut self) -> Option<Turn> {
        let (_, permit) =
            (0..self.permits.len()).filter_map(|permit| Some((self.first_of(permit)?, permit))).min()?;
        self.permits[permit].lent += 1;
        self.permits[permit].free += 1;
        self.unpark(permit)
    }

    fn release(&mut self, permit: PermitIndex) -> Option<Turn> {
        let Permit { free, lent, .. } = &mut self.permits[permit];
        match lent {
            0 => *free += 1,
            _ => *lent -= 1,
        }
        self.unpark(permit)
    }

    /// The first that waits for a permit, if there is one to be had.
    fn unpark(&mut self, permit: PermitIndex) -> Option<Turn> {
        let turn = self.first_of(permit).filter(|_| self.permits[permit].free > 0)?;
        self.permits[permit].parked.pop();
        self.parked.remove(&turn);
        Some(turn)
    }

    /// The first that waits for a permit.
    fn first_of(&mut self, permit: PermitIndex) -> Option<Turn> {
        let heap = &mut self.permits[permit].parked;
        while let Some(&Reverse(turn)) = heap.peek() {
            if self.parked.get(&turn) == Some(&permit) {
                return Some(turn);
            }
            heap.pop();
        }
        None
    }
}
