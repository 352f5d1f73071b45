//! The init system.

use uphold_resource::{Result, Value};

use super::machine::{Machine, kernel_hint};

/// Process 1 under one of these names is that init system.
const FIRST_PROCESSES: &[(&str, &str)] = &[
    ("systemd", "systemd"),
    ("openrc-init", "openrc"),
    ("runit", "runit"),
    ("runit-init", "runit"),
    ("s6-svscan", "s6"),
    ("dinit", "dinit"),
    ("upstart", "upstart"),
];

/// A root with one of these programs has that init system, if `/sbin/init` does not say.
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

/// What runs as process 1. The directories are the systems' own signs that they are in charge.
fn running(machine: &Machine<'_>) -> Result<&'static str> {
    if machine.has("/run/systemd/system") {
        return Ok("systemd");
    }
    if machine.has("/run/openrc/softlevel") {
        return Ok("openrc");
    }
    let first = kernel_hint("/proc/1/comm");
    match first.trim() {
        // The name that most of them run under: then what is installed runs.
        "init" => installed(machine),
        first => Ok(known(FIRST_PROCESSES, |name| name == first).unwrap_or("none")),
    }
}

/// What `/sbin/init` leads to, or what is there for it to start.
fn installed(machine: &Machine<'_>) -> Result<&'static str> {
    let target = machine.link("/sbin/init")?.unwrap_or_default();
    let program = target.rsplit('/').next().unwrap_or_default();
    if let Some(word) = known(FIRST_PROCESSES, |name| name == program) {
        return Ok(word);
    }
    if let Some(word) = known(PROGRAMS, |path| machine.has_program(path)) {
        return Ok(word);
    }
    match machine.has_program("/sbin/init") {
        true if program == "busybox" => Ok("busybox"),
        true => Ok("sysvinit"),
        false => Ok("none"),
    }
}

fn known(table: &[(&'static str, &'static str)], test: impl Fn(&str) -> bool) -> Option<&'static str> {
    table.iter().find(|(sign, _)| test(sign)).map(|(_, word)| *word)
}
