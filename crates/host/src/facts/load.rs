//! Load averages.

use uphold_resource::{Error, Result, Value};

use super::machine::{Machine, kernel_file};

pub(super) fn one(_: &Machine<'_>) -> Result<Value> {
    average(0)
}

pub(super) fn five(_: &Machine<'_>) -> Result<Value> {
    average(1)
}

pub(super) fn fifteen(_: &Machine<'_>) -> Result<Value> {
    average(2)
}

/// One of the three load averages of the kernel.
fn average(column: usize) -> Result<Value> {
    let text = kernel_file("/proc/loadavg")?;
    let number = text.split_whitespace().nth(column).and_then(|word| word.parse().ok());
    number.map(Value::Float).ok_or_else(|| Error::failed("/proc/loadavg does not contain the load"))
}
