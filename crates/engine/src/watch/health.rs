//! The health of watched nodes, and how their visits end.

use std::time::{Duration, SystemTime};

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_resource::Interest;

use super::effect::WatchEffect;
use super::shape::{Predecessors, WatchShape};
use crate::event::{Skip, Verdict};
use crate::graph::{Graph, NodeIndex};
use crate::schedule::Visit;

/// The health of a watched node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// Not visited yet.
    Unseen,
    /// As declared, as far as is known; or not managed.
    Idle,
    /// Woken; its visit is due.
    Queued,
    /// Being visited, or waiting for its immediate notifications.
    Busy,
    Failed,
    /// One of its dependencies has failed.
    Blocked,
}

impl Health {
    pub(crate) fn is_trouble(self) -> bool {
        matches!(self, Health::Failed | Health::Blocked)
    }
}

/// The health of all nodes.
pub(crate) struct HealthMap {
    pub(super) all: Vec<Health>,
    /// How many nodes are failed or blocked.
    troubled: usize,
}

impl HealthMap {
    /// `kept`: nodes that go on as in the previous program; the others were not visited yet.
    pub(crate) fn new(kept: &[bool]) -> Self {
        let all = kept.iter().map(|kept| if *kept { Health::Idle } else { Health::Unseen }).collect();
        Self { all, troubled: 0 }
    }

    pub(crate) fn of(&self, node: NodeIndex) -> Health {
        self.all[node as usize]
    }

    pub(crate) fn set(&mut self, node: NodeIndex, health: Health) {
        let before = std::mem::replace(&mut self.all[node as usize], health);
        self.troubled += usize::from(health.is_trouble());
        self.troubled -= usize::from(before.is_trouble());
    }

    pub(crate) fn has_trouble(&self) -> bool {
        self.troubled > 0
    }

    /// The first node that is failed or blocked.
    pub(crate) fn first_trouble(&self) -> Option<NodeIndex> {
        if !self.has_trouble() {
            return None;
        }
        (0..).zip(&self.all).find(|(_, health)| health.is_trouble()).map(|(node, _)| node)
    }

    /// A failed or blocked node that this one directly depends on.
    pub(crate) fn failed_dependency(
        &self,
        predecessors: &Predecessors,
        node: NodeIndex,
    ) -> Option<NodeIndex> {
        if !self.has_trouble() {
            return None;
        }
        predecessors.direct(node, |before| self.of(before).is_trouble())
    }

    /// The root cause that keeps a node from being visited.
    pub(crate) fn root_cause(&self, predecessors: &Predecessors, node: NodeIndex) -> Option<NodeIndex> {
        let mut root = self.failed_dependency(predecessors, node)?;
        while self.of(root) == Health::Blocked
            && let Some(before) = self.failed_dependency(predecessors, root)
        {
            root = before;
        }
        Some(root)
    }

    /// A group was verified: its verification has dependents, like a watched node. Returns those that can be visited now.
    pub(crate) fn verified(&mut self, graph: &Graph, verifier: NodeIndex, is_failed: bool) -> Vec<NodeIndex> {
        self.set(verifier, if is_failed { Health::Failed } else { Health::Idle });
        if is_failed { Vec::new() } else { self.blocked_dependents(graph, verifier) }
    }

    pub(crate) fn blocked_dependents(&self, graph: &Graph, node: NodeIndex) -> Vec<NodeIndex> {
        let mut blocked = Vec::new();
        if !self.has_trouble() {
            return blocked;
        }
        let mut gates = FxHashSet::default();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            for edge in graph.after(node) {
                if graph.is_gate(edge.after) {
                    open.extend(gates.insert(edge.after).then_some(edge.after));
                } else if self.of(edge.after) == Health::Blocked {
                    blocked.push(edge.after);
                }
            }
        }
        blocked
    }
}

/// A verdict, as far as it matters to a watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As declared, or not managed.
    Well,
    Changed,
    Failed,
    /// Failed, and `ignore_failure` is set.
    Ignored,
    /// Skipped, because a dependency failed.
    Blocked,
    /// Skipped, because the run was stopped.
    Stopped,
    Skipped,
    /// Paused for this long.
    Paused(Duration),
    /// The maintenance window is closed for this long.
    OutsideWindow(Duration),
}

