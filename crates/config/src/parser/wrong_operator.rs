//! Operators and keywords of other languages, and their replacements.

use uphold_model::Code;

use crate::excerpt::excerpt;
use crate::token::{Kind, Span};
use crate::tree::{NodeId, NodeKind};

use super::cursor::{Parsed, Parser, Reported};
use super::nesting::Opening;

/// Foreign operators and what to write instead. Longer ones come first.
const WRONG: [(&str, &str); 26] = [
    ("===", "write `==`"),
    ("!==", "write `!=`"),
    ("=<", "write `<=`"),
    ("=>", "write `>=` to compare; `=>` is written between the key and the value of a `for`"),
    ("=~", "write `can(regex(pattern, text))`"),
    ("<>", "write `!=`"),
    ("=", "write `==` to compare"),
    ("++", "write `+ 1`; values are immutable"),
    ("+=", "write `+`; values are immutable"),
    ("-=", "write `-`; values are immutable"),
    ("*=", "write `*`; values are immutable"),
    ("->", "write `key = value` in an object, `key => value` in a `for`"),
    ("/=", "write `/`; values are immutable"),
    ("%=", "write `%`; values are immutable"),
    ("**", "write `pow(number, exponent)`"),
    ("??", "write `coalesce(value, other)`"),
    ("?.", "write `try(value.field, null)`"),
    ("?:", "write `coalesce(value, other)`, or `condition ? value : other`"),
    ("&", "write `&&`"),
    ("|", "write `||`"),
    ("^", "write `pow(number, exponent)`"),
    ("and", "write `&&`"),
    ("or", "write `||`"),
    ("is", "write `==`"),
    ("in", "write `contains(list, value)`"),
    ("not", "write `!` before the condition; strings need quotes"),
];

impl Parser<'_> {
    /// Reports an operator of another language that starts with the current token.
    pub(super) fn wrong_sign(&mut self) -> Parsed<()> {
        let start = self.current.span.start as usize;
        match self.text.as_bytes().get(self.lexer.at) {
            Some(b'=' | b'>' | b'+' | b'*' | b'?' | b'.' | b':') => {}
            _ => return Ok(()),
        }
        match WRONG.iter().find(|(sign, _)| sign.len() > 1 && self.text[start..].starts_with(sign)) {
            Some((sign, fix)) => self.wrong(Span::new(start, start + sign.len()), fix),
            None => Ok(()),
        }
    }

    /// Ends the expression that started at `start`, unless an operator of another language follows.
    pub(super) fn no_operator(&mut self, start: Span, node: NodeId) -> Parsed<NodeId> {
        let inner = self.nesting.innermost().map(|open| open.what);
        let alone = matches!(inner, None | Some(Opening::Block | Opening::Paren | Opening::Interpolation));
        let in_body = matches!(inner, None | Some(Opening::Block));
        let wrong = match self.current.kind {
            Kind::Stray => matches!(self.word(self.current.span), "&" | "|" | "^"),
            Kind::Assign => alone && !self.begins_line(start),
            Kind::Arrow => alone,
            Kind::Identifier if self.line_start => false,
            Kind::Identifier => match self.word(self.current.span) {
                "if" if alone => return self.no_expression(self.current.span),
                // After a bare word in a body, it is more likely a string without quotes.
                "and" | "or" | "is" => !(in_body && self.tree.sort(node) == NodeKind::Name),
                "in" => alone && self.tree.sort(node) != NodeKind::Name,
                _ => false,
            },
            _ => false,
        };
        if wrong { self.wrong_here() } else { Ok(node) }
    }

    fn wrong_here<T>(&mut self) -> Parsed<T> {
        let mut span = self.current.span;
        let next = self.text.as_bytes().get(self.lexer.at);
        if self.current.kind == Kind::Assign && matches!(next, Some(b'<' | b'~')) {
            span.end += 1;
        }
        let text = self.word(span);
        let fix = WRONG.iter().find(|(sign, _)| *sign == text).map_or("remove it", |(_, fix)| fix);
        match self.nesting.innermost() {
            Some(open) if text == "=" && open.what == Opening::Paren => {
                self.wrong(span, &format!("{fix}; arguments of functions have no names"))
            }
            _ => self.wrong(span, fix),
        }
    }

    /// Whether this is the first token of its line: then perhaps an earlier bracket is unclosed.
    fn begins_line(&self, span: Span) -> bool {
        self.text[..span.start as usize].trim_end_matches([' ', '\t']).ends_with('\n')
    }

    /// Reports `not x`, `if x`, `for x` and `space::name`. The name at `span` was just read.
    pub(super) fn wrong_word(&mut self, span: Span) -> Parsed<()> {
        let operand = matches!(
            self.current.kind,
            Kind::Identifier | Kind::Number | Kind::Quote | Kind::Bang | Kind::ParenOpen
        );
        match self.word(span) {
            _ if self.line_start => Ok(()),
            "not" if operand => self.wrong(span, WRONG[WRONG.len() - 1].1),
            "if" if operand => self.no_expression(span),
            "for" if self.current.kind == Kind::Identifier => {
                let detail = "a `for` must come first in a list or an object";
                let error = self.error(Code::MalformedFor, detail, span);
                let fix = "write `[for value in list : result]`, with nothing else in the brackets; \
                           join lists with `concat`, objects with `merge`";
                self.fail(error.fix(fix))
            }
            _ if self.current.kind == Kind::Colon && self.text[self.lexer.at..].starts_with(':') => {
                let error = self.error(
                    Code::UnknownOperator,
                    "names do not contain `::`",
                    span.to(self.current.span),
                );
                self.fail(error.fix("write the name of the function alone, or a string in quotes"))
            }
            _ => Ok(()),
        }
    }

    fn no_expression<T>(&mut self, span: Span) -> Parsed<T> {
        let error = self.error(Code::MalformedConditional, "there is no `if` expression", span);
        self.fail(error.fix("write `condition ? value : other value`"))
    }

    fn wrong<T>(&mut self, span: Span, fix: &str) -> Parsed<T> {
        let detail = format!("{} is not an operator of this language", excerpt(self.word(span)));
        let error = self.error(Code::UnknownOperator, detail, span);
        self.fail(error.fix(fix))
    }
}

