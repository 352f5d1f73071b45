//! Using a resource outside the tool.

use uphold_engine::{Engine, EngineBuilder, EventKind, Keep, Mode, Summary, Verdict};
use uphold_host::LocalHost;
use uphold_model::{Action, Attribute, Declaration, Few, Meta, ResourceId, Statement, Trigger, Value};
use uphold_resource::{Error, ErrorKind, Machine, Registry, Resource, Result};

use crate::failure;

/// The kinds that ship.
pub fn kinds() -> Registry {
    let mut registry = Registry::default();
    uphold_builtin::register(&mut registry).expect("the kinds that ship are sound: a test says so");
    registry
}

/// Begins an engine for this machine with the kinds that ship.
pub fn builder() -> EngineBuilder<Machine> {
    Engine::builder().host(LocalHost::new()).kinds(kinds())
}

/// Makes it so, on this machine: checks, loads, compares, changes what differs, looks again.
///
/// # Errors
/// If a property breaks a rule, or if it cannot be made so.
pub fn converge<R: Resource>(resource: &R) -> Result<Summary> {
    let unregistered = |error: uphold_resource::KindError| Error::new(ErrorKind::Invalid, error.to_string());
    let engine = Engine::builder().host(LocalHost::new()).kind::<R>().map_err(unregistered)?.build();
    let (program, diagnostics) = engine.check(statements(resource), Keep::All);
    let program = program.ok_or_else(|| failure::invalid(&diagnostics))?;
    let mut failed = None;
    let summary = engine.run(&program, Mode::Apply, &mut |event| {
        if let EventKind::Finished { verdict: Verdict::Failed(failure), .. } = &event.kind {
            failed = Some(failure::error(failure));
        }
    });
    failed.map_or(Ok(summary), Err)
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
