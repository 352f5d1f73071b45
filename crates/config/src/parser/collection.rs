//! Lists and objects.

use uphold_model::Value;

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use super::unavailable::Unavailable;
use crate::token::{Kind, Span};
use crate::tree::{Node, NodeId};

impl Parser<'_, '_> {
    /// `[a, b]`, over as many lines as one likes.
    pub(super) fn list(&mut self) -> Parsed<NodeId> {
        let start = self.current.span;
        self.open(Opening::Bracket, start)?;
        self.bump();
        self.no_for()?;
        let base = self.pending_nodes.len();
        let end = self.elements();
        let children = self.children(base);
        Ok(self.node(Node::List(children), start.to(end?)))
    }

    fn elements(&mut self) -> Parsed<Span> {
        loop {
            if self.current.kind == Kind::BracketClose {
                let end = self.current.span;
                self.close();
                return Ok(end);
            }
            if matches!(self.current.kind, Kind::End | Kind::TextEnd | Kind::BraceClose) {
                return self.unclosed("unclosed `[`", "expected `]`", "add `]`");
            }
            let element = self.expression()?;
            self.pending_nodes.push(element);
            match self.current.kind {
                Kind::Comma => self.bump(),
                Kind::BracketClose => {}
                _ => {
                    return self.unclosed(
                        "unclosed `[`",
                        "expected `,` or `]`",
                        "add `,` between elements, or `]`",
                    );
                }
            }
        }
    }

    /// `{ a = 1 }`, with commas or line ends between entries.
    pub(super) fn object(&mut self) -> Parsed<NodeId> {
        let start = self.current.span;
        self.open(Opening::Object, start)?;
        self.bump();
        self.skip_newlines();
        self.no_for()?;
        let base = self.pending_nodes.len();
        let end = self.entries();
        let children = self.children(base);
        Ok(self.node(Node::Object(children), start.to(end?)))
    }

    fn entries(&mut self) -> Parsed<Span> {
        loop {
            self.skip_newlines();
            if self.current.kind == Kind::BraceClose {
                let end = self.current.span;
                self.close();
                return Ok(end);
            }
            let key = self.key()?;
            self.pending_nodes.push(key);
            self.separator(key)?;
            let value = self.expression()?;
            self.pending_nodes.push(value);
            match self.current.kind {
                Kind::Comma => self.bump(),
                Kind::Newline | Kind::BraceClose => {}
                _ => {
                    return self.unclosed(
                        "unclosed `{`",
                        "expected `,`, a line end or `}`",
                        "add `,` between entries, or `}`",
                    );
                }
            }
        }
    }

    /// A name, text, a number, or any expression in parentheses.
    fn key(&mut self) -> Parsed<NodeId> {
        let span = self.current.span;
        match self.current.kind {
            Kind::Identifier if self.starts_block_at_margin() => {
                self.unclosed("unclosed `{`", "expected a key or `}`", "add `}`")
            }
            Kind::Identifier => {
                let name = self.names.get(self.word(span));
                self.bump();
                Ok(self.node(Node::Known(Value::Text(name)), span))
            }
            Kind::Quote | Kind::Number | Kind::ParenOpen | Kind::Minus => self.expression(),
            Kind::Stray if self.wrong_quote().is_some() => self.wrongly_quoted(),
            _ => self.unclosed(
                "unclosed `{`",
                "expected a key or `}`",
                "write `key = value`, or close with `}`",
            ),
        }
    }

    fn separator(&mut self, key: NodeId) -> Parsed<()> {
        match self.current.kind {
            Kind::Assign | Kind::Colon => {
                self.bump();
                Ok(())
            }
            Kind::Dot | Kind::BracketOpen => {
                let error = self.error(
                    "ambiguous key",
                    "a key that is a reference must be marked",
                    self.tree.span(key),
                );
                self.fail(error.fix("put the key in parentheses, or in quotes"))
            }
            Kind::Operator | Kind::Minus | Kind::Star => self.unavailable(Unavailable::Operator),
            Kind::Question => self.unavailable(Unavailable::Conditional),
            Kind::ParenOpen => self.unavailable_at(Unavailable::Call, self.tree.span(key)),
            _ => self.unclosed("missing `=`", "expected `=` after the key", "write `key = value`"),
        }
    }

    fn skip_newlines(&mut self) {
        while self.current.kind == Kind::Newline {
            self.bump();
        }
    }

    /// `for` followed by a name starts a comprehension; anything else is a key or a word.
    fn no_for(&mut self) -> Parsed<()> {
        let is_for = self.current.kind == Kind::Identifier
            && self.word(self.current.span) == "for"
            && self.lexer.clone().next().kind == Kind::Identifier;
        if is_for { self.unavailable(Unavailable::For) } else { Ok(()) }
    }
}
