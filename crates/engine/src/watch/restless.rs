//! Woken nodes that have not settled, and visits that wait for them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::effect::WatchEffect;
use super::shape::WatchShape;
use crate::graph::NodeIndex;
use crate::schedule::Visit;

/// The restless nodes of a watch: queued or busy after they were woken.
#[derive(Default)]
pub(crate) struct Restless {
    nodes: FxHashSet<NodeIndex>,
    /// Visits that wait for a node. It is restless, or has failed.
    parked: FxHashMap<NodeIndex, Vec<Visit>>,
}

impl Restless {
    pub(crate) fn insert(&mut self, node: NodeIndex) {
        self.nodes.insert(node);
    }

    /// A node has settled, or will not be visited: visits that waited for it go on.
    pub(crate) fn remove(&mut self, node: NodeIndex, out: &mut Vec<WatchEffect>) {
        self.nodes.remove(&node);
        let parked = self.parked.remove(&node).unwrap_or_default();
        out.extend(parked.into_iter().map(WatchEffect::Due));
    }

    /// Lets a visit wait for a node.
    pub(crate) fn park(&mut self, awaited: NodeIndex, visit: Visit) {
        self.parked.entry(awaited).or_default().push(visit);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// A restless dependency, or a restless notifier of a notified visit.
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
