//! Blocks of plain literals, which large configurations mostly consist of: read without a tree.
//!
//! Everything else, and every mistake, is left to the general parser, so that messages have one origin.

#[cfg(test)]
pub(super) mod tests;

use uphold_model::{Attribute, RESERVED_BLOCKS, ResourceId, SourceId, Term, Value};

use super::cursor::Parser;
use super::read_ahead::{BlockRead, Upcoming};
use super::template::unescape;
use crate::foreign::foreign_block;
use crate::lexer::Lexer;
use crate::meta::Argument;
use crate::names::Names;
use crate::string_scan::{Stop, stop_in_quotes};
use crate::token::{Kind, Span, Token};

/// A block with more attributes is left to the general parser: here, each name is compared with all others.
const MOST: usize = 64;

/// A block of a resource whose attributes are literals, each set once, and no meta arguments.
#[derive(Debug)]
pub(crate) struct LiteralBlock {
    pub(crate) id: ResourceId,
    pub(crate) kind: Span,
    /// The label, with its quotes.
    pub(crate) label: Span,
    /// In written order.
    pub(crate) attributes: Box<[Attribute]>,
}

/// Reads the literal blocks of a source.
pub(crate) struct LiteralReader<'n> {
    names: &'n mut Names,
    /// The attributes of the current block.
    attributes: Vec<Attribute>,
    /// The text of the current string, with escapes replaced.
    text: String,
    upcoming: Upcoming<'n>,
}

impl<'n> LiteralReader<'n> {
    pub(crate) fn new(names: &'n mut Names) -> Self {
        Self { names, attributes: Vec::new(), text: String::new(), upcoming: Upcoming::default() }
    }

    /// The same, with parts of the text that are read ahead.
    pub(super) fn with(self, upcoming: Upcoming<'n>) -> Self {
        Self { upcoming, ..self }
    }

    /// Reads a block after its kind.
    ///
    /// # Errors
    /// If it is no literal block: the byte where that became clear.
    pub(super) fn read(
        &mut self,
        lexer: Lexer<'_>,
        (text, source): (&str, SourceId),
        kind: Span,
    ) -> Result<BlockRead, usize> {
        self.attributes.clear();
        let mut scan = Scan { text, source, lexer, reader: self };
        let found = scan.block(kind);
        let at = scan.lexer.at;
        let (label, end, after) = found.ok_or(at)?;
        let name = Span { start: label.start + 1, end: label.end - 1 };
        let id = ResourceId::new(self.names.get(&text[kind.range()]), &text[name.range()]);
        let block = LiteralBlock { id, kind, label, attributes: self.attributes.drain(..).collect() };
        Ok(BlockRead { block, end, after, at })
    }
}

impl Parser<'_> {
    /// Parses a literal block, if the current token starts one; otherwise changes nothing. After a mistake there are no
    /// literal blocks.
    pub(super) fn literal_block(&mut self, reader: &mut LiteralReader<'_>) -> Option<LiteralBlock> {
        if self.current.kind != Kind::Identifier || !self.line_start || !self.problems.is_empty() {
            return None;
        }
        let kind = self.current.span;
        let read = match reader.upcoming.take(kind.start) {
            Some(read) => read,
            None => reader.read(self.lexer, (self.text, self.source), kind).ok()?,
        };
        self.lexer.at = read.at;
        (self.previous, self.current, self.line_start) = (read.end, read.after, false);
        Some(read.block)
    }
}

/// Reads one block. None if it is no literal block.
struct Scan<'s, 't, 'n> {
    text: &'t str,
    source: SourceId,
    lexer: Lexer<'t>,
    reader: &'s mut LiteralReader<'n>,
}

