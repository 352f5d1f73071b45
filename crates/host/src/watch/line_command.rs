//! A command whose output is watched.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use rustix::fs::{MemfdFlags, OFlags, fcntl_getfl, fcntl_setfl, memfd_create};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use uphold_resource::{Command, Error, Result};

use crate::isolation::in_own_session;
use crate::root::Root;
use crate::{environment, process};

/// The size of a pipe: one read can empty it.
const PIPE: usize = 64 * 1024;

/// How long a command may take to end after SIGTERM.
const GRACE: Duration = Duration::from_secs(1);

/// Ends the group of a command when the pipe to us closes, because we were killed. Otherwise its read never returns.
const GUARD: &str = "read -r _; kill -TERM \"-$1\"; sleep 1; kill -KILL \"-$1\"";

/// A running command whose lines are counted.
pub(super) struct LineCommand {
    child: Child,
    group: Pid,
    guard: Option<Child>,
    pub(super) pipe: OwnedFd,
    /// Whether the output so far ends in the middle of a line.
    is_partial: bool,
}

/// The result of one read.
pub(super) struct LinesRead {
    /// Whether a line was completed.
    pub(super) line: bool,
    /// Whether the output has ended.
    pub(super) over: bool,
}

impl LineCommand {
    /// Starts the command in its own session, inside `root`.
    ///
    /// # Guarantees
    /// It ends at most a second after us, however we end, if there is a shell.
    pub(super) fn start(root: &Root, command: &Command) -> Result<Self> {
        let lost = |error: io::Error| {
            Error::failed(format!("cannot watch the output of {}", command.program)).because(error)
        };
        let mut prepared = process::prepare(root, command)?;
        prepared.stdin(input(command).map_err(lost)?).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = prepared.spawn().map_err(|error| process::cannot_start(command, error))?;
        let group = Pid::from_child(&child);
        let pipe = child.stdout.take().map(OwnedFd::from).ok_or_else(|| lost(Errno::PIPE.into()))?;
        let running = Self { child, group, guard: guard(group), pipe, is_partial: false };
        let flags = fcntl_getfl(&running.pipe).map_err(|errno| lost(errno.into()))?;
        fcntl_setfl(&running.pipe, flags | OFlags::NONBLOCK).map_err(|errno| lost(errno.into()))?;
        Ok(running)
    }

    /// Reads available output, but no more than a pipe holds: the writer may be endless.
    pub(super) fn read(&mut self) -> LinesRead {
        let mut buffer = vec![0; PIPE];
        match rustix::io::read(&self.pipe, buffer.as_mut_slice()) {
            // A partial line before the end counts, too.
            Ok(0) => LinesRead { line: self.is_partial, over: true },
            Ok(length) => {
                self.is_partial = buffer[length - 1] != b'\n';
                LinesRead { line: buffer[..length].contains(&b'\n'), over: false }
            }
            Err(Errno::AGAIN | Errno::INTR) => LinesRead { line: false, over: false },
            Err(_) => LinesRead { line: false, over: true },
        }
    }

    /// Asks the command, and everything that it started, to end.
    pub(super) fn terminate(mut self) -> EndingCommand {
        // The guard must end before the id of the group can be reused.
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
        self.signal(Signal::TERM);
        EndingCommand { child: self.child, group: self.group, kill_at: Some(Instant::now() + GRACE) }
    }

    fn signal(&self, signal: Signal) {
        // A group that does not exist any more needs no signal.
        let _ = kill_process_group(self.group, signal);
    }
}

/// A command that was asked to end.
pub(super) struct EndingCommand {
    child: Child,
    group: Pid,
    kill_at: Option<Instant>,
}

impl EndingCommand {
    /// Whether it has ended. It is killed after its grace period.
    pub(super) fn has_ended(&mut self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = !matches!(waitid(WaitId::Pid(self.group), options), Ok(None));
        if ended || self.kill_at.is_some_and(|time| time <= Instant::now()) {
            // The child is not reaped yet, so the id of its group cannot have been reused.
            let _ = kill_process_group(self.group, Signal::KILL);
            self.kill_at = None;
        }
        ended && self.child.wait().is_ok()
    }
}

/// The standard input of the command.
fn input(command: &Command) -> io::Result<Stdio> {
    let Some(text) = &command.stdin else { return Ok(Stdio::null()) };
    // A file in memory needs no thread that feeds a pipe.
    let mut file = File::from(memfd_create("stdin", MemfdFlags::CLOEXEC)?);
    file.write_all(text)?;
    file.rewind()?;
    Ok(file.into())
}

/// Starts a process that ends the group if we cannot; `None` without a shell.
fn guard(group: Pid) -> Option<Child> {
    let mut shell = std::process::Command::new("/bin/sh");
    environment::keep_own_variables(&mut shell);
    shell.args(["-c", GUARD, "sh"]).arg(group.as_raw_nonzero().to_string());
    in_own_session(&mut shell).ok()?;
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}
