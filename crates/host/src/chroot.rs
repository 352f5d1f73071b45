//! Commands inside another root, through the `chroot` program.

use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;
use uphold_resource::{Command, Error, ErrorKind, Exit, Output, Result};

use crate::process::{check_program, no_directory, search_path};
use crate::root::{Root, Under};

/// Paths of `chroot`, which is only in root's `PATH`.
const CHROOT: [&str; 4] = ["/usr/sbin/chroot", "/usr/bin/chroot", "/sbin/chroot", "/bin/chroot"];

/// The status with which `chroot` reports its own failure.
const CHROOT_FAILED: i32 = 125;

/// The shell that changes to the working directory inside the root.
const SHELL: &str = "/bin/sh";

/// Changes to a directory and executes the command. `chroot` itself always starts in `/`.
const CHANGE_DIRECTORY_AND_RUN: &str = "cd -- \"$1\" && shift && exec \"$@\"";

/// Prepares a command that runs inside `under`.
pub(crate) fn prepare(root: &Root, under: &Under, command: &Command) -> Result<std::process::Command> {
    let what = format!("cannot run {} inside {}", command.program, under.path.display());
    if !rustix::process::geteuid().is_root() {
        let what = format!("{what}: only root can change the root directory");
        return Err(Error::new(ErrorKind::Denied, what).hint("run Uphold as root"));
    }
    let program = find_program(root, command).ok_or_else(|| not_inside(&command.program, under))?;
    if command.only_trusted {
        check_program(root, &program, command)?;
    }
    let chroot = CHROOT.iter().find(|path| Path::new(path).exists());
    let chroot = chroot.ok_or_else(|| {
        Error::new(ErrorKind::Missing, format!("{what}: the program chroot is not installed"))
    })?;
    let mut prepared = std::process::Command::new(chroot);
    if let Some((uid, gid)) = command.run_as {
        prepared.arg(format!("--userspec=+{uid}:+{gid}")).arg("--groups=");
    }
    prepared.arg(&under.path);
    if let Some(dir) = &command.dir {
        exists(root, dir, OFlags::DIRECTORY).then_some(()).ok_or_else(|| no_directory(&what, dir))?;
        exists(root, Path::new(SHELL), OFlags::empty())
            .then_some(())
            .ok_or_else(|| not_inside(SHELL, under))?;
        prepared.args([SHELL, "-c", CHANGE_DIRECTORY_AND_RUN, "sh"]).arg(dir);
    }
    prepared.arg(program).args(&command.args);
    Ok(prepared)
}

/// Distinguishes a failure of `chroot` from one of the command.
pub(crate) fn refused(under: &Under, command: &Command, output: Output) -> Result<Output> {
    if output.exit != Exit::Code(CHROOT_FAILED) || !output.stderr.starts_with(b"chroot: ") {
        return Ok(output);
    }
    let what = format!("cannot run {} inside {}", command.program, under.path.display());
    Err(Error::new(ErrorKind::Denied, what)
        .because(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()))
}

/// The path of the program inside the root, if it exists.
fn find_program(root: &Root, command: &Command) -> Option<PathBuf> {
    let program = Path::new(&command.program);
    let is_inside = |path: &PathBuf| exists(root, path, OFlags::empty());
    if command.program.contains('/') {
        // A relative path starts at the working directory, as it does without a root.
        let path = command.dir.as_deref().unwrap_or(Path::new("/")).join(program);
        return Some(path).filter(is_inside);
    }
    search_path(command).into_iter().map(|directory| directory.join(program)).find(is_inside)
}

/// The error for a missing program, which may well exist outside the root.
fn not_inside(program: &str, under: &Under) -> Error {
    let place = if program.contains('/') { "" } else { "in PATH " };
    let root = under.path.display();
    let what = format!("cannot run {program}: it does not exist {place}inside the root directory {root}");
    Error::new(ErrorKind::Missing, what).hint(format!(
        "commands run inside the root directory and need their programs and a shell in it: install a system in {root} first"
    ))
}

/// Whether a path exists. True if unsure: running the command will report an error.
fn exists(root: &Root, path: &Path, kind: OFlags) -> bool {
    !matches!(root.follow(path, OFlags::PATH | kind), Err(Errno::NOENT | Errno::NOTDIR))
}
