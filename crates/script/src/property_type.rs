//! Reads the type of a property: `"list of int"`.

use mlua::Table;
use uphold_model::closest;
use uphold_resource::ValueType;

/// The type of a property, from the fields `type`, `one_of`, `nullable` and `sensitive` of its definition.
pub(crate) fn read(definition: &Table) -> mlua::Result<ValueType> {
    let ty = match definition.get::<mlua::Value>("type")? {
        mlua::Nil => match definition.get::<mlua::Value>("one_of")? {
            mlua::Value::Table(words) => {
                ValueType::Words(words.sequence_values().collect::<mlua::Result<_>>()?)
            }
            _ => ValueType::any(),
        },
        mlua::Value::String(text) => parse(&text.to_string_lossy()).map_err(mlua::Error::runtime)?,
        mlua::Value::Table(types) => either(&types)?,
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
fn either(types: &Table) -> mlua::Result<ValueType> {
    let names: Vec<String> = types.sequence_values().collect::<mlua::Result<_>>()?;
    let (null, names): (Vec<_>, Vec<_>) = names.into_iter().partition(|name| name == "null" || name == "nil");
    let mut types = Vec::new();
    for name in &names {
        types.push(parse(name).map_err(mlua::Error::runtime)?);
    }
    let ty = if types.len() == 1 { types.remove(0) } else { ValueType::Either(types) };
    Ok(if null.is_empty() { ty } else { ValueType::Nullable(Box::new(ty)) })
}

/// Parses `string`, `list of int`, `map of path or null`.
fn parse(text: &str) -> Result<ValueType, String> {
    let text = text.trim();
    if let Some(inner) = text.strip_suffix(" or null").or_else(|| text.strip_suffix('?')) {
        return Ok(ValueType::Nullable(Box::new(parse(inner)?)));
    }
    if let Some(inner) = text.strip_prefix("list of ") {
        return Ok(ValueType::List(Box::new(parse(inner)?)));
    }
    if let Some(inner) = text.strip_prefix("map of ") {
        return Ok(ValueType::Map(Box::new(parse(inner)?)));
    }
    match text {
        "list" => Ok(ValueType::List(Box::new(ValueType::any()))),
        "map" => Ok(ValueType::Map(Box::new(ValueType::any()))),
        name => ValueType::named(name).map_err(|known| {
            let ours = match name {
                "str" | "String" | "txt" | "texts" | "varchar" => Some("string"),
                "boolean" | "Boolean" => Some("bool"),
                "integer" | "Integer" => Some("int"),
                "float" | "double" | "Number" => Some("number"),
                "array" | "Array" | "set" => Some("list"),
                "table" | "dict" | "object" | "hash" | "Hash" => Some("map"),
                "file" | "directory" => Some("path"),
                "seconds" | "time" | "interval" => Some("duration"),
                _ => closest(name, known.iter().copied()),
            };
            match ours {
                Some(near) => format!("there is no type `{name}`; did you mean `{near}`?"),
                None => format!(
                    "there is no type `{name}`; there are {}, list of … and map of …",
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
            let parsed = parse(text).map_or_else(|error| error, |ty| ty.describe().to_string());
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
