//! The tokens of a text, including comments and line breaks.

use uphold_model::{continues_identifier, is_identifier};

use crate::template::{Fault, Template, end_of_comment, end_of_line};
use crate::token::{Bracket, Kind, Token};
use crate::unformattable::{Cause, Unformattable};

/// All tokens of `text`, in order. Every byte between them is a space, a tab or a carriage return.
///
/// Brackets are balanced, and only a line break or the end of the text follows a heredoc or a line comment.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, Unformattable> {
    let lexer = Lexer { text, at: 0, tokens: Vec::new(), open: Vec::new() };
    lexer.all().map_err(|(cause, span)| Unformattable::new(text, cause, span))
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    tokens: Vec<Token>,
    /// Open brackets.
    open: Vec<(Bracket, usize)>,
}

impl Lexer<'_> {
    fn all(mut self) -> Result<Vec<Token>, Fault> {
        while let Some(first) = self.after_blank() {
            let start = self.at;
            let (kind, end) = self.token(first)?;
            self.match_bracket(kind, start)?;
            self.tokens.push(Token { kind, start, end, spaces: 0 });
            self.at = end;
        }
        match self.open.pop() {
            Some((_, at)) => Err((Cause::UnclosedBracket, at..at + 1)),
            None => Ok(self.tokens),
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Skips blanks, and the carriage return of a line break.
    fn after_blank(&mut self) -> Option<u8> {
        while matches!((self.byte(0)?, self.byte(1)), (b' ' | b'\t', _) | (b'\r', Some(b'\n') | None)) {
            self.at += 1;
        }
        self.byte(0)
    }

    /// The token that starts here, and its end.
    fn token(&self, first: u8) -> Result<(Kind, usize), Fault> {
        let (text, at) = (self.text, self.at);
        Ok(match (first, self.byte(1)) {
            (b'#', _) | (b'/', Some(b'/')) => (Kind::LineComment, self.end_of_line_comment()),
            (b'/', Some(b'*')) => (Kind::BlockComment, end_of_comment(text, at)?),
            (b'"', _) => (Kind::Quoted, Template::end_of_quoted(text, at)?),
            (b'<', Some(b'<')) => (Kind::Heredoc, Template::end_of_heredoc(text, at)?),
            (b'0'..=b'9', _) => (Kind::Number, self.end_of_number()),
            _ => match sign(first, self.byte(1), self.byte(2)) {
                Some((kind, length)) => (kind, at + length),
                None => (Kind::Identifier, self.end_of_identifier()?),
            },
        })
    }

    /// Trailing white space is not part of the comment.
    fn end_of_line_comment(&self) -> usize {
        let end = end_of_line(self.text, self.at);
        self.at + self.text[self.at..end].trim_end().len()
    }

    fn end_of_identifier(&self) -> Result<usize, Fault> {
        let rest = &self.text[self.at..];
        let first = rest.chars().next().map_or(0, char::len_utf8);
        if !is_identifier(&rest[..first]) {
            return Err((Cause::StrayCharacter, self.at..self.at + first));
        }
        let length = rest.find(|c: char| !continues_identifier(c));
        Ok(self.at + length.unwrap_or(rest.len()))
    }

    /// Digits, a fraction, an exponent, and any letters that follow: the number is not validated here. After a dot the
    /// digits are an index, and the next dot belongs to the next index.
    fn end_of_number(&self) -> usize {
        let bytes = self.text.as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let index = self.tokens.last().is_some_and(|token| token.kind == Kind::Dot);
        let mut end = self.at;
        while let Some(byte) = bytes.get(end) {
            end += match byte {
                b'e' | b'E' if matches!(bytes.get(end + 1), Some(b'+' | b'-')) && digit(end + 2) => 2,
                b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | b'_' => 1,
                b'.' if !index && digit(end + 1) => 1,
                _ => break,
            };
        }
        end
    }

    fn match_bracket(&mut self, kind: Kind, at: usize) -> Result<(), Fault> {
        match kind {
            Kind::Open(bracket) => self.open.push((bracket, at)),
            Kind::Close(bracket) => match self.open.pop() {
                None => return Err((Cause::UnopenedBracket, at..at + 1)),
                Some((open, opened)) if open != bracket => {
                    return Err((Cause::WrongBracket { expected: open.closing(), opened }, at..at + 1));
                }
                Some(_) => {}
            },
            _ => {}
        }
        Ok(())
    }
}

/// The operator that starts with these bytes, and its length.
fn sign(first: u8, second: Option<u8>, third: Option<u8>) -> Option<(Kind, usize)> {
    Some(match (first, second) {
        (b'.', Some(b'.')) if third == Some(b'.') => (Kind::Ellipsis, 3),
        (b':', Some(b':')) => (Kind::DoubleColon, 2),
        (b'=', Some(b'=' | b'>')) | (b'!' | b'<' | b'>', Some(b'=')) => (Kind::Operator, 2),
        (b'&', Some(b'&')) | (b'|', Some(b'|')) => (Kind::Operator, 2),
        (b'<' | b'>' | b'+' | b'*' | b'/' | b'%' | b'?' | b':', _) => (Kind::Operator, 1),
        _ => (one_byte_kind(first)?, 1),
    })
}

fn one_byte_kind(byte: u8) -> Option<Kind> {
    Some(match byte {
        b'\n' => Kind::Newline,
        b'{' => Kind::Open(Bracket::Brace),
        b'[' => Kind::Open(Bracket::Square),
        b'(' => Kind::Open(Bracket::Paren),
        b'}' => Kind::Close(Bracket::Brace),
        b']' => Kind::Close(Bracket::Square),
        b')' => Kind::Close(Bracket::Paren),
        b'=' => Kind::Assign,
        b',' => Kind::Comma,
        b'.' => Kind::Dot,
        b'!' => Kind::Bang,
        b'-' => Kind::Minus,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divided() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<&str> =
                tokens(text).expect(text).iter().map(|token| &text[token.range()]).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("", &[]);
        check(" \t\r\n", &["\n"]);
        check("größe-2=1 # b \r\n", &["größe-2", "=", "1", "# b", "\n"]);
        check("a//b", &["a", "//b"]);
        check("a/**/b/c", &["a", "/**/", "b", "/", "c"]);
        check("1.5e-3 0o644 1e+2-3 1.a", &["1.5e-3", "0o644", "1e+2", "-", "3", "1", ".", "a"]);
        check("a.0.1[0.1]", &["a", ".", "0", ".", "1", "[", "0.1", "]"]);
        check("a...!b!=c==d=>e", &["a", "...", "!", "b", "!=", "c", "==", "d", "=>", "e"]);
        check("a::b ? c:d", &["a", "::", "b", "?", "c", ":", "d"]);
        check("x=<<-E\n  \"\n  E\ny", &["x", "=", "<<-E\n  \"\n  E", "\n", "y"]);
    }
}
