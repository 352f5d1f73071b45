//! Splits a script into words and operators.

use std::iter::Peekable;
use std::str::Chars;

/// A word, before its variables are replaced.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Word {
    pub(super) pieces: Vec<Piece>,
    /// A quoted word stays, even if it is empty.
    pub(super) quoted: bool,
}

/// A part of a word.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    Variable(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Word(Word),
    And,
    Or,
    /// `;` or a newline.
    End,
    /// `2>` or `2>>`.
    Redirect {
        from: u8,
        append: bool,
    },
    /// `2>&1`.
    Duplicate {
        from: u8,
        to: u8,
    },
}

/// A construct that this shell does not support.
#[derive(Debug, PartialEq)]
pub(super) struct Unknown(pub(super) String);

pub(super) fn tokens(script: &str) -> Result<Vec<Token>, Unknown> {
    let mut lexer = Lexer { rest: script.chars().peekable() };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.token()? {
        tokens.push(token);
    }
    Ok(tokens)
}

struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
}

impl Lexer<'_> {
    fn token(&mut self) -> Result<Option<Token>, Unknown> {
        while self.rest.next_if(|c| matches!(c, ' ' | '\t' | '\r')).is_some() {}
        let Some(&next) = self.rest.peek() else { return Ok(None) };
        if next == '#' {
            while self.rest.next_if(|c| *c != '\n').is_some() {}
            return self.token_end();
        }
        if matches!(next, '(' | ')' | '<' | '`') {
            return Err(Unknown(next.to_string()));
        }
        Ok(Some(match next {
            ';' | '\n' => return self.token_end(),
            '&' => self.double('&', Token::And)?,
            '|' => self.double('|', Token::Or)?,
            '>' => self.redirect(1)?,
            _ => self.word_or_redirect()?,
        }))
    }

    fn token_end(&mut self) -> Result<Option<Token>, Unknown> {
        Ok(self.rest.next().map(|_| Token::End))
    }

    fn double(&mut self, operator: char, token: Token) -> Result<Token, Unknown> {
        self.rest.next();
        match self.rest.next_if_eq(&operator) {
            Some(_) => Ok(token),
            None => Err(Unknown(operator.to_string())),
        }
    }

    /// Reads a redirection after the number of its channel.
    fn redirect(&mut self, from: u8) -> Result<Token, Unknown> {
        self.rest.next();
        if self.rest.next_if_eq(&'&').is_some() {
            return match self.rest.next() {
                Some('1') => Ok(Token::Duplicate { from, to: 1 }),
                Some('2') => Ok(Token::Duplicate { from, to: 2 }),
                _ => Err(Unknown(">&".to_owned())),
            };
        }
        Ok(Token::Redirect { from, append: self.rest.next_if_eq(&'>').is_some() })
    }

    fn word_or_redirect(&mut self) -> Result<Token, Unknown> {
        let word = self.word()?;
        let channel = match word.pieces.as_slice() {
            [Piece::Text(text)] if !word.quoted && text == "1" => Some(1),
            [Piece::Text(text)] if !word.quoted && text == "2" => Some(2),
            _ => None,
        };
        match (channel, self.rest.peek()) {
            (Some(from), Some('>')) => self.redirect(from),
            _ => Ok(Token::Word(word)),
        }
    }

    fn word(&mut self) -> Result<Word, Unknown> {
        let mut word = Word::default();
        while let Some(c) = self.rest.next_if(|c| !" \t\r\n;&|><()`".contains(*c)) {
            match c {
                '\'' => self.single_quoted(&mut word)?,
                '"' => self.double_quoted(&mut word)?,
                '\\' => match self.rest.next() {
                    Some('\n') | None => {}
                    Some(c) => word.push(c),
                },
                '$' => self.variable(&mut word)?,
                c => word.push(c),
            }
        }
        Ok(word)
    }

    fn single_quoted(&mut self, word: &mut Word) -> Result<(), Unknown> {
        word.quoted = true;
        loop {
            match self.rest.next() {
                Some('\'') => return Ok(()),
                Some(c) => word.push(c),
                None => return Err(Unknown("an unterminated quote".to_owned())),
            }
        }
    }

    fn double_quoted(&mut self, word: &mut Word) -> Result<(), Unknown> {
        word.quoted = true;
        loop {
            match self.rest.next() {
                Some('"') => return Ok(()),
                Some('$') => self.variable(word)?,
                Some('`') => return Err(Unknown("`".to_owned())),
                Some('\\') => match self.rest.next_if(|c| "\"\\$`".contains(*c)) {
                    Some(c) => word.push(c),
                    None => word.push('\\'),
                },
                Some(c) => word.push(c),
                None => return Err(Unknown("an unterminated quote".to_owned())),
            }
        }
    }

    /// Reads a variable after its dollar sign.
    fn variable(&mut self, word: &mut Word) -> Result<(), Unknown> {
        if self.rest.next_if_eq(&'(').is_some() {
            return Err(Unknown("$(".to_owned()));
        }
        if self.rest.next_if_eq(&'?').is_some() {
            word.pieces.push(Piece::Variable("?".to_owned()));
            return Ok(());
        }
        let braced = self.rest.next_if_eq(&'{').is_some();
        let mut name = String::new();
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            name.push(c);
        }
        if braced && (name.is_empty() || self.rest.next() != Some('}')) {
            return Err(Unknown("${".to_owned()));
        }
        if name.is_empty() {
            word.push('$');
        } else {
            word.pieces.push(Piece::Variable(name));
        }
        Ok(())
    }
}

impl Word {
    fn push(&mut self, c: char) {
        match self.pieces.last_mut() {
            Some(Piece::Text(text)) => text.push(c),
            _ => self.pieces.push(Piece::Text(c.to_string())),
        }
    }
}
