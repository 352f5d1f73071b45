//! Tokens, with the number of spaces before each.

use std::ops::Range;

/// A kind of bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bracket {
    Brace,
    Square,
    Paren,
}

impl Bracket {
    /// The matching closing bracket.
    pub(crate) fn closing(self) -> char {
        match self {
            Self::Brace => '}',
            Self::Square => ']',
            Self::Paren => ')',
        }
    }
}

/// The kind of a token, as far as formatting depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Newline,
    /// `#` or `//`, without the end of the line.
    LineComment,
    /// `/* */`, on any number of lines.
    BlockComment,
    Identifier,
    Number,
    /// A quoted string, including interpolations.
    Quoted,
    /// From `<<` to the end of the closing marker.
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
    /// Any other binary operator.
    Operator,
}

impl Kind {
    pub(crate) fn is_comment(self) -> bool {
        matches!(self, Self::LineComment | Self::BlockComment)
    }

    /// Whether a value can end here. Then a following `-` is a subtraction, and a following word is a keyword.
    pub(crate) fn ends_value(self) -> bool {
        matches!(
            self,
            Self::Identifier | Self::Number | Self::Quoted | Self::Heredoc | Self::Close(_) | Self::Ellipsis
        )
    }

    /// The change of the nesting depth after it.
    pub(crate) fn deepens(self) -> i64 {
        match self {
            Self::Open(_) => 1,
            Self::Close(_) => -1,
            _ => 0,
        }
    }
}

/// A piece of the text that is not changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The number of spaces before it.
    pub(crate) spaces: usize,
}

impl Token {
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.end
    }
}
