//! Tokens, with the space that stands before each.

use std::ops::Range;

/// A kind of bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    Brace,
    Square,
    Paren,
}

impl Bracket {
    /// The sign that closes it.
    pub(crate) fn closing(self) -> char {
        match self {
            Self::Brace => '}',
            Self::Square => ']',
            Self::Paren => ')',
        }
    }
}

/// What a token is, as far as the layout depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Newline,
    /// `#` or `//`, without the end of the line.
    LineComment,
    /// `/* */`, over any number of lines.
    BlockComment,
    Identifier,
    Number,
    /// A string in quotes, with all that is filled in.
    Quoted,
    /// From `<<` to the end of the marker that closes it.
    Heredoc,
    Open(Bracket),
    Close(Bracket),
    /// `=`
    Assign,
    Comma,
    Dot,
    Ellipsis,
    DoubleColon,
    Bang,
    Minus,
    /// Anything else that stands between two values.
    Operator,
}

impl Kind {
    pub(crate) fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }

    /// Whether a value can end here. What follows is a subtraction then if it is `-`, and no name.
    pub(crate) fn ends_value(self) -> bool {
        matches!(
            self,
            Self::Identifier | Self::Number | Self::Quoted | Self::Heredoc | Self::Close(_) | Self::Ellipsis
        )
    }

    /// By how many levels what follows is nested deeper.
    pub(crate) fn deepens(self) -> i64 {
        match self {
            Self::Open(_) => 1,
            Self::Close(_) => -1,
            _ => 0,
        }
    }
}

/// A piece of the text that stays as it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// How many spaces stand before it.
    pub(crate) spaces: usize,
}

impl Token {
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.end
    }
}
