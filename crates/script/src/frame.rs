//! What a running function of a script can ask.

use std::cell::{Cell, RefCell};

use mlua::{Function, Lua, MultiValue, Table};
use uphold_model::{Difference, Map, PropertySchema, Role, Value};
use uphold_resource::{Definition, Error, ErrorKind, Host, Interest, Observe, Wishes};

use crate::failure::Trouble;
use crate::interpreter::Interpreter;
use crate::kind::{ScriptedKind, loaded_map};
use crate::loaded::Loaded;
use crate::tried::Tried;
use crate::value::{from_script, to_script};

/// The door to the machine.
#[derive(Clone, Copy)]
pub(crate) enum Door<'a> {
    /// Closed: only what was declared is known.
    Nothing,
    /// For looking.
    Look(&'a dyn Observe),
    /// For trying: what is written is seen, and lost.
    Try(&'a Tried<'a>),
    /// For doing.
    Act(&'a dyn Host),
}

/// One call of a function of a script, and what it may know.
pub(crate) struct Frame<'a> {
    pub(crate) kind: &'a ScriptedKind,
    pub(crate) wishes: &'a Wishes,
    pub(crate) door: Door<'a>,
    /// What is there; none if it does not exist.
    current: RefCell<Option<Map>>,
    /// What was found, or done.
    notes: RefCell<Vec<Difference>>,
    /// What was looked at, if somebody wants to know.
    interests: Option<RefCell<Vec<Interest>>>,
    /// Whether differing properties are noted, too.
    tells: bool,
    absent: Cell<bool>,
    /// What the machine said when something failed.
    failed: RefCell<Option<Error>>,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(kind: &'a ScriptedKind, wishes: &'a Wishes, door: Door<'a>) -> Self {
        Self {
            kind,
            wishes,
            door,
            current: RefCell::new(None),
            notes: RefCell::default(),
            interests: None,
            tells: false,
            absent: Cell::new(false),
            failed: RefCell::default(),
        }
    }

    pub(crate) fn with_current(self, current: Option<&Map>) -> Self {
        *self.current.borrow_mut() = current.cloned();
        self
    }

    pub(crate) fn telling(self, tells: bool) -> Self {
        Self { tells, ..self }
    }

    pub(crate) fn gathering(self) -> Self {
        Self { interests: Some(RefCell::default()), ..self }
    }

    pub(crate) fn is_absent(&self) -> bool {
        self.absent.get()
    }

    pub(crate) fn take_notes(&self) -> Vec<Difference> {
        self.notes.take()
    }

    pub(crate) fn into_notes(self) -> Vec<Difference> {
        self.notes.into_inner()
    }

    pub(crate) fn into_interests(self) -> Vec<Interest> {
        self.interests.map(RefCell::into_inner).unwrap_or_default()
    }

    pub(crate) fn is_gathering(&self) -> bool {
        self.interests.is_some()
    }

    pub(crate) fn note(&self, difference: Difference) {
        self.notes.borrow_mut().push(difference);
    }

    pub(crate) fn watch(&self, interest: Interest) {
        if let Some(interests) = &self.interests {
            let mut interests = interests.borrow_mut();
            if !interests.contains(&interest) {
                interests.push(interest);
            }
        }
    }

    /// What went wrong, with what the machine said about it.
    pub(crate) fn explain(&self, error: &mlua::Error) -> Error {
        Trouble::of(error).into_error(self.failed.take())
    }

    /// Fails as the machine did; the script may catch that, and then it counts no more.
    pub(crate) fn fail(&self, error: Error) -> mlua::Error {
        let told = mlua::Error::runtime(error.chain());
        *self.failed.borrow_mut() = Some(error);
        told
    }

    pub(crate) fn observe(&self) -> mlua::Result<&dyn Observe> {
        match self.door {
            Door::Nothing => Err(self.fail(Error::new(
                ErrorKind::Unsupported,
                "the machine cannot be looked at here: only what was declared is known",
            ))),
            Door::Look(observe) => Ok(observe),
            Door::Try(tried) => Ok(tried),
            Door::Act(host) => Ok(host),
        }
    }

    /// The machine to change; an error where something is only looked at.
    pub(crate) fn host(&self, what: &str) -> mlua::Result<&dyn Host> {
        match self.door {
            Door::Nothing | Door::Look(_) => {
                let error = Error::new(
                    ErrorKind::Rejected,
                    format!("{what} changes the machine, which a loader must not"),
                );
                Err(self.fail(error.hint("do it in an action, inside converge_if_changed")))
            }
            Door::Try(tried) => Ok(tried),
            Door::Act(host) => Ok(host),
        }
    }

    pub(crate) fn tries(&self) -> bool {
        matches!(self.door, Door::Try(_))
    }

    /// Runs a function in this frame; `how` is what the prelude does with it.
    fn enter<T: mlua::FromLuaMulti>(
        &self,
        interpreter: &Interpreter,
        how: impl FnOnce(Table) -> mlua::Result<T>,
    ) -> mlua::Result<T> {
        let lua = &interpreter.lua;
        lua.scope(|scope| {
            let door = scope.create_function(|lua, (op, arguments): (mlua::LuaString, MultiValue)| {
                let op = op.to_str()?;
                self.failed.borrow_mut().take();
                interpreter.fuel.halt();
                let answer = self.answer(interpreter, lua, &op, arguments);
                interpreter.fuel.go();
                answer
            })?;
            let frame = lua.create_table()?;
            frame.raw_set("door", door)?;
            frame.raw_set("kind", &interpreter.loaded(&self.kind.script)?.kind)?;
            frame.raw_set("tries", self.tries())?;
            let current = self.current.borrow().is_some();
            if current && !matches!(self.door, Door::Look(_)) {
                frame.raw_set("current", interpreter.prelude().asking.call::<Table>("current")?)?;
            }
            interpreter.unwinding(|| how(frame))
        })
    }

    /// Runs the body of an action.
    pub(crate) fn run_body(&self, interpreter: &Interpreter, work: &Function) -> mlua::Result<bool> {
        self.enter(interpreter, |frame| {
            let done = interpreter.prelude().run_body.call((&frame, work));
            done.inspect_err(|_| self.drain(interpreter, &frame))
        })
    }

    /// A body has failed: who was told of what it changed before acts all the same. How that goes changes nothing of
    /// what is told.
    fn drain(&self, interpreter: &Interpreter, frame: &Table) {
        if let (Door::Act(_), Ok(depth)) = (self.door, frame.raw_get::<usize>("depth")) {
            let failed = self.failed.take();
            _ = interpreter.prelude().drain.call::<()>(depth.saturating_sub(1));
            self.failed.replace(failed);
        }
    }

    /// Calls a function.
    pub(crate) fn call<T: mlua::FromLuaMulti>(
        &self,
        interpreter: &Interpreter,
        work: &Function,
    ) -> mlua::Result<T> {
        self.enter(interpreter, |frame| interpreter.prelude().call.call((frame, work)))
    }

    /// Runs a loader.
    pub(crate) fn load(
        &self,
        interpreter: &Interpreter,
        loaded: &Loaded,
        loader: &Function,
    ) -> mlua::Result<Map> {
        let table: Table =
            self.enter(interpreter, |frame| interpreter.prelude().load.call((&loaded.kind, frame, loader)))?;
        loaded_map(self.kind, &table)
    }

    fn answer(
        &self,
        interpreter: &Interpreter,
        lua: &Lua,
        op: &str,
        arguments: MultiValue,
    ) -> mlua::Result<MultiValue> {
        let one = |value: mlua::Value| MultiValue::from_vec(vec![value]);
        let name = || lua.unpack_multi::<String>(arguments.clone());
        match op {
            "fresh" => Ok(one(self.fresh(lua, &name()?)?)),
            "wish" => Ok(one(self.wish(interpreter, &name()?)?)),
            "goal" => Ok(one(self.goal(interpreter, &name()?)?)),
            "current" => Ok(one(self.there(interpreter, &name()?)?)),
            "self" => Ok(one(mlua::Value::String(lua.create_string(self.address())?))),
            "is_set" => Ok(one(mlua::Value::Boolean(self.wishes.is_set(&name()?)))),
            // The script has caught what failed; that is no cause of what fails later.
            "caught" => Ok(MultiValue::new()),
            "absent" => {
                self.absent.set(true);
                Err(mlua::Error::runtime("it does not exist"))
            }
            "differs" => {
                let names = lua.unpack_multi::<Option<Vec<String>>>(arguments)?;
                Ok(one(mlua::Value::Boolean(self.converges(names.as_deref()))))
            }
            "param" => {
                let name = name()?;
                match self.kind.params.get(&*name) {
                    Some(value) => Ok(one(to_script(lua, value)?)),
                    None => Err(self.fail(no_param(&name, &self.kind.params))),
                }
            }
            _ if op.starts_with("fs.") => self.answer_files(lua, op, arguments),
            "run" | "query" | "fact" | "say" => self.answer_machine(lua, op, arguments),
            _ => self.answer_inside(lua, op, arguments),
        }
    }

    /// Which resource this is.
    fn address(&self) -> String {
        let schema = self.kind.schema();
        let name = schema.properties.iter().find(|property| property.role == Role::Name);
        let name = name.and_then(|property| self.wishes.get(property.name)).cloned().unwrap_or_default();
        format!("{}[{name}]", schema.kind)
    }

    fn property(&self, name: &str) -> Option<&'static PropertySchema> {
        self.kind.schema().property(name)
    }

    /// What names the thing, and how it is handled.
    fn fresh(&self, lua: &Lua, name: &str) -> mlua::Result<mlua::Value> {
        let is_state = self.property(name).is_some_and(|property| property.role.is_state());
        match self.wishes.get(name).filter(|_| !is_state) {
            Some(value) => to_script(lua, value),
            None => Ok(mlua::Nil),
        }
    }

    /// What was set, or the default.
    fn wish(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        match self.wishes.get(name) {
            Some(value) => to_script(&interpreter.lua, value),
            None => self.default(interpreter, name),
        }
    }

    fn default(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let made = self.property(name).and_then(|property| property.default?.make().ok());
        if let Some(value) = made {
            return to_script(&interpreter.lua, &value);
        }
        let loaded = interpreter.loaded(&self.kind.script)?;
        loaded.of_property(name, "default")?.map_or(Ok(mlua::Nil), |compute| compute.call(()))
    }

    /// What a bare property means in an action: as set, else as it is, else the default if it is created.
    fn goal(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let Some(property) = self.property(name) else { return Ok(mlua::Nil) };
        if self.wishes.is_set(name) || !property.role.is_state() {
            let current = self.current.borrow();
            let goal = self.wishes.goal(self.kind, property, current.as_ref());
            return match goal {
                Some(value) => to_script(&interpreter.lua, &value),
                None => self.default(interpreter, name),
            };
        }
        match self.current.borrow().is_some() {
            true => {}
            false => return self.default(interpreter, name),
        }
        self.there(interpreter, name)
    }

    /// What is there; what nobody needed up to now is loaded first.
    fn there(&self, interpreter: &Interpreter, name: &str) -> mlua::Result<mlua::Value> {
        let known = self.current.borrow().as_ref().map(|current| current.get(name).cloned());
        match known {
            None => Ok(mlua::Nil),
            Some(Some(value)) => to_script(&interpreter.lua, &value),
            Some(None) => {
                let loaded = interpreter.loaded(&self.kind.script)?;
                let partial =
                    loaded.partial.iter().find(|(names, _)| names.iter().any(|other| other == name));
                let Some((_, loader)) = partial else {
                    return self.fresh(&interpreter.lua, name);
                };
                let observe = self.observe()?;
                let frame = Frame::new(self.kind, self.wishes, Door::Look(observe));
                let found = frame.load(interpreter, &loaded, loader).map_err(|error| {
                    self.failed.replace(frame.failed.take());
                    error
                })?;
                if let Some(current) = self.current.borrow_mut().as_mut() {
                    current.extend(found);
                }
                let value = self.current.borrow().as_ref().and_then(|current| current.get(name).cloned());
                value.map_or(Ok(mlua::Nil), |value| to_script(&interpreter.lua, &value))
            }
        }
    }

    /// Whether what is in `converge_if_changed` is to be done now.
    fn converges(&self, names: Option<&[String]>) -> bool {
        let differences = self.differences(names);
        let differs = self.current.borrow().is_none() || !differences.is_empty();
        if self.tells && differs {
            self.notes.borrow_mut().extend(differences);
        }
        differs && !self.tries()
    }

    /// What differs of these properties, or of all.
    fn differences(&self, names: Option<&[String]>) -> Vec<Difference> {
        use uphold_model::Side;
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

    /// Whether anything that was declared is a secret: then everything is that comes of it.
    pub(crate) fn is_secret(&self) -> bool {
        let schema = self.kind.schema();
        schema.properties.iter().any(|property| {
            self.wishes.get(property.name).is_some()
                && (self.wishes.is_secret(property.name)
                    || self.kind.value_type(property.name).is_sensitive())
        })
    }
}

fn no_param(name: &str, params: &Map) -> Error {
    let known: Vec<&str> = params.keys().map(|name| &**name).collect();
    let hint = match uphold_model::closest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "declare it: param \"NAME\" {}, in a file that is given with the recipe".to_owned(),
    };
    Error::new(ErrorKind::Invalid, format!("there is no param `{name}`")).hint(hint)
}

/// An argument of a call.
pub(crate) fn argument<T: mlua::FromLua>(lua: &Lua, arguments: &MultiValue, at: usize) -> mlua::Result<T> {
    lua.unpack(arguments.get(at).cloned().unwrap_or(mlua::Nil))
}

/// A table of a call as values; nothing if there is none.
pub(crate) fn options(lua: &Lua, arguments: &MultiValue, at: usize) -> mlua::Result<Map> {
    let table: Option<Table> = argument(lua, arguments, at)?;
    table.map_or(Ok(Map::new()), |table| crate::value::map_from_script(&table))
}

/// A value of a call.
pub(crate) fn value(arguments: &MultiValue, at: usize) -> mlua::Result<Value> {
    arguments.get(at).map_or(Ok(Value::Null), from_script)
}
