//! Using a resource without a configuration.

use uphold_engine::Summary;
use uphold_host::LocalHost;
use uphold_model::{Action, Attribute, Declaration, Few, Meta, ResourceId, Statement, Trigger, Value};
use uphold_resource::{Error, ErrorKind, Registry, Resource, Result};

use crate::configuration::Configuration;
use crate::engine::Engine;

/// The kinds that ship.
pub fn kinds() -> Registry {
    let mut registry = Registry::default();
    uphold_builtin::register(&mut registry).expect("the kinds that ship are sound: a test says so");
    registry
}

/// Makes it so, on this machine: checks, loads, compares, changes what differs, loads again.
///
/// # Errors
/// If a property breaks a rule, or if it cannot be made so.
pub fn converge<R: Resource>(resource: &R) -> Result<Summary> {
    let mut kinds = Registry::default();
    kinds.add::<R>().map_err(|error| Error::new(ErrorKind::Invalid, error.to_string()))?;
    let engine = Engine::on(LocalHost::new()).kinds(kinds).build();
    Configuration::from_statements(&engine, statements(resource))?.check()?.apply(&mut |_| {})
}

/// A resource made in code, declared like any other, so that it keeps the same rules.
fn statements<R: Resource>(resource: &R) -> Vec<Statement> {
    let mut label = String::new();
    let mut attributes = Vec::new();
    for property in R::SCHEMA.all().into_iter().filter(|property| property.role.is_settable()) {
        match resource.value(property.name, None) {
            None => {}
            // A setting that was left out. As a state property, null is a wish.
            Some(Value::Null) if !property.role.is_state() => {}
            Some(value) => {
                if property.role == uphold_model::Role::Name {
                    label = plain(&value);
                }
                attributes.push(Attribute::known(property.name, value));
            }
        }
    }
    let id = ResourceId::new(R::SCHEMA.kind, label);
    let declaration =
        Declaration { id: id.clone(), place: None, attributes: attributes.into(), meta: Meta::default() };
    let trigger =
        Trigger { id, action: Action::Converge, place: None, depends_on: Few::default(), when: None };
    vec![Statement::Declare(declaration), Statement::Trigger(trigger)]
}

fn plain(value: &Value) -> String {
    match value {
        Value::Text(text) => text.to_string(),
        other => other.to_string(),
    }
}

/// Every kind can be read: `File::read("/etc/hostname")?.mode`.
pub trait Read: Resource {
    /// What is there now, on this machine.
    ///
    /// # Errors
    /// If there is nothing of this name ([`ErrorKind::Missing`]), or it cannot be looked at.
    fn read(name: &str) -> Result<Self::State> {
        let mut resource = Self::named(name)?;
        let machine = LocalHost::new().machine();
        let host = machine.reading();
        resource.prepare(&host)?;
        resource.load(&host.only_reading())?.ok_or_else(|| {
            Error::new(ErrorKind::Missing, format!("there is no {} `{name}`", Self::SCHEMA.kind))
        })
    }
}

impl<R: Resource> Read for R {}
