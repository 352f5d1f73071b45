//! The type of a property that is an object: `fields = { port = { type = "port", required = true } }`.

use mlua::Table;
use uphold_model::{Value, closest};
use uphold_resource::{Context, Member, ValueType, keep_all};

use crate::property::rules;
use crate::property_type;
use crate::value::{fit, from_script};

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
    let ty = property_type::read(definition)?;
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
