//! Expressions: literals, and what leads to everything else.

use uphold_model::Value;

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use super::unavailable::Unavailable;
use crate::token::{Kind, Span};
use crate::tree::{Node, NodeId};

impl Parser<'_, '_> {
    /// A whole expression. What follows it is the caller's, unless it could only be more of it.
    pub(super) fn expression(&mut self) -> Parsed<NodeId> {
        let node = self.operand()?;
        match self.current.kind {
            Kind::Operator | Kind::Minus | Kind::Star => self.unavailable(Unavailable::Operator),
            Kind::Question => self.unavailable(Unavailable::Conditional),
            Kind::Dot | Kind::BracketOpen => self.unavailable(Unavailable::Member),
            _ => Ok(node),
        }
    }

    fn operand(&mut self) -> Parsed<NodeId> {
        let span = self.current.span;
        match self.current.kind {
            Kind::Number => Ok(self.number(span)),
            Kind::Minus => self.negative(span),
            Kind::Quote => self.quoted(),
            Kind::Heredoc => self.heredoc(),
            Kind::BracketOpen => self.list(),
            Kind::BraceOpen => self.object(),
            Kind::ParenOpen => self.parenthesised(),
            Kind::Identifier => self.named(span),
            Kind::Operator if self.word(span) == "!" => self.unavailable(Unavailable::Operator),
            Kind::Stray if self.wrong_quote().is_some() || self.escaped_quote() => self.wrongly_quoted(),
            _ => self.missing_operand(),
        }
    }

    fn missing_operand(&mut self) -> Parsed<NodeId> {
        let detail = format!("{} is no value", self.found());
        let error = self.error("missing value", detail, self.here());
        self.fail(error.fix("write text in quotes, a number, a list, an object or a reference"))
    }

    /// `-5`: a literal. In front of anything else the sign is an operator.
    fn negative(&mut self, sign: Span) -> Parsed<NodeId> {
        if self.lexer.clone().next().kind != Kind::Number {
            return self.unavailable(Unavailable::Operator);
        }
        self.bump();
        Ok(self.number(sign.to(self.current.span)))
    }

    fn named(&mut self, span: Span) -> Parsed<NodeId> {
        let value = match self.word(span) {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            _ => return self.reference(span),
        };
        self.bump();
        Ok(self.node(Node::Known(value), span))
    }

    fn parenthesised(&mut self) -> Parsed<NodeId> {
        self.open(Opening::Paren, self.current.span)?;
        self.bump();
        let node = self.expression()?;
        if self.current.kind != Kind::ParenClose {
            return self.unclosed("unclosed `(`", "expected `)`", "add `)`");
        }
        self.close();
        Ok(node)
    }

    /// The innermost bracket is not closed where it must be. If anything else stands here on the same line, that
    /// is what is wrong; otherwise the bracket is.
    pub(super) fn unclosed<T>(&mut self, summary: &'static str, expected: &str, fix: &str) -> Parsed<T> {
        let closed_elsewhere = self.line_start
            || matches!(
                self.current.kind,
                Kind::End
                    | Kind::TextEnd
                    | Kind::Newline
                    | Kind::Assign
                    | Kind::BraceClose
                    | Kind::BracketClose
                    | Kind::ParenClose
            );
        let detail = format!("{expected}, found {}", self.found());
        let error = match self.nesting.innermost() {
            Some(open) if closed_elsewhere => self.error(summary, detail, open.span).fix(fix),
            _ => self.error("unexpected text", detail, self.here()).fix(fix),
        };
        self.fail(error)
    }
}
