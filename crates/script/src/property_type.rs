//! Reads the type of a property: `"list of int"`.

use mlua::Table;
use uphold_model::closest;
use uphold_resource::ValueType;

use crate::object_type::object_type;

/// The type of a property, from the fields `type`, `fields`, `one_of`, `nullable` and `sensitive` of its definition.
pub(crate) fn read(definition: &Table) -> mlua::Result<ValueType> {
    let object = definition.get::<Option<Table>>("fields")?;
    let object = object.map(|fields| object_type(&fields)).transpose()?;
    let ty = match definition.get::<mlua::Value>("type")? {
        mlua::Nil if object.is_some() => parse("object", object.as_ref()).map_err(mlua::Error::runtime)?,
        mlua::Nil => match definition.get::<mlua::Value>("one_of")? {
            mlua::Value::Table(words) => {
                ValueType::Words(words.sequence_values().collect::<mlua::Result<_>>()?)
            }
            _ => ValueType::any(),
        },
        mlua::Value::String(text) => {
            let text = text.to_string_lossy();
            if object.is_some() && !text.contains("object") {
                let what =
                    format!("has `fields`, but its type is `{text}`; write \"object\" or \"list of object\"");
                return Err(mlua::Error::runtime(what));
            }
            parse(&text, object.as_ref()).map_err(mlua::Error::runtime)?
        }
        mlua::Value::Table(types) if types.raw_len() == 0 => object_type(&types)?,
        mlua::Value::Table(types) => either(&types, object.as_ref())?,
        other => {
            let what = format!("its type is a {}; write a name, such as \"string\"", other.type_name());
            return Err(mlua::Error::runtime(what));
        }
    };
    let flag = |field: &str| Ok::<_, mlua::Error>(definition.get::<Option<bool>>(field)?.unwrap_or(false));
    let ty = if flag("nullable")? { ValueType::Nullable(Box::new(ty)) } else { ty };
    Ok(if flag("sensitive")? { ValueType::Sensitive(Box::new(ty)) } else { ty })
}

/// Several types: a value has the first one that accepts it.
fn either(types: &Table, object: Option<&ValueType>) -> mlua::Result<ValueType> {
    let names: Vec<String> = types.sequence_values().collect::<mlua::Result<_>>()?;
    let (null, names): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name == "null" || name == "nil");
    let mut types = Vec::new();
    for name in &names {
        types.push(parse(name, object).map_err(mlua::Error::runtime)?);
    }
    let ty = if types.len() == 1 { types.remove(0) } else { ValueType::Either(types) };
    Ok(if null.is_empty() { ty } else { ValueType::Nullable(Box::new(ty)) })
}

/// Parses `string`, `list of int`, `map of path or null`, `list of object`; `object` is the type of the given fields.
fn parse(text: &str, object: Option<&ValueType>) -> Result<ValueType, String> {
    let text = text.trim();
    if let Some(inner) = text.strip_suffix(" or null").or_else(|| text.strip_suffix('?')) {
        return Ok(ValueType::Nullable(Box::new(parse(inner, object)?)));
    }
    if let Some(inner) = text.strip_prefix("list of ") {
        return Ok(ValueType::List(Box::new(parse(inner, object)?)));
    }
    if let Some(inner) = text.strip_prefix("map of ") {
        return Ok(ValueType::Map(Box::new(parse(inner, object)?)));
    }
    match text {
        "object" => object.cloned().ok_or_else(|| {
            "has the type `object`, but no `fields`: fields = { port = { type = \"port\" } }".to_owned()
        }),
        "list" => Ok(ValueType::List(Box::new(ValueType::any()))),
        "map" => Ok(ValueType::Map(Box::new(ValueType::any()))),
        name => ValueType::named(name).map_err(|known| {
            let ours = match name {
                "str" | "String" | "txt" | "texts" | "varchar" => Some("string"),
                "boolean" | "Boolean" => Some("bool"),
                "integer" | "Integer" => Some("int"),
                "float" | "double" | "Number" => Some("number"),
                "array" | "Array" | "set" => Some("list"),
                "table" | "dict" | "hash" | "Hash" => Some("map"),
                "struct" | "record" | "block" => Some("object"),
                "file" | "directory" => Some("path"),
                "seconds" | "time" | "interval" => Some("duration"),
                _ => closest(name, known.iter().copied()),
            };
            match ours {
                Some(near) => format!("there is no type `{name}`; did you mean `{near}`?"),
                None => format!(
                    "there is no type `{name}`; there are {}, object, list of … and map of …",
                    known.join(", ")
                ),
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_types() {
        let check = |text: &str, expected: &str| {
            let parsed = parse(text, None).map_or_else(|error| error, |ty| ty.describe().to_string());
            assert_eq!(parsed, expected, "{text}");
        };
        check("string", "text");
        check("list of string", "list of text");
        check("text", "text");
        check("map of int", "map of whole number");
        check("list of map of bool", "list of map of bool");
        check("mode or null", "mode or null");
        check("int?", "whole number or null");
        check("boolean", "there is no type `boolean`; did you mean `bool`?");
        check("list of integer", "there is no type `integer`; did you mean `int`?");
        check("table", "there is no type `table`; did you mean `map`?");
        check("strng", "there is no type `strng`; did you mean `string`?");
        check("str", "there is no type `str`; did you mean `string`?");
    }
}
