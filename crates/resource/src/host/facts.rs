//! Facts: properties of a machine, by name.

use std::sync::Arc;

use uphold_model::{FactSchema, Need, PropertySchema, Role, Type, Value, closest};

use crate::error::{Error, ErrorKind, Result};

/// The facts of a machine: its name, system, hardware and networks.
pub trait Facts: Send + Sync {
    /// The fact with this full name, such as `os.family`; one of [`FACTS`].
    ///
    /// Read at the first call and then cached for the life of the host object. Null means that the machine has no such
    /// value; only facts with a nullable type return it.
    ///
    /// # Errors
    /// If the fact cannot be determined; [`ErrorKind::Invalid`] if the name is not a fact.
    fn fact(&self, name: &str) -> Result<Value>;

    /// The facts of the same machine without cached values; `None` if nothing is cached.
    ///
    /// # Errors
    /// If the machine cannot be opened again.
    fn renewed(&self) -> Result<Option<Arc<dyn Facts>>> {
        Ok(None)
    }
}

/// All facts. No name is a prefix of another, so together they form nested maps.
pub const FACTS: &[FactSchema] = &[
    fact(
        "hostname",
        NAME,
        "The host name, as printed by `uname -n`. Below another root: the content of its `/etc/hostname`, or null \
        without one.",
        "\"web1\"",
    ),
    fact(
        "fqdn",
        NAME,
        "The host name with its domain: the host name itself if it contains dots, else completed from `/etc/hosts` or \
        `/etc/resolv.conf`. No name server is queried. Without a domain, the host name.",
        "\"web1.example.org\"",
    ),
    fact("domain", NAME, "The domain, determined as for `fqdn`; null without one.", "\"example.org\""),
    fact(
        "machine_id",
        NAME,
        "The content of `/etc/machine-id`; null if it is missing or not initialised.",
        "\"4c4b7a1ed5a94c7b8a1f0e7c4d2b6a90\"",
    ),
    fact("timezone", &Type::Text, "The time zone of the machine; `UTC` if none is set.", "\"Europe/Berlin\""),
    fact(
        "boot_time",
        &Type::Text,
        "When the kernel started, in UTC. A correction of the clock can change it by a second.",
        "\"2026-11-15T21:00:00Z\"",
    ),
    fact(
        "uptime",
        SIZE,
        "Seconds since the kernel started. Like `load`, use it only in comparisons, so that not every change matters.",
        "86400",
    ),
    fact(
        "time.date",
        &Type::Text,
        "The date, in the time zone of the machine. Like all of `time`, `uphold watch` reads it again periodically.",
        "\"2026-11-16\"",
    ),
    fact("time.hour", &Type::Int(0, 23), "The hour of the day, in the time zone of the machine.", "13"),
    fact("time.minute", &Type::Int(0, 59), "The minute of the hour, in the time zone of the machine.", "45"),
    fact(
        "time.weekday",
        &Type::Enum(WEEKDAYS),
        "The day of the week, in the time zone of the machine.",
        "\"monday\"",
    ),
    fact("architecture", &Type::Text, "The architecture, as printed by `uname -m`.", "\"x86_64\""),
    fact(
        "os.family",
        &Type::Text,
        "The family of distributions: `debian`, `redhat`, `suse`, `arch`, `alpine`, or the distribution's \
         own id.",
        "\"debian\"",
    ),
    fact("os.id", &Type::Text, "The distribution's id, in lower case.", "\"ubuntu\""),
    fact("os.name", &Type::Text, "The distribution's display name, without its version.", "\"Ubuntu\""),
    fact("os.version", NAME, "The version; null for distributions that have none.", "\"24.04\""),
    fact("os.codename", NAME, "The code name of the version; null without one.", "\"noble\""),
    fact("os.pretty_name", &Type::Text, "The display name with its version.", "\"Ubuntu 24.04.1 LTS\""),
    fact("kernel.name", &Type::Text, "The kernel, as printed by `uname -s`.", "\"Linux\""),
    fact(
        "kernel.release",
        &Type::Text,
        "The kernel's release, as printed by `uname -r`.",
        "\"6.8.0-45-generic\"",
    ),
    fact(
        "kernel.version",
        &Type::Text,
        "The kernel's build, as printed by `uname -v`.",
        "\"#45-Ubuntu SMP PREEMPT_DYNAMIC\"",
    ),
    fact("cpu.count", &Type::Int(1, i64::MAX), "The number of online processors.", "8"),
    fact(
        "cpu.model",
        NAME,
        "The model of the first processor; null if the kernel does not report it.",
        "\"AMD EPYC\"",
    ),
    fact("memory.total", SIZE, "Usable memory, in bytes.", "16777216000"),
    fact("memory.swap", SIZE, "Swap space, in bytes.", "2147483648"),
    fact(
        "memory.available",
        SIZE,
        "Memory available to programs without swapping, in bytes. Like `load`, use it only in comparisons.",
        "12884901888",
    ),
    fact(
        "disks",
        &Type::Map(&Type::Struct(DISK)),
        "The disks by kernel name, without loop devices, RAM disks and empty drives.",
        "{ sda = { size = 256060514304, model = \"QEMU HARDDISK\", rotational = false, removable = false, read_only = false } }",
    ),
    fact(
        "mounts",
        &Type::Map(&Type::Struct(MOUNT)),
        "The mounted file systems by mount point. Of several on one mount point, the topmost.",
        "{ \"/\" = { device = \"/dev/sda1\", type = \"ext4\", options = [\"rw\", \"relatime\"] } }",
    ),
    fact(
        "product.vendor",
        NAME,
        "The manufacturer of the machine, from its firmware; null if unknown.",
        "\"Dell Inc.\"",
    ),
    fact(
        "product.name",
        NAME,
        "The product name of the machine, from its firmware; null if unknown.",
        "\"PowerEdge R650\"",
    ),
    fact(
        "load.one",
        &Type::Float,
        "The load average of the last minute. `uphold watch` reads it again periodically: use it only in comparisons, \
        so that not every change matters.",
        "0.42",
    ),
    fact("load.five", &Type::Float, "The load average of the last five minutes.", "0.35"),
    fact("load.fifteen", &Type::Float, "The load average of the last fifteen minutes.", "0.3"),
    fact(
        "init",
        &Type::Enum(INITS),
        "The running init system; below another root, the installed one. `none` where no init system manages \
        services, as in most containers.",
        "\"systemd\"",
    ),
    fact(
        "package_manager",
        &Type::Nullable(&Type::Enum(PACKAGE_MANAGERS)),
        "The installed package manager, the distribution's own first; null if none is found.",
        "\"apt\"",
    ),
    fact(
        "virtualization",
        &Type::Enum(&["none", "vm", "container"]),
        "The environment that the machine runs in, as far as it can be detected. A container in a virtual machine is a container.",
        "\"vm\"",
    ),
    fact("user.name", NAME, "The user that Uphold runs as; null if its id has no account.", "\"root\""),
    fact("user.uid", &Type::Int(0, u32::MAX as i64), "The user id that Uphold runs with.", "0"),
    fact("user.home", NAME, "The home directory of that user; null if its id has no account.", "\"/root\""),
    fact("is_root", &Type::Bool, "Whether Uphold runs as root.", "true"),
    fact(
        "users",
        &Type::Map(&Type::Struct(ACCOUNT)),
        "The accounts in `/etc/passwd` by name, without those of other sources such as a directory service.",
        "{ root = { uid = 0, gid = 0, home = \"/root\", shell = \"/bin/bash\" } }",
    ),
    fact(
        "groups",
        &Type::Map(&Type::Struct(GROUP)),
        "The groups in `/etc/group` by name.",
        "{ adm = { gid = 4, members = [\"syslog\"] } }",
    ),
    fact(
        "environment",
        &Type::Map(&Type::Sensitive(&Type::Text)),
        "The environment of Uphold, without variables that are not UTF-8. Some hold secrets, so none is ever printed: \
        `nonsensitive` reveals one that may be seen, and `env(\"NAME\")` reads one by its name.",
        "{ HOME = (sensitive) }",
    ),
    fact(
        "is_running",
        &Type::Bool,
        "Whether this is the running machine. False below another root, which contains only files.",
        "true",
    ),
    fact(
        "network.interfaces",
        &Type::Map(&Type::Struct(INTERFACE)),
        "The network interfaces by name.",
        "{ eth0 = { mac = \"02:fc:00:00:00:01\", mtu = 1500, up = true, addresses = [\"192.0.2.2/24\"] } }",
    ),
    fact(
        "network.ipv4",
        NAME,
        "The machine's IPv4 address: the one that the default route uses, else the first that is neither loopback nor \
        link-local; null without one.",
        "\"192.0.2.2\"",
    ),
    fact(
        "network.ipv6",
        NAME,
        "The machine's IPv6 address, determined as for `network.ipv4`; temporary addresses are ignored. Null without \
        one.",
        "\"2001:db8::2\"",
    ),
    fact(
        "network.gateway",
        NAME,
        "The gateway of the default route: IPv4's, else IPv6's; null without one.",
        "\"192.0.2.1\"",
    ),
    fact(
        "network.default_interface",
        NAME,
        "The interface of the default route: IPv4's, else IPv6's; null without one.",
        "\"eth0\"",
    ),
];

