//! Permits that a visit must hold: they limit how many visits run at a time.

mod setup;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;
use uphold_model::Name;

use super::tickets::Tickets;
use super::visit::Visit;
use crate::graph::NodeIndex;
use crate::notifications::TicketId;
use crate::program::set::ResourceIndex;

type PermitIndex = usize;
type MemberIndex = usize;

/// Named locks, groups with a limit, and resources that can be notified while they are visited. A resource is visited by one
/// visit at a time.
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
    of_resources: FxHashMap<ResourceIndex, PermitIndex>,
    named: FxHashMap<Name, PermitIndex>,
    /// Visits that hold their permits, by node.
    holding: FxHashMap<NodeIndex, Visit>,
    /// Locks that a visit uses without holding them, because a suspended visit that waits for it does.
    borrowed: FxHashMap<Visit, Vec<PermitIndex>>,
}

/// Whether a visit has its permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taken {
    Yes,
    /// One is missing: the visit is parked until then.
    Parked,
    /// It would wait for ever: its resource is in use by this visit, which waits for it.
    Cycle(Visit),
}

struct Permit {
    free: usize,
    /// How many visits hold it beyond its limit, let through by [`Permits::force`].
    lent: usize,
    /// The least first. A visit that is not parked any more is dropped when it comes up.
    parked: BinaryHeap<Reverse<Visit>>,
    /// For a resource, the visit that holds it.
    holder: Option<Visit>,
    kind: PermitKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PermitKind {
    Resource,
    /// A named lock. So many visits that hold it execute; others are suspended, or let through by [`Permits::force`].
    Lock {
        executing: usize,
        most: usize,
    },
    Group,
}

impl Permit {
    fn is_resource(&self) -> bool {
        self.kind == PermitKind::Resource
    }

    /// Whether one more visit that holds it may execute.
    fn may_execute(&self) -> bool {
        match self.kind {
            PermitKind::Lock { executing, most } => executing < most,
            PermitKind::Resource | PermitKind::Group => true,
        }
    }
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
    /// Takes all permits that a visit needs, or none. `chain`: the tickets of suspended visits that wait for it, the
    /// innermost first; a lock that one of these visits holds is borrowed. Also returns visits to be tried now: those whose
    /// member of a group has begun; or, if the visit is parked, those that it was unparked in place of.
    pub(crate) fn take(
        &mut self,
        visit: Visit,
        chain: &[TicketId],
        tickets: &mut Tickets,
    ) -> (Taken, Vec<Visit>) {
        let senders = tickets.senders(chain);
        let (borrowed, needed) = self.borrow(self.needed(visit), &senders);
        let missing = needed.iter().find(|permit| self.permits[**permit].free == 0);
        let all = || needed.iter().chain(&borrowed);
        let missing = missing.or_else(|| all().find(|permit| !self.permits[**permit].may_execute()));
        let Some(&missing) = missing else {
            self.hold(visit, needed, borrowed);
            return (Taken::Yes, self.begin_members(visit.node));
        };
        let holder = self.permits[missing].holder;
        let holder_of = |parked| self.permits[*self.parked.get(&parked)?].holder;
        let cycle = holder.and_then(|holder| tickets.cycle(&senders, holder, holder_of));
        if cycle.is_none() {
            self.park(visit, missing);
            tickets.park(chain, visit);
        }
        let others = needed.iter().filter(|permit| **permit != missing);
        let others = others.filter_map(|permit| self.unpark(*permit)).collect();
        (cycle.map_or(Taken::Parked, Taken::Cycle), others)
    }

    fn hold(&mut self, visit: Visit, needed: Vec<PermitIndex>, borrowed: Vec<PermitIndex>) {
        for permit in needed {
            let permit = &mut self.permits[permit];
            permit.free -= 1;
            permit.holder = permit.is_resource().then_some(visit.restarted());
        }
        self.count(visit.node, true);
        if !borrowed.is_empty() {
            self.borrowed.insert(visit.restarted(), borrowed);
        }
        self.holding.insert(visit.node, visit.restarted());
    }

