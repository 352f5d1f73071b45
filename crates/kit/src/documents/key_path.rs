//! The position of a value in a document of maps and lists.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use uphold_resource::{Context, Error, ErrorKind, Map, Problem, Property, Type, Value};
pub(crate) use uphold_yaml::Style;

/// The maximum depth; no real configuration is deeper.
const MOST_STEPS: usize = 64;

/// A path to a value: map keys and list indexes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyPath(Vec<KeyStep>);

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyStep {
    /// A key of a map.
    Key(String),
    /// An index of a list.
    Index(usize),
}

impl KeyPath {
    /// The steps; at least one.
    pub fn steps(&self) -> &[KeyStep] {
        &self.0
    }

    fn of(steps: Vec<KeyStep>) -> Result<Self, &'static str> {
        match steps.len() {
            0 => Err("it is empty"),
            1..=MOST_STEPS => Ok(Self(steps)),
            _ => Err("it is nested too deeply"),
        }
    }

    fn parse(text: &str) -> Result<Self, &'static str> {
        let mut steps = Vec::new();
        let mut rest = text;
        while !rest.is_empty() || steps.is_empty() {
            let (step, next) = step(rest, steps.is_empty())?;
            steps.push(step);
            rest = next;
        }
        Self::of(steps)
    }
}

/// Splits off the first step. All but the first are separated by `.` or `[`.
fn step(text: &str, first: bool) -> Result<(KeyStep, &str), &'static str> {
    if let Some(inner) = text.strip_prefix('[') {
        let (number, rest) = inner.split_once(']').ok_or("a `[` has no `]`")?;
        let index = number.parse().map_err(|_| "the text in brackets is not a number")?;
        return Ok((KeyStep::Index(index), rest));
    }
    let text = match (first, text.strip_prefix('.')) {
        (false, None) => return Err("a `.` or `[` is missing"),
        (false, Some(rest)) => rest,
        (true, _) => text,
    };
    if let Some(inner) = text.strip_prefix('"') {
        let (key, rest) = inner.split_once('"').ok_or("a quote is not closed")?;
        return Ok((KeyStep::Key(key.to_owned()), rest));
    }
    let end = text.find(['.', '[']).unwrap_or(text.len());
    match end {
        0 => Err("a key is empty"),
        _ => Ok((KeyStep::Key(text[..end].to_owned()), &text[end..])),
    }
}

impl FromStr for KeyPath {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let invalid = |why| Error::new(ErrorKind::Invalid, format!("{text:?} is not a key path: {why}"));
        Self::parse(text).map_err(invalid)
    }
}

impl Property for KeyPath {
    const TYPE: &'static Type = &Type::Named {
        name: "key path",
        doc: r#"map keys separated by dots, and list indexes in brackets: "a.b[0].c"; a key with dots in quotes, \
               or the whole path as a list of keys and indexes: ["a", "b.c", 0]"#,
        example: r#""server.ports[0]""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let path = match value {
            Value::Text(text) => KeyPath::parse(text),
            Value::List(items) => from_list(items),
            _ => Err("it is neither a string nor a list"),
        };
        path.map_err(|why| {
            let rule = format!("is not a key path: {why}");
            Problem::new(Some(value), rule, r#"write it as in "a.b[0]", or as a list of keys: ["a", "b", 0]"#)
        })
    }

    fn to_value(&self) -> Value {
        let has_quote = |step: &KeyStep| matches!(step, KeyStep::Key(key) if key.contains('"'));
        if self.0.iter().any(has_quote) {
            Value::list(self.0.iter().map(KeyStep::to_value))
        } else {
            Value::text(self.to_string())
        }
    }
}

fn from_list(items: &[Value]) -> Result<KeyPath, &'static str> {
    let step = |item: &Value| match item {
        Value::Text(key) => Ok(KeyStep::Key(key.to_string())),
        Value::Int(index) => usize::try_from(*index).map(KeyStep::Index).map_err(|_| "a number is negative"),
        _ => Err("a step is neither a key nor a number"),
    };
    KeyPath::of(items.iter().map(step).collect::<Result<_, _>>()?)
}

impl KeyStep {
    fn to_value(&self) -> Value {
        match self {
            KeyStep::Key(key) => Value::text(key.as_str()),
            KeyStep::Index(index) => Value::Int(i64::try_from(*index).unwrap_or(i64::MAX)),
        }
    }
}

impl fmt::Display for KeyPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_steps(&self.0, f)
    }
}

/// Displays steps in messages.
pub(crate) struct Shown<'a>(pub(crate) &'a [KeyStep]);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("the whole document");
        }
        f.write_str("`")?;
        write_steps(self.0, f)?;
        f.write_str("`")
    }
}

fn write_steps(steps: &[KeyStep], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (at, step) in steps.iter().enumerate() {
        let dot = if at == 0 { "" } else { "." };
        match step {
            KeyStep::Index(index) => write!(f, "[{index}]")?,
            KeyStep::Key(key) if key.is_empty() || key.contains(['.', '[', '"']) => {
                write!(f, "{dot}\"{key}\"")?;
            }
            KeyStep::Key(key) => write!(f, "{dot}{key}")?,
        }
    }
    Ok(())
}

// A parsed value and its position in the text.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_round_trip() {
        let check = |value: Value, expected: Result<&str, &str>| {
            let path = KeyPath::from_value(&value, &Context::NOTHING);
            match (path, expected) {
                (Ok(path), Ok(expected)) => {
                    assert_eq!(path.to_string(), expected, "{value}");
                    let again = KeyPath::from_value(&path.to_value(), &Context::NOTHING);
                    assert_eq!(again.unwrap(), path, "{value}");
                }
                (Err(problem), Err(why)) => assert!(problem.to_string().contains(why), "{problem}"),
                (found, _) => panic!("{value}: {found:?}"),
            }
        };
        let text = |text: &str| Value::text(text);
        check(text("a"), Ok("a"));
        check(text("a.b[0].c"), Ok("a.b[0].c"));
        check(text("[2]"), Ok("[2]"));
        check(text("[2].x"), Ok("[2].x"));
        check(text(r#"a."b.c".d"#), Ok(r#"a."b.c".d"#));
        check(text("log-level"), Ok("log-level"));
        check(Value::list([text("a"), text("b.c"), Value::Int(0)]), Ok(r#"a."b.c"[0]"#));
        check(Value::list([text("say \"hi\"")]), Ok(r#""say "hi"""#));
        check(text(""), Err("a key is empty"));
        check(text("a..b"), Err("a key is empty"));
        check(text("a["), Err("has no `]`"));
        check(text("a[x]"), Err("not a number"));
        check(text("a[0]b"), Err("`.` or `[` is missing"));
        check(text("\"a"), Err("not closed"));
        check(Value::list([]), Err("it is empty"));
        check(Value::list([Value::Int(-1)]), Err("negative"));
        check(Value::list([Value::Null]), Err("neither a key nor a number"));
        check(Value::Int(1), Err("neither a string nor a list"));
        check(text(&"a.".repeat(65)), Err("a key is empty"));
        check(text(&["a"; 65].join(".")), Err("nested too deeply"));
    }
}
