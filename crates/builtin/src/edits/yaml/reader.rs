//! Parsing YAML with the position of each value.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use uphold_resource::{Result, Value};

use super::scalar;
use crate::edits::format::not_understood;
use crate::edits::node::{Body, Entry, Node, Style};

/// The maximum depth; no real configuration is deeper. Keeps the stack small.
const DEEPEST: usize = 128;

/// The name of an omitted key, as in `: 1`.
const NULL_KEY: &str = "null";

/// The maximum number of values with all aliases expanded: enough for any configuration, and too few to exhaust
/// memory.
const MOST_PARTS: usize = 1_000_000;

/// Parses all documents of the text.
///
/// # Errors
/// The syntax error, with line and column; or that a key is not supported.
pub(crate) fn read(text: &str) -> Result<Vec<Node>> {
    let mut reader = Reader::new(text);
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let place = error.marker();
            not_understood("YAML", place.line(), place.col() + 1, error.info())
        })?;
        let place = (span.start.line(), span.start.col() + 1);
        reader.take(event, span).map_err(|why| not_understood("YAML", place.0, place.1, &why))?;
    }
    Ok(reader.documents)
}

struct Reader<'t> {
    text: &'t str,
    /// The byte offset of each character, and of the end.
    bytes: Vec<usize>,
    open: Vec<Open>,
    anchors: BTreeMap<usize, (Value, usize)>,
    parts: usize,
    documents: Vec<Node>,
}

/// A collection that is not closed yet.
struct Open {
    anchor: usize,
    /// The number of values before it.
    parts: usize,
    start: usize,
    style: Style,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    /// Entries, their keys, and a key without its value yet.
    Map(Vec<Entry>, BTreeSet<String>, Option<(String, Range<usize>)>),
}

impl<'t> Reader<'t> {
    fn new(text: &'t str) -> Self {
        let bytes = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let (open, documents) = (Vec::new(), Vec::new());
        Self { text, bytes, open, anchors: BTreeMap::new(), parts: 0, documents }
    }

    fn bytes(&self, span: Span) -> Range<usize> {
        let byte = |at: usize| self.bytes.get(at).copied().unwrap_or(self.text.len());
        byte(span.start.index())..byte(span.end.index())
    }

    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), String> {
        let span = self.bytes(span);
        match event {
            Event::SequenceStart(anchor, _) => self.open(anchor, span, Content::List(Vec::new())),
            Event::MappingStart(anchor, _) => {
                self.open(anchor, span, Content::Map(Vec::new(), BTreeSet::new(), None))
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(&span),
            Event::Scalar(text, style, anchor, tag) => {
                if let Some(Open { content: Content::Map(_, keys, key @ None), .. }) = self.open.last_mut() {
                    // An omitted key is null, and not the empty string.
                    let is_omitted = text.is_empty() && style == ScalarStyle::Plain;
                    let name = if is_omitted { NULL_KEY } else { &*text };
                    if !keys.insert(name.to_owned()) {
                        return Err(format!("the key {name:?} occurs twice"));
                    }
                    *key = Some((name.to_owned(), span));
                    return Ok(());
                }
                let value = scalar::value(&text, style, tag.as_deref());
                let node = Node { span, body: Body::Scalar(value) };
                self.finish(anchor, 1, node)
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some((value, parts)) => self.finish(0, parts, Node { span, body: Body::Alias(value) }),
                None => Err("an alias refers to a value that contains it".to_owned()),
            },
            _ => Ok(()),
        }
    }

    fn open(&mut self, anchor: usize, span: Range<usize>, content: Content) -> Result<(), String> {
        if self.open.len() >= DEEPEST {
            return Err(format!("the data is nested more than {DEEPEST} levels deep"));
        }
        if let Some(Open { content: Content::Map(_, _, None), .. }) = self.open.last() {
            return Err("a key that is not a plain string is not supported".to_owned());
        }
        // Only brackets and braces have a span that is not empty.
        let style = if self.text[span.clone()].ends_with(['[', '{']) { Style::Flow } else { Style::Block };
        self.open.push(Open { anchor, parts: self.parts, start: span.start, style, content });
        Ok(())
    }

    fn close(&mut self, span: &Range<usize>) -> Result<(), String> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let (end, body) = match open.content {
            Content::List(items) => (items.last().map(|item| item.span.end), Body::List(items, open.style)),
            Content::Map(entries, ..) => {
                (entries.last().map(|entry| entry.value.span.end), Body::Map(entries, open.style))
            }
        };
        let end = match open.style {
            Style::Flow => span.end,
            Style::Block => end.unwrap_or(open.start),
        };
        let parts = self.parts - open.parts;
        self.parts = open.parts;
        self.finish(open.anchor, parts + 1, Node { span: open.start..end, body })
    }

    fn finish(&mut self, anchor: usize, parts: usize, node: Node) -> Result<(), String> {
        self.parts += parts;
        if self.parts > MOST_PARTS {
            return Err(format!("the file has more than {MOST_PARTS} values, with all aliases expanded"));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, (node.value(), parts));
        }
        let text = self.text;
        match self.open.last_mut().map(|open| &mut open.content) {
            None => self.documents.push(node),
            Some(Content::List(items)) => items.push(node),
            Some(Content::Map(entries, _, key)) => match key.take() {
                Some((key, key_span)) => entries.push(entry(text, key, key_span, node)),
                None => return Err("a key that is an alias is not supported".to_owned()),
            },
        }
        Ok(())
    }
}

/// An omitted value is positioned directly after the colon.
fn entry(text: &str, key: String, key_span: Range<usize>, mut value: Node) -> Entry {
    if value.span.is_empty() && matches!(value.body, Body::Scalar(Value::Null)) {
        let behind = &text[key_span.end..];
        let gap = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        let at = key_span.end + gap;
        if text[at..].starts_with(':') {
            value.span = at + 1..at + 1;
        }
    }
    Entry { key, key_span, value }
}
