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

// Lines and their cells: the part before `=`, the part after it, and the trailing comment.

/// A line that is not blank; its cells are adjacent ranges of tokens without line breaks.
///
/// A multi-line string, comment or heredoc is one token, so its line ends where the token ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// The first token.
    pub(crate) start: usize,
    /// The `=` to align; equal to `comment` if there is none.
    pub(crate) assign: usize,
    /// The comment to align; equal to `end` if there is none.
    pub(crate) comment: usize,
    /// One past the last token.
    pub(crate) end: usize,
}

impl Line {
    pub(crate) fn has_assign(self) -> bool {
        self.assign < self.comment
    }

    pub(crate) fn has_comment(self) -> bool {
        self.comment < self.end
    }

    /// The cells of `tokens[start..end]`, which is not empty.
    fn new(text: &str, tokens: &[Token], start: usize, end: usize) -> Self {
        let commented = end - start > 1 && tokens[end - 1].kind == Kind::LineComment;
        let comment = if commented { end - 1 } else { end };
        let assign = assign(text, &tokens[start..comment]).map_or(comment, |i| start + i);
        Self { start, assign, comment, end }
    }
}

/// The lines of a text; `None` for a blank one.
pub(crate) fn lines(text: &str, tokens: &[Token]) -> Vec<Option<Line>> {
    let mut start = 0;
    let parts = tokens.split(|token| token.kind == Kind::Newline);
    let line = |part: &[Token]| {
        let (first, end) = (start, start + part.len());
        start = end + 1;
        (!part.is_empty()).then(|| Line::new(text, tokens, first, end))
    };
    parts.map(line).collect()
}

/// The `=` of an attribute or object member, if its value ends on the line where it starts.
///
/// A heredoc counts as one line: adjacent lines are aligned with its first line.
fn assign(text: &str, line: &[Token]) -> Option<usize> {
    let at = line.iter().position(|token| token.kind == Kind::Assign).filter(|&at| at > 0)?;
    let balance: i64 = line[at..].iter().map(|token| token.kind.deepens()).sum();
    let tall = |token: &Token| token.kind == Kind::Quoted && text[token.range()].contains('\n');
    (balance == 0 && !line.iter().any(tall)).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::tokens;

    #[test]
    fn cells() {
        let check = |text: &str, expected: &[[&str; 3]]| {
            let tokens = tokens(text).expect(text);
            let part = |from: usize, to: usize| {
                if from == to { "" } else { &text[tokens[from].start..tokens[to - 1].end] }
            };
            let cells = |line: Line| {
                [part(line.start, line.assign), part(line.assign, line.comment), part(line.comment, line.end)]
            };
            let found: Vec<_> =
                lines(text, &tokens).into_iter().map(|line| line.map_or([""; 3], cells)).collect();
            assert_eq!(found, expected, "{text:?}");
        };
        check("", &[[""; 3]]);
        check("a = 1 # b\n\n", &[["a", "= 1", "# b"], [""; 3], [""; 3]]);
        check("# a", &[["# a", "", ""]]);
        check("a { # b\n} # c", &[["a {", "", "# b"], ["}", "", "# c"]]);
        check("a = [ # b\n]", &[["a = [", "", "# b"], ["]", "", ""]]);
        check("a = { b = 1 }", &[["a", "= { b = 1 }", ""]]);
        check("a { b = 1 }", &[["a { b = 1 }", "", ""]]);
        check("a = 1 /* b */", &[["a", "= 1 /* b */", ""]]);
        check("a = <<X\nX\nb = 1", &[["a", "= <<X\nX", ""], ["b", "= 1", ""]]);
        check("a = \"${\nb}\" # c", &[["a = \"${\nb}\"", "", "# c"]]);
    }
}
