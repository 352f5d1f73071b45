//! Edits inside brackets and braces: JSON and YAML's flow style.

use std::ops::Range;

use uphold_resource::{Result, Value};

use super::key_path::KeyStep;
use super::key_path::{Body, Entry, Node};
use super::not_editable;
use super::patch::{Patch, begins_line, indentation, line_end};

/// How one format writes values.
pub(crate) trait Syntax: Sized {
    /// The start of a comment that ends with its line.
    const COMMENT: &'static str;
    /// Formats a key.
    fn key(&self, key: &str) -> String;
    /// Formats a scalar.
    fn scalar(&self, scalar: &Value) -> String;

    /// Formats a value; on several lines if `pad` is some.
    fn value(&self, value: &Value, pad: Option<&Pad<'_>>) -> String {
        match value {
            Value::List(items) => collection(self, ["[", "]"], items.iter().map(|item| (None, item)), pad),
            Value::Map(map) => {
                let entries = map.iter().map(|(key, value)| (Some(self.key(key)), value));
                collection(self, ["{", "}"], entries, pad)
            }
            scalar => self.scalar(scalar),
        }
    }
}

/// Indentation of a value on several lines.
pub(crate) struct Pad<'a> {
    /// The indentation of the line in which the value begins.
    pub(crate) outer: &'a str,
    /// The indentation that each level adds.
    pub(crate) unit: &'a str,
}

/// Formats a collection; one line for each member if there is a pad.
fn collection<'v>(
    syntax: &impl Syntax,
    [open, close]: [&str; 2],
    members: impl ExactSizeIterator<Item = (Option<String>, &'v Value)>,
    pad: Option<&Pad<'_>>,
) -> String {
    if members.len() == 0 {
        return format!("{open}{close}");
    }
    let inner = pad.map(|pad| format!("{}{}", pad.outer, pad.unit));
    let below = pad.zip(inner.as_deref()).map(|(pad, outer)| Pad { outer, unit: pad.unit });
    let members = members.map(|(key, value)| {
        let value = syntax.value(value, below.as_ref());
        key.map_or(value.clone(), |key| format!("{key}: {value}"))
    });
    let members: Vec<String> = members.collect();
    match (pad, inner) {
        (Some(pad), Some(inner)) => {
            let members = members.join(&format!(",\n{inner}"));
            format!("{open}\n{inner}{members}\n{}{close}", pad.outer)
        }
        _ => format!("{open}{}{close}", members.join(", ")),
    }
}

/// A text with collections in brackets.
pub(crate) struct Flow<'a, S> {
    pub(crate) text: &'a str,
    pub(crate) syntax: &'a S,
    /// The indentation of each level; none if collections are written on one line.
    pub(crate) unit: Option<&'a str>,
}

/// The span of a member, including its key.
type Member = Range<usize>;