impl<'t> Scan<'_, 't, '_> {
    /// Reads the block after its kind. Returns its label, its closing brace, and the token after it.
    fn block(&mut self, kind: Span) -> Option<(Span, Span, Token)> {
        if !is_resource(self.word(kind)) {
            return None;
        }
        let quote = self.expect(Kind::Quote)?;
        let (end, Stop::Quote) = stop_in_quotes(self.text.as_bytes(), self.lexer.at) else { return None };
        self.lexer.at = end + 1;
        self.expect(Kind::BraceOpen)?;
        self.expect(Kind::Newline)?;
        let close = self.attributes()?;
        let after = self.lexer.next();
        let ends = matches!(after.kind, Kind::Newline | Kind::End);
        ends.then(|| (Span::new(quote.start as usize, end + 1), close, after))
    }

    /// Reads the attributes, and returns the closing brace.
    fn attributes(&mut self) -> Option<Span> {
        loop {
            let token = self.lexer.next();
            match token.kind {
                Kind::Newline => {}
                Kind::BraceClose => return Some(token.span),
                Kind::Identifier => {
                    let attribute = self.attribute(token.span)?;
                    let others = &mut self.reader.attributes;
                    let is_twice = others.iter().any(|other| other.name == attribute.name);
                    if is_twice || others.len() == MOST {
                        return None;
                    }
                    others.push(attribute);
                }
                _ => return None,
            }
        }
    }

    fn attribute(&mut self, name: Span) -> Option<Attribute> {
        let word = self.word(name);
        if Argument::named(word).is_some() {
            return None;
        }
        self.expect(Kind::Assign)?;
        let token = self.lexer.next();
        let (value, end) = match token.kind {
            Kind::Quote => self.string()?,
            Kind::Identifier => (bool(self.word(token.span))?, token.span.end),
            Kind::Number => (number(self.word(token.span))?, token.span.end),
            _ => return None,
        };
        // Anything else on the line continues the expression, or is a mistake.
        self.expect(Kind::Newline)?;
        let value_span = Span { start: token.span.start, end };
        Some(Attribute {
            name: self.reader.names.get(word),
            place: Some(name.place(self.source)),
            value_place: Some(value_span.place(self.source)),
            value: Term::Known(value),
        })
    }

    /// The string after a quote, and its end.
    fn string(&mut self) -> Option<(Value, u32)> {
        let bytes = self.text.as_bytes();
        let mut from = self.lexer.at;
        let (mut at, mut stop) = stop_in_quotes(bytes, from);
        self.reader.text.clear();
        while stop != Stop::Quote {
            self.reader.text.push_str(&self.text[from..at]);
            from = match stop {
                Stop::Backslash => {
                    let (character, length) = unescape(&self.text[at..]).ok()?;
                    self.reader.text.push(character);
                    at + length
                }
                Stop::Doubled => {
                    self.reader.text.push_str(&self.text[at + 1..at + 3]);
                    at + 3
                }
                _ => return None,
            };
            (at, stop) = stop_in_quotes(bytes, from);
        }
        let rest = &self.text[from..at];
        let text = if from == self.lexer.at {
            rest
        } else {
            self.reader.text.push_str(rest);
            &self.reader.text
        };
        // It may name a param, as in Jinja: the name check looks into it.
        if text.contains("{{") {
            return None;
        }
        self.lexer.at = at + 1;
        Some((Value::Text(self.reader.names.text(text)), at as u32 + 1))
    }

    /// The span of the next token, if it is of this kind.
    fn expect(&mut self, kind: Kind) -> Option<Span> {
        let token = self.lexer.next();
        (token.kind == kind).then_some(token.span)
    }

    fn word(&self, span: Span) -> &'t str {
        &self.text[span.range()]
    }
}

/// Whether a block of this kind with one label declares a resource, as far as the word decides.
fn is_resource(kind: &str) -> bool {
    let is_reserved = RESERVED_BLOCKS.contains(&kind) || kind == "variable";
    // A statement of another language may look like such a kind: `if-else`.
    !is_reserved && !kind.contains('-') && foreign_block(kind, 1).is_none()
}

fn bool(word: &str) -> Option<Value> {
    match word {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        _ => None,
    }
}

/// A whole number in its plain form.
fn number(word: &str) -> Option<Value> {
    let is_plain = word.bytes().all(|byte| byte.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    word.parse().ok().filter(|_| is_plain).map(Value::Int)
}
