//! The init system.

use uphold_resource::{Result, Value};

use super::machine::{Machine, kernel_hint};

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
