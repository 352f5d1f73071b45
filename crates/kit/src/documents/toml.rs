//! Editing TOML in place.

mod reader;

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Key, Table, Value as TomlValue};
use uphold_resource::{Result, Value};

use crate::documents::key_path::KeyStep;
use crate::documents::key_path::wrapped;
use crate::documents::value_tree::Change;
use crate::documents::{Format, not_editable};

/// TOML.
#[derive(Clone, Copy, Debug)]
pub struct Toml;

impl Format for Toml {
    fn documents(text: &str) -> Result<Vec<Value>> {
        Ok(vec![reader::value(reader::read(text)?.as_item())])
    }

    fn change(&self, text: &str, change: &Change) -> Result<String> {
        // A missing newline at the end of the file is added during the edit.
        let open = !text.is_empty() && !text.ends_with('\n');
        let text = &if open { format!("{text}\n") } else { text.to_owned() };
        let mut document = reader::read(text)?;
        if document.to_string() != *text {
            return Err(not_editable("its formatting cannot be preserved"));
        }
        let (last, way) =
            change.at.split_last().ok_or_else(|| not_editable("the key is the whole document"))?;
        match &change.to {
            None => remove(&mut document, way, last)?,
            Some(value) => put(&mut document, &change.at, value)?,
        }
        let changed = document.to_string();
        Ok(changed.strip_suffix('\n').filter(|_| open).map_or(changed.clone(), str::to_owned))
    }
}

/// A container on a path, in any notation.
enum Place<'d> {
    Table(&'d mut Table),
    Inline(&'d mut InlineTable),
    Array(&'d mut Array),
    Tables(&'d mut ArrayOfTables),
}

impl<'d> Place<'d> {
    fn of(item: &'d mut Item) -> Option<Self> {
        match item {
            Item::Table(table) => Some(Place::Table(table)),
            Item::ArrayOfTables(tables) => Some(Place::Tables(tables)),
            Item::Value(value) => Place::of_value(value),
            Item::None => None,
        }
    }

    fn of_value(value: &'d mut TomlValue) -> Option<Self> {
        match value {
            TomlValue::InlineTable(table) => Some(Place::Inline(table)),
            TomlValue::Array(array) => Some(Place::Array(array)),
            _ => None,
        }
    }

    fn has(&self, step: &KeyStep) -> bool {
        match (self, step) {
            (Place::Table(table), KeyStep::Key(key)) => table.contains_key(key),
            (Place::Inline(table), KeyStep::Key(key)) => table.contains_key(key),
            (Place::Array(array), KeyStep::Index(index)) => *index < array.len(),
            (Place::Tables(tables), KeyStep::Index(index)) => *index < tables.len(),
            _ => false,
        }
    }

    fn step(self, step: &KeyStep) -> Option<Place<'d>> {
        match (self, step) {
            (Place::Table(table), KeyStep::Key(key)) => Place::of(table.get_mut(key)?),
            (Place::Inline(table), KeyStep::Key(key)) => Place::of_value(table.get_mut(key)?),
            (Place::Array(array), KeyStep::Index(index)) => Place::of_value(array.get_mut(*index)?),
            (Place::Tables(tables), KeyStep::Index(index)) => tables.get_mut(*index).map(Place::Table),
            _ => None,
        }
    }
}

/// The container at the end of `steps`.
fn walk<'d>(document: &'d mut DocumentMut, steps: &[KeyStep]) -> Result<Place<'d>> {
    let lost = || not_editable("a part of the path is neither a table nor an array");
    let mut place = Place::Table(document.as_table_mut());
    for step in steps {
        place = place.step(step).ok_or_else(lost)?;
    }
    Ok(place)
}

/// The number of leading steps that exist.
fn known(document: &mut DocumentMut, steps: &[KeyStep]) -> usize {
    let mut place = Some(Place::Table(document.as_table_mut()));
    steps
        .iter()
        .take_while(|step| {
            let Some(here) = place.take() else { return false };
            let has = here.has(step);
            place = here.step(step);
            has
        })
        .count()
}

fn put(document: &mut DocumentMut, at: &[KeyStep], value: &Value) -> Result<()> {
    let found = known(document, at);
    if found == at.len() {
        return replace(document, at, value);
    }
    let new = wrapped(&at[found + 1..], value);
    let place = walk(document, &at[..found])?;
    match (place, &at[found]) {
        (Place::Table(table), KeyStep::Key(key)) => {
            table.insert(key, item(&new)?);
        }
        (Place::Inline(table), KeyStep::Key(key)) => {
            table.insert(key, toml(&new)?);
        }
        (Place::Array(array), KeyStep::Index(_)) => push(array, toml(&new)?),
        (Place::Tables(tables), KeyStep::Index(_)) => match item(&new)? {
            Item::Table(table) => tables.push(table),
            _ => return Err(not_editable("only a table can be added to an array of tables")),
        },
        _ => return Err(not_editable("its parent has another type")),
    }
    Ok(())
}

