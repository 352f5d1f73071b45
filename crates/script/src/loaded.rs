//! The definitions of a script, in the interpreter of one thread.

mod global_functions;

use std::cell::Cell;

use mlua::chunk::ChunkMode;
use mlua::{Function, Table};
use uphold_model::closest;

use super::script::Script;
use crate::inherited::{merged, overridden};
use crate::interpreter::Interpreter;
use crate::require::require;

/// The global function that loads the state of a resource.
const LOADER: &str = "load_current_value";

/// The definitions of a script.
pub(crate) struct Loaded {
    /// The kind for the prelude: names of properties, and its parent.
    pub(crate) kind: Table,
    /// Whether the names of the properties were registered with this interpreter.
    pub(crate) has_names: Cell<bool>,
    /// The globals of the script.
    own: Table,
    /// The actions as the script sees them.
    written: Option<Table>,
    /// Properties in the order of the script, those of the parent first.
    pub(crate) properties: Vec<(String, Table)>,
    /// Lines that define the properties, in the format of Luau: `kinds/x.luau:3: `.
    places: Vec<(String, String)>,
    /// Actions in the order of the script, those of the parent first.
    pub(crate) actions: Vec<(String, Function)>,
    /// Documentation of the actions that have some.
    pub(crate) action_docs: Vec<(String, String)>,
    /// The value of `default_action`.
    default_action: Option<String>,
    /// `load_current_value`.
    pub(crate) loader: Option<Function>,
    /// Loaders defined by `loads(…)`, those of the parent last.
    loads: Vec<(Vec<String>, Function)>,
    /// Loaders of single properties, which run when the properties are needed.
    pub(crate) partial: Vec<(Vec<String>, Function)>,
    /// The main function of the script.
    pub(crate) chunk: Function,
}

impl Loaded {
    /// Runs a script that defines a kind, or only loads it if it is a recipe.
    pub(crate) fn of(
        interpreter: &Interpreter,
        script: &Script,
        parent: Option<&Loaded>,
    ) -> mlua::Result<Self> {
        let lua = &interpreter.lua;
        let kind = lua.create_table()?;
        for part in ["properties", "loadable"] {
            kind.set(part, lua.create_table()?)?;
        }
        let prelude = interpreter.prelude();
        let env: Table = prelude.environment.call((&kind, &prelude.api))?;
        let chunk = lua.load(&script.bytecode[..]).set_name(format!("={}", script.name));
        let chunk = chunk.set_mode(ChunkMode::Binary).set_environment(env).into_function()?;
        let mut loaded = Self {
            own: kind.get("own")?,
            written: None,
            kind,
            has_names: Cell::new(false),
            properties: Vec::new(),
            places: Vec::new(),
            actions: Vec::new(),
            action_docs: Vec::new(),
            default_action: None,
            loader: None,
            loads: Vec::new(),
            partial: Vec::new(),
            chunk,
        };
        if !script.is_recipe {
            let fixed: Table = loaded.kind.get("fixed")?;
            fixed.raw_set("require", require(interpreter, script)?)?;
            loaded.define(interpreter, script, parent)?;
        }
        Ok(loaded)
    }

    fn define(
        &mut self,
        interpreter: &Interpreter,
        script: &Script,
        parent: Option<&Loaded>,
    ) -> mlua::Result<()> {
        let lua = &interpreter.lua;
        let ordered = |parent: Option<&Table>| interpreter.prelude().ordered.call::<Ordered>(parent);
        let (properties, property_names, property_values, places) = ordered(None)?;
        let inherited = parent.and_then(|parent| parent.written.as_ref());
        let (actions, action_names, action_values, _) = ordered(inherited)?;
        let loads = lua.create_table()?;
        self.own.raw_set("properties", &properties)?;
        self.own.raw_set("actions", &actions)?;
        self.written = Some(actions.clone());
        self.add_fixed_names(interpreter, parent, &loads)?;
        interpreter.prelude().closed.call::<()>(&self.chunk)?;
        self.places = places.pairs().collect::<mlua::Result<_>>()?;
        self.add_places_in_table(script, &properties)?;
        let own = self.named::<Table>("properties", &properties, &property_names, &property_values)?;
        self.properties =
            merged(parent.map(|parent| &parent.properties[..]), own, |old, new| overridden(lua, old, new))?;
        let own = self.named::<Function>("actions", &actions, &action_names, &action_values)?;
        let names: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
        self.actions = merged(parent.map(|parent| &parent.actions[..]), own, |_, new| Ok(new))?;
        let docs: Option<Table> = self.own.raw_get("action_docs")?;
        let docs = docs.map_or(Ok(Vec::new()), |docs| docs.pairs().collect::<mlua::Result<_>>())?;
        self.action_docs = merged(parent.map(|parent| &parent.action_docs[..]), docs, |_, new| Ok(new))?;
        self.check_action_names()?;
        self.default_action = self.text("default_action")?;
        self.check_global_functions(script, &names)?;
        self.loader = self.function(LOADER)?;
        self.add_loads(&loads, parent)
    }

