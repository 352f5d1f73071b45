//! Parsing expressions: conditionals, literals, operands and function calls.

use uphold_model::{Code, Diagnostic};

use crate::token::{Kind, Span, Token};
use crate::tree::{Items, NodeId, NodeKind, Operator, Tree};

use super::cursor::{Parsed, Parser};
use super::depth::DEEPEST_TREE;
use super::foreign_text::{NOTIFIES, is_moment};
use super::nesting::{DEEPEST, Opening};

/// The maximum nesting of expressions: as deep as a tree, plus parentheses, which are not in the tree.
const DEEPEST_EXPRESSION: usize = DEEPEST_TREE as usize + DEEPEST;

impl Parser<'_> {
    /// Parses a whole expression. The following tokens are left to the caller, unless they can only continue it.
    pub(super) fn expression(&mut self) -> Parsed<NodeId> {
        if self.levels >= DEEPEST_EXPRESSION {
            return self.too_deep(self.current.span);
        }
        self.levels += 1;
        let parsed = self.conditional();
        self.levels -= 1;
        parsed
    }

    fn conditional(&mut self) -> Parsed<NodeId> {
        let start = self.current.span;
        let condition = self.binary(0)?;
        if self.current.kind != Kind::Question {
            return self.no_operator(start, condition);
        }
        let question = self.current.span;
        self.wrong_sign()?;
        self.bump();
        self.operand_after(question)?;
        let yes = self.expression()?;
        if self.current.kind == Kind::Newline {
            self.continues_with(|kind| kind == Kind::Colon);
        }
        if self.current.kind != Kind::Colon {
            return self.missing_colon(question);
        }
        let colon = self.current.span;
        self.bump();
        self.operand_after(colon)?;
        let no = self.expression()?;
        self.parent(NodeKind::Conditional, [condition, yes, no], start.to(self.previous))
    }

    fn missing_colon<T>(&mut self, question: Span) -> Parsed<T> {
        let detail = format!("expected `:`, found {}", self.found());
        let error = self.error(Code::MalformedConditional, detail, self.here());
        let error = error.and_at(question.place(self.source), "the conditional's `?`");
        self.fail(error.fix("write `condition ? value : other value`"))
    }

    /// A literal, a name, or a bracketed expression.
    pub(super) fn operand(&mut self) -> Parsed<NodeId> {
        let span = self.current.span;
        match self.current.kind {
            Kind::Number => Ok(self.number(span)),
            Kind::Minus => self.negative(span),
            Kind::Quote => self.quoted(),
            Kind::Heredoc => self.heredoc(),
            Kind::BracketOpen => self.list(),
            Kind::BraceOpen => self.object(),
            Kind::ParenOpen => self.parenthesised(),
            Kind::Identifier => self.named(span),
            Kind::Stray if self.wrong_quote().is_some() || self.escaped_quote() => self.wrongly_quoted(),
            _ => self.missing_operand(),
        }
    }

    fn missing_operand<T>(&mut self) -> Parsed<T> {
        let detail = format!("{} is not a value", self.found());
        let error = self.error(Code::MissingValue, detail, self.here());
        let fix = match self.word(self.current.span) {
            "$" if self.text[self.lexer.at..].starts_with('{') => {
                "write the expression alone: `${…}` is only used inside strings"
            }
            "+" => "remove `+`",
            // A symbol of Ruby.
            ":" if is_moment(&self.text[self.lexer.at..]) => NOTIFIES,
            ":" if self.text[self.lexer.at..].starts_with(char::is_alphabetic) => {
                "write a string in quotes, without `:`"
            }
            "~" => "write `${~` and `~}` without a space in between; strings need quotes",
            "..." => {
                "join lists with `concat`, objects with `merge`; `...` follows the last argument of a call"
            }
            _ => "write a string in quotes, a number, a list, an object or a reference",
        };
        self.fail(error.fix(fix))
    }

    /// `-5`: a literal. The caller knows that a number follows.
    fn negative(&mut self, sign: Span) -> Parsed<NodeId> {
        self.bump();
        Ok(self.number(sign.to(self.current.span)))
    }

    fn named(&mut self, span: Span) -> Parsed<NodeId> {
        self.bump();
        if self.current.kind == Kind::ParenOpen && !matches!(self.word(span), "if" | "not") {
            return self.call(span);
        }
        let sort = match self.word(span) {
            "true" => NodeKind::True,
            "false" => NodeKind::False,
            "null" => NodeKind::Null,
            _ => {
                self.wrong_word(span)?;
                NodeKind::Name
            }
        };
        Ok(self.leaf(sort, span))
    }

    fn parenthesised(&mut self) -> Parsed<NodeId> {
        self.open(Opening::Paren, self.current.span)?;
        self.bump();
        let node = self.expression()?;
        if self.current.kind != Kind::ParenClose {
            return self.unclosed(Code::UnclosedBracket, "expected `)`", "add `)`");
        }
        self.close();
        Ok(node)
    }

    /// Reports that the innermost bracket is not closed where it must be. If another token follows on the same line,
    /// that token is the problem; otherwise the bracket is.
    pub(super) fn unclosed<T>(&mut self, code: Code, expected: &str, fix: &str) -> Parsed<T> {
        let closed_elsewhere = self.line_start
            || matches!(
                self.current.kind,
                Kind::End
                    | Kind::TextEnd
                    | Kind::Newline
                    | Kind::Assign
                    | Kind::BraceClose
                    | Kind::BracketClose
                    | Kind::ParenClose
            );
        let detail = format!("{expected}, found {}", self.found());
        let error = match self.nesting.innermost() {
            Some(open) if closed_elsewhere => self.error(code, detail, open.span).fix(fix),
            _ => self.error(Code::UnexpectedToken, detail, self.here()).fix(fix),
        };
        self.fail(error)
    }
}

