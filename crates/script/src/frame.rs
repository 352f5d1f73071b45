//! One call of a function of a script: its access to the machine, and what it has done.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::sync::Arc;

use mlua::{Function, Lua, MultiValue, Table};
use uphold_model::{Difference, Map, Value};
use uphold_resource::{Act, Error, ErrorKind, Interest, PredictedEffects, Reading, Wishes};

use crate::access_cost::access_cost;
use crate::api_reference::argument_error;
use crate::interpreter::Interpreter;
use crate::kind::ScriptedKind;
use crate::read_digest::ReadDigest;
use crate::value::from_script;

/// The access of a function to the machine.
#[derive(Clone, Copy)]
pub(crate) enum MachineAccess<'a> {
    /// Nothing: only declared values are available.
    None,
    /// Read.
    Read(&'a Reading<'a>),
    /// Read, and write to an overlay that is discarded.
    DryRun(&'a Act<'a>),
    /// Read and write.
    Apply(&'a Act<'a>),
}

/// One call of a function of a script.
pub(crate) struct Frame<'a> {
    pub(crate) kind: &'a ScriptedKind,
    pub(crate) wishes: &'a Wishes,
    pub(crate) machine: MachineAccess<'a>,
    /// Loaded values; none if the resource does not exist.
    pub(crate) current: RefCell<Option<Map>>,
    /// Differences that were found or repaired.
    pub(crate) notes: RefCell<Vec<Difference>>,
    /// Settings of nested resources that would change something.
    pub(crate) inputs: RefCell<Map>,
    /// Digest of everything that was read in a dry run.
    pub(crate) read_digest: ReadDigest,
    /// Whether a note is a difference, and not work that runs at every visit.
    pub(crate) differs: Cell<bool>,
    /// Everything that was read, if it is gathered.
    interests: Option<RefCell<Vec<Interest>>>,
    /// Paths of declared resources, gathered with the interests.
    owned: RefCell<Vec<PathBuf>>,
    /// Whether differing properties are noted, too.
    pub(crate) notes_properties: bool,
    absent: Cell<bool>,
    /// The last error of the machine, unless the script has caught it.
    pub(crate) failed: RefCell<Option<Error>>,
    /// The first failure of resources that ran in parallel, until the notifications of the others are delivered.
    pub(crate) parallel_failure: RefCell<Option<Error>>,
    /// Properties that the script has read as nil, for hints.
    pub(crate) nil_reads: RefCell<Vec<String>>,
    /// Secrets that the script has read.
    pub(crate) opened: RefCell<Vec<Value>>,
    /// Whether a body that has read a secret has declared or changed a resource here.
    pub(crate) tainted: Cell<bool>,
}

impl<'a> Frame<'a> {
    pub(crate) fn new(kind: &'a ScriptedKind, wishes: &'a Wishes, machine: MachineAccess<'a>) -> Self {
        Self {
            kind,
            wishes,
            machine,
            current: RefCell::new(None),
            notes: RefCell::default(),
            inputs: RefCell::default(),
            read_digest: ReadDigest::default(),
            differs: Cell::new(false),
            interests: None,
            owned: RefCell::default(),
            notes_properties: false,
            absent: Cell::new(false),
            failed: RefCell::default(),
            parallel_failure: RefCell::default(),
            nil_reads: RefCell::default(),
            opened: RefCell::default(),
            tainted: Cell::new(false),
        }
    }

    pub(crate) fn with_current(self, current: Option<&Map>) -> Self {
        *self.current.borrow_mut() = current.cloned();
        self
    }

    pub(crate) fn noting_properties(self, notes_properties: bool) -> Self {
        Self { notes_properties, ..self }
    }

    pub(crate) fn gathering(self) -> Self {
        Self { interests: Some(RefCell::default()), ..self }
    }

    pub(crate) fn is_absent(&self) -> bool {
        self.absent.get()
    }

    /// Takes the notes made so far.
    pub(crate) fn take_notes(&self) -> PredictedEffects {
        let differences = self.notes.take();
        let repeats = !differences.is_empty() && !self.differs.get();
        PredictedEffects { differences, repeats, inputs: self.inputs.take() }
    }

