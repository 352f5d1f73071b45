//! Disks and mounted file systems.

use std::path::Path;

use uphold_resource::{Result, Value};

use super::machine::{Machine, kernel_file, kernel_hint, nullable};
use crate::look;
use crate::mounts::{Mounted, mounted};
use crate::root::Root;

/// The kernel's unit, whatever the sector size of the disk is.
const SECTOR: i64 = 512;

/// Block devices that are not disks: files, memory and floppy drives.
const NO_DISKS: &[&str] = &["loop", "ram", "zram", "fd"];

pub(super) fn disks(_: &Machine<'_>) -> Result<Value> {
    let names = look::list(&Root::machine(), Path::new("/sys/block")).unwrap_or_default();
    let names = names.iter().filter_map(|name| name.to_str()).filter(|name| is_disk(name));
    Ok(Value::map(names.filter_map(|name| Some((name, disk(name)?)))))
}

fn is_disk(name: &str) -> bool {
    let family = name.trim_end_matches(|last: char| last.is_ascii_digit());
    !NO_DISKS.contains(&family)
}

/// The attributes of a disk; `None` if the drive is empty.
fn disk(name: &str) -> Option<Value> {
    let attribute = |field: &str| kernel_hint(&format!("/sys/block/{name}/{field}")).trim().to_owned();
    let size = attribute("size").parse::<i64>().ok()?.checked_mul(SECTOR).filter(|size| *size > 0)?;
    let flag = |field: &str| Value::Bool(attribute(field) == "1");
    Some(Value::map([
        ("size", Value::Int(size)),
        ("model", nullable(Some(attribute("device/model")).filter(|model| !model.is_empty()))),
        ("rotational", flag("queue/rotational")),
        ("removable", flag("removable")),
        ("read_only", flag("ro")),
    ]))
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognises_disks() {
        let check = |name: &str, expected: bool| assert_eq!(is_disk(name), expected, "{name}");
        check("sda", true);
        check("nvme0n1", true);
        check("vda", true);
        check("dm-0", true);
        check("loop7", false);
        check("ram0", false);
        check("zram0", false);
    }
}
