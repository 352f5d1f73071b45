//! Spaces between the tokens of a line: none or one.

use crate::line::Line;
use crate::token::{Bracket, Kind, Token};

/// Puts no or one space before every token but the first of each line.
pub(crate) fn space(text: &str, tokens: &mut [Token], lines: &[Option<Line>]) {
    let mut context = Context { text, left: None, value: false };
    for line in lines.iter().flatten() {
        context.left = None;
        for token in &mut tokens[line.start..line.end] {
            token.spaces = usize::from(context.spaced(*token));
            context.pass(*token);
        }
    }
}

/// The role of an ambiguous token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A `-` before a value, not between two.
    Negation,
    /// `in` or `if` of a `for`.
    Keyword,
    /// A number after a dot.
    Index,
    /// The obvious role of the token.
    Plain,
}

/// The preceding tokens.
struct Context<'t> {
    text: &'t str,
    /// The previous token of this line.
    left: Option<(Token, Role)>,
    /// Whether a value has just ended, ignoring line breaks and comments.
    value: bool,
}

impl Context<'_> {
    fn pass(&mut self, token: Token) {
        let role = self.role(token);
        self.left = Some((token, role));
        if !token.kind.is_comment() {
            self.value = token.kind.ends_value() && role != Role::Keyword;
        }
    }

    fn role(&self, token: Token) -> Role {
        match token.kind {
            Kind::Minus if !self.value => Role::Negation,
            // A name cannot follow a value, so this is a keyword.
            Kind::Identifier if self.value && matches!(&self.text[token.range()], "in" | "if") => {
                Role::Keyword
            }
            Kind::Number if self.left.is_some_and(|(left, _)| left.kind == Kind::Dot) => Role::Index,
            _ => Role::Plain,
        }
    }

    /// Whether a space belongs before `right`.
    fn spaced(&self, right: Token) -> bool {
        use Kind::*;
        let Some((left, role)) = self.left else { return false };
        match (left.kind, right.kind) {
            (_, LineComment) => true,
            _ if self.would_merge(left, role, right) => true,
            (Dot, _) | (_, Dot | Comma | Ellipsis) => false,
            (Comma, _) => true,
            (Identifier, DoubleColon) | (DoubleColon, Identifier) => false,
            (Identifier, Open(Bracket::Paren | Bracket::Square)) => role == Role::Keyword,
            (Number | Quoted | Close(_), Open(Bracket::Square)) | (Bang, _) => false,
            (Minus, _) => role != Role::Negation,
            (Open(Bracket::Brace), Close(Bracket::Brace)) => false,
            (Open(Bracket::Brace), _) | (_, Close(Bracket::Brace)) => true,
            (Open(_), _) | (_, Close(_)) => false,
            _ => true,
        }
    }

    /// Whether the two would be parsed as another token if they touched, as in `! =`. This is rare in valid text; but
    /// invalid text must keep its tokens, too.
    fn would_merge(&self, left: Token, role: Role, right: Token) -> bool {
        let dots = |kind| matches!(kind, Kind::Dot | Kind::Ellipsis);
        match left.kind {
            Kind::Bang => self.text[right.range()].starts_with('='),
            Kind::Number => right.kind == Kind::Dot && role != Role::Index,
            kind => dots(kind) && dots(right.kind),
        }
    }
}
