//! What a script says about its kind, as data.

use mlua::Table;
use uphold_model::{Group, GroupRule, PropertySchema, Role, Schema, VerbSchema};
use uphold_resource::{ValueType, keep, keep_all, keep_text};

use crate::interpreter::Interpreter;
use crate::loaded::Loaded;
use crate::property::{property, schema};

/// A kind as a schema and the types of its properties.
pub(crate) struct Blueprint {
    pub(crate) schema: &'static Schema,
    pub(crate) types: Vec<(&'static str, ValueType)>,
    /// Whether `load_current_value` is defined: only it can tell that a thing does not exist.
    pub(crate) has_loader: bool,
    /// Whether any state is loaded, so that it can be compared.
    pub(crate) compares: bool,
    /// Whether a loader fills anything sensitive.
    pub(crate) loads_secrets: bool,
    /// The action that `remove` is.
    pub(crate) removal: Option<String>,
    /// Properties with a function `coerce`.
    pub(crate) coerced: Vec<&'static str>,
    /// Properties with a function `check`.
    pub(crate) checked: Vec<&'static str>,
    /// Which of the functions there are that only look at the wishes.
    pub(crate) asked: Vec<&'static str>,
}

impl Blueprint {
    /// Reads what a script has defined.
    ///
    /// # Errors
    /// What is wrong, in words that name the property.
    pub(crate) fn of(interpreter: &Interpreter, kind: &str, loaded: &Loaded) -> mlua::Result<Self> {
        let mut properties = Vec::new();
        let mut types = Vec::new();
        for (name, told) in &loaded.properties {
            let made = property(interpreter, loaded, name, told);
            let (schema, ty) = made.map_err(|error| loaded.of_named_property(name, &error))?;
            types.push((schema.name, ty));
            properties.push(schema);
        }
        add_name(&mut properties, &mut types);
        let removal = loaded.removal().map(str::to_owned);
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
        let (mut coerced, mut checked) = (Vec::new(), Vec::new());
        for property in schema.properties {
            coerced.extend(loaded.of_property(property.name, "coerce")?.map(|_| property.name));
            checked.extend(loaded.of_property(property.name, "check")?.map(|_| property.name));
        }
        let mut asked = Vec::new();
        for name in ["check", "claims", "watch"] {
            asked.extend(loaded.function(name)?.map(|_| name));
        }
        let (has_loader, compares) = (loaded.loader.is_some(), loaded.compares());
        let is_loaded = |name: &str| schema.property(name).is_some_and(|property| is_loaded(property.role));
        let loads_secrets = types.iter().any(|(name, ty)| ty.is_sensitive() && is_loaded(name));
        Ok(Self { schema, types, has_loader, compares, loads_secrets, removal, coerced, checked, asked })
    }

    /// Tells the state of this thread which names are properties, and which of them can be loaded.
    pub(crate) fn tell_names(schema: &Schema, kind: &Table) -> mlua::Result<()> {
        let (names, loadable): (Table, Table) = (kind.get("properties")?, kind.get("loadable")?);
        for property in schema.properties {
            names.set(property.name, true)?;
            loadable.set(property.name, is_loaded(property.role))?;
        }
        Ok(())
    }
}

/// Whether a loader may fill a property of this role.
fn is_loaded(role: Role) -> bool {
    role.is_state() || matches!(role, Role::Export | Role::Identity)
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
