//! Groups whose changes are verified, and may be put back.

use uphold_model::{Action, ResourceId};

use crate::graph::NodeIndex;
use crate::program::Program;

impl Program {
    /// Whether a group around a node is verified.
    pub(crate) fn is_verified(&self, node: NodeIndex) -> bool {
        self.notifications.verified(&self.list, self.entry(node).group).is_some()
    }

    /// The action that verifies the outermost group around a resource that is verified: its changes may be put back until
    /// then.
    pub fn verifier(&self, resource: &ResourceId) -> Option<&ResourceId> {
        let node = *self.nodes_of(self.set.find(resource)?).last()?;
        let around = self.list.groups.around(self.entry(node).group);
        let verifier = around.filter_map(|group| self.notifications.verifier(group)).last();
        verifier.map(|verifier| self.id(verifier)).filter(|verifier| *verifier != resource)
    }

    /// The action that verifies the innermost group around a resource that is verified.
    pub fn innermost_verifier(&self, resource: &ResourceId) -> Option<(&ResourceId, &Action)> {
        let node = *self.nodes_of(self.set.find(resource)?).last()?;
        let group = self.notifications.verified(&self.list, self.entry(node).group)?;
        self.notifications.verifier(group).map(|verifier| self.verifying_action(verifier))
    }

    /// The actions that verify groups.
    pub fn verifiers(&self) -> impl Iterator<Item = (&ResourceId, &Action)> {
        self.notifications.verifiers().map(|verifier| self.verifying_action(verifier))
    }

    fn verifying_action(&self, verifier: NodeIndex) -> (&ResourceId, &Action) {
        (self.id(verifier), self.entry(verifier).action())
    }
}
