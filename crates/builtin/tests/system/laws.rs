//! The laws of the system kinds.

use uphold_builtin::{Hostname, KernelModule, Locale, Sysctl, Timezone};
use uphold_resource::Value;
use uphold_testkit::{Subject, Wish, laws};

use super::system_tools::{map, world};

mod sysctl {
    use super::*;

    uphold_testkit::laws! {
        Sysctl,
        world: |host| world(host).file("/etc/shared.conf", "# mine\nnet.range = 3 4\n", 0o644),
        wishes: [
            { "net.forward", value = 1 },
            { "net.forward", value = "2" },
            { "net.forward", persistent = 7 },
            { "net.range", value = Value::list([Value::Int(5), Value::Int(6)]), file = "/etc/shared.conf" },
            { "net/range", value = 7, file = "/etc/shared.conf" },
            { "net.unknown", value = 1, ignore_unknown = true },
        ],
        drift: [
            |host| host.tamper("/proc/sys/net/forward", "9\n"),
            |host| host.tamper("/etc/shared.conf", "net.range = 7\n"),
        ],
        side_effects: ["/etc/sysctl.d"],
    }
}

mod kernel_module {
    use super::*;

    uphold_testkit::laws! {
        KernelModule,
        world: |host| {
            let host = world(host).directory("/sys/module/ext4", 0o755);
            host.directory("/etc/modprobe.d", 0o755).directory("/etc/modules-load.d", 0o755)
        },
        wishes: [
            { "dummy" },
            { "dummy", parameters = map(&[("numdummies", "2"), ("quiet", "")]) },
            { "dummy", loaded = false, parameters = map(&[("numdummies", "3")]) },
            { "dummy", persistent = false },
            { "dummy", blacklisted = true },
            { "dummy", loaded = true, blacklisted = true },
            { "ext4" },
        ],
        drift: [
            |host| host.tamper("/etc/modules-load.d/dummy.conf", ""),
            |host| host.tamper("/etc/modprobe.d/dummy.conf", ""),
        ],
        side_effects: ["/sys", "/lib"],
    }
}

mod locale {
    use super::*;

    uphold_testkit::laws! {
        Locale,
        world: world,
        wishes: [
            { "C.UTF-8" },
            { "de_AT.UTF-8", lc = map(&[("LC_TIME", "C")]), language = "de:en" },
            { "de_AT.UTF-8", lc = map(&[("LC_PAPER", "fr_FR.utf8")]), language = Value::Null },
            { "de_AT.UTF-8", lc = map(&[]) },
        ],
        drift: [
            |host| host.tamper("/etc/default/locale", "LANG=C\n"),
            |host| host.tamper("/etc/locale.gen", ""),
            |host| host.tamper("/usr/lib/locale/locale-archive", "C\n"),
        ],
        side_effects: ["/usr/share/i18n"],
        unreadable: ["generated"],
    }
}

/// All laws that a subject breaks, other than the one about unset properties: for kinds of which there is only one,
/// the name determines their defaults.
fn broken(subject: &Subject) -> Vec<String> {
    let broken = laws::broken_by(subject).into_iter();
    broken
        .filter(|broken| broken.law != "an_unset_property_survives")
        .map(|broken| broken.to_string())
        .collect()
}

#[test]
fn a_hostname_keeps_all_laws_but_unset_properties() {
    let subject = Subject::of::<Hostname>()
        .world(world)
        .wish(Wish::named("web1"))
        .wish(Wish::named("web1.example.org").set("in_hosts", true).set("pretty", "The Web"))
        .wish(Wish::named("web1.example.org").set("pretty", Value::Null).set("persistent", "web2"))
        .wish(Wish::named("web1.example.org").set("in_hosts", false).set("runtime", "web3"))
        .drift(|host| host.tamper("/etc/hostname", "x\n"))
        .drift(|host| host.tamper("/etc/hosts", ""))
        .drift(|host| host.tamper("/etc/machine-info", ""))
        .drift(|host| host.tamper("/proc/sys/kernel/hostname", "x\n"));
    assert_eq!(broken(&subject), [""; 0]);
}

#[test]
fn a_timezone_keeps_all_laws_but_unset_properties() {
    let subject = Subject::of::<Timezone>()
        .world(|host| world(host).link("/etc/localtime", "/usr/share/zoneinfo/UTC"))
        .wish(Wish::named("Europe/Vienna"))
        .wish(Wish::named("UTC").set("localtime", Value::Null))
        .wish(Wish::named("UTC").set("etc_timezone", Value::Null))
        .wish(Wish::named("UTC").set("etc_timezone", "Europe/Vienna").set("localtime", "Europe/Vienna"))
        .side_effect("/usr/share/zoneinfo")
        .drift(|host| host.delete("/etc/localtime"))
        .drift(|host| host.tamper("/etc/timezone", "x"));
    assert_eq!(broken(&subject), [""; 0]);
}
