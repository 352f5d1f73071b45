//! What a script says about its kind, as data.

use mlua::{Function, Table};
use uphold_model::{
    DefaultValue, Group, GroupRule, Need, PropertySchema, Role, Rule, Schema, Value, VerbSchema, closest,
};
use uphold_resource::{Context, ValueType, keep, keep_all, keep_text};

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

/// A kind as a schema and the types of its properties.
pub(crate) struct Blueprint {
    pub(crate) schema: &'static Schema,
    pub(crate) types: Vec<(&'static str, ValueType)>,
    /// Whether `load_current_value` is defined: only it can tell that a thing does not exist.
    pub(crate) has_loader: bool,
    /// Whether any state is loaded, so that it can be compared.
    pub(crate) compares: bool,
    /// The action that `remove` is.
    pub(crate) removal: Option<String>,
    /// Properties that the script completes or checks.
    pub(crate) adjusted: Vec<&'static str>,
    /// Which of the functions there are that only look at the wishes.
    pub(crate) asked: Vec<&'static str>,
}

impl Blueprint {
    /// Reads what a script has defined.
    ///
    /// # Errors
    /// What is wrong, in words that name the property.
    pub(crate) fn of(kind: &str, loaded: &Loaded) -> mlua::Result<Self> {
        let has_loader = loaded.loader.is_some();
        let compares = has_loader || !loaded.partial.is_empty();
        let mut properties = Vec::new();
        let mut types = Vec::new();
        for (name, told) in &loaded.properties {
            let (schema, ty) = property(name, told, compares).map_err(|error| of_property(name, &error))?;
            types.push((schema.name, ty));
            properties.push(schema);
        }
        add_name(&mut properties, &mut types);
        let removal = ["remove", "delete"].into_iter().find(|name| loaded.action(name).is_some());
        let schema = Schema {
            kind: keep_text(kind),
            doc: keep_text(&loaded.text("doc")?.unwrap_or_default()),
            properties: keep_all(properties),
            groups: keep_all(groups(loaded)?),
            verbs: keep_all(verbs(loaded)),
            removable: removal.is_some(),
            also: keep_all(loaded.texts("also")?.iter().map(|word| keep_text(word))),
        };
        let schema = keep(schema);
        Self::tell_names(schema, &loaded.kind)?;
        let mut adjusted = Vec::new();
        for property in schema.properties {
            let told = |what: &str| loaded.of_property(property.name, what);
            adjusted.extend((told("coerce")?.is_some() || told("check")?.is_some()).then_some(property.name));
        }
        let mut asked = Vec::new();
        for name in ["check", "claims", "watch"] {
            asked.extend(loaded.function(name)?.map(|_| name));
        }
        let removal = removal.map(str::to_owned);
        Ok(Self { schema, types, has_loader, compares, removal, adjusted, asked })
    }