// Strings in quotes of other languages: single, typographic or escaped ones.

/// Characters that people or editors use as quotes, and those that close them.
const WRONG_QUOTES: [(char, &[char]); 10] = [
    ('\'', &['\'']),
    ('`', &['`']),
    ('‘', &['‘', '’']),
    ('’', &['‘', '’']),
    ('‚', &['‘', '’']),
    ('“', &['“', '”']),
    ('”', &['“', '”']),
    ('„', &['“', '”']),
    ('«', &['»']),
    ('»', &['«']),
];

impl<'t> Parser<'t> {
    /// The closing quotes that match the current token, if that is a wrong quote.
    pub(super) fn wrong_quote(&self) -> Option<&'static [char]> {
        let sign = self.word(self.current.span).chars().next()?;
        WRONG_QUOTES.iter().find(|(open, _)| *open == sign).map(|(_, close)| *close)
    }

    /// Whether the current token is a `\` before a quote, which does not start a string.
    pub(super) fn escaped_quote(&self) -> bool {
        self.word(self.current.span) == "\\" && self.text[self.lexer.at..].starts_with('"')
    }

    /// Reports the wrong quote at the current token, and skips the quoted text.
    pub(super) fn wrongly_quoted<T>(&mut self) -> Parsed<T> {
        if self.escaped_quote() {
            let span = Span { end: self.current.span.end + 1, ..self.current.span };
            let error = self.error(Code::WrongQuotes, "a string does not start with an escaped quote", span);
            return self.fail(error.fix("write `\"` without the `\\`, in `${…}` as well"));
        }
        self.skip_wrongly_quoted();
        Err(Reported)
    }

    /// `kind 'label' {`: parsing continues as if the quotes were correct.
    pub(super) fn wrongly_quoted_label(&mut self) -> Parsed<NodeId> {
        let (text, span) = self.skip_wrongly_quoted();
        let label = self.text_leaf(text, span);
        match self.current.kind {
            Kind::BraceOpen => Ok(label),
            // The block reports a missing brace.
            Kind::Newline if self.nesting.depth() == 0 => Ok(label),
            _ => Err(Reported),
        }
    }

    /// Reports the wrong quotes. If they are not closed on this line, only the first one is skipped.
    fn skip_wrongly_quoted(&mut self) -> (&'t str, Span) {
        let start = self.current.span;
        let from = self.lexer.at;
        let close = self.wrong_quote().unwrap_or_default();
        let mut ends = self.text[from..].match_indices(|c| c == '\n' || close.contains(&c));
        let end = ends.next().filter(|(_, sign)| *sign != "\n");
        let text = end.map_or("", |(length, _)| &self.text[from..from + length]);
        self.lexer.at = from + end.map_or(0, |(length, sign)| length + sign.len());
        let span = start.to(Span::new(from, self.lexer.at));
        let quotes = if self.word(start).starts_with('`') { "backquotes".into() } else { self.found() };
        let detail = format!("strings need double quotes, not {quotes}");
        let plain = !text.is_empty() && text.len() <= 40 && !text.contains(['"', '\\', '$', '%']);
        let fix = if plain { format!("write \"{text}\"") } else { "write \"…\"".into() };
        let error = self.error(Code::WrongQuotes, detail, span).fix(fix);
        self.problems.push(error);
        self.current.span = span;
        self.bump();
        (text, span)
    }
}
