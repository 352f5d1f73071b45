//! YAML: its functions, and its parser, which works event by event and builds no value that is too deep or, with
//! its aliases expanded, too large.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use uphold_model::{Map, Shape, Value};

use super::scalar;
use super::yaml_writer::encode;
use crate::arguments::written;
use crate::bounds::{DEEPEST, MOST_ELEMENTS};
use crate::call::Fault;
use crate::function::Accepts::{Any, Text};
use crate::function::{Body, Function, Topic, example, takes};

/// The prefix of core schema tags.
const CORE: &str = "tag:yaml.org,2002:";

/// The value of the only document in `text`.
///
/// # Errors
/// The problem and its line.
pub(super) fn decode(text: &str) -> Result<Value, String> {
    let mut reader = Reader::default();
    // The end of a text without a final line break.
    let open_end = if text.ends_with('\n') { usize::MAX } else { text.chars().count() };
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| format!("this is not YAML: {error}"))?;
        let event = if span.end.index() >= open_end { without_final_line_break(event) } else { event };
        reader.take(event).map_err(|message| format!("{message}, in line {}", span.start.line()))?;
    }
    Ok(reader.root.map(|node| node.value).unwrap_or_default())
}

/// A block scalar at the end of a text without a final line break has none either; the parser adds one.
fn without_final_line_break(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Scalar(content, style @ (ScalarStyle::Literal | ScalarStyle::Folded), anchor, tag) => {
            let content = Cow::Owned(content.trim_end_matches('\n').to_owned());
            Event::Scalar(content, style, anchor, tag)
        }
        other => other,
    }
}

/// A finished value, and its number of parts with all aliases expanded.
#[derive(Clone)]
struct Node {
    value: Value,
    parts: usize,
}

#[derive(Default)]
struct Reader {
    open: Vec<Open>,
    anchors: BTreeMap<usize, Node>,
    documents: usize,
    /// The total number of parts, so that aliases of aliases are bounded.
    parts: usize,
    root: Option<Node>,
}

/// An open list or map.
struct Open {
    anchor: usize,
    parts: usize,
    content: Content,
}

enum Content {
    List(Vec<Value>),
    /// Entries, maps to merge, and a key that waits for its value.
    Map {
        entries: Map,
        merged: Vec<Value>,
        key: Option<Key>,
    },
}

enum Key {
    Named(Value),
    /// `<<`: its value is merged.
    Merge,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                match self.documents {
                    1 => Ok(()),
                    _ => Err("there is more than one document".to_owned()),
                }
            }
            Event::SequenceStart(anchor, _) => self.open(anchor, Content::List(Vec::new())),
            Event::MappingStart(anchor, _) => {
                self.open(anchor, Content::Map { entries: Map::new(), merged: Vec::new(), key: None })
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(),
            Event::Scalar(text, ScalarStyle::Plain, _, None) if text == "<<" && self.expects_key() => {
                if let Some(Open { content: Content::Map { key, .. }, .. }) = self.open.last_mut() {
                    *key = Some(Key::Merge);
                }
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => {
                let value = scalar(&text, style, tag.as_deref())?;
                self.finish(anchor, Node { value, parts: 1 })
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor).cloned() {
                Some(node) => self.finish(0, node),
                None => Err("an alias refers to its own parent".to_owned()),
            },
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentEnd => Ok(()),
        }
    }

    fn expects_key(&self) -> bool {
        matches!(self.open.last(), Some(Open { content: Content::Map { key: None, .. }, .. }))
    }

    fn open(&mut self, anchor: usize, content: Content) -> Result<(), String> {
        if self.open.len() >= DEEPEST {
            return Err(format!("the data is nested more than {DEEPEST} levels deep"));
        }
        self.open.push(Open { anchor, parts: 1, content });
        Ok(())
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(Open { anchor, parts, content }) = self.open.pop() else { return Ok(()) };
        let value = match content {
            Content::List(items) => Value::List(items.into()),
            Content::Map { entries, merged, .. } => merge(entries, merged)?,
        };
        self.finish(anchor, Node { value, parts })
    }

    fn finish(&mut self, anchor: usize, node: Node) -> Result<(), String> {
        self.parts = self.parts.saturating_add(node.parts);
        if self.parts > MOST_ELEMENTS {
            return Err(format!("there are more than {MOST_ELEMENTS} values, with all aliases expanded"));
        }
        if anchor > 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.parts = open.parts.saturating_add(node.parts);
        open.content.add(node.value)
    }
}