    /// Adds the lines of properties that are written as one table, `properties = { … }`.
    fn add_places_in_table(&mut self, script: &Script, proxy: &Table) -> mlua::Result<()> {
        let given: Table = self.own.raw_get("properties")?;
        if given.equals(proxy)? {
            return Ok(());
        }
        for pair in given.pairs::<String, mlua::Value>() {
            let (name, _) = pair?;
            let place = script.place_in_table(&name);
            self.places.extend(place.map(|place| (name, place)));
        }
        Ok(())
    }

    /// Adds `loads`, `extends` and `super`, which a kind that extends this one does not inherit.
    fn add_fixed_names(
        &self,
        interpreter: &Interpreter,
        parent: Option<&Loaded>,
        loads: &Table,
    ) -> mlua::Result<()> {
        let lua = &interpreter.lua;
        let fixed: Table = self.kind.get("fixed")?;
        let loads = loads.clone();
        fixed.raw_set(
            "loads",
            lua.create_function(move |lua, (names, loader): (mlua::Value, Function)| {
                let one = lua.create_table()?;
                one.set(1, names)?;
                one.set(2, loader)?;
                loads.push(one)
            })?,
        )?;
        fixed.raw_set("extends", lua.create_function(|_, _: String| Ok(()))?)?;
        if let Some(parent) = parent {
            self.kind.set("parent", &parent.kind)?;
            fixed.raw_set("super", parent.as_super(interpreter)?)?;
        }
        Ok(())
    }

    /// Adds the loaders of single properties. The first loader of a property is used, so those of this kind come before
    /// those of its parent.
    fn add_loads(&mut self, loads: &Table, parent: Option<&Loaded>) -> mlua::Result<()> {
        for pair in loads.sequence_values::<Table>() {
            let pair = pair?;
            let names = match pair.get::<mlua::Value>(1)? {
                mlua::Value::String(name) => vec![name.to_string_lossy()],
                mlua::Value::Table(names) => names.sequence_values().collect::<mlua::Result<_>>()?,
                _ => return Err(mlua::Error::runtime("loads(…) takes names of properties and a function")),
            };
            self.loads.push((names, pair.get(2)?));
        }
        self.loads.extend(parent.map(|parent| parent.loads.clone()).unwrap_or_default());
        self.partial = self.loads.clone();
        for (name, property) in &self.properties {
            if let Some(loader) = property.get::<Option<Function>>("load")? {
                self.partial.push((vec![name.clone()], loader));
            }
        }
        Ok(())
    }

    /// Checks that `action_docs` and `default_action` name existing actions.
    fn check_action_names(&self) -> mlua::Result<()> {
        let default = self.text("default_action")?;
        let named = self.action_docs.iter().map(|(name, _)| name).chain(&default);
        match named.into_iter().find(|name| self.action(name).is_none()) {
            Some(name) => {
                let near = closest(name, self.actions.iter().map(|(name, _)| name.as_str()));
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Err(mlua::Error::runtime(format!("there is no action `{name}`{near}")))
            }
            None => Ok(()),
        }
    }

    /// The members of a table in order: as written for `properties.x = { … }`, by name for `properties = { x = { … } }`.
    fn named<T: mlua::FromLua>(
        &self,
        what: &str,
        proxy: &Table,
        names: &Table,
        values: &Table,
    ) -> mlua::Result<Vec<(String, T)>> {
        let given: Table = self.own.raw_get(what)?;
        let read = |values: &Table, name: String| {
            let value = values.raw_get(&*name).map_err(|_| {
                let place = self.place(&name);
                let should = if what == "actions" { "a function" } else { "a table: { type = \"string\" }" };
                mlua::Error::runtime(format!("{place}{what}.{name} must be {should}"))
            })?;
            Ok((name, value))
        };
        if given.equals(proxy)? {
            return names.sequence_values::<String>().map(|name| read(values, name?)).collect();
        }
        let written = given.pairs::<String, mlua::Value>().map(|pair| read(&given, pair?.0));
        let mut all: Vec<(String, T)> = written.collect::<mlua::Result<_>>()?;
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        if what == "actions" && all.len() > 1 {
            return Err(mlua::Error::runtime(
                "the first action is the default, and a table has no order: write `function actions.NAME() … end` for each",
            ));
        }
        Ok(all)
    }

