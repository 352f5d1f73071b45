//! The package manager.

use uphold_resource::{Result, Value};

use super::machine::{Machine, nullable};
use super::release::Release;

/// Package managers, each with its family of distributions and its program. Newer ones come before those that they replace.
const MANAGERS: &[(&str, &str, &str)] = &[
    ("apt", "debian", "/usr/bin/apt-get"),
    ("dnf", "redhat", "/usr/bin/dnf"),
    ("tdnf", "redhat", "/usr/bin/tdnf"),
    ("yum", "redhat", "/usr/bin/yum"),
    ("microdnf", "redhat", "/usr/bin/microdnf"),
    ("zypper", "suse", "/usr/bin/zypper"),
    ("pacman", "arch", "/usr/bin/pacman"),
    ("apk", "alpine", "/sbin/apk"),
    ("apk", "alpine", "/usr/bin/apk"),
    ("portage", "gentoo", "/usr/bin/emerge"),
    ("xbps", "void", "/usr/bin/xbps-install"),
    ("opkg", "openwrt", "/bin/opkg"),
    ("opkg", "openwrt", "/usr/bin/opkg"),
    ("nix", "nixos", "/run/current-system/sw/bin/nix"),
];

/// The family's own if it is installed, else the first installed one.
pub(super) fn package_manager(machine: &Machine<'_>) -> Result<Value> {
    let family = machine.release().map(Release::family).unwrap_or_default();
    let (own, others): (Vec<_>, Vec<_>) = MANAGERS.iter().partition(|(_, of, _)| *of == family);
    let found = own.into_iter().chain(others).find(|(_, _, program)| machine.has_program(program));
    Ok(nullable(found.map(|(manager, _, _)| manager)))
}
