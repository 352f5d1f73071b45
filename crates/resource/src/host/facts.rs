//! What a machine can be asked about by name.

use std::sync::Arc;

use uphold_model::{FactSchema, Need, PropertySchema, Role, Type, Value, closest};

use crate::error::{Error, ErrorKind, Result};

/// What a machine is: its name, system, hardware and networks.
pub trait Facts: Send + Sync {
    /// The fact of this whole name, such as `os.family`; one of [`FACTS`].
    ///
    /// Read when first asked for, and the same for as long as the host object lives. Null is an answer:
    /// there is none. Only facts whose type is nullable give it.
    ///
    /// # Errors
    /// Why the fact cannot be told; [`ErrorKind::Invalid`] for a name that is no fact.
    fn fact(&self, name: &str) -> Result<Value>;

    /// The facts of the same machine, read again when they are next asked for; none if each answer is new anyway.
    ///
    /// # Errors
    /// If the machine cannot be opened once more.
    fn renewed(&self) -> Result<Option<Arc<dyn Facts>>> {
        Ok(None)
    }
}

/// Every fact that a host tells. No name is the beginning of another, so together they are nested maps.
pub const FACTS: &[FactSchema] = &[
    fact(
        "hostname",
        NAME,
        "The name of the machine, as `uname -n` says it. Below another root: what its `/etc/hostname` says, \
         or null without one.",
        "\"web1\"",
    ),
    fact(
        "fqdn",
        NAME,
        "The name with its domain: the host name itself if it has dots, else as `/etc/hosts` or \
         `/etc/resolv.conf` complete it. No name server is asked. Without a domain, the host name.",
        "\"web1.example.org\"",
    ),
    fact("domain", NAME, "The domain, found as for `fqdn`; null if there is none.", "\"example.org\""),
    fact(
        "machine_id",
        NAME,
        "What `/etc/machine-id` says; null if it is missing or not filled yet.",
        "\"4c4b7a1ed5a94c7b8a1f0e7c4d2b6a90\"",
    ),
    fact(
        "timezone",
        &Type::Text,
        "The time zone of the machine. `UTC` if nobody chose one.",
        "\"Europe/Berlin\"",
    ),
    fact(
        "boot_time",
        &Type::Text,
        "When the kernel started, in UTC. A clock that is corrected can move it by a second.",
        "\"2026-11-15T21:00:00Z\"",
    ),
    fact(
        "uptime",
        SIZE,
        "For how many seconds the kernel runs. Like `load`, compare it, so that nothing depends on each of its values.",
        "86400",
    ),
    fact(
        "time.date",
        &Type::Text,
        "The day, in the time zone of the machine. Like all of `time`, `uphold watch` looks at it again and again.",
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
    fact("architecture", &Type::Text, "The architecture, as `uname -m` says it.", "\"x86_64\""),
    fact(
        "os.family",
        &Type::Text,
        "The family of distributions: `debian`, `redhat`, `suse`, `arch`, `alpine`, or the distribution's \
         own id.",
        "\"debian\"",
    ),
    fact("os.id", &Type::Text, "The distribution, in one lower-case word.", "\"ubuntu\""),
    fact("os.name", &Type::Text, "The distribution's name for people, without its version.", "\"Ubuntu\""),
    fact("os.version", NAME, "The version; null for distributions that have none.", "\"24.04\""),
    fact("os.codename", NAME, "The code name of the version; null if it has none.", "\"noble\""),
    fact("os.pretty_name", &Type::Text, "Name and version for people.", "\"Ubuntu 24.04.1 LTS\""),
    fact("kernel.name", &Type::Text, "The kernel, as `uname -s` says it.", "\"Linux\""),
    fact(
        "kernel.release",
        &Type::Text,
        "The kernel's release, as `uname -r` says it.",
        "\"6.8.0-45-generic\"",
    ),
    fact(
        "kernel.version",
        &Type::Text,
        "The kernel's build, as `uname -v` says it.",
        "\"#45-Ubuntu SMP PREEMPT_DYNAMIC\"",
    ),
    fact("cpu.count", &Type::Int(1, i64::MAX), "How many processors are online.", "8"),
    fact(
        "cpu.model",
        NAME,
        "The first processor's model; null if the kernel does not name it.",
        "\"AMD EPYC\"",
    ),
    fact("memory.total", SIZE, "Memory that the kernel can use, in bytes.", "16777216000"),
    fact("memory.swap", SIZE, "Swap space, in bytes.", "2147483648"),
    fact(
        "memory.available",
        SIZE,
        "Memory that programs could still get without swapping, in bytes. Compare it, as `load`.",
        "12884901888",
    ),
    fact(
        "disks",
        &Type::Map(&Type::Struct(DISK)),
        "The disks of the machine by their kernel name. Loop devices, memory disks and empty drives are left out.",
        "{ sda = { size = 256060514304, model = \"QEMU HARDDISK\", rotational = false, removable = false, read_only = false } }",
    ),
    fact(
        "mounts",
        &Type::Map(&Type::Struct(MOUNT)),
        "What is mounted, by mount point; of several on one, the last, which is the one that is seen.",
        "{ \"/\" = { device = \"/dev/sda1\", type = \"ext4\", options = [\"rw\", \"relatime\"] } }",
    ),
    fact(
        "product.vendor",
        NAME,
        "Who made the machine, as its firmware says; null if it does not.",
        "\"Dell Inc.\"",
    ),
    fact(
        "product.name",
        NAME,
        "What the machine is sold as, as its firmware says; null if it does not.",
        "\"PowerEdge R650\"",
    ),
    fact(
        "load.one",
        &Type::Float,
        "How many processes ran or waited for a disk, on average over the last minute. `uphold watch` looks at it \
         again and again: compare it, so that nothing depends on each of its values.",
        "0.42",
    ),
    fact("load.five", &Type::Float, "The same over the last five minutes.", "0.35"),
    fact("load.fifteen", &Type::Float, "The same over the last fifteen minutes.", "0.3"),
    fact(
        "init",
        &Type::Enum(INITS),
        "The init system that runs; below another root, the one that is installed. `none` where services \
         are nobody's task, as in most containers.",
        "\"systemd\"",
    ),
    fact(
        "package_manager",
        &Type::Nullable(&Type::Enum(PACKAGE_MANAGERS)),
        "The package manager that is installed, the distribution's own first; null if there is none.",
        "\"apt\"",
    ),
    fact(
        "virtualization",
        &Type::Enum(&["none", "vm", "container"]),
        "What the machine runs in, as well as can be told. A container in a virtual machine is a container.",
        "\"vm\"",
    ),
    fact("user.name", NAME, "The user that Uphold runs as; null if the account has no name.", "\"root\""),
    fact("user.uid", &Type::Int(0, u32::MAX as i64), "The user id that Uphold runs with.", "0"),
    fact(
        "user.home",
        NAME,
        "The home directory of that user's account; null if it has no account.",
        "\"/root\"",
    ),
    fact("is_root", &Type::Bool, "Whether Uphold runs as root.", "true"),
    fact(
        "users",
        &Type::Map(&Type::Struct(ACCOUNT)),
        "The accounts in `/etc/passwd` by name. Accounts from elsewhere, such as a directory service, are left out.",
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
        "The environment that Uphold was started with; variables that are not UTF-8 are left out. Some hold secrets, so \
         none is ever printed: `nonsensitive` shows one that may be seen, and `env(\"NAME\")` reads one by its name.",
        "{ HOME = (sensitive) }",
    ),
    fact(
        "is_running",
        &Type::Bool,
        "Whether this is the machine that runs. False below another root, where there are only the files of one.",
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
        "The machine's own IPv4 address: the one that the default route uses, else the first that is no \
         loopback or link-local one; null if there is none.",
        "\"192.0.2.2\"",
    ),
    fact(
        "network.ipv6",
        NAME,
        "The machine's own IPv6 address, found as for `network.ipv4`; temporary addresses are passed over. \
         Null if there is none.",
        "\"2001:db8::2\"",
    ),
    fact(
        "network.gateway",
        NAME,
        "The router of the default route: IPv4's, else IPv6's; null if there is none.",
        "\"192.0.2.1\"",
    ),
    fact(
        "network.default_interface",
        NAME,
        "The interface of the default route: IPv4's, else IPv6's; null if there is none.",
        "\"eth0\"",
    ),
];

/// Text, or null where there is none.
const NAME: &Type = &Type::Nullable(&Type::Text);

/// Bytes.
const SIZE: &Type = &Type::Int(0, i64::MAX);

const WEEKDAYS: &[&str] = &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

const INITS: &[&str] =
    &["systemd", "openrc", "sysvinit", "runit", "s6", "dinit", "upstart", "busybox", "none"];

const PACKAGE_MANAGERS: &[&str] =
    &["apt", "dnf", "yum", "microdnf", "tdnf", "zypper", "pacman", "apk", "portage", "xbps", "opkg", "nix"];

/// What `network.interfaces` says about each.
const INTERFACE: &[PropertySchema] = &[
    member("mac", NAME, "The hardware address; null if it has none."),
    member("mtu", SIZE, "The largest packet, in bytes."),
    member("up", &Type::Bool, "Whether it is switched on."),
    member("addresses", &Type::List(&Type::Text), "Its addresses with their prefix lengths, IPv4 first."),
];

/// What `disks` says about each.
const DISK: &[PropertySchema] = &[
    member("size", SIZE, "How much it holds, in bytes."),
    member("model", NAME, "Its model; null if the kernel does not know."),
    member("rotational", &Type::Bool, "Whether it turns."),
    member("removable", &Type::Bool, "Whether it can be taken out."),
    member("read_only", &Type::Bool, "Whether it cannot be written."),
];

/// What `mounts` says about each.
const MOUNT: &[PropertySchema] = &[
    member("device", &Type::Text, "What is mounted: a device, a share, or the file system's own word."),
    member("type", &Type::Text, "The type of the file system."),
    member("options", &Type::List(&Type::Text), "How it is mounted."),
];

/// What `users` says about each.
const ACCOUNT: &[PropertySchema] = &[
    member("uid", ID, "The user id."),
    member("gid", ID, "The id of the primary group."),
    member("home", &Type::Text, "The home directory."),
    member("shell", &Type::Text, "The login shell; empty if the file names none."),
];

/// What `groups` says about each.
const GROUP: &[PropertySchema] = &[
    member("gid", ID, "The group id."),
    member(
        "members",
        &Type::List(&Type::Text),
        "Those who belong to it besides those whose primary group it is.",
    ),
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

/// Those that stay as they are for as long as the machine and this process run. What a clock that is corrected does to
/// `boot_time` is no change.
const STEADY: &[&str] = &[
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

/// Whether a fact can change while the machine runs, so that who holds a machine must ask again.
pub fn is_live_fact(name: &str) -> bool {
    !STEADY.contains(&name)
}

/// There is no fact of this name; says which one may be meant.
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
    fn what_is_steady_is_a_fact() {
        for name in STEADY {
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
