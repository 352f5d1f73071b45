//! The step that `apply` makes.

use crate::resource::{Described, Embeds};

/// One change of a resource. The engine has compared already: a step always changes something.
pub enum Step<'a, R: Described> {
    /// The resource does not exist and must be created.
    Create {
        /// The desired state. Properties that are unset and have no create default are `None`.
        goal: &'a R::Goal,
    },
    /// The resource exists and differs.
    Update {
        /// The desired state: declared values, else current ones.
        goal: &'a R::Goal,
        /// The properties that differ.
        change: &'a R::Change,
        /// The current state.
        current: &'a R::State,
    },
    /// The resource exists and must be removed.
    Remove {
        /// The current state.
        current: &'a R::State,
    },
}

impl<R: Described> Clone for Step<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Described> Copy for Step<'_, R> {}

impl<'a, R: Described> Step<'a, R> {
    /// The desired state; none if the resource is removed.
    pub fn goal(self) -> Option<&'a R::Goal> {
        match self {
            Step::Create { goal } | Step::Update { goal, .. } => Some(goal),
            Step::Remove { .. } => None,
        }
    }

    /// The same step for the embedded resource `P`, to pass to its `apply`.
    pub fn part<P: Described>(self) -> Step<'a, P>
    where
        R: Embeds<P>,
    {
        match self {
            Step::Create { goal } => Step::Create { goal: R::goal_part(goal) },
            Step::Update { goal, change, current } => Step::Update {
                goal: R::goal_part(goal),
                change: R::change_part(change),
                current: R::state_part(current),
            },
            Step::Remove { current } => Step::Remove { current: R::state_part(current) },
        }
    }
}
