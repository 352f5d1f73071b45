//! References to resources and module calls, by kind and name.

use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Map, Name, Reference, ResourceId, Value};

use super::evaluator::{Evaluated, Evaluator, MISTAKE, keep_secret, unknown_like};
use super::frame::Frame;
use super::path::{Step, StepTo};
use crate::excerpt::excerpt;
use crate::instance::{ExpandedBlock, Instance, Spread};
use crate::module::{Module, What};
use crate::suggestion::listed;
use crate::tree::NodeId;

impl Evaluator<'_> {
    /// `kind.name.field…`, `kind.name["key"].field…` or `module.name.output…`.
    pub(super) fn resource(
        &self,
        frame: &Frame<'_>,
        kind: &str,
        root: NodeId,
        steps: &[Step<'_>],
    ) -> Evaluated {
        let Some(name) = self.step_name(frame, &steps[0])? else {
            return Err(unknown_name(frame, steps[0].at));
        };
        if matches!(kind, "sequence" | "parallel") {
            return Err(a_group(frame, kind, root));
        }
        let module = &frame.instance.module;
        let Some(number) = module.find(kind, &name) else {
            return self.undeclared(frame, kind, &name, root, steps);
        };
        let Some(spread) = self.spread(frame.instance, number)? else {
            return self.instance_value(frame, number, None, &steps[0], &steps[1..]);
        };
        match spread {
            Spread::One(ExpandedBlock::Absent) => {
                Err(absent(frame, steps[0].at, &ResourceId::new(kind, &*name)))
            }
            Spread::One(ExpandedBlock::Present { .. }) => {
                self.instance_value(frame, number, None, &steps[0], &steps[1..])
            }
            Spread::Each(all) => match steps.get(1) {
                None => self.all_elements(frame, number, all, &steps[0]),
                Some(step) => match self.step_name(frame, step)? {
                    Some(key) => {
                        let key = self.kept(key);
                        check_key(frame, all, &key, step, &frame.instance.id_for(number, None))?;
                        self.instance_value(frame, number, Some(&key), step, &steps[2..])
                    }
                    None => self.any_element(frame, number, all, step, &steps[2..]),
                },
            },
        }
    }

    /// An output of a module whose `when` is known only during the run: unknown before, and an error if the condition
    /// is false.
    fn undecided(
        &self,
        frame: &Frame<'_>,
        number: u32,
        key: Option<&Name>,
        at: &Step<'_>,
    ) -> Result<Option<Value>, Box<Diagnostic>> {
        let expanded = match (self.spread(frame.instance, number)?, key) {
            (Some(Spread::One(expanded)), _) => Some(expanded),
            (Some(Spread::Each(all)), Some(key)) => all.get(key),
            _ => None,
        };
        let Some(ExpandedBlock::Present { when: Some(when), .. }) = expanded else { return Ok(None) };
        self.references.borrow_mut().extend(when.references());
        let wanted = when.evaluate(self.scope).map_err(Box::new)?;
        match wanted.reveal() {
            Value::Bool(false) => Err(absent(frame, at.at, &frame.instance.id_for(number, key))),
            Value::Unknown(unknown) => Ok(Some(unknown_like(unknown, None))),
            _ => Ok(None),
        }
    }

    /// The module declares no such name. An undeclared module is reported here, an undeclared resource by the engine,
    /// which knows all resources.
    fn undeclared(
        &self,
        frame: &Frame<'_>,
        kind: &str,
        name: &str,
        root: NodeId,
        steps: &[Step<'_>],
    ) -> Evaluated {
        let module = &frame.instance.module;
        if kind == "module" || module.kinds.contains_key(kind) {
            return Err(no_such_module(frame, module, kind, name, root));
        }
        if module.foreign_reference(kind, name).is_some() {
            // Reported by the name check.
            return Ok(Value::unknown(MISTAKE));
        }
        let target = ResourceId::new(self.name(kind), name).in_module(frame.instance.path.clone());
        self.note_undeclared(frame, &target);
        self.target(frame, target, &steps[0], &steps[1..])
    }

    /// The resource or module call that a block declares for a key.
    fn instance_value(
        &self,
        frame: &Frame<'_>,
        number: u32,
        key: Option<&Name>,
        at: &Step<'_>,
        steps: &[Step<'_>],
    ) -> Evaluated {
        let block = &frame.instance.module.blocks[number as usize];
        match &block.what {
            What::Call(None) => Ok(Value::unknown(MISTAKE)),
            What::Call(Some(_)) => {
                if let Some(undecided) = self.undecided(frame, number, key, at)? {
                    return Ok(undecided);
                }
                let child = self.child(frame.instance, number, key)?;
                self.outputs(frame, &child, at, steps)
            }
            _ => self.target(frame, frame.instance.id_for(number, key), at, steps),
        }
    }

    fn target(&self, frame: &Frame<'_>, target: ResourceId, at: &Step<'_>, steps: &[Step<'_>]) -> Evaluated {
        if !steps.is_empty() {
            return self.of_resource(frame, target, steps);
        }
        let reference = Reference { target, path: Vec::new(), place: Some(frame.code.place_of(at.at)) };
        let value = self.scope.resolve(&reference).map_err(Box::new)?;
        self.references.borrow_mut().push(reference);
        Ok(value)
    }

    /// All elements of a block with `for_each`, by key.
    fn all_elements(
        &self,
        frame: &Frame<'_>,
        number: u32,
        all: &std::collections::BTreeMap<Name, ExpandedBlock>,
        at: &Step<'_>,
    ) -> Evaluated {
        let on = all.iter().filter(|(_, expanded)| matches!(expanded, ExpandedBlock::Present { .. }));
        let things =
            on.map(|(key, _)| Ok((key.clone(), self.instance_value(frame, number, Some(key), at, &[])?)));
        Ok(Value::Map(things.collect::<Result<Map, Box<Diagnostic>>>()?.into()))
    }

    /// An element whose key is not known yet: the value depends on all elements.
    fn any_element(
        &self,
        frame: &Frame<'_>,
        number: u32,
        all: &std::collections::BTreeMap<Name, ExpandedBlock>,
        at: &Step<'_>,
        steps: &[Step<'_>],
    ) -> Evaluated {
        let index = match at.what {
            // Its references were recorded when the name was requested.
            StepTo::Index(index) => self.recording(|| self.node(frame, index)).0?,
            StepTo::Field(_) => unreachable!("the name of a field is written out"),
        };
        let Some(chosen) = index.first_unknown() else { return Ok(Value::Null) };
        for (key, expanded) in all {
            if let ExpandedBlock::Present { .. } = expanded {
                self.postpone(chosen, || self.instance_value(frame, number, Some(key), at, steps))?;
            }
        }
        Ok(unknown_like(chosen, None))
    }

    /// One output of a module, or all of them.
    fn outputs(
        &self,
        frame: &Frame<'_>,
        child: &Arc<Instance>,
        at: &Step<'_>,
        steps: &[Step<'_>],
    ) -> Evaluated {
        let Some((step, rest)) = steps.split_first() else {
            let all = (0..child.module.outputs.len())
                .map(|number| Ok((child.module.outputs[number].name.clone(), self.output(child, number)?)));
            return Ok(Value::Map(all.collect::<Result<Map, Box<Diagnostic>>>()?.into()));
        };
        let Some(name) = self.step_name(frame, step)? else {
            return Err(unknown_name(frame, at.at));
        };
        let Some(number) = child.module.output(&name) else {
            let names = child.module.outputs.iter().map(|output| &*output.name);
            let detail = format!("the module has no output {}", excerpt(&name));
            let fix = match child.module.closest(&name, names.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if child.module.names(&name).next().is_some() => {
                    "add an `output` to the module; only `depends_on`, `notifies` and `subscribes` can name its \
                     resources"
                        .into()
                }
                None if names.len() == 0 => "add an `output` block to the module".into(),
                None => format!("it has {}", listed(names)),
            };
            return Err(frame.error(step.at, Code::UnknownOutput, detail, fix));
        };
        let value = self.output(child, number)?;
        self.members(frame, value, rest)
    }

    /// The value of an output of a module call.
    pub(crate) fn output(&self, instance: &Arc<Instance>, number: usize) -> Evaluated {
        let output = &instance.module.outputs[number];
        let Some(value) = &output.value else { return Ok(Value::unknown(MISTAKE)) };
        let code = instance.module.passage(value);
        let name = || match &instance.path {
            Some(path) => format!("{path}.{}", output.name),
            None => format!("output.{}", output.name),
        };
        let compute = || self.item(&Frame::new(instance, code), &code.item(value.item));
        let value = self.force(instance.output(number), name, output.place, compute)?;
        Ok(keep_secret(output.sensitive, value))
    }
}

/// A reference to a module call that is not declared.
pub(super) fn no_such_module(
    frame: &Frame<'_>,
    module: &Module,
    kind: &str,
    name: &str,
    at: NodeId,
) -> Box<Diagnostic> {
    let detail = format!("there is no {kind} called {}", excerpt(name));
    let fix = match module.closest(name, module.names(kind)) {
        Some(near) => format!("did you mean `{kind}.{near}`?"),
        None => format!("declare it: `{kind} \"{name}\" {{ … }}`"),
    };
    frame.error(at, Code::UnknownModule, detail, fix)
}

/// A group only orders blocks, and cannot be referred to.
pub(super) fn a_group(frame: &Frame<'_>, kind: &str, at: NodeId) -> Box<Diagnostic> {
    let detail = format!("a {kind} is a group of blocks, which cannot be referred to");
    frame.error(
        at,
        Code::NotAResource,
        detail,
        "name its members, as `kind.name`; a dependent also waits for `verify` of their group",
    )
}

pub(super) fn unknown_name(frame: &Frame<'_>, at: NodeId) -> Box<Diagnostic> {
    let detail = "the name of the resource must be known before the run";
    let fix = "use a name that does not depend on a resource";
    frame.error(at, Code::NameUnknown, detail, fix)
}

fn absent(frame: &Frame<'_>, at: NodeId, id: &ResourceId) -> Box<Diagnostic> {
    let detail = format!("`when` of {id} is false, so it does not exist");
    let fix = "give a fallback: `try(…, \"fallback\")`; or give both the same `when`";
    frame.error(at, Code::SkippedValue, detail, fix)
}

/// The element of a `for_each`, or an error if it has no such key.
pub(super) fn check_key(
    frame: &Frame<'_>,
    all: &std::collections::BTreeMap<Name, ExpandedBlock>,
    key: &Name,
    step: &Step<'_>,
    block: &ResourceId,
) -> Result<(), Box<Diagnostic>> {
    let block = block.in_module(None);
    match all.get(key) {
        Some(ExpandedBlock::Present { .. }) => Ok(()),
        Some(ExpandedBlock::Absent) => {
            let one = block.with_key(Some(key.clone()));
            Err(absent(frame, step.at, &one))
        }
        None => {
            let detail = format!("`for_each` of {block} has no key {}", excerpt(key));
            let keys = all.keys().map(|key| &**key);
            let first = keys.clone().next().unwrap_or_default();
            let fix = match (frame.instance.module.closest(key, keys), &step.what) {
                (Some(near), _) => format!("did you mean `{block}[{near:?}]`?"),
                (None, _) if all.is_empty() => "its `for_each` is empty".into(),
                (None, StepTo::Field(field)) => {
                    format!(
                        "say which one: `{block}[{first:?}].{field}`; or take all: `values({block})[*].{field}`"
                    )
                }
                (None, StepTo::Index(_)) => format!("one of its keys is {first:?}"),
            };
            Err(frame.error(step.at, Code::UnknownInstance, detail, fix))
        }
    }
}
