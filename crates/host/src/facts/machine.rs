//! Sources of facts.

use std::path::Path;
use std::time::SystemTime;

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};
use rustix::fs::{FileType, OFlags};
use uphold_resource::{EntryKind, Error, ErrorKind, Result, User, Value};

use crate::accounts::AccountFiles;
use crate::cached_result::CachedResult;
use crate::look;
use crate::root::Root;

use super::network::Network;
use super::release::Release;

/// The machine for readers of facts: the files of the root, and the running kernel.
pub(super) struct Machine<'a> {
    pub(super) root: &'a Root,
    pub(super) accounts: &'a AccountFiles,
    pub(super) sources: &'a Sources,
}

/// Data that several facts use, cached so that they are consistent.
#[derive(Default)]
pub(super) struct Sources {
    release: CachedResult<Release>,
    network: CachedResult<Network>,
    now: CachedResult<Zoned>,
}

impl Machine<'_> {
    /// Whether this is the running machine, not a directory that contains one.
    pub(super) fn is_running(&self) -> bool {
        self.root.under().is_none()
    }

    /// The text of a file of the root; `None` if it does not exist.
    pub(super) fn file(&self, path: &str) -> Result<Option<String>> {
        text(self.root, path)
    }

    /// Whether `path` exists in the root. Links are followed.
    pub(super) fn has(&self, path: &str) -> bool {
        self.root.follow(Path::new(path), OFlags::PATH).is_ok()
    }

    /// Whether `path` is a program in the root. Links are followed.
    pub(super) fn has_program(&self, path: &str) -> bool {
        let stat = self.root.follow(Path::new(path), OFlags::PATH).and_then(rustix::fs::fstat);
        stat.is_ok_and(|stat| {
            FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile && stat.st_mode & 0o111 != 0
        })
    }

    /// The target of the link at `path`; `None` if it is not a link.
    pub(super) fn link(&self, path: &str) -> Result<Option<String>> {
        let entry = look::look(self.root, Path::new(path))?;
        Ok(entry.and_then(|entry| match entry.kind {
            EntryKind::Link(target) => Some(target.to_string_lossy().into_owned()),
            _ => None,
        }))
    }

    /// The root's os-release file.
    pub(super) fn release(&self) -> Result<&Release> {
        self.sources.release.get(|| Release::read(self))
    }

    /// The interfaces and routes of the running kernel.
    pub(super) fn network(&self) -> Result<&Network> {
        self.sources.network.get(Network::read)
    }

    /// The local time of the machine, as of the first call.
    pub(super) fn now(&self) -> Result<&Zoned> {
        self.sources.now.get(|| now(self))
    }

    /// The account that Uphold runs as.
    pub(super) fn user(&self) -> Result<Option<User>> {
        self.accounts.user_by_id(self.root, rustix::process::geteuid().as_raw())
    }
}

/// The text of a file of the running kernel, such as `/proc/meminfo`.
pub(super) fn kernel_file(path: &str) -> Result<String> {
    let missing = || Error::new(ErrorKind::Missing, format!("{path} does not exist"));
    text(&Root::machine(), path)?.ok_or_else(missing)
}

/// The same; empty if it cannot be read. For hints that may be missing.
pub(super) fn kernel_hint(path: &str) -> String {
    kernel_file(path).unwrap_or_default()
}

/// A string, or null.
pub(super) fn nullable(text: Option<impl Into<String>>) -> Value {
    text.map_or(Value::Null, |text| Value::from(text.into()))
}

fn text(root: &Root, path: &str) -> Result<Option<String>> {
    match look::read_followed(root, Path::new(path)) {
        Ok(content) => Ok(Some(String::from_utf8_lossy(&content).into_owned())),
        Err(error) if error.kind() == ErrorKind::Missing => Ok(None),
        Err(error) => Err(error),
    }
}

// The init system.

