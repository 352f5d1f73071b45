//! A value, and where in the text it stands.

use std::ops::Range;

use uphold_resource::{Map, Value};

use super::key_path::KeyStep;

/// A value, and the bytes that it stands in. Those of a collection without brackets go from its first member's begin to
/// its last one's end.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) body: Body,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// One value without parts.
    Scalar(Value),
    /// A list, and whether it stands in brackets.
    List(Vec<Node>, Style),
    /// A map, and whether it stands in braces.
    Map(Vec<Entry>, Style),
    /// What is said elsewhere, and used here.
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
    /// The value alone. As deep as the document, which its reader limits.
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

    /// What one step leads to.
    pub(crate) fn step(&self, step: &KeyStep) -> Option<&Node> {
        match (&self.body, step) {
            (Body::List(items, _), KeyStep::Index(index)) => items.get(*index),
            (Body::Map(entries, _), KeyStep::Key(key)) => {
                entries.iter().find(|entry| entry.key == *key).map(|entry| &entry.value)
            }
            _ => None,
        }
    }

    /// The last node on the way that is there, and the steps that lead to it.
    pub(crate) fn walk<'s>(&self, steps: &'s [KeyStep]) -> (&Node, &'s [KeyStep]) {
        let mut node = self;
        for (at, step) in steps.iter().enumerate() {
            let Some(inner) = node.step(step) else { return (node, &steps[..at]) };
            node = inner;
        }
        (node, steps)
    }
}

/// `value` in a map or list of its own for each of `steps`: what has to be added where nothing is yet.
pub(crate) fn wrapped(steps: &[KeyStep], value: &Value) -> Value {
    steps.iter().rev().fold(value.clone(), |value, step| match step {
        KeyStep::Key(key) => Value::map([(key.as_str(), value)]),
        KeyStep::Index(_) => Value::list([value]),
    })
}
