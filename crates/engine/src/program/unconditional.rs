//! Actions that no condition can prevent.

use uphold_model::{Action, ResourceId};

use super::Program;
use crate::graph::NodeIndex;

impl Program {
    /// Whether a run that ends without failures has converged the resource: its action is written, and depends on no
    /// condition, guard, subscription or audit.
    pub fn converges_in_any_case(&self, id: &ResourceId) -> bool {
        let Some(resource) = self.set.find(id) else { return false };
        let ignores_failure =
            self.set.entry(resource).handling().is_some_and(|handling| handling.ignore_failure);
        let is_certain = |node: &NodeIndex| {
            let entry = self.list.get(*node as usize);
            *entry.action() == Action::Converge
                && !self.list.is_on_request(*node)
                && self.is_unconditional(*node)
        };
        !ignores_failure && self.nodes_of(resource).iter().any(is_certain)
    }

    /// Whether a visit of a node depends on its values only, not on conditions or guards.
    pub(crate) fn is_unconditional(&self, node: NodeIndex) -> bool {
        let entry = self.list.get(node as usize);
        let declared = self.set.entry(entry.resource);
        let groups = &self.list.groups;
        let free = |group| {
            let handling = &groups.get(group).handling;
            groups.get(group).guards().is_empty()
                && self.notifications.subscribed(group).is_none()
                && !handling.as_ref().is_some_and(|handling| handling.audit)
        };
        let audited = declared.handling().is_some_and(|handling| handling.audit);
        entry.when().is_none()
            && declared.declaration.meta.when.is_none()
            && declared.guards().next().is_none()
            && !audited
            && groups.around(entry.group).all(free)
    }
}
