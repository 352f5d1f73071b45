//! Blocks: `kind "label" { … }`.

use uphold_model::{Code, Diagnostic, foreign_argument, foreign_kind};

use super::cursor::{Parsed, Parser, Reported};
use super::nesting::Opening;
use crate::token::{Kind, Span};
use crate::tree::{Content, Item, Labels, NodeId, NodeKind};

impl<'t> Parser<'t> {
    /// Parses a block whose kind was just read.
    pub(super) fn block(&mut self, kind: Span) -> Parsed<Item<'t>> {
        let labels = self.labels()?;
        let brace = self.opening_brace(kind)?;
        self.open(Opening::Block, brace)?;
        if self.current.kind == Kind::BraceOpen {
            self.bump();
        }
        let items = self.body(kind);
        let value = match self.current.kind {
            Kind::BraceClose => brace.to(self.current.span),
            _ => brace,
        };
        self.close_block();
        Ok(Item { key: self.word(kind), name: kind, value, content: Content::Block { labels, items } })
    }

    fn close_block(&mut self) {
        match self.current.kind {
            Kind::BraceClose => self.close(),
            _ => self.nesting.pop(),
        }
    }

    fn labels(&mut self) -> Parsed<Labels> {
        let base = self.pending_nodes.len();
        loop {
            let span = self.current.span;
            let label = match self.current.kind {
                Kind::Identifier => {
                    self.bump();
                    self.tree.add_leaf(NodeKind::Name, span)
                }
                Kind::Quote => self.quoted_label(span)?,
                Kind::Stray if self.wrong_quote().is_some() => self.wrongly_quoted_label()?,
                _ => break,
            };
            self.pending_nodes.push(label);
        }
        let labels = self.tree.add_labels(&self.pending_nodes[base..]);
        self.pending_nodes.truncate(base);
        Ok(labels)
    }

    fn quoted_label(&mut self, span: Span) -> Parsed<NodeId> {
        let problems = self.problems.len();
        let node = match self.quoted() {
            Ok(node) => node,
            Err(reported) => return self.label_without_end(span).ok_or(reported),
        };
        let span = span.to(self.previous);
        if self.tree.sort(node).is_text() {
            Ok(node)
        } else {
            // Further problems in the label are dropped.
            self.problems.truncate(problems);
            let error = self.error(Code::NotPlain, "a label must be a plain string", span);
            let fix = "write a plain label, and set the computed name in the block, such as `path = …`";
            self.problems.push(error.fix(fix));
            Ok(self.text_leaf(&plain_label(self.word(span)), span))
        }
    }

    /// `kind "label {`: only the closing quote is missing. Leaves `{` as the current token.
    fn label_without_end(&mut self, quote: Span) -> Option<NodeId> {
        let open = self.nesting.innermost()?;
        let from = quote.end as usize;
        let line = self.text[from..].split('\n').next()?.trim_end();
        let label = line.strip_suffix('{')?;
        if open.what != Opening::Quote || open.span != quote || label.contains(['"', '$']) {
            return None;
        }
        self.nesting.pop();
        self.pieces.clear();
        self.lexer.at = from + label.len();
        self.bump();
        let label = label.trim_end();
        Some(self.text_leaf(label, quote.to(Span::new(from, from + label.len()))))
    }

    /// Leaves `{` as the current token. If it is on the next line, or missing before an indented body, that is reported
    /// and parsing continues.
    fn opening_brace(&mut self, kind: Span) -> Parsed<Span> {
        if self.current.kind == Kind::BraceOpen {
            return Ok(self.current.span);
        }
        if self.current.kind == Kind::Newline && self.brace_on_next_line() {
            self.bump();
            let error = self.error(
                Code::BraceOnNextLine,
                "the `{` of a block must be on the line of its label",
                self.current.span,
            );
            self.problems.push(error.fix("move `{` up to the end of the line above"));
            return Ok(self.current.span);
        }
        let error = self.missing_brace(kind);
        self.problems.push(error);
        if self.body_on_next_line() { Ok(self.here()) } else { Err(Reported) }
    }

    fn missing_brace(&self, kind: Span) -> Diagnostic {
        let detail = format!("expected `{{` after the label, found {}", self.found());
        let word = self.word(kind);
        let word = if word.len() > 40 { "name" } else { word };
        let error = self.error(Code::MissingBrace, detail, self.here());
        let several = "one block has one name: for several resources, write `for_each = […]` in the block";
        match (self.nesting.depth(), foreign_argument(word)) {
            (0, _) if self.current.kind == Kind::Assign => {
                error.fix(format!("write a block, without `=`: `{word} \"label\" {{ … }}`"))
            }
            (0, _) if self.current.kind == Kind::Comma => error.fix(several),
            (0, _) if let Some(hint) = foreign_kind(word) => error.fix(hint),
            (0, _) => error.fix(format!("write a block: `{word} \"label\" {{ … }}`")),
            (_, Some(hint)) => error.fix(hint),
            (_, None) => {
                error.fix(format!("write `{word} = value`, or a block without a label: `{word} {{ … }}`"))
            }
        }
    }

    /// Whether the line after a block's header belongs to its body: an indented attribute.
    fn body_on_next_line(&self) -> bool {
        let mut next = self.lexer;
        let first = next.next();
        let indented = self.text[..first.span.start as usize].ends_with([' ', '\t']);
        self.nesting.depth() == 0
            && self.current.kind == Kind::Newline
            && (first.kind == Kind::Identifier && indented && next.next().kind == Kind::Assign)
    }

    /// Whether the next line starts with `{`. The current token is the line break.
    pub(super) fn brace_on_next_line(&self) -> bool {
        self.lexer.clone().next().kind == Kind::BraceOpen
    }

    /// Reports that the innermost block is not closed, once for all open blocks.
    pub(super) fn unclosed_block(&mut self) {
        if self.unclosed_at == Some(self.current.span.start) {
            return;
        }
        self.unclosed_at = Some(self.current.span.start);
        // The span of a missing brace is empty, and its block was already reported.
        if let Some(open) = self.nesting.innermost().filter(|open| open.span.start < open.span.end) {
            let error = self.error(Code::UnclosedBlock, "this `{` has no `}`", open.span);
            let error = match self.current.kind {
                Kind::End => error,
                _ => error.and_at(self.current.span.place(self.source), "the next block starts here"),
            };
            self.problems.push(error.fix("add `}` on a line of its own where the block ends"));
        }
    }
}

/// A label in place of a computed one, so that mistakes in the block are reported, too: most kinds accept it as a name.
fn plain_label(written: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '/';
    let words = written.split(|c| !plain(c)).filter(|word| !word.is_empty());
    let label = words.collect::<Vec<_>>().join("-").replace("/-", "/").replace("-/", "/");
    // `"${param.home}/bin"` most likely is an absolute path.
    if written.starts_with("\"${") && label.contains('/') { format!("/{label}") } else { label }
}
