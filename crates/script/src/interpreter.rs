//! The Luau state of a thread that runs scripts.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Weak};

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, LuaOptions, StdLib, Table, VmState};
use uphold_model::closest;

use super::script::Script;
use super::value;
use crate::fuel::{Access, Fuel, LIMITS};
use crate::functions;
use crate::loaded::Loaded;

/// Most memory of all scripts of a thread.
const MEMORY: usize = 256 * 1024 * 1024;

/// Most levels of nested scripts: a kind that declares itself would never end.
pub(crate) const DEPTH: usize = 8;

/// Message of a script that is nested too deeply.
pub(crate) const TOO_DEEP: &str = "resources are nested too deeply: does one declare itself?";

thread_local! {
    static HERE: OnceCell<Rc<Interpreter>> = const { OnceCell::new() };
}

/// A Luau state with the prelude and the scripts that were loaded into it.
pub(crate) struct Interpreter {
    pub(crate) lua: Lua,
    prelude: Prelude,
    pub(crate) fuel: Rc<Fuel>,
    depth: Cell<usize>,
    /// Loaded scripts by number.
    loaded: RefCell<HashMap<u64, LoadedScript>>,
}

/// A script, which may have been dropped, and its definitions in this state.
type LoadedScript = (Weak<Script>, Rc<Loaded>);

/// Functions and tables of the prelude that Rust uses.
pub(crate) struct Prelude {
    pub(crate) environment: Function,
    pub(crate) ordered: Function,
    pub(crate) load: Function,
    pub(crate) call: Function,
    pub(crate) lookup_table: Function,
    pub(crate) run_body: Function,
    pub(crate) run_batch: Function,
    pub(crate) goals: Function,
    pub(crate) require_from: Function,
    pub(crate) library_environment: Function,
    pub(crate) closed: Function,
    pub(crate) drain: Function,
    unwind: Function,
    pub(crate) api: Table,
}

impl Interpreter {
    /// The interpreter of this thread.
    pub(crate) fn here() -> mlua::Result<Rc<Self>> {
        HERE.with(|here| match here.get() {
            Some(interpreter) => Ok(interpreter.clone()),
            None => {
                let made = Rc::new(Self::new()?);
                Ok(here.get_or_init(|| made).clone())
            }
        })
    }

    fn new() -> mlua::Result<Self> {
        let libraries = StdLib::TABLE
            | StdLib::STRING
            | StdLib::MATH
            | StdLib::BIT
            | StdLib::UTF8
            | StdLib::BUFFER
            | StdLib::DEBUG;
        let lua = Lua::new_with(libraries, LuaOptions::default())?;
        let fuel = Rc::new(Fuel::new());
        let prelude = Prelude::load(&lua, &fuel)?;
        let globals = lua.globals();
        for name in [
            "CLOSEST",
            "HCL",
            "INSTEAD_OF_HCL",
            "LIMITS",
            "NULL",
            "OBJECT",
            "collectgarbage",
            "debug",
            "getfenv",
            "loadstring",
            "newproxy",
            "require",
            "setfenv",
            "print",
        ] {
            globals.set(name, mlua::Nil)?;
        }
        lua.sandbox(true)?;
        lua.set_memory_limit(MEMORY)?;
        let tank = fuel.clone();
        lua.set_interrupt(move |lua| {
            if tank.burn() {
                Ok(VmState::Continue)
            } else {
                Err(mlua::Error::runtime(tank.limit_message(|| place(lua))))
            }
        });
        Ok(Self { lua, prelude, fuel, depth: Cell::new(0), loaded: RefCell::default() })
    }

    #[cfg(test)]
    pub(crate) fn loaded_count(&self) -> usize {
        self.loaded.borrow().len()
    }

    pub(crate) fn prelude(&self) -> &Prelude {
        &self.prelude
    }

