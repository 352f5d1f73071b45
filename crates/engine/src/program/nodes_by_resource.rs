//! The nodes of each resource.

use std::ops::Index;

use crate::graph::NodeIndex;
use crate::program::list::ActionEntry;
use crate::program::set::{ResourceIndex, ResourceSet};

/// The nodes of each resource, in written order: two flat lists instead of a list for each resource.
pub(crate) struct NodesByResource {
    /// The end of each resource's nodes.
    ends: Vec<u32>,
    nodes: Vec<NodeIndex>,
}

impl NodesByResource {
    /// The nodes of these entries.
    pub(crate) fn new(set: &ResourceSet, entries: &[ActionEntry]) -> Self {
        let mut ends = vec![0; set.len()];
        entries.iter().for_each(|entry| ends[entry.resource as usize] += 1);
        let mut start = 0;
        for end in &mut ends {
            start += std::mem::replace(end, start);
        }
        // Each end is the start of its resource, and moves on with each node of it.
        let mut nodes = vec![0; entries.len()];
        for (node, entry) in (0..).zip(entries) {
            let end = &mut ends[entry.resource as usize];
            nodes[*end as usize] = node;
            *end += 1;
        }
        Self { ends, nodes }
    }

    /// The nodes of each resource, in the order of the resources.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[NodeIndex]> {
        (0..).take(self.ends.len()).map(|resource| &self[resource])
    }
}

impl Index<ResourceIndex> for NodesByResource {
    type Output = [NodeIndex];

    fn index(&self, resource: ResourceIndex) -> &[NodeIndex] {
        let resource = resource as usize;
        let start = resource.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.nodes[start as usize..self.ends[resource] as usize]
    }
}
