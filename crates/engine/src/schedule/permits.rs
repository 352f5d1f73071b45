//! Permits: what a visit must hold, so that only so many run at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::visit::Visit;
use crate::graph::NodeIndex;
use crate::program::Program;
use crate::program::groups::GroupIndex;
use crate::program::set::ResourceIndex;

type PermitIndex = usize;
type MemberIndex = usize;

/// Named locks, groups with a limit, and resources that can be notified while they are visited.
#[derive(Default)]
pub(crate) struct Permits {
    permits: Vec<Permit>,
    /// The permits that each node holds while it is visited.
    of_nodes: FxHashMap<NodeIndex, Vec<PermitIndex>>,
    /// Members of groups with a limit. A member holds its permit from its first visit to its last.
    members: Vec<Member>,
    of_members: FxHashMap<NodeIndex, Vec<MemberIndex>>,
    /// The permit that each parked visit waits for.
    parked: FxHashMap<Visit, PermitIndex>,
}

struct Permit {
    free: usize,
    /// How many visits hold it beyond its limit, let through by [`Permits::force`].
    lent: usize,
    /// The least first. A visit that is not parked any more is dropped when it comes up.
    parked: BinaryHeap<Reverse<Visit>>,
}

struct Member {
    permit: PermitIndex,
    /// Its nodes that are not done.
    left: usize,
    begun: bool,
    /// Visits that were parked because it had not begun.
    waiting: Vec<Visit>,
}

impl Permits {
    pub(crate) fn new(program: &Program) -> Self {
        let mut permits = Self::default();
        permits.add_resources(program);
        permits.add_locks(program);
        permits.add_groups(program);
        permits
    }

    /// One visit of a resource at a time. Written actions of one resource are ordered by edges; a notified one can come
    /// at any time.
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

    /// A lock that these nodes share.
    #[cfg(test)]
    pub(super) fn add_lock(&mut self, nodes: impl Iterator<Item = NodeIndex>, most: usize) {
        let permit = self.add(most);
        nodes.for_each(|node| self.of_nodes.entry(node).or_default().push(permit));
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

    /// Takes all permits that a visit needs, or none. Taken: visits that can go on because their member of a group has
    /// begun. Not taken: the visit is parked; it may have been unparked in place of others, which are returned to be
    /// tried instead.
    pub(crate) fn take(&mut self, visit: Visit) -> Result<Vec<Visit>, Vec<Visit>> {
        let needed = self.needed(visit);
        if needed.is_empty() {
            return Ok(Vec::new());
        }
        match needed.iter().find(|permit| self.permits[**permit].free == 0) {
            None => {
                needed.iter().for_each(|permit| self.permits[*permit].free -= 1);
                Ok(self.begin_members(visit.node))
            }
            Some(&taken) => {
                self.park(visit, taken);
                let others = needed.iter().filter(|permit| **permit != taken);
                Err(others.filter_map(|permit| self.unpark(*permit)).collect())
            }
        }
    }

    /// Begins the members that a node belongs to: their other nodes need no permit of the group any more.
    fn begin_members(&mut self, node: NodeIndex) -> Vec<Visit> {
        let mut woken = Vec::new();
        for member in self.of_members.get(&node).into_iter().flatten() {
            let Member { permit, begun, waiting, .. } = &mut self.members[*member];
            *begun = true;
            let parked = &mut self.parked;
            // A visit that was parked twice goes on once.
            let still = |visit: &Visit| parked.get(visit) == Some(permit) && parked.remove(visit).is_some();
            woken.extend(waiting.drain(..).filter(still));
        }
        woken
    }

    fn park(&mut self, visit: Visit, permit: PermitIndex) {
        self.permits[permit].parked.push(Reverse(visit));
        self.parked.insert(visit, permit);
        for member in self.of_members.get(&visit.node).into_iter().flatten() {
            let member = &mut self.members[*member];
            if member.permit == permit && !member.begun {
                member.waiting.push(visit);
            }
        }
    }

    /// A woken visit of a member that is done takes the permit of its group again.
    fn needed(&self, visit: Visit) -> Vec<PermitIndex> {
        let own = self.of_nodes.get(&visit.node).into_iter().flatten().copied();
        let members =
            self.of_members.get(&visit.node).into_iter().flatten().map(|member| &self.members[*member]);
        own.chain(members.filter(|member| !member.begun || visit.is_woken()).map(|member| member.permit))
            .collect()
    }

    /// A visit has ended: visits that can go on now.
    pub(crate) fn give_back(&mut self, visit: Visit) -> Vec<Visit> {
        let held = if visit.is_woken() {
            self.needed(visit)
        } else {
            self.of_nodes.get(&visit.node).cloned().unwrap_or_default()
        };
        held.into_iter().filter_map(|permit| self.release(permit)).collect()
    }

    /// A written node is done: visits that can go on now.
    pub(crate) fn finish(&mut self, node: NodeIndex) -> Vec<Visit> {
        let mut done = Vec::new();
        for member in self.of_members.get(&node).into_iter().flatten() {
            let member = &mut self.members[*member];
            member.left -= 1;
            done.extend((member.left == 0 && member.begun).then_some(member.permit));
        }
        done.into_iter().filter_map(|permit| self.release(permit)).collect()
    }

    /// Lets the first parked visit go on beyond a limit. For when every visit that has begun waits for a parked one:
    /// nothing executes then, so that no limit is exceeded.
    pub(crate) fn force(&mut self) -> Option<Visit> {
        let (_, permit) =
            (0..self.permits.len()).filter_map(|permit| Some((self.first_of(permit)?, permit))).min()?;
        self.permits[permit].lent += 1;
        self.permits[permit].free += 1;
        self.unpark(permit)
    }

    fn release(&mut self, permit: PermitIndex) -> Option<Visit> {
        let Permit { free, lent, .. } = &mut self.permits[permit];
        if *lent == 0 {
            *free += 1;
        } else {
            *lent -= 1;
        }
        self.unpark(permit)
    }

    /// The first visit that waits for a permit, if that is free.
    fn unpark(&mut self, permit: PermitIndex) -> Option<Visit> {
        let visit = self.first_of(permit).filter(|_| self.permits[permit].free > 0)?;
        self.permits[permit].parked.pop();
        self.parked.remove(&visit);
        Some(visit)
    }

    /// The first visit that waits for a permit.
    fn first_of(&mut self, permit: PermitIndex) -> Option<Visit> {
        let heap = &mut self.permits[permit].parked;
        while let Some(&Reverse(visit)) = heap.peek() {
            if self.parked.get(&visit) == Some(&permit) {
                return Some(visit);
            }
            heap.pop();
        }
        None
    }
}
