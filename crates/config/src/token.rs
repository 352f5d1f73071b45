//! Tokens: the output of the lexer.

use std::ops::Range;

use uphold_model::{Place, SourceId};

/// A byte span of the source being read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Span {
    /// The span of these bytes. [`crate::Reader`] rejects texts that do not fit into 32 bits.
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

/// A token and its span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// The kind of a token. For strings and heredocs there is only a start token: their content is a template.
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
    /// An unclosed comment, which extends to the end of the text.
    OpenComment,
    /// A character that starts no token.
    Stray,
    /// The line break before the marker of a heredoc, inside an unfinished expression. Created by the parser.
    TextEnd,
    End,
}