/// A string, or null.
const NAME: &Type = &Type::Nullable(&Type::Text);

/// Bytes.
const SIZE: &Type = &Type::Int(0, i64::MAX);

const WEEKDAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const INITS: &[&str] =
    &["systemd", "openrc", "sysvinit", "runit", "s6", "dinit", "upstart", "busybox", "none"];

const PACKAGE_MANAGERS: &[&str] =
    &["apt", "dnf", "yum", "microdnf", "tdnf", "zypper", "pacman", "apk", "portage", "xbps", "opkg", "nix"];

/// The members of `network.interfaces`.
const INTERFACE: &[PropertySchema] = &[
    member("mac", NAME, "The hardware address; null without one."),
    member("mtu", SIZE, "The maximum packet size, in bytes."),
    member("up", &Type::Bool, "Whether it is up."),
    member("addresses", &Type::List(&Type::Text), "Its addresses with their prefix lengths, IPv4 first."),
];

/// The members of `disks`.
const DISK: &[PropertySchema] = &[
    member("size", SIZE, "Its capacity, in bytes."),
    member("model", NAME, "Its model; null if the kernel does not report it."),
    member("rotational", &Type::Bool, "Whether it is a rotating disk."),
    member("removable", &Type::Bool, "Whether it is removable."),
    member("read_only", &Type::Bool, "Whether it is read-only."),
];

