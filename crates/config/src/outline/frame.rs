//! Open brackets, strings and blocks at a position in a text that is being edited.

use uphold_model::Name;

use super::contents::PathStep;
use super::spot::SpotBlock;
use crate::token::Span;

/// A block, bracket or string that is open.
#[derive(Debug)]
pub(super) enum Frame {
    /// A block, or the file itself.
    Body(Body),
    Object(Object),
    /// `[`: a list, or an index of the preceding path.
    Bracket {
        path: Vec<PathStep>,
        inside: Inside,
    },
    Paren,
    Quote(Quote),
    /// `${` or `%{`.
    Interpolation,
    Heredoc {
        marker: Span,
    },
}

/// The current line of a block or a file.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// The block; none for the file.
    pub(super) block: Option<SpotBlock>,
    /// The words of the line before `=` or `{`.
    pub(super) words: Vec<Name>,
    /// The start of the first word.
    pub(super) start: usize,
    /// Whether the line has a `=`.
    pub(super) assigned: bool,
    /// Whether the `=` was the last token.
    pub(super) fresh: bool,
}

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    /// Whether a key comes next.
    pub(super) key: bool,
    /// Whether it is still empty.
    pub(super) empty: bool,
    /// Whether it is a `{ for … }`, which has no keys.
    pub(super) looped: bool,
}

/// The content of brackets so far.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Nothing,
    /// A string that is not closed yet.
    Begun,
    /// One plain string or number.
    One(Name, Span),
    Other,
}

/// A quoted string.
#[derive(Debug)]
pub(super) struct Quote {
    /// The position of the opening `"`.
    pub(super) start: usize,
    /// The start of the current plain part.
    pub(super) piece: usize,
    /// Whether the value starts with it.
    pub(super) whole: bool,
    /// Whether it has no interpolation so far.
    pub(super) plain: bool,
}

impl Body {
    /// Starts the next line.
    pub(super) fn begin_line(&mut self) {
        *self = Self { block: self.block.take(), ..Self::default() };
    }
}
