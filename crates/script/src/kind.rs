//! A kind that a script defines.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_model::{Claims, Map, Problem, Schema, Value};
use uphold_resource::{
    Act, Definition, Desired, Error, ErrorKind, Foreseen, Interest, Reading, Result, ValueType, Wishes,
};

use crate::blueprint::Blueprint;
use crate::claims;
use crate::frame::{Door, Frame};
use crate::interpreter::Interpreter;
use crate::loaded::Loaded;
use crate::script::Script;

/// A kind that a script defines. Each thread runs it in a state of its own.
pub(crate) struct ScriptedKind {
    pub(crate) script: Arc<Script>,
    pub(crate) blueprint: Blueprint,
    /// The action that `converge` is.
    default: Option<String>,
    /// What a recipe knows from outside.
    pub(crate) params: Map,
}

/// What an action does on the machine, or would do.
enum Pass<'a> {
    /// Tries it on an overlay; differing properties are somebody else's to tell.
    Try(&'a Reading<'a>),
    /// Tries it on an overlay.
    Foresee(&'a Reading<'a>),
    /// Does it.
    Act(&'a Act<'a>),
}

impl ScriptedKind {
    /// Reads what a script defines.
    pub(crate) fn new(script: Arc<Script>, params: Map) -> mlua::Result<Self> {
        let interpreter = Interpreter::here()?;
        let loaded = interpreter.loaded(&script)?;
        let blueprint = Blueprint::of(&interpreter, &script.kind, &loaded)?;
        let default = loaded.default_action().map(str::to_owned);
        let made = Self { script, blueprint, default, params };
        made.check_defaults(&loaded)?;
        Ok(made)
    }

    /// Whether any state is loaded, so that it can be compared.
    pub(crate) fn compares(&self) -> bool {
        self.blueprint.compares
    }

    pub(crate) fn run<T>(
        &self,
        work: impl FnOnce(&Interpreter, &Loaded) -> mlua::Result<T>,
    ) -> mlua::Result<T> {
        let interpreter = Interpreter::here()?;
        let loaded = interpreter.loaded(&self.script)?;
        if !loaded.has_names.replace(true) {
            Blueprint::tell_names(self.blueprint.schema, &loaded.kind)?;
        }
        interpreter.enter(|| work(&interpreter, &loaded))
    }

    /// Runs the body of an action: what it did, or would do.
    fn body(
        &self,
        action: &str,
        wishes: &Wishes,
        current: Option<&Map>,
        pass: &Pass<'_>,
    ) -> Result<Foreseen> {
        match pass {
            Pass::Act(host) => {
                self.body_on(action, &Frame::new(self, wishes, Door::Act(host)).with_current(current))
            }
            Pass::Try(observe) | Pass::Foresee(observe) => {
                let overlay = observe.overlay();
                let tried = observe.trial(&overlay);
                let tells = matches!(pass, Pass::Foresee(_));
                let frame = Frame::new(self, wishes, Door::Try(&tried)).with_current(current).telling(tells);
                match self.body_on(action, &frame) {
                    // What cannot be foretold ends the look there: something will be done.
                    Err(error) if error.kind() == ErrorKind::Unpredictable => Ok(frame.take_notes()),
                    done => done,
                }
            }
        }
    }

    fn body_on(&self, action: &str, frame: &Frame<'_>) -> Result<Foreseen> {
        let done = self.run(|interpreter, loaded| {
            let work = match self.script.is_recipe {
                true => loaded.chunk.clone(),
                false => loaded.action(action).cloned().ok_or_else(|| {
                    mlua::Error::runtime(format!("a {} has no action `{action}`", self.script.kind))
                })?,
            };
            frame.run_body(interpreter, &work)
        });
        done.map_err(|error| frame.explain(&error))?;
        Ok(frame.take_notes())
    }

    /// The action that removes it.
    fn removal(&self) -> &str {
        self.blueprint.removal.as_deref().unwrap_or("remove")
    }

