//! Processors, memory and firmware.

use std::path::Path;

use uphold_resource::{Error, Result, Value};

use crate::look;
use crate::mounts::{Mounted, mounted};
use crate::root::Root;

use super::machine::{Machine, kernel_file, kernel_hint, nullable};

/// The fields of `/proc/cpuinfo` with the model of a processor, which depend on the architecture; the best first.
const MODELS: &[&str] = &["model name", "cpu model", "Processor", "uarch", "cpu", "Hardware", "Model"];

pub(super) fn cpu_count(_: &Machine<'_>) -> Result<Value> {
    let ranges = kernel_file("/sys/devices/system/cpu/online").ok();
    let count = match ranges.and_then(|ranges| in_ranges(ranges.trim())) {
        Some(count) => count,
        None => in_statistics(&kernel_file("/proc/stat")?),
    };
    match count {
        0 => Err(Error::failed("neither /sys nor /proc/stat lists processors")),
        count => Ok(Value::Int(count)),
    }
}

/// The number of integers in ranges such as `0-3,8`.
fn in_ranges(ranges: &str) -> Option<i64> {
    ranges.split(',').try_fold(0, |sum: i64, range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        Some(sum + i64::from(last.checked_sub(first)?) + 1)
    })
}

/// The number of processors in `/proc/stat`, which has a line for each besides the sum.
fn in_statistics(stat: &str) -> i64 {
    let is_processor = |line: &&str| {
        line.strip_prefix("cpu").is_some_and(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    };
    i64::try_from(stat.lines().filter(is_processor).count()).unwrap_or(i64::MAX)
}

pub(super) fn cpu_model(_: &Machine<'_>) -> Result<Value> {
    let info = kernel_file("/proc/cpuinfo")?;
    Ok(nullable(MODELS.iter().find_map(|key| field(&info, key))))
}

pub(super) fn memory_total(_: &Machine<'_>) -> Result<Value> {
    memory("MemTotal")
}

pub(super) fn memory_swap(_: &Machine<'_>) -> Result<Value> {
    memory("SwapTotal")
}

/// Kernels before 3.14 do not report it; free memory is the minimum.
pub(super) fn memory_available(_: &Machine<'_>) -> Result<Value> {
    memory("MemAvailable").or_else(|_| memory("MemFree"))
}

pub(super) fn product_vendor(_: &Machine<'_>) -> Result<Value> {
    Ok(firmware("sys_vendor"))
}

pub(super) fn product_name(_: &Machine<'_>) -> Result<Value> {
    Ok(firmware("product_name"))
}

/// A field of the firmware, if it is set.
fn firmware(field: &str) -> Value {
    let text = kernel_hint(&format!("/sys/class/dmi/id/{field}"));
    nullable(Some(text.trim()).filter(|text| !text.is_empty()))
}

fn memory(key: &str) -> Result<Value> {
    let info = kernel_file("/proc/meminfo")?;
    let size = field(&info, key).and_then(|text| text.strip_suffix(" kB")?.trim().parse::<i64>().ok());
    let size = size.and_then(|kibibytes| kibibytes.checked_mul(1024));
    size.map(Value::Int).ok_or_else(|| Error::failed(format!("/proc/meminfo does not contain {key}")))
}

/// The value of the first line `key : value` that has one.
fn field<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let values = text.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim())
    });
    values.into_iter().find(|value| !value.is_empty())
}

// Disks and mounted file systems.

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
    fn counts_ranges() {
        let check = |ranges: &str, expected: Option<i64>| assert_eq!(in_ranges(ranges), expected, "{ranges}");
        check("0", Some(1));
        check("0-3", Some(4));
        check("0-3,8,10-11", Some(7));
        check("", None);
        check("3-0", None);
        check("many", None);
    }

    #[test]
    fn counts_processors_in_statistics() {
        assert_eq!(in_statistics("cpu  1 2\ncpu0 1 2\ncpu1 1 2\nintr 5\ncpufreq 7\n"), 2);
    }

    #[test]
    fn finds_fields() {
        let check = |text, key, expected: Option<&str>| assert_eq!(field(text, key), expected, "{text}");
        check("model\t\t: 1\nmodel name\t: AMD EPYC: big\n", "model name", Some("AMD EPYC: big"));
        check("Hardware\t: \nHardware\t: BCM2835\n", "Hardware", Some("BCM2835"));
        check("MemTotal:  12 kB\n", "MemTotal", Some("12 kB"));
        check("MemTotal:  12 kB\n", "Mem", None);
    }
}

#[cfg(test)]
mod disks_tests {
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
