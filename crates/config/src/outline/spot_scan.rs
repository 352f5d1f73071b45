//! Scans a text up to one position.

use std::ops::Range;

use uphold_model::{Name, is_identifier};

use super::frame::{Frame, Inside};
use super::spot::{Expected, Spot, SpotBlock};
use super::{Link, Scan};
use crate::string_scan::{Stop, stop_in_heredoc, stop_in_quotes};
use crate::token::{Kind, Span, Token};

/// The maximum nesting. No text that a person writes reaches it; the parser rejects it, too.
const DEEPEST: usize = 500;

/// Scans a text up to one position.
pub(super) struct SpotScan<'t> {
    scan: Scan<'t>,
    offset: usize,
}

/// What is at the position.
enum Found {
    /// Outside of strings; the range of the word there, or an empty range.
    Word(Range<usize>),
    /// Inside a quoted string.
    Text(Range<usize>),
    /// Inside a comment, a heredoc or a number.
    Nothing,
}

impl<'t> SpotScan<'t> {
    pub(super) fn new(text: &'t str, offset: usize) -> Self {
        Self { scan: Scan::new(text), offset }
    }

    pub(super) fn run(mut self) -> Spot {
        loop {
            let found = match self.scan.frames.last() {
                _ if self.scan.frames.len() > DEEPEST => Some(Found::Nothing),
                Some(Frame::Quote(_)) => self.quoted(),
                Some(Frame::Heredoc { .. }) => self.heredoc(),
                _ => self.outside(),
            };
            if let Some(found) = found {
                return self.spot(found);
            }
        }
    }

    fn outside(&mut self) -> Option<Found> {
        let before = self.scan.lexer.at;
        let token = self.scan.lexer.next();
        self.scan.close_at_line_start(token);
        let Range { start, end } = token.span.range();
        if self.offset <= start || matches!(token.kind, Kind::End | Kind::OpenComment) {
            let empty = self.offset..self.offset;
            return Some(match self.in_comment(before) {
                true => Found::Nothing,
                // The position is right before a word.
                false if self.offset == start && token.kind == Kind::Identifier => Found::Word(start..end),
                false => Found::Word(empty),
            });
        }
        if self.offset <= end && token.kind == Kind::Identifier {
            return Some(Found::Word(start..end));
        }
        if self.offset < end || (self.offset == end && token.kind == Kind::Number) {
            return Some(Found::Nothing);
        }
        self.pass(token);
        None
    }

    /// Whether a comment starts after `from` and extends to the position; only blanks and comments are in between.
    fn in_comment(&self, from: usize) -> bool {
        let mut gap = self.scan.text.get(from..self.offset).unwrap_or_default().trim_start();
        while let Some((_, rest)) = gap.strip_prefix("/*").and_then(|comment| comment.split_once("*/")) {
            gap = rest.trim_start();
        }
        gap.starts_with(['#', '/'])
    }

    fn pass(&mut self, token: Token) {
        match token.kind {
            Kind::Heredoc => self.enter_heredoc(),
            Kind::Newline => {
                self.scan.take(token);
                self.stop_at_marker();
            }
            _ => self.scan.take(token),
        }
    }

    fn quoted(&mut self) -> Option<Found> {
        let Some(Frame::Quote(quote)) = self.scan.frames.last() else { return None };
        let (piece, start) = (quote.piece, quote.start);
        let (at, stop) = stop_in_quotes(self.scan.text.as_bytes(), self.scan.lexer.at);
        if self.offset <= at {
            return Some(Found::Text(piece..at));
        }
        let after = |width: usize| (at + width).min(self.scan.text.len());
        match stop {
            Stop::Quote => self.close_quote(start, at),
            Stop::Backslash => self.scan.lexer.at = after(2),
            Stop::Doubled => self.scan.lexer.at = after(3),
            Stop::Interpolation | Stop::Directive => self.enter_interpolation(at),
            Stop::Newline | Stop::End => self.cut_quotes(at),
        }
        None
    }

    fn close_quote(&mut self, start: usize, end: usize) {
        self.scan.lexer.at = end + 1;
        self.scan.frames.pop();
        let text: Name = self.scan.text.get(start + 1..end).unwrap_or_default().into();
        match self.scan.frames.last_mut() {
            Some(Frame::Bracket { inside, .. }) if *inside == Inside::Begun => {
                *inside = Inside::One(text, Span::new(start, end + 1));
            }
            Some(Frame::Body(body)) if !body.assigned && !body.words.is_empty() => body.words.push(text),
            _ => {}
        }
    }

    /// The end of a line closes a string and those that enclose it.
    fn cut_quotes(&mut self, at: usize) {
        self.scan.lexer.at = at;
        let frames = &mut self.scan.frames;
        let body = frames.iter().rposition(|frame| matches!(frame, Frame::Body(_))).unwrap_or(0);
        let quote = frames[body..].iter().position(|frame| matches!(frame, Frame::Quote(_)));
        frames.truncate(quote.map_or(frames.len(), |quote| body + quote).max(1));
    }

