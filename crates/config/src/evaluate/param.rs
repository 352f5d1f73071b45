//! Values of params, and the module calls that set them.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{Code, Diagnostic, Name, Place, Value};

use super::evaluator::{Evaluated, Evaluator, MISTAKE, keep_secret};
use super::frame::{Env, Frame};
use crate::body::Entry;
use crate::constraint::TypeMismatch;
use crate::excerpt::excerpt;
use crate::instance::{Binding, ExpandedBlock, Instance, InstanceId, Spread};
use crate::module::{Param, Validation, What};
use crate::reading::optional_argument;
use crate::tree::TreeView;

/// Params that were read during the run, and whose validations are still to be checked.
#[derive(Default)]
pub(super) struct Unchecked {
    met: FxHashSet<(InstanceId, Name)>,
    left: Vec<(Arc<Instance>, Name)>,
}

impl Unchecked {
    fn add(&mut self, instance: &Arc<Instance>, name: &str) {
        if self.met.insert((instance.id, name.into())) {
            self.left.push((instance.clone(), name.into()));
        }
    }

    fn next(&mut self) -> Option<(Arc<Instance>, Name)> {
        self.left.pop()
    }
}

impl Evaluator<'_> {
    /// The value of a param; none if there is no such param.
    pub(crate) fn param(&self, instance: &Arc<Instance>, name: &str) -> Option<Evaluated> {
        let bound = instance.param(name)?;
        let param = instance.module.params.get(name)?;
        let compute = || self.bound(instance, name, param, &bound.binding);
        let value = self.force(&bound.memo, || instance.called("param", name), param.place, compute);
        if let Some(references) = bound.deferred_check.get() {
            self.references.borrow_mut().extend(references);
            if self.at_run {
                self.unchecked.borrow_mut().add(instance, name);
            }
        }
        Some(value)
    }

    /// Checks the params that were read since the last call against validations that had to wait for the run. Not while
    /// they are read: a validation may read the very local that is being evaluated.
    pub(crate) fn check_params(&self) -> Result<(), Box<Diagnostic>> {
        loop {
            let Some((instance, name)) = self.unchecked.borrow_mut().next() else { return Ok(()) };
            for validation in &instance.module.params[&name].validations {
                self.validation(&instance, &name, validation)?;
            }
        }
    }

    /// Whether a param meets a validation: true, or unknown.
    pub(crate) fn validation(
        &self,
        instance: &Arc<Instance>,
        name: &str,
        validation: &Validation,
    ) -> Evaluated {
        let code = instance.module.passage(&validation.condition);
        let frame = Frame::new(instance, code);
        let condition = code.item(validation.condition.item);
        let value = self.item(&frame, &condition)?;
        match value.reveal() {
            Value::Bool(true) | Value::Unknown(_) => Ok(value),
            Value::Bool(false) => {
                let message = self.item(&frame, &code.item(validation.message.item));
                Err(Box::new(self.invalid(instance, name, message.ok(), validation.place)))
            }
            other => {
                let detail = format!("this is {}, not true or false", other.type_name());
                let error = Diagnostic::new(Code::ConditionType, detail).at(code.place(condition.value));
                Err(Box::new(error.fix("compare something: `param.x > 0`")))
            }
        }
    }

    fn invalid(
        &self,
        instance: &Instance,
        name: &str,
        message: Option<Value>,
        validation: Place,
    ) -> Diagnostic {
        let message = match message {
            Some(Value::Text(text)) => text.to_string(),
            _ => "it does not meet its condition".into(),
        };
        let place = self.bound_at(instance, name);
        let error = Diagnostic::new(Code::RejectedParam, format!("`{name}`: {message}"));
        let error = match place {
            Some(place) => error.at(place).and_at(validation, "checked here"),
            None => error.at(validation),
        };
        error.fix("pass a value that meets the condition")
    }

    /// The place where a module call sets a param.
    fn bound_at(&self, instance: &Instance, name: &str) -> Option<Place> {
        match &instance.param(name)?.binding {
            Binding::Written { entry, block, env } => {
                let caller = self.universe.instance(env.instance);
                let (code, tree) = caller.module.body(*block);
                let code = TreeView::new(code, &tree);
                Some(code.place(code.item(entry.first).value))
            }
            _ => None,
        }
    }

    fn bound(&self, instance: &Arc<Instance>, name: &str, param: &Param, binding: &Binding) -> Evaluated {
        match binding {
            Binding::Missing => Ok(Value::unknown(MISTAKE)),
            Binding::Given(value) => Ok(keep_secret(param.sensitive, value.clone())),
            Binding::Default => self.default(instance, name, param),
            Binding::Written { entry, block, env } => {
                let caller = self.universe.instance(env.instance);
                let (source, tree) = caller.module.body(*block);
                let code = TreeView::new(source, &tree);
                let frame = Frame::inside(&caller, code, env);
                let first = code.item(entry.first);
                let optional = entry.more.is_empty().then(|| optional_argument(code, &first)).flatten();
                let Some(argument) = optional else {
                    let value = self.entry(&frame, entry)?;
                    let converted = converted(name, param, &value, code.place(first.value));
                    return converted.map_err(|error| {
                        if value == Value::Null { null_for(name, param, *error) } else { error }
                    });
                };
                let value = self.node(&frame, argument)?;
                match *value.reveal() == Value::Null {
                    true if param.required => Err(left_out(name, param, code.place(first.value))),
                    true => self.default(instance, name, param),
                    false => converted(name, param, &value, code.place_of(argument)),
                }
            }
        }
    }

    /// The value of a param that is not set.
    fn default(&self, instance: &Arc<Instance>, name: &str, param: &Param) -> Evaluated {
        let Some(default) = &param.default else { return Ok(Value::Null) };
        let code = instance.module.passage(default);
        let item = code.item(default.item);
        let value = self.item(&Frame::new(instance, code), &item)?;
        // A default of null means that there is none.
        if value == Value::Null {
            return Ok(value);
        }
        converted(name, param, &value, code.place(item.value))
    }

    /// The module call that a block makes for this key, created on first use.
    pub(crate) fn child(
        &self,
        instance: &Arc<Instance>,
        number: u32,
        key: Option<&Name>,
    ) -> Result<Arc<Instance>, Box<Diagnostic>> {
        if let Some(id) = instance.child(number, key) {
            return Ok(self.universe.instance(id));
        }
        let block = &instance.module.blocks[number as usize];
        let What::Call(Some(module)) = &block.what else { unreachable!("only calls have children") };
        // A call takes some hundred bytes for each of its names.
        self.budget.spend(500, || block.head)?;
        let each = match (self.spread(instance, number)?, key) {
            (Some(Spread::Each(all)), Some(key)) => match all.get(key) {
                Some(ExpandedBlock::Present { each, .. }) => each.clone(),
                _ => None,
            },
            _ => None,
        };
        let env = Env { instance: instance.id, each };
        let (code, tree) = instance.module.body(number);
        let code = TreeView::new(code, &tree);
        let entries: Vec<Entry> = block.entries(code).collect();
        let by_name: FxHashMap<&str, &Entry> =
            entries.iter().map(|entry| (entry.name(code), entry)).collect();
        let bindings = module.params.iter().map(|(name, param)| {
            let binding = match by_name.get(&**name) {
                Some(&entry) => Binding::Written { entry: entry.clone(), block: number, env: env.clone() },
                None if param.required => Binding::Missing,
                None => Binding::Default,
            };
            (name.clone(), binding)
        });
        let path = instance.id_for(number, key).to_string().into();
        let child = self.universe.add(module.clone(), Some(path), Some(instance), bindings);
        instance.adopt(number, key.cloned(), child.id);
        Ok(child)
    }
}

