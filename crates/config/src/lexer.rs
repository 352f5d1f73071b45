//! The lexer: the next token of a text, outside of strings.
//!
//! It is only a cursor, so that copying it is a cheap way to look ahead.

use uphold_model::{continues_identifier, starts_identifier};

use crate::token::{Kind, Span, Token};

/// A cursor in a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexer<'t> {
    text: &'t str,
    /// The first unread byte. The parser moves it over the content of strings.
    pub(crate) at: usize,
}

impl<'t> Lexer<'t> {
    /// At the start of `text`, after a byte order mark.
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, at: if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 } }
    }

    /// Reads the next token; at the end of the text, always `End`.
    pub(crate) fn next(&mut self) -> Token {
        self.read()
    }

    /// Like [`Lexer::next`], inlined into the parser's main loop: a token returned through memory is written in two
    /// halves and read as a whole, and that store-forwarding stall took longer than all the rest.
    #[inline(always)]
    pub(crate) fn read(&mut self) -> Token {
        loop {
            while let Some(b' ' | b'\t') = self.byte(0) {
                self.at += 1;
            }
            let start = self.at;
            let kind = match self.byte(0).map(|byte| CLASSES[usize::from(byte)]) {
                Some(Class::Letter) => self.word(),
                Some(Class::Sign(kind)) => {
                    self.at += 1;
                    kind
                }
                Some(Class::Minus) => {
                    self.at += 1;
                    Kind::Minus
                }
                Some(Class::Digit) => self.number(),
                Some(Class::Other) => match self.other() {
                    Some(kind) => kind,
                    None => continue,
                },
                None => Kind::End,
            };
            // The token of an unclosed comment is only its `/*`.
            let end = if kind == Kind::OpenComment { start + 2 } else { self.at };
            return Token { kind, span: Span::new(start, end) };
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    /// Reads a token that more than one byte decides. None for a comment or a `\r` before a line break.
    fn other(&mut self) -> Option<Kind> {
        match (self.byte(0)?, self.byte(1)) {
            (b'\r', Some(b'\n')) => {
                self.at += 1;
                None
            }
            (b'#', _) | (b'/', Some(b'/')) => {
                self.at = self.text[self.at..].find('\n').map_or(self.text.len(), |i| self.at + i);
                None
            }
            (b'/', Some(b'*')) => match self.text[self.at + 2..].find("*/") {
                Some(length) => {
                    self.at += length + 4;
                    None
                }
                None => {
                    self.at = self.text.len();
                    Some(Kind::OpenComment)
                }
            },
            (first, second) if first.is_ascii() => {
                let (kind, length) = sign(first, second, self.byte(2));
                self.at += length;
                Some(kind)
            }
            _ => Some(self.beyond_ascii()),
        }
    }

    #[inline]
    fn word(&mut self) -> Kind {
        let is_word =
            |byte: &&u8| matches!(CLASSES[usize::from(**byte)], Class::Letter | Class::Digit | Class::Minus);
        loop {
            self.at += self.text.as_bytes()[self.at..].iter().take_while(is_word).count();
            // Letters outside of ASCII are rare.
            match self.byte(0).filter(|byte| !byte.is_ascii()).and_then(|_| self.character()) {
                Some(letter) if continues_identifier(letter) => self.at += letter.len_utf8(),
                _ => return Kind::Identifier,
            }
        }
    }

    fn beyond_ascii(&mut self) -> Kind {
        match self.character() {
            Some(letter) if starts_identifier(letter) => self.word(),
            other => {
                self.at += other.map_or(1, char::len_utf8);
                Kind::Stray
            }
        }
    }

    fn character(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Digits, points, an exponent, and any letters that follow: the parser checks the whole token.
    fn number(&mut self) -> Kind {
        while let Some(byte) = self.byte(0) {
            let next_is_digit = self.byte(1).is_some_and(|b| b.is_ascii_digit());
            match byte {
                b'0'..=b'9' | b'a'..=b'd' | b'f'..=b'z' | b'A'..=b'D' | b'F'..=b'Z' | b'_' => self.at += 1,
                b'.' if next_is_digit => self.at += 1,
                b'e' | b'E' => {
                    let signed = matches!(self.byte(1), Some(b'+' | b'-'))
                        && self.byte(2).is_some_and(|b| b.is_ascii_digit());
                    self.at += if signed { 2 } else { 1 };
                }
                _ => break,
            }
        }
        Kind::Number
    }
}

/// The kind of token that a byte starts.
#[derive(Clone, Copy)]
enum Class {
    Letter,
    Digit,
    /// `-`, which is also part of identifiers.
    Minus,
    /// A one-byte token, whatever follows.
    Sign(Kind),
    /// Decided by further bytes.
    Other,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = class(byte);
        byte += 1;
    }
    classes
};

const fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        b'-' => Class::Minus,
        b'\r' | b'#' | b'/' | b'.' | b'<' | b'=' | b'!' | b'>' | b'&' | b'|' => Class::Other,
        _ => Class::Sign(one_byte_kind(byte)),
    }
}

