//! References to another resource.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use uphold_model::{Claim, Claims, Name, Problem, ResourceId, Role, Type, Value};

use super::{mismatch, refused};
use crate::error::Result;
use crate::found::Found;
use crate::host::{Look, Reading};
use crate::property::{Context, Property};
use crate::resource::Resource;

/// A reference to another resource of kind `R`: `file.motd` in a configuration, or its name as a string. That resource is
/// converged first, and its state can be read.
pub struct Ref<R> {
    id: ResourceId,
    kind: PhantomData<fn() -> R>,
}

impl<R: Resource> Ref<R> {
    /// A reference to the resource of this name.
    pub fn to(name: impl Into<Name>) -> Self {
        Self { id: ResourceId::new(R::KIND, name), kind: PhantomData }
    }

    /// The label of the resource, which is its name unless a property sets another.
    pub fn name(&self) -> &str {
        self.id.label()
    }

    /// Loads the current state of the resource; `None` if it does not exist.
    pub fn read(&self, host: &Reading<'_>) -> Result<Option<R::State>> {
        R::named(self.name())?.load_whole(&Look::to_read(host)).map(Found::state)
    }
}

impl<R: Resource> Property for Ref<R> {
    const TYPE: &'static Type = &Type::Reference(R::KIND);

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let kind = R::KIND;
        match value {
            Value::Text(name) => Ok(Self::to(name.clone())),
            Value::Reference(id) if *id.kind == *kind => Ok(Self { id: (**id).clone(), kind: PhantomData }),
            Value::Reference(id) => Err(refused(
                value,
                format!("must be a `{kind}`, not a `{}`", id.kind),
                format!("refer to a {kind}"),
            )),
            other => Err(mismatch(other, &format!("a {kind}"), format!("write {kind}.name, or its name"))),
        }
    }

    fn to_value(&self) -> Value {
        Value::Reference(Arc::new(self.id.clone()))
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        if role != Role::Export {
            claims.need(Claim::Resource(self.id.clone()));
        }
    }
}

impl<R> Clone for Ref<R> {
    fn clone(&self) -> Self {
        Self { id: self.id.clone(), kind: PhantomData }
    }
}

impl<R> PartialEq for Ref<R> {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl<R> fmt::Debug for Ref<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.id, f)
    }
}