impl Parser<'_> {
    /// Parses `(a, b...)` after the name of a function.
    pub(super) fn call(&mut self, name: Span) -> Parsed<NodeId> {
        self.open(Opening::Paren, self.current.span)?;
        self.bump();
        let base = self.pending_nodes.len();
        let spread = self.arguments()?;
        self.call_node(name, base, spread)
    }

    /// Parses up to and including the `)`. Returns whether the last argument is expanded with `...`.
    fn arguments(&mut self) -> Parsed<bool> {
        let mut spread = false;
        while self.current.kind != Kind::ParenClose {
            if spread {
                return self.after_spread();
            }
            if matches!(self.current.kind, Kind::End | Kind::TextEnd | Kind::BraceClose) {
                return self.unclosed(Code::UnclosedBracket, "expected `)`", "add `)`");
            }
            let argument = self.expression()?;
            self.pending_nodes.push(argument);
            match self.current.kind {
                Kind::Comma => self.bump(),
                Kind::ParenClose => {}
                Kind::Ellipsis => {
                    spread = true;
                    self.bump();
                }
                Kind::Colon => {
                    let fix = "write the value alone: arguments of functions have no names";
                    return self.unclosed(Code::UnclosedBracket, "expected `,` or `)`", fix);
                }
                _ => {
                    let fix = "add `,` between arguments, or `)`";
                    return self.unclosed(Code::UnclosedBracket, "expected `,` or `)`", fix);
                }
            }
        }
        self.close();
        Ok(spread)
    }

    fn after_spread<T>(&mut self) -> Parsed<T> {
        let fix = "write `...` after the last argument, right before `)`";
        self.unclosed(Code::UnclosedBracket, "expected `)` after `...`", fix)
    }
}

// Parsing a text that is a single expression.

impl Parser<'_> {
    /// The expression of the whole text; none if it is invalid.
    pub(crate) fn parse_single_expression(mut self) -> (Tree, Option<NodeId>, Vec<Diagnostic>) {
        self.bump();
        while self.current.kind == Kind::Newline {
            self.bump();
        }
        let node = self.expression().ok();
        while self.current.kind == Kind::Newline {
            self.bump();
        }
        if node.is_some() && self.current.kind != Kind::End {
            let error = self.error(
                Code::UnexpectedToken,
                format!("unexpected {} after the expression", self.found()),
                self.here(),
            );
            self.problems.push(error.fix("write one expression, and no more"));
        }
        let node = node.filter(|_| self.problems.is_empty());
        (self.tree.cut(Items::default()), node, self.problems)
    }

    /// The expression of the text from `start` on, which can have several lines; none if it is invalid.
    pub(crate) fn parse_expression(mut self, start: Span) -> (Tree, Option<NodeId>) {
        self.lexer.at = start.start as usize;
        // As in parentheses, line breaks have no meaning.
        self.nesting.push(Opening::Paren, start);
        self.bump();
        let node = self.expression().ok();
        (self.tree.cut(Items::default()), node)
    }
}

// Parsing unary and binary operators.

impl Parser<'_> {
    /// Parses operands and binary operators with at least this precedence. It calls itself at most once for each
    /// precedence.
    pub(super) fn binary(&mut self, weakest: u8) -> Parsed<NodeId> {
        let start = self.current.span;
        let mut left = self.unary()?;
        while let Some((operator, strength)) = operator(self.current.kind)
            && strength >= weakest
        {
            self.wrong_sign()?;
            let sign = self.current.span;
            self.bump();
            self.operand_after(sign)?;
            let right = self.binary(strength + 1)?;
            left = self.binary_node(operator, left, right, start.to(self.previous))?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<NodeId> {
        if !self.at_sign() {
            return self.member();
        }
        let mut signs: Vec<Token> = Vec::new();
        while self.at_sign() {
            if signs.len() >= usize::from(DEEPEST_TREE) {
                return self.too_deep(self.current.span);
            }
            let sign = self.current;
            signs.push(sign);
            self.bump();
            self.operand_after(sign.span)?;
        }
        let mut node = self.member()?;
        for sign in signs.into_iter().rev() {
            let sort = if sign.kind == Kind::Bang { NodeKind::Not } else { NodeKind::Negative };
            node = self.parent(sort, [node], sign.span.to(self.previous))?;
        }
        Ok(node)
    }

    /// Whether the current token is a sign that is not part of a literal such as `-5`.
    fn at_sign(&self) -> bool {
        match self.current.kind {
            Kind::Bang => true,
            Kind::Minus => self.lexer.clone().next().kind != Kind::Number,
            _ => false,
        }
    }
}

/// The binary operator of a token, and its precedence.
pub(super) fn operator(kind: Kind) -> Option<(Operator, u8)> {
    Some(match kind {
        Kind::Or => (Operator::Or, 1),
        Kind::And => (Operator::And, 2),
        Kind::Equal => (Operator::Equal, 3),
        Kind::Unequal => (Operator::Unequal, 3),
        Kind::Less => (Operator::Less, 4),
        Kind::LessOrEqual => (Operator::LessOrEqual, 4),
        Kind::Greater => (Operator::Greater, 4),
        Kind::GreaterOrEqual => (Operator::GreaterOrEqual, 4),
        Kind::Plus => (Operator::Add, 5),
        Kind::Minus => (Operator::Subtract, 5),
        Kind::Star => (Operator::Multiply, 6),
        Kind::Slash => (Operator::Divide, 6),
        Kind::Percent => (Operator::Remainder, 6),
        _ => return None,
    })
}
