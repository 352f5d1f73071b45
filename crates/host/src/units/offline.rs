//! Unit files where systemd does not run, and all changes of their links: through `systemctl`.

use std::time::Duration;

use uphold_resource::{Command, Error, ErrorKind, Output, Result, Stop, Unit, UnitFileChange, UnitFileState};

use super::status::file_state;
use crate::process;
use crate::root::Root;

/// Timeout of `systemctl`, which only reads files or writes a few links.
const LIMIT: Duration = Duration::from_secs(60);

/// The state of a unit where systemd does not run.
pub(super) fn look(root: &Root, name: &str, stop: &Stop) -> Result<Unit> {
    let file_state = is_enabled(root, name, true, stop)?;
    Ok(Unit { activity: None, file_state, fragment: None, is_stale: false })
}

/// The result of `systemctl is-enabled`, which includes init scripts.
pub(super) fn is_enabled(root: &Root, name: &str, offline: bool, stop: &Stop) -> Result<UnitFileState> {
    let output = systemctl(root, &["is-enabled", name], offline, stop)?;
    let state = String::from_utf8_lossy(&output.stdout);
    let error = String::from_utf8_lossy(&output.stderr);
    match state.trim() {
        "" if error.contains("No such file") || error.contains("not-found") => Ok(UnitFileState::Missing),
        "" if !output.success() => Err(refused(&format!("cannot read the state of {name}"), &error)),
        word => Ok(file_state(word)),
    }
}

/// Changes the links of a unit. A running systemd does not load the change yet.
pub(super) fn change(
    root: &Root,
    change: UnitFileChange,
    name: &str,
    offline: bool,
    stop: &Stop,
) -> Result<()> {
    let output = systemctl(root, &["--no-reload", change.word(), name], offline, stop)?;
    if output.success() {
        return Ok(());
    }
    Err(refused(&format!("cannot {} {name}", change.word()), &String::from_utf8_lossy(&output.stderr)))
}

fn refused(what: &str, why: &str) -> Error {
    let is_missing = why.contains("does not exist") || why.contains("No such file");
    let kind = if is_missing { ErrorKind::Missing } else { ErrorKind::Rejected };
    Error::new(kind, what).because(why.trim().to_owned())
}

fn systemctl(root: &Root, args: &[&str], offline: bool, stop: &Stop) -> Result<Output> {
    let mut command =
        Command::new("systemctl", ["--no-ask-password", "--no-pager"].iter().chain(args).copied());
    command.env.insert("LC_ALL".to_owned(), "C".to_owned());
    if offline {
        command.env.insert("SYSTEMD_OFFLINE".to_owned(), "1".to_owned());
    }
    command.timeout = Some(LIMIT);
    process::run(root, &command, stop)
}