/// Init systems by the name of process 1.
const FIRST_PROCESSES: &[(&str, &str)] = &[
    ("systemd", "systemd"),
    ("openrc-init", "openrc"),
    ("runit", "runit"),
    ("runit-init", "runit"),
    ("s6-svscan", "s6"),
    ("dinit", "dinit"),
    ("upstart", "upstart"),
];

/// Init systems by their programs, if `/sbin/init` does not identify one.
const PROGRAMS: &[(&str, &str)] = &[
    ("/sbin/openrc", "openrc"),
    ("/sbin/runit-init", "runit"),
    ("/usr/bin/runit-init", "runit"),
    ("/sbin/dinit", "dinit"),
    ("/usr/bin/s6-svscan", "s6"),
];

pub(super) fn init(machine: &Machine<'_>) -> Result<Value> {
    let word = if machine.is_running() { running(machine)? } else { installed(machine)? };
    Ok(Value::from(word))
}

/// The init system that runs as process 1. Some create a directory to show that they run.
fn running(machine: &Machine<'_>) -> Result<&'static str> {
    if machine.has("/run/systemd/system") {
        return Ok("systemd");
    }
    if machine.has("/run/openrc/softlevel") {
        return Ok("openrc");
    }
    let first = kernel_hint("/proc/1/comm");
    match first.trim() {
        // Most of them use this name, so the installed one runs.
        "init" => installed(machine),
        first => Ok(known(FIRST_PROCESSES, |name| name == first).unwrap_or("none")),
    }
}

/// The init system that `/sbin/init` leads to, or whose programs are installed.
fn installed(machine: &Machine<'_>) -> Result<&'static str> {
    let target = machine.link("/sbin/init")?.unwrap_or_default();
    let program = target.rsplit('/').next().unwrap_or_default();
    if let Some(word) = known(FIRST_PROCESSES, |name| name == program) {
        return Ok(word);
    }
    if let Some(word) = known(PROGRAMS, |path| machine.has_program(path)) {
        return Ok(word);
    }
    if !machine.has_program("/sbin/init") {
        return Ok("none");
    }
    Ok(if program == "busybox" { "busybox" } else { "sysvinit" })
}

fn known(table: &[(&'static str, &'static str)], test: impl Fn(&str) -> bool) -> Option<&'static str> {
    table.iter().find(|(sign, _)| test(sign)).map(|(_, word)| *word)
}

// The local time of the machine.

pub(super) fn date(machine: &Machine<'_>) -> Result<Value> {
    machine.now().map(|now| Value::from(now.date().to_string()))
}

pub(super) fn hour(machine: &Machine<'_>) -> Result<Value> {
    machine.now().map(|now| Value::Int(now.hour().into()))
}

pub(super) fn minute(machine: &Machine<'_>) -> Result<Value> {
    machine.now().map(|now| Value::Int(now.minute().into()))
}

pub(super) fn weekday(machine: &Machine<'_>) -> Result<Value> {
    machine.now().map(|now| Value::from(format!("{:?}", now.weekday()).to_lowercase()))
}

/// The current time in the zone of the machine.
pub(super) fn now(machine: &Machine<'_>) -> Result<Zoned> {
    let now = Timestamp::try_from(SystemTime::now());
    let now = now.map_err(|error| Error::failed("the clock is out of range").because(error))?;
    Ok(now.to_zoned(zone(machine)?))
}

/// The zone by `localtime(5)`: the rules are in the file; UTC without one.
fn zone(machine: &Machine<'_>) -> Result<TimeZone> {
    const FILE: &str = "/etc/localtime";
    match look::read_followed(machine.root, Path::new(FILE)) {
        Ok(rules) => TimeZone::tzif(FILE, &rules).map_err(|error| {
            Error::failed(format!("{FILE} is not a time zone file"))
                .hint("make it a link to a file below /usr/share/zoneinfo")
                .because(error)
        }),
        Err(error) if error.kind() == ErrorKind::Missing => Ok(TimeZone::UTC),
        Err(error) => Err(error),
    }
}
