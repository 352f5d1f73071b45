//! Line breaks inside expressions. They end an expression outside of brackets, which users do not always know.

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use super::expression::operator;
use crate::excerpt::excerpt;
use crate::token::{Kind, Span};
use crate::tree::Operator;

impl Parser<'_> {
    /// Requires an operand after the token at `sign`. If it is on the next line, that is reported and parsing
    /// continues.
    pub(super) fn operand_after(&mut self, sign: Span) -> Parsed<()> {
        if self.current.kind == Kind::Newline && self.operand_on_next_line() {
            self.skip_break();
            return Ok(());
        }
        let fix = match self.current.kind {
            Kind::End | Kind::TextEnd | Kind::Newline if self.word(sign) == "%" => {
                "write a value after it; a percentage is a string: write it in quotes"
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
        let detail = format!("expected a value after {}, found {}", excerpt(self.word(sign)), self.found());
        let error = self.error(Code::MissingValue, detail, sign);
        self.fail(error.fix(fix))
    }

    /// Whether the next line starts with an operator, so that the expression continues there. That is reported, and the
    /// operator becomes the current token. The current token is the line break.
    pub(super) fn continues_on_next_line(&mut self) -> bool {
        // `-` can also start a key.
        let continues_on_next_line = |kind| {
            operator(kind).is_some_and(|(operator, _)| operator != Operator::Subtract)
                || matches!(kind, Kind::Question | Kind::Dot)
        };
        self.continues_with(continues_on_next_line)
    }

    /// Like [`Parser::continues_on_next_line`], for other tokens.
    pub(super) fn continues_with(&mut self, expected: impl Fn(Kind) -> bool) -> bool {
        // Nearly always a name or a brace follows, which needs no token to be read.
        let next = self.text.as_bytes()[self.lexer.at..].iter().find(|b| !b.is_ascii_whitespace());
        let sign = next.is_some_and(|b| b.is_ascii_punctuation() && !matches!(b, b'_' | b'}' | b'#' | b'"'));
        let continues_on_next_line = sign && expected(self.after_break().0);
        if continues_on_next_line {
            self.skip_break();
        }
        continues_on_next_line
    }

    /// Whether the next line starts with an operand rather than an item or `}`.
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

    /// The first two tokens after line breaks.
    fn after_break(&self) -> (Kind, Kind) {
        let mut lexer = self.lexer;
        let mut first = lexer.next().kind;
        while first == Kind::Newline {
            first = lexer.next().kind;
        }
        (first, lexer.next().kind)
    }

    /// Skips line breaks, and reports them once per attribute.
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
