//! A text that is one expression and nothing else.

use uphold_model::Diagnostic;

use super::cursor::Parser;
use crate::token::Kind;
use crate::tree::{NodeId, Tree};

impl Parser<'_, '_> {
    /// The expression of the whole text; none if it could not be read.
    pub(crate) fn parse_lone(mut self) -> (Tree, Option<NodeId>, Vec<Diagnostic>) {
        self.bump();
        while self.current.kind == Kind::Newline {
            self.bump();
        }
        let node = self.expression().ok();
        while self.current.kind == Kind::Newline {
            self.bump();
        }
        if node.is_some() && self.current.kind != Kind::End {
            let error = self.error(
                "unexpected text",
                format!("after the expression comes {}", self.found()),
                self.here(),
            );
            self.problems.push(error.fix("write one expression, and no more"));
        }
        let node = node.filter(|_| self.problems.is_empty());
        (self.tree, node, self.problems)
    }
}
