//! Events of the parser, put together to nodes.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, Tag};

use crate::node::{Body, Error, Node, Scalar, Style};
use crate::scalar;

/// The maximum depth; no real document is deeper. It bounds the stack of everything that recurses over nodes.
const DEEPEST: usize = 128;

/// The maximum number of nodes with all aliases expanded.
const MOST_PARTS: usize = 1_000_000;

/// All documents of a text.
///
/// # Errors
/// The first mistake, or the limit that the text exceeds.
pub fn read(text: &str) -> Result<Vec<Node<'_>>, Error> {
    documents(text, usize::MAX)
}

/// The only document of a text; none if it is empty.
///
/// # Errors
/// As [`read`], or if there is a second document.
pub fn read_one(text: &str) -> Result<Option<Node<'_>>, Error> {
    Ok(documents(text, 1)?.pop())
}

fn documents(text: &str, most: usize) -> Result<Vec<Node<'_>>, Error> {
    let bytes: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    // The parser counts characters.
    let byte = |index: usize| bytes.get(index).copied().unwrap_or(text.len());
    let mut reader = Reader { text, most, ..Reader::default() };
    for event in Parser::new_from_str(text) {
        let (event, Span { start, end }) = event.map_err(|error| {
            let at = byte(error.marker().index());
            Error { is_syntax: true, ..Error::new(text, at, error.info()) }
        })?;
        let span = byte(start.index())..byte(end.index());
        let at = span.start;
        reader.take(event, span).map_err(|what| Error::new(text, at, what))?;
    }
    Ok(reader.documents)
}

#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    /// The maximum number of documents.
    most: usize,
    open: Vec<Open<'t>>,
    /// The number of parts of each complete node with an anchor.
    anchors: BTreeMap<usize, usize>,
    parts: usize,
    documents: Vec<Node<'t>>,
}

/// A collection that is not closed yet.
struct Open<'t> {
    /// The node, without its end.
    node: Node<'t>,
    /// A key that waits for its value.
    key: Option<Node<'t>>,
    /// The number of parts before it.
    parts: usize,
}

impl<'t> Reader<'t> {
    fn take(&mut self, event: Event<'t>, span: Range<usize>) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) if self.documents.len() >= self.most => {
                Err("there is more than one document".to_owned())
            }
            Event::SequenceStart(anchor, tag) => {
                let body = Body::List(Vec::new(), self.style(&span));
                self.open(node(span, anchor, tag, body))
            }
            Event::MappingStart(anchor, tag) => {
                let body = Body::Map(Vec::new(), self.style(&span));
                self.open(node(span, anchor, tag, body))
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span.end),
            Event::Scalar(text, style, anchor, tag) => {
                let text = self.without_added_line_break(text, style, span.end);
                let is_plain = style == ScalarStyle::Plain;
                let value = scalar::value(&text, is_plain, tag.as_deref());
                self.finish(1, node(span, anchor, tag, Body::Scalar(Scalar { text, is_plain, value })))
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor) {
                Some(parts) => self.finish(*parts, node(span, 0, None, Body::Alias(anchor))),
                None => Err("an alias refers to its own parent".to_owned()),
            },
            _ => Ok(()),
        }
    }

    /// Only brackets and braces have a span that is not empty.
    fn style(&self, span: &Range<usize>) -> Style {
        if self.text[span.clone()].ends_with(['[', '{']) { Style::Flow } else { Style::Block }
    }

    /// A block scalar at the end of a text without a final line break has none either; the parser adds one.
    fn without_added_line_break(&self, text: Cow<'t, str>, style: ScalarStyle, end: usize) -> Cow<'t, str> {
        let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
        if is_block && end == self.text.len() && !self.text.ends_with('\n') {
            Cow::Owned(text.trim_end_matches('\n').to_owned())
        } else {
            text
        }
    }

    fn open(&mut self, node: Node<'t>) -> Result<(), String> {
        if self.open.len() >= DEEPEST {
            return Err(format!("the data is nested more than {DEEPEST} levels deep"));
        }
        self.open.push(Open { node, key: None, parts: self.parts });
        Ok(())
    }

    fn close(&mut self, end: usize) -> Result<(), String> {
        let Some(Open { mut node, parts, .. }) = self.open.pop() else { return Ok(()) };
        let last = match &node.body {
            Body::List(items, Style::Block) => Some(items.last()),
            Body::Map(entries, Style::Block) => Some(entries.last().map(|(_, value)| value)),
            _ => None,
        };
        node.span.end = match last {
            None => end,
            Some(last) => last.map_or(node.span.start, |last| last.span.end),
        };
        let inner = self.parts - parts;
        self.parts = parts;
        self.finish(inner + 1, node)
    }

    fn finish(&mut self, parts: usize, node: Node<'t>) -> Result<(), String> {
        self.parts += parts;
        if self.parts > MOST_PARTS {
            return Err(format!("there are more than {MOST_PARTS} values, with all aliases expanded"));
        }
        if let Some(anchor) = node.anchor {
            self.anchors.insert(anchor, parts);
        }
        let Some(Open { node: Node { body, .. }, key, .. }) = self.open.last_mut() else {
            self.documents.push(node);
            return Ok(());
        };
        match (body, key.take()) {
            (Body::List(items, _), _) => items.push(node),
            (Body::Map(entries, _), Some(key)) => entries.push((key, node)),
            _ => *key = Some(node),
        }
        Ok(())
    }
}

