//! Converts values from and to Luau.

use std::sync::Arc;

use mlua::{IntoLua, LightUserData, Lua, Table};
use uphold_model::{Map, Name, Type, Value};

/// Most levels of a table: one that contains itself has no end.
const DEPTH: usize = 64;

/// Most bytes of a value. A table that occurs twice in another counts twice, because it is copied.
const SIZE: usize = 64 * 1024 * 1024;

/// A value for a script. Null is nil. A sensitive value is unwrapped: the caller must treat all results as sensitive.
pub(crate) fn to_script(lua: &Lua, value: &Value) -> mlua::Result<mlua::Value> {
    Ok(match value {
        Value::Null | Value::Unknown(_) => mlua::Nil,
        Value::Bool(bool) => mlua::Value::Boolean(*bool),
        Value::Int(int) => int.into_lua(lua)?,
        Value::Float(float) => mlua::Value::Number(*float),
        Value::Text(text) => mlua::Value::String(lua.create_string(text.as_bytes())?),
        Value::Bytes(bytes) => mlua::Value::String(lua.create_string(bytes)?),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(|item| to_script(lua, item)).collect::<Result<_, _>>()?;
            mlua::Value::Table(lua.create_sequence_from(items)?)
        }
        Value::Map(map) => mlua::Value::Table(map_to_script(lua, map)?),
        Value::Reference(id) => mlua::Value::String(lua.create_string(id.to_string())?),
        Value::Sensitive(inner) => to_script(lua, inner)?,
    })
}

/// A map for a script: an object, even if it is empty.
fn map_to_script(lua: &Lua, map: &Map) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    for (key, value) in map {
        table.raw_set(&**key, to_script(lua, value)?)?;
    }
    mark_object(lua, &table)?;
    Ok(table)
}

/// A value from a script.
///
/// # Errors
/// For values that are not data: functions, tables that are both list and map, tables that contain themselves.
pub(crate) fn from_script(value: &mlua::Value) -> mlua::Result<Value> {
    read(value, 0, &mut { SIZE })
}

fn read(value: &mlua::Value, depth: usize, left: &mut usize) -> mlua::Result<Value> {
    if depth > DEPTH {
        return Err(mlua::Error::runtime("a table is nested too deeply: does it contain itself?"));
    }
    let size =
        size_of::<Value>() + if let mlua::Value::String(text) = value { text.as_bytes().len() } else { 0 };
    *left = left.checked_sub(size).ok_or_else(|| mlua::Error::runtime("a value is larger than 64 MiB"))?;
    Ok(match value {
        mlua::Nil => Value::Null,
        null if *null == NULL => Value::Null,
        mlua::Value::Boolean(bool) => Value::Bool(*bool),
        mlua::Value::Integer(int) => Value::Int(*int),
        mlua::Value::Number(number) if !number.is_finite() => {
            return Err(mlua::Error::runtime(format!("{number} cannot be the value of a property")));
        }
        mlua::Value::Number(number) => number_of(*number),
        mlua::Value::String(text) => text_of(&text.as_bytes()),
        mlua::Value::Table(table) => read_table(table, depth, left)?,
        other => {
            return Err(mlua::Error::runtime(format!(
                "a {} cannot be the value of a property",
                other.type_name()
            )));
        }
    })
}

/// A whole number, or a float: Luau has only one type of number.
#[expect(clippy::cast_possible_truncation, reason = "checked before: it is whole and in range")]
fn number_of(number: f64) -> Value {
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    if number.fract() == 0.0 && number.abs() <= LARGEST {
        Value::Int(number as i64)
    } else {
        Value::Float(number)
    }
}

fn text_of(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) => Value::text(text),
        Err(_) => Value::Bytes(bytes.into()),
    }
}

fn read_table(table: &Table, depth: usize, left: &mut usize) -> mlua::Result<Value> {
    // A handle of a resource is converted to its name.
    let is_object = is_object(table);
    if !is_object
        && table.metatable().is_some()
        && let Ok(name) = table.raw_get::<String>("name")
    {
        return Ok(Value::text(name));
    }
    let length = table.raw_len();
    if length > 0 {
        let items = (1..=length).map(|i| read(&table.raw_get(i)?, depth + 1, left));
        let items: Vec<Value> = items.collect::<mlua::Result<_>>()?;
        if table.pairs::<mlua::Value, mlua::Value>().count() != length {
            return Err(mlua::Error::runtime("a table must be either a list or a map, but this one is both"));
        }
        return Ok(Value::list(items));
    }
    let map = read_map(table, depth, left)?;
    Ok(if map.is_empty() && !is_object { Value::list([]) } else { Value::Map(Arc::new(map)) })
}

/// A table with string keys.
pub(crate) fn map_from_script(table: &Table) -> mlua::Result<Map> {
    read_map(table, 0, &mut { SIZE })
}

fn read_map(table: &Table, depth: usize, left: &mut usize) -> mlua::Result<Map> {
    let mut map = Map::new();
    for pair in table.pairs::<mlua::Value, mlua::Value>() {
        let (key, value) = pair?;
        let key: Name = match &key {
            mlua::Value::String(text) => text.to_string_lossy().into(),
            other => {
                return Err(mlua::Error::runtime(format!(
                    "a {} cannot be a key of a map: keys are strings",
                    other.type_name()
                )));
            }
        };
        map.insert(key, read(&value, depth + 1, left)?);
    }
    Ok(map)
}

/// Converts empty tables to lists or maps, as the type of the property requires.
pub(crate) fn fit(value: Value, ty: &Type) -> Value {
    match (ty, value) {
        (Type::Map(_) | Type::Struct(_), Value::List(items)) if items.is_empty() => {
            Value::Map(Arc::default())
        }
        (Type::List(inner), Value::List(items)) if has_maps(inner) => {
            Value::list(items.iter().map(|item| fit(item.clone(), inner)))
        }
        (Type::Map(inner), Value::Map(map)) if has_maps(inner) => {
            Value::map(map.iter().map(|(key, item)| (key.clone(), fit(item.clone(), inner))))
        }
        (Type::Struct(fields), Value::Map(map)) => {
            let field = |key: &str| fields.iter().find(|field| field.name == key);
            let fitted = |key: &str, item: &Value| {
                field(key).map_or(item.clone(), |field| fit(item.clone(), field.ty))
            };
            Value::map(map.iter().map(|(key, item)| (key.clone(), fitted(key, item))))
        }
        (Type::Nullable(inner) | Type::Sensitive(inner), value) => fit(value, inner),
        (_, value) => value,
    }
}

/// Whether values of this type are or contain maps.
fn has_maps(ty: &Type) -> bool {
    match ty {
        Type::Map(_) | Type::Struct(_) => true,
        Type::List(inner) | Type::Nullable(inner) | Type::Sensitive(inner) => has_maps(inner),
        _ => false,
    }
}

// Tables that are maps: an empty one is not a list. In decoded data, null keeps its key, too.

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
