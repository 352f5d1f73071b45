//! Tables that are maps: an empty one is not a list. In decoded data, null keeps its key, too.

use mlua::{LightUserData, Lua, Table};
use uphold_model::{Map, Value};

use crate::value::to_script;

/// The field of a metatable that marks a table as an object.
const MARK: &str = "__object";

/// The name of the metatable of objects among the values that only Rust sees.
const REGISTERED: &str = "uphold.object";

/// The largest whole number of which Luau has every smaller one, too.
const LARGEST: u64 = 1 << 53;

/// `json.null`.
pub(crate) const NULL: mlua::Value = mlua::Value::LightUserData(LightUserData(std::ptr::null_mut()));

/// Creates the metatable of objects.
pub(crate) fn metatable(lua: &Lua) -> mlua::Result<Table> {
    let meta = lua.create_table()?;
    meta.set(MARK, true)?;
    meta.set("__metatable", "an object")?;
    meta.set_readonly(true);
    lua.set_named_registry_value(REGISTERED, &meta)?;
    Ok(meta)
}

/// Whether a table is an object, and not the handle of a resource.
pub(crate) fn is_object(table: &Table) -> bool {
    table.metatable().is_some_and(|meta| matches!(meta.raw_get(MARK), Ok(Some(true))))
}

/// A value for a script in which null is `json.null`, and every map is an object.
///
/// # Errors
/// For a whole number that Luau would round.
pub(crate) fn to_script_with_null(lua: &Lua, value: &Value) -> mlua::Result<mlua::Value> {
    Ok(match value {
        Value::Null => NULL,
        Value::Int(int) if int.unsigned_abs() > LARGEST => {
            return Err(mlua::Error::runtime(format!("{int} is too large for Luau, which would round it")));
        }
        Value::List(items) => {
            let items = items.iter().map(|item| to_script_with_null(lua, item));
            mlua::Value::Table(lua.create_sequence_from(items.collect::<mlua::Result<Vec<_>>>()?)?)
        }
        Value::Map(map) => mlua::Value::Table(object_to_script(lua, map)?),
        other => to_script(lua, other)?,
    })
}

fn object_to_script(lua: &Lua, map: &Map) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    for (key, value) in map {
        table.raw_set(&**key, to_script_with_null(lua, value)?)?;
    }
    mark_object(lua, &table)?;
    Ok(table)
}

/// Marks a table as an object.
pub(crate) fn mark_object(lua: &Lua, table: &Table) -> mlua::Result<()> {
    table.set_metatable(Some(lua.named_registry_value(REGISTERED)?))
}
