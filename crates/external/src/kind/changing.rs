//! Changing resources: `set` and `delete`.

use serde_json::{Map, Value as Json};
use uphold_model::Map as State;
use uphold_resource::{Act, Error, ErrorKind, Level, Result, Wishes};

use super::definition::External;
use crate::manifest::Method;
use crate::program::{Call, Operation, Printed};
use crate::schema::RESTART_REQUIRED;

impl External {
    /// Creates or updates the resource.
    pub(super) fn set(&self, wishes: &Wishes, current: Option<&State>, host: &Act<'_>) -> Result<()> {
        let Some(method) = &self.manifest.methods.set else {
            let what = format!("{} cannot be changed: its manifest has no `set`", self.manifest.type_name);
            let hint = "set `audit = true` to only report differences";
            return Err(Error::new(ErrorKind::Unsupported, what).hint(hint));
        };
        let mut call = self.call(Operation::Set, method, wishes, Some(true));
        if current.is_none() {
            call.input.extend(self.unset_defaults(wishes));
        }
        self.change(&call, host)
    }

    /// Removes the resource with `delete`, or with a `set` that handles removal.
    pub(super) fn delete(&self, wishes: &Wishes, host: &Act<'_>) -> Result<()> {
        let by_set = self.manifest.methods.set.as_ref().filter(|set| set.handles_exist);
        let (operation, method) = match (by_set, &self.manifest.methods.delete) {
            (Some(set), _) => (Operation::Set, set),
            (None, Some(delete)) => (Operation::Delete, delete),
            (None, None) => {
                let what =
                    format!("{} cannot be removed: its manifest has no `delete`", self.manifest.type_name);
                return Err(Error::new(ErrorKind::Unsupported, what));
            }
        };
        self.change(&self.call(operation, method, wishes, Some(false)), host)
    }

    fn change(&self, call: &Call<'_>, host: &Act<'_>) -> Result<()> {
        let ran = self.runner.run(&self.manifest, call, host, &|command| host.run(command));
        let output = match ran {
            // In a plan. The program itself may know more than the differences.
            Err(error) if error.kind() == ErrorKind::Unpredictable => {
                self.report_prediction(call, host);
                return Err(error);
            }
            ran => ran?,
        };
        if let Some((state, _)) = Printed::of(call, &output, &self.manifest.type_name).state()? {
            state.get(RESTART_REQUIRED).into_iter().for_each(|needs| report_restarts(needs, host));
        }
        Ok(())
    }

    /// Reports what the program says it would do. A plan does not fail because of it.
    fn report_prediction(&self, call: &Call<'_>, host: &Act<'_>) {
        let Some(method) = self.predictor(call.method) else { return };
        let Call { input, secret, .. } = call;
        let pretended = Call { operation: Operation::WhatIf, method, input: input.clone(), secret: *secret };
        match self.probe(&pretended, host).and_then(|printed| printed.object()) {
            Ok(_) if *secret => {}
            Ok(answer) => predictions(&answer).for_each(|text| host.report(Level::Info, text)),
            Err(error) => host.report(Level::Warning, &error.chain()),
        }
    }

    /// The method that predicts what another one would do.
    fn predictor<'a>(&'a self, method: &'a Method) -> Option<&'a Method> {
        let is_set = self.manifest.methods.set.as_ref() == Some(method);
        if method.can_predict() {
            Some(method)
        } else {
            self.manifest.methods.what_if.as_ref().filter(|_| is_set)
        }
    }
}

/// The string or strings of `_metadata.whatIf`.
fn predictions(answer: &Map<String, Json>) -> impl Iterator<Item = &str> {
    let said = answer.get("_metadata").and_then(|metadata| metadata.get("whatIf"));
    let said =
        said.into_iter().flat_map(|said| said.as_array().map_or(std::slice::from_ref(said), Vec::as_slice));
    said.filter_map(Json::as_str)
}

/// Reports what has to be restarted, as the program lists it: `{"system": …}`, `{"service": …}` or `{"process": {…}}`.
fn report_restarts(needs: &Json, host: &Act<'_>) {
    for need in needs.as_array().into_iter().flatten() {
        let name = |key: &str| need.get(key).and_then(Json::as_str);
        let what =
            match (name("system"), name("service"), need.pointer("/process/name").and_then(Json::as_str)) {
                (_, Some(service), _) => format!("the service {service}"),
                (_, _, Some(process)) => format!("the process {process}"),
                _ => "the machine".to_owned(),
            };
        host.report(Level::Warning, &format!("{what} has to be restarted for this to take effect"));
    }
}
