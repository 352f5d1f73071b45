//! The functions of YAML: values of its nodes, with aliases and merge keys.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use uphold_model::{Map, Shape, Value};
use uphold_yaml::{Body, Error, Node, Scalar, read_one};

use super::yaml_writer::encode;
use crate::arguments::written;
use crate::call::Fault;
use crate::function::Accepts::{Any, Text};
use crate::function::{Body as FunctionBody, Function, Topic, example, takes};
use crate::number;

/// The value of the only document in `text`.
///
/// # Errors
/// The problem and its line.
pub(super) fn decode(text: &str) -> Result<Value, String> {
    let value = match read_one(text) {
        Ok(Some(root)) => Decoder { text, anchors: BTreeMap::new() }.value(root),
        Ok(None) => Ok(Value::Null),
        Err(error) => Err(error),
    };
    value.map_err(|Error { what, line, is_syntax, .. }| {
        let prefix = if is_syntax { "this is not YAML: " } else { "" };
        format!("{prefix}{what}, in line {line}")
    })
}

struct Decoder<'t> {
    text: &'t str,
    /// Values with anchors. They are shared, so that aliases of aliases stay small.
    anchors: BTreeMap<usize, Value>,
}

impl Decoder<'_> {
    /// The value of a node. Recursion is as deep as the document, which its reader limits.
    fn value(&mut self, node: Node<'_>) -> Result<Value, Error> {
        let (text, at) = (self.text, node.span.start);
        let fail = |what: String| Error::new(text, at, what);
        let value = match node.body {
            Body::Scalar(Scalar { value, .. }) => match value.map_err(fail)? {
                Value::Float(x) => number::value(x).map_err(|fault| fail(fault.message))?,
                value => value,
            },
            Body::List(items, _) => {
                let items: Result<Vec<Value>, Error> =
                    items.into_iter().map(|item| self.value(item)).collect();
                Value::List(items?.into())
            }
            Body::Map(entries, _) => self.map(entries)?,
            Body::Alias(anchor) => self.anchors.get(&anchor).cloned().unwrap_or_default(),
        };
        if let Some(anchor) = node.anchor {
            self.anchors.insert(anchor, value.clone());
        }
        Ok(value)
    }

    fn map(&mut self, nodes: Vec<(Node<'_>, Node<'_>)>) -> Result<Value, Error> {
        let (mut entries, mut merged) = (Map::new(), Vec::new());
        for (key, node) in nodes {
            let at = key.span.start;
            if is_merge(&key) {
                merged.push((at, self.value(node)?));
                continue;
            }
            let key = self.value(key)?;
            let name = key_name(&key).map_err(|what| Error::new(self.text, at, what))?;
            let value = self.value(node)?;
            if entries.insert(name.as_ref().into(), value).is_some() {
                return Err(Error::new(self.text, at, format!("the key {name:?} occurs twice")));
            }
        }
        for (at, value) in merged {
            merge(&mut entries, value).map_err(|what| Error::new(self.text, at, what))?;
        }
        Ok(Value::Map(entries.into()))
    }
}

/// Whether the value of this key is merged.
fn is_merge(key: &Node<'_>) -> bool {
    key.tag.is_none() && matches!(&key.body, Body::Scalar(scalar) if scalar.is_plain && scalar.text == "<<")
}

fn key_name(key: &Value) -> Result<Cow<'_, str>, String> {
    match (written(key), key) {
        (Some(text), _) => Ok(text),
        (None, Value::Null) => Ok("null".into()),
        (None, other) => Err(format!("a key must be a string, not {}", other.type_name())),
    }
}

/// Entries of the map itself take precedence over merged ones, and earlier merged maps over later ones.
fn merge(entries: &mut Map, value: Value) -> Result<(), &'static str> {
    let maps = match value {
        Value::List(maps) => maps,
        single => Arc::from([single]),
    };
    for map in maps.iter() {
        let Value::Map(map) = map else { return Err("only maps can be merged by `<<`") };
        for (key, item) in map.iter() {
            entries.entry(key.clone()).or_insert_with(|| item.clone());
        }
    }
    Ok(())
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
        body: FunctionBody::Whole(|call| decode(call.text(0)?).map_err(|message| Fault::at(0, message))),
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
        body: FunctionBody::Whole(|call| encode(call.value(0)?).map(Value::text)),
    },
];
