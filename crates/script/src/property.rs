//! One property of a kind, as a script describes it.

use mlua::Table;
use uphold_model::{DefaultValue, Need, PropertySchema, Role, Rule, closest};
use uphold_resource::{Context, ValueType, keep_all, keep_text, keep_value};

use crate::conversion;
use crate::interpreter::Interpreter;
use crate::loaded::Loaded;
use crate::property_type;
use crate::value::{fit, from_script};

/// What may be said of a property.
const WORDS: [&str; 19] = [
    "alias",
    "also",
    "check",
    "coerce",
    "default",
    "doc",
    "enforce",
    "export",
    "identity",
    "load",
    "name",
    "one_of",
    "pattern",
    "range",
    "required",
    "sensitive",
    "setting",
    "type",
    "nullable",
];

/// A property of which nothing but its type and role is said.
pub(crate) fn schema(name: &str, ty: &ValueType, role: Role) -> PropertySchema {
    PropertySchema {
        name: keep_text(name),
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

/// Reads what a script says of a property.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn property(
    interpreter: &Interpreter,
    loaded: &Loaded,
    name: &str,
    told: &Table,
) -> mlua::Result<(PropertySchema, ValueType)> {
    for pair in told.pairs::<mlua::Value, mlua::Value>() {
        let word = pair?.0.to_string()?;
        if !WORDS.contains(&word.as_str()) {
            let near = closest(&word, WORDS).map(|near| format!("; did you mean `{near}`?"));
            return Err(mlua::Error::runtime(format!("`{word}` is not known{}", near.unwrap_or_default())));
        }
    }
    let ty = property_type::read(told)?;
    let said = said_role(told)?;
    let role = said.unwrap_or(if loaded.compares() { Role::State } else { Role::Setting });
    let made = PropertySchema {
        doc: keep_text(&told.get::<Option<String>>("doc")?.unwrap_or_default()),
        need: need(told, loaded, said.is_none() && role == Role::Setting)?,
        default: default(interpreter, told, &ty)?,
        rules: keep_all(rules(told)?),
        aliases: words(told, "alias")?,
        also: words(told, "also")?,
        ..schema(name, &ty, role)
    };
    Ok((made, ty))
}

fn flag(told: &Table, word: &str) -> mlua::Result<bool> {
    Ok(told.get::<Option<bool>>(word)?.unwrap_or(false))
}

/// The role that is said of a property, if any is.
fn said_role(told: &Table) -> mlua::Result<Option<Role>> {
    let roles = [
        (flag(told, "name")?, Role::Name),
        (flag(told, "identity")?, Role::Identity),
        (flag(told, "setting")?, Role::Setting),
        (flag(told, "export")?, Role::Export),
        (flag(told, "enforce")?, Role::EnforcedState),
    ];
    let mut said = roles.iter().filter(|(said, _)| *said).map(|(_, role)| *role);
    match (said.next(), said.next()) {
        (Some(_), Some(_)) => {
            Err(mlua::Error::runtime("has one role: name, identity, setting, export or enforce"))
        }
        (role, _) => Ok(role),
    }
}

/// Which actions need the property. `by_default` says that it is a setting only because the kind has no loader: like
/// state, it is then not needed to remove the thing.
fn need(told: &Table, loaded: &Loaded, by_default: bool) -> mlua::Result<Need> {
    let actions: Vec<String> = match told.get::<mlua::Value>("required")? {
        mlua::Value::Boolean(true) if told.contains_key("default")? => {
            let what = "is required and has a default, which is never used: remove one of them";
            return Err(mlua::Error::runtime(what));
        }
        mlua::Value::Boolean(true) => match loaded.removal() {
            Some(removal) if by_default => {
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
        let words = loaded.words_of_action(action)?.into_iter();
        let new: Vec<_> = words.filter(|word| !all.contains(word)).collect();
        all.extend(new);
    }
    Ok(Need::RequiredFor(keep_all(all.into_iter().map(keep_text))))
}

/// A default that is computed is not known before it is needed.
fn default(interpreter: &Interpreter, told: &Table, ty: &ValueType) -> mlua::Result<Option<DefaultValue>> {
    let value = match told.get::<mlua::Value>("default")? {
        mlua::Nil | mlua::Value::Function(_) => return Ok(None),
        value => fit(from_script(&value)?, ty.describe()),
    };
    let value = match told.get::<Option<mlua::Function>>("coerce")? {
        Some(coerce) => conversion::coerce(interpreter, &coerce, &value, ty.describe())?,
        None => value,
    };
    let read = ty.read(&value, &Context::NOTHING);
    let value = read.map_err(|problem| mlua::Error::runtime(format!("its default {}", problem.rule)))?;
    Ok(Some(DefaultValue::There(keep_value(value))))
}

fn words(told: &Table, word: &str) -> mlua::Result<&'static [&'static str]> {
    let words = match told.get::<mlua::Value>(word)? {
        mlua::Value::String(one) => vec![one.to_string_lossy()],
        mlua::Value::Table(all) => all.sequence_values().collect::<mlua::Result<_>>()?,
        _ => Vec::new(),
    };
    Ok(keep_all(words.iter().map(|word| keep_text(word))))
}

fn rules(told: &Table) -> mlua::Result<Vec<Rule>> {
    let mut rules = Vec::new();
    if let Some(range) = told.get::<Option<Table>>("range")? {
        rules.push(Rule::Range(range.get(1)?, range.get(2)?));
    }
    if let Some(pattern) = told.get::<Option<String>>("pattern")? {
        rules.push(Rule::Pattern(keep_text(&pattern)));
    }
    let is_words = matches!(told.get::<mlua::Value>("one_of")?, mlua::Value::Table(_));
    if is_words && told.contains_key("type")? {
        rules.push(Rule::OneOf(words(told, "one_of")?));
    }
    Ok(rules)
}
