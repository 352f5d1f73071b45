//! What all nodes stand on.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use uphold_model::Claim;

use crate::graph::NodeIndex;

/// What each node stands on. Many stand on the same, so each claim is kept once.
#[derive(Default)]
pub(crate) struct Needs {
    of_nodes: Vec<(NodeIndex, u32)>,
    claims: Vec<Claim>,
    index: HashTable<u32>,
}

impl Needs {
    /// Adds what a node stands on.
    pub(crate) fn add(&mut self, node: NodeIndex, needs: Vec<Claim>) {
        for need in needs {
            let number = self.number(need);
            self.of_nodes.push((node, number));
        }
    }

    fn number(&mut self, need: Claim) -> u32 {
        let hash = |claim: &Claim| FxBuildHasher.hash_one(claim);
        let known = self.index.find(hash(&need), |number| self.claims[*number as usize] == need);
        if let Some(number) = known {
            return *number;
        }
        let number = u32::try_from(self.claims.len()).expect("fewer than 2^32 claims");
        self.index.insert_unique(hash(&need), number, |number| hash(&self.claims[*number as usize]));
        self.claims.push(need);
        number
    }

    /// Each node with each that it stands on, in the order in which they were added.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (NodeIndex, &Claim)> {
        self.of_nodes.iter().map(|(node, number)| (*node, &self.claims[*number as usize]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_many_stand_on_is_kept_once() {
        let (path, user) = (Claim::Path("/srv".into()), Claim::User("ann".into()));
        let mut needs = Needs::default();
        needs.add(0, vec![path.clone(), user.clone()]);
        needs.add(1, Vec::new());
        needs.add(2, vec![path.clone()]);
        assert_eq!(needs.iter().collect::<Vec<_>>(), [(0, &path), (0, &user), (2, &path)]);
        assert_eq!(needs.claims.len(), 2);
    }
}
