//! The disks.

use std::path::Path;

use uphold_resource::{Result, Value};

use super::machine::{Machine, kernel_hint, nullable};
use crate::look;
use crate::root::Root;

/// The kernel counts in these, whatever the disk does.
const SECTOR: i64 = 512;

/// Block devices that are no disks: files, memory, and what is made of other disks by name only.
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

/// What is known of a disk; none if nothing is in the drive.
fn disk(name: &str) -> Option<Value> {
    let told = |field: &str| kernel_hint(&format!("/sys/block/{name}/{field}")).trim().to_owned();
    let size = told("size").parse::<i64>().ok()?.checked_mul(SECTOR).filter(|size| *size > 0)?;
    let flag = |field: &str| Value::Bool(told(field) == "1");
    Some(Value::map([
        ("size", Value::Int(size)),
        ("model", nullable(Some(told("device/model")).filter(|model| !model.is_empty()))),
        ("rotational", flag("queue/rotational")),
        ("removable", flag("removable")),
        ("read_only", flag("ro")),
    ]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_disk() {
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
