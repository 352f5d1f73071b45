//! Mounted file systems.

use uphold_resource::{Result, Value};

use super::machine::{Machine, kernel_file};
use crate::mounts::{Mounted, mounted};

pub(super) fn mounts(_: &Machine<'_>) -> Result<Value> {
    let table = kernel_file("/proc/self/mountinfo")?;
    Ok(Value::map(table.lines().filter_map(|line| mounted(line.as_bytes())).map(row)))
}

fn row(mounted: Mounted) -> (String, Value) {
    let options = Value::list(mounted.options.split(',').map(Value::text));
    let about = Value::map([
        ("device", Value::from(mounted.device)),
        ("type", Value::from(mounted.kind)),
        ("options", options),
    ]);
    (mounted.point.display().to_string(), about)
}
