//! Who Uphold runs as.

use uphold_resource::{Result, Value};

use super::machine::{Machine, nullable};

pub(super) fn name(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.user()?.map(|user| user.name)))
}

pub(super) fn uid(_: &Machine<'_>) -> Result<Value> {
    Ok(Value::Int(rustix::process::geteuid().as_raw().into()))
}

pub(super) fn home(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.user()?.map(|user| user.home.display().to_string())))
}

pub(super) fn is_root(_: &Machine<'_>) -> Result<Value> {
    Ok(Value::Bool(rustix::process::geteuid().is_root()))
}
