//! The key of a visit: which node, why, and how far it has come.

use crate::graph::NodeIndex;
use crate::notifications::RunId;

/// One visit that is due or under way. Small and `Copy`, so that every queue can hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Visit {
    pub(crate) node: NodeIndex,
    pub(crate) cause: VisitCause,
    pub(crate) stage: Stage,
}

/// Why a node is visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum VisitCause {
    /// It is in the action list.
    Written,
    /// A watch has visited it before, and something may have changed since.
    Woken,
    /// A notification asked for it.
    Notified(RunId),
}

/// How far a visit has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Stage {
    /// It has not begun.
    First,
    /// It began, and goes on: after a wait, a failure, or in a batch.
    Again,
    /// It began, and its `before` notifications have been delivered.
    Announced,
}

impl Visit {
    /// The first visit of a written action.
    pub(crate) fn written(node: NodeIndex) -> Self {
        Self { node, cause: VisitCause::Written, stage: Stage::First }
    }

    /// A visit of a node that a watch has visited before.
    pub(crate) fn woken(node: NodeIndex) -> Self {
        Self { node, cause: VisitCause::Woken, stage: Stage::First }
    }

    /// A visit that a notification asked for.
    pub(crate) fn notified(node: NodeIndex, run: RunId) -> Self {
        Self { node, cause: VisitCause::Notified(run), stage: Stage::First }
    }

    /// The same visit, continued.
    #[must_use]
    pub(crate) fn again(self) -> Self {
        Self { stage: self.stage.max(Stage::Again), ..self }
    }

    /// The same visit, with its `before` notifications delivered.
    #[must_use]
    pub(crate) fn announced(self) -> Self {
        Self { stage: Stage::Announced, ..self }
    }

    /// The same visit from its beginning.
    #[must_use]
    pub(crate) fn restarted(self) -> Self {
        Self { stage: Stage::First, ..self }
    }

    /// The notification that asked for it.
    pub(crate) fn run(self) -> Option<RunId> {
        match self.cause {
            VisitCause::Notified(run) => Some(run),
            VisitCause::Written | VisitCause::Woken => None,
        }
    }

    pub(crate) fn is_written(self) -> bool {
        self.cause == VisitCause::Written
    }

    pub(crate) fn is_woken(self) -> bool {
        self.cause == VisitCause::Woken
    }

    pub(crate) fn is_notified(self) -> bool {
        matches!(self.cause, VisitCause::Notified(_))
    }

    pub(crate) fn is_first(self) -> bool {
        self.stage == Stage::First
    }

    pub(crate) fn is_announced(self) -> bool {
        self.stage == Stage::Announced
    }

    /// Whether others wait for it to go on: a notified action, or one whose `before` notifications have been delivered.
    pub(crate) fn is_user_request(self) -> bool {
        self.is_notified() || self.is_announced()
    }
}
