//! The price of what a script asks of the machine.

use mlua::{MultiValue, Table, Value};

use crate::fuel::Access;

/// What is asked of the machine by this operation; none if it only asks for what is known.
pub(crate) fn access(op: &str, arguments: &MultiValue) -> mlua::Result<Option<Access>> {
    Ok(Some(match (op, arguments.front(), arguments.get(2)) {
        ("perform" | "differs_inside", _, Some(Value::Table(attributes))) => {
            Access { resources: 1, bytes: length(attributes)? }
        }
        ("parallel", Some(Value::Table(items)), _) => {
            Access { resources: items.raw_len() as u64, bytes: length(items)? }
        }
        ("run" | "query" | "fact" | "say" | "notify", ..) => Access::default(),
        _ if op.starts_with("fs.") => Access { resources: 0, bytes: texts(arguments) },
        _ => return Ok(None),
    }))
}

fn texts(arguments: &MultiValue) -> u64 {
    arguments.iter().map(|value| value.as_string().map_or(0, |text| text.as_bytes().len() as u64)).sum()
}

/// Bytes of the strings in a table that was copied for this call, so that it does not contain itself. Tables with a
/// metatable, which are not copied, stand for names.
fn length(table: &Table) -> mlua::Result<u64> {
    let mut sum = 0;
    for pair in table.pairs::<Value, Value>() {
        sum += match pair? {
            (_, Value::String(text)) => text.as_bytes().len() as u64,
            (_, Value::Table(inner)) if inner.metatable().is_none() => length(&inner)?,
            _ => 0,
        };
    }
    Ok(sum)
}
