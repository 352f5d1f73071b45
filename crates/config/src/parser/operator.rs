//! Parsing unary and binary operators.

use super::cursor::{Parsed, Parser};
use super::depth::DEEPEST_TREE;
use crate::token::{Kind, Token};
use crate::tree::{NodeId, NodeKind, Operator};

impl Parser<'_> {
    /// Parses operands and binary operators with at least this precedence. It calls itself at most once for each
    /// precedence.
    pub(super) fn binary(&mut self, weakest: u8) -> Parsed<NodeId> {
        let start = self.current.span;
        let mut left = self.unary()?;
        while let Some((operator, strength)) = operator(self.current.kind)
            && strength >= weakest
        {
            self.wrong_sign()?;
            let sign = self.current.span;
            self.bump();
            self.operand_after(sign)?;
            let right = self.binary(strength + 1)?;
            left = self.binary_node(operator, left, right, start.to(self.previous))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<NodeId> {
        if !self.at_sign() {
            return self.member();
        }
        let mut signs: Vec<Token> = Vec::new();
        while self.at_sign() {
            if signs.len() >= usize::from(DEEPEST_TREE) {
                return self.too_deep(self.current.span);
            }
            let sign = self.current;
            signs.push(sign);
            self.bump();
            self.operand_after(sign.span)?;
        }
        let mut node = self.member()?;
        for sign in signs.into_iter().rev() {
            let sort = if sign.kind == Kind::Bang { NodeKind::Not } else { NodeKind::Negative };
            node = self.parent(sort, [node], sign.span.to(self.previous))?;
        }
        Ok(node)
    }

    /// Whether the current token is a sign that is not part of a literal such as `-5`.
    fn at_sign(&self) -> bool {
        match self.current.kind {
            Kind::Bang => true,
            Kind::Minus => self.lexer.clone().next().kind != Kind::Number,
            _ => false,
        }
    }
}

/// The binary operator of a token, and its precedence.
pub(super) fn operator(kind: Kind) -> Option<(Operator, u8)> {
    Some(match kind {
        Kind::Or => (Operator::Or, 1),
        Kind::And => (Operator::And, 2),
        Kind::Equal => (Operator::Equal, 3),
        Kind::Unequal => (Operator::Unequal, 3),
        Kind::Less => (Operator::Less, 4),
        Kind::LessOrEqual => (Operator::LessOrEqual, 4),
        Kind::Greater => (Operator::Greater, 4),
        Kind::GreaterOrEqual => (Operator::GreaterOrEqual, 4),
        Kind::Plus => (Operator::Add, 5),
        Kind::Minus => (Operator::Subtract, 5),
        Kind::Star => (Operator::Multiply, 6),
        Kind::Slash => (Operator::Divide, 6),
        Kind::Percent => (Operator::Remainder, 6),
        _ => return None,
    })
}
