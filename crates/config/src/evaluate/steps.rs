//! The steps of a path.

use std::ops::Deref;

use super::path::{Step, StepTo};
use crate::tree::NodeId;

/// The number of steps that are stored without an allocation.
const FEW: usize = 4;

/// The steps of a path. Only long paths, which are rare, allocate a list.
pub(crate) struct Steps<'t> {
    few: [Step<'t>; FEW],
    count: usize,
    /// All steps, if they are more than `FEW`.
    many: Vec<Step<'t>>,
}

impl<'t> Steps<'t> {
    /// No steps yet; `path` is the whole path.
    pub(super) fn of(path: NodeId) -> Self {
        Self { few: [Step { at: path, what: StepTo::Index(path) }; FEW], count: 0, many: Vec::new() }
    }

    pub(super) fn push(&mut self, step: Step<'t>) {
        if self.count < FEW {
            self.few[self.count] = step;
        } else {
            if self.many.is_empty() {
                self.many.extend(self.few);
            }
            self.many.push(step);
        }
        self.count += 1;
    }

    pub(super) fn reverse(&mut self) {
        self.many.reverse();
        self.few[..self.count.min(FEW)].reverse();
    }
}

impl<'t> Deref for Steps<'t> {
    type Target = [Step<'t>];

    fn deref(&self) -> &[Step<'t>] {
        if self.many.is_empty() { &self.few[..self.count] } else { &self.many }
    }
}
