//! What a script has defined, in the state of one thread.

use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Table};

use crate::interpreter::Interpreter;
use crate::script::Script;

/// What a script has defined.
pub(crate) struct Loaded {
    /// What the prelude knows of the kind: names of properties, and what its parent is.
    pub(crate) kind: Table,
    env: Table,
    /// Properties in written order, those of the parent first.
    pub(crate) properties: Vec<(String, Table)>,
    /// Actions in written order, those of the parent last.
    pub(crate) actions: Vec<(String, Function)>,
    /// Fills a fresh instance.
    pub(crate) loader: Option<Function>,
    /// Fill some properties, when they are needed.
    pub(crate) partial: Vec<(Vec<String>, Function)>,
    /// The whole text, if it is a recipe.
    pub(crate) chunk: Function,
}

impl Loaded {
    /// Runs a script that defines a kind, or only loads it if it is a recipe.
    pub(crate) fn of(
        interpreter: &Interpreter,
        script: &Script,
        parent: Option<Rc<Loaded>>,
    ) -> mlua::Result<Self> {
        let lua = &interpreter.lua;
        let kind = lua.create_table()?;
        for part in ["properties", "loadable"] {
            kind.set(part, lua.create_table()?)?;
        }
        let prelude = interpreter.prelude();
        let env: Table = prelude.environment.call((&kind, &prelude.api))?;
        let chunk = lua.load(&script.bytecode[..]).set_name(format!("={}", script.name));
        let chunk = chunk.set_mode(ChunkMode::Binary).set_environment(env.clone()).into_function()?;
        let mut loaded = Self {
            kind,
            env,
            properties: Vec::new(),
            actions: Vec::new(),
            loader: None,
            partial: Vec::new(),
            chunk,
        };
        if !script.is_recipe {
            loaded.define(interpreter, parent.as_deref())?;
        }
        Ok(loaded)
    }

    fn define(&mut self, interpreter: &Interpreter, parent: Option<&Loaded>) -> mlua::Result<()> {
        let lua = &interpreter.lua;
        let ordered = || interpreter.prelude().ordered.call::<(Table, Table, Table)>(());
        let (properties, property_names, property_values) = ordered()?;
        let (actions, action_names, action_values) = ordered()?;
        let partial = lua.create_table()?;
        self.env.raw_set("properties", &properties)?;
        self.env.raw_set("actions", &actions)?;
        let loads = partial.clone();
        self.env.raw_set(
            "loads",
            lua.create_function(move |lua, (names, loader): (mlua::Value, Function)| {
                let one = lua.create_table()?;
                one.set(1, names)?;
                one.set(2, loader)?;
                loads.push(one)
            })?,
        )?;
        self.env.raw_set("extends", lua.create_function(|_, _: String| Ok(()))?)?;
        if let Some(parent) = parent {
            self.kind.set("parent", &parent.kind)?;
            self.env.raw_set("super", parent.as_super(interpreter)?)?;
        }
        self.chunk.call::<()>(())?;
        self.properties = merged(
            parent.map(|parent| &parent.properties[..]),
            self.properties_of(&properties, &property_names, &property_values)?,
        );
        let own = self.named::<Function>("actions", &actions, &action_names, &action_values)?;
        let inherited = parent.iter().flat_map(|parent| parent.actions.clone());
        let inherited: Vec<_> =
            inherited.filter(|(name, _)| own.iter().all(|(other, _)| other != name)).collect();
        self.actions = own.into_iter().chain(inherited).collect();
        self.loader = self.function("load_current_value")?.or_else(|| parent?.loader.clone());
        self.partial = parent.map(|parent| parent.partial.clone()).unwrap_or_default();
        for pair in partial.sequence_values::<Table>() {
            let pair = pair?;
            let names = match pair.get::<mlua::Value>(1)? {
                mlua::Value::String(name) => vec![name.to_string_lossy()],
                mlua::Value::Table(names) => names.sequence_values().collect::<mlua::Result<_>>()?,
                _ => return Err(mlua::Error::runtime("loads(…) takes names of properties and a function")),
            };
            self.partial.push((names, pair.get(2)?));
        }
        for (name, property) in &self.properties {
            if let Some(loader) = property.get::<Option<Function>>("load")? {
                self.partial.push((vec![name.clone()], loader));
            }
        }
        Ok(())
    }

    /// `properties.x = { … }` keeps the order; `properties = { x = { … } }` is by name.
    fn properties_of(
        &self,
        proxy: &Table,
        names: &Table,
        values: &Table,
    ) -> mlua::Result<Vec<(String, Table)>> {
        self.named("properties", proxy, names, values)
    }

    fn named<T: mlua::FromLua>(
        &self,
        what: &str,
        proxy: &Table,
        names: &Table,
        values: &Table,
    ) -> mlua::Result<Vec<(String, T)>> {
        let given: Table = self.env.raw_get(what)?;
        if given.equals(proxy)? {
            let names = names.sequence_values::<String>();
            return names
                .map(|name| name.and_then(|name| Ok((name.clone(), values.raw_get(name)?))))
                .collect();
        }
        let mut all: Vec<(String, T)> = given.pairs().collect::<mlua::Result<_>>()?;
        all.sort_by(|(one, _), (other, _)| one.cmp(other));
        if what == "actions" && all.len() > 1 {
            return Err(mlua::Error::runtime(
                "which action comes first? write function actions.NAME() … end, one after the other",
            ));
        }
        Ok(all)
    }

    /// What a kind that extends this one can reach.
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

    /// A function of this name.
    pub(crate) fn function(&self, name: &str) -> mlua::Result<Option<Function>> {
        self.env.raw_get(name)
    }

    /// A text of this name.
    pub(crate) fn text(&self, name: &str) -> mlua::Result<Option<String>> {
        self.env.raw_get(name)
    }

    /// A list of texts of this name.
    pub(crate) fn texts(&self, name: &str) -> mlua::Result<Vec<String>> {
        Ok(self.env.raw_get::<Option<Vec<String>>>(name)?.unwrap_or_default())
    }

    /// The function of an action.
    pub(crate) fn action(&self, name: &str) -> Option<&Function> {
        self.actions.iter().find(|(action, _)| action == name).map(|(_, function)| function)
    }

    /// A function among what is said of a property.
    pub(crate) fn of_property(&self, property: &str, what: &str) -> mlua::Result<Option<Function>> {
        let found = self.properties.iter().find(|(name, _)| name == property);
        match found.map(|(_, table)| table.get::<mlua::Value>(what)).transpose()? {
            Some(mlua::Value::Function(function)) => Ok(Some(function)),
            _ => Ok(None),
        }
    }
}

/// What is said again replaces what was said before, in its place.
fn merged(inherited: Option<&[(String, Table)]>, own: Vec<(String, Table)>) -> Vec<(String, Table)> {
    let mut all = inherited.map(<[_]>::to_vec).unwrap_or_default();
    for (name, property) in own {
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some(slot) => slot.1 = property,
            None => all.push((name, property)),
        }
    }
    all
}
