//! Reads the definition of a property: `properties.mode = { type = "mode" }`.

use mlua::Table;
use uphold_model::{DefaultValue, Need, PropertySchema, Role, Rule, closest};
use uphold_resource::{Context, ValueType, intern_str, intern_value, keep_all};

use crate::conversion;
use crate::interpreter::Interpreter;
use crate::loaded::Loaded;
use crate::property_type;
use crate::value::{fit, from_script};

/// Fields of a definition.
const FIELDS: [&str; 20] = [
    "alias",
    "also",
    "check",
    "coerce",
    "default",
    "doc",
    "enforce",
    "export",
    "fields",
    "identity",
    "load",
    "name",
    "nullable",
    "one_of",
    "pattern",
    "range",
    "required",
    "sensitive",
    "setting",
    "type",
];

/// A property with a type and a role, and defaults otherwise.
pub(crate) fn schema(name: &str, ty: &ValueType, role: Role) -> PropertySchema {
    PropertySchema {
        name: intern_str(name),
        doc: "",
        role,
        ty: ty.describe(),
        need: Need::Optional,
        default: None,
        rules: &[],
        aliases: &[],
        also: &[],
        replaced_by: None,
        flatten: None,
    }
}

/// Reads the definition of a property.
///
/// # Errors
/// An invalid definition.
pub(crate) fn property(
    interpreter: &Interpreter,
    loaded: &Loaded,
    name: &str,
    definition: &Table,
) -> mlua::Result<(PropertySchema, ValueType)> {
    for pair in definition.pairs::<mlua::Value, mlua::Value>() {
        let field = pair?.0.to_string()?;
        if !FIELDS.contains(&field.as_str()) {
            return Err(mlua::Error::runtime(unknown_field(&field)));
        }
    }
    let ty = property_type::read(definition)?;
    let unless_named = if loaded.compares() { Role::State } else { Role::Setting };
    let role = explicit_role(definition)?.unwrap_or(unless_named);
    if name == "name" && role != Role::Name && !loaded.has_name_property()? {
        let what = "every resource has a `name`, its label: remove this property, or add `name = true` to it";
        return Err(mlua::Error::runtime(what));
    }
    let made = PropertySchema {
        doc: intern_str(&definition.get::<Option<String>>("doc")?.unwrap_or_default()),
        need: need(definition, loaded, role)?,
        default: default(interpreter, definition, &ty)?,
        rules: keep_all(rules(definition)?),
        aliases: strings(definition, "alias")?,
        also: strings(definition, "also")?,
        ..schema(name, &ty, role)
    };
    Ok((made, ty))
}

/// The message about a field that a definition cannot have.
fn unknown_field(field: &str) -> String {
    let ours = match field {
        "description" | "desc" | "help" | "documentation" => Some("doc"),
        "values" | "enum" | "choices" | "allowed" => Some("one_of"),
        "min" | "max" => Some("range"),
        "regex" | "regexp" | "match" => Some("pattern"),
        "secret" | "password" => Some("sensitive"),
        "validate" | "validator" => Some("check"),
        "readonly" | "read_only" | "output" => Some("export"),
        "mandatory" => Some("required"),
        "members" | "keys" | "attributes" | "schema" => Some("fields"),
        _ => closest(field, FIELDS),
    };
    match ours {
        Some(ours) => format!("unknown field `{field}`; did you mean `{ours}`?"),
        None => format!("unknown field `{field}`; a property has {}", FIELDS.join(", ")),
    }
}

fn flag(definition: &Table, field: &str) -> mlua::Result<bool> {
    Ok(definition.get::<Option<bool>>(field)?.unwrap_or(false))
}

/// The role that the definition names, if any.
fn explicit_role(definition: &Table) -> mlua::Result<Option<Role>> {
    let roles = [
        (flag(definition, "name")?, Role::Name),
        (flag(definition, "identity")?, Role::Identity),
        (flag(definition, "setting")?, Role::Setting),
        (flag(definition, "export")?, Role::Export),
        (flag(definition, "enforce")?, Role::EnforcedState),
    ];
    let mut named = roles.iter().filter(|(is_set, _)| *is_set).map(|(_, role)| *role);
    match (named.next(), named.next()) {
        (Some(_), Some(_)) => {
            Err(mlua::Error::runtime("can have only one role: name, identity, setting, export or enforce"))
        }
        (role, _) => Ok(role),
    }
}

/// The actions that need the property. `required = true` does not apply to the removal: to remove a resource, its name
/// and identity are enough.
fn need(definition: &Table, loaded: &Loaded, role: Role) -> mlua::Result<Need> {
    let actions: Vec<String> = match definition.get::<mlua::Value>("required")? {
        mlua::Value::Boolean(true) if definition.contains_key("default")? => {
            let what = "is required and has a default, which is never used: remove one of them";
            return Err(mlua::Error::runtime(what));
        }
        mlua::Value::Boolean(true) => match loaded.removal() {
            Some(removal) if role == Role::Setting => {
                let names = loaded.actions.iter().map(|(name, _)| name.clone());
                names.filter(|name| name != removal).collect()
            }
            _ => return Ok(Need::Required),
        },
        mlua::Value::Table(actions) => actions.sequence_values().collect::<mlua::Result<_>>()?,
        _ => return Ok(Need::Optional),
    };
    let mut all: Vec<&str> = Vec::new();
    for action in &actions {
        for name in loaded.names_of_action(action)? {
            if !all.contains(&name) {
                all.push(name);
            }
        }
    }
    Ok(Need::RequiredFor(keep_all(all.into_iter().map(intern_str))))
}

/// The default, unless it is a function, which is called when the default is needed.
fn default(
    interpreter: &Interpreter,
    definition: &Table,
    ty: &ValueType,
) -> mlua::Result<Option<DefaultValue>> {
    let value = match definition.get::<mlua::Value>("default")? {
        mlua::Nil | mlua::Value::Function(_) => return Ok(None),
        value => fit(from_script(&value)?, ty.describe()),
    };
    let value = match definition.get::<Option<mlua::Function>>("coerce")? {
        Some(coerce) => conversion::coerce(interpreter, &coerce, &value, ty.describe())?,
        None => value,
    };
    let read = ty.read(&value, &Context::NOTHING);
    let value = read.map_err(|problem| mlua::Error::runtime(format!("its default {}", problem.rule)))?;
    Ok(Some(DefaultValue::There(intern_value(value))))
}

fn strings(definition: &Table, field: &str) -> mlua::Result<&'static [&'static str]> {
    let strings = match definition.get::<mlua::Value>(field)? {
        mlua::Value::String(one) => vec![one.to_string_lossy()],
        mlua::Value::Table(all) => all.sequence_values().collect::<mlua::Result<_>>()?,
        _ => Vec::new(),
    };
    Ok(keep_all(strings.iter().map(|string| intern_str(string))))
}

pub(crate) fn rules(definition: &Table) -> mlua::Result<Vec<Rule>> {
    let mut rules = Vec::new();
    if let Some(range) = definition.get::<Option<Table>>("range")? {
        rules.push(Rule::Range(range.get(1)?, range.get(2)?));
    }
    if let Some(pattern) = definition.get::<Option<String>>("pattern")? {
        rules.push(Rule::Pattern(intern_str(&pattern)));
    }
    let is_list = matches!(definition.get::<mlua::Value>("one_of")?, mlua::Value::Table(_));
    if is_list && definition.contains_key("type")? {
        rules.push(Rule::OneOf(strings(definition, "one_of")?));
    }
    Ok(rules)
}