/// The operator that starts with these bytes, and its length.
fn sign(first: u8, second: Option<u8>, third: Option<u8>) -> (Kind, usize) {
    match (first, second) {
        (b'.', Some(b'.')) if third == Some(b'.') => (Kind::Ellipsis, 3),
        (b'<', Some(b'<')) => (Kind::Heredoc, 2),
        (b'=', Some(b'=')) => (Kind::Equal, 2),
        (b'=', Some(b'>')) => (Kind::Arrow, 2),
        (b'!', Some(b'=')) => (Kind::Unequal, 2),
        (b'<', Some(b'=')) => (Kind::LessOrEqual, 2),
        (b'>', Some(b'=')) => (Kind::GreaterOrEqual, 2),
        (b'&', Some(b'&')) => (Kind::And, 2),
        (b'|', Some(b'|')) => (Kind::Or, 2),
        _ => (one_byte_kind(first), 1),
    }
}

const fn one_byte_kind(byte: u8) -> Kind {
    match byte {
        b'\n' => Kind::Newline,
        b'"' => Kind::Quote,
        b'{' => Kind::BraceOpen,
        b'}' => Kind::BraceClose,
        b'[' => Kind::BracketOpen,
        b']' => Kind::BracketClose,
        b'(' => Kind::ParenOpen,
        b')' => Kind::ParenClose,
        b'=' => Kind::Assign,
        b':' => Kind::Colon,
        b',' => Kind::Comma,
        b'.' => Kind::Dot,
        b'+' => Kind::Plus,
        b'*' => Kind::Star,
        b'/' => Kind::Slash,
        b'%' => Kind::Percent,
        b'!' => Kind::Bang,
        b'<' => Kind::Less,
        b'>' => Kind::Greater,
        b'~' => Kind::Tilde,
        b'?' => Kind::Question,
        _ => Kind::Stray,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> String {
        let mut lexer = Lexer::new(text);
        let mut list = Vec::new();
        loop {
            let token = lexer.next();
            if token.kind == Kind::End {
                return list.join(" ");
            }
            list.push(format!("{:?}:{}", token.kind, text[token.span.range()].escape_debug()));
        }
    }

    #[test]
    fn tokens() {
        let check = |text: &str, expected: &str| assert_eq!(kinds(text), expected, "{text:?}");
        check("", "");
        check("\u{feff}a", "Identifier:a");
        check("größe-2 = 1", "Identifier:größe-2 Assign:= Number:1");
        check("he\u{301}llo नमस्ते", "Identifier:he\u{301}llo Identifier:नमस्ते");
        check("\u{301}a", "Stray:\\u{301} Identifier:a");
        check("a # b\r\nc // d\n", "Identifier:a Newline:\\n Identifier:c Newline:\\n");
        check("/* \n */ a /**/", "Identifier:a");
        check("a /* b", "Identifier:a OpenComment:/*");
        check(
            "1.5e-3 0o644 1.2.3 1e+2-3",
            "Number:1.5e-3 Number:0o644 Number:1.2.3 Number:1e+2 Minus:- Number:3",
        );
        check("a.0.b", "Identifier:a Dot:. Number:0 Dot:. Identifier:b");
        check("<<-X", "Heredoc:<< Minus:- Identifier:X");
        check("== => ... && | ;", "Equal:== Arrow:=> Ellipsis:... And:&& Stray:| Stray:;");
        check(
            "a<=b !c ~}",
            "Identifier:a LessOrEqual:<= Identifier:b Bang:! Identifier:c Tilde:~ BraceClose:}",
        );
        check("a\rb €", "Identifier:a Stray:\\r Identifier:b Stray:€");
    }
}
