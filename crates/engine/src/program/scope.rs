//! The scopes of expressions: before the run, and during the run.

use rustc_hash::{FxHashMap, FxHashSet};
use uphold_model::{
    Code, Diagnostic, Map, Mutex, Name, PropertySchema, Reference, ResourceId, Role, Scope, Shape, Type,
    Value, closest,
};
use uphold_resource::{Instance, Registry};

use crate::program::Program;
use crate::program::set::{ResourceIndex, ResourceSet};

/// The scope before the run: names and settings are known, everything else is known after apply. Every reference is checked
/// against the kind that it names.
pub(crate) struct CheckScope<'a> {
    pub(crate) set: &'a ResourceSet,
    pub(crate) registry: &'a Registry,
    /// The decoded instance of each node, as far as it is decoded.
    pub(crate) instances: &'a [Option<Box<dyn Instance>>],
    /// A decoded node of each resource.
    pub(crate) node_of: &'a [Option<usize>],
}

impl Scope for CheckScope<'_> {
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        let index = self.set.find(&reference.target).ok_or_else(|| self.missing(reference))?;
        let Some(field) = reference.path.first() else {
            return Ok(Value::Reference(reference.target.clone().into()));
        };
        let kind = self.registry.get(&reference.target.kind).filter(|kind| !kind.is_outline());
        let Some(kind) = kind else { return Ok(unknown(reference)) };
        let property =
            kind.schema().property(field).ok_or_else(|| no_property(reference, field, kind.schema()))?;
        let ty = member_type(property.ty, reference)?;
        let fixed = matches!(property.role, Role::Name | Role::Identity | Role::Setting);
        let node = self.node_of[index as usize];
        let instance = node.and_then(|node| self.instances[node].as_ref()).filter(|_| fixed);
        match instance.and_then(|instance| instance.value(field, None)) {
            Some(value) => member(&value, reference),
            None if node.is_none() => Err(never_known(reference)),
            None => Ok(Value::unknown_of(reference.to_string(), ty.and_then(certain_shape))),
        }
    }
}

impl CheckScope<'_> {
    fn missing(&self, reference: &Reference) -> Diagnostic {
        let Reference { target, place, .. } = reference;
        let kind = &target.kind;
        let is_kind = self.registry.get(kind).is_some()
            || self.registry.is_broken(kind)
            || self.registry.unusable(kind).is_some();
        self.set.missing_of(target, *place, "referred to", is_kind)
    }
}

/// The shape of a value of this type. Bytes that are valid UTF-8 are given as a string.
fn certain_shape(ty: &Type) -> Option<Shape> {
    ty.shape().filter(|shape| *shape != Shape::Bytes)
}

fn unknown(reference: &Reference) -> Value {
    Value::unknown(reference.to_string())
}

fn no_property(reference: &Reference, field: &Name, schema: &uphold_model::Schema) -> Diagnostic {
    let names: Vec<&str> = schema.all().iter().map(|property| property.name).collect();
    let detail = format!("a {} has no property `{field}`", schema.kind);
    let fix = match closest(field, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", names.join(", ")),
    };
    Diagnostic::new(Code::UnknownField, detail).at(reference.place).fix(fix)
}

