//! Parsing quoted strings, their escapes and interpolations.

use std::borrow::Cow;
use std::mem::take;

use uphold_model::{Code, is_identifier};

use super::cursor::{Parsed, Parser};
use super::nesting::{DEEPEST, Opening};
use super::piece::{Content, Piece, Trim};
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

/// The character of the escape at the start of `text`, and its length in bytes; or the length of an invalid escape.
pub(super) fn unescape(text: &str) -> Result<(char, usize), usize> {
    let Some(letter) = text[1..].chars().next() else { return Err(1) };
    match letter {
        'n' => Ok(('\n', 2)),
        'r' => Ok(('\r', 2)),
        't' => Ok(('\t', 2)),
        '"' => Ok(('"', 2)),
        '\\' => Ok(('\\', 2)),
        'u' => code_point(text, 4),
        'U' => code_point(text, 8),
        // A line break is left to the string, which is then unclosed.
        '\n' => Err(1),
        other => Err(1 + other.len_utf8()),
    }
}

fn code_point(text: &str, digits: usize) -> Result<(char, usize), usize> {
    let written = text[2..].bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let length = 2 + written;
    if written < digits {
        return Err(length);
    }
    u32::from_str_radix(&text[2..length], 16)
        .ok()
        .and_then(char::from_u32)
        .map_or(Err(length), |c| Ok((c, length)))
}

/// The maximum number of lines of such a string. A longer search costs time and guesses worse.
const LINES: usize = 20;

/// The position of the closing quote, if an unclosed string on the line before `line_end` seems to continue.
///
/// It does if a line with an odd number of quotes comes before any line that looks like configuration.
pub(super) fn end_on_later_line(text: &str, line_end: usize) -> Option<usize> {
    let mut start = line_end + 1;
    for line in text.get(start..)?.split('\n').take(LINES) {
        if looks_like_configuration(line) {
            return None;
        }
        let quotes = || quotes(line);
        if quotes().count() % 2 == 1 {
            return quotes().next().map(|i| start + i);
        }
        start += line.len() + 1;
    }
    None
}

/// The positions of unescaped quotes.
fn quotes(line: &str) -> impl Iterator<Item = usize> {
    line.match_indices('"').map(|(i, _)| i).filter(|&i| !line[..i].ends_with('\\'))
}

fn looks_like_configuration(line: &str) -> bool {
    let line = line.trim();
    let (first, rest) = line.split_once([' ', '=']).unwrap_or((line, ""));
    let assigns = rest.trim_start().starts_with(['=', '"']) || line[first.len()..].starts_with('=');
    line == "}" || line.ends_with('{') || (is_identifier(first) && assigns)
}

#[cfg(test)]
mod tests {
    use super::{end_on_later_line, unescape};

    #[test]
    fn escapes() {
        let check = |text: &str, expected: Result<(char, usize), usize>| assert_eq!(unescape(text), expected);
        check(r"\n", Ok(('\n', 2)));
        check(r#"\""#, Ok(('"', 2)));
        check(r"\u00e9x", Ok(('é', 6)));
        check(r"\U0001F600", Ok(('😀', 10)));
        check(r"\uD800", Err(6));
        check(r"\U00110000", Err(10));
        check(r"\u12", Err(4));
        check(r"\é", Err(3));
        check("\\\n", Err(1));
        check("\\", Err(1));
    }

    #[test]
    fn ends() {
        let check =
            |text: &str, expected: Option<usize>| assert_eq!(end_on_later_line(text, 0), expected, "{text}");
        check("\nb\"\n", Some(2));
        check("\n\nsay \\\"b\"\n}", Some(9));
        check("\n  w = \"x\n}\n", None);
        check("\n}\nx\"\n", None);
        check("\n  env {\n\"\n", None);
        check("\na \"b\" c\n", None);
        check("", None);
    }
}
