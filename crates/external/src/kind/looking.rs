//! Loading resources: `get`, `test` and `validate`, and checks of a printed state.

use serde_json::{Map as Members, Value as Json};
use uphold_model::{Map, Problem, Value};
use uphold_resource::{Error, ErrorKind, Reading, Result, Wishes};

use super::definition::{DIFFERING, External};
use crate::json;
use crate::manifest::Method;
use crate::program::{Call, Operation, Printed, State, Verdict};
use crate::schema::{EXIST, IN_DESIRED_STATE};

impl External {
    /// The current state; none if the program says that the resource does not exist. The program itself tests the
    /// desired state, if it can.
    pub(super) fn load_state(&self, wishes: &Wishes, host: &Reading<'_>) -> Result<Option<Map>> {
        let methods = &self.manifest.methods;
        let has_requirements = self.has_requirements(wishes);
        if let Some(method) = methods.validate.as_ref().filter(|_| has_requirements) {
            self.validate(method, wishes, host)?;
        }
        let tested = match methods.test.as_ref().filter(|_| has_requirements || methods.get.is_none()) {
            Some(method) => self.test(method, wishes, host)?,
            None => None,
        };
        let (operation, (state, verdict)) = match tested {
            Some(tested) => (Operation::Test, tested),
            None => (Operation::Get, (self.get(wishes, host)?, None)),
        };
        let answer = PrintedState { external: self, operation, secret: self.has_secret(wishes) };
        if !answer.exists(&state)? {
            return Ok(None);
        }
        answer.check(&state)?;
        Ok(Some(self.loaded(&state, verdict)))
    }

    fn get(&self, wishes: &Wishes, host: &Reading<'_>) -> Result<Members<String, Json>> {
        let Some(method) = &self.manifest.methods.get else {
            let what = format!("{} cannot be loaded: its manifest has no `get`", self.manifest.type_name);
            return Err(Error::new(ErrorKind::Unsupported, what));
        };
        let call = self.call(Operation::Get, method, wishes, self.required_exist(wishes));
        self.probe(&call, host)?.object()
    }

    fn test(&self, method: &Method, wishes: &Wishes, host: &Reading<'_>) -> Result<Option<State>> {
        let call = self.call(Operation::Test, method, wishes, Some(!wishes.is_removal()));
        self.probe(&call, host)?.state()
    }

    fn validate(&self, method: &Method, wishes: &Wishes, host: &Reading<'_>) -> Result<()> {
        let call = self.call(Operation::Validate, method, wishes, self.required_exist(wishes));
        let answer = self.probe(&call, host)?.object()?;
        if answer.get("valid") == Some(&Json::Bool(true)) {
            return Ok(());
        }
        let error =
            Error::new(ErrorKind::Invalid, format!("{} rejects these properties", self.manifest.type_name));
        match answer.get("reason").and_then(Json::as_str).filter(|_| !call.secret) {
            Some(reason) => Err(error.because(reason.to_owned())),
            None => Err(error),
        }
    }

    /// The existence that is passed to a program that requires it.
    fn required_exist(&self, wishes: &Wishes) -> Option<bool> {
        self.layout.requires_exist.then_some(!wishes.is_removal())
    }

    /// A call for a resource. `exist` is passed to the program if its schema knows it.
    pub(super) fn call<'a>(
        &self,
        operation: Operation,
        method: &'a Method,
        wishes: &Wishes,
        exist: Option<bool>,
    ) -> Call<'a> {
        let mut input = self.input(wishes);
        input.extend(
            exist.filter(|_| self.layout.has_exist).map(|exist| (EXIST.to_owned(), Json::Bool(exist))),
        );
        Call { operation, method, input, secret: self.has_secret(wishes) }
    }

    pub(super) fn probe<'a>(&'a self, call: &'a Call<'a>, host: &Reading<'_>) -> Result<Printed<'a>> {
        let output = self.runner.run(&self.manifest, call, host, &|command| host.probe(command))?;
        Ok(Printed::of(call, &output, &self.manifest.type_name))
    }

    /// The state that the program printed, by property names in a block. Other members are dropped.
    fn loaded(&self, state: &Members<String, Json>, verdict: Option<Verdict>) -> Map {
        let known =
            state.iter().filter_map(|(key, value)| Some((self.layout.name(key)?, json::value(value))));
        let mut loaded: Map = known.map(|(name, value)| (name.into(), value)).collect();
        self.add_defaults(&mut loaded);
        match verdict {
            Some(Verdict::InDesiredState(said)) => {
                loaded.insert(IN_DESIRED_STATE.into(), Value::Bool(said));
            }
            Some(Verdict::Differing(keys)) => {
                let names = keys.iter().map(|key| Value::text(self.layout.name(key).unwrap_or(key)));
                loaded.insert(DIFFERING.into(), Value::list(names));
            }
            None => {}
        }
        loaded
    }
    /// Properties that were not printed have their defaults, for resources that refer to this one.
    fn add_defaults(&self, loaded: &mut Map) {
        for property in self.layout.schema.properties.iter().filter(|property| property.role.is_state()) {
            let is_printed = loaded.get(property.name).is_some_and(|value| *value != Value::Null);
            if let Some(default) = self.default(property.name).filter(|_| !is_printed) {
                loaded.insert(property.name.into(), default);
            }
        }
    }
}

/// The context of a printed state.
pub(super) struct PrintedState<'a> {
    pub(super) external: &'a External,
    pub(super) operation: Operation,
    /// Whether the program's input contained a secret: then no value is shown.
    pub(super) secret: bool,
}

impl PrintedState<'_> {
    /// Whether the resource exists. Programs without booleans print the word.
    pub(super) fn exists(&self, state: &Members<String, Json>) -> Result<bool> {
        match state.get(EXIST) {
            None => Ok(true),
            Some(Json::Bool(exists)) => Ok(*exists),
            Some(Json::String(word)) if word == "true" => Ok(true),
            Some(Json::String(word)) if word == "false" => Ok(false),
            Some(other) => {
                let problem = Problem::new(Some(&json::value(other)), "must be true or false", "");
                Err(self.misfit(problem.inside(EXIST), false))
            }
        }
    }

    /// Checks every printed property against its schema.
    pub(super) fn check(&self, state: &Members<String, Json>) -> Result<()> {
        let External { layout, checker, .. } = self.external;
        for (key, value) in state {
            let Some(field) = layout.name(key).and_then(|name| layout.field(name)) else { continue };
            let checked = checker.check_printed(&field.json, value);
            checked.map_err(|problem| self.misfit(problem.inside(key), field.ty.is_sensitive()))?;
        }
        Ok(())
    }

    fn misfit(&self, problem: Problem, is_sensitive: bool) -> Error {
        let problem = if self.secret || is_sensitive { problem.hidden() } else { problem };
        let Problem { property, value, rule, .. } = &problem;
        let value = value.as_ref().map(|value| format!(" = {value}")).unwrap_or_default();
        let type_name = &self.external.manifest.type_name;
        let what = format!(
            "the output of `{}` of {type_name} does not match its schema: `{property}`{value} {rule}",
            self.operation
        );
        Error::new(ErrorKind::Defect, what).hint("fix the program, or the schema in its manifest")
    }
}
