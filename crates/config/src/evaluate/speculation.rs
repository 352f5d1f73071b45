//! Speculation: expressions that count only under a condition that is known during the run.
//!
//! A branch behind an unknown condition, or the body of a loop over an unknown collection: each is evaluated for the
//! resources that it reads, but its errors must not be reported before the condition is known.

use uphold_model::{Code, Diagnostic, Name, Unknown};

use super::evaluator::{Evaluated, Evaluator, unknown_like};
use super::frame::Frame;
use crate::tree::NodeId;

impl Evaluator<'_> {
    /// The value of an expression that counts only if `condition` turns out true. An error becomes a value that waits
    /// for the condition.
    pub(super) fn speculate(&self, frame: &Frame<'_>, node: NodeId, condition: &Unknown) -> Evaluated {
        self.postpone(condition, || self.node(frame, node))
            .map(|value| value.unwrap_or_else(|| unknown_like(condition, None)))
    }

    /// The result; none if it failed in a way that counts only if `condition` turns out true.
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

    /// Records that an error was postponed when a named value was evaluated.
    pub(super) fn note_postponed(&self, waits_for: Option<&Name>) {
        if let Some(waits_for) = waits_for {
            self.postponed.replace(Some(waits_for.clone()));
        }
    }

    /// Starts to observe postponed errors. Not a closure: evaluation is deeply recursive, and each closure takes stack.
    pub(super) fn observe(&self) -> Option<Name> {
        self.postponed.take()
    }

    /// The value that a postponed error waits for, since [`Evaluator::observe`].
    pub(super) fn observed(&self, before: Option<Name>) -> Option<Unknown> {
        let found = self.postponed.take();
        self.postponed.replace(found.clone().or(before));
        found.map(|waits_for| Unknown { waits_for, shape: None })
    }
}

/// Whether an error always ends the evaluation: limits, undeclared names, and values that must be known before the run.
pub(super) fn always_counts(error: &Diagnostic) -> bool {
    matches!(
        error.code,
        Code::TooMuchWork
            | Code::TooDeep
            | Code::ValueTooLarge
            | Code::CircularDefinition
            | Code::NameUnknown
            | Code::UnknownResource
    )
}
