//! References to another resource.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use uphold_model::{Claim, Claims, Name, Problem, ResourceId, Role, Type, Value};

use super::{mismatch, refused};
use crate::error::Result;
use crate::host::Observe;
use crate::property::{Context, Property};
use crate::resource::Resource;

/// Another resource of kind `R`: `file.motd` in a configuration, or its name as text. It is
/// converged first, and can be read.
pub struct Ref<R> {
    name: Name,
    kind: PhantomData<fn() -> R>,
}

impl<R: Resource> Ref<R> {
    /// The resource of this name.
    pub fn to(name: impl Into<Name>) -> Self {
        Self { name: name.into(), kind: PhantomData }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What is there: the referred thing as it is now.
    pub fn read(&self, host: &dyn Observe) -> Result<Option<R::State>> {
        R::named(&self.name)?.load(host)
    }
}

impl<R: Resource> Property for Ref<R> {
    const TYPE: &'static Type = &Type::Reference(R::KIND);

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let kind = R::KIND;
        match value {
            Value::Text(name) => Ok(Self::to(name.clone())),
            Value::Reference(id) if *id.kind == *kind => Ok(Self::to(id.name.clone())),
            Value::Reference(id) => Err(refused(
                value,
                format!("must be a `{kind}`, not a `{}`", id.kind),
                format!("refer to a {kind}"),
            )),
            other => Err(mismatch(other, &format!("a {kind}"), format!("write {kind}.name, or its name"))),
        }
    }

    fn to_value(&self) -> Value {
        Value::Reference(Arc::new(ResourceId::new(R::KIND, self.name.clone())))
    }

    fn claim(&self, role: Role, claims: &mut Claims) {
        if role != Role::Export {
            claims.need(Claim::Resource(ResourceId::new(R::KIND, self.name.clone())));
        }
    }
}

impl<R> Clone for Ref<R> {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), kind: PhantomData }
    }
}

impl<R> PartialEq for Ref<R> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<R> fmt::Debug for Ref<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.name, f)
    }
}
