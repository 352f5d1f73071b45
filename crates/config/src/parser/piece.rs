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
    /// Whether it begins a line of a heredoc.
    pub(super) line_start: bool,
}

/// What a piece is.
#[derive(Debug)]
pub(super) enum Content<'t> {
    /// Text, with escapes replaced.
    Text(Cow<'t, str>),
    /// `${…}`
    Value(NodeId, Trim),
    /// `%{…}`
    Directive(Directive, Trim),
}

/// Which sides have a `~`: white space there, up to a line end and with it, is not part of the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Trim {
    pub(super) before: bool,
    pub(super) after: bool,
}

/// `text` without the white space at its start, up to its first line end and with that.
pub(super) fn trim_start(text: &str) -> &str {
    let text = text.trim_start_matches(is_blank);
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix('\n')).unwrap_or(text)
}

/// `text` without the white space at its end, back to its last line end and with that.
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
