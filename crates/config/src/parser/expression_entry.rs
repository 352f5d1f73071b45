//! Parsing a text that is a single expression.

use uphold_model::{Code, Diagnostic};

use super::cursor::Parser;
use super::nesting::Opening;
use crate::token::{Kind, Span};
use crate::tree::{Items, NodeId, Tree};

impl Parser<'_> {
    /// The expression of the whole text; none if it is invalid.
    pub(crate) fn parse_single_expression(mut self) -> (Tree, Option<NodeId>, Vec<Diagnostic>) {
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
                Code::UnexpectedToken,
                format!("unexpected {} after the expression", self.found()),
                self.here(),
            );
            self.problems.push(error.fix("write one expression, and no more"));
        }
        let node = node.filter(|_| self.problems.is_empty());
        (self.tree.cut(Items::default()), node, self.problems)
    }

    /// The expression of the text from `start` on, which can have several lines; none if it is invalid.
    pub(crate) fn parse_expression(mut self, start: Span) -> (Tree, Option<NodeId>) {
        self.lexer.at = start.start as usize;
        // As in parentheses, line breaks have no meaning.
        self.nesting.push(Opening::Paren, start);
        self.bump();
        let node = self.expression().ok();
        (self.tree.cut(Items::default()), node)
    }
}
