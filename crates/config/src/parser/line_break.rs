//! Line ends inside expressions: they end the expression unless it stands in brackets, which not everyone knows.

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use super::operator::operator;
use crate::excerpt::excerpt;
use crate::token::{Kind, Span};
use crate::tree::Operator;

impl Parser<'_> {
    /// Something must follow what stands at `sign`. If it does on the next line, that is reported, and hides nothing.
    pub(super) fn operand_after(&mut self, sign: Span) -> Parsed<()> {
        if self.current.kind == Kind::Newline && self.operand_on_next_line() {
            self.skip_break();
            return Ok(());
        }
        let fix = match self.current.kind {
            Kind::End | Kind::TextEnd | Kind::Newline if self.word(sign) == "%" => {
                "write a value after it; a percentage is text: write it in quotes"
            }
            Kind::End
            | Kind::TextEnd
            | Kind::Newline
            | Kind::BraceClose
            | Kind::BracketClose
            | Kind::ParenClose
            | Kind::Comma
            | Kind::Colon => "write a value after it, or remove it",
            _ => return Ok(()),
        };
        let detail = format!("after {} comes {}", excerpt(self.word(sign)), self.found());
        let error = self.error(Code::MissingValue, detail, sign);
        self.fail(error.fix(fix))
    }

    /// Whether the next line begins with an operator, so that the expression goes on there. That is reported, and
    /// hides nothing; the operator stands here then. The current token is the line end.
    pub(super) fn goes_on(&mut self) -> bool {
        // `-` may also begin a key.
        let goes_on = |kind| {
            operator(kind).is_some_and(|(operator, _)| operator != Operator::Subtract)
                || matches!(kind, Kind::Question | Kind::Dot)
        };
        self.goes_on_with(goes_on)
    }

    /// The same for some other token.
    pub(super) fn goes_on_with(&mut self, expected: impl Fn(Kind) -> bool) -> bool {
        // Nearly always a name or a brace comes, and no token need be read to see that.
        let next = self.text.as_bytes()[self.lexer.at..].iter().find(|b| !b.is_ascii_whitespace());
        let sign = next.is_some_and(|b| b.is_ascii_punctuation() && !matches!(b, b'_' | b'}' | b'#' | b'"'));
        let goes_on = sign && expected(self.after_break().0);
        if goes_on {
            self.skip_break();
        }
        goes_on
    }

    /// Whether the next line holds an operand rather than an item, a `}` or nothing.
    fn operand_on_next_line(&self) -> bool {
        match self.after_break() {
            (Kind::Identifier, next) => {
                !matches!(next, Kind::Assign | Kind::BraceOpen | Kind::Quote | Kind::Identifier)
            }
            (first, _) => matches!(
                first,
                Kind::Number
                    | Kind::Quote
                    | Kind::ParenOpen
                    | Kind::BracketOpen
                    | Kind::BraceOpen
                    | Kind::Bang
                    | Kind::Minus
            ),
        }
    }

    /// The first two tokens after line ends.
    fn after_break(&self) -> (Kind, Kind) {
        let mut lexer = self.lexer;
        let mut first = lexer.next().kind;
        while first == Kind::Newline {
            first = lexer.next().kind;
        }
        (first, lexer.next().kind)
    }

    /// Skips line ends, and reports them once for each attribute.
    fn skip_break(&mut self) {
        let here = self.here();
        while self.current.kind == Kind::Newline {
            self.bump();
        }
        let problems = &self.problems[self.first_problem..];
        if problems.iter().all(|problem| problem.code != Code::MultilineExpression) {
            let error = self.error(Code::MultilineExpression, "an expression ends with its line", here);
            self.problems.push(error.fix("put the whole expression in parentheses, or on one line"));
        }
    }
}
