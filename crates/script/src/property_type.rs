//! Reads the type of a property: `"list of int"`.

use mlua::Table;
use uphold_model::{Value, closest};
use uphold_resource::{Context, Member, ValueType, keep_all};

use super::property::rules;
use super::value::{fit, from_script};

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

// The type of a property that is an object: `fields = { port = { type = "port", required = true } }`.

/// What the definition of a field can have.
const FIELDS: [&str; 10] =
    ["default", "doc", "fields", "nullable", "one_of", "pattern", "range", "required", "sensitive", "type"];

/// An object with these fields, sorted by name.
pub(crate) fn object_type(fields: &Table) -> mlua::Result<ValueType> {
    let mut members = Vec::new();
    for pair in fields.pairs::<mlua::Value, mlua::Value>() {
        let (name, definition) = pair?;
        let (mlua::Value::String(name), mlua::Value::Table(definition)) = (&name, &definition) else {
            let what = "an object has named fields: { port = { type = \"port\" } }";
            return Err(mlua::Error::runtime(what));
        };
        let name = name.to_string_lossy();
        members.push(member(&name, definition).map_err(|error| in_field(&name, &error))?);
    }
    if members.is_empty() {
        return Err(mlua::Error::runtime("an object needs a field: { port = { type = \"port\" } }"));
    }
    members.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(ValueType::Struct(members))
}

fn member(name: &str, definition: &Table) -> mlua::Result<Member> {
    for pair in definition.pairs::<mlua::Value, mlua::Value>() {
        let word = pair?.0.to_string()?;
        if !FIELDS.contains(&word.as_str()) {
            return Err(mlua::Error::runtime(unknown_word(&word)));
        }
    }
    let ty = read(definition)?;
    let required = match definition.get::<mlua::Value>("required")? {
        mlua::Nil => false,
        mlua::Value::Boolean(required) => required,
        _ => return Err(mlua::Error::runtime("`required` of a field is true or false")),
    };
    let default = default(definition, &ty)?;
    if required && default.is_some() {
        let what = "is required and has a default, which is never used: remove one of them";
        return Err(mlua::Error::runtime(what));
    }
    let doc = definition.get::<Option<String>>("doc")?.unwrap_or_default();
    Ok(Member { name: name.to_owned(), doc, ty, required, default, rules: keep_all(rules(definition)?) })
}

fn unknown_word(word: &str) -> String {
    match word {
        "check" | "coerce" => {
            format!("a field cannot have `{word}`; `{word}` of the property gets the whole value")
        }
        _ => match closest(word, FIELDS) {
            Some(near) => format!("unknown field `{word}`; did you mean `{near}`?"),
            None => format!("unknown field `{word}`; a field of an object has {}", FIELDS.join(", ")),
        },
    }
}

fn default(definition: &Table, ty: &ValueType) -> mlua::Result<Option<Value>> {
    let value = match definition.get::<mlua::Value>("default")? {
        mlua::Nil => return Ok(None),
        mlua::Value::Function(_) => {
            return Err(mlua::Error::runtime("the default of a field cannot be a function"));
        }
        value => fit(from_script(&value)?, ty.describe()),
    };
    let read = ty.read(&value, &Context::NOTHING);
    read.map(Some).map_err(|problem| mlua::Error::runtime(format!("its default {}", problem.rule)))
}

fn in_field(name: &str, error: &mlua::Error) -> mlua::Error {
    let text = error.to_string();
    let text = text.strip_prefix("runtime error: ").unwrap_or(&text);
    mlua::Error::runtime(format!("field `{name}`: {text}"))
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
        check("string", "string");
        check("list of string", "list of string");
        check("text", "string");
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
