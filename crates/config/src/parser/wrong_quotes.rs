//! Strings in quotes of other languages: single, typographic or escaped ones.

use uphold_model::Code;

use super::cursor::{Parsed, Parser, Reported};
use crate::token::{Kind, Span};
use crate::tree::NodeId;

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
