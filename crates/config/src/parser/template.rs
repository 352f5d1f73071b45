//! Parsing quoted strings and interpolations.

use std::borrow::Cow;
use std::mem::take;

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use super::escape::unescape;
use super::nesting::{DEEPEST, Opening};
use super::piece::{Content, Piece, Trim};
use super::several_lines::end_on_later_line;
use crate::excerpt::excerpt;
use crate::string_scan::{Stop, stop_in_quotes};
use crate::token::{Kind, Span};
use crate::tree::{NodeId, NodeKind};

impl<'t> Parser<'t> {
    /// Parses a quoted string. The current token is its opening `"`.
    pub(super) fn quoted(&mut self) -> Parsed<NodeId> {
        let quote = self.current.span;
        let (at, stop) = stop_in_quotes(self.text.as_bytes(), self.lexer.at);
        if stop == Stop::Quote && self.nesting.depth() < DEEPEST {
            // The most common case: no interpolation, and nothing is copied.
            self.finish_quote(at);
            self.bump();
            return Ok(self.leaf(NodeKind::Quoted, quote.to(self.previous)));
        }
        self.open(Opening::Quote, quote)?;
        let base = self.pieces.len();
        self.quoted_pieces(quote)?;
        self.finish_quote(self.lexer.at);
        self.close();
        self.assemble(base, quote.to(self.previous))
    }

    /// Parses up to the closing quote, which is not consumed.
    fn quoted_pieces(&mut self, quote: Span) -> Parsed<()> {
        let mut start = self.lexer.at;
        let mut literal = String::new();
        loop {
            let from = self.lexer.at;
            let (at, stop) = stop_in_quotes(self.text.as_bytes(), from);
            let plain = &self.text[from..at];
            self.lexer.at = at;
            match stop {
                Stop::Backslash => {
                    if literal.is_empty() {
                        literal = self.spare.pop().unwrap_or_default();
                    }
                    literal.push_str(plain);
                    self.escape(&mut literal);
                    continue;
                }
                Stop::Doubled => {
                    literal.push_str(plain);
                    self.doubled(&mut literal);
                    continue;
                }
                Stop::Newline | Stop::End => return self.unclosed_string(quote),
                Stop::Quote | Stop::Interpolation | Stop::Directive => {}
            }
            self.add_text(Span::new(start, at), plain, take(&mut literal));
            match stop {
                Stop::Interpolation => self.interpolation(false)?,
                Stop::Directive => self.directive(false)?,
                _ => return Ok(()),
            }
            start = self.lexer.at;
        }
    }

    /// Adds the text at `span`: `literal`, in which escapes are replaced, then `plain`.
    fn add_text(&mut self, span: Span, plain: &'t str, mut literal: String) {
        let text = if literal.is_empty() {
            Cow::Borrowed(plain)
        } else {
            literal.push_str(plain);
            Cow::Owned(literal)
        };
        if !text.is_empty() {
            self.pieces.push(Piece { content: Content::Text(text), span, line_start: false });
        }
    }

    fn unclosed_string<T>(&mut self, quote: Span) -> Parsed<T> {
        let error = self.error(Code::UnclosedString, "the line ends before the closing `\"`", quote);
        // In a heredoc, the end of the heredoc is the better guess.
        let end = match self.nesting.heredoc() {
            Some(_) => None,
            None => end_on_later_line(self.text, self.lexer.at),
        };
        self.lexer.at = end.unwrap_or(self.lexer.at);
        self.fail(error.fix("add `\"`; for a string of several lines use a heredoc: `<<-END`"))
    }

    /// Makes the closing quote the current token.
    fn finish_quote(&mut self, quote: usize) {
        self.lexer.at = quote + 1;
        self.current.span = Span::new(quote, quote + 1);
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
                let detail = format!("{} is not a valid escape", excerpt(self.word(span)));
                let error = self.error(Code::UnknownEscape, detail, span);
                let fix = r#"use one of \n \r \t \" \\ \uNNNN \UNNNNNNNN, or write `\\` for a backslash"#;
                self.problems.push(error.fix(fix));
                self.lexer.at += length;
            }
        }
    }

    /// `$${` means `${`, and `%%{` means `%{`.
    fn doubled(&mut self, literal: &mut String) {
        let start = self.lexer.at;
        literal.push_str(&self.text[start + 1..start + 3]);
        self.lexer.at += 3;
    }

    /// Parses `${expression}`. The lexer is at the `$`, and after the `}` afterwards.
    pub(super) fn interpolation(&mut self, line_start: bool) -> Parsed<()> {
        let start = self.lexer.at;
        let (span, before) = self.open_sequence()?;
        if self.current.kind == Kind::BraceClose || (before && self.at_trim()) {
            let error = self.error(Code::MissingValue, "`${}` is empty", span.to(self.current.span));
            return self.fail(error.fix("write an expression in it; for a literal `${` write `$${`"));
        }
        self.directive_as_value(span)?;
        let node = self.expression()?;
        let Some(after) = self.close_sequence() else { return self.unclosed_interpolation(span) };
        let span = Span::new(start, self.lexer.at);
        let content = Content::Value(node, Trim { before, after });
        self.pieces.push(Piece { content, span, line_start });
        Ok(())
    }

    fn unclosed_interpolation<T>(&mut self, span: Span) -> Parsed<T> {
        let detail = format!("expected `}}`, found {}", self.found());
        let error = self.error(Code::UnclosedInterpolation, detail, span);
        let fix = match self.current.kind {
            Kind::Tilde => "write `~}` without a space in between",
            _ => "add `}`; for a literal `${` write `$${`",
        };
        self.fail(error.fix(fix))
    }

    /// Parses `${` or `%{`, and `~`. Returns whether there was a `~`.
    pub(super) fn open_sequence(&mut self) -> Parsed<(Span, bool)> {
        let start = self.lexer.at;
        let span = Span::new(start, start + 2);
        self.open(Opening::Interpolation, span)?;
        let trim = self.text[start + 2..].starts_with('~');
        self.lexer.at = start + 2 + usize::from(trim);
        self.bump();
        Ok((span, trim))
    }

    /// Leaves at `}` or `~}`, if that is the current token, with the lexer after it. Returns whether there was a `~`.
    pub(super) fn close_sequence(&mut self) -> Option<bool> {
        let trim = self.at_trim();
        if trim {
            self.lexer.at += 1;
        } else if self.current.kind != Kind::BraceClose {
            return None;
        }
        self.nesting.pop();
        Some(trim)
    }

    /// Whether `~}` is at the current position.
    pub(super) fn at_trim(&self) -> bool {
        self.current.kind == Kind::Tilde && self.text[self.lexer.at..].starts_with('}')
    }
}