    /// Divides permits into locks that suspended visits lend, and others.
    fn borrow(&self, all: Vec<PermitIndex>, lenders: &[Visit]) -> (Vec<PermitIndex>, Vec<PermitIndex>) {
        let is_lent = |permit: &PermitIndex| {
            let held = |lender: &Visit| self.of_nodes.get(&lender.node).is_some_and(|of| of.contains(permit));
            !self.permits[*permit].is_resource() && lenders.iter().any(held)
        };
        if lenders.is_empty() { (Vec::new(), all) } else { all.into_iter().partition(is_lent) }
    }

    /// Counts a visit among those that execute, or not any more.
    fn count(&mut self, node: NodeIndex, begins: bool) {
        for permit in self.of_nodes.get(&node).into_iter().flatten() {
            if let PermitKind::Lock { executing, .. } = &mut self.permits[*permit].kind {
                if begins { *executing += 1 } else { *executing -= 1 }
            }
        }
    }

    /// A visit is suspended: visits that can go on now.
    pub(crate) fn suspend(&mut self, visit: Visit, tickets: &Tickets) -> Vec<Visit> {
        self.count(visit.node, false);
        let held = self.of_nodes.get(&visit.node).cloned().unwrap_or_default();
        held.into_iter().flat_map(|permit| self.unpark_awaited(permit, tickets)).collect()
    }

    /// Whether a suspended visit can go on: its locks may be in use by visits that were let through meanwhile.
    pub(crate) fn can_resume(&self, visit: Visit) -> bool {
        let held = self.of_nodes.get(&visit.node).into_iter().flatten();
        held.copied().all(|permit| self.permits[permit].may_execute())
    }

    /// A suspended visit goes on.
    pub(crate) fn resume(&mut self, visit: Visit) {
        self.count(visit.node, true);
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
    pub(crate) fn give_back(&mut self, visit: Visit, tickets: &Tickets) -> Vec<Visit> {
        let held = if visit.is_woken() {
            self.needed(visit)
        } else {
            self.of_nodes.get(&visit.node).cloned().unwrap_or_default()
        };
        self.count(visit.node, false);
        self.holding.remove(&visit.node);
        let borrowed = self.borrowed.remove(&visit.restarted()).unwrap_or_default();
        let mut woken = Vec::new();
        for permit in held {
            if !borrowed.contains(&permit) {
                woken.extend(self.release(permit));
            }
            woken.extend(self.unpark_awaited(permit, tickets));
        }
        woken
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

    /// Lets the first parked visit go on beyond a limit; one that a suspended visit waits for before others, and none that
    /// waits for a resource. For when every visit that has begun waits for a parked one: nothing executes then, so that no
    /// limit is exceeded.
    pub(crate) fn force(&mut self, tickets: &Tickets) -> Option<Visit> {
        let limits = (0..self.permits.len()).filter(|permit| !self.permits[*permit].is_resource());
        let first = limits.collect::<Vec<_>>().into_iter().filter_map(|permit| {
            let visit = self.first_of(permit)?;
            let is_user_request = tickets.parked().any(|parked| parked == visit);
            Some((!is_user_request, visit, permit))
        });
        let (.., permit) = first.min()?;
        self.permits[permit].lent += 1;
        self.permits[permit].free += 1;
        self.unpark(permit)
    }

    fn release(&mut self, permit: PermitIndex) -> Option<Visit> {
        let Permit { free, lent, holder, .. } = &mut self.permits[permit];
        *holder = None;
        if *lent == 0 {
            *free += 1;
        } else {
            *lent -= 1;
        }
        self.unpark(permit)
    }

    /// Visits that suspended ones wait for and that wait for this permit. They may use it without holding it.
    fn unpark_awaited(&mut self, permit: PermitIndex, tickets: &Tickets) -> Vec<Visit> {
        // Senders of one chain wait for the same visit.
        let is_unparked =
            |visit: &Visit| self.parked.get(visit) == Some(&permit) && self.parked.remove(visit).is_some();
        let mut visits: Vec<Visit> = tickets.parked().filter(is_unparked).collect();
        visits.sort_unstable();
        visits
    }

    /// The first visit that waits for a permit, if that is free.
    fn unpark(&mut self, permit: PermitIndex) -> Option<Visit> {
        let visit = self.first_of(permit).filter(|_| self.permits[permit].free > 0)?;
        self.permits[permit].parked.pop();
        self.parked.remove(&visit);
        Some(visit)
    }

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
