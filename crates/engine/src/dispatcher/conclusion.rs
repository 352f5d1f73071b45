//! The consequences of a verdict.

use std::time::Duration;

use uphold_resource::Error;

use crate::event::{Skip, Verdict};
use crate::graph::NodeIndex;
use crate::notifications::Notice;
use crate::schedule::Downstream;
use crate::visit::PassedOn;

/// The end of a visit, besides its verdict.
#[derive(Default)]
pub(super) struct VisitEnd {
    pub(super) passed_on: PassedOn,
    /// In a plan, notifications that its nested resources would send.
    pub(super) nested: Vec<Notice>,
    /// Why it is skipped: the root cause.
    pub(super) root: Option<NodeIndex>,
    pub(super) took: Duration,
}

/// The consequences of a verdict for others.
pub(super) struct Conclusion {
    pub(super) downstream: Downstream,
    /// Whether it is a change: certainly, possibly, or not.
    pub(super) change: Option<bool>,
    /// The root cause, if it is a failure or was skipped.
    pub(super) failed: Option<NodeIndex>,
}

impl Conclusion {
    /// `passed`: what the prerequisites of the node passed on to it.
    pub(super) fn of(node: NodeIndex, verdict: &Verdict, end: &VisitEnd, passed: Downstream) -> Self {
        let PassedOn { secret, predicted, unwritten } = end.passed_on;
        let change = match verdict {
            Verdict::Changed(_) | Verdict::WouldChange(_) => Some(true),
            Verdict::MayChange { .. } => Some(false),
            _ => None,
        };
        let changes = matches!(verdict, Verdict::WouldChange(_) | Verdict::MayChange { .. }).then_some(node);
        let unpredicted = changes.filter(|_| change == Some(false) || !predicted);
        let root = match verdict {
            Verdict::Failed(_) | Verdict::Skipped(Skip::TooManyChanges | Skip::NotAsPlanned(_)) => Some(node),
            Verdict::Skipped(_) => end.root.or(passed.root),
            _ => None,
        };
        let is_failure = matches!(verdict, Verdict::Failed(_) | Verdict::Skipped(_));
        Self {
            downstream: Downstream { root, changes, unpredicted, secret, unwritten },
            change,
            failed: is_failure.then(|| root.unwrap_or(node)),
        }
    }
}

/// The error of a nested notification whose target failed, or did not run.
pub(super) fn error_of(verdict: &Verdict) -> Option<Error> {
    match verdict {
        Verdict::Failed(failure) => {
            let error = Error::new(failure.kind, failure.message.clone());
            Some(match &failure.hint {
                Some(hint) => error.hint(hint.clone()),
                None => error,
            })
        }
        Verdict::Skipped(_) => Some(Error::failed("it was skipped")),
        _ => None,
    }
}
