//! Checks of a printed state against the schema of its kind.

use serde_json::{Map as Members, Value as Json};
use uphold_model::Problem;
use uphold_resource::{Error, ErrorKind, Result};

use super::definition::External;
use crate::json;
use crate::program::Operation;
use crate::schema::EXIST;

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
