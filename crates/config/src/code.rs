//! Code: one source, parsed, and where it lies.

use std::path::PathBuf;

use uphold_model::Place;

use crate::token::Span;
use crate::tree::{NodeId, Tree};

/// One source. Shared by everything that is evaluated later.
#[derive(Debug)]
pub(crate) struct Code {
    pub(crate) tree: Tree,
    /// The directory of the source: relative paths in it are below.
    pub(crate) directory: PathBuf,
}

impl Code {
    pub(crate) fn place(&self, span: Span) -> Place {
        span.place(self.tree.source)
    }

    /// Where an expression stands.
    pub(crate) fn place_of(&self, node: NodeId) -> Place {
        self.place(self.tree.span(node))
    }
}
