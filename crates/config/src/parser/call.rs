//! Parsing function calls.

use uphold_model::Code;

use super::cursor::{Parsed, Parser};
use super::nesting::Opening;
use crate::token::{Kind, Span};
use crate::tree::NodeId;

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
