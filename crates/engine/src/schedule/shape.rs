//! What the schedule has to know of a program.

use rustc_hash::FxHashMap;
use uphold_resource::Registry;

use super::batches::Batches;
use super::permits::Permits;
use super::postponed::Postponed;
use super::walk::Downstream;
use crate::graph::{Graph, NodeIndex};
use crate::program::Program;
use crate::program::list::ActionList;
use crate::program::set::ResourceSet;

/// The facts of a program that decide its order.
pub(crate) struct Shape<'p> {
    pub(crate) graph: &'p Graph,
    /// Nodes from this one on run only when they are notified.
    pub(crate) first_on_request: NodeIndex,
    pub(crate) permits: Permits,
    pub(crate) batches: Batches,
    pub(crate) postponed: Postponed,
    /// Written nodes that are not visited, and what they pass on.
    pub(crate) passing: FxHashMap<NodeIndex, Downstream>,
}

impl<'p> Shape<'p> {
    /// `passes`: what a written node passes on that is not visited; none if it is.
    pub(crate) fn of(
        program: &'p Program,
        postponed: Postponed,
        passes: impl Fn(NodeIndex) -> Option<Downstream>,
    ) -> Self {
        let list = &program.list;
        let first_on_request = NodeIndex::try_from(list.len()).expect("fewer than 2^32 nodes");
        Self {
            graph: &program.graph,
            first_on_request,
            permits: Permits::new(program),
            batches: batches(list, &program.set, &program.registry),
            postponed,
            passing: (0..first_on_request).filter_map(|node| Some((node, passes(node)?))).collect(),
        }
    }
}

/// Batches for the nodes of kinds that apply changes in them.
fn batches(list: &ActionList, set: &ResourceSet, registry: &Registry) -> Batches {
    let kinds = registry.iter().filter(|kind| kind.batches()).map(|kind| kind.schema().kind);
    let mut batches = Batches::new(kinds);
    if !batches.is_unused() {
        for (node, entry) in (0..).zip(list.all()) {
            batches.add(node, &set.id(entry.resource).kind);
        }
    }
    batches
}
