//! Reasons why a text cannot be formatted.

use std::fmt;
use std::ops::Range;

use uphold_model::{Code, Diagnostic, LineColumn, Place, SourceId};

/// The reason why formatting stops: any of these makes it unclear which text is a string and which is configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// A `"` without its partner on the same line.
    UnclosedString,
    /// A `${` or `%{` without its `}`.
    UnclosedInterpolation,
    /// A heredoc without a line that contains only its marker.
    UnclosedHeredoc,
    /// A `<<` without a marker, or with more than the marker on its line.
    MalformedHeredoc,
    /// A `/*` without its `*/`.
    UnclosedComment,
    /// An opening bracket without its partner.
    UnclosedBracket,
    /// A closing bracket without an opening one.
    UnopenedBracket,
    /// A closing bracket of another kind than the open one.
    WrongBracket {
        /// The bracket that would be correct.
        expected: char,
        /// The position of the open one, as in [`Unformattable::span`].
        opened: usize,
    },
    /// A character that has no meaning outside of strings and comments.
    StrayCharacter,
}

impl Cause {
    /// The code of its diagnostic.
    pub fn code(self) -> Code {
        match self {
            Self::UnclosedString => Code::UnclosedString,
            Self::UnclosedInterpolation => Code::UnclosedInterpolation,
            Self::UnclosedHeredoc => Code::UnclosedHeredoc,
            Self::MalformedHeredoc => Code::MalformedHeredoc,
            Self::UnclosedComment => Code::UnclosedComment,
            Self::UnclosedBracket => Code::UnclosedBracket,
            Self::UnopenedBracket | Self::WrongBracket { .. } => Code::UnmatchedBracket,
            Self::StrayCharacter => Code::UnexpectedToken,
        }
    }

    fn detail(self) -> String {
        let detail = match self {
            Self::UnclosedString => "the line ends before the closing `\"`",
            Self::UnclosedInterpolation => "the closing `}` is missing",
            Self::UnclosedHeredoc => "no later line contains only the marker",
            Self::MalformedHeredoc => "nothing may follow the marker of a heredoc on its line",
            Self::UnclosedComment => "the closing `*/` is missing",
            Self::UnclosedBracket => "the closing bracket is missing",
            Self::UnopenedBracket => "there is no matching opening bracket",
            Self::WrongBracket { expected, .. } => {
                return format!("the open bracket must be closed with `{expected}`");
            }
            Self::StrayCharacter => "this character has no meaning outside of strings and comments",
        };
        detail.to_owned()
    }

    fn fix(self) -> &'static str {
        match self {
            Self::UnclosedString => "add `\"`; for a string of several lines use a heredoc: `<<-END`",
            Self::UnclosedInterpolation => "add `}`, or write `$${` or `%%{` for the signs themselves",
            Self::UnclosedHeredoc => "add a line that contains only the marker",
            Self::MalformedHeredoc => "write `<<-END`, the text on lines of its own, then a line with `END`",
            Self::UnclosedComment => "add `*/`",
            Self::UnclosedBracket => "close it",
            Self::UnopenedBracket => "remove it, or add the opening bracket",
            Self::WrongBracket { .. } => "close the inner bracket first",
            Self::StrayCharacter => "remove it, or put it in quotes",
        }
    }
}

/// A text that is not changed, because it cannot be divided into tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unformattable {
    /// The reason.
    pub cause: Cause,
    /// The bytes to point to, after the byte order mark, as in [`uphold_model::Sources`].
    pub span: Range<usize>,
    /// The line and column of the first of them.
    pub at: LineColumn,
}

impl Unformattable {
    /// Counts lines: called once for a text.
    pub(crate) fn new(text: &str, cause: Cause, span: Range<usize>) -> Self {
        let before = &text[..span.start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
        Self { cause, span, at: LineColumn { line, column } }
    }

    /// The error as a diagnostic; `source` is the text.
    pub fn diagnostic(&self, source: SourceId) -> Diagnostic {
        let byte = |at| u32::try_from(at).unwrap_or(u32::MAX);
        let place = |span: &Range<usize>| Place { source, start: byte(span.start), end: byte(span.end) };
        let diagnostic = Diagnostic::new(self.cause.code(), self.cause.detail())
            .at(place(&self.span))
            .fix(self.cause.fix());
        match self.cause {
            Cause::WrongBracket { opened, .. } => {
                diagnostic.and_at(place(&(opened..opened + 1)), "opened here")
            }
            _ => diagnostic,
        }
    }
}

impl fmt::Display for Unformattable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LineColumn { line, column } = self.at;
        let Self { cause, .. } = self;
        write!(
            f,
            "line {line}, column {column}: {}: {}; {}",
            cause.code().summary(),
            cause.detail(),
            cause.fix()
        )
    }
}

impl std::error::Error for Unformattable {}