    fn enter_interpolation(&mut self, at: usize) {
        self.scan.lexer.at = at + 2;
        self.scan.frames.push(Frame::Interpolation);
        self.scan.link = Link::None;
    }

    /// The lexer is after `<<`; afterwards it is at the end of the line.
    fn enter_heredoc(&mut self) {
        let from = self.scan.lexer.at;
        let line = self.scan.text[from..].split('\n').next().unwrap_or_default();
        let end = from + line.len();
        let line = line.trim_end();
        let marker = line.strip_prefix('-').unwrap_or(line);
        if is_identifier(marker) {
            let start = from + line.len() - marker.len();
            self.scan.frames.push(Frame::Heredoc { marker: Span::new(start, start + marker.len()) });
            self.scan.lexer.at = end;
        }
    }

    fn heredoc(&mut self) -> Option<Found> {
        let (at, stop) = stop_in_heredoc(self.scan.text.as_bytes(), self.scan.lexer.at);
        if self.offset <= at {
            return Some(Found::Nothing);
        }
        match stop {
            Stop::Interpolation | Stop::Directive => self.enter_interpolation(at),
            Stop::Doubled => self.scan.lexer.at = at + 3,
            _ => {
                self.scan.lexer.at = at + 1;
                self.stop_at_marker();
            }
        }
        None
    }

    /// At the start of a line: closes the heredoc that it ends, with everything open inside.
    fn stop_at_marker(&mut self) {
        let heredoc = self.scan.frames.iter().rposition(|frame| matches!(frame, Frame::Heredoc { .. }));
        let Some(number) = heredoc else { return };
        let Frame::Heredoc { marker } = self.scan.frames[number] else { return };
        let rest = self.scan.text[self.scan.lexer.at..].trim_start_matches([' ', '\t']);
        let Some(after) = rest.strip_prefix(&self.scan.text[marker.range()]) else { return };
        let tail = after.trim_start_matches([' ', '\t', '\r']);
        if tail.is_empty() || tail.starts_with('\n') {
            self.scan.frames.truncate(number);
            self.scan.lexer.at = self.scan.text.len() - after.len();
        }
    }

    fn spot(self, found: Found) -> Spot {
        let (expected, word) = match found {
            Found::Nothing => (Expected::Nothing, self.offset..self.offset),
            Found::Word(word) => (self.expected_word(&word), word),
            Found::Text(word) => (self.expected_text(), word),
        };
        let block = |frame: &Frame| match frame {
            Frame::Body(body) => body.block.clone(),
            _ => None,
        };
        let blocks: Vec<SpotBlock> = self.scan.frames.iter().filter_map(block).collect();
        Spot { blocks, expected, word }
    }

    fn expected_word(&self, word: &Range<usize>) -> Expected {
        match self.scan.frames.last() {
            Some(Frame::Body(body)) if !body.assigned => self.before_assign(),
            Some(Frame::Object(object)) if object.key && !object.looped => Expected::Nothing,
            top => match (self.attribute(), self.scan.link) {
                (None, _) | (_, Link::Loose) => Expected::Nothing,
                (Some(_), Link::Name) if word.is_empty() => Expected::Nothing,
                (Some(attribute), Link::Dot) => {
                    Expected::Step { attribute, before: self.scan.path.clone(), quoted: false }
                }
                (Some(attribute), _) => {
                    let whole = matches!(top, Some(Frame::Body(body)) if body.fresh);
                    Expected::Word { attribute, whole }
                }
            },
        }
    }

    fn expected_text(&self) -> Expected {
        let [.., outer, Frame::Quote(quote)] = &self.scan.frames[..] else { return Expected::Nothing };
        match (outer, self.attribute()) {
            (Frame::Body(body), _) if !body.assigned => self.before_assign(),
            (Frame::Bracket { path, inside: Inside::Begun }, Some(attribute)) if !path.is_empty() => {
                Expected::Step { attribute, before: path.clone(), quoted: true }
            }
            (_, Some(attribute)) => Expected::Text { attribute, whole: quote.whole && quote.plain },
            (_, None) => Expected::Nothing,
        }
    }

    /// The first word of a line, or a label.
    fn before_assign(&self) -> Expected {
        let body = self.scan.frames.iter().rev().find_map(|frame| match frame {
            Frame::Body(body) => Some(body),
            _ => None,
        });
        match body.and_then(|body| body.words.split_first()) {
            Some((kind, before)) => Expected::Label { kind: kind.clone(), before: before.to_vec() },
            None => Expected::Name,
        }
    }

    /// The attribute whose value contains the position.
    fn attribute(&self) -> Option<Name> {
        let body = self.scan.frames.iter().rev().find_map(|frame| match frame {
            Frame::Body(body) => Some(body),
            _ => None,
        })?;
        body.words.first().filter(|_| body.assigned).cloned()
    }
}