/// Formats a new item like the last one.
fn push(array: &mut Array, mut value: TomlValue) {
    if let Some(last) = array.iter().last() {
        let prefix = last.decor().prefix().cloned().unwrap_or_default();
        // A comment before the last item stays with that item.
        let layout = prefix.as_str().map_or("", |prefix| &prefix[prefix.rfind('\n').unwrap_or(0)..]);
        value.decor_mut().set_prefix(layout.to_owned());
    }
    array.push_formatted(value);
}

/// Replaces a value. The comment after it stays.
fn replace(document: &mut DocumentMut, at: &[KeyStep], value: &Value) -> Result<()> {
    let Some((last, way)) = at.split_last() else { return Ok(()) };
    match (walk(document, way)?, last) {
        (Place::Table(table), KeyStep::Key(key)) => match table.get_mut(key) {
            Some(Item::Value(old)) => renew(old, toml(value)?),
            Some(old) => *old = item(value)?,
            None => {}
        },
        (Place::Inline(table), KeyStep::Key(key)) => {
            if let Some(old) = table.get_mut(key) {
                renew(old, toml(value)?);
            }
        }
        (Place::Array(array), KeyStep::Index(index)) => {
            if let Some(old) = array.get_mut(*index) {
                renew(old, toml(value)?);
            }
        }
        (Place::Tables(tables), KeyStep::Index(index)) => match (item(value)?, tables.get_mut(*index)) {
            (Item::Table(new), Some(old)) => *old = new,
            _ => return Err(not_editable("only a table can be in an array of tables")),
        },
        _ => return Err(not_editable("its parent has another type")),
    }
    Ok(())
}

fn renew(old: &mut TomlValue, mut new: TomlValue) {
    *new.decor_mut() = old.decor().clone();
    *old = new;
}

fn remove(document: &mut DocumentMut, way: &[KeyStep], last: &KeyStep) -> Result<()> {
    match (walk(document, way)?, last) {
        (Place::Table(table), KeyStep::Key(key)) => {
            table.remove(key);
        }
        (Place::Inline(table), KeyStep::Key(key)) => {
            table.remove(key);
        }
        (Place::Array(array), KeyStep::Index(index)) => {
            array.remove(*index);
        }
        (Place::Tables(tables), KeyStep::Index(index)) => {
            tables.remove(*index);
        }
        _ => return Err(not_editable("its parent has another type")),
    }
    Ok(())
}

/// A value in a context where tables have headers.
fn item(value: &Value) -> Result<Item> {
    let Value::Map(map) = value else { return toml(value).map(Item::Value) };
    let mut table = Table::new();
    // A table that contains only tables needs no header.
    table.set_implicit(!map.is_empty() && map.values().all(|inner| matches!(inner, Value::Map(_))));
    for (key, inner) in map.iter() {
        table.insert_formatted(&Key::new(&**key), item(inner)?);
    }
    Ok(Item::Table(table))
}

/// A value on one line.
fn toml(value: &Value) -> Result<TomlValue> {
    Ok(match value {
        Value::Bool(bool) => TomlValue::from(*bool),
        Value::Int(int) => TomlValue::from(*int),
        Value::Float(float) => TomlValue::from(*float),
        Value::Text(text) => string(text)?,
        Value::List(items) => TomlValue::Array(items.iter().map(toml).collect::<Result<Array>>()?),
        Value::Map(map) => {
            let mut table = InlineTable::new();
            for (key, inner) in map.iter() {
                table.insert(&**key, toml(inner)?);
            }
            TomlValue::InlineTable(table)
        }
        _ => return Err(not_editable("TOML has no null")),
    })
}

