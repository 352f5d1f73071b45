//! Recovery: after a mistake, finds the next line where parsing can continue.
//!
//! It is not recursive: open brackets are known, so that brackets, strings and heredocs are skipped as a whole at any
//! depth. No text is skipped twice.

use super::cursor::Parser;
use super::nesting::Opening;
use crate::string_scan::{Stop, stop_in_quotes};
use crate::token::{Kind, Span};

impl Parser<'_> {
    /// Skips to the end of the item that started when `base` levels were open, and closes all levels above.
    pub(super) fn recover(&mut self, base: usize) {
        self.pending_nodes.clear();
        self.pieces.clear();
        loop {
            if let Some(marker) = self.nesting.leave_to_heredoc(base) {
                self.skip_heredoc(marker);
                continue;
            }
            match self.nesting.above(base) {
                Some(Opening::Quote) => self.skip_quoted(),
                inner => {
                    if self.at_item_end(base, inner) {
                        self.recovered_at = Some(self.current.span.start);
                        return self.nesting.truncate(base);
                    }
                    self.skip_token(base, inner);
                }
            }
        }
    }

    fn at_item_end(&mut self, base: usize, inner: Option<Opening>) -> bool {
        match self.current.kind {
            Kind::End => {
                self.unclosed_at = Some(self.current.span.start);
                true
            }
            Kind::Newline => inner.is_none(),
            Kind::BraceClose => inner.is_none() && base > 0,
            Kind::Identifier if self.line_start && inner.is_some() => self.starts_anew(inner),
            _ => false,
        }
    }

    /// Whether the line cannot belong to the open bracket, so that its closing bracket is missing.
    fn starts_anew(&mut self, inner: Option<Opening>) -> bool {
        if self.starts_block_at_margin() {
            self.unclosed_at = Some(self.current.span.start);
            return true;
        }
        let no_entries = !matches!(inner, Some(Opening::Object));
        no_entries && self.lexer.clone().next().kind == Kind::Assign
    }

    /// Whether the current token starts a block with a label at the left margin. Most blocks contain no labelled
    /// blocks, so that everything open there should have been closed.
    pub(super) fn starts_block_at_margin(&self) -> bool {
        let start = self.current.span.start as usize;
        (start == 0 || self.text.as_bytes()[start - 1] == b'\n')
            && matches!(self.lexer.clone().next().kind, Kind::Quote | Kind::Identifier)
    }

    fn skip_token(&mut self, base: usize, inner: Option<Opening>) {
        let span = self.current.span;
        match self.current.kind {
            Kind::BraceOpen => self.nesting.push(Opening::Object, span),
            Kind::BracketOpen => self.nesting.push(Opening::Bracket, span),
            Kind::ParenOpen => self.nesting.push(Opening::Paren, span),
            Kind::Quote => return self.nesting.push(Opening::Quote, span),
            Kind::Heredoc => {
                if let Some(head) = self.heredoc_head() {
                    return self.enter_heredoc(head, span);
                }
            }
            Kind::BraceClose => return self.skip_brace(base),
            // It was meant to be part of the enclosing string.
            Kind::Stray if self.escaped_quote() => self.lexer.at += 1,
            Kind::BracketClose if inner == Some(Opening::Bracket) => self.nesting.pop(),
            Kind::ParenClose if inner == Some(Opening::Paren) => self.nesting.pop(),
            _ => {}
        }
        self.step();
    }

    /// A `}` closes unclosed brackets inside. After an interpolation its string continues, and at `base` the `}`
    /// belongs to the body: neither is consumed.
    fn skip_brace(&mut self, base: usize) {
        while matches!(self.nesting.above(base), Some(Opening::Bracket | Opening::Paren)) {
            self.nesting.pop();
        }
        let closed = self.nesting.above(base);
        if closed.is_some() {
            self.nesting.pop();
        }
        if closed != Some(Opening::Interpolation) && (closed.is_some() || base == 0) {
            self.step();
        }
    }

    fn skip_quoted(&mut self) {
        let (at, stop) = stop_in_quotes(self.text.as_bytes(), self.lexer.at);
        self.lexer.at = at;
        match stop {
            Stop::Quote => {
                self.lexer.at += 1;
                self.nesting.pop();
                self.step();
            }
            Stop::Backslash => {
                let escaped = self.text.as_bytes().get(at + 1);
                self.lexer.at += if matches!(escaped, Some(b'"' | b'\\')) { 2 } else { 1 };
            }
            Stop::Newline | Stop::End => {
                self.nesting.leave_quotes();
                self.step();
            }
            Stop::Doubled => self.lexer.at += 3,
            Stop::Interpolation | Stop::Directive => self.enter_interpolation(at),
        }
    }

    /// Skips to the end of a heredoc, line by line: if an expression in it is unclosed, none of its text is an
    /// expression.
    fn skip_heredoc(&mut self, marker: Span) {
        let from = self.lexer.at;
        let mut lines = self.text[from..].match_indices('\n').map(|(i, _)| from + i + 1);
        let end = lines.find_map(|line| self.heredoc_end(marker, line));
        self.lexer.at = end.unwrap_or(self.text.len());
        self.nesting.pop();
        self.step();
    }

    fn enter_interpolation(&mut self, at: usize) {
        self.nesting.push(Opening::Interpolation, Span::new(at, at + 2));
        self.lexer.at = at + 2;
        self.step();
    }
}
