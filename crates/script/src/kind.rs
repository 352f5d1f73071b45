//! A kind that a script defines.

use std::path::PathBuf;
use std::sync::Arc;

use uphold_model::{Claims, Map, Problem, Schema, Value};
use uphold_resource::{
    Act, BatchItem, Definition, Desired, Error, ErrorKind, Interest, Look, PredictedEffects, Previous,
    Reading, Result, ValueType, Wishes,
};

use super::script::Script;
use crate::blueprint::Blueprint;
use crate::claims;
use crate::failure::ScriptErrors;
use crate::frame::{Frame, MachineAccess};
use crate::interpreter::Interpreter;
use crate::loaded::Loaded;

/// A kind that a script defines. Each thread runs it in its own interpreter.
pub(crate) struct ScriptedKind {
    pub(crate) script: Arc<Script>,
    pub(crate) blueprint: Blueprint,
    /// The action that `converge` runs.
    default: Option<String>,
    /// The params of a recipe.
    pub(crate) params: Map,
}

/// How an action runs.
enum Pass<'a> {
    /// On an overlay, to predict `converge` or `remove`: the engine itself reports differing properties.
    Predict(&'a Reading<'a>),
    /// On an overlay, to predict a verb, with differing properties.
    PredictVerb(&'a Reading<'a>),
    /// On the machine.
    Apply(&'a Act<'a>),
}

impl ScriptedKind {
    /// Loads a script, and reads its definitions.
    pub(crate) fn new(script: Arc<Script>, params: Map) -> Result<Self, ScriptErrors> {
        let interpreter = Interpreter::here()?;
        let loaded = interpreter.loaded(&script)?;
        let blueprint = Blueprint::of(&interpreter, &script.kind, &loaded)?;
        let default = loaded.default_action().map(str::to_owned);
        let made = Self { script, blueprint, default, params };
        made.check_defaults(&loaded)?;
        Ok(made)
    }

