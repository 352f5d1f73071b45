//! Execution of commands.

use std::ffi::OsStr;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use tracing::debug;
use uphold_resource::{Command, Error, ErrorKind, Excess, Exit, Output, Result, STDOUT_LIMIT, Stop};

use crate::accounts::AccountFiles;
use crate::child_io::{ChildIo, EndedFor};
use crate::isolation::in_own_session;
use crate::root::Root;
use crate::trust::check_trusted_in;
use crate::{chroot, environment, secret_script};

use super::calls;
use super::io_error::current_user;

/// The search path when `PATH` is not set.
const USUAL_PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// Runs a command inside `root` until it ends.
///
/// # Guarantees
/// - It has its own session, so no terminal, and its own process group, which gets SIGTERM after the timeout, then SIGKILL.
/// - The same happens when the run is stopped.
/// - Output is read continuously, so no full pipe blocks it. Beyond the limits only its end is kept. Standard output that is
///   data and exceeds its limit is an error, and ends the command in the same way, because it may write without end.
/// - A process that it leaves behind with our pipe open is killed and does not delay us. One that closed the pipes, as a
///   daemon does, lives on.
pub(crate) fn run(root: &Root, command: &Command, stop: &Stop) -> Result<Output> {
    let mut prepared = prepare(root, command)?;
    prepared.stdin(if command.stdin.is_some() { Stdio::piped() } else { Stdio::null() });
    prepared.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = prepared.spawn().map_err(|error| cannot_start(command, error))?;
    // Arguments and variables may contain secrets, so they are not logged.
    let (program, pid) = (Path::new(&command.program).file_name(), child.id());
    debug!(?program, pid, "command started");
    let heard = ChildIo::begin(child, command, stop).and_then(ChildIo::finish).map_err(|error| {
        Error::failed(format!("lost contact with the command {}", command.program)).because(error)
    })?;
    let exit = match heard.ended_for {
        Some(EndedFor::Timeout) => Exit::TimedOut,
        Some(EndedFor::Excess) => return Err(too_much(command)),
        None => exit(heard.status),
    };
    if heard.stdout.dropped > 0 && command.excess == Excess::Refuse && matches!(exit, Exit::Code(_)) {
        return Err(too_much(command));
    }
    debug!(?program, pid, ?exit, "command ended");
    let dropped = heard.stdout.dropped + heard.stderr.dropped;
    let output = Output { exit, stdout: heard.stdout.bytes, stderr: heard.stderr.bytes, dropped };
    match root.under() {
        Some(under) => chroot::refused(under, command, output),
        None => Ok(output),
    }
}

/// The error for data whose beginning is missing.
fn too_much(command: &Command) -> Error {
    let mib = STDOUT_LIMIT >> 20;
    let what = format!("{} wrote more than {mib} MiB to standard output", command.program);
    Error::new(ErrorKind::Rejected, what).hint("make it write less, or write to a file")
}

/// Prepares a command that runs inside `root` and in its own session. The caller sets its pipes.
pub(crate) fn prepare(root: &Root, command: &Command) -> Result<std::process::Command> {
    let concealed = command.secret_script.then(|| secret_script::conceal(command)).transpose()?;
    let command = concealed.as_ref().unwrap_or(command);
    let mut prepared = match root.under() {
        Some(under) => chroot::prepare(root, under, command)?,
        None => on_this_machine(command)?,
    };
    environment::keep_own_variables(&mut prepared);
    if let Some(uid) = other_user(command) {
        let account = AccountFiles::default().user_by_id(root, uid)?;
        environment::use_account(&mut prepared, account.as_ref());
    }
    prepared.envs(&command.env);
    in_own_session(&mut prepared).map_err(|error| cannot_start(command, error))?;
    Ok(prepared)
}

/// The user that a command runs as, if it is not the one that runs Uphold. The commands of the name service have none, so
/// that the lookup of an account starts no other lookup.
fn other_user(command: &Command) -> Option<u32> {
    let own = rustix::process::geteuid().as_raw();
    command.run_as.map(|(uid, _)| uid).filter(|uid| *uid != own)
}

fn on_this_machine(command: &Command) -> Result<std::process::Command> {
    // The checked path is executed, because the name may lead elsewhere by then.
    let trusted = find(command).filter(|_| command.only_trusted);
    if let Some(path) = &trusted {
        check_program(&Root::machine(), path, command)?;
    }
    let program = trusted.as_deref().map_or(OsStr::new(&command.program), Path::as_os_str);
    let mut prepared = std::process::Command::new(program);
    prepared.args(&command.args);
    if let Some(dir) = &command.dir {
        prepared.current_dir(dir);
    }
    if let Some((uid, gid)) = command.run_as {
        prepared.uid(uid).gid(gid);
    }
    Ok(prepared)
}

/// Refuses a program that other users can have written.
pub(crate) fn check_program(root: &Root, path: &Path, command: &Command) -> Result<()> {
    check_trusted_in(root, path).map_err(|error| error.while_(format!("cannot run {}", command.program)))
}

