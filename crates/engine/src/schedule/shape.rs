//! The facts of a program that the schedule needs.

use rustc_hash::FxHashMap;

use super::batches::Batches;
use super::permits::Permits;
use super::postponed::Postponed;
use super::walk::Downstream;
use crate::graph::{Graph, NodeIndex};
use crate::program::Program;

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
        let first_on_request = NodeIndex::try_from(program.list.len()).expect("fewer than 2^32 nodes");
        Self {
            graph: &program.graph,
            first_on_request,
            permits: Permits::new(program),
            batches: Batches::of(program),
            postponed,
            passing: (0..first_on_request).filter_map(|node| Some((node, passes(node)?))).collect(),
        }
    }
}
