//! What a script has defined, in the state of one thread.

use std::cell::Cell;

use mlua::chunk::ChunkMode;
use mlua::{Function, Table};
use uphold_model::closest;

use crate::interpreter::Interpreter;
use crate::script::Script;

/// What a script has defined.
pub(crate) struct Loaded {
    /// What the prelude knows of the kind: names of properties, and what its parent is.
    pub(crate) kind: Table,
    /// Whether the names of the properties were written into this state.
    pub(crate) has_names: Cell<bool>,
    /// What the script has defined by name.
    own: Table,
    /// The actions as the script sees them.
    written: Option<Table>,
    /// Properties in written order, those of the parent first.
    pub(crate) properties: Vec<(String, Table)>,
    /// Actions in written order, those of the parent first.
    pub(crate) actions: Vec<(String, Function)>,
    /// What the actions are for, as far as somebody has said it.
    pub(crate) action_docs: Vec<(String, String)>,
    /// The action that is done when none is named; the first one if nobody has said it.
    pub(crate) default_action: Option<String>,
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
            actions: Vec::new(),
            action_docs: Vec::new(),
            default_action: None,
            loader: None,
            partial: Vec::new(),
            chunk,
        };
        if !script.is_recipe {
            loaded.define(interpreter, parent)?;
        }
        Ok(loaded)
    }

    fn define(&mut self, interpreter: &Interpreter, parent: Option<&Loaded>) -> mlua::Result<()> {
        let lua = &interpreter.lua;
        let ordered =
            |parent: Option<&Table>| interpreter.prelude().ordered.call::<(Table, Table, Table)>(parent);
        let (properties, property_names, property_values) = ordered(None)?;
        let inherited = parent.and_then(|parent| parent.written.as_ref());
        let (actions, action_names, action_values) = ordered(inherited)?;
        let partial = lua.create_table()?;
        self.own.raw_set("properties", &properties)?;
        self.own.raw_set("actions", &actions)?;
        self.written = Some(actions.clone());
        // These are never those of a kind that extends this one.
        let fixed: Table = self.kind.get("fixed")?;
        let loads = partial.clone();
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
        interpreter.prelude().closed.call::<()>(&self.chunk)?;
        self.properties = merged(
            parent.map(|parent| &parent.properties[..]),
            self.properties_of(&properties, &property_names, &property_values)?,
        );
        let own = self.named::<Function>("actions", &actions, &action_names, &action_values)?;
        self.actions = merged(parent.map(|parent| &parent.actions[..]), own);
        let docs: Option<Table> = self.own.raw_get("action_docs")?;
        let docs = docs.map_or(Ok(Vec::new()), |docs| docs.pairs().collect::<mlua::Result<_>>())?;
        self.action_docs = merged(parent.map(|parent| &parent.action_docs[..]), docs);
        self.check_action_words()?;
        self.default_action = self.text("default_action")?.or_else(|| parent?.default_action.clone());
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

    /// What is said of actions is said of those that there are.
    fn check_action_words(&self) -> mlua::Result<()> {
        let default = self.text("default_action")?;
        let said = self.action_docs.iter().map(|(name, _)| name).chain(&default);
        match said.into_iter().find(|name| self.action(name).is_none()) {
            Some(name) => {
                let near = closest(name, self.actions.iter().map(|(name, _)| name.as_str()));
                let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                Err(mlua::Error::runtime(format!("there is no action `{name}`{near}")))
            }
            None => Ok(()),
        }
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
        let given: Table = self.own.raw_get(what)?;
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
        self.own.raw_get(name)
    }

    /// A text of this name.
    pub(crate) fn text(&self, name: &str) -> mlua::Result<Option<String>> {
        self.own.raw_get(name)
    }

    /// A list of texts of this name.
    pub(crate) fn texts(&self, name: &str) -> mlua::Result<Vec<String>> {
        Ok(self.own.raw_get::<Option<Vec<String>>>(name)?.unwrap_or_default())
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
fn merged<T: Clone>(inherited: Option<&[(String, T)]>, own: Vec<(String, T)>) -> Vec<(String, T)> {
    let mut all = inherited.map(<[_]>::to_vec).unwrap_or_default();
    for (name, property) in own {
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some(slot) => slot.1 = property,
            None => all.push((name, property)),
        }
    }
    all
}
