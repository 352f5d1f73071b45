//! What HCL has and this language has not yet: recognised, so that the message says so.

use super::cursor::{Parsed, Parser};
use crate::excerpt::excerpt;

/// A construct that cannot be read yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unavailable {
    Operator,
    Conditional,
    Call,
    For,
    Splat,
    Member,
    Directive,
    TrimMarker,
}

impl Unavailable {
    fn summary(self) -> &'static str {
        match self {
            Unavailable::Operator => "operator not available yet",
            Unavailable::Conditional => "conditional not available yet",
            Unavailable::Call => "function call not available yet",
            Unavailable::For => "`for` not available yet",
            Unavailable::Splat => "splat not available yet",
            Unavailable::Member => "member access not available yet",
            Unavailable::Directive => "template directive not available yet",
            Unavailable::TrimMarker => "trim marker not available yet",
        }
    }

    fn fix(self) -> &'static str {
        match self {
            Unavailable::Operator | Unavailable::Conditional => "write the result out",
            Unavailable::Call => "write the result out, or text in quotes",
            Unavailable::For => "write the elements out",
            Unavailable::Splat => "refer to each element by its number",
            Unavailable::Member => "write the member out; only references have fields",
            Unavailable::Directive => "write the text out; for a literal `%{` write `%%{`",
            Unavailable::TrimMarker => "remove `~` and the space around the interpolation",
        }
    }
}

impl Parser<'_, '_> {
    /// Reports the construct at the current token.
    pub(super) fn unavailable<T>(&mut self, what: Unavailable) -> Parsed<T> {
        self.unavailable_at(what, self.current.span)
    }

    /// Reports the construct at `span`.
    pub(super) fn unavailable_at<T>(&mut self, what: Unavailable, span: crate::token::Span) -> Parsed<T> {
        let detail = format!("{} is not part of the language yet", excerpt(self.word(span)));
        let error = self.error(what.summary(), detail, span).fix(what.fix());
        self.fail(error)
    }
}