    /// Whether the script defines an action.
    pub(crate) fn acts(&self) -> bool {
        self.default.is_some()
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
            Blueprint::set_property_names(self.blueprint.schema, &loaded.kind)?;
        }
        interpreter.enter(|| work(&interpreter, &loaded))
    }

    /// Runs the body of an action. The result is what it did, or would do.
    fn body(
        &self,
        action: &str,
        wishes: &Wishes,
        current: Option<&Map>,
        pass: &Pass<'_>,
    ) -> Result<PredictedEffects> {
        match pass {
            Pass::Apply(host) => {
                let frame = Frame::new(self, wishes, MachineAccess::Apply(host)).with_current(current);
                self.body_on(action, &frame)
            }
            Pass::Predict(observe) | Pass::PredictVerb(observe) => {
                let overlay = observe.overlay();
                let tried = observe.trial(&overlay);
                let frame = Frame::new(self, wishes, MachineAccess::DryRun(&tried))
                    .with_current(current)
                    .noting_properties(matches!(pass, Pass::PredictVerb(_)));
                match self.body_on(action, &frame) {
                    // The prediction ends at an unpredictable operation, which counts as a change.
                    Err(error) if error.kind() == ErrorKind::Unpredictable => Ok(frame.take_notes()),
                    done => done,
                }
            }
        }
    }

    fn body_on(&self, action: &str, frame: &Frame<'_>) -> Result<PredictedEffects> {
        let done = self.run(|interpreter, loaded| {
            let work = if self.script.is_recipe {
                loaded.chunk.clone()
            } else {
                loaded.action(action).cloned().ok_or_else(|| {
                    mlua::Error::runtime(format!("`{}` has no action `{action}`", self.script.kind))
                })?
            };
            frame.run_body(interpreter, &work)
        });
        done.map_err(|error| frame.explain(&error))?;
        Ok(frame.take_notes())
    }

    /// The action that removes the resource.
    pub(crate) fn removal(&self) -> &str {
        self.blueprint.removal.as_deref().unwrap_or("remove")
    }

    pub(crate) fn default_action(&self) -> Option<&str> {
        self.default.as_deref().or(self.script.is_recipe.then_some("converge"))
    }

    /// Calls a function of the script that uses only declared values.
    fn call_declared<T: mlua::FromLuaMulti>(&self, function: &str, wishes: &Wishes) -> Result<Option<T>> {
        if !self.blueprint.declared_functions.contains(&function) {
            return Ok(None);
        }
        let frame = Frame::new(self, wishes, MachineAccess::None);
        let done = self.run(|interpreter, loaded| {
            let Some(function) = loaded.function(function)? else { return Ok(None) };
            frame.call(interpreter, &function).map(Some)
        });
        done.map_err(|error| frame.explain(&error))
    }

    /// The error of `claims()`, or of the table that it returns.
    fn claims_error(&self, wishes: &Wishes) -> Option<String> {
        let returned = self.call_declared::<mlua::Table>("claims", wishes);
        let read = |table| claims::read_claims(&table, &mut Claims::default()).err();
        returned.map_or_else(|error| Some(error.chain()), |table| table.and_then(read))
    }

    /// The error of `watch()`, or of the table that it returns.
    fn watch_error(&self, wishes: &Wishes) -> Option<String> {
        let returned = self.call_declared::<mlua::Table>("watch", wishes);
        let read = |table| claims::read_interests(&table).err();
        returned.map_or_else(|error| Some(error.chain()), |table| table.and_then(read))
    }

    fn load_into(&self, frame: &Frame<'_>, look: &Look<'_>) -> mlua::Result<Option<Map>> {
        self.run(|interpreter, loaded| {
            let mut all = Map::new();
            if let Some(loader) = &loaded.loader {
                all = frame.load(interpreter, loader)?;
            }
            for (names, loader) in &loaded.partial {
                if names.iter().any(|name| look.needs(name) && !all.contains_key(name.as_str())) {
                    frame.current.replace(Some(all.clone()));
                    all.extend(frame.load(interpreter, loader)?);
                }
            }
            Ok(Some(all))
        })
    }

    /// Everything that the loaders and the default action read, found by a dry run.
    fn gather(&self, wishes: &Wishes, host: &Reading<'_>) -> Vec<Interest> {
        let overlay = host.overlay();
        let tried = host.trial(&overlay);
        let frame = Frame::new(self, wishes, MachineAccess::DryRun(&tried)).gathering();
        // The visit reports a failure; here it is ignored.
        let (frame, _) = self.gather_on(frame, host);
        frame.into_interests()
    }

    /// Runs the loaders and the default action in a frame that gathers, and returns the frame and the result.
    fn gather_on<'a>(&self, frame: Frame<'a>, host: &Reading<'_>) -> (Frame<'a>, Result<()>) {
        let current =
            self.load_into(&frame, &Look::to_read(host)).ok().flatten().filter(|_| !frame.is_absent());
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
        found.map_or_else(|| unreachable!("called only for properties of the schema"), |(_, ty)| ty)
    }

    fn coerce(&self, property: &str, value: &Value) -> std::result::Result<Option<Value>, Problem> {
        self.coerce_value(property, value)
    }

    fn adjust(&self, property: &str, value: Value) -> std::result::Result<Value, Problem> {
        self.check_value(property, value)
    }

    fn check(&self, wishes: &Wishes) -> Vec<Problem> {
        let checked = if wishes.is_partial() {
            Ok(None)
        } else {
            self.call_declared::<Option<String>>("check", wishes)
        };
        let error = checked.map_or_else(|error| Some(error.chain()), Option::flatten);
        let error = error.or_else(|| self.claims_error(wishes)).or_else(|| self.watch_error(wishes));
        let name = self.schema().properties.first().map_or("name", |property| property.name);
        let problem = error.map(|rule| Problem::new(None, rule, "change the value").computed().inside(name));
        let secret = Frame::new(self, wishes, MachineAccess::None).is_secret();
        problem.map(|problem| if secret { problem.hidden() } else { problem }).into_iter().collect()
    }

    fn load(&self, wishes: &Wishes, look: &Look<'_>) -> Result<Option<Map>> {
        let frame = Frame::new(self, wishes, MachineAccess::Read(look));
        match self.load_into(&frame, look) {
            Ok(loaded) => Ok(loaded),
            Err(_) if frame.is_absent() => Ok(None),
            Err(error) => Err(frame.explain(&error)),
        }
    }

    fn detects_absence(&self) -> bool {
        self.blueprint.has_loader
    }

    fn predict_effects(
        &self,
        wishes: &Wishes,
        current: Option<&Map>,
        desired: Desired,
        host: &Reading<'_>,
    ) -> Result<PredictedEffects> {
        match (desired, self.default_action()) {
            (Desired::Present, Some(action)) => self.body(action, wishes, current, &Pass::Predict(host)),
            (Desired::Absent, _) if !self.detects_absence() => {
                self.body(self.removal(), wishes, current, &Pass::Predict(host))
            }
            _ => Ok(PredictedEffects::default()),
        }
    }

    fn previous(&self, _: &Wishes, _: Option<&Map>, _: Desired) -> Previous {
        if self.detects_absence() {
            return Previous::VALUES;
        }
        Previous::none("its kind does not load its state: the script has no `load_current_value`")
    }

    fn converge(&self, wishes: &Wishes, current: Option<&Map>, host: &Act<'_>) -> Result<()> {
        let Some(action) = self.default_action() else {
            let what = format!("`{}` has no action", self.script.kind);
            return Err(
                Error::new(ErrorKind::Unsupported, what).hint("define one: function actions.create() … end")
            );
        };
        self.body(action, wishes, current, &Pass::Apply(host)).map(drop)
    }

    fn remove(&self, wishes: &Wishes, current: &Map, host: &Act<'_>) -> Result<()> {
        self.body(self.removal(), wishes, Some(current), &Pass::Apply(host)).map(drop)
    }

    fn still_differs_hint(&self, wishes: &Wishes, current: Option<&Map>, desired: Desired) -> Option<String> {
        self.loader_hint(wishes, current?, desired)
    }

    fn batches(&self) -> bool {
        self.blueprint.has_batch
    }

    fn apply_all(&self, items: &[BatchItem<'_>], host: &Act<'_>) -> Vec<Result<()>> {
        self.run_batch(items, host)
    }

    fn predict_verb(
        &self,
        verb: &str,
        wishes: &Wishes,
        host: &Reading<'_>,
    ) -> Result<Option<PredictedEffects>> {
        let current = self.load(wishes, &Look::to_read(host))?;
        self.body(verb, wishes, current.as_ref(), &Pass::PredictVerb(host)).map(Some)
    }

    fn run_verb(&self, verb: &str, wishes: &Wishes, host: &Act<'_>) -> Result<()> {
        let current = self.load(wishes, &Look::to_read(host))?;
        self.body(verb, wishes, current.as_ref(), &Pass::Apply(host)).map(drop)
    }

    fn claims(&self, wishes: &Wishes, claims: &mut Claims) {
        claims.held_twice_hint = Some(
            "if the kind edits a part of the file, declare the path with `setting = true` in its script, and return it \
             as `edits` in `claims()`",
        );
        // `check` reports an invalid table.
        if let Ok(Some(table)) = self.call_declared::<mlua::Table>("claims", wishes) {
            _ = claims::read_claims(&table, claims);
        }
        // The edited file is a setting: resources with one name may be in two files.
        claims.only_labelled |= !claims.edits.is_empty() && claims.holds.is_empty();
    }

    /// The paths of the default action, found by a dry run, unless the script has `claims()`.
    fn owned_paths(&self, wishes: &Wishes, host: &Reading<'_>) -> Result<Vec<PathBuf>> {
        if matches!(self.call_declared::<mlua::Table>("claims", wishes), Ok(Some(_))) {
            return Ok(Vec::new());
        }
        let overlay = host.overlay();
        let tried = host.trial(&overlay);
        let frame = Frame::new(self, wishes, MachineAccess::DryRun(&tried)).gathering();
        let (frame, ran) = self.gather_on(frame, host);
        ran.map_err(|error| error.hint("list its paths in the script: function claims() … end"))?;
        Ok(frame.into_owned_paths())
    }

    fn may_own(&self) -> bool {
        true
    }

    fn interests(&self, wishes: &Wishes, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let found = match self.call_declared::<mlua::Table>("watch", wishes) {
            Ok(Some(table)) => claims::read_interests(&table).unwrap_or_default(),
            Ok(None) => self.gather(wishes, host),
            Err(_) => Vec::new(),
        };
        for interest in found {
            if !interests.contains(&interest) {
                interests.push(interest);
            }
        }
    }
}
