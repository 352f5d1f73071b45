//! A command that is listened to.

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

/// As large as a pipe: one read can empty it.
const PIPE: usize = 64 * 1024;

/// So much time a command has to end decently.
const GRACE: Duration = Duration::from_secs(1);

/// Ends the group of a command when the pipe to us closes, because we were killed. Reading never returns otherwise.
const GUARD: &str = "read -r _; kill -TERM \"-$1\"; sleep 1; kill -KILL \"-$1\"";

/// A running command, whose lines are heard.
pub(super) struct Speaker {
    child: Child,
    group: Pid,
    guard: Option<Child>,
    pub(super) pipe: OwnedFd,
    /// What was heard ends in the middle of a line.
    in_a_line: bool,
}

/// What was heard at once.
pub(super) struct Heard {
    /// Whether a line is complete.
    pub(super) line: bool,
    /// Whether nothing will come any more.
    pub(super) over: bool,
}

impl Speaker {
    /// Starts the command in a session of its own, inside `root`.
    ///
    /// # Guarantees
    /// It does not outlive us for more than a second, however we end, if there is a shell.
    pub(super) fn start(root: &Root, command: &Command) -> Result<Self> {
        let lost = |error: io::Error| {
            Error::failed(format!("cannot listen to the command {}", command.program)).because(error)
        };
        let mut prepared = process::prepare(root, command)?;
        prepared.stdin(input(command).map_err(lost)?).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = prepared.spawn().map_err(|error| process::cannot_start(command, error))?;
        let group = Pid::from_child(&child);
        let pipe = child.stdout.take().map(OwnedFd::from).ok_or_else(|| lost(Errno::PIPE.into()))?;
        let speaker = Self { child, group, guard: guard(group), pipe, in_a_line: false };
        let flags = fcntl_getfl(&speaker.pipe).map_err(|errno| lost(errno.into()))?;
        fcntl_setfl(&speaker.pipe, flags | OFlags::NONBLOCK).map_err(|errno| lost(errno.into()))?;
        Ok(speaker)
    }

    /// Reads what is there, and no more than a pipe holds: the writer may be endless.
    pub(super) fn listen(&mut self) -> Heard {
        let mut buffer = vec![0; PIPE];
        match rustix::io::read(&self.pipe, buffer.as_mut_slice()) {
            // What comes before the end is a line, too.
            Ok(0) => Heard { line: self.in_a_line, over: true },
            Ok(length) => {
                self.in_a_line = buffer[length - 1] != b'\n';
                Heard { line: buffer[..length].contains(&b'\n'), over: false }
            }
            Err(Errno::AGAIN | Errno::INTR) => Heard { line: false, over: false },
            Err(_) => Heard { line: false, over: true },
        }
    }

    /// Asks the command to end, and all that it started.
    pub(super) fn leave(mut self) -> Leaving {
        // The guard must not know the number of the group when it is free for others.
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
        self.signal(Signal::TERM);
        Leaving { child: self.child, group: self.group, kill_at: Some(Instant::now() + GRACE) }
    }

    fn signal(&self, signal: Signal) {
        // A group that is gone needs no signal.
        let _ = kill_process_group(self.group, signal);
    }
}

/// A command that was asked to end.
pub(super) struct Leaving {
    child: Child,
    group: Pid,
    kill_at: Option<Instant>,
}

impl Leaving {
    /// Whether it is gone. What outstays its time is killed.
    pub(super) fn is_gone(&mut self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = !matches!(waitid(WaitId::Pid(self.group), options), Ok(None));
        if ended || self.kill_at.is_some_and(|time| time <= Instant::now()) {
            // The child is not fetched yet, so the number of its group cannot belong to others.
            let _ = kill_process_group(self.group, Signal::KILL);
            self.kill_at = None;
        }
        ended && self.child.wait().is_ok()
    }
}

/// What the command reads.
fn input(command: &Command) -> io::Result<Stdio> {
    let Some(text) = &command.stdin else { return Ok(Stdio::null()) };
    // A file in memory: nobody has to stay and feed a pipe.
    let mut file = File::from(memfd_create("stdin", MemfdFlags::CLOEXEC)?);
    file.write_all(text)?;
    file.rewind()?;
    Ok(file.into())
}

/// Something that ends the group if we cannot. Without a shell there is none.
fn guard(group: Pid) -> Option<Child> {
    let mut shell = std::process::Command::new("/bin/sh");
    environment::keep_own_variables(&mut shell);
    shell.args(["-c", GUARD, "sh"]).arg(group.as_raw_nonzero().to_string());
    in_own_session(&mut shell).ok()?;
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()
}
