//! Heredocs: `<<END` and `<<-END`.

use std::borrow::Cow;

use uphold_model::{Code, is_identifier};

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use super::piece::{Content, Piece};
use crate::string_scan::{Stop, stop_in_heredoc};
use crate::token::{Kind, Span};
use crate::tree::NodeId;

/// The first line of a heredoc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    marker: Span,
    /// `<<-`: the common indentation of all lines is removed.
    indented: bool,
    /// The end of the first line.
    line_end: usize,
}

impl<'t> Parser<'t> {
    /// Parses a heredoc. The current token is its `<<`.
    pub(super) fn heredoc(&mut self) -> Parsed<NodeId> {
        let span = self.current.span;
        let Some(head) = self.heredoc_head() else { return self.malformed_heredoc(span) };
        self.open(Opening::Heredoc { marker: head.marker }, span)?;
        let base = self.pieces.len();
        self.heredoc_pieces(head, span)?;
        self.current.span = Span::new(self.lexer.at, self.lexer.at);
        self.close();
        if head.indented {
            strip_indent(&mut self.pieces[base..]);
        }
        self.assemble(base, span.to(self.previous))
    }

    /// Parses the rest of the first line; the lexer is after `<<`.
    pub(super) fn heredoc_head(&self) -> Option<Head> {
        let from = self.lexer.at;
        let line = self.text[from..].split('\n').next()?;
        let line_end = from + line.len();
        // Spaces after the marker are invisible, so they are allowed.
        let line = line.trim_end();
        let marker = line.strip_prefix('-').unwrap_or(line);
        let start = from + line.len() - marker.len();
        let valid = line_end < self.text.len() && is_identifier(marker);
        let marker_span = Span::new(start, start + marker.len());
        valid.then_some(Head { marker: marker_span, indented: marker.len() < line.len(), line_end })
    }

    /// Reports further text on the first line. The heredoc is skipped if its end is obvious.
    fn malformed_heredoc<T>(&mut self, span: Span) -> Parsed<T> {
        let error = self.error(
            Code::MalformedHeredoc,
            "nothing may follow the marker of a heredoc on its \
                                                        line",
            span,
        );
        let error = error.fix("write `<<-END`, the text on lines of its own, then a line with `END`");
        let rest = &self.text[self.lexer.at..];
        let line_end = self.lexer.at + rest.find('\n').unwrap_or(rest.len());
        let dash = usize::from(rest.starts_with('-'));
        let mut marker = self.lexer;
        marker.at += dash;
        let marker = marker.next();
        if marker.kind == Kind::Identifier && self.heredoc_ends_soon(marker.span, line_end) {
            self.nesting.push(Opening::Heredoc { marker: marker.span }, span);
            self.lexer.at = line_end;
        }
        self.fail(error)
    }

    fn heredoc_ends_soon(&self, marker: Span, line_end: usize) -> bool {
        /// Few enough lines that the search is cheap, even for a text full of such first lines.
        const LINES: usize = 50;
        let ends = self.text[line_end..].match_indices('\n').take(LINES).map(|(i, _)| line_end + i + 1);
        ends.into_iter().any(|line| self.heredoc_end(marker, line).is_some())
    }

    /// Leaves the lexer at the end of the first line.
    pub(super) fn enter_heredoc(&mut self, head: Head, span: Span) {
        self.nesting.push(Opening::Heredoc { marker: head.marker }, span);
        self.lexer.at = head.line_end;
    }

    /// The end of the marker, if the line that starts at `line` contains only the marker.
    pub(super) fn heredoc_end(&self, marker: Span, line: usize) -> Option<usize> {
        let rest = self.text[line..].trim_start_matches([' ', '\t']);
        let after = rest.strip_prefix(self.word(marker))?;
        let tail = after.trim_start_matches([' ', '\t', '\r']);
        (tail.is_empty() || tail.starts_with('\n')).then_some(self.text.len() - after.len())
    }

    /// Parses all pieces up to the marker; the lexer is after it then.
    fn heredoc_pieces(&mut self, head: Head, span: Span) -> Parsed<()> {
        let base = self.pieces.len();
        let mut line_start = true;
        self.lexer.at = head.line_end + 1;
        loop {
            if line_start && let Some(end) = self.heredoc_end(head.marker, self.lexer.at) {
                self.lexer.at = end;
                return Ok(());
            }
            let from = self.lexer.at;
            let (at, stop) = stop_in_heredoc(self.text.as_bytes(), from);
            let end = if stop == Stop::Newline { at + 1 } else { at };
            self.add_heredoc_text(base, Span::new(from, end), line_start, head.indented);
            line_start = stop == Stop::Newline || (line_start && end == from);
            self.lexer.at = end;
            match stop {
                Stop::Newline => continue,
                Stop::Interpolation => self.interpolation(line_start)?,
                Stop::Directive => self.directive(line_start)?,
                Stop::Doubled => {
                    // The second character and the brace, as they are in the source.
                    let text = Span::new(at + 1, at + 3);
                    self.add_heredoc_text(base, text, line_start, head.indented);
                    self.lexer.at = at + 3;
                }
                _ => return self.unclosed_heredoc(head, span),
            }
            line_start = false;
        }
    }

    /// Adds source text. Unless indentation is stripped, adjacent text becomes one piece.
    fn add_heredoc_text(&mut self, base: usize, span: Span, line_start: bool, indented: bool) {
        if span.start == span.end {
            return;
        }
        let text = self.text;
        match self.pieces[base..].last_mut() {
            Some(Piece { content: Content::Text(last), span: before, .. })
                if !indented && before.end == span.start =>
            {
                before.end = span.end;
                *last = Cow::Borrowed(&text[before.range()]);
            }
            _ => {
                let content = Content::Text(Cow::Borrowed(&text[span.range()]));
                self.pieces.push(Piece { content, span, line_start });
            }
        }
    }

    fn unclosed_heredoc<T>(&mut self, head: Head, span: Span) -> Parsed<T> {
        let marker = crate::excerpt::excerpt(self.word(head.marker));
        let error = self.error(
            Code::UnclosedHeredoc,
            format!("no line contains only {marker}"),
            span.to(head.marker),
        );
        self.fail(error.fix(format!("add a line with {marker} and nothing else where the text ends")))
    }
}

/// Removes the common indentation of all lines. Blank lines neither count nor change.
fn strip_indent(pieces: &mut [Piece<'_>]) {
    let counted = pieces.iter().filter(|piece| piece.line_start && !is_blank(piece));
    let Some(shared) = counted.map(indent).min() else { return };
    for piece in pieces.iter_mut().filter(|piece| piece.line_start && !is_blank(piece)) {
        if let Content::Text(Cow::Borrowed(text)) = &mut piece.content {
            let length = text.char_indices().nth(shared).map_or(text.len(), |(i, _)| i);
            *text = &text[length..];
            piece.span.start += length as u32;
        }
    }
}

fn is_blank(piece: &Piece<'_>) -> bool {
    matches!(&piece.content, Content::Text(text) if text.ends_with('\n') && text.trim_start().is_empty())
}

fn indent(piece: &Piece<'_>) -> usize {
    match &piece.content {
        Content::Text(text) => text.chars().take_while(|c| c.is_whitespace()).count(),
        _ => 0,
    }
}
