//! The time zone, and the start of the machine.

use uphold_resource::{Error, Result, Value};

use super::machine::{Machine, kernel_file};

/// The zone by `localtime(5)`: the name in the link; UTC without a file.
pub(super) fn timezone(machine: &Machine<'_>) -> Result<Value> {
    if let Some(target) = machine.link("/etc/localtime")?
        && let Some(zone) = zone(&target)
    {
        return Ok(Value::from(zone));
    }
    if let Some(text) = machine.file("/etc/timezone")?
        && let Some(zone) =
            text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))
    {
        return Ok(Value::from(zone));
    }
    if machine.has("/etc/localtime") {
        Err(Error::failed("/etc/localtime is a copy, which does not contain the name of the zone")
            .hint("make it a link to a file below /usr/share/zoneinfo"))
    } else {
        Ok(Value::from("UTC"))
    }
}

/// `../usr/share/zoneinfo/Europe/Berlin` → `Europe/Berlin`.
fn zone(target: &str) -> Option<&str> {
    let (_, zone) = target.split_once("zoneinfo/")?;
    let zone = zone.strip_prefix("posix/").or_else(|| zone.strip_prefix("right/")).unwrap_or(zone);
    (!zone.is_empty()).then_some(zone)
}

pub(super) fn boot_time(_: &Machine<'_>) -> Result<Value> {
    let stat = kernel_file("/proc/stat")?;
    let seconds = stat.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok());
    let started = seconds.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let started = started.ok_or_else(|| Error::failed("/proc/stat does not contain the boot time"))?;
    Ok(Value::from(started.to_string()))
}

/// Whole seconds, because a watch reports every change.
pub(super) fn uptime(_: &Machine<'_>) -> Result<Value> {
    let text = kernel_file("/proc/uptime")?;
    let seconds = text.split(['.', ' ']).next().and_then(|seconds| seconds.parse().ok());
    seconds.map(Value::Int).ok_or_else(|| Error::failed("/proc/uptime does not contain the uptime"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_name_of_a_zone() {
        let check = |target: &str, expected: Option<&str>| assert_eq!(zone(target), expected, "{target}");
        check("/usr/share/zoneinfo/Europe/Berlin", Some("Europe/Berlin"));
        check("../usr/share/zoneinfo/America/Argentina/Ushuaia", Some("America/Argentina/Ushuaia"));
        check("/usr/share/zoneinfo/posix/UTC", Some("UTC"));
        check("/usr/share/zoneinfo/", None);
        check("/etc/elsewhere", None);
    }
}
