//! What a watch has to know of a program.

use std::time::Duration;

use rustc_hash::FxHashMap;
use uphold_model::{Handling, Limit};

use super::predecessors::Predecessors;
use super::wake_index::WakeIndex;
use crate::graph::{Graph, NodeIndex};
use crate::program::Program;

/// The facts of a program that decide which nodes are woken, and when.
pub(crate) struct WatchShape<'p> {
    pub(crate) graph: &'p Graph,
    pub(crate) index: WakeIndex,
    pub(crate) predecessors: Predecessors,
    /// Nodes with `poll`.
    pub(crate) polls: FxHashMap<NodeIndex, Duration>,
    /// Nodes with `limit`.
    pub(crate) limits: FxHashMap<NodeIndex, &'p Limit>,
}

impl<'p> WatchShape<'p> {
    pub(crate) fn of(program: &'p Program, index: WakeIndex) -> Self {
        let handling =
            |entry: &crate::program::list::ActionEntry| program.set.entry(entry.resource).handling();
        let nodes = || (0..).zip(program.list.all());
        let of = |node, handling: Option<&'p Handling>| handling.map(|handling| (node, handling));
        let handled = || nodes().filter_map(move |(node, entry)| of(node, handling(entry)));
        Self {
            graph: &program.graph,
            index,
            predecessors: Predecessors::of(&program.graph),
            polls: handled().filter_map(|(node, handling)| Some((node, handling.poll?))).collect(),
            limits: handled().filter_map(|(node, handling)| Some((node, handling.limit.as_ref()?))).collect(),
        }
    }
}
