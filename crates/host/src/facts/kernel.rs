//! The running kernel, if this is the running machine.

use std::ffi::CStr;

use rustix::system::uname;
use uphold_resource::{Result, Value};

use super::machine::Machine;

pub(super) fn name(_: &Machine<'_>) -> Result<Value> {
    text(uname().sysname())
}

pub(super) fn release(_: &Machine<'_>) -> Result<Value> {
    text(uname().release())
}

pub(super) fn version(_: &Machine<'_>) -> Result<Value> {
    text(uname().version())
}

pub(super) fn architecture(_: &Machine<'_>) -> Result<Value> {
    text(uname().machine())
}

pub(super) fn is_running(machine: &Machine<'_>) -> Result<Value> {
    Ok(Value::Bool(machine.is_running()))
}

fn text(word: &CStr) -> Result<Value> {
    Ok(Value::from(word.to_string_lossy().into_owned()))
}