    /// The table `super` of a kind that extends this one.
    fn as_super(&self, interpreter: &Interpreter) -> mlua::Result<Table> {
        let reachable = interpreter.lua.create_table()?;
        reachable.set("load_current_value", self.loader.clone())?;
        let actions = interpreter.lua.create_table()?;
        for (name, action) in &self.actions {
            actions.set(name.as_str(), action)?;
        }
        reachable.set("actions", actions)?;
        Ok(reachable)
    }

    /// The global of this name, of the script or of a kind that it extends.
    fn defined<T: mlua::FromLua>(&self, name: &str) -> mlua::Result<Option<T>> {
        let mut kind = Some(self.kind.clone());
        while let Some(looked) = kind {
            let own: Table = looked.raw_get("own")?;
            if let Some(found) = own.raw_get::<Option<T>>(name)? {
                return Ok(Some(found));
            }
            kind = looked.raw_get("parent")?;
        }
        Ok(None)
    }

    /// The global function of this name.
    pub(crate) fn function(&self, name: &str) -> mlua::Result<Option<Function>> {
        self.defined(name)
    }

    /// The global table of this name.
    pub(crate) fn table(&self, name: &str) -> mlua::Result<Option<Table>> {
        self.defined(name)
    }

    /// The global string of this name.
    pub(crate) fn text(&self, name: &str) -> mlua::Result<Option<String>> {
        self.defined(name)
    }

    /// The global list of strings of this name.
    pub(crate) fn texts(&self, name: &str) -> mlua::Result<Vec<String>> {
        Ok(self.defined(name)?.unwrap_or_default())
    }

    /// Whether any state is loaded, so that it can be compared.
    pub(crate) fn compares(&self) -> bool {
        self.loader.is_some() || !self.partial.is_empty()
    }

    /// The default action: that of `default_action`, or the first one.
    pub(crate) fn default_action(&self) -> Option<&str> {
        let named = self.default_action.as_deref();
        named.or_else(|| self.actions.first().map(|(name, _)| name.as_str()))
    }

    /// The action that removes the resource, if there is one.
    pub(crate) fn removal(&self) -> Option<&'static str> {
        ["remove", "delete"].into_iter().find(|name| self.action(name).is_some())
    }

    /// All names of an action: its own, and `converge` or `remove` if it is the default or the removal.
    ///
    /// # Errors
    /// If there is no such action.
    pub(crate) fn names_of_action<'a>(&'a self, action: &'a str) -> mlua::Result<Vec<&'a str>> {
        let default = self.default_action();
        match action {
            "converge" => Ok(std::iter::once("converge").chain(default).collect()),
            _ if self.action(action).is_none() => {
                let near = closest(action, self.actions.iter().map(|(name, _)| name.as_str()));
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Err(mlua::Error::runtime(format!("is required for `{action}`, which is not an action{near}")))
            }
            _ if default == Some(action) => Ok(vec!["converge", action]),
            _ if self.removal() == Some(action) && action != "remove" => Ok(vec!["remove", action]),
            _ => Ok(vec![action]),
        }
    }

    fn place(&self, property: &str) -> &str {
        let found = self.places.iter().find(|(name, _)| name == property);
        found.map_or("", |(_, place)| place)
    }

    /// An error about a property, at the line that defines it.
    pub(crate) fn of_named_property(&self, name: &str, error: &mlua::Error) -> mlua::Error {
        let text = error.to_string();
        let text = text.strip_prefix("runtime error: ").unwrap_or(&text);
        mlua::Error::runtime(format!("{}property `{name}`: {text}", self.place(name)))
    }

    /// Whether a property takes the label as its value.
    pub(crate) fn has_name_property(&self) -> mlua::Result<bool> {
        for (_, definition) in &self.properties {
            if definition.get::<mlua::Value>("name")? == mlua::Value::Boolean(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The function of an action.
    pub(crate) fn action(&self, name: &str) -> Option<&Function> {
        self.actions.iter().find(|(action, _)| action == name).map(|(_, function)| function)
    }

    /// A function of a property, such as `coerce` or `check`.
    pub(crate) fn of_property(&self, property: &str, what: &str) -> mlua::Result<Option<Function>> {
        let found = self.properties.iter().find(|(name, _)| name == property);
        match found.map(|(_, table)| table.get::<mlua::Value>(what)).transpose()? {
            Some(mlua::Value::Function(function)) => Ok(Some(function)),
            _ => Ok(None),
        }
    }
}

/// A table that a script fills: the table itself, its names in order, its values, and the line of each.
type Ordered = (Table, Table, Table, Table);