impl Content {
    fn add(&mut self, value: Value) -> Result<(), String> {
        match self {
            Content::List(items) => items.push(value),
            Content::Map { entries, merged, key } => match key.take() {
                None => *key = Some(Key::Named(value)),
                Some(Key::Merge) => merged.push(value),
                Some(Key::Named(name)) => {
                    let text = written(&name).map(Cow::into_owned);
                    let text = match (text, &name) {
                        (Some(text), _) => text,
                        (None, Value::Null) => "null".to_owned(),
                        (None, other) => {
                            return Err(format!("a key must be a string, not {}", other.type_name()));
                        }
                    };
                    if entries.insert(text.as_str().into(), value).is_some() {
                        return Err(format!("the key {text:?} occurs twice"));
                    }
                }
            },
        }
        Ok(())
    }
}

/// Entries of the map itself take precedence over merged ones, and earlier merged maps over later ones.
fn merge(entries: Map, merged: Vec<Value>) -> Result<Value, String> {
    let mut all = entries;
    for value in merged {
        let maps = match value {
            Value::List(maps) => maps,
            single => Arc::from([single]),
        };
        for map in maps.iter() {
            let Value::Map(map) = map else { return Err("only maps can be merged by `<<`".to_owned()) };
            for (key, item) in map.iter() {
                all.entry(key.clone()).or_insert_with(|| item.clone());
            }
        }
    }
    Ok(Value::Map(all.into()))
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Value, String> {
    match tag {
        Some(tag) if tag.is_yaml_core_schema() => scalar::tagged(text, &tag.suffix),
        // In full: `!<tag:yaml.org,2002:str>`.
        Some(tag) if tag.handle.is_empty() && tag.suffix.starts_with(CORE) => {
            scalar::tagged(text, &tag.suffix[CORE.len()..])
        }
        // A single `!` marks a string.
        Some(tag) if tag.handle.is_empty() && tag.suffix == "!" => Ok(Value::text(text)),
        Some(tag) => Err(format!("the tag `{tag}` is unknown")),
        None if style != ScalarStyle::Plain => Ok(Value::text(text)),
        None => scalar::plain(text),
    }
}

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "yamldecode",
        topic: Topic::Encoding,
        parameters: &[takes("text", Text)],
        rest: None,
        gives: None,
        doc: "Parses one YAML 1.2 document, with anchors, aliases and merge keys. `yes`, `no` and dates are \
              strings. An empty document is null.",
        examples: &[
            example("yamldecode(\"hello: [1, yes, ~]\")", "{ hello = [1, \"yes\", null] }"),
            example("yamldecode(\"a: &x {b: 1}\\nc: *x\")", "{ a = { b = 1 }, c = { b = 1 } }"),
        ],
        body: Body::Whole(|call| decode(call.text(0)?).map_err(|message| Fault::at(0, message))),
    },
    Function {
        name: "yamlencode",
        topic: Topic::Encoding,
        parameters: &[takes("value", Any)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Encodes a value as YAML in block style, with sorted keys. Every string is quoted, or a block if \
              it has several lines, so that no parser takes it for another type.",
        examples: &[example(
            "yamlencode({ a = \"b\", c = [1, true] })",
            "\"\\\"a\\\": \\\"b\\\"\\n\\\"c\\\":\\n- 1\\n- true\\n\"",
        )],
        body: Body::Whole(|call| encode(call.value(0)?).map(Value::text)),
    },
];
