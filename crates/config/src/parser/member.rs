//! Parsing members: `.field`, `[index]` and splats, after any operand.

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use crate::token::{Kind, Span};
use crate::tree::{NodeId, NodeKind};

impl Parser<'_> {
    /// Parses an operand and all of its members.
    pub(super) fn member(&mut self) -> Parsed<NodeId> {
        let start = self.current.span;
        let mut node = self.operand()?;
        // The operands of `[*]`: all following members apply to each element, so a splat is complete only at their end.
        let base = self.pending_nodes.len();
        loop {
            let kind = self.current.kind;
            node = match kind {
                Kind::Dot => self.dot(start, node)?,
                Kind::BracketOpen => self.bracket(start, node)?,
                Kind::Newline if self.continues_on_next_line() => continue,
                _ => break,
            };
        }
        while self.pending_nodes.len() > base
            && let Some(of) = self.pending_nodes.pop()
        {
            node = self.parent(NodeKind::Splat, [of, node], start.to(self.previous))?;
        }
        Ok(node)
    }

    fn dot(&mut self, start: Span, node: NodeId) -> Parsed<NodeId> {
        self.bump();
        match self.current.kind {
            Kind::Star => self.field_splat(start, node),
            _ => self.field(start, node),
        }
    }

    /// `.*`: the following fields apply to each element, an index does not.
    fn field_splat(&mut self, start: Span, of: NodeId) -> Parsed<NodeId> {
        self.bump();
        let mut each = self.leaf(NodeKind::Element, start.to(self.previous));
        while self.current.kind == Kind::Dot {
            self.bump();
            if self.current.kind == Kind::Star {
                let detail = "`.*` takes fields only, not another splat";
                let error = self.error(Code::MalformedIndex, detail, self.current.span);
                return self.fail(error.fix("write `[*]` instead of `.*`"));
            }
            each = self.field(start, each)?;
        }
        self.parent(NodeKind::Splat, [of, each], start.to(self.previous))
    }

    /// The name or number after a dot.
    fn field(&mut self, start: Span, of: NodeId) -> Parsed<NodeId> {
        let span = self.current.span;
        match self.current.kind {
            Kind::Identifier => {
                self.bump();
                self.field_node(of, start, span)
            }
            Kind::Number => self.positions(start, of),
            _ => {
                let detail = format!("{} is not a field name", self.found());
                let error = self.error(Code::IncompleteReference, detail, self.here());
                self.fail(error.fix("write a name after `.`, or `[\"any name\"]` instead of `.`"))
            }
        }
    }

    /// `.0`, and `.0.1`, which is one token.
    fn positions(&mut self, start: Span, of: NodeId) -> Parsed<NodeId> {
        let span = self.current.span;
        let mut from = span.start as usize;
        let mut node = of;
        for digits in self.word(span).split('.') {
            let here = Span::new(from, from + digits.len());
            let plain = digits.len() <= 9 && (digits == "0" || !digits.starts_with('0'));
            let Some(position) = digits.parse().ok().filter(|_| plain) else {
                let error = self.error(Code::MalformedIndex, "an index after `.` is a whole number", here);
                return self.fail(error.fix("write a whole number, or `[index]` instead of `.`"));
            };
            let index = self.tree.add_int(position, here);
            node = self.parent(NodeKind::Index, [node, index], start.to(here))?;
            from += digits.len() + 1;
        }
        self.bump();
        Ok(node)
    }

    /// `[index]` or `[*]`.
    fn bracket(&mut self, start: Span, node: NodeId) -> Parsed<NodeId> {
        let bracket = self.current.span;
        self.open(Opening::Bracket, bracket)?;
        self.bump();
        match self.current.kind {
            Kind::BracketClose => {
                let error =
                    self.error(Code::MalformedIndex, "the index is empty", bracket.to(self.current.span));
                self.fail(error.fix("write a number or a name in quotes; `[*]` is for all elements"))
            }
            Kind::Star => {
                self.bump();
                self.close_index()?;
                self.pending_nodes.push(node);
                Ok(self.leaf(NodeKind::Element, start.to(self.previous)))
            }
            _ => {
                let index = self.expression()?;
                self.close_index()?;
                self.parent(NodeKind::Index, [node, index], start.to(self.previous))
            }
        }
    }

    fn close_index(&mut self) -> Parsed<()> {
        let fix = match self.current.kind {
            Kind::BracketClose => {
                self.close();
                return Ok(());
            }
            Kind::Colon | Kind::Comma => "write one index; for a part of a list `slice(list, start, end)`",
            _ => "add `]`",
        };
        self.unclosed(Code::UnclosedBracket, "expected `]`", fix)
    }
}