    fn default_action(&self) -> Option<&str> {
        self.default.as_deref().or(self.script.is_recipe.then_some("converge"))
    }

    /// Calls a function of the script that only looks at the wishes.
    fn ask<T: mlua::FromLuaMulti>(&self, function: &str, wishes: &Wishes) -> Result<Option<T>> {
        if !self.blueprint.asked.contains(&function) {
            return Ok(None);
        }
        let frame = Frame::new(self, wishes, Door::Nothing);
        let done = self.run(|interpreter, loaded| {
            let Some(function) = loaded.function(function)? else { return Ok(None) };
            frame.call(interpreter, &function).map(Some)
        });
        done.map_err(|error| frame.explain(&error))
    }

    /// What is wrong with what it says about what it stands on.
    fn wrong_claims(&self, wishes: &Wishes) -> Option<String> {
        let told = self.ask::<mlua::Table>("claims", wishes);
        let read = |told| claims::read_claims(&told, &mut Claims::default()).err();
        told.map_or_else(|error| Some(error.chain()), |told| told.and_then(read))
    }

    /// What is wrong with what it says about what wakes it.
    fn wrong_interests(&self, wishes: &Wishes) -> Option<String> {
        let told = self.ask::<mlua::Table>("watch", wishes);
        let read = |told| claims::read_interests(&told).err();
        told.map_or_else(|error| Some(error.chain()), |told| told.and_then(read))
    }

    fn load_into(&self, frame: &Frame<'_>, host: &Reading<'_>) -> mlua::Result<Option<Map>> {
        self.run(|interpreter, loaded| {
            let mut all = Map::new();
            if let Some(loader) = &loaded.loader {
                all = frame.load(interpreter, loader)?;
            }
            for (names, loader) in &loaded.partial {
                if names.iter().any(|name| host.needs(name) && !all.contains_key(name.as_str())) {
                    frame.current.replace(Some(all.clone()));
                    all.extend(frame.load(interpreter, loader)?);
                }
            }
            Ok(Some(all))
        })
    }

    /// Everything that was looked at wakes it, unless the script says what does.
    fn gather(&self, wishes: &Wishes, host: &Reading<'_>) -> Vec<Interest> {
        let overlay = host.overlay();
        let tried = host.trial(&overlay);
        let frame = Frame::new(self, wishes, Door::Try(&tried)).gathering();
        // What fails here is told when it is visited.
        let (frame, _) = self.gather_on(frame, host);
        frame.into_interests()
    }

    /// Runs the default action on a frame that gathers, and says how that went.
    fn gather_on<'a>(&self, frame: Frame<'a>, host: &Reading<'_>) -> (Frame<'a>, Result<()>) {
        let current = self.load_into(&frame, host).ok().flatten().filter(|_| !frame.is_absent());
        let frame = frame.with_current(current.as_ref());
        let ran = match self.default_action() {
            Some(action) => self.body_on(action, &frame).map(drop),
            None => Ok(()),
        };
        (frame, ran)
    }
}

