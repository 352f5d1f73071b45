//! The facts of this machine.

mod hardware;
mod kernel;
mod machine;
mod names;
mod network;
mod release;
mod virtualization;

use std::sync::Arc;

use machine::{Machine, Sources, kernel_file, nullable};
use uphold_resource::{Error, FACTS, Facts, Group, Result, User, Value, unknown_fact};

use super::cached_result::CachedResult;
use super::local::LocalHost;

pub(crate) use network::{LINK_GROUPS, link_changes};

// The readers of facts, and the cache of what they read.

type Reader = fn(&Machine<'_>) -> Result<Value>;

/// The reader of each fact, in the order of [`FACTS`].
const READERS: &[(&str, Reader); FACTS.len()] = &[
    ("hostname", names::hostname),
    ("fqdn", names::fqdn),
    ("domain", names::domain),
    ("machine_id", names::machine_id),
    ("timezone", timezone),
    ("boot_time", boot_time),
    ("uptime", uptime),
    ("time.date", machine::date),
    ("time.hour", machine::hour),
    ("time.minute", machine::minute),
    ("time.weekday", machine::weekday),
    ("architecture", kernel::architecture),
    ("os.family", release::family),
    ("os.id", release::id),
    ("os.name", release::name),
    ("os.version", release::version),
    ("os.codename", release::codename),
    ("os.pretty_name", release::pretty_name),
    ("kernel.name", kernel::name),
    ("kernel.release", kernel::release),
    ("kernel.version", kernel::version),
    ("cpu.count", hardware::cpu_count),
    ("cpu.model", hardware::cpu_model),
    ("memory.total", hardware::memory_total),
    ("memory.swap", hardware::memory_swap),
    ("memory.available", hardware::memory_available),
    ("disks", hardware::disks),
    ("mounts", hardware::mounts),
    ("product.vendor", hardware::product_vendor),
    ("product.name", hardware::product_name),
    ("load.one", one),
    ("load.five", five),
    ("load.fifteen", fifteen),
    ("init", machine::init),
    ("package_manager", release::package_manager),
    ("virtualization", virtualization::virtualization),
    ("user.name", name),
    ("user.uid", uid),
    ("user.home", home),
    ("is_root", is_root),
    ("users", users),
    ("groups", groups),
    ("environment", environment),
    ("is_running", kernel::is_running),
    ("network.interfaces", network::interfaces),
    ("network.ipv4", network::ipv4),
    ("network.ipv6", network::ipv6),
    ("network.gateway", network::gateway),
    ("network.default_interface", network::default_interface),
];

/// The facts that were read. Only callers of the same fact wait for each other.
pub(crate) struct FactCache {
    values: [CachedResult<Value>; FACTS.len()],
    sources: Sources,
}

impl Default for FactCache {
    fn default() -> Self {
        Self { values: std::array::from_fn(|_| CachedResult::default()), sources: Sources::default() }
    }
}

impl Facts for LocalHost {
    fn fact(&self, name: &str) -> Result<Value> {
        let row = READERS.iter().position(|(known, _)| *known == name).ok_or_else(|| unknown_fact(name))?;
        let cache = &self.facts;
        let machine = Machine { root: &self.root, accounts: &self.accounts, sources: &cache.sources };
        let value = cache.values[row].get(|| READERS[row].1(&machine));
        value.cloned().map_err(|error| error.while_(format!("cannot determine {name}")))
    }

    fn renewed(&self) -> Result<Option<Arc<dyn Facts>>> {
        Ok(Some(Arc::new(Self::with(self.root.again()?))))
    }
}

// Load averages.

fn one(_: &Machine<'_>) -> Result<Value> {
    average(0)
}

fn five(_: &Machine<'_>) -> Result<Value> {
    average(1)
}

fn fifteen(_: &Machine<'_>) -> Result<Value> {
    average(2)
}

/// One of the three load averages of the kernel.
fn average(column: usize) -> Result<Value> {
    let text = kernel_file("/proc/loadavg")?;
    let number = text.split_whitespace().nth(column).and_then(|word| word.parse().ok());
    number.map(Value::Float).ok_or_else(|| Error::failed("/proc/loadavg does not contain the load"))
}

// The time zone, and the start of the machine.

/// The zone by `localtime(5)`: the name in the link; UTC without a file.
fn timezone(machine: &Machine<'_>) -> Result<Value> {
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

fn boot_time(_: &Machine<'_>) -> Result<Value> {
    let stat = kernel_file("/proc/stat")?;
    let seconds = stat.lines().find_map(|line| line.strip_prefix("btime ")?.trim().parse().ok());
    let started = seconds.and_then(|seconds| jiff::Timestamp::from_second(seconds).ok());
    let started = started.ok_or_else(|| Error::failed("/proc/stat does not contain the boot time"))?;
    Ok(Value::from(started.to_string()))
}

/// Whole seconds, because a watch reports every change.
fn uptime(_: &Machine<'_>) -> Result<Value> {
    let text = kernel_file("/proc/uptime")?;
    let seconds = text.split(['.', ' ']).next().and_then(|seconds| seconds.parse().ok());
    seconds.map(Value::Int).ok_or_else(|| Error::failed("/proc/uptime does not contain the uptime"))
}

// The user that Uphold runs as, and all accounts.

fn name(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.user()?.map(|user| user.name)))
}

fn uid(_: &Machine<'_>) -> Result<Value> {
    Ok(Value::Int(rustix::process::geteuid().as_raw().into()))
}

fn home(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.user()?.map(|user| user.home.display().to_string())))
}

fn is_root(_: &Machine<'_>) -> Result<Value> {
    Ok(Value::Bool(rustix::process::geteuid().is_root()))
}

fn users(machine: &Machine<'_>) -> Result<Value> {
    let one = |user: &User| {
        let about = Value::map([
            ("uid", Value::Int(user.uid.into())),
            ("gid", Value::Int(user.gid.into())),
            ("home", Value::from(user.home.display().to_string())),
            ("shell", Value::from(user.shell.display().to_string())),
        ]);
        (user.name.clone(), about)
    };
    Ok(Value::map(machine.accounts.users(machine.root)?.iter().map(one)))
}

fn groups(machine: &Machine<'_>) -> Result<Value> {
    let one = |group: &Group| {
        let members = Value::list(group.members.iter().map(|name| Value::text(&**name)));
        (group.name.clone(), Value::map([("gid", Value::Int(group.gid.into())), ("members", members)]))
    };
    Ok(Value::map(machine.accounts.groups(machine.root)?.iter().map(one)))
}

/// All are secret, because any of them may hold a secret.
fn environment(_: &Machine<'_>) -> Result<Value> {
    let variables = std::env::vars_os().filter_map(|(name, value)| {
        let (name, value) = (name.into_string().ok()?, value.into_string().ok()?);
        Some((name, Value::from(value).sensitive()))
    });
    Ok(Value::map(variables))
}

#[cfg(test)]
mod table_tests {
    use super::*;

    #[test]
    fn every_fact_has_its_reader() {
        let readers: Vec<_> = READERS.iter().map(|(name, _)| *name).collect();
        let facts: Vec<_> = FACTS.iter().map(|fact| fact.name).collect();
        assert_eq!(readers, facts);
    }
}

#[cfg(test)]
mod clock_tests {
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