    /// The definitions of a script in this state. Scripts that are no longer used are dropped.
    pub(crate) fn loaded(&self, script: &Arc<Script>) -> mlua::Result<Rc<Loaded>> {
        if let Some((_, loaded)) = self.loaded.borrow().get(&script.number) {
            return Ok(loaded.clone());
        }
        let parent = script.parent.as_ref().map(|parent| self.loaded(parent)).transpose()?;
        let loaded = Rc::new(self.enter(|| Loaded::of(self, script, parent.as_deref()))?);
        let mut all = self.loaded.borrow_mut();
        all.retain(|_, (script, _)| script.strong_count() > 0);
        all.insert(script.number, (Arc::downgrade(script), loaded.clone()));
        Ok(loaded)
    }

    /// Runs a script. The outermost one starts with full limits; nested ones share them.
    pub(crate) fn enter<T>(&self, run: impl FnOnce() -> mlua::Result<T>) -> mlua::Result<T> {
        let depth = self.depth.get();
        match depth {
            0 => self.begin()?,
            DEPTH.. => return Err(mlua::Error::runtime(TOO_DEEP)),
            _ => self.fuel.resume(),
        }
        self.depth.set(depth + 1);
        let done = run();
        self.depth.set(depth);
        self.fuel.pause();
        done
    }

    /// Counts an access to the machine; an error if it exceeds a limit.
    pub(crate) fn pay(&self, access: Access) -> mlua::Result<()> {
        if self.fuel.pay(access) {
            Ok(())
        } else {
            Err(mlua::Error::runtime(self.fuel.limit_message(|| place(&self.lua))))
        }
    }

    /// Restores the limits. Luau does not collect garbage when memory runs out, so it is collected before.
    fn begin(&self) -> mlua::Result<()> {
        if self.lua.used_memory() > MEMORY / 2 {
            self.fuel.on_reserve(|| self.lua.gc_collect())?;
        }
        self.fuel.fill();
        Ok(())
    }

    /// Leaves this frame and all frames inside it, after a function has failed.
    pub(crate) fn unwind(&self, frame: &Table) {
        let unwound = self.fuel.on_reserve(|| self.prelude.unwind.call::<()>(frame));
        debug_assert!(unwound.is_ok(), "unwinding needs neither memory nor much time");
    }
}

/// The line of the script that runs, in the format of Luau.
pub(crate) fn place(lua: &Lua) -> String {
    let line = |level: usize| {
        lua.inspect_stack(level, |debug| {
            let source = debug.source().short_src.map(std::borrow::Cow::into_owned).unwrap_or_default();
            (source, debug.current_line())
        })
    };
    for level in 0.. {
        match line(level) {
            Some((source, Some(line))) if !source.starts_with("uphold:") => {
                return format!("{source}:{line}: ");
            }
            Some(_) => {}
            None => break,
        }
    }
    String::new()
}

impl Prelude {
    fn load(lua: &Lua, fuel: &Rc<Fuel>) -> mlua::Result<Self> {
        let text = concat!(
            include_str!("prelude/frame.luau"),
            include_str!("prelude/notifications.luau"),
            include_str!("prelude/body.luau"),
            include_str!("prelude/api.luau")
        );
        lua.globals().set("LIMITS", LIMITS)?;
        let near = |_: &Lua, (name, names): (String, Vec<String>)| {
            Ok(closest(&name, names.iter().map(String::as_str)).map(str::to_owned))
        };
        lua.globals().set("CLOSEST", lua.create_function(near)?)?;
        let (functions, instead) = functions::tables(lua, fuel)?;
        lua.globals().set("HCL", functions)?;
        lua.globals().set("INSTEAD_OF_HCL", instead)?;
        lua.globals().set("NULL", value::NULL)?;
        lua.globals().set("OBJECT", value::metatable(lua)?)?;
        let made: Table = lua.load(text).set_name("=uphold:prelude").set_mode(ChunkMode::Text).eval()?;
        Ok(Self {
            environment: made.get("environment")?,
            ordered: made.get("ordered")?,
            load: made.get("load")?,
            call: made.get("call")?,
            lookup_table: made.get("lookup_table")?,
            run_body: made.get("run_body")?,
            run_batch: made.get("run_batch")?,
            goals: made.get("goals")?,
            require_from: made.get("require_from")?,
            library_environment: made.get("library_environment")?,
            closed: made.get("closed")?,
            drain: made.get("drain")?,
            unwind: made.get("unwind")?,
            api: made.get("api")?,
        })
    }
}
