//! How a watched node is, and how its visits end.

use super::predecessors::Predecessors;
use crate::event::{Skip, Verdict};
use crate::graph::NodeIndex;

/// The health of a watched node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Health {
    /// Not visited yet.
    Unseen,
    /// As declared, as far as is known; or not managed.
    Idle,
    /// Woken; its visit is due.
    Queued,
    /// Being visited, or waiting for its immediate notifications.
    Busy,
    Failed,
    /// One of its dependencies has failed.
    Blocked,
}

impl Health {
    pub(crate) fn is_trouble(self) -> bool {
        matches!(self, Health::Failed | Health::Blocked)
    }
}

/// The health of all nodes.
pub(crate) struct HealthMap {
    all: Vec<Health>,
    /// How many nodes are failed or blocked.
    troubled: usize,
}

impl HealthMap {
    /// `kept`: nodes that go on as in the previous program; the others were not visited yet.
    pub(crate) fn new(kept: &[bool]) -> Self {
        let all = kept.iter().map(|kept| if *kept { Health::Idle } else { Health::Unseen }).collect();
        Self { all, troubled: 0 }
    }

    pub(crate) fn of(&self, node: NodeIndex) -> Health {
        self.all[node as usize]
    }

    pub(crate) fn set(&mut self, node: NodeIndex, health: Health) {
        let before = std::mem::replace(&mut self.all[node as usize], health);
        self.troubled += usize::from(health.is_trouble());
        self.troubled -= usize::from(before.is_trouble());
    }

    pub(crate) fn has_trouble(&self) -> bool {
        self.troubled > 0
    }

    /// The first node that is failed or blocked.
    pub(crate) fn first_trouble(&self) -> Option<NodeIndex> {
        if !self.has_trouble() {
            return None;
        }
        (0..).zip(&self.all).find(|(_, health)| health.is_trouble()).map(|(node, _)| node)
    }

    /// A failed or blocked node that this one directly depends on.
    pub(crate) fn failed_dependency(
        &self,
        predecessors: &Predecessors,
        node: NodeIndex,
    ) -> Option<NodeIndex> {
        if !self.has_trouble() {
            return None;
        }
        predecessors.direct(node, |before| self.of(before).is_trouble())
    }

    /// The root cause that keeps a node from being visited.
    pub(crate) fn root_cause(&self, predecessors: &Predecessors, node: NodeIndex) -> Option<NodeIndex> {
        let mut root = self.failed_dependency(predecessors, node)?;
        while self.of(root) == Health::Blocked
            && let Some(before) = self.failed_dependency(predecessors, root)
        {
            root = before;
        }
        Some(root)
    }

    pub(crate) fn into_all(self) -> Vec<Health> {
        self.all
    }
}

/// What a watch has to know of a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// As declared, or not managed.
    Well,
    Changed,
    Failed,
    /// Failed, and `ignore_failure` is set.
    Ignored,
    /// Skipped, because a dependency failed.
    Blocked,
    /// Skipped, because the run was stopped.
    Stopped,
    Skipped,
}

impl Ending {
    pub(crate) fn of(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Changed(_) => Ending::Changed,
            Verdict::Failed(_) => Ending::Failed,
            Verdict::Ignored(_) => Ending::Ignored,
            Verdict::Skipped(Skip::FailedBefore(_)) => Ending::Blocked,
            Verdict::Skipped(Skip::Stopped) => Ending::Stopped,
            Verdict::Skipped(_) => Ending::Skipped,
            _ => Ending::Well,
        }
    }

    pub(crate) fn is_failure(self) -> bool {
        matches!(self, Ending::Failed | Ending::Ignored)
    }
}
