//! The environment of this process.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use uphold_resource::{Error, ErrorKind, Result, User};

use super::io_error::io_error;

/// An environment variable; `None` if it is not set, or not UTF-8.
pub fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// All variables whose names begin with `prefix`, as full names and values, sorted.
///
/// # Errors
/// If one of them is not UTF-8: ignoring it would silently do something else than requested.
pub fn environment_with_prefix(prefix: &str) -> Result<Vec<(String, String)>> {
    let all = std::env::vars_os();
    let found = all.filter(|(name, _)| name.as_bytes().starts_with(prefix.as_bytes()));
    let read = found.map(|(name, value)| match (name.into_string(), value.into_string()) {
        (Ok(name), Ok(value)) => Ok((name, value)),
        (Ok(name), Err(_)) => Err(not_utf8(&name)),
        (Err(name), _) => Err(not_utf8(&name.to_string_lossy())),
    });
    let mut variables = read.collect::<Result<Vec<_>>>()?;
    variables.sort_unstable();
    Ok(variables)
}

/// The prefix of variables that set params. They are the documented way to pass a secret, so no command inherits them.
pub const PARAM_VARIABLES: &str = "UPHOLD_PARAM_";

/// Variables of the service manager for Uphold alone: a process that has them can act as Uphold towards it.
const OF_SERVICE_MANAGER: [&str; 6] =
    ["NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_FDNAMES", "LISTEN_FDS", "LISTEN_PID"];

/// Removes variables that are for Uphold alone from the environment of `command`.
pub(crate) fn keep_own_variables(command: &mut std::process::Command) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| is_own(name)) {
        command.env_remove(name);
    }
}

/// Variables that a command keeps when it runs as another user: they describe the machine and the terminal, not the user
/// that runs Uphold. Names that begin with `LC_` are kept, too.
const OF_MACHINE: [&str; 13] = [
    "PATH",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "http_proxy",
    "https_proxy",
    "ftp_proxy",
    "no_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "FTP_PROXY",
    "NO_PROXY",
];

/// Gives `command` the environment of another user: that of the machine, and `HOME`, `USER`, `LOGNAME` and `SHELL` of the
/// account. A user without an account gets the home directory `/` and no name.
pub(crate) fn use_account(command: &mut std::process::Command, account: Option<&User>) {
    command.env_clear();
    command.envs(std::env::vars_os().filter(|(name, _)| is_of_machine(name)));
    let Some(account) = account else {
        command.env("HOME", "/").env("SHELL", USUAL_SHELL);
        return;
    };
    let given = !account.shell.as_os_str().is_empty();
    command.env("SHELL", if given { account.shell.as_path() } else { Path::new(USUAL_SHELL) });
    command.env("HOME", &account.home).env("USER", &account.name).env("LOGNAME", &account.name);
}

/// The login shell of an account without one.
const USUAL_SHELL: &str = "/bin/sh";

fn is_of_machine(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b"LC_") || OF_MACHINE.iter().any(|kept| name == OsStr::new(kept))
}

fn is_own(name: &OsStr) -> bool {
    name.as_bytes().starts_with(PARAM_VARIABLES.as_bytes())
        || OF_SERVICE_MANAGER.iter().any(|own| name == OsStr::new(own))
}

fn not_utf8(name: &str) -> Error {
    let what = format!("the environment variable {name} is not UTF-8");
    Error::new(ErrorKind::Invalid, what).hint("set it to a string in UTF-8, or unset it")
}

/// The current directory, which relative paths on the command line are relative to.
///
/// # Errors
/// If it was removed or is not accessible.
pub fn current_directory() -> Result<PathBuf> {
    std::env::current_dir().map_err(|error| io_error("find the current directory", Path::new("."), error))
}

/// The path of the program that this process runs.
///
/// # Errors
/// If the system does not report it, as without `/proc`.
pub fn current_program() -> Result<PathBuf> {
    std::env::current_exe()
        .map_err(|error| Error::failed("cannot find the path of this program").because(error))
}
