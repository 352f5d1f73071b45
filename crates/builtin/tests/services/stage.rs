//! One visit of one resource, as the engine would do it.

use uphold_model::{Action, Value};
use uphold_resource::{Act, Claim, Context, Desired, Error, Fields, Instance, Look, Registry, Resource};

/// A resource with these properties.
pub(crate) fn resource<R: Resource>(label: &str, values: &[(&str, Value)]) -> Box<dyn Instance> {
    decode::<R>(label, values, &Action::Converge)
}

/// A resource that is only declared, as this verb needs it.
pub(crate) fn notified<R: Resource>(label: &str, verb: &str) -> Box<dyn Instance> {
    decode::<R>(label, &[], &Action::Verb(verb.into()))
}

fn decode<R: Resource>(label: &str, values: &[(&str, Value)], action: &Action) -> Box<dyn Instance> {
    let mut registry = Registry::default();
    registry.add::<R>().expect("the kind is right");
    let values = values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    let kind = registry.get(R::SCHEMA.kind).expect("it was added");
    let (instance, findings) = kind.decode(Fields::new(label, values, action, Context::NOTHING));
    instance.unwrap_or_else(|| panic!("{:?}", findings.problems))
}

/// Loads and applies; returns whether anything differed.
pub(crate) fn visit(declared: &dyn Instance, host: &Act<'_>) -> Result<bool, Error> {
    let completed = declared.prepare(&Look::to(Desired::Present, host))?;
    let instance = completed.as_deref().unwrap_or(declared);
    let seen = instance.observe(Desired::Present, host)?;
    if seen.converged {
        return Ok(false);
    }
    instance.apply(&seen, host)?;
    let after = instance.observe(Desired::Present, host)?;
    assert!(after.converged, "it still differs: {:?}", after.differences);
    Ok(true)
}

/// Runs a verb.
pub(crate) fn run<R: Resource>(
    label: &str,
    values: &[(&str, Value)],
    verb: &str,
    host: &Act<'_>,
) -> Result<(), Error> {
    let declared = decode::<R>(label, values, &Action::Verb(verb.into()));
    let completed = declared.prepare(&Look::to(Desired::Present, host))?;
    completed.unwrap_or(declared).run_verb(verb, host)
}

/// Its needs and provided claims, as strings.
pub(crate) fn claims(instance: &dyn Instance) -> (Vec<String>, Vec<String>) {
    let claims = instance.claims();
    let words = |claims: &mut dyn Iterator<Item = &Claim>| claims.map(ToString::to_string).collect();
    (words(&mut claims.needs.iter()), words(&mut claims.provided()))
}
