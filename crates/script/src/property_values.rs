//! Values of properties in a function of a script: declared, loaded, or both.

use mlua::Lua;
use uphold_model::{Difference, PropertySchema, Role, Side, Value, closest};
use uphold_resource::{Definition, Error, ErrorKind};

use crate::frame::{Frame, MachineAccess};
use crate::interpreter::Interpreter;
use crate::value::to_script;

impl Frame<'_> {
    /// The address of the resource.
    pub(crate) fn address(&self) -> String {
        let schema = self.kind.schema();
        let name = schema.properties.iter().find(|property| property.role == Role::Name);
        let name = name.and_then(|property| self.wishes.get(property.name)).cloned().unwrap_or_default();
        format!("{}[{name}]", schema.kind)
    }

    fn property(&self, name: &str) -> Option<&'static PropertySchema> {
        self.kind.schema().property(name)
    }

    /// A value in a loader: declared names and settings; of the state, only what was already loaded.
    pub(crate) fn fresh(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let is_declared = self
            .property(name)
            .is_some_and(|property| matches!(property.role, Role::Name | Role::Identity | Role::Setting));
        let loaded = self.current.borrow().as_ref().and_then(|current| current.get(name).cloned());
        match loaded.as_ref().or_else(|| self.wishes.get(name).filter(|_| is_declared)) {
            Some(value) => self.reveal(&interpreter.lua, name, value),
            None if is_declared => self.default(interpreter, name),
            None => Ok(mlua::Nil),
        }
    }

    /// The declared value, or the default.
    pub(crate) fn desired(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
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

    /// The value of a bare property in an action: the declared one, else the loaded one, else the default.
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
        match self.current_value(interpreter, name)? {
            mlua::Nil => self.default(interpreter, name),
            current => Ok(current),
        }
    }

    /// The value on the machine. A property whose loader has not run yet is loaded first.
    pub(crate) fn current_value(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let known = self.current.borrow().as_ref().map(|current| current.get(name).cloned());
        match known {
            None => Ok(mlua::Nil),
            Some(Some(value)) => self.reveal(&interpreter.lua, name, &value),
            Some(None) => self.load_property(interpreter, name),
        }
    }

    /// Runs the loader of a property that was not needed before. It runs once.
    fn load_property(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let loaded = interpreter.loaded(&self.kind.script)?;
        let partial = loaded.partial.iter().find(|(names, _)| names.iter().any(|other| other == name));
        let Some((names, loader)) = partial else { return self.fresh(interpreter, name) };
        let current = self.current.borrow().clone();
        let frame = Frame::new(self.kind, self.wishes, MachineAccess::Read(self.observe()?))
            .with_current(current.as_ref());
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

    /// A value of a property for the script. A sensitive one counts as a secret that the script has read.
    pub(crate) fn reveal(&self, lua: &Lua, name: &str, value: &Value) -> mlua::Result<mlua::Value> {
        let sensitive = self.property(name).is_some() && self.kind.value_type(name).is_sensitive();
        if sensitive && *value != Value::Null && self.wishes.get(name) != Some(value) {
            self.opened.borrow_mut().push(value.clone());
        }
        to_script(lua, value)
    }

    /// Whether the function of `converge_if_changed` must run now.
    ///
    /// # Errors
    /// If nothing could ever differ: the function would never run, without any message.
    pub(crate) fn converges(&self, names: Option<&[String]>) -> mlua::Result<bool> {
        self.check_comparable(names)?;
        let differences = self.differences(names);
        let differs = self.current.borrow().is_none() || !differences.is_empty();
        if self.notes_properties && differs {
            self.notes.borrow_mut().extend(differences);
        }
        Ok(differs && !self.is_dry_run())
    }

    fn check_comparable(&self, names: Option<&[String]>) -> mlua::Result<()> {
        let kind = self.kind.schema().kind;
        let refuse = |what: String, hint: &str| {
            Err(self.fail(Error::new(ErrorKind::Invalid, what).hint(hint.to_owned())))
        };
        if !self.kind.compares() {
            let subject =
                if self.kind.script.is_recipe { "a recipe".to_owned() } else { format!("`{kind}`") };
            let what = format!("converge_if_changed needs a loader, but {subject} has none");
            let hint = "define load_current_value(current), or call functions such as fs.write without it: they compare first";
            return refuse(what, hint);
        }
        for name in names.unwrap_or_default() {
            match self.property(name) {
                Some(property) if property.role.is_state() => {}
                Some(_) => {
                    let what =
                        format!("converge_if_changed names `{name}`, which is not state: it never differs");
                    return refuse(what, "name properties that the loader sets");
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

    /// Differences of these properties, or of all.
    fn differences(&self, names: Option<&[String]>) -> Vec<Difference> {
        let current = self.current.borrow();
        let named = |property: &&PropertySchema| {
            names.is_none_or(|names| names.iter().any(|name| name == property.name))
        };
        let compared = self.kind.schema().properties.iter().filter(named);
        let compared = compared.filter(|property| self.wishes.wants(property));
        let differ = |property: &PropertySchema| {
            let goal = self.wishes.goal(self.kind, property, current.as_ref())?;
            let found = current.as_ref().and_then(|current| current.get(property.name));
            if found == Some(&goal) {
                return None;
            }
            let from = found.map_or(Side::Absent, |value| Side::Value(value.clone()));
            Some(Difference { property: property.name.into(), from, to: Side::Value(goal) })
        };
        compared.filter_map(differ).collect()
    }
}
