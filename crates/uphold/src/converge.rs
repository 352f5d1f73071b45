//! Resources without a configuration.

use uphold_engine::Summary;
use uphold_host::LocalHost;
use uphold_model::{Action, Attribute, Declaration, Meta, ResourceId, Statement, ThinVec, Trigger, Value};
use uphold_resource::{Error, ErrorKind, Look, Registry, Resource, Result};

use crate::configuration::Configuration;
use crate::engine::Engine;

/// The built-in kinds.
pub fn kinds() -> Registry {
    let mut registry = Registry::default();
    uphold_builtin::register(&mut registry).expect("the built-in kinds are valid: a test checks them");
    registry
}

/// Applies one resource to this machine: checks, loads, compares, changes the differences, and loads again.
///
/// # Errors
/// If a property is invalid, or the change fails.
pub fn converge<R: Resource>(resource: &R) -> Result<Summary> {
    let mut kinds = Registry::default();
    kinds.add::<R>().map_err(|error| Error::new(ErrorKind::Invalid, error.to_string()))?;
    let engine = Engine::on(LocalHost::new()).kinds(kinds).build();
    Configuration::from_statements(&engine, statements(resource))?.check()?.apply(&mut |_| {})
}

/// Declares a resource that was built in code, so that the same rules apply.
fn statements<R: Resource>(resource: &R) -> Vec<Statement> {
    let mut label = String::new();
    let mut attributes = Vec::new();
    for property in R::SCHEMA.all().into_iter().filter(|property| property.role.is_settable()) {
        match resource.value(property.name, None) {
            None => {}
            // An unset setting. For a state property, null is a declared value.
            Some(Value::Null) if !property.role.is_state() => {}
            Some(value) => {
                if property.role == uphold_model::Role::Name {
                    label = if let Value::Text(text) = &value { text.to_string() } else { value.to_string() };
                }
                attributes.push(Attribute::known(property.name, value));
            }
        }
    }
    let id = ResourceId::new(R::SCHEMA.kind, label);
    let declaration =
        Declaration { id: id.clone(), place: None, attributes: attributes.into(), meta: Meta::default() };
    let trigger =
        Trigger { id, action: Action::Converge, place: None, depends_on: ThinVec::default(), when: None };
    vec![Statement::Declare(declaration), Statement::Trigger(trigger)]
}

/// Reads the current state of a resource: `File::read("/etc/hostname")?.mode`.
pub trait Read: Resource {
    /// The current state on this machine.
    ///
    /// # Errors
    /// If it does not exist ([`ErrorKind::Missing`]), or cannot be read.
    fn read(name: &str) -> Result<Self::State> {
        let declared = Self::named(name)?;
        let machine = LocalHost::new().machine();
        let host = machine.reading();
        let look = Look::to_read(&host);
        let resource = declared.complete(declared.prepare(&look)?);
        resource.load(&look)?.state().ok_or_else(|| {
            Error::new(ErrorKind::Missing, format!("{} `{name}` does not exist", Self::SCHEMA.kind))
        })
    }
}

impl<R: Resource> Read for R {}
