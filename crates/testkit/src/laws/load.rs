//! Laws about `load`.

use std::time::Duration;

use uphold_model::{Action, Role, Value};
use uphold_resource::{Desired, Instance};

use super::interests::Listener;
use super::subject::Subject;
use super::trial::{Broken, Trial, lines};
use uphold_memory::MemoryHost;

/// `prepare` and `load` change nothing: not before the first apply, not after it, and not before a removal.
pub fn check_writes_nothing(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("check_writes_nothing", subject) {
        let host = subject.host();
        let instance = trial.decode(&Action::Converge, &host)?;
        wrote_nothing(&trial, "prepare", &host)?;
        load_writes_nothing(&trial, &*instance, &host)?;
        if let Some((host, instance)) = trial.converged() {
            load_writes_nothing(&trial, &*instance, &host)?;
        }
    }
    Ok(())
}

fn load_writes_nothing(trial: &Trial<'_>, instance: &dyn Instance, host: &MemoryHost) -> Result<(), Broken> {
    for desired in [Desired::Present, Desired::Absent] {
        let before = host.snapshot();
        let listener = Listener::new(instance, host);
        host.forget();
        // Another law checks for failures of `load`; this one only that it wrote nothing.
        let _ = instance.observe(desired, &host.act());
        wrote_nothing(trial, "load", host).map_err(|broken| {
            if !listener.is_woken() {
                return broken;
            }
            Broken { why: format!("{}\n  and so it wakes itself for ever", broken.why), ..broken }
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
    if written.is_empty() {
        return Ok(());
    }
    Err(trial.broken(format!("{what} wrote:{}", lines(written))))
}

/// Two loads of an unchanged resource export equal values, even if time has passed: otherwise its readers would be
/// woken for nothing.
pub fn exports_are_stable(subject: &Subject) -> Result<(), Broken> {
    for trial in Trial::each("exports_are_stable", subject) {
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
