//! Laws about `load`.

use std::time::Duration;

use uphold_model::{Action, Role, Value};
use uphold_resource::{Desired, Instance};

use super::broken::Broken;
use super::listener::Listener;
use super::subject::Subject;
use super::trial::{Trial, lines};
use uphold_memory::MemoryHost;

/// Preparing and looking change nothing: not before the first apply, not after it, and not when the thing should
/// go.
pub fn check_writes_nothing(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("check_writes_nothing", subject) {
        let host = subject.host();
        let instance = trial.decode(&Action::Converge, &host)?;
        wrote_nothing(&trial, "prepare", &host)?;
        is_quiet(&trial, &*instance, &host)?;
        if let Some((host, instance)) = trial.converged() {
            is_quiet(&trial, &*instance, &host)?;
        }
    }
    Ok(())
}

fn is_quiet(trial: &Trial<'_>, instance: &dyn Instance, host: &MemoryHost) -> Result<(), Broken> {
    for desired in [Desired::Present, Desired::Absent] {
        let before = host.snapshot();
        let listener = Listener::new(instance, host);
        host.forget();
        // A failing look is another law's business; that it wrote nothing is this one's.
        let _ = instance.observe(desired, &host.act());
        wrote_nothing(trial, "load", host).map_err(|broken| match listener.is_woken() {
            true => Broken { why: format!("{}\n  and so it wakes itself for ever", broken.why), ..broken },
            false => broken,
        })?;
        let diff = before.diff(&host.snapshot());
        if !diff.is_empty() {
            return Err(trial.broken(format!("load changed the machine:{}", lines(diff))));
        }
    }
    Ok(())
}

fn wrote_nothing(trial: &Trial<'_>, what: &str, host: &MemoryHost) -> Result<(), Broken> {
    let written = host.writes();
    match written.is_empty() {
        true => Ok(()),
        false => Err(trial.broken(format!("{what} wrote:{}", lines(written)))),
    }
}

/// Two looks at an unchanged thing export equal values, even if time has passed: else whatever
/// reads them would be woken for nothing.
pub fn equal_exports_twice(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("equal_exports_twice", subject) {
        let Some((host, instance)) = trial.converged() else { continue };
        let fresh = trial.decode(&Action::Converge, &host)?;
        host.need_all();
        for instance in [&*instance, &*fresh] {
            let first = exports(&trial, instance, &host)?;
            host.advance(Duration::from_secs(3600));
            let second = exports(&trial, instance, &host)?;
            if let Some(((name, first), (_, second))) = first.iter().zip(&second).find(|(a, b)| a != b) {
                return Err(trial.broken(format!("`{name}` was {} and then {}", show(first), show(second))));
            }
        }
    }
    Ok(())
}

type Exports = Vec<(&'static str, Option<Value>)>;

fn exports(trial: &Trial<'_>, instance: &dyn Instance, host: &MemoryHost) -> Result<Exports, Broken> {
    let seen = trial.observe(instance, Desired::Present, host)?;
    let exports = trial.subject.in_role(Role::Export);
    Ok(exports.map(|property| (property.name, instance.value(property.name, Some(&seen)))).collect())
}

fn show(value: &Option<Value>) -> String {
    value.as_ref().map_or("nothing".to_owned(), ToString::to_string)
}
