//! The distribution, from its os-release file, and its package manager.

use std::collections::HashMap;

use uphold_resource::{Error, ErrorKind, Result, Value};

use super::machine::{Machine, nullable};

/// The paths of os-release, as in `os-release(5)`.
const FILES: &[&str] = &["/etc/os-release", "/usr/lib/os-release"];

/// The ids of each family. `ID_LIKE` is looked up here, too.
const FAMILIES: &[(&str, &[&str])] = &[
    ("debian", &["debian", "ubuntu", "raspbian", "linuxmint", "devuan", "kali"]),
    ("redhat", &["rhel", "fedora", "centos", "rocky", "almalinux", "ol", "amzn", "azurelinux", "mariner"]),
    ("suse", &["suse", "sles", "sle-micro", "opensuse", "opensuse-leap", "opensuse-tumbleweed"]),
    ("arch", &["arch", "archarm", "manjaro"]),
    ("alpine", &["alpine", "postmarketos"]),
    ("gentoo", &["gentoo"]),
];

/// The assignments in os-release.
pub(super) struct Release(HashMap<String, String>);

pub(super) fn family(machine: &Machine<'_>) -> Result<Value> {
    Ok(Value::from(machine.release()?.family()))
}

pub(super) fn id(machine: &Machine<'_>) -> Result<Value> {
    Ok(Value::from(machine.release()?.id()))
}

pub(super) fn name(machine: &Machine<'_>) -> Result<Value> {
    Ok(Value::from(machine.release()?.get("NAME").unwrap_or("Linux")))
}

pub(super) fn version(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.release()?.get("VERSION_ID")))
}

pub(super) fn codename(machine: &Machine<'_>) -> Result<Value> {
    Ok(nullable(machine.release()?.get("VERSION_CODENAME")))
}

pub(super) fn pretty_name(machine: &Machine<'_>) -> Result<Value> {
    Ok(Value::from(machine.release()?.get("PRETTY_NAME").unwrap_or("Linux")))
}

impl Release {
    pub(super) fn read(machine: &Machine<'_>) -> Result<Self> {
        for path in FILES {
            if let Some(text) = machine.file(path)? {
                return Ok(Self::parse(&text));
            }
        }
        let what = format!("neither {} exists", FILES.join(" nor "));
        Err(Error::new(ErrorKind::Missing, what).hint("install the distribution's base files"))
    }

    fn parse(text: &str) -> Self {
        let assignments = text.lines().filter_map(|line| line.trim().split_once('='));
        Self(assignments.map(|(key, value)| (key.to_owned(), unquoted(value))).collect())
    }

    /// The value, unless it is empty.
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str).filter(|value| !value.is_empty())
    }

    fn id(&self) -> &str {
        self.get("ID").unwrap_or("linux")
    }

    /// The family of the id, else of the ids in `ID_LIKE`, in their order.
    pub(super) fn family(&self) -> &str {
        let like = self.get("ID_LIKE").unwrap_or_default().split_whitespace();
        let family = |id: &str| FAMILIES.iter().find(|(_, ids)| ids.contains(&id)).map(|(family, _)| *family);
        std::iter::once(self.id()).chain(like).find_map(family).unwrap_or(self.id())
    }
}

/// A value without quotes and backslashes, as a shell reads it.
fn unquoted(value: &str) -> String {
    let value = value.trim();
    if let Some(inner) = value.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        return inner.to_owned();
    }
    let inner = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(value);
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.chars();
    while let Some(character) = characters.next() {
        text.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    text
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removes_quotes() {
        let check = |value: &str, expected: &str| assert_eq!(unquoted(value), expected);
        check("debian", "debian");
        check("\"Debian GNU/Linux\"", "Debian GNU/Linux");
        check("'it''s'", "it''s");
        check(r#""a \"b\" \$c \\""#, r#"a "b" $c \"#);
        check("\"", "\"");
        check("", "");
    }

    #[test]
    fn finds_the_family() {
        let check =
            |text: &str, expected: &str| assert_eq!(Release::parse(text).family(), expected, "{text}");
        check("ID=debian\n", "debian");
        check("ID=pop\nID_LIKE=\"ubuntu debian\"\n", "debian");
        check("ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "redhat");
        check("ID=\"opensuse-leap\"\nID_LIKE=\"suse opensuse\"\n", "suse");
        check("ID=endeavouros\nID_LIKE=arch\n", "arch");
        check("ID=alpine\n", "alpine");
        check("# ID=debian\nID=nixos\n", "nixos");
        check("NAME=Strange\n", "linux");
    }
}
