//! Tokens: what the lexer hands to the parser.

use std::ops::Range;

use uphold_model::{Place, SourceId};

/// A byte span of the source being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// The span of these bytes. [`crate::read`] refuses texts that do not fit into 32 bits.
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn to(self, other: Span) -> Span {
        Span { start: self.start, end: other.end }
    }

    pub(crate) fn place(self, source: SourceId) -> Place {
        Place { source, start: self.start, end: self.end }
    }
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// What a token is. Strings and heredocs are only begun by a token: their inside is a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Newline,
    Identifier,
    Number,
    /// `"`
    Quote,
    /// `<<`
    Heredoc,
    BraceOpen,
    BraceClose,
    BracketOpen,
    BracketClose,
    ParenOpen,
    ParenClose,
    Assign,
    Colon,
    Comma,
    Dot,
    Minus,
    Plus,
    Star,
    Slash,
    Percent,
    /// `!`
    Bang,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==`
    Equal,
    /// `!=`
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Question,
    /// `=>`
    Arrow,
    /// `...`
    Ellipsis,
    /// `~`
    Tilde,
    /// A comment that is never closed; the rest of the text is inside.
    OpenComment,
    /// A character that begins no token.
    Stray,
    /// The line before the marker of a heredoc ends, and an expression in the heredoc does not. Made by the parser.
    TextEnd,
    End,
}
