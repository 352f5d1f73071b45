//! References: `kind.name.field`, `kind["name"].list[0]`; and words that are none.

use uphold_model::{Name, Reference, ResourceId, Value};

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use super::unavailable::Unavailable;
use crate::excerpt::excerpt;
use crate::token::{Kind, Span};
use crate::tree::{Node, NodeId, Word};

/// First words of references that will mean something else than a kind.
const RESERVED_ROOTS: [&str; 4] = ["each", "local", "module", "param"];

impl Parser<'_, '_> {
    /// A reference, or a word on its own. The current token is its first name, at `root`.
    pub(super) fn reference(&mut self, root: Span) -> Parsed<NodeId> {
        self.bump();
        let mut steps = Vec::new();
        while let Some(step) = self.step_of_path(steps.is_empty())? {
            steps.push(step);
        }
        let span = root.to(self.previous);
        if self.current.kind == Kind::ParenOpen {
            return self.unavailable_at(Unavailable::Call, span);
        }
        if steps.is_empty() {
            let in_template =
                self.nesting.innermost().is_some_and(|open| open.what == Opening::Interpolation);
            self.tree.words.push(Word { span: root, in_template });
            return Ok(self.node(Node::Word, root));
        }
        self.reserved_root(root, span);
        let name = steps.remove(0);
        let target = ResourceId { kind: self.names.get(self.word(root)), name };
        let reference = Reference { target, path: steps, place: Some(span.place(self.source)) };
        Ok(self.tree.add_reference(reference, span))
    }

    fn reserved_root(&mut self, root: Span, span: Span) {
        if RESERVED_ROOTS.contains(&self.word(root)) {
            let detail = format!("{} is not part of the language yet", excerpt(self.word(span)));
            let error = self.error("reference not available yet", detail, span);
            self.problems.push(error.fix("write the value out"));
        }
    }

    /// `.name`, `.0`, `["name"]` or `[0]`, if one follows.
    fn step_of_path(&mut self, first: bool) -> Parsed<Option<Name>> {
        match self.current.kind {
            Kind::Dot => {
                self.bump();
                self.field(first).map(Some)
            }
            Kind::BracketOpen => self.index(first).map(Some),
            _ => Ok(None),
        }
    }

    fn field(&mut self, first: bool) -> Parsed<Name> {
        let span = self.current.span;
        match self.current.kind {
            Kind::Identifier => {
                let name = self.names.get(self.word(span));
                self.bump();
                Ok(name)
            }
            Kind::Number => self.position(first),
            Kind::Star => self.unavailable(Unavailable::Splat),
            _ => {
                let detail = format!("{} is no name of a field", self.found());
                let error = self.error("incomplete reference", detail, self.here());
                self.fail(error.fix("write a name after `.`, or `[\"any name\"]` instead of `.`"))
            }
        }
    }

    fn index(&mut self, first: bool) -> Parsed<Name> {
        self.open(Opening::Bracket, self.current.span)?;
        self.bump();
        let name = match self.current.kind {
            Kind::Quote => self.text_index()?,
            Kind::Number => self.position(first)?,
            Kind::Star => return self.unavailable(Unavailable::Splat),
            Kind::Stray if self.wrong_quote().is_some() || self.escaped_quote() => {
                return self.wrongly_quoted();
            }
            _ => return self.no_index(self.here()),
        };
        if self.current.kind != Kind::BracketClose {
            return self.unclosed("unclosed `[`", "expected `]`", "add `]`");
        }
        self.close();
        Ok(name)
    }

    fn text_index(&mut self) -> Parsed<Name> {
        let node = self.quoted()?;
        match self.tree.node(node) {
            Node::Known(Value::Text(text)) => Ok(text.clone()),
            _ => self.no_index(self.tree.span(node)),
        }
    }

    fn no_index<T>(&mut self, span: Span) -> Parsed<T> {
        let error =
            self.error("index is not a literal", "what a reference points to is known from the start", span);
        self.fail(error.fix("write plain text in quotes, or a whole number"))
    }

    /// A whole number: a place in a list.
    fn position(&mut self, first: bool) -> Parsed<Name> {
        let span = self.current.span;
        let digits = self.word(span);
        if first {
            let error = self.error("resource named by a number", "a resource's name is text", span);
            return self.fail(error.fix("write the name in brackets and quotes: `kind[\"name\"]`"));
        }
        if digits.len() > 9 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return self.no_index(span);
        }
        self.bump();
        let plain = digits.trim_start_matches('0');
        Ok(self.names.get(if plain.is_empty() { "0" } else { plain }))
    }
}
