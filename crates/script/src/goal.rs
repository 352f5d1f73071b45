//! What the properties of a resource mean while a function of its script runs.

use mlua::Lua;
use uphold_model::{Difference, PropertySchema, Role, Side, Value, closest};
use uphold_resource::{Definition, Error, ErrorKind};

use crate::frame::{Door, Frame};
use crate::interpreter::Interpreter;
use crate::value::to_script;

impl Frame<'_> {
    /// Which resource this is.
    pub(crate) fn address(&self) -> String {
        let schema = self.kind.schema();
        let name = schema.properties.iter().find(|property| property.role == Role::Name);
        let name = name.and_then(|property| self.wishes.get(property.name)).cloned().unwrap_or_default();
        format!("{}[{name}]", schema.kind)
    }

    fn property(&self, name: &str) -> Option<&'static PropertySchema> {
        self.kind.schema().property(name)
    }

    /// What names the thing, and how it is handled; of its state, what was loaded before.
    pub(crate) fn fresh(&self, lua: &Lua, name: &str) -> mlua::Result<mlua::Value> {
        let is_state = self.property(name).is_some_and(|property| property.role.is_state());
        let current = self.current.borrow();
        let loaded = current.as_ref().and_then(|current| current.get(name));
        match loaded.or_else(|| self.wishes.get(name).filter(|_| !is_state)) {
            Some(value) => self.reveal(lua, name, value),
            None => Ok(mlua::Nil),
        }
    }

    /// What was set, or the default.
    pub(crate) fn wish(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        match self.wishes.get(name) {
            Some(value) => to_script(&interpreter.lua, value),
            None => self.default(interpreter, name),
        }
    }

    fn default(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let Some(property) = self.property(name) else { return Ok(mlua::Nil) };
        if let Some(value) = property.default.and_then(|default| default.make().ok()) {
            let value = self.wishes.create_default(self.kind, property, value);
            return self.reveal(&interpreter.lua, name, &value);
        }
        let loaded = interpreter.loaded(&self.kind.script)?;
        let Some(compute) = loaded.of_property(name, "default")? else { return Ok(mlua::Nil) };
        match compute.call(())? {
            mlua::Nil => Ok(mlua::Nil),
            made => {
                let made = self.kind.accept_default(property, &made)?;
                let made = self.wishes.create_default(self.kind, property, made);
                self.reveal(&interpreter.lua, name, &made)
            }
        }
    }

    /// What a bare property means in an action: as set, else as it is, else the default.
    pub(crate) fn goal(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let Some(property) = self.property(name) else { return Ok(mlua::Nil) };
        if self.wishes.wants(property) || !property.role.is_state() {
            let current = self.current.borrow();
            let goal = self.wishes.goal(self.kind, property, current.as_ref());
            return match goal {
                Some(value) => to_script(&interpreter.lua, &value),
                None => self.default(interpreter, name),
            };
        }
        match self.there(interpreter, name)? {
            mlua::Nil => self.default(interpreter, name),
            there => Ok(there),
        }
    }

    /// What is there; what nobody needed up to now is loaded first.
    pub(crate) fn there(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let known = self.current.borrow().as_ref().map(|current| current.get(name).cloned());
        match known {
            None => Ok(mlua::Nil),
            Some(Some(value)) => self.reveal(&interpreter.lua, name, &value),
            Some(None) => self.load_late(interpreter, name),
        }
    }

    /// Runs the loader of a property that nobody needed up to now, once.
    fn load_late(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let loaded = interpreter.loaded(&self.kind.script)?;
        let partial = loaded.partial.iter().find(|(names, _)| names.iter().any(|other| other == name));
        let Some((names, loader)) = partial else { return self.fresh(&interpreter.lua, name) };
        let current = self.current.borrow().clone();
        let frame =
            Frame::new(self.kind, self.wishes, Door::Look(self.observe()?)).with_current(current.as_ref());
        let found = frame.load(interpreter, loader).inspect_err(|_| {
            self.failed.replace(frame.failed.take());
        })?;
        let mut current = self.current.borrow_mut();
        let current = current.get_or_insert_default();
        current.extend(found);
        for name in names {
            current.entry(name.as_str().into()).or_insert(Value::Null);
        }
        current.get(name).map_or(Ok(mlua::Nil), |value| self.reveal(&interpreter.lua, name, value))
    }

    /// A value of a property for the script; if the property is sensitive, the script knows a secret from now on.
    fn reveal(&self, lua: &Lua, name: &str, value: &Value) -> mlua::Result<mlua::Value> {
        let sensitive = self.property(name).is_some() && self.kind.value_type(name).is_sensitive();
        if sensitive && *value != Value::Null && self.wishes.get(name) != Some(value) {
            self.opened.borrow_mut().push(value.clone());
        }
        to_script(lua, value)
    }

    /// Whether what is in `converge_if_changed` is to be done now.
    ///
    /// # Errors
    /// If nothing could ever differ: the work would be left undone without a word.
    pub(crate) fn converges(&self, names: Option<&[String]>) -> mlua::Result<bool> {
        self.check_comparable(names)?;
        let differences = self.differences(names);
        let differs = self.current.borrow().is_none() || !differences.is_empty();
        if self.tells && differs {
            self.notes.borrow_mut().extend(differences);
        }
        Ok(differs && !self.tries())
    }

    fn check_comparable(&self, names: Option<&[String]>) -> mlua::Result<()> {
        let kind = self.kind.schema().kind;
        let refuse = |what: String, hint: &str| {
            Err(self.fail(Error::new(ErrorKind::Invalid, what).hint(hint.to_owned())))
        };
        if !self.kind.compares() {
            let who = if self.kind.script.is_recipe { "a recipe".to_owned() } else { format!("`{kind}`") };
            let what =
                format!("converge_if_changed needs a loader, and {who} has none: nothing could differ");
            let hint = "write load_current_value(current), or call fs.write and the like directly: they compare first";
            return refuse(what, hint);
        }
        for name in names.unwrap_or_default() {
            match self.property(name) {
                Some(property) if property.role.is_state() => {}
                Some(_) => {
                    let what =
                        format!("converge_if_changed names `{name}`, which is not state: it never differs");
                    return refuse(what, "name properties that the loader fills");
                }
                None => {
                    let known = self.kind.schema().properties.iter().map(|property| property.name);
                    let near = closest(name, known).map(|near| format!("did you mean `{near}`?"));
                    let hint =
                        near.unwrap_or_else(|| format!("`uphold explain {kind}` lists its properties"));
                    return refuse(format!("`{kind}` has no property `{name}`"), &hint);
                }
            }
        }
        Ok(())
    }

    /// What differs of these properties, or of all.
    fn differences(&self, names: Option<&[String]>) -> Vec<Difference> {
        let current = self.current.borrow();
        let named = |property: &&PropertySchema| {
            names.is_none_or(|names| names.iter().any(|name| name == property.name))
        };
        let compared = self.kind.schema().properties.iter().filter(named);
        let compared = compared.filter(|property| self.wishes.wants(property));
        let differ = |property: &PropertySchema| {
            let goal = self.wishes.goal(self.kind, property, current.as_ref())?;
            let there = current.as_ref().and_then(|current| current.get(property.name));
            if there == Some(&goal) {
                return None;
            }
            let from = there.map_or(Side::Absent, |value| Side::Value(value.clone()));
            Some(Difference { property: property.name.into(), from, to: Side::Value(goal) })
        };
        compared.filter_map(differ).collect()
    }
}