    pub(crate) fn into_interests(self) -> Vec<Interest> {
        self.interests.map(RefCell::into_inner).unwrap_or_default()
    }

    /// The paths that the function writes, reads or declares resources for.
    pub(crate) fn into_owned_paths(self) -> Vec<PathBuf> {
        let mut paths = self.owned.into_inner();
        let interests = self.interests.map(RefCell::into_inner).unwrap_or_default();
        paths.extend(interests.into_iter().filter_map(|interest| match interest {
            Interest::Path(path) => Some(path),
            _ => None,
        }));
        paths
    }

    /// Notes paths of a declared resource.
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

    /// Passes an error of the machine to the script, and keeps it as the cause until the script catches it.
    pub(crate) fn fail(&self, error: Error) -> mlua::Error {
        let raised = mlua::Error::runtime(error.chain());
        *self.failed.borrow_mut() = Some(error);
        raised
    }

    pub(crate) fn observe(&self) -> mlua::Result<&Reading<'_>> {
        match self.machine {
            MachineAccess::None => Err(self.fail(Error::new(
                ErrorKind::Unsupported,
                "the machine cannot be read here: only declared values are available",
            ))),
            MachineAccess::Read(observe) => Ok(observe),
            MachineAccess::DryRun(overlay) => Ok(overlay),
            MachineAccess::Apply(host) => Ok(host),
        }
    }

    /// The machine to change; an error if the function can only read.
    pub(crate) fn host(&self, what: &str) -> mlua::Result<&Act<'_>> {
        match self.machine {
            MachineAccess::None | MachineAccess::Read(_) => {
                let is_loader = matches!(self.machine, MachineAccess::Read(_));
                let place = if is_loader { "a loader" } else { "check(), claims() and watch()" };
                let what = format!("{what} changes the machine, which is not allowed in {place}");
                let hint = "call it in an action, inside converge_if_changed";
                Err(self.fail(Error::new(ErrorKind::Rejected, what).hint(hint)))
            }
            MachineAccess::DryRun(overlay) => Ok(overlay),
            MachineAccess::Apply(host) => Ok(host),
        }
    }

    pub(crate) fn is_dry_run(&self) -> bool {
        matches!(self.machine, MachineAccess::DryRun(_))
    }

    /// Runs a function in this frame; `run` calls the function of the prelude that does it.
    fn enter<T: mlua::FromLuaMulti>(
        &self,
        interpreter: &Interpreter,
        run: impl FnOnce(&Table) -> mlua::Result<T>,
    ) -> mlua::Result<T> {
        let lua = &interpreter.lua;
        lua.scope(|scope| {
            let host_call =
                scope.create_function(|lua, (op, arguments): (mlua::LuaString, MultiValue)| {
                    let op = op.to_str()?;
                    self.failed.borrow_mut().take();
                    if let Some(access) = access_cost(&op, &arguments)? {
                        interpreter.pay(access)?;
                    }
                    interpreter.fuel.pause();
                    let read = (self.is_dry_run() && ReadDigest::covers(&op)).then(|| arguments.clone());
                    let result = self.call_op(interpreter, lua, &op, arguments);
                    let result = result.map_err(|error| argument_error(&op, error));
                    if let (Some(arguments), Ok(result)) = (&read, &result) {
                        self.read_digest.add_call(&op, arguments, result);
                    }
                    interpreter.fuel.resume();
                    result
                })?;
            let frame = lua.create_table()?;
            frame.raw_set("host_call", host_call)?;
            frame.raw_set("kind", &interpreter.loaded(&self.kind.script)?.kind)?;
            frame.raw_set("dry_run", self.is_dry_run())?;
            let current = self.current.borrow().is_some();
            if current && !matches!(self.machine, MachineAccess::Read(_)) {
                frame.raw_set("current", interpreter.prelude().lookup_table.call::<Table>("current")?)?;
            }
            run(&frame).inspect_err(|_| interpreter.unwind(&frame))
        })
    }

    /// Runs the body of an action.
    pub(crate) fn run_body(&self, interpreter: &Interpreter, work: &Function) -> mlua::Result<bool> {
        self.run_body_with(interpreter, &interpreter.prelude().run_body, work)
    }

    /// Runs a body by a function of the prelude, which gets these arguments after the frame.
    pub(crate) fn run_body_with<T: mlua::FromLuaMulti>(
        &self,
        interpreter: &Interpreter,
        run: &Function,
        arguments: impl mlua::IntoLuaMulti,
    ) -> mlua::Result<T> {
        let arguments = arguments.into_lua_multi(&interpreter.lua)?;
        self.enter(interpreter, |frame| {
            let mut all = arguments;
            all.push_front(mlua::Value::Table(frame.clone()));
            run.call(all).inspect_err(|_| self.drain(interpreter, frame))
        })
    }

    /// After a body has failed, delivers the notifications of the changes that it made before. Their own failures are
    /// not reported: the first error is.
    fn drain(&self, interpreter: &Interpreter, frame: &Table) {
        if let (MachineAccess::Apply(_), Ok(depth)) = (self.machine, frame.raw_get::<usize>("depth")) {
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

    fn call_op(
        &self,
        interpreter: &Interpreter,
        lua: &Lua,
        op: &str,
        arguments: MultiValue,
    ) -> mlua::Result<MultiValue> {
        let one = |value: mlua::Value| MultiValue::from_vec(vec![value]);
        let name = || argument::<String>(lua, &arguments, 0);
        match op {
            "fresh" | "desired" | "goal" | "current" => {
                let name = name()?;
                let value = match op {
                    "fresh" => self.fresh(interpreter, &name),
                    "desired" => self.desired(interpreter, &name),
                    "goal" => self.goal(interpreter, &name),
                    _ => self.current_value(interpreter, &name),
                }?;
                if value.is_nil() && !self.nil_reads.borrow().contains(&name) {
                    self.nil_reads.borrow_mut().push(name);
                }
                Ok(one(value))
            }
            "self" => Ok(one(mlua::Value::String(lua.create_string(self.address())?))),
            "is_set" => Ok(one(mlua::Value::Boolean(self.wishes.is_set(&name()?)))),
            "is_secret" => Ok(one(mlua::Value::Boolean(self.is_secret()))),
            "taint" => {
                self.tainted.set(true);
                Ok(MultiValue::new())
            }
            // The script has caught the error, which must not become the cause of a later one; `enter` has dropped it.
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
            _ if op.starts_with("fs.") => self.call_files(lua, op, &arguments),
            "run" | "query" | "fact" | "clock" | "log" => self.call_machine(lua, op, &arguments),
            _ => self.call_nested(lua, op, &arguments),
        }
    }
}

fn no_param(name: &str, params: &Map) -> Error {
    let known: Vec<&str> = params.keys().map(|name| &**name).collect();
    let hint = match uphold_model::closest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "pass it with -p {name}=VALUE, or declare it in an HCL file that you pass with the recipe"
        ),
    };
    Error::new(ErrorKind::Invalid, format!("there is no param `{name}`")).hint(hint)
}

/// An argument of a call. An error has its position, for `argument_error`.
#[expect(clippy::arc_with_non_send_sync, reason = "mlua has the cause in an Arc")]
pub(crate) fn argument<T: mlua::FromLua>(lua: &Lua, arguments: &MultiValue, at: usize) -> mlua::Result<T> {
    lua.unpack(arguments.get(at).cloned().unwrap_or(mlua::Nil)).map_err(|cause| mlua::Error::BadArgument {
        to: None,
        pos: at,
        name: None,
        cause: Arc::new(cause),
    })
}

/// A table argument as a map; empty if it is missing.
pub(crate) fn options(lua: &Lua, arguments: &MultiValue, at: usize) -> mlua::Result<Map> {
    let table: Option<Table> = argument(lua, arguments, at)?;
    table.map_or(Ok(Map::new()), |table| crate::value::map_from_script(&table))
}

/// An argument as a value.
pub(crate) fn value(arguments: &MultiValue, at: usize) -> mlua::Result<Value> {
    arguments.get(at).map_or(Ok(Value::Null), from_script)
}
