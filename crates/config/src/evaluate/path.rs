//! Paths: `root.step.step["step"]`.

use std::ops::Deref;
use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Name, Value, closest};

use super::evaluator::{Evaluated, Evaluator, MISTAKE, is_secret, keep_secret};
use super::frame::{EachValue, Frame};
use super::member::whole_number;
use crate::excerpt::excerpt;
use crate::instance::Instance;
use crate::token::Span;
use crate::tree::{Node, NodeId};

/// One step of a path.
#[derive(Clone, Copy)]
pub(crate) struct Step<'t> {
    /// The expression up to this step.
    pub(crate) at: NodeId,
    pub(crate) what: StepTo<'t>,
}

/// The member that a step selects.
#[derive(Clone, Copy)]
pub(crate) enum StepTo<'t> {
    Field(&'t str),
    Index(NodeId),
}

/// The name of a step. Most names are only looked up, and so not copied.
pub(crate) enum StepName<'t> {
    Written(&'t str),
    Computed(Name),
}

impl Deref for StepName<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            StepName::Written(name) => name,
            StepName::Computed(name) => name,
        }
    }
}

impl Evaluator<'_> {
    /// The name as a shared string.
    pub(super) fn kept(&self, name: StepName<'_>) -> Name {
        match name {
            StepName::Written(name) => self.name(name),
            StepName::Computed(name) => name,
        }
    }

    /// The value of a path.
    pub(super) fn path<'f>(&self, frame: &Frame<'f>, id: NodeId, node: Node<'f>) -> Evaluated {
        let (root, node, steps) = frame.steps_to(id, node);
        let Node::Name(name) = node else {
            let value = self.read(frame, root, node)?;
            return self.members(frame, value, &steps);
        };
        if let Some(value) = frame.variable(name) {
            return self.members(frame, value.clone(), &steps);
        }
        if steps.is_empty() {
            // A bare word was reported by the name check.
            return Ok(Value::unknown(MISTAKE));
        }
        match name {
            "local" => self.named(frame, &steps, "local", |name| Some(self.local(frame.instance, name))),
            "param" => self.named(frame, &steps, "param", |name| self.param(frame.instance, name)),
            "each" => self.each(frame, &steps),
            "path" => self.place_path(frame, &steps),
            "host" => self.host(frame, &steps),
            "parent" => {
                let detail = "values of the calling module cannot be read; `parent` is for `depends_on`, \
                              `notifies` and `subscribes`";
                let fix = "pass the value to the module as a param";
                Err(frame.error(root, Code::InvalidParent, detail, fix))
            }
            _ => self.resource(frame, name, root, &steps),
        }
    }

    /// The name that a step gives, which must be known.
    pub(super) fn step_name<'t>(
        &self,
        frame: &Frame<'_>,
        step: &Step<'t>,
    ) -> Result<Option<StepName<'t>>, Box<Diagnostic>> {
        match step.what {
            StepTo::Field(name) => Ok(Some(StepName::Written(name))),
            StepTo::Index(index) => {
                let value = self.node(frame, index)?;
                if is_secret(&value) {
                    let detail = "this is a secret, and names are shown in messages, plans and graphs";
                    let fix = "use a value that is not secret, or `nonsensitive(…)`";
                    return Err(frame.error(index, Code::SecretName, detail, fix));
                }
                match &value {
                    Value::Text(name) => Ok(Some(StepName::Computed(name.clone()))),
                    Value::Unknown(_) => Ok(None),
                    other => match whole_number(other) {
                        Some(number) => Ok(Some(StepName::Computed(number.to_string().into()))),
                        None => Err(frame.not_a(index, Code::KeyType, other, "text or a whole number")),
                    },
                }
            }
        }
    }

    /// `local.name…` and `param.name…`. Unknown names were reported by the name check.
    fn named(
        &self,
        frame: &Frame<'_>,
        steps: &[Step<'_>],
        root: &str,
        get: impl FnOnce(&str) -> Option<Evaluated>,
    ) -> Evaluated {
        let Some(name) = self.step_name(frame, &steps[0])? else {
            let detail = format!("the name of the {root} must be known before the run");
            return Err(frame.error(steps[0].at, Code::NameUnknown, detail, "write its name literally"));
        };
        let value = get(&name).unwrap_or_else(|| Ok(Value::unknown(MISTAKE)))?;
        self.members(frame, value, &steps[1..])
    }

    /// The value of a local. Unknown names were reported by the name check.
    pub(crate) fn local(&self, instance: &Arc<Instance>, name: &str) -> Evaluated {
        let Some((local, memo)) = instance.local(name) else { return Ok(Value::unknown(MISTAKE)) };
        let code = instance.module.passage(local);
        let item = code.item(local.item);
        let compute = || self.item(&Frame::new(instance, code), &item);
        self.force(memo, || instance.called("local", name), code.place(item.name), compute)
    }

    fn each(&self, frame: &Frame<'_>, steps: &[Step<'_>]) -> Evaluated {
        let Some(each) = frame.each else { return Ok(Value::unknown(MISTAKE)) };
        let value = match self.step_name(frame, &steps[0])?.as_deref() {
            Some("key") => Value::Text(each.key.clone()),
            Some("value") => match &each.value {
                EachValue::Known(value) => value.clone(),
                EachValue::Deferred { now, references, .. } if !self.at_run => {
                    self.budget.spend(references.len() / 4, || frame.code.place_of(steps[0].at))?;
                    self.references.borrow_mut().extend(references);
                    now.clone()
                }
                EachValue::Deferred { span, .. } => self.deferred_element(frame, *span, &each.key)?,
            },
            // Reported by the name check.
            _ => return Ok(Value::unknown(MISTAKE)),
        };
        self.members(frame, value, &steps[1..])
    }

    /// An element of a `for_each` that was not fully known when the block was expanded.
    fn deferred_element(&self, frame: &Frame<'_>, span: Span, key: &Name) -> Evaluated {
        let collection = self.again(frame.instance, frame.code.code(), None, span)?;
        let secret = is_secret(&collection);
        let value = match collection.reveal() {
            Value::Map(map) => map.get(key).cloned(),
            Value::Unknown(_) => Some(collection.clone()),
            _ => Some(Value::Text(key.clone())),
        };
        let gone = || {
            let detail = format!("the key {} no longer exists", excerpt(key));
            let error = Diagnostic::new(Code::ElementGone, detail).at(frame.code.place(span));
            Box::new(error.fix("use keys that do not depend on resources"))
        };
        Ok(keep_secret(secret, value.ok_or_else(gone)?))
    }

    fn place_path(&self, frame: &Frame<'_>, steps: &[Step<'_>]) -> Evaluated {
        let name = self.step_name(frame, &steps[0])?;
        let path = match name.as_deref() {
            Some("module") => Some(frame.code.directory()),
            Some("root") => Some(self.universe.root_directory()),
            Some("cwd") => Some(self.universe.surroundings().current_directory()),
            _ => None,
        };
        let Some(path) = path else {
            let names = ["module", "root", "cwd"];
            let near = name.as_deref().and_then(|name| closest(name, names));
            let fix = near.map_or("it has `path.module`, `path.root` and `path.cwd`".into(), |near| {
                format!("did you mean `path.{near}`?")
            });
            return Err(frame.error(steps[0].at, Code::UnknownMember, "there is no path of this name", fix));
        };
        let shown = if path.as_os_str().is_empty() { ".".into() } else { path.to_string_lossy() };
        self.members(frame, Value::text(shown), &steps[1..])
    }
}
