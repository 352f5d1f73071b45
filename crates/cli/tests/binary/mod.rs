//! Runs the real binary.

mod run;

use std::process::Command;

pub(crate) use run::Run;

/// Runs `uphold` with these arguments. Commands that need a state directory fail, because this one cannot be created.
pub(crate) fn uphold<S: AsRef<std::ffi::OsStr>>(arguments: impl IntoIterator<Item = S>) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
    Run::of(command.args(arguments).env("UPHOLD_STATE", "/dev/null/state"))
}