/// The members of `mounts`.
const MOUNT: &[PropertySchema] = &[
    member("device", &Type::Text, "The mounted device, share or pseudo device."),
    member("type", &Type::Text, "The type of the file system."),
    member("options", &Type::List(&Type::Text), "The mount options."),
];

/// The members of `users`.
const ACCOUNT: &[PropertySchema] = &[
    member("uid", ID, "The user id."),
    member("gid", ID, "The id of the primary group."),
    member("home", &Type::Text, "The home directory."),
    member("shell", &Type::Text, "The login shell; empty if the file has none."),
];

/// The members of `groups`.
const GROUP: &[PropertySchema] = &[
    member("gid", ID, "The group id."),
    member("members", &Type::List(&Type::Text), "Its members besides the users whose primary group it is."),
];

/// A user or group id.
const ID: &Type = &Type::Int(0, u32::MAX as i64);

const fn fact(name: &'static str, ty: &'static Type, doc: &'static str, example: &'static str) -> FactSchema {
    FactSchema { name, ty, doc, example }
}

const fn member(name: &'static str, ty: &'static Type, doc: &'static str) -> PropertySchema {
    PropertySchema {
        name,
        doc,
        role: Role::Export,
        ty,
        need: Need::Optional,
        default: None,
        rules: &[],
        aliases: &[],
        also: &[],
        replaced_by: None,
        flatten: None,
    }
}

/// Facts that cannot change while the machine and this process run. A clock correction that changes `boot_time` is
/// ignored.
const CONSTANT: &[&str] = &[
    "boot_time",
    "architecture",
    "kernel.name",
    "kernel.release",
    "kernel.version",
    "cpu.model",
    "product.vendor",
    "product.name",
    "environment",
    "virtualization",
    "user.uid",
    "is_root",
    "is_running",
];

/// Whether a fact can change while the machine runs, so that a watch must read it again.
pub fn is_live_fact(name: &str) -> bool {
    !CONSTANT.contains(&name)
}

/// The error for a name that is not a fact, with the closest name as a hint.
pub fn unknown_fact(name: &str) -> Error {
    let error = Error::new(ErrorKind::Invalid, format!("there is no fact named {name}"));
    match closest(name, FACTS.iter().map(|fact| fact.name)) {
        Some(near) => error.hint(format!("did you mean {near}?")),
        None => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_nested_maps_without_conflict() {
        for (i, fact) in FACTS.iter().enumerate() {
            assert!(fact.name.split('.').all(uphold_model::is_identifier), "{}", fact.name);
            for other in &FACTS[i + 1..] {
                let clash = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}."));
                assert!(!clash(fact.name, other.name), "{} {}", fact.name, other.name);
                assert!(!clash(other.name, fact.name), "{} {}", fact.name, other.name);
            }
        }
    }

    #[test]
    fn constant_facts_exist() {
        for name in CONSTANT {
            assert!(FACTS.iter().any(|fact| fact.name == *name), "{name}");
        }
        assert!(is_live_fact("time.minute") && is_live_fact("network.ipv4") && !is_live_fact("is_root"));
    }

    #[test]
    fn unknown_names_get_a_suggestion() {
        let check = |name: &str, expected: Option<&str>| {
            let error = unknown_fact(name);
            assert_eq!((error.kind(), error.advice()), (ErrorKind::Invalid, expected), "{name}");
        };
        check("os.famly", Some("did you mean os.family?"));
        check("moon", None);
    }
}
