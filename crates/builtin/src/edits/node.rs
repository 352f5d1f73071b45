//! A parsed value and its position in the text.

use std::ops::Range;

use uphold_resource::{Map, Value};

use super::key_path::KeyStep;

/// A value and its byte range. The range of a collection without brackets extends from the start of its first
/// member to the end of its last.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// A value without members.
    Scalar(Value),
    /// A list, and whether it is in brackets.
    List(Vec<Node>, Style),
    /// A map, and whether it is in braces.
    Map(Vec<Entry>, Style),
    /// A reference to a value elsewhere in the document.
    Alias(Value),
}

/// How a collection is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// In brackets or braces.
    Flow,
    /// By lines and indentation.
    Block,
}

/// A key and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) key: String,
    pub(crate) key_span: Range<usize>,
    pub(crate) value: Node,
}

impl Node {
    /// The plain value. Recursion is as deep as the document, which its parser limits.
    pub(crate) fn value(&self) -> Value {
        match &self.body {
            Body::Scalar(value) | Body::Alias(value) => value.clone(),
            Body::List(items, _) => Value::list(items.iter().map(Node::value)),
            Body::Map(entries, _) => {
                let entries = entries.iter().map(|entry| (entry.key.as_str().into(), entry.value.value()));
                Value::Map(std::sync::Arc::new(entries.collect::<Map>()))
            }
        }
    }

    /// The member at one step.
    pub(crate) fn step(&self, step: &KeyStep) -> Option<&Node> {
        match (&self.body, step) {
            (Body::List(items, _), KeyStep::Index(index)) => items.get(*index),
            (Body::Map(entries, _), KeyStep::Key(key)) => {
                entries.iter().find(|entry| entry.key == *key).map(|entry| &entry.value)
            }
            _ => None,
        }
    }

    /// The last existing node on a path, and the steps that lead to it.
    pub(crate) fn walk<'s>(&self, steps: &'s [KeyStep]) -> (&Node, &'s [KeyStep]) {
        let mut node = self;
        for (at, step) in steps.iter().enumerate() {
            let Some(inner) = node.step(step) else { return (node, &steps[..at]) };
            node = inner;
        }
        (node, steps)
    }
}

/// Wraps `value` in a map or list for each of `steps`, for adding it where its parents do not exist yet.
pub(crate) fn wrapped(steps: &[KeyStep], value: &Value) -> Value {
    steps.iter().rev().fold(value.clone(), |value, step| match step {
        KeyStep::Key(key) => Value::map([(key.as_str(), value)]),
        KeyStep::Index(_) => Value::list([value]),
    })
}