fn exit(status: ExitStatus) -> Exit {
    match (status.code(), status.signal()) {
        (Some(code), _) => Exit::Code(code),
        (None, Some(signal)) => Exit::Signal(signal),
        // Only a stopped process has neither, and we do not wait for those.
        (None, None) => Exit::Code(-1),
    }
}

/// The error for a command that did not start. Names the cause, which the system does not: program, interpreter, directory
/// or user.
pub(crate) fn cannot_start(command: &Command, error: std::io::Error) -> Error {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    let program = &command.program;
    let what = format!("cannot run {program}");
    if let Some(dir) = command.dir.as_deref().filter(|dir| !dir.is_dir()) {
        return no_directory(&what, dir);
    }
    match error.kind() {
        NotFound if exists(command) => Error::new(
            ErrorKind::Missing,
            format!("{what}: the interpreter in its first line does not exist"),
        ),
        NotFound => no_program(program),
        // For a directory in PATH that we may not enter, the system reports "denied" instead of "not found".
        PermissionDenied if !program.contains('/') && !exists(command) => no_program(program),
        PermissionDenied if command.run_as.is_some() && !rustix::process::geteuid().is_root() => {
            Error::new(ErrorKind::Denied, format!("{what} as another user"))
                .hint("run Uphold as root")
                .because(error)
        }
        PermissionDenied if is_without_permission(command) => {
            Error::new(ErrorKind::Denied, format!("{what}: it is not executable"))
                .hint(format!("make it executable: chmod +x {program}"))
        }
        PermissionDenied if command.run_as.is_none() => Error::new(ErrorKind::Denied, what)
            .hint(format!("Uphold runs as {}: check that this user may execute it", current_user()))
            .because(error),
        PermissionDenied => Error::new(ErrorKind::Denied, what).because(error),
        _ => Error::failed(what).because(error),
    }
}

/// Whether the program exists, at its path or in `PATH`.
fn exists(command: &Command) -> bool {
    if command.program.contains('/') {
        command.dir.as_deref().unwrap_or(Path::new(".")).join(&command.program).exists()
    } else {
        search_path(command).iter().any(|directory| directory.join(&command.program).exists())
    }
}

/// Whether the program is a file without execute permission.
fn is_without_permission(command: &Command) -> bool {
    let path = command.dir.as_deref().unwrap_or(Path::new(".")).join(&command.program);
    command.program.contains('/') && path.is_file() && !is_executable(&path)
}

/// The directories in which a command's program is searched.
pub(crate) fn search_path(command: &Command) -> Vec<PathBuf> {
    let inherited = std::env::var_os("PATH");
    let path = command.env.get("PATH").map(OsStr::new).or(inherited.as_deref());
    std::env::split_paths(path.unwrap_or(OsStr::new(USUAL_PATH))).collect()
}

/// The error for a program that does not exist.
fn no_program(program: &str) -> Error {
    let what = if program.contains('/') {
        format!("cannot run {program}: it does not exist")
    } else {
        format!("cannot run {program}: no such program in PATH")
    };
    Error::new(ErrorKind::Missing, what).hint("install it, or give its path")
}

/// The error for a missing working directory.
pub(crate) fn no_directory(what: &str, dir: &Path) -> Error {
    let what = format!("{what}: the working directory {} does not exist", dir.display());
    Error::new(ErrorKind::Missing, what).hint(format!("declare it: directory \"{}\" {{}}", dir.display()))
}

// Search for the file of a program.

/// A string that identifies the version of a program: its path, and the attributes that change with the file. `program` is
/// searched in `PATH`, then in `directory`; `None` if it does not exist.
pub fn program_stamp(program: &str, directory: &Path) -> Option<String> {
    let command = Command { dir: Some(directory.to_owned()), ..Command::new(program, [""; 0]) };
    let path = find(&command).or_else(|| Some(directory.join(program)).filter(|path| is_executable(path)))?;
    let about = calls::metadata(&path).ok()?;
    let (dev, ino, size) = (about.dev(), about.ino(), about.size());
    let times = [about.mtime(), about.mtime_nsec(), about.ctime(), about.ctime_nsec()];
    Some(format!("{} {dev} {ino} {size} {times:?}", path.display()))
}

/// The file that the system executes for a command on this machine; `None` if it would not start.
pub(crate) fn find(command: &Command) -> Option<PathBuf> {
    let from = command.dir.as_deref().unwrap_or(Path::new("."));
    if command.program.contains('/') {
        return Some(from.join(&command.program)).filter(|path| is_executable(path));
    }
    let mut places =
        search_path(command).into_iter().map(|directory| from.join(directory).join(&command.program));
    places.find(|path| is_executable(path))
}

/// Whether this is a file that any user may execute.
pub(crate) fn is_executable(path: &Path) -> bool {
    calls::metadata(path).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}
