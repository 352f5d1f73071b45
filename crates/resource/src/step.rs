//! What `apply` is asked to do.

use crate::resource::{Described, Embeds};

/// One step towards the goal. The engine has already compared: a step always changes something.
pub enum Step<'a, R: Described> {
    /// There is nothing: make it.
    Create {
        /// What should be there. Unset properties without a create default are none.
        goal: &'a R::Goal,
    },
    /// It is there, and differs.
    Update {
        /// What should be there: what the user set, else what is there.
        goal: &'a R::Goal,
        /// What differs, property by property.
        change: &'a R::Change,
        /// What is there.
        current: &'a R::State,
    },
    /// It is there, and should not be.
    Remove {
        /// What is there.
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
    /// The same step as the embedded resource `P` sees it, to hand to its `apply`.
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
