//! Parsing `for` expressions in lists and objects.

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use crate::token::{Kind, Span};
use crate::tree::{Gathered, Loop, NodeId};

/// `for key, value in collection`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    pub(super) key: Option<Span>,
    pub(super) value: Span,
    pub(super) collection: NodeId,
}

impl Parser<'_> {
    /// Whether the current token is a `for` that starts a loop, not a key.
    pub(super) fn at_loop(&self) -> bool {
        self.at_word("for") && !matches!(self.lexer.clone().next().kind, Kind::Assign | Kind::Colon)
    }

    /// Whether the current token is this word.
    pub(super) fn at_word(&self, word: &str) -> bool {
        self.current.kind == Kind::Identifier && self.word(self.current.span) == word
    }

    /// `for … : element if condition]`; the bracket at `start` was read.
    pub(super) fn list_loop(&mut self, start: Span) -> Parsed<NodeId> {
        let head = self.loop_head()?;
        self.loop_colon()?;
        let element = self.expression()?;
        let condition = self.loop_condition()?;
        if self.current.kind != Kind::BracketClose {
            return self.unclosed_loop(Code::UnclosedBracket, "expected `]`", "add `]`");
        }
        self.close();
        self.finish_loop(head, Gathered::List(element), condition, start.to(self.previous))
    }

    /// `for … : key => value if condition}`; the brace at `start` was read. Line breaks have no meaning in it.
    pub(super) fn object_loop(&mut self, start: Span) -> Parsed<NodeId> {
        self.nesting.turn_into(Opening::ObjectLoop);
        let head = self.loop_head()?;
        self.loop_colon()?;
        let key = self.expression()?;
        self.arrow()?;
        let value = self.expression()?;
        let result = match self.current.kind {
            Kind::Ellipsis => {
                self.bump();
                Gathered::Grouped { key, value }
            }
            _ => Gathered::Object { key, value },
        };
        let condition = self.loop_condition()?;
        if self.current.kind != Kind::BraceClose {
            return self.unclosed_loop(Code::UnclosedBracket, "expected `}`", "add `}`");
        }
        self.close();
        self.finish_loop(head, result, condition, start.to(self.previous))
    }

    fn finish_loop(
        &mut self,
        head: Head,
        result: Gathered,
        condition: Option<NodeId>,
        span: Span,
    ) -> Parsed<NodeId> {
        let Head { key, value, collection } = head;
        self.loop_node(&Loop { key, value, collection, result, condition }, span)
    }

    /// `for key, value in collection`. The current token is `for`.
    pub(super) fn loop_head(&mut self) -> Parsed<Head> {
        self.bump();
        let first = self.loop_variable()?;
        let second = match self.current.kind {
            Kind::Comma => {
                self.bump();
                Some(self.loop_variable()?)
            }
            _ => None,
        };
        if !self.at_word("in") {
            let detail = format!("expected `in`, found {}", self.found());
            let error = self.error(Code::MalformedFor, detail, self.here());
            return self.fail(error.fix("write `for value in list`, or `for key, value in map`"));
        }
        let word = self.current.span;
        self.bump();
        self.operand_after(word)?;
        let collection = self.expression()?;
        let (key, value) = match second {
            Some(second) => (Some(first), second),
            None => (None, first),
        };
        Ok(Head { key, value, collection })
    }

    fn loop_variable(&mut self) -> Parsed<Span> {
        let span = self.current.span;
        if self.current.kind != Kind::Identifier || self.at_word("in") {
            let detail = format!("expected a name for each element, found {}", self.found());
            let error = self.error(Code::MalformedFor, detail, self.here());
            return self.fail(error.fix("write `for value in list`, or `for key, value in map`"));
        }
        self.bump();
        Ok(span)
    }

    fn loop_colon(&mut self) -> Parsed<()> {
        if self.current.kind == Kind::Colon {
            let colon = self.current.span;
            self.bump();
            return self.operand_after(colon);
        }
        let detail = format!("expected `:` after the collection, found {}", self.found());
        let error = self.error(Code::MalformedFor, detail, self.here());
        self.fail(error.fix("write `for value in list : result`"))
    }

    fn arrow(&mut self) -> Parsed<()> {
        if self.current.kind == Kind::Arrow {
            let arrow = self.current.span;
            self.bump();
            return self.operand_after(arrow);
        }
        let detail = format!("expected `=>` after the key, found {}", self.found());
        let error = self.error(Code::MalformedFor, detail, self.here());
        let fix = "write `{for key, value in map : key => value}`; for a list use `[for …]`";
        self.fail(error.fix(fix))
    }

    fn loop_condition(&mut self) -> Parsed<Option<NodeId>> {
        if !self.at_word("if") {
            return Ok(None);
        }
        let word = self.current.span;
        self.bump();
        self.operand_after(word)?;
        self.expression().map(Some)
    }

    /// Reports a token that cannot end a loop.
    fn unclosed_loop<T>(&mut self, code: Code, expected: &str, fix: &str) -> Parsed<T> {
        let (detail, fix) = match self.current.kind {
            Kind::Arrow => ("a list has no keys", "write `{for …}` for an object"),
            Kind::Ellipsis => ("`...` groups values by their key, in objects only", "remove it"),
            Kind::Comma => ("a `for` makes one result for each element", "remove what follows it"),
            _ => return self.unclosed(code, expected, fix),
        };
        let error = self.error(Code::MalformedFor, detail, self.current.span);
        self.fail(error.fix(fix))
    }
}