impl<S: Syntax> Flow<'_, S> {
    /// Replaces a value.
    pub(crate) fn replace(&self, node: &Node, value: &Value) -> Patch {
        Patch::default().replace(node.span.clone(), self.written(value, node.span.start))
    }

    /// Adds a member that does not exist.
    ///
    /// # Errors
    /// If `node` is not a collection in brackets.
    pub(crate) fn add(&self, node: &Node, step: &KeyStep, value: &Value) -> Result<Patch> {
        let (members, key) = match (&node.body, step) {
            (Body::Map(entries, _), KeyStep::Key(key)) => (members(entries), Some(key)),
            (Body::List(items, _), KeyStep::Index(_)) => {
                (items.iter().map(|i| i.span.clone()).collect(), None)
            }
            _ => return Err(not_editable("its parent is neither a map nor a list")),
        };
        let key = match (&node.body, key) {
            (Body::Map(entries, _), Some(key)) => {
                format!("{}{}", self.syntax.key(key), self.colon(entries.first()))
            }
            _ => String::new(),
        };
        let new = |at: usize| format!("{key}{}", self.written(value, at));
        Ok(match members.last() {
            Some(last) => self.add_after(last, &new(last.start), key.ends_with(':')),
            None => self.add_first(node, &new(node.span.start)),
        })
    }

    /// The separator between a key and its value, as a sibling has it.
    fn colon(&self, sibling: Option<&Entry>) -> &str {
        let between = sibling.map(|entry| &self.text[entry.key_span.end..entry.value.span.start]);
        between.filter(|between| between.trim() == ":").unwrap_or(": ")
    }

    /// Inserts `new` after the last member. Without a space after colons there is none after commas.
    fn add_after(&self, last: &Member, new: &str, compact: bool) -> Patch {
        let comma = self.comma_after(last.end);
        let end = comma.map_or(last.end, |comma| comma + 1);
        let patch = match comma {
            Some(_) => Patch::default(),
            None => Patch::default().insert(last.end, ","),
        };
        let trailing = if comma.is_some() { "," } else { "" };
        if !begins_line(self.text, last.start) {
            let space = if compact || self.text[..last.start].ends_with(',') { "" } else { " " };
            return patch.insert(end, format!("{space}{new}{trailing}"));
        }
        // A comment after the last member stays with it.
        let rest = &self.text[end..line_end(self.text, end)];
        let is_comment = rest.trim().is_empty() || rest.trim_start().starts_with(S::COMMENT);
        let at = if is_comment { end + rest.trim_end().len() } else { end };
        patch.insert(at, format!("\n{}{new}{trailing}", indentation(self.text, last.start)))
    }

    /// The position of the comma after a member, if it has one.
    fn comma_after(&self, end: usize) -> Option<usize> {
        let mut at = end;
        loop {
            let rest = &self.text[at..];
            at += rest.len() - rest.trim_start().len();
            let rest = &self.text[at..];
            if rest.starts_with(S::COMMENT) {
                at = line_end(self.text, at);
            } else if rest.starts_with("/*") {
                at += rest.find("*/")? + 2;
            } else {
                return rest.starts_with(',').then_some(at);
            }
        }
    }

    fn add_first(&self, node: &Node, new: &str) -> Patch {
        let inside = node.span.start + 1..node.span.end - 1;
        let content = self.text[inside.clone()].trim_end();
        let unit = match self.unit {
            None if content.is_empty() => return Patch::default().replace(inside, new),
            unit => unit.unwrap_or_default(),
        };
        let outer = indentation(self.text, node.span.start);
        let from = inside.start + content.len();
        let padded = new.replace('\n', &format!("\n{unit}"));
        Patch::default().replace(from..inside.end, format!("\n{outer}{unit}{padded}\n{outer}"))
    }

    /// Removes a member.
    ///
    /// # Errors
    /// If `node` is not a collection, or has no such member.
    pub(crate) fn remove(&self, node: &Node, step: &KeyStep) -> Result<Patch> {
        let (members, at) = match (&node.body, step) {
            (Body::Map(entries, _), KeyStep::Key(key)) => {
                (members(entries), entries.iter().position(|entry| entry.key == *key))
            }
            (Body::List(items, _), KeyStep::Index(index)) => {
                (items.iter().map(|item| item.span.clone()).collect(), Some(*index))
            }
            _ => return Err(not_editable("its parent is neither a map nor a list")),
        };
        let found = at.and_then(|at| Some((at, members.get(at)?)));
        let (at, member) = found.ok_or_else(|| not_editable("it does not exist"))?;
        let patch = Patch::default();
        Ok(match (self.comma_after(member.end), at.checked_sub(1)) {
            // Removed with its comma, and with its line if nothing else is on it.
            (Some(comma), _) => patch.replace(self.whole_line(member.start..comma + 1), ""),
            (None, Some(before)) => {
                let comma = self.comma_after(members[before].end).unwrap_or(members[before].end);
                patch.replace(comma..comma + 1, "").replace(self.gap(comma + 1, member), "")
            }
            (None, None) => patch.replace(self.whole_line(member.clone()), ""),
        })
    }

    /// The last member with the white space before it.
    fn gap(&self, comma: usize, member: &Member) -> Range<usize> {
        let before = &self.text[comma..member.start];
        comma + before.trim_end().len()..member.end
    }

    /// The span, extended to the whole line if nothing else is on it.
    fn whole_line(&self, span: Range<usize>) -> Range<usize> {
        let end = line_end(self.text, span.end);
        let is_alone = begins_line(self.text, span.start) && self.text[span.end..end].trim().is_empty();
        if is_alone && end < self.text.len() {
            span.start - indentation(self.text, span.start).len()..end + 1
        } else {
            let rest = &self.text[span.end..];
            let spaces = rest.len() - rest.trim_start_matches(' ').len();
            span.start..span.end + spaces
        }
    }

    /// Formats the value for this position.
    fn written(&self, value: &Value, at: usize) -> String {
        let pad = self.unit.map(|unit| Pad { outer: indentation(self.text, at), unit });
        self.syntax.value(value, pad.as_ref())
    }
}

fn members(entries: &[Entry]) -> Vec<Member> {
    entries.iter().map(|entry| entry.key_span.start..entry.value.span.end).collect()
}
