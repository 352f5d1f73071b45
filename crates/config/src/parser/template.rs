//! Quoted strings, and what is filled into texts.

use uphold_model::Value;

use super::cursor::{Parsed, Parser};
use super::escape::unescape;
use super::nesting::Opening;
use super::several_lines::end_on_later_line;
use super::unavailable::Unavailable;
use crate::excerpt::excerpt;
use crate::string_scan::{Stop, stop_in_quotes};
use crate::token::{Kind, Span};
use crate::tree::{Node, NodeId};

/// The parts of a template that is being read.
#[derive(Debug)]
pub(super) struct Parts {
    /// Where they begin in the pending nodes.
    base: usize,
    /// Plain text since the last interpolation.
    literal: String,
    interpolations: usize,
}

impl Parts {
    /// Adds plain text.
    pub(super) fn add_literal(&mut self, text: &str) {
        self.literal.push_str(text);
    }
}

impl Parser<'_, '_> {
    /// A quoted string. The current token is its opening `"`.
    pub(super) fn quoted(&mut self) -> Parsed<NodeId> {
        let quote = self.current.span;
        self.open(Opening::Quote, quote)?;
        let from = self.lexer.at;
        let (at, stop) = stop_in_quotes(self.text.as_bytes(), from);
        if stop == Stop::Quote {
            // By far the most strings: copied once, from the source into their value.
            let text = Node::Known(Value::text(&self.text[from..at]));
            self.leave_quoted(at);
            return Ok(self.node(text, quote.to(self.previous)));
        }
        let mut parts = self.begin_parts();
        if let Err(reported) = self.quoted_parts(quote, &mut parts) {
            self.pending_nodes.truncate(parts.base);
            return Err(reported);
        }
        self.leave_quoted(self.lexer.at);
        Ok(self.end_parts(parts, quote.to(self.previous)))
    }

    /// Up to the closing quote, which is not consumed.
    fn quoted_parts(&mut self, quote: Span, parts: &mut Parts) -> Parsed<()> {
        loop {
            let (at, stop) = stop_in_quotes(self.text.as_bytes(), self.lexer.at);
            parts.literal.push_str(&self.text[self.lexer.at..at]);
            self.lexer.at = at;
            match stop {
                Stop::Quote => return Ok(()),
                Stop::Backslash => self.escape(&mut parts.literal),
                Stop::Doubled => self.doubled(&mut parts.literal),
                Stop::Interpolation => self.interpolation(parts)?,
                Stop::Directive => return self.unavailable_at(Unavailable::Directive, Span::new(at, at + 2)),
                Stop::Newline | Stop::End => return self.unclosed_string(quote),
            }
        }
    }

    fn unclosed_string<T>(&mut self, quote: Span) -> Parsed<T> {
        let error = self.error("unclosed string", "the line ends before the closing `\"`", quote);
        // In a heredoc, the end of the heredoc is the better guess.
        let end = match self.nesting.heredoc() {
            Some(_) => None,
            None => end_on_later_line(self.text, self.lexer.at),
        };
        self.lexer.at = end.unwrap_or(self.lexer.at);
        self.fail(error.fix("add `\"`; for a text of several lines use a heredoc: `<<-END`"))
    }

    fn leave_quoted(&mut self, quote: usize) {
        self.lexer.at = quote + 1;
        self.current.span = Span::new(quote, quote + 1);
        self.close();
    }

    fn escape(&mut self, literal: &mut String) {
        let start = self.lexer.at;
        match unescape(&self.text[start..]) {
            Ok((character, length)) => {
                literal.push(character);
                self.lexer.at += length;
            }
            Err(length) => {
                let span = Span::new(start, start + length);
                let detail = format!("{} means nothing", excerpt(self.word(span)));
                let error = self.error("unknown escape", detail, span);
                let fix = r#"use one of \n \r \t \" \\ \uNNNN \UNNNNNNNN, or write `\\` for a backslash"#;
                self.problems.push(error.fix(fix));
                self.lexer.at += length;
            }
        }
    }

    /// `$${` stands for `${`, `%%{` for `%{`.
    fn doubled(&mut self, literal: &mut String) {
        let start = self.lexer.at;
        literal.push_str(&self.text[start + 1..start + 3]);
        self.lexer.at += 3;
    }

    pub(super) fn begin_parts(&self) -> Parts {
        Parts { base: self.pending_nodes.len(), literal: String::new(), interpolations: 0 }
    }

    /// Adds an expression that was read already.
    pub(super) fn add_interpolated(&mut self, parts: &mut Parts, node: NodeId) {
        self.flush(parts);
        self.pending_nodes.push(node);
        parts.interpolations += 1;
    }

    fn flush(&mut self, parts: &mut Parts) {
        if !parts.literal.is_empty() {
            let text = Value::text(parts.literal.as_str());
            parts.literal.clear();
            let node = self.node(Node::Known(text), self.previous);
            self.pending_nodes.push(node);
        }
    }

    /// One node for all parts. `"${x}"` is x itself, whatever its type.
    pub(super) fn end_parts(&mut self, mut parts: Parts, span: Span) -> NodeId {
        if parts.interpolations == 0 {
            return self.node(Node::Known(Value::text(parts.literal)), span);
        }
        self.flush(&mut parts);
        if let [single] = self.pending_nodes[parts.base..] {
            self.pending_nodes.truncate(parts.base);
            return single;
        }
        let children = self.children(parts.base);
        self.node(Node::Template(children), span)
    }

    fn interpolation(&mut self, parts: &mut Parts) -> Parsed<()> {
        let node = self.interpolated()?;
        self.add_interpolated(parts, node);
        Ok(())
    }

    /// `${expression}`; the lexer stands on the `$`, and after the `}` afterwards.
    pub(super) fn interpolated(&mut self) -> Parsed<NodeId> {
        let start = self.lexer.at;
        let span = Span::new(start, start + 2);
        self.open(Opening::Interpolation, span)?;
        self.lexer.at = start + 2;
        self.bump();
        if self.word(self.current.span) == "~" {
            return self.unavailable(Unavailable::TrimMarker);
        }
        if self.current.kind == Kind::BraceClose {
            let error =
                self.error("empty interpolation", "nothing stands in `${}`", span.to(self.current.span));
            return self.fail(error.fix("write an expression in it; for a literal `${` write `$${`"));
        }
        let node = self.expression()?;
        if self.word(self.current.span) == "~" {
            return self.unavailable(Unavailable::TrimMarker);
        }
        if self.current.kind != Kind::BraceClose {
            return self.unclosed_interpolation(span);
        }
        self.nesting.pop();
        Ok(node)
    }

    fn unclosed_interpolation<T>(&mut self, span: Span) -> Parsed<T> {
        let detail = format!("expected `}}`, found {}", self.found());
        let error = self.error("unclosed interpolation", detail, span);
        self.fail(error.fix("add `}`; for a literal `${` write `$${`"))
    }
}
