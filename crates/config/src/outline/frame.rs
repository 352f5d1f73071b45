//! What is open at a place of a text that is being written.

use uphold_model::Name;

use super::contents::PathStep;
use super::spot::SpotBlock;
use crate::token::Span;

/// Something that was opened and not closed yet.
#[derive(Debug)]
pub(super) enum Frame {
    /// A block, or the file itself.
    Body(Body),
    Object(Object),
    /// `[`: a list, or an index into the path before it.
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

/// The lines of a block, or of the file.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// The block; none for the file.
    pub(super) block: Option<SpotBlock>,
    /// The words of the line before `=` or `{`.
    pub(super) words: Vec<Name>,
    /// Where the first of them starts.
    pub(super) start: usize,
    /// Whether there was a `=`.
    pub(super) assigned: bool,
    /// Whether it was the last token.
    pub(super) fresh: bool,
}

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    /// Whether a key comes next.
    pub(super) key: bool,
    /// Whether nothing stands in it yet.
    pub(super) empty: bool,
    /// `{ for … }` has expressions only.
    pub(super) looped: bool,
}

/// What stands in brackets so far.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Nothing,
    /// A text, which is being read.
    Begun,
    /// One plain text or number.
    One(Name, Span),
    Other,
}

/// A text in quotes.
#[derive(Debug)]
pub(super) struct Quote {
    /// Where the `"` stands.
    pub(super) start: usize,
    /// Where the plain text starts that is being read.
    pub(super) piece: usize,
    /// Whether nothing else stands in the value before it.
    pub(super) whole: bool,
    /// Whether nothing was filled in so far.
    pub(super) plain: bool,
}

impl Body {
    /// Begins the next line.
    pub(super) fn begin_line(&mut self) {
        *self = Self { block: self.block.take(), ..Self::default() };
    }
}
