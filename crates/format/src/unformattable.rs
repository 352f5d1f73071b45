//! Why a text cannot be laid out, and where.

use std::fmt;
use std::ops::Range;

use uphold_model::{Code, Diagnostic, LineColumn, Place, SourceId};

/// What stops the layout: with any of these nobody knows what is text and what is configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Cause {
    /// A `"` without its partner on the same line.
    UnclosedString,
    /// A `${` or `%{` without its `}`.
    UnclosedInterpolation,
    /// A heredoc without a line that holds its marker alone.
    UnclosedHeredoc,
    /// A `<<` without a marker, or with more than the marker on its line.
    MalformedHeredoc,
    /// A `/*` without its `*/`.
    UnclosedComment,
    /// An opening bracket without its partner.
    UnclosedBracket,
    /// A closing bracket that nothing opened.
    UnopenedBracket,
    /// A closing bracket of another sort than the one that is open.
    WrongBracket {
        /// The bracket that would be right.
        expected: char,
        /// Where the one that is open stands, as in [`Unformattable::span`].
        opened: usize,
    },
    /// A character that has no meaning outside strings and comments.
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
            Self::UnclosedInterpolation => "the text ends before the `}` that closes it",
            Self::UnclosedHeredoc => "no later line holds the marker alone",
            Self::MalformedHeredoc => "the line of `<<` ends with the marker",
            Self::UnclosedComment => "the text ends before `*/`",
            Self::UnclosedBracket => "the text ends before the bracket that closes it",
            Self::UnopenedBracket => "nothing is open that it could close",
            Self::WrongBracket { expected, .. } => {
                return format!("the bracket that is open ends with `{expected}`");
            }
            Self::StrayCharacter => "it means nothing outside strings and comments",
        };
        detail.to_owned()
    }

    fn fix(self) -> &'static str {
        match self {
            Self::UnclosedString => "add `\"`; for a text of several lines use a heredoc: `<<-END`",
            Self::UnclosedInterpolation => "add `}`, or write `$${` or `%%{` for the signs themselves",
            Self::UnclosedHeredoc => "add a line with nothing but the marker",
            Self::MalformedHeredoc => "write `<<-END`, the text on lines of its own, then a line with `END`",
            Self::UnclosedComment => "add `*/`",
            Self::UnclosedBracket => "close it",
            Self::UnopenedBracket => "remove it, or open it before",
            Self::WrongBracket { .. } => "close the inner bracket first",
            Self::StrayCharacter => "remove it, or put it in quotes",
        }
    }
}

/// A text that is left as it is, because it cannot be divided into tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unformattable {
    /// Why.
    pub cause: Cause,
    /// The bytes to point to, counted after the byte order mark, as in [`uphold_model::Sources`].
    pub span: Range<usize>,
    /// Line and column of the first of them.
    pub at: LineColumn,
}

impl Unformattable {
    /// Counts lines: made once for a text.
    pub(crate) fn new(text: &str, cause: Cause, span: Range<usize>) -> Self {
        let before = &text[..span.start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
        Self { cause, span, at: LineColumn { line, column } }
    }

    /// The same as a diagnostic; `source` holds the text.
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
