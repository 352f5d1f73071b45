//! Template directives: `%{ if … }`, `%{ for … }` and their parts.

use uphold_model::Code;

use crate::excerpt::excerpt;
use crate::token::{Kind, Span};
use crate::tree::NodeId;

use super::cursor::{Parsed, Parser};
use super::loop_head::Head;
use super::piece::{Content, Piece, Trim};

/// A parsed directive.
#[derive(Clone, Copy, Debug)]
pub(super) enum Directive {
    If(NodeId),
    Else,
    EndIf,
    For(Head),
    EndFor,
}

impl Parser<'_> {
    /// Parses `%{ … }`. The lexer is at the `%`, and after the `}` afterwards.
    pub(super) fn directive(&mut self, line_start: bool) -> Parsed<()> {
        let start = self.lexer.at;
        let (span, before) = self.open_sequence()?;
        let directive = self.directive_body(span)?;
        let Some(after) = self.close_sequence() else { return self.unclosed_directive(&directive, span) };
        let span = Span::new(start, self.lexer.at);
        let content = Content::Directive(directive, Trim { before, after });
        self.pieces.push(Piece { content, span, line_start });
        Ok(())
    }

    fn directive_body(&mut self, span: Span) -> Parsed<Directive> {
        let word = match self.current.kind {
            Kind::Identifier => self.word(self.current.span),
            _ => "",
        };
        match word {
            "if" => {
                let word = self.current.span;
                self.bump();
                self.operand_after(word)?;
                Ok(Directive::If(self.expression()?))
            }
            "for" => Ok(Directive::For(self.loop_head()?)),
            "else" => {
                self.bump();
                Ok(Directive::Else)
            }
            "endif" => {
                self.bump();
                Ok(Directive::EndIf)
            }
            "endfor" => {
                self.bump();
                Ok(Directive::EndFor)
            }
            _ => self.unknown_directive(word, span),
        }
    }

    fn unknown_directive<T>(&mut self, word: &str, span: Span) -> Parsed<T> {
        if word.is_empty() {
            let detail = format!("expected `if` or `for`, found {}", self.found());
            let error = self.error(Code::MalformedDirective, detail, span);
            let fix = "for a literal `%{` write `%%{`, for a value `${`; directives are `%{ if … }` and `%{ for … }`";
            return self.fail(error.fix(fix));
        }
        let fix = match word {
            "elif" | "elseif" | "elsif" => ELSE_IF,
            "end" | "fi" | "done" | "endIf" | "end_if" | "endFor" | "end_for" => {
                "close with `%{ endif }` or `%{ endfor }`"
            }
            "unless" => "write `%{ if !condition }`",
            "foreach" | "each" | "loop" | "range" | "while" => "write `%{ for value in list }`",
            _ => "for a literal `%{` write `%%{`; directives are `if`, `else`, `endif`, `for` and `endfor`",
        };
        let detail = format!("{} is not a directive", excerpt(word));
        let error = self.error(Code::MalformedDirective, detail, self.current.span);
        self.fail(error.fix(fix))
    }

    fn unclosed_directive<T>(&mut self, directive: &Directive, span: Span) -> Parsed<T> {
        if matches!(directive, Directive::Else) && self.at_word("if") {
            let error = self.error(Code::MalformedDirective, "`else` takes no condition", self.current.span);
            return self.fail(error.fix(ELSE_IF));
        }
        let detail = format!("expected `}}`, found {}", self.found());
        let error = self.error(Code::UnclosedDirective, detail, span);
        let fix = match self.current.kind {
            Kind::Tilde => "write `~}` without a space in between",
            Kind::Colon => "write `%{ for value in list }`, then the text, then `%{ endfor }`",
            _ => "add `}`; for a literal `%{` write `%%{`",
        };
        self.fail(error.fix(fix))
    }

    /// Reports `${else}`, `${if …}` and the like. The current token is the first one in the interpolation at `span`.
    pub(super) fn directive_as_value(&mut self, span: Span) -> Parsed<()> {
        if self.current.kind != Kind::Identifier {
            return Ok(());
        }
        let next = || self.lexer.clone().next().kind;
        let directive = match self.word(self.current.span) {
            "else" | "endif" | "endfor" => {
                matches!(next(), Kind::BraceClose | Kind::Tilde | Kind::Identifier)
            }
            "if" | "for" => matches!(next(), Kind::Identifier | Kind::Bang | Kind::Quote),
            _ => return Ok(()),
        };
        if !directive {
            return Ok(());
        }
        let detail = format!("{} is not a value", self.found());
        let error = self.error(Code::MalformedDirective, detail, span.to(self.current.span));
        self.fail(error.fix("write `%{` instead of `${`"))
    }
}

/// The hint for `else if`.
const ELSE_IF: &str = "write `%{ else }%{ if … }`, with an `%{ endif }` of its own";
