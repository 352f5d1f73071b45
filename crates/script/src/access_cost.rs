//! The cost of an operation of a script that reaches the machine, counted against its limits.

use mlua::{MultiValue, Table, Value};

use super::value::is_object;
use crate::fuel::Access;

/// The cost of this operation; none if it does not reach the machine.
pub(crate) fn access_cost(op: &str, arguments: &MultiValue) -> mlua::Result<Option<Access>> {
    Ok(Some(match (op, arguments.front(), arguments.get(2)) {
        ("perform" | "would_change", _, Some(Value::Table(attributes))) => {
            Access { resources: 1, bytes: length(attributes)? }
        }
        ("parallel", Some(Value::Table(items)), _) => {
            Access { resources: items.raw_len() as u64, bytes: length(items)? }
        }
        ("run" | "query" | "fact" | "clock" | "log" | "notify", ..) => Access::default(),
        _ if op.starts_with("fs.") => Access { resources: 0, bytes: bytes_of_strings(arguments) },
        _ => return Ok(None),
    }))
}

fn bytes_of_strings(arguments: &MultiValue) -> u64 {
    arguments.iter().map(|value| value.as_string().map_or(0, |text| text.as_bytes().len() as u64)).sum()
}

/// Bytes of the strings in a table. The table was copied for this call, so it does not contain itself. A table with a
/// metatable is a handle of a resource, which counts nothing, unless it is an object.
fn length(table: &Table) -> mlua::Result<u64> {
    let mut sum = 0;
    for pair in table.pairs::<Value, Value>() {
        sum += match pair? {
            (_, Value::String(text)) => text.as_bytes().len() as u64,
            (_, Value::Table(inner)) if inner.metatable().is_none() || is_object(&inner) => length(&inner)?,
            _ => 0,
        };
    }
    Ok(sum)
}
