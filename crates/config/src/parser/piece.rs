//! The pieces of a template, in written order.

use std::borrow::Cow;

use super::directive::Directive;
use crate::token::Span;
use crate::tree::NodeId;

/// A piece of a template.
#[derive(Debug)]
pub(super) struct Piece<'t> {
    pub(super) content: Content<'t>,
    pub(super) span: Span,
    /// Whether it starts a line of a heredoc.
    pub(super) line_start: bool,
}

/// The content of a piece.
#[derive(Debug)]
pub(super) enum Content<'t> {
    /// Text, with escapes replaced.
    Text(Cow<'t, str>),
    /// `${…}`
    Value(NodeId, Trim),
    /// `%{…}`
    Directive(Directive, Trim),
}

/// The sides with a `~`: white space there, up to and including a line break, is removed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trim {
    pub(super) before: bool,
    pub(super) after: bool,
}

/// `text` without leading white space, up to and including its first line break.
pub(super) fn trim_start(text: &str) -> &str {
    let text = text.trim_start_matches(is_blank);
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text)
}

/// `text` without trailing white space, back to and including its last line break.
pub(super) fn trim_end(text: &str) -> &str {
    let text = text.trim_end_matches(is_blank);
    text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text)
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() && !matches!(character, '\r' | '\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trimmed() {
        let check = |text: &str, start: &str, end: &str| {
            assert_eq!((trim_start(text), trim_end(text)), (start, end), "{text:?}");
        };
        check("", "", "");
        check(" \t", "", "");
        check("  a  ", "a  ", "  a");
        check(" \n  a\n  ", "  a\n  ", " \n  a");
        check("\r\n\r\n", "\r\n", "\r\n");
        check("\n\na\n\n", "\na\n\n", "\n\na\n");
    }
}