    /// Tells the state of this thread which names are properties, and which of them can be loaded.
    pub(crate) fn tell_names(schema: &Schema, kind: &Table) -> mlua::Result<()> {
        let (names, loadable): (Table, Table) = (kind.get("properties")?, kind.get("loadable")?);
        for property in schema.properties {
            names.set(property.name, true)?;
            let role = property.role;
            loadable.set(property.name, role.is_state() || matches!(role, Role::Export | Role::Identity))?;
        }
        Ok(())
    }
}

fn of_property(name: &str, error: &mlua::Error) -> mlua::Error {
    let text = error.to_string();
    let text = text.strip_prefix("runtime error: ").unwrap_or(&text);
    mlua::Error::runtime(format!("property `{name}`: {text}"))
}

/// A kind whose author named no name has one all the same.
fn add_name(properties: &mut Vec<PropertySchema>, types: &mut Vec<(&'static str, ValueType)>) {
    if properties.iter().any(|property| property.role == Role::Name) {
        return;
    }
    let text = ValueType::named("text").unwrap_or_else(|_| ValueType::any());
    properties.insert(0, schema("name", &text, Role::Name));
    types.push(("name", text));
}

fn schema(name: &str, ty: &ValueType, role: Role) -> PropertySchema {
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

fn property(name: &str, told: &Table, has_loader: bool) -> mlua::Result<(PropertySchema, ValueType)> {
    for pair in told.pairs::<mlua::Value, mlua::Value>() {
        let word = pair?.0.to_string()?;
        if !WORDS.contains(&word.as_str()) {
            let near = closest(&word, WORDS).map(|near| format!("; did you mean `{near}`?"));
            return Err(mlua::Error::runtime(format!("`{word}` is not known{}", near.unwrap_or_default())));
        }
    }
    let ty = property_type::read(told)?;
    let role = role(told, has_loader)?;
    let made = PropertySchema {
        doc: keep_text(&told.get::<Option<String>>("doc")?.unwrap_or_default()),
        need: need(told)?,
        default: default(told, &ty)?,
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

/// Without a loader nothing is compared, so that everything says how.
fn role(told: &Table, has_loader: bool) -> mlua::Result<Role> {
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
        (Some(role), None) => Ok(role),
        (None, _) if has_loader => Ok(Role::State),
        (None, _) => Ok(Role::Setting),
    }
}

fn need(told: &Table) -> mlua::Result<Need> {
    Ok(match told.get::<mlua::Value>("required")? {
        mlua::Value::Boolean(true) => Need::Required,
        mlua::Value::Table(actions) => {
            let actions: Vec<String> = actions.sequence_values().collect::<mlua::Result<_>>()?;
            Need::RequiredFor(keep_all(actions.iter().map(|action| keep_text(action))))
        }
        _ => Need::Optional,
    })
}

/// A default that is computed is not known before.
fn default(told: &Table, ty: &ValueType) -> mlua::Result<Option<DefaultValue>> {
    let value = match told.get::<mlua::Value>("default")? {
        mlua::Nil | mlua::Value::Function(_) => return Ok(None),
        value => fit(from_script(&value)?, ty.describe()),
    };
    let read = ty.read(&value, &Context::NOTHING);
    let value = read.map_err(|problem| mlua::Error::runtime(format!("its default {}", problem.rule)))?;
    Ok(Some(DefaultValue::There(keep(value))))
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

fn groups(loaded: &Loaded) -> mlua::Result<Vec<Group>> {
    let rules = [
        ("exclusive", GroupRule::Exclusive),
        ("any_of", GroupRule::AnyOf),
        ("together", GroupRule::Together),
    ];
    let mut groups = Vec::new();
    for (word, rule) in rules {
        let names = loaded.texts(word)?;
        if !names.is_empty() {
            let properties = keep_all(names.iter().map(|name| keep_text(name)));
            groups.push(Group { rule, properties, fix: None });
        }
    }
    Ok(groups)
}

/// Every action can be asked for by its name; those that every kind has are no verbs.
fn verbs(loaded: &Loaded) -> Vec<VerbSchema> {
    let own = loaded.actions.iter().map(|(name, _)| name);
    let own = own.filter(|name| !["converge", "remove", "nothing"].contains(&name.as_str()));
    let doc = |name: &str| {
        let said = loaded.action_docs.iter().find(|(action, _)| action == name);
        said.map_or("", |(_, doc)| keep_text(doc))
    };
    own.map(|name| VerbSchema { name: keep_text(name), doc: doc(name) }).collect()
}

/// Calls a function that checks or completes a value. It knows of nothing but the value.
pub(crate) fn adjust(
    interpreter: &Interpreter,
    coerce: Option<&Function>,
    check: Option<&Function>,
    value: Value,
    ty: &ValueType,
) -> mlua::Result<Result<Value, String>> {
    let (lua, closed) = (&interpreter.lua, &interpreter.prelude().closed);
    let mut value = value;
    if let Some(coerce) = coerce {
        let made: mlua::Value = closed.call((coerce, crate::value::to_script(lua, &value)?))?;
        value = fit(from_script(&made)?, ty.describe());
    }
    if let Some(check) = check {
        let (holds, why): (mlua::Value, Option<String>) =
            closed.call((check, crate::value::to_script(lua, &value)?))?;
        match holds {
            mlua::Nil | mlua::Value::Boolean(true) => {}
            mlua::Value::Boolean(false) => {
                return Ok(Err(why.unwrap_or_else(|| "is not allowed".to_owned())));
            }
            other => return Ok(Err(other.to_string()?)),
        }
    }
    Ok(Ok(value))
}
