//! TOML as plain values.

use toml_edit::{DocumentMut, Item, Value as TomlValue};
use uphold_resource::{Map, Result, Value};

use crate::documents::not_understood;

/// Parses a document. The parser refuses excessive nesting.
///
/// # Errors
/// The syntax error, with line and column.
pub(crate) fn read(text: &str) -> Result<DocumentMut> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let at = error.span().map_or(0, |span| span.start);
        let before = text.get(..at).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let (line, column) = (before.matches('\n').count() + 1, before[start..].chars().count() + 1);
        not_understood("TOML", line, column, error.message())
    })
}

/// The plain value of an item. Dates and times are strings.
pub(crate) fn value(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => plain(value),
        Item::Table(table) => map(table.iter().map(|(key, item)| (key, value(item)))),
        Item::ArrayOfTables(tables) => {
            let table = |table: &toml_edit::Table| map(table.iter().map(|(key, item)| (key, value(item))));
            Value::list(tables.iter().map(table))
        }
    }
}

fn plain(toml: &TomlValue) -> Value {
    match toml {
        TomlValue::String(text) => Value::text(text.value().as_str()),
        TomlValue::Integer(int) => Value::Int(*int.value()),
        TomlValue::Float(float) if float.value().is_finite() => Value::Float(*float.value()),
        TomlValue::Float(float) => Value::text(float.value().to_string()),
        TomlValue::Boolean(bool) => Value::Bool(*bool.value()),
        TomlValue::Datetime(time) => Value::text(time.value().to_string()),
        TomlValue::Array(array) => Value::list(array.iter().map(plain)),
        TomlValue::InlineTable(table) => map(table.iter().map(|(key, toml)| (key, plain(toml)))),
    }
}

fn map<'k>(entries: impl Iterator<Item = (&'k str, Value)>) -> Value {
    Value::Map(std::sync::Arc::new(entries.map(|(key, value)| (key.into(), value)).collect::<Map>()))
}
