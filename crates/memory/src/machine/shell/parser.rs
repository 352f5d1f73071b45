//! Parses words and operators into commands.

use super::lexer::{Piece, Token, Unknown, Word};

/// One command, and the condition to run it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Part {
    pub(super) joint: Joint,
    /// `!` before it.
    pub(super) negated: bool,
    pub(super) words: Vec<Word>,
    pub(super) redirects: Vec<Redirect>,
}

/// The operator between a command and the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Joint {
    #[default]
    Always,
    And,
    Or,
}

/// The redirection of a channel.
#[derive(Debug, PartialEq)]
pub(super) struct Redirect {
    pub(super) from: u8,
    pub(super) to: Target,
}

#[derive(Debug, PartialEq)]
pub(super) enum Target {
    File { path: Word, append: bool },
    Channel(u8),
}

/// The commands of a script, in order. `&&` and `||` have the same precedence, as in any shell.
pub(super) fn parts(tokens: Vec<Token>) -> Result<Vec<Part>, Unknown> {
    let mut parts = Vec::new();
    let mut part = Part::default();
    let mut tokens = tokens.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) if part.words.is_empty() && is(&word, "!") => part.negated = !part.negated,
            Token::Word(word) => part.words.push(word),
            Token::Duplicate { from, to } => {
                part.redirects.push(Redirect { from, to: Target::Channel(to) });
            }
            Token::Redirect { from, append } => {
                let Some(Token::Word(path)) = tokens.next() else { return Err(Unknown(">".to_owned())) };
                part.redirects.push(Redirect { from, to: Target::File { path, append } });
            }
            Token::And => part = finish(&mut parts, part, Joint::And)?,
            Token::Or => part = finish(&mut parts, part, Joint::Or)?,
            // An empty line, or a line break after `&&` or `||`.
            Token::End if part.is_empty() => {}
            Token::End => part = finish(&mut parts, part, Joint::Always)?,
        }
    }
    match (part.is_empty(), part.joint) {
        (true, Joint::Always) => {}
        _ => drop(finish(&mut parts, part, Joint::Always)?),
    }
    Ok(parts)
}

/// Ends one command and starts the next.
fn finish(parts: &mut Vec<Part>, part: Part, joint: Joint) -> Result<Part, Unknown> {
    if part.is_empty() {
        return Err(Unknown("an operator without a command".to_owned()));
    }
    parts.push(part);
    Ok(Part { joint, ..Part::default() })
}

impl Part {
    fn is_empty(&self) -> bool {
        self.words.is_empty() && self.redirects.is_empty()
    }
}

fn is(word: &Word, text: &str) -> bool {
    !word.quoted && word.pieces == [Piece::Text(text.to_owned())]
}
