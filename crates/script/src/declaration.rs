//! Converts the table of a script into the declaration of a resource.

use std::time::Duration;

use mlua::Table;
use uphold_model::{
    Attribute, Declaration, Guard, GuardCommand, Handling, META_ARGUMENTS, Meta, Name, OnRemoval, ResourceId,
    Retry, Term, Value,
};
use uphold_resource::{Context, Property, Registry};

use crate::value::{fit, from_script};

/// The declaration of a resource. The prelude has already removed guards that are functions, notifications and actions.
pub(crate) fn declaration(kinds: &Registry, id: ResourceId, table: &Table) -> mlua::Result<Declaration> {
    let (attributes, meta) = attributes(kinds, &id.kind, table)?;
    Ok(Declaration { id, place: None, attributes: attributes.into(), meta })
}

/// The properties of the kind, and the meta arguments.
pub(crate) fn attributes(
    kinds: &Registry,
    kind: &str,
    table: &Table,
) -> mlua::Result<(Vec<Attribute>, Meta)> {
    let schema = kinds.get(kind).map(uphold_resource::Kind::schema);
    let mut attributes = Vec::new();
    let mut meta = Meta::default();
    let mut pairs: Vec<(String, mlua::Value)> = table.pairs().collect::<mlua::Result<_>>()?;
    pairs.sort_by(|(one, _), (other, _)| one.cmp(other));
    for (name, value) in pairs {
        let value = from_script(&value).map_err(|error| {
            let text = error.to_string();
            mlua::Error::runtime(format!("`{name}`: {}", text.trim_start_matches("runtime error: ")))
        })?;
        let property = schema.and_then(|schema| schema.property(&name));
        match property {
            None if META_ARGUMENTS.contains(&name.as_str()) => set_meta(&mut meta, &name, value)?,
            property => {
                let value = property.map_or(value.clone(), |property| fit(value, property.ty));
                attributes.push(Attribute::known(Name::from(name), value));
            }
        }
    }
    Ok((attributes, meta))
}

fn set_meta(meta: &mut Meta, name: &str, value: Value) -> mlua::Result<()> {
    let handling = || Box::<Handling>::default();
    match (name, value) {
        ("sensitive", Value::Bool(sensitive)) => meta.sensitive = sensitive,
        ("ignore_failure", Value::Bool(ignore)) => {
            meta.handling.get_or_insert_with(handling).ignore_failure = ignore;
        }
        ("audit", Value::Bool(audit)) => meta.handling.get_or_insert_with(handling).audit = audit,
        ("on_removal", Value::Text(word)) => {
            meta.on_removal = OnRemoval::named(&word).ok_or_else(|| wrong(name))?;
        }
        ("always", Value::Bool(always)) => meta.always = always,
        ("auto_edges", Value::Bool(auto)) => meta.no_auto_edges = !auto,
        ("only_if" | "not_if", condition @ (Value::Text(_) | Value::List(_) | Value::Bool(_))) => {
            let guard = Guard {
                condition: Term::Known(condition),
                expected: name == "only_if",
                command: GuardCommand::default(),
                place: None,
            };
            meta.handling.get_or_insert_with(handling).guards.push(guard);
        }
        ("timeout", value) => {
            meta.handling.get_or_insert_with(handling).timeout = Some(duration(name, &value)?);
        }
        ("retry", Value::Int(times)) => {
            let times = u32::try_from(times).map_err(|_| wrong(name))?;
            meta.handling.get_or_insert_with(handling).retry = Some(Retry::times(times));
        }
        _ => return Err(wrong(name)),
    }
    Ok(())
}

fn duration(name: &str, value: &Value) -> mlua::Result<Duration> {
    Duration::from_value(value, &Context::NOTHING).map_err(|_| wrong(name))
}

fn wrong(name: &str) -> mlua::Error {
    mlua::Error::runtime(format!(
        "`{name}` has an invalid value or is not supported in scripts, which support action, always, audit, ignore_failure, \
         not_if, notifies, on_removal, only_if, retry, sensitive, subscribes and timeout"
    ))
}