impl Definition for ScriptedKind {
    fn schema(&self) -> &'static Schema {
        self.blueprint.schema
    }

    fn value_type(&self, property: &str) -> &ValueType {
        let found = self.blueprint.types.iter().find(|(name, _)| *name == property);
        found.map_or_else(|| unreachable!("asked for properties of the schema only"), |(_, ty)| ty)
    }

    fn coerce(&self, property: &str, value: &Value) -> std::result::Result<Option<Value>, Problem> {
        self.coerce_value(property, value)
    }

    fn adjust(&self, property: &str, value: Value) -> std::result::Result<Value, Problem> {
        self.check_value(property, value)
    }

    fn check(&self, wishes: &Wishes) -> Vec<Problem> {
        let asked = if wishes.is_partial() { Ok(None) } else { self.ask::<Option<String>>("check", wishes) };
        let wrong = asked.map_or_else(|error| Some(error.chain()), Option::flatten);
        let wrong = wrong.or_else(|| self.wrong_claims(wishes)).or_else(|| self.wrong_interests(wishes));
        let name = self.schema().properties.first().map_or("name", |property| property.name);
        let problem = wrong.map(|rule| Problem::new(None, rule, "change the value").computed().inside(name));
        let secret = Frame::new(self, wishes, Door::Nothing).is_secret();
        problem.map(|problem| if secret { problem.hidden() } else { problem }).into_iter().collect()
    }

    fn load(&self, wishes: &Wishes, host: &Reading<'_>) -> Result<Option<Map>> {
        let frame = Frame::new(self, wishes, Door::Look(host));
        match self.load_into(&frame, host) {
            Ok(loaded) => Ok(loaded),
            Err(_) if frame.is_absent() => Ok(None),
            Err(error) => Err(frame.explain(&error)),
        }
    }

    fn detects_absence(&self) -> bool {
        self.blueprint.has_loader
    }

    fn foresee(
        &self,
        wishes: &Wishes,
        current: Option<&Map>,
        desired: Desired,
        host: &Reading<'_>,
    ) -> Result<Foreseen> {
        match (desired, self.default_action()) {
            (Desired::Present, Some(action)) => self.body(action, wishes, current, &Pass::Try(host)),
            (Desired::Absent, _) if !self.detects_absence() => {
                self.body(self.removal(), wishes, current, &Pass::Try(host))
            }
            _ => Ok(Foreseen::default()),
        }
    }

    fn converge(&self, wishes: &Wishes, current: Option<&Map>, host: &Act<'_>) -> Result<()> {
        let Some(action) = self.default_action() else {
            let what = format!("{} has no action", self.script.kind);
            return Err(
                Error::new(ErrorKind::Unsupported, what).hint("write function actions.create() … end")
            );
        };
        self.body(action, wishes, current, &Pass::Act(host)).map(drop)
    }

    fn remove(&self, wishes: &Wishes, current: &Map, host: &Act<'_>) -> Result<()> {
        self.body(self.removal(), wishes, Some(current), &Pass::Act(host)).map(drop)
    }

    fn foresee_verb(&self, verb: &str, wishes: &Wishes, host: &Reading<'_>) -> Result<Option<Foreseen>> {
        let current = self.load(wishes, host)?;
        self.body(verb, wishes, current.as_ref(), &Pass::Foresee(host)).map(Some)
    }

    fn run_verb(&self, verb: &str, wishes: &Wishes, host: &Act<'_>) -> Result<()> {
        let current = self.load(wishes, host)?;
        self.body(verb, wishes, current.as_ref(), &Pass::Act(host)).map(drop)
    }

    fn claims(&self, wishes: &Wishes, claims: &mut Claims) {
        // What is wrong with them was told by `check`.
        if let Ok(Some(told)) = self.ask::<mlua::Table>("claims", wishes) {
            _ = claims::read_claims(&told, claims);
        }
    }

    /// The paths of an action are found by trying it, unless the script makes claims.
    fn owned_paths(&self, wishes: &Wishes, host: &Reading<'_>) -> Result<Vec<PathBuf>> {
        if matches!(self.ask::<mlua::Table>("claims", wishes), Ok(Some(_))) {
            return Ok(Vec::new());
        }
        let overlay = host.overlay();
        let tried = host.trial(&overlay);
        let frame = Frame::new(self, wishes, Door::Try(&tried)).gathering();
        let (frame, ran) = self.gather_on(frame, host);
        ran.map_err(|error| error.hint("name its paths in the script: function claims() … end"))?;
        Ok(frame.into_owned_paths())
    }

    fn may_own(&self) -> bool {
        true
    }

    fn interests(&self, wishes: &Wishes, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let told = match self.ask::<mlua::Table>("watch", wishes) {
            Ok(Some(told)) => claims::read_interests(&told).unwrap_or_default(),
            Ok(None) => self.gather(wishes, host),
            Err(_) => Vec::new(),
        };
        for interest in told {
            if !interests.contains(&interest) {
                interests.push(interest);
            }
        }
    }
}