impl Ending {
    /// `now`: the time of day.
    pub(crate) fn of(verdict: &Verdict, now: impl FnOnce() -> SystemTime) -> Self {
        match verdict {
            Verdict::Changed(_) => Ending::Changed,
            Verdict::Paused(_, pause) => {
                let left = pause.until.duration_since(now()).unwrap_or_default();
                if pause.is_window() { Ending::OutsideWindow(left) } else { Ending::Paused(left) }
            }
            Verdict::Failed(_) => Ending::Failed,
            Verdict::Ignored(_) => Ending::Ignored,
            Verdict::Skipped(Skip::FailedBefore(_)) => Ending::Blocked,
            Verdict::Skipped(Skip::Stopped) => Ending::Stopped,
            Verdict::Skipped(_) => Ending::Skipped,
            _ => Ending::Well,
        }
    }

    /// How long the node is paused, if it is.
    pub(crate) fn pause(self) -> Option<Duration> {
        if let Ending::Paused(left) = self { Some(left) } else { None }
    }

    /// How long the node waits for the maintenance window, if it does.
    pub(crate) fn window(self) -> Option<Duration> {
        if let Ending::OutsideWindow(left) = self { Some(left) } else { None }
    }

    pub(crate) fn is_failure(self) -> bool {
        matches!(self, Ending::Failed | Ending::Ignored)
    }
}

/// How a visit ended whose immediate notifications are under way.
#[derive(Clone, Copy)]
pub(crate) struct Ended {
    pub(crate) health: Health,
    pub(crate) changed: bool,
}

/// The facts about a node that settles.
pub(crate) struct Settled {
    /// Whether the values that others read have changed.
    pub(crate) values_changed: bool,
    /// The first report during the visit.
    pub(crate) reported: Option<Interest>,
}

/// The health of all nodes of a program when its watch ends.
pub(crate) struct LastHealth {
    pub(crate) health: Vec<Health>,
    pub(crate) blind: FxHashSet<NodeIndex>,
    /// Woken nodes whose visit waits, because there were too many.
    pub(crate) limited: FxHashSet<NodeIndex>,
    /// Failed nodes that back off.
    pub(crate) retried: FxHashSet<NodeIndex>,
    /// Paused nodes that differ.
    pub(crate) paused: FxHashSet<NodeIndex>,
    /// How many notification runs have failed, and will be repeated.
    pub(crate) failed_notifications: usize,
}

/// Woken nodes that have not settled: they are queued or busy. And the visits that wait for them.
#[derive(Default)]
pub(crate) struct Unsettled {
    nodes: FxHashSet<NodeIndex>,
    /// Visits that wait for a node, which is unsettled or has failed.
    parked: FxHashMap<NodeIndex, Vec<Visit>>,
}

impl Unsettled {
    pub(crate) fn insert(&mut self, node: NodeIndex) {
        self.nodes.insert(node);
    }

    /// A node has settled, or will not be visited: visits that waited for it go on.
    pub(crate) fn remove(&mut self, node: NodeIndex) -> impl Iterator<Item = WatchEffect> + use<> {
        self.nodes.remove(&node);
        self.parked.remove(&node).unwrap_or_default().into_iter().map(WatchEffect::Due)
    }

    /// Lets a visit wait for a node.
    pub(crate) fn park(&mut self, awaited: NodeIndex, visit: Visit) {
        self.parked.entry(awaited).or_default().push(visit);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An unsettled dependency, or an unsettled notifier of a notified visit.
    pub(crate) fn before(&self, visit: Visit, shape: &WatchShape<'_>) -> Option<NodeIndex> {
        let others = self.nodes.len() - usize::from(self.nodes.contains(&visit.node));
        if others == 0 {
            return None;
        }
        if visit.is_notified() {
            let notifies = |node: &NodeIndex| shape.index.notifies(*node, visit.node);
            if let Some(notifier) = self.nodes.iter().copied().find(notifies) {
                return Some(notifier);
            }
        }
        shape.predecessors.nearest(visit.node, |before| self.nodes.contains(&before))
    }
}
