//! Edits of YAML in block style.

use std::ops::Range;

use uphold_resource::{Result, Value};

use super::reader::{write, write_key};
use crate::documents::key_path::{Body, Entry, Node, Style};
use crate::documents::not_editable;
use crate::documents::patch::{Patch, begins_line, line_end, line_start};

/// A text in block style.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub(super) text: &'a str,
    /// The number of spaces of each level.
    pub(super) unit: usize,
}

impl Block<'_> {
    /// Changes the value of a key.
    pub(super) fn set_entry(self, entry: &Entry, value: &Value) -> Result<Patch> {
        let colon = self.colon(entry)?;
        let key_line = line_end(self.text, colon);
        let old = &entry.value;
        let column = self.column(entry.key_span.start);
        let block = is_block(value).then(|| self.lines(value, column + self.unit));
        let is_below = matches!(old.body, Body::List(_, Style::Block) | Body::Map(_, Style::Block));
        if is_below {
            // Comments are removed with their lines.
            let below = key_line..line_end(self.text, self.end(old));
            let patch = Patch::default().replace(below, block.as_deref().unwrap_or_default());
            return Ok(match block {
                Some(_) => patch,
                None => patch.insert(colon + 1, format!(" {}", inline(value))),
            });
        }
        // A multi-line scalar begins before its first line of text.
        let from = if old.span.start > key_line { colon + 1 } else { old.span.start };
        let end = self.end(old).max(from);
        Ok(match block {
            None if from == colon + 1 => Patch::default().replace(from..end, format!(" {}", inline(value))),
            None => Patch::default().replace(from..end, inline(value)),
            Some(lines) => {
                let gap = self.text[..from].trim_end_matches(' ').len();
                Patch::default().replace(gap..end, "").insert(line_end(self.text, end), lines)
            }
        })
    }

    /// Adds a key after the others.
    pub(super) fn add_entry(self, entries: &[Entry], key: &str, value: &Value) -> Result<Patch> {
        let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
            return Err(not_editable("the map has no lines of its own"));
        };
        let column = self.column(first.key_span.start);
        let end = self.end(&last.value).max(self.colon(last)? + 1);
        let new = format!("\n{:column$}{}", "", self.entry(key, value, column));
        Ok(Patch::default().insert(line_end(self.text, end), new))
    }

    /// Changes an item of a list.
    pub(super) fn set_item(self, item: &Node, value: &Value) -> Patch {
        let column = self.column(item.span.start);
        Patch::default().replace(item.span.start..self.end(item), self.item(value, column))
    }

    /// Adds an item after the others.
    pub(super) fn add_item(self, items: &[Node], value: &Value) -> Result<Patch> {
        let (Some(first), Some(last)) = (items.first(), items.last()) else {
            return Err(not_editable("the list has no lines of its own"));
        };
        let column = self.column(self.dash(first)?);
        let new = format!("\n{:column$}- {}", "", self.item(value, column + 2));
        Ok(Patch::default().insert(line_end(self.text, self.end(last)), new))
    }

    /// Removes a key that is not the only one.
    pub(super) fn remove_entry(self, entries: &[Entry], at: usize) -> Result<Patch> {
        let entry = &entries[at];
        let end = self.end(&entry.value).max(self.colon(entry)? + 1);
        let next = entries.get(at + 1).map(|next| next.key_span.start);
        self.remove(entry.key_span.start, end, next)
    }

    /// Removes an item that is not the only one.
    pub(super) fn remove_item(self, items: &[Node], at: usize) -> Result<Patch> {
        let dash = self.dash(&items[at])?;
        let next = items.get(at + 1).map(|next| self.dash(next)).transpose()?;
        self.remove(dash, self.end(&items[at]).max(dash + 1), next)
    }

    /// Removes whole lines, or the text up to the next member if it does not begin its line.
    fn remove(self, start: usize, end: usize, next: Option<usize>) -> Result<Patch> {
        let patch = Patch::default();
        if !begins_line(self.text, start) {
            let next = next.ok_or_else(|| not_editable("it shares its line with another value"))?;
            return Ok(patch.replace(start..next, ""));
        }
        let (from, to) = (line_start(self.text, start), line_end(self.text, end));
        Ok(if to < self.text.len() {
            patch.replace(from..to + 1, "")
        } else {
            patch.replace(from.saturating_sub(1)..to, "")
        })
    }

    fn colon(self, entry: &Entry) -> Result<usize> {
        let behind = &self.text[entry.key_span.end..];
        let gap = behind.len() - behind.trim_start_matches([' ', '\t']).len();
        if behind[gap..].starts_with(':') {
            Ok(entry.key_span.end + gap)
        } else {
            Err(not_editable("its key is not followed by a colon"))
        }
    }

    /// The position of the dash before an item.
    fn dash(self, item: &Node) -> Result<usize> {
        let before = self.text[..item.span.start].trim_end();
        if before.ends_with('-') {
            Ok(before.len() - 1)
        } else {
            Err(not_editable("its dash is not directly before it"))
        }
    }

    /// The number of characters before this byte in its line.
    fn column(self, at: usize) -> usize {
        self.text[line_start(self.text, at)..at].chars().count()
    }

    /// The end of a value without trailing white space. The parser includes empty lines after a multi-line scalar.
    fn end(self, node: &Node) -> usize {
        let Range { start, end } = node.span.clone();
        start + self.text[start..end.max(start)].trim_end().len()
    }

    fn entry(self, key: &str, value: &Value, column: usize) -> String {
        if is_block(value) {
            format!("{}:{}", write_key(key), self.lines(value, column + self.unit))
        } else {
            format!("{}: {}", write_key(key), inline(value))
        }
    }

    /// An item of a list: a map begins directly after the dash.
    fn item(self, value: &Value, column: usize) -> String {
        if is_block(value) { self.lines(value, column).trim_start().to_owned() } else { inline(value) }
    }

    /// The lines of a collection, each preceded by a newline and indented by `column`.
    pub(super) fn lines(self, value: &Value, column: usize) -> String {
        let line = |text: String| format!("\n{:column$}{text}", "");
        match value {
            Value::Map(map) => map.iter().map(|(key, value)| line(self.entry(key, value, column))).collect(),
            Value::List(items) => {
                items.iter().map(|item| line(format!("- {}", self.item(item, column + 2)))).collect()
            }
            scalar => line(write(scalar)),
        }
    }
}

/// Whether a value is written on lines of its own.
fn is_block(value: &Value) -> bool {
    match value {
        Value::Map(map) => !map.is_empty(),
        Value::List(items) => !items.is_empty(),
        _ => false,
    }
}

/// A scalar or empty collection, on the line of its key.
fn inline(value: &Value) -> String {
    match value {
        Value::Map(_) => "{}".to_owned(),
        Value::List(_) => "[]".to_owned(),
        scalar => write(scalar),
    }
}
