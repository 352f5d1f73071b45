//! Speculation: expressions of which only the run decides whether they count.
//!
//! A branch behind an unknown condition, the body of a loop over an unknown collection: each is evaluated for the
//! resources that it reads, but its error must not count before it is known that the expression does.

use uphold_model::{Code, Diagnostic, Name, Unknown};

use super::evaluator::{Evaluated, Evaluator, unknown_like};
use super::frame::Frame;
use crate::tree::NodeId;

impl Evaluator<'_> {
    /// The value of an expression that counts only if `condition` turns out so. An error in it becomes a value that
    /// waits for the condition.
    pub(super) fn speculate(&self, frame: &Frame<'_>, node: NodeId, condition: &Unknown) -> Evaluated {
        self.postpone(condition, || self.node(frame, node))
            .map(|value| value.unwrap_or_else(|| unknown_like(condition, None)))
    }

    /// The result, or none if it failed in a way that counts only if `condition` turns out so.
    pub(super) fn postpone<T>(
        &self,
        condition: &Unknown,
        evaluate: impl FnOnce() -> Result<T, Box<Diagnostic>>,
    ) -> Result<Option<T>, Box<Diagnostic>> {
        match evaluate() {
            Ok(result) => Ok(Some(result)),
            Err(error) if always_counts(&error) => Err(error),
            Err(_) => {
                self.note_postponed(Some(&condition.waits_for));
                Ok(None)
            }
        }
    }

    /// Passes on that an error was postponed when a named value was evaluated.
    pub(super) fn note_postponed(&self, waits_for: Option<&Name>) {
        if let Some(waits_for) = waits_for {
            self.postponed.replace(Some(waits_for.clone()));
        }
    }

    /// Begins to observe whether an error is postponed. Not a closure: evaluation goes deep, and each takes stack.
    pub(super) fn observe(&self) -> Option<Name> {
        self.postponed.take()
    }

    /// What a failure since [`Evaluator::observe`] waits for, if one was postponed.
    pub(super) fn observed(&self, before: Option<Name>) -> Option<Unknown> {
        let found = self.postponed.take();
        self.postponed.replace(found.clone().or(before));
        found.map(|waits_for| Unknown { waits_for, shape: None })
    }
}

/// Whether an error stops the evaluation wherever it happens: limits, and what must be known before the run.
pub(super) fn always_counts(error: &Diagnostic) -> bool {
    matches!(
        error.code,
        Code::TooMuchWork
            | Code::TooDeep
            | Code::ValueTooLarge
            | Code::CircularDefinition
            | Code::NameUnknown
    )
}
