//! Nodes of actions that only nested resources notify: which ones is not known before the run.

use std::fmt;
use std::sync::{Mutex, OnceLock, PoisonError};

use rustc_hash::FxHashMap;
use uphold_model::Action;

use crate::graph::NodeIndex;
use crate::program::Node;
use crate::program::list::ActionEntry;
use crate::program::set::ResourceIndex;

/// Run nodes are numbered from here, after every action of the list and every gate.
const FIRST: NodeIndex = 1 << 31;

/// The nodes that were added while the program ran. They stay where they are, so that a visit can refer to one while others
/// are added.
#[derive(Default)]
pub(crate) struct RunNodes {
    /// Each holds twice as many as the one before.
    chunks: [OnceLock<Box<[OnceLock<RunNode>]>>; 31],
    known: Mutex<FxHashMap<(ResourceIndex, Action), NodeIndex>>,
}

/// An action without a place in the list.
pub(crate) struct RunNode {
    pub(crate) entry: ActionEntry,
    pub(crate) node: Node,
}

/// Whether a node was added while the program ran.
pub(crate) fn is_run_node(node: NodeIndex) -> bool {
    node >= FIRST
}

impl RunNodes {
    /// The node of an action, which is made if there is none.
    pub(crate) fn find_or_add(
        &self,
        resource: ResourceIndex,
        action: &Action,
        make: impl FnOnce() -> RunNode,
    ) -> NodeIndex {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let next = FIRST + NodeIndex::try_from(known.len()).expect("fewer than 2^31 run nodes");
        *known.entry((resource, action.clone())).or_insert_with(|| {
            self.slot(next).get_or_init(make);
            next
        })
    }

    pub(crate) fn get(&self, node: NodeIndex) -> &RunNode {
        self.slot(node).get().expect("a node that was added")
    }

    fn slot(&self, node: NodeIndex) -> &OnceLock<RunNode> {
        let number = (node - FIRST) as usize + 1;
        let chunk = number.ilog2() as usize;
        let slots =
            self.chunks[chunk].get_or_init(|| (0..1_usize << chunk).map(|_| OnceLock::new()).collect());
        &slots[number - (1 << chunk)]
    }
}

impl fmt::Debug for RunNodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunNodes").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use uphold_model::Few;

    use super::*;

    #[test]
    fn each_action_has_one_node_that_stays() {
        let nodes = RunNodes::default();
        let add = |resource: ResourceIndex| {
            let node = Node { instance: Mutex::new(None), read_by_others: Few::default() };
            let entry = ActionEntry::new(resource, Action::Converge);
            nodes.find_or_add(resource, &Action::Converge, || RunNode { entry, node })
        };
        let all: Vec<NodeIndex> = (0..100).map(add).collect();
        let first = nodes.get(all[0]);
        assert_eq!((0..100).map(add).collect::<Vec<_>>(), all);
        assert!(all.iter().all(|node| is_run_node(*node)));
        let resources: Vec<ResourceIndex> = all.iter().map(|node| nodes.get(*node).entry.resource).collect();
        assert_eq!(resources, (0..100).collect::<Vec<_>>());
        assert!(std::ptr::eq(first, nodes.get(all[0])));
    }
}
