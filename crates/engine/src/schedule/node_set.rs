//! A set of nodes that gives its least one: a bit for each node, and a bit for each word that is not zero, level by level.

use crate::graph::NodeIndex;

const BITS: usize = u64::BITS as usize;

/// Nodes below a fixed number. Each operation takes a step for each level: one for 64 nodes, two for 4,096, three for 262,144.
pub(super) struct NodeSet {
    /// The nodes first. Each word of a level is a bit of the next; the last level is one word.
    levels: Vec<Vec<u64>>,
    len: usize,
}

impl NodeSet {
    /// An empty set for nodes below `nodes`.
    pub(super) fn below(nodes: NodeIndex) -> Self {
        let mut words = nodes as usize;
        let mut levels = Vec::new();
        while levels.is_empty() || words > 1 {
            words = words.div_ceil(BITS);
            levels.push(vec![0; words]);
        }
        Self { levels, len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a node; false if it is in the set, or can never be.
    pub(super) fn insert(&mut self, node: NodeIndex) -> bool {
        let mut at = node as usize;
        if self.levels[0].get(at / BITS).is_none_or(|word| word & bit(at) != 0) {
            return false;
        }
        for level in &mut self.levels {
            let word = &mut level[at / BITS];
            let was_empty = *word == 0;
            *word |= bit(at);
            if !was_empty {
                break;
            }
            at /= BITS;
        }
        self.len += 1;
        true
    }

    /// The least node.
    pub(super) fn first(&self) -> Option<NodeIndex> {
        let mut at = 0;
        for level in self.levels.iter().rev() {
            let word = *level.get(at).filter(|word| **word != 0)?;
            at = at * BITS + word.trailing_zeros() as usize;
        }
        NodeIndex::try_from(at).ok()
    }

    /// Removes the least node.
    pub(super) fn pop_first(&mut self) -> Option<NodeIndex> {
        let first = self.first()?;
        let mut at = first as usize;
        for level in &mut self.levels {
            let word = &mut level[at / BITS];
            *word &= !bit(at);
            if *word != 0 {
                break;
            }
            at /= BITS;
        }
        self.len -= 1;
        Some(first)
    }
}

fn bit(at: usize) -> u64 {
    1 << (at % BITS)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::queues::Seed;
    use super::*;

    #[test]
    fn gives_the_least_node_as_a_sorted_set_does() {
        for nodes in [0, 1, 63, 64, 65, 4096, 4097, 300_000] {
            let (mut set, mut reference) = (NodeSet::below(nodes), BTreeSet::new());
            let mut random = Seed::new(u64::from(nodes));
            for _ in 0..2000 {
                let node = random.next() as NodeIndex % (nodes + 1);
                if random.next().is_multiple_of(3) {
                    assert_eq!(set.pop_first(), reference.pop_first());
                } else if (node as usize) < (nodes as usize).next_multiple_of(BITS) {
                    assert_eq!(set.insert(node), reference.insert(node), "{node} of {nodes}");
                } else {
                    assert!(!set.insert(node), "{node} of {nodes}");
                }
                assert_eq!((set.first(), set.len()), (reference.first().copied(), reference.len()));
            }
        }
    }
}
