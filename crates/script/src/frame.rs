//! What a running function of a script can ask.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;

use mlua::{Function, Lua, MultiValue, Table};
use uphold_model::{Difference, Map, Value};
use uphold_resource::{Act, Error, ErrorKind, Foreseen, Interest, Reading, Wishes};

use crate::access::access;
use crate::answers::Answers;
use crate::interpreter::Interpreter;
use crate::kind::ScriptedKind;
use crate::value::from_script;

/// The door to the machine.
#[derive(Clone, Copy)]
pub(crate) enum Door<'a> {
    /// Closed: only what was declared is known.
    Nothing,
    /// For looking.
    Look(&'a Reading<'a>),
    /// For trying: what is written is seen, and lost.
    Try(&'a Act<'a>),
    /// For doing.
    Act(&'a Act<'a>),
}

/// One call of a function of a script, and what it may know.
pub(crate) struct Frame<'a> {
    pub(crate) kind: &'a ScriptedKind,
    pub(crate) wishes: &'a Wishes,
    pub(crate) door: Door<'a>,
    /// What is there; none if it does not exist.
    pub(crate) current: RefCell<Option<Map>>,
    /// What was found, or done.
    pub(crate) notes: RefCell<Vec<Difference>>,
    /// Settings of nested resources that would change something.
    pub(crate) inputs: RefCell<Map>,
    /// What was read while something is tried.
    pub(crate) answers: Answers,
    /// Whether anything was noted that is a difference, and not work that runs at every visit.
    pub(crate) differs: Cell<bool>,
    /// What was looked at, if somebody wants to know.
    interests: Option<RefCell<Vec<Interest>>>,
    /// The paths of resources that were declared, gathered with the interests.
    owned: RefCell<Vec<PathBuf>>,
    /// Whether differing properties are noted, too.
    pub(crate) tells: bool,
    absent: Cell<bool>,
    /// What the machine said when something failed.
    pub(crate) failed: RefCell<Option<Error>>,
    /// What failed of those that ran side by side, until the others are seen to.
    pub(crate) refused: RefCell<Option<Error>>,
    /// Secrets that the script was told.
    pub(crate) opened: RefCell<Vec<Value>>,
    /// Whether a body that knows a secret has declared or changed something here.
    pub(crate) tainted: Cell<bool>,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(kind: &'a ScriptedKind, wishes: &'a Wishes, door: Door<'a>) -> Self {
        Self {
            kind,
            wishes,
            door,
            current: RefCell::new(None),
            notes: RefCell::default(),
            inputs: RefCell::default(),
            answers: Answers::default(),
            differs: Cell::new(false),
            interests: None,
            owned: RefCell::default(),
            tells: false,
            absent: Cell::new(false),
            failed: RefCell::default(),
            refused: RefCell::default(),
            opened: RefCell::default(),
            tainted: Cell::new(false),
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

    /// What was found, or done, up to now.
    pub(crate) fn take_notes(&self) -> Foreseen {
        let differences = self.notes.take();
        let repeats = !differences.is_empty() && !self.differs.get();
        Foreseen { differences, repeats, inputs: self.inputs.take() }
    }

    pub(crate) fn into_interests(self) -> Vec<Interest> {
        self.interests.map(RefCell::into_inner).unwrap_or_default()
    }

    /// The paths that it writes, looks at, or has resources for.
    pub(crate) fn into_owned_paths(self) -> Vec<PathBuf> {
        let mut paths = self.owned.into_inner();
        let interests = self.interests.map(RefCell::into_inner).unwrap_or_default();
        paths.extend(interests.into_iter().filter_map(|interest| match interest {
            Interest::Path(path) => Some(path),
            _ => None,
        }));
        paths
    }

    /// Notes paths of a resource that was declared.
    pub(crate) fn own(&self, paths: Vec<PathBuf>) {
        self.owned.borrow_mut().extend(paths);
    }

    pub(crate) fn is_gathering(&self) -> bool {
        self.interests.is_some()
    }

    pub(crate) fn watch(&self, interest: Interest) {
        if let Some(interests) = &self.interests {
            let mut interests = interests.borrow_mut();
            if !interests.contains(&interest) {
                interests.push(interest);
            }
        }
    }

    /// Fails as the machine did; the script may catch that, and then it counts no more.
    pub(crate) fn fail(&self, error: Error) -> mlua::Error {
        let told = mlua::Error::runtime(error.chain());
        *self.failed.borrow_mut() = Some(error);
        told
    }

    pub(crate) fn observe(&self) -> mlua::Result<&Reading<'_>> {
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
    pub(crate) fn host(&self, what: &str) -> mlua::Result<&Act<'_>> {
        match self.door {
            Door::Nothing | Door::Look(_) => {
                let who =
                    if matches!(self.door, Door::Look(_)) { "a loader" } else { "what is asked before" };
                let what = format!("{what} changes the machine, which {who} must not");
                let hint = "do it in an action, inside converge_if_changed";
                Err(self.fail(Error::new(ErrorKind::Rejected, what).hint(hint)))
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
        how: impl FnOnce(&Table) -> mlua::Result<T>,
    ) -> mlua::Result<T> {
        let lua = &interpreter.lua;
        lua.scope(|scope| {
            let door = scope.create_function(|lua, (op, arguments): (mlua::LuaString, MultiValue)| {
                let op = op.to_str()?;
                self.failed.borrow_mut().take();
                if let Some(access) = access(&op, &arguments)? {
                    interpreter.pay(access)?;
                }
                interpreter.fuel.halt();
                let read = (self.tries() && Answers::count(&op)).then(|| arguments.clone());
                let answer = self.answer(interpreter, lua, &op, arguments);
                if let (Some(arguments), Ok(answer)) = (&read, &answer) {
                    self.answers.note(&op, arguments, answer);
                }
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
            how(&frame).inspect_err(|_| interpreter.unwind(&frame))
        })
    }

    /// Runs the body of an action.
    pub(crate) fn run_body(&self, interpreter: &Interpreter, work: &Function) -> mlua::Result<bool> {
        self.enter(interpreter, |frame| {
            let done = interpreter.prelude().run_body.call((frame, work));
            done.inspect_err(|_| self.drain(interpreter, frame))
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
    pub(crate) fn load(&self, interpreter: &Interpreter, loader: &Function) -> mlua::Result<Map> {
        let table: Table =
            self.enter(interpreter, |frame| interpreter.prelude().load.call((frame, loader)))?;
        self.kind.loaded_map(&table)
    }

    fn answer(
        &self,
        interpreter: &Interpreter,
        lua: &Lua,
        op: &str,
        arguments: MultiValue,
    ) -> mlua::Result<MultiValue> {
        let one = |value: mlua::Value| MultiValue::from_vec(vec![value]);
        let name = || argument::<String>(lua, &arguments, 0);
        match op {
            "fresh" => Ok(one(self.fresh(lua, &name()?)?)),
            "wish" => Ok(one(self.wish(interpreter, &name()?)?)),
            "goal" => Ok(one(self.goal(interpreter, &name()?)?)),
            "current" => Ok(one(self.there(interpreter, &name()?)?)),
            "self" => Ok(one(mlua::Value::String(lua.create_string(self.address())?))),
            "is_set" => Ok(one(mlua::Value::Boolean(self.wishes.is_set(&name()?)))),
            "is_secret" => Ok(one(mlua::Value::Boolean(self.is_secret()))),
            "taint" => {
                self.tainted.set(true);
                Ok(MultiValue::new())
            }
            // The script has caught what failed; that is no cause of what fails later.
            "caught" => Ok(MultiValue::new()),
            "absent" => {
                self.absent.set(true);
                Err(mlua::Error::runtime("it does not exist"))
            }
            "differs" => {
                let names = lua.unpack_multi::<Option<Vec<String>>>(arguments)?;
                Ok(one(mlua::Value::Boolean(self.converges(names.as_deref())?)))
            }
            "param" => {
                let name = name()?;
                match self.kind.params.get(&*name) {
                    Some(value) => Ok(one(self.open(lua, value)?)),
                    None => Err(self.fail(no_param(&name, &self.kind.params))),
                }
            }
            _ if op.starts_with("fs.") => self.answer_files(lua, op, &arguments),
            "run" | "query" | "fact" | "say" => self.answer_machine(lua, op, &arguments),
            _ => self.answer_inside(lua, op, &arguments),
        }
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