/// Checks the rest of the path against the type, as far as that is known; the type at its end, if known.
fn member_type(mut ty: &'static Type, reference: &Reference) -> Result<Option<&'static Type>, Diagnostic> {
    for step in &reference.path[1..] {
        while let Type::Nullable(inner) | Type::Sensitive(inner) = ty {
            ty = inner;
        }
        ty = match ty {
            Type::Struct(members) => {
                let member = members.iter().find(|member| *member.name == **step);
                member.ok_or_else(|| no_member(step, members, reference))?.ty
            }
            Type::Map(inner) => inner,
            Type::List(inner) if step.parse::<usize>().is_ok() => inner,
            _ => match ty.shape() {
                Some(shape) => return Err(no_such_part(shape.words(), reference)),
                None => return Ok(None),
            },
        };
    }
    Ok(Some(ty))
}

fn no_member(step: &Name, members: &[PropertySchema], reference: &Reference) -> Diagnostic {
    let names: Vec<&str> = members.iter().map(|member| member.name).collect();
    let fix = match closest(step, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {}", names.join(", ")),
    };
    Diagnostic::new(Code::UnknownMember, format!("{reference} does not exist")).at(reference.place).fix(fix)
}

fn never_known(reference: &Reference) -> Diagnostic {
    let detail = format!("no action of {} runs, so its values are never known", reference.target);
    Diagnostic::new(Code::NeverKnown, detail)
        .at(reference.place)
        .fix("give it an action, or read a resource that has one")
}

/// The part of `value` that the rest of the path names.
fn member(value: &Value, reference: &Reference) -> Result<Value, Diagnostic> {
    value.at(&reference.path[1..]).ok_or_else(|| no_such_part(value.type_name(), reference))
}

fn no_such_part(found: &str, reference: &Reference) -> Diagnostic {
    let detail = format!("{reference} does not exist: `{}` is {found}", reference.path[0]);
    Diagnostic::new(Code::UnknownMember, detail).at(reference.place).fix("name a member that exists")
}

/// The values that visited resources have published during the run.
#[derive(Default)]
pub(crate) struct Published {
    values: Mutex<Publications>,
}

/// The publications of resources, and the resources whose publication has changed.
#[derive(Default)]
struct Publications {
    all: FxHashMap<ResourceIndex, Publication>,
    changed: FxHashSet<ResourceIndex>,
}

/// The published values of a resource, or why there are none.
#[derive(Clone, PartialEq)]
pub(crate) enum Publication {
    /// Its values, as far as others read them.
    Values(Map),
    /// It was skipped, for this reason.
    NotWanted(&'static str),
    /// It is removed, or will be: only its declared names and settings are known.
    Removed(Map),
    /// It failed before it had any values.
    Failed,
}

impl Published {
    pub(crate) fn put(&self, resource: ResourceIndex, publication: Publication) {
        self.values.lock().put(resource, publication);
    }

    /// Notes that an action is skipped. Values of another action of the resource stay.
    pub(crate) fn leave_out(&self, resource: ResourceIndex, because: &'static str) {
        let mut known = self.values.lock();
        if known.all.get(&resource).is_none_or(|publication| *publication == Publication::Failed) {
            known.put(resource, Publication::NotWanted(because));
        }
    }

    /// Notes that a resource failed. Values of an earlier visit stay. No reader is woken: there is nothing new to read.
    pub(crate) fn fail(&self, resource: ResourceIndex) {
        self.values.lock().all.entry(resource).or_insert(Publication::Failed);
    }

    /// Whether the values of a resource have changed since the last call.
    pub(crate) fn take_changed(&self, resource: ResourceIndex) -> bool {
        self.values.lock().changed.remove(&resource)
    }

    /// The publications of the previous program.
    pub(crate) fn of(all: FxHashMap<ResourceIndex, Publication>) -> Self {
        Self { values: Mutex::new(Publications { all, changed: FxHashSet::default() }) }
    }

    pub(crate) fn into_all(self) -> FxHashMap<ResourceIndex, Publication> {
        self.values.into_inner().all
    }
}

impl Publications {
    fn put(&mut self, resource: ResourceIndex, publication: Publication) {
        if self.all.get(&resource) != Some(&publication) {
            self.changed.insert(resource);
            self.all.insert(resource, publication);
        }
    }
}

/// [`Published`] values of the resources of a program.
pub(crate) struct RunScope<'a> {
    pub(crate) program: &'a Program,
    pub(crate) published: &'a Published,
    /// Whether readers run after everything that they read was applied: a value that is unknown then stays unknown.
    pub(crate) is_final: bool,
}

impl Scope for RunScope<'_> {
    fn resolve(&self, reference: &Reference) -> Result<Value, Diagnostic> {
        let Some(field) = reference.path.first() else {
            return Ok(Value::Reference(reference.target.clone().into()));
        };
        let index = self.program.set.find(&reference.target);
        let all = self.published.values.lock();
        let publication = index.and_then(|index| all.all.get(&index));
        let values = match publication {
            None | Some(Publication::Failed) => return self.no_value(reference, publication),
            Some(Publication::NotWanted(because)) => return Err(not_wanted(reference, because)),
            Some(Publication::Removed(said)) if !said.contains_key(field) => return Err(removed(reference)),
            Some(Publication::Removed(values) | Publication::Values(values)) => values,
        };
        match values.get(field) {
            None | Some(Value::Unknown(_)) => self.no_value(reference, publication),
            Some(value) => member(value, reference),
        }
    }
}

impl RunScope<'_> {
    /// A value that may come later is unknown; one that cannot is an error, for which `try` has its fallback.
    fn no_value(&self, reference: &Reference, known: Option<&Publication>) -> Result<Value, Diagnostic> {
        if !self.is_final {
            return Ok(unknown(reference));
        }
        let because = match known {
            Some(Publication::Failed) => "failed",
            _ if self.is_audited(&reference.target) => "is only audited",
            Some(_) => "does not report it",
            None => "has not run",
        };
        let detail = format!("{reference} is not known, because {} {because}", reference.target);
        Err(Diagnostic::new(Code::ValueUnknown, detail)
            .at(reference.place)
            .fix("give it a value of its own: try(…, …)"))
    }

    fn is_audited(&self, target: &ResourceId) -> bool {
        let Some(index) = self.program.set.find(target) else { return false };
        let group = self.program.set.entry(index).group;
        self.program.is_handled(index, group, |handling| handling.audit)
    }
}

fn removed(reference: &Reference) -> Diagnostic {
    let detail = format!("{reference} cannot be read: {} is removed", reference.target);
    Diagnostic::new(Code::RemovedValue, detail)
        .at(reference.place)
        .fix("read it before it is removed, or give a value of its own: try(…, …)")
}

fn not_wanted(reference: &Reference, because: &str) -> Diagnostic {
    let target = &reference.target;
    let detail = format!("{reference} cannot be read: {target} is skipped, because {because}");
    Diagnostic::new(Code::SkippedValue, detail)
        .at(reference.place)
        .fix("give what reads it the same condition, or a value of its own: try(…, …)")
}