/// The value, converted to the param's type.
fn converted(name: &str, param: &Param, value: &Value, place: Place) -> Evaluated {
    let value = match &param.constraint {
        None => value.clone(),
        Some(_) if *value == Value::Null && !param.required && param.default.is_none() => Value::Null,
        Some(constraint) => {
            constraint.convert(value).map_err(|mismatch| wrong_type_of(name, param, mismatch, place))?
        }
    };
    Ok(keep_secret(param.sensitive, value))
}

/// The error of a null that a module call passes on.
fn null_for(name: &str, param: &Param, error: Diagnostic) -> Box<Diagnostic> {
    let fix = if param.required {
        "give it a value, or set `required = false` in the param, so that it may be null".to_owned()
    } else {
        format!("remove it, or write `{name} = optional(…)`: the default of the param replaces null")
    };
    Box::new(error.fix(fix))
}

/// A required param is set to an `optional(…)` that is null.
fn left_out(name: &str, param: &Param, place: Place) -> Box<Diagnostic> {
    let detail = format!("{} is null here, and has no default", excerpt(name));
    let error = Diagnostic::new(Code::MissingParam, detail).at(place).and_at(param.place, "declared here");
    Box::new(error.fix("pass a value that is not null, or give the param a default"))
}

/// A value that does not have the param's type.
pub(crate) fn wrong_type_of(
    name: &str,
    param: &Param,
    mismatch: TypeMismatch,
    place: Place,
) -> Box<Diagnostic> {
    let detail = format!("{} {}", excerpt(&format!("{name}{}", mismatch.at)), mismatch.what);
    let fix = mismatch.fix.unwrap_or_else(|| "pass a value of the type that the param declares".into());
    let error = Diagnostic::new(Code::ParamType, detail).at(place).fix(fix);
    Box::new(if place == param.place { error } else { error.and_at(param.place, "declared here") })
}
