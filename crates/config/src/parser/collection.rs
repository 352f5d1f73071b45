//! Parsing lists and objects.

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use crate::token::{Kind, Span};
use crate::tree::{NodeId, NodeKind, Operator};

impl Parser<'_> {
    /// `[a, b]`, on any number of lines.
    pub(super) fn list(&mut self) -> Parsed<NodeId> {
        let start = self.current.span;
        self.open(Opening::Bracket, start)?;
        self.bump();
        if self.at_loop() {
            return self.list_loop(start);
        }
        let base = self.pending_nodes.len();
        let end = self.elements()?;
        self.list_node(NodeKind::List, base, start.to(end))
    }

    fn elements(&mut self) -> Parsed<Span> {
        loop {
            if self.current.kind == Kind::BracketClose {
                let end = self.current.span;
                self.close();
                return Ok(end);
            }
            if matches!(self.current.kind, Kind::End | Kind::TextEnd | Kind::BraceClose) {
                return self.unclosed(Code::UnclosedBracket, "expected `]`", "add `]`");
            }
            let element = self.expression()?;
            self.pending_nodes.push(element);
            match self.current.kind {
                Kind::Comma => self.bump(),
                Kind::BracketClose => {}
                Kind::Identifier if !self.line_start && self.at_word("for") => {
                    let fix = "write `[for value in list : result]`";
                    return self.unclosed(Code::UnclosedBracket, "expected `,` or `]`", fix);
                }
                Kind::Ellipsis => {
                    let fix = "join lists with `concat`; `...` follows the last argument of a call";
                    return self.unclosed(Code::UnclosedBracket, "expected `,` or `]`", fix);
                }
                _ => {
                    return self.unclosed(
                        Code::UnclosedBracket,
                        "expected `,` or `]`",
                        "add `,` between elements, or `]`",
                    );
                }
            }
        }
    }

    /// `{ a = 1 }`, with commas or line breaks between entries.
    pub(super) fn object(&mut self) -> Parsed<NodeId> {
        let start = self.current.span;
        self.open(Opening::Object, start)?;
        self.bump();
        self.skip_newlines();
        if self.at_loop() {
            return self.object_loop(start);
        }
        let base = self.pending_nodes.len();
        let end = self.entries()?;
        self.list_node(NodeKind::Object, base, start.to(end))
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
                        Code::UnclosedBracket,
                        "expected `,`, a line break or `}`",
                        "add `,` between entries, or `}`",
                    );
                }
            }
        }
    }

    /// A name, or any other expression.
    fn key(&mut self) -> Parsed<NodeId> {
        let span = self.current.span;
        match self.current.kind {
            Kind::Identifier if self.starts_block_at_margin() => {
                self.unclosed(Code::UnclosedBracket, "expected a key or `}`", "add `}`")
            }
            Kind::Identifier if is_separator(self.lexer.clone().next().kind) => {
                self.bump();
                Ok(self.leaf(NodeKind::Plain, span))
            }
            Kind::Identifier => self.key_with_name(),
            Kind::Quote | Kind::Number | Kind::ParenOpen | Kind::Minus | Kind::Bang => self.expression(),
            Kind::Stray if self.wrong_quote().is_some() => self.wrongly_quoted(),
            _ => self.unclosed(
                Code::UnclosedBracket,
                "expected a key or `}`",
                "write `key = value`, or close with `}`",
            ),
        }
    }

    /// A key that starts with a name and continues: `f(x)` is valid, but `a.b` could be text or a reference.
    fn key_with_name(&mut self) -> Parsed<NodeId> {
        let key = self.expression()?;
        let mut root = key;
        while let Some(whole) = self.tree.whole(root) {
            root = whole;
        }
        if root != key && self.tree.sort(root) == NodeKind::Name {
            let detail = "this key could be a name or a reference";
            let error = self.error(Code::AmbiguousKey, detail, self.tree.span(key));
            return self.fail(error.fix("put the key in parentheses, or in quotes"));
        }
        Ok(key)
    }

    fn separator(&mut self, key: NodeId) -> Parsed<()> {
        if is_separator(self.current.kind) {
            self.bump();
            return Ok(());
        }
        if self.tree.operator(key) == Some(Operator::Equal) {
            let detail = "`==` compares; an entry is written with `=`";
            let error = self.error(Code::MissingBrace, detail, self.tree.span(key));
            return self.fail(error.fix("write `key = value`"));
        }
        self.unclosed(Code::MissingBrace, "expected `=` after the key", "write `key = value`")
    }

    fn skip_newlines(&mut self) {
        while self.current.kind == Kind::Newline {
            self.bump();
        }
    }
}

/// Whether this token separates a key from its value.
fn is_separator(kind: Kind) -> bool {
    matches!(kind, Kind::Assign | Kind::Colon)
}
