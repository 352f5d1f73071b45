//! The functions `coerce` and `check` of a property. They see nothing but the value.

use mlua::Function;
use uphold_model::{Map, Problem, PropertySchema, Type, Value};
use uphold_resource::{Context, Definition, accept};

use crate::failure::ScriptError;
use crate::interpreter::Interpreter;
use crate::kind::ScriptedKind;
use crate::loaded::Loaded;
use crate::value::{fit, from_script, map_from_script, to_script};

/// Calls `coerce` of a property.
pub(crate) fn coerce(
    interpreter: &Interpreter,
    coerce: &Function,
    value: &Value,
    ty: &Type,
) -> mlua::Result<Value> {
    let given = to_script(&interpreter.lua, value)?;
    let made: mlua::Value = interpreter.prelude().closed.call((coerce, given))?;
    Ok(fit(from_script(&made)?, ty))
}

/// Calls `check` of a property. The result is the violated rule, if the check fails.
fn check(interpreter: &Interpreter, check: &Function, value: &Value) -> mlua::Result<Option<String>> {
    let given = to_script(&interpreter.lua, value)?;
    let (holds, why): (mlua::Value, Option<String>) = interpreter.prelude().closed.call((check, given))?;
    Ok(match holds {
        mlua::Nil | mlua::Value::Boolean(true) => None,
        mlua::Value::Boolean(false) => Some(why.unwrap_or_else(|| "is not allowed".to_owned())),
        other => Some(other.to_string()?),
    })
}

impl ScriptedKind {
    /// The value that `coerce` of a property returns for this one; none if the property has no `coerce`.
    pub(crate) fn coerce_value(&self, property: &str, value: &Value) -> Result<Option<Value>, Problem> {
        if !self.blueprint.coerced.contains(&property) {
            return Ok(None);
        }
        let made = self.run(|interpreter, loaded| {
            let function = loaded.of_property(property, "coerce")?;
            let ty = self.schema().property(property).map_or(&Type::Any, |property| property.ty);
            function.map(|function| coerce(interpreter, &function, value, ty)).transpose()
        });
        made.map_err(|error| broken_function(value, &error))
    }

    /// Checks a value by `check` of a property.
    pub(crate) fn check_value(&self, property: &str, value: Value) -> Result<Value, Problem> {
        if !self.blueprint.checked.contains(&property) {
            return Ok(value);
        }
        let broken = self.run(|interpreter, loaded| {
            let function = loaded.of_property(property, "check")?;
            function.map_or(Ok(None), |function| check(interpreter, &function, &value))
        });
        match broken {
            Ok(None) => Ok(value),
            Ok(Some(rule)) => Err(Problem::new(Some(&value), rule, "change the value").computed()),
            Err(error) => Err(broken_function(&value, &error)),
        }
    }

    /// Checks the defaults of a kind.
    ///
    /// # Errors
    /// If a default violates the rules of its own property.
    pub(crate) fn check_defaults(&self, loaded: &Loaded) -> mlua::Result<()> {
        for property in self.blueprint.schema.properties {
            let Some(value) = property.default.and_then(|default| default.make().ok()) else { continue };
            if let Err(problem) = self.check_value(property.name, value) {
                let what = mlua::Error::runtime(format!("its default {}", problem.rule));
                return Err(loaded.of_named_property(property.name, &what));
            }
        }
        Ok(())
    }

    /// A computed default, read and checked like a declared value.
    pub(crate) fn accept_default(
        &self,
        property: &PropertySchema,
        computed: &mlua::Value,
    ) -> mlua::Result<Value> {
        let value = fit(from_script(computed)?, property.ty);
        accept(self, property, &value, &Context::NOTHING).map_err(|problem| {
            let hide = self.value_type(property.name).is_sensitive();
            let problem = if hide { problem.hidden() } else { problem };
            mlua::Error::runtime(format!("the default of {}", problem.inside(property.name)))
        })
    }

    /// The values that a loader has set, converted like declared ones.
    pub(crate) fn loaded_map(&self, table: &mlua::Table) -> mlua::Result<Map> {
        let mut map = Map::new();
        for (name, value) in map_from_script(table)? {
            let ty = self.schema().property(&name).map(|property| property.ty);
            let value = ty.map_or(value.clone(), |ty| fit(value, ty));
            let coerced = if value == Value::Null { None } else { self.coerce_loaded(&name, &value)? };
            map.insert(name, coerced.unwrap_or(value));
        }
        Ok(map)
    }

    fn coerce_loaded(&self, name: &str, value: &Value) -> mlua::Result<Option<Value>> {
        self.coerce_value(name, value).map_err(|problem| {
            let problem = if self.value_type(name).is_sensitive() { problem.hidden() } else { problem };
            mlua::Error::runtime(format!("loaded {}", problem.inside(name)))
        })
    }
}

/// The problem of a value whose `coerce` or `check` has failed.
fn broken_function(value: &Value, error: &mlua::Error) -> Problem {
    let error = ScriptError::of(error).into_error(None, None);
    let fix = error.advice().map_or_else(|| "change the value, or fix that line".to_owned(), str::to_owned);
    Problem::new(Some(value), format!("cannot be checked: {error}"), fix).computed()
}
