//! The schema of a scripted kind, read from the tables and functions that its script defines.

use mlua::Table;
use uphold_model::{Group, GroupRule, PropertySchema, Role, Schema, VerbSchema};
use uphold_resource::{ValueType, intern_str, keep, keep_all};

use crate::failure::ScriptErrors;
use crate::interpreter::Interpreter;
use crate::loaded::Loaded;
use crate::property::{property, schema};

/// The schema of a kind, the types of its properties, and which functions its script has.
pub(crate) struct Blueprint {
    pub(crate) schema: &'static Schema,
    pub(crate) types: Vec<(&'static str, ValueType)>,
    /// Whether `load_current_value` is defined: only it can find out that a resource does not exist.
    pub(crate) has_loader: bool,
    /// Whether any state is loaded, so that it can be compared.
    pub(crate) compares: bool,
    /// Whether a loader can set a sensitive property.
    pub(crate) loads_secrets: bool,
    /// Whether the script has a function `batch`.
    pub(crate) has_batch: bool,
    /// The action that `remove` runs.
    pub(crate) removal: Option<String>,
    /// Properties with a function `coerce`.
    pub(crate) coerced: Vec<&'static str>,
    /// Properties with a function `check`.
    pub(crate) checked: Vec<&'static str>,
    /// Defined functions that only use declared values: some of `check`, `claims` and `watch`.
    pub(crate) declared_functions: Vec<&'static str>,
}

impl Blueprint {
    /// Reads the definitions of a script.
    ///
    /// # Errors
    /// All invalid definitions of properties, in messages that name them; or another error.
    pub(crate) fn of(interpreter: &Interpreter, kind: &str, loaded: &Loaded) -> Result<Self, ScriptErrors> {
        let mut properties = Vec::new();
        let mut types = Vec::new();
        let mut errors = Vec::new();
        for (name, definition) in &loaded.properties {
            match property(interpreter, loaded, name, definition) {
                Ok((schema, ty)) => {
                    types.push((schema.name, ty));
                    properties.push(schema);
                }
                Err(error) => errors.push(loaded.of_named_property(name, &error)),
            }
        }
        if !errors.is_empty() {
            return Err(ScriptErrors(errors));
        }
        add_name(&mut properties, &mut types);
        let removal = loaded.removal().map(str::to_owned);
        let schema = Schema {
            kind: intern_str(kind),
            doc: intern_str(&loaded.text("doc")?.unwrap_or_default()),
            properties: keep_all(properties),
            groups: keep_all(groups(loaded)?),
            verbs: keep_all(verbs(loaded)),
            removable: removal.is_some(),
            also: keep_all(loaded.texts("also")?.iter().map(|word| intern_str(word))),
        };
        let schema = keep(schema);
        Self::set_property_names(schema, &loaded.kind)?;
        let (mut coerced, mut checked) = (Vec::new(), Vec::new());
        for property in schema.properties {
            coerced.extend(loaded.of_property(property.name, "coerce")?.map(|_| property.name));
            checked.extend(loaded.of_property(property.name, "check")?.map(|_| property.name));
        }
        let mut declared_functions = Vec::new();
        for name in ["check", "claims", "watch"] {
            declared_functions.extend(loaded.function(name)?.map(|_| name));
        }
        let has_batch = loaded.function("batch")?.is_some();
        let (has_loader, compares) = (loaded.loader.is_some(), loaded.compares());
        let is_loaded = |name: &str| schema.property(name).is_some_and(|property| is_loaded(property.role));
        let loads_secrets = types.iter().any(|(name, ty)| ty.is_sensitive() && is_loaded(name));
        Ok(Self {
            schema,
            types,
            has_loader,
            compares,
            loads_secrets,
            has_batch,
            removal,
            coerced,
            checked,
            declared_functions,
        })
    }

    /// Registers the names of properties with the interpreter of this thread, and which of them a loader can set.
    pub(crate) fn set_property_names(schema: &Schema, kind: &Table) -> mlua::Result<()> {
        let (names, loadable): (Table, Table) = (kind.get("properties")?, kind.get("loadable")?);
        for property in schema.properties {
            names.set(property.name, true)?;
            loadable.set(property.name, is_loaded(property.role))?;
        }
        Ok(())
    }
}

/// Whether a loader can set a property of this role.
fn is_loaded(role: Role) -> bool {
    role.is_state() || matches!(role, Role::Export | Role::Identity)
}

/// Adds the property `name` to a kind without a name property.
fn add_name(properties: &mut Vec<PropertySchema>, types: &mut Vec<(&'static str, ValueType)>) {
    if properties.iter().any(|property| property.role == Role::Name) {
        return;
    }
    let text = ValueType::named("string").unwrap_or_else(|_| ValueType::any());
    properties.insert(0, schema("name", &text, Role::Name));
    types.push(("name", text));
}

fn groups(loaded: &Loaded) -> mlua::Result<Vec<Group>> {
    let rules = [
        ("exclusive", GroupRule::Exclusive),
        ("any_of", GroupRule::AnyOf),
        ("together", GroupRule::Together),
        ("requires", GroupRule::Requires),
    ];
    let mut groups = Vec::new();
    for (word, rule) in rules {
        let names = loaded.texts(word)?;
        if !names.is_empty() {
            let properties = keep_all(names.iter().map(|name| intern_str(name)));
            groups.push(Group { rule, properties, fix: None });
        }
    }
    Ok(groups)
}

/// The actions of a kind are its verbs, except those that every kind has.
fn verbs(loaded: &Loaded) -> Vec<VerbSchema> {
    let own = loaded.actions.iter().map(|(name, _)| name);
    let own = own.filter(|name| !["converge", "remove", "nothing"].contains(&name.as_str()));
    let doc = |name: &str| {
        let found = loaded.action_docs.iter().find(|(action, _)| action == name);
        match found {
            Some((_, doc)) => intern_str(doc),
            None if loaded.default_action() == Some(name) => "The default: `converge` runs it.",
            None => "",
        }
    };
    own.map(|name| VerbSchema { name: intern_str(name), doc: doc(name) }).collect()
}
