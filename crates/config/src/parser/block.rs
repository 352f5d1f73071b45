//! Blocks: `kind "label" { … }`.

use uphold_model::Value;

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use crate::token::{Kind, Span};
use crate::tree::{Content, Item, Label, Node, Slice};

impl Parser<'_, '_> {
    /// A block whose kind was just read.
    pub(super) fn block(&mut self, kind: Span) -> Parsed<Item> {
        let (references, words) = (self.tree.references.len(), self.tree.words.len());
        let labels = self.labels()?;
        self.opening_brace(kind)?;
        let brace = self.current.span;
        self.open(Opening::Block, brace)?;
        self.bump();
        let items = self.body();
        let value = match self.current.kind {
            Kind::BraceClose => brace.to(self.current.span),
            _ => brace,
        };
        self.close_block();
        Ok(Item {
            key: self.names.get(self.word(kind)),
            name: kind,
            value,
            content: Content::Block { labels, items },
            references: Slice::new(references, self.tree.references.len()),
            words: Slice::new(words, self.tree.words.len()),
        })
    }

    fn close_block(&mut self) {
        match self.current.kind {
            Kind::BraceClose => self.close(),
            _ => self.nesting.pop(),
        }
    }

    fn labels(&mut self) -> Parsed<Slice> {
        let start = self.tree.label_count();
        loop {
            let span = self.current.span;
            let label = match self.current.kind {
                Kind::Identifier => {
                    self.bump();
                    Label { text: self.names.get(self.word(span)), span }
                }
                Kind::Quote => self.quoted_label(span)?,
                _ => return Ok(Slice::new(start, self.tree.label_count())),
            };
            self.tree.add_label(label);
        }
    }

    fn quoted_label(&mut self, span: Span) -> Parsed<Label> {
        let node = match self.quoted() {
            Ok(node) => node,
            Err(reported) => return self.label_without_end(span).ok_or(reported),
        };
        let span = span.to(self.tree.span(node));
        match self.tree.node(node) {
            Node::Known(Value::Text(text)) => Ok(Label { text: text.clone(), span }),
            _ => {
                let error =
                    self.error("label is not plain text", "a block's label is read first of all", span);
                self.fail(error.fix("write the name out, without `${…}`"))
            }
        }
    }

    /// `kind "label {`: the quote is missing, the block is not. Stands on `{` afterwards.
    fn label_without_end(&mut self, quote: Span) -> Option<Label> {
        let open = self.nesting.innermost()?;
        let from = quote.end as usize;
        let line = self.text[from..].split('\n').next()?.trim_end();
        let label = line.strip_suffix('{')?;
        if open.what != Opening::Quote || open.span != quote || label.contains(['"', '$']) {
            return None;
        }
        self.nesting.pop();
        self.lexer.at = from + label.len();
        self.bump();
        let label = label.trim_end();
        Some(Label { text: label.into(), span: quote.to(Span::new(from, from + label.len())) })
    }

    /// Stands on `{` afterwards. One on the next line is a mistake that hides nothing.
    fn opening_brace(&mut self, kind: Span) -> Parsed<()> {
        if self.current.kind == Kind::BraceOpen {
            return Ok(());
        }
        if self.current.kind == Kind::Newline && self.brace_on_next_line() {
            self.bump();
            let error = self.error(
                "`{` on the next line",
                "a block's `{` ends the line of its label",
                self.current.span,
            );
            self.problems.push(error.fix("move `{` up to the end of the line above"));
            return Ok(());
        }
        let detail = format!("after the label comes {}", self.found());
        let word = self.word(kind);
        let word = if word.len() > 40 { "name" } else { word };
        let error = self.error("missing `{` or `=`", detail, self.here());
        self.fail(error.fix(format!("write `{word} \"label\" {{ … }}`, or `{word} = value`")))
    }

    /// Whether the next line starts with `{`. The current token is the line end.
    pub(super) fn brace_on_next_line(&self) -> bool {
        self.lexer.clone().next().kind == Kind::BraceOpen
    }

    /// The innermost block has no end. Only said once for all blocks that are open.
    pub(super) fn unclosed_block(&mut self) {
        if self.unclosed_at == Some(self.current.span.start) {
            return;
        }
        self.unclosed_at = Some(self.current.span.start);
        if let Some(open) = self.nesting.innermost() {
            let error = self.error("unclosed block", "this `{` has no `}`", open.span);
            let error = match self.current.kind {
                Kind::End => error,
                _ => error.and_at(self.current.span.place(self.source), "the next block starts here"),
            };
            self.problems.push(error.fix("add `}` on a line of its own where the block ends"));
        }
    }
}