/// A single-line string, because a multi-line string would take the line endings of the file.
fn string(text: &str) -> Result<TomlValue> {
    if !text.contains(['\n', '\r']) {
        return Ok(TomlValue::from(text));
    }
    let mut written = String::from("\"");
    for c in text.chars() {
        match c {
            '\n' => written.push_str("\\n"),
            '\r' => written.push_str("\\r"),
            '\t' => written.push_str("\\t"),
            '"' | '\\' => written.extend(['\\', c]),
            c if c.is_ascii_control() => written.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => written.push(c),
        }
    }
    written.push('"');
    written.parse().map_err(|error: toml_edit::TomlError| not_editable(error.message()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents::trial::{Trial, map};

    const TOML: Trial<Toml> = Trial(Toml);

    #[test]
    fn replaces_values_in_place() {
        TOML.put_on_lines(
            "# top\na = 1 # one\n\n[t]\nb   = 'x'\n",
            "a",
            9,
            "# top\na = 9 # one\n\n[t]\nb   = 'x'\n",
        );
        TOML.put("[t]\nb   = 'x'\n", "t.b", "y", "[t]\nb   = \"y\"\n");
        TOML.put("a.b.c = 1\n", "a.b.c", 2, "a.b.c = 2\n");
        TOML.put("a = { x = 1, y = 2 }\n", "a.y", 3, "a = { x = 1, y = 3 }\n");
        TOML.put("a = [1, 2] # n\n", "a[1]", 3, "a = [1, 3] # n\n");
        TOML.put("[[p]]\nn = 1\n\n[[p]]\nn = 2\n", "p[1].n", 3, "[[p]]\nn = 1\n\n[[p]]\nn = 3\n");
        TOML.put("[t]\n# why\nx = 1\ny = 2\n", "t", map(&[("x", 1), ("y", 3)]), "[t]\n# why\nx = 1\ny = 3\n");
        TOML.put("t = 1979-05-27\nb = 1\n", "b", 2, "t = 1979-05-27\nb = 2\n");
        TOML.put("a = 1", "a", 2, "a = 2");
    }

    #[test]
    fn new_members_go_where_they_belong() {
        TOML.put("", "a", 1, "a = 1\n");
        TOML.put("", "a.b", 1, "[a]\nb = 1\n");
        TOML.put("a = 1\n\n[t]\nb = 2\n", "c", 3, "a = 1\nc = 3\n\n[t]\nb = 2\n");
        TOML.put("[t]\nb = 2\n\n[u]\nc = 1\n", "t.d", 3, "[t]\nb = 2\nd = 3\n\n[u]\nc = 1\n");
        TOML.put("[t]\nb = 2\n", "u.v.w", 3, "[t]\nb = 2\n\n[u.v]\nw = 3\n");
        TOML.put("a = { x = 1 }\n", "a.y", 3, "a = { x = 1 , y = 3 }\n");
        TOML.put("a = [1, 2]\n", "a[2]", 3, "a = [1, 2, 3]\n");
        TOML.put("a = [\n  1,\n  2,\n]\n", "a[2]", 3, "a = [\n  1,\n  2,\n  3,\n]\n");
        TOML.put("[[p]]\nn = 1\n", "p[1].n", 3, "[[p]]\nn = 1\n\n[[p]]\nn = 3\n");
        TOML.put("[t]\n", "t.\"a.b\"", 3, "[t]\n\"a.b\" = 3\n");
        TOML.put("a = 1\n", "l", Value::list([map(&[("x", 1)])]), "a = 1\nl = [{ x = 1 }]\n");
    }

    #[test]
    fn escapes_line_endings_in_strings() {
        TOML.put_on_lines("a = 1\n", "b", "x\ny", "a = 1\nb = \"x\\ny\"\n");
        TOML.put_on_lines(
            "a = 1\n",
            "a",
            "\"x\"\r\n\t\\\u{1}\u{7f}é",
            "a = \"\\\"x\\\"\\r\\n\\t\\\\\\u0001\\u007Fé\"\n",
        );
        // The value of a multi-line string has the line endings of the file.
        TOML.put("a = \"\"\"\r\nx\r\ny\"\"\"\r\n", "a", "x\ny", "a = \"x\\ny\"\r\n");
        TOML.put("a = \"\"\"\r\nx\r\ny\"\"\"\r\n", "a", "x\r\ny", "a = \"\"\"\r\nx\r\ny\"\"\"\r\n");
        TOML.put("a = \"\"\"\r\nx\r\ny\"\"\"\r\n", "b", 1, "a = \"\"\"\r\nx\r\ny\"\"\"\r\nb = 1\r\n");
    }

    #[test]
    fn members_are_removed() {
        TOML.remove("a = 1 # one\nb = 2\n", "a", "b = 2\n");
        TOML.remove("[t]\nb = 2\n\n[u]\nc = 1\n", "t", "\n[u]\nc = 1\n");
        TOML.remove("[t]\nb = 2\nc = 3\n", "t.b", "[t]\nc = 3\n");
        TOML.remove("a = [1, 2, 3]\n", "a[1]", "a = [1, 3]\n");
        TOML.remove("[[p]]\nn = 1\n\n[[p]]\nn = 2\n", "p[0]", "\n[[p]]\nn = 2\n");
        TOML.remove("a = 1\n", "b", "a = 1\n");
    }

    #[test]
    fn refuses_unsupported_edits() {
        TOML.refuse("a = 1\nb == 2\n", "a", 2, "the file is not valid TOML: line 2, column 4");
        TOML.refuse("a = 1\na = 2\n", "a", 2, "the file is not valid TOML: line 2");
        TOML.refuse("a = 1\n", "a.b", 2, "`a` is a number");
        TOML.refuse("a = 1\r\nb = 2\nc = 3\n", "a", 2, "cannot be preserved");
        TOML.refuse("[[p]]\nn = 1\n", "p[0]", 2, "only a table");
        TOML.refuse(&format!("a = {}", "[".repeat(10_000)), "a", 2, "the file is not valid TOML");
    }

    #[test]
    fn random_documents_are_edited_or_refused() {
        let edited = crate::documents::trial::fuzz(&Toml, 20_000);
        assert!(edited > 200, "{edited}");
    }
}