fn node<'t>(span: Range<usize>, anchor: usize, tag: Option<Cow<'t, Tag>>, body: Body<'t>) -> Node<'t> {
    Node { span, anchor: (anchor > 0).then_some(anchor), tag: tag.map(|tag| tag.to_string()), body }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bytes of each node, with members in parentheses.
    fn outline(text: &str, node: &Node<'_>) -> String {
        let members: Vec<String> = match &node.body {
            Body::Scalar(_) | Body::Alias(_) => Vec::new(),
            Body::List(items, _) => items.iter().map(|item| outline(text, item)).collect(),
            Body::Map(entries, _) => {
                entries.iter().flat_map(|(key, value)| [outline(text, key), outline(text, value)]).collect()
            }
        };
        let own = &text[node.span.clone()];
        if members.is_empty() { own.to_owned() } else { format!("{own:?}({})", members.join("|")) }
    }

    #[test]
    fn nodes_have_their_bytes() {
        let check = |text: &str, expected: &str| {
            let root = read_one(text).expect(text).expect(text);
            assert_eq!(outline(text, &root), expected, "{text}");
        };
        check("é: [ü, 1]\n", "\"é: [ü, 1]\"(é|\"[ü, 1]\"(ü|1))");
        check("a:\n - b\n - c # x\n", "\"a:\\n - b\\n - c\"(a|\"- b\\n - c\"(b|c))");
        check("? {a: 1}\n: x\n", "\"? {a: 1}\\n: x\"(\"{a: 1}\"(a|1)|x)");
    }

    #[test]
    fn mistakes_have_their_place() {
        let check = |text: &str, line: usize, column: usize, why: &str| {
            let error = read_one(text).expect_err(text);
            assert!(error.what.contains(why), "{text}: {error:?}");
            assert_eq!((error.line, error.column), (line, column), "{text}");
        };
        check("é: 1\n---\nb: 2\n", 2, 1, "more than one document");
        check("a: &x [*x]\n", 1, 8, "its own parent");
        check(&"[".repeat(200), 1, 129, "levels deep");
        let bomb: String = (1..9)
            .map(|level| format!("{level}: &{level} [{}]\n", vec![format!("*{}", level - 1); 10].join(",")))
            .collect();
        check(&format!("0: &0 x\n{bomb}"), 7, 29, "with all aliases expanded");
    }

    #[test]
    fn a_block_at_the_end_ends_as_the_text() {
        let check = |text: &str, expected: &str| {
            let root = read_one(text).expect(text).expect(text);
            assert!(matches!(root.body, Body::Scalar(Scalar { text, .. }) if text == expected), "{text}");
        };
        check("|\n  a\n", "a\n");
        check("|\n  a", "a");
        check("\"a\\n\"", "a\n");
    }
}
