//! The steps of a path.

use std::ops::Deref;

use super::path::{Step, StepTo};
use crate::tree::NodeId;

/// So many steps need no memory of their own.
const FEW: usize = 4;

/// Steps of a path, in a list that is only asked for by long ones: nearly all paths are short.
pub(crate) struct Steps<'t> {
    few: [Step<'t>; FEW],
    count: usize,
    /// All of them, if they are many.
    many: Vec<Step<'t>>,
}

impl<'t> Steps<'t> {
    /// None yet, of the path that ends here.
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
