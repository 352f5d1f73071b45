//! Input and output of a running command, and its end in time.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, kill_process_group, pidfd_open, waitid,
};
use uphold_resource::{Command, Excess, STDERR_LIMIT, STDOUT_LIMIT, Stop};

use crate::tail::{Tail, TailBytes};

/// The size of a pipe: one read can empty it.
const PIPE: usize = 64 * 1024;

/// How long a command may take to end after SIGTERM; half its timeout if that is less.
const LONGEST_GRACE: Duration = Duration::from_secs(2);

/// How long we keep reading after the command ended, if a process that it started holds the pipe.
const LINGER: Duration = Duration::from_secs(1);

/// How often a wait checks whether the run was stopped.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// How often kernels without process handles are polled for the end of the command.
const EXIT_POLL: Duration = Duration::from_millis(10);

/// The result of a finished command.
pub(crate) struct ChildOutput {
    /// Its exit status.
    pub(crate) status: ExitStatus,
    /// Why it was ended, if it was.
    pub(crate) ended_for: Option<EndedFor>,
    /// Its standard output.
    pub(crate) stdout: TailBytes,
    /// Its standard error.
    pub(crate) stderr: TailBytes,
}

/// The reason to end a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndedFor {
    /// Its timeout has passed.
    Timeout,
    /// Its standard output is data and exceeds the limit: it cannot become complete.
    Excess,
}

/// The state of the wait, with its end.
enum Phase {
    Running {
        deadline: Option<Instant>,
    },
    Terminating {
        until: Instant,
    },
    Killed,
    /// The command ended by itself; its children may still write.
    Lingering {
        until: Instant,
    },
}

/// A running command with its pipes and its time limit.
pub(crate) struct ChildIo<'a> {
    child: Child,
    group: Pid,
    handle: Option<OwnedFd>,
    stdin: Option<OwnedFd>,
    input: &'a [u8],
    stdout: OutputPipe,
    stderr: OutputPipe,
    phase: Phase,
    grace: Duration,
    excess: Excess,
    ended_for: Option<EndedFor>,
    stop: &'a Stop,
}

/// An output pipe of the command; `None` once it is closed.
struct OutputPipe {
    pipe: Option<OwnedFd>,
    kept: Tail,
    /// The read buffer. A command may write without end, so its output is read in pieces.
    piece: Vec<u8>,
}

impl<'a> ChildIo<'a> {
    /// Takes over a child of `command` that was started in its own session with piped output.
    pub(crate) fn begin(mut child: Child, command: &'a Command, stop: &'a Stop) -> io::Result<Self> {
        let (input, timeout) = (command.stdin.as_deref().unwrap_or_default(), command.timeout);
        let group = Pid::from_child(&child);
        let stdin = child.stdin.take().map(OwnedFd::from).filter(|_| !input.is_empty());
        let stdout = OutputPipe::new(child.stdout.take().map(OwnedFd::from), STDOUT_LIMIT)?;
        let stderr = OutputPipe::new(child.stderr.take().map(OwnedFd::from), STDERR_LIMIT)?;
        stdin.as_ref().map_or(Ok(()), set_nonblocking)?;
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let grace = timeout.map_or(LONGEST_GRACE, |timeout| (timeout / 2).min(LONGEST_GRACE));
        let handle = pidfd_open(group, PidfdFlags::empty()).ok();
        let phase = Phase::Running { deadline };
        let excess = command.excess;
        let ended_for = None;
        Ok(Self { child, group, handle, stdin, input, stdout, stderr, phase, grace, excess, ended_for, stop })
    }

    /// Passes input and output until the command ended and its pipes are closed, or its time is over.
    pub(crate) fn finish(mut self) -> io::Result<ChildOutput> {
        while !self.is_over()? {
            self.wait()?;
            self.feed();
            self.stdout.read()?;
            self.stderr.read()?;
        }
        let we_ended_it = matches!(self.phase, Phase::Terminating { .. } | Phase::Killed);
        if we_ended_it || !self.is_quiet() {
            // The child is not reaped yet, so the id of its group cannot have been reused.
            self.signal(Signal::KILL);
            self.stdout.drain()?;
            self.stderr.drain()?;
        }
        drop(self.stdin.take());
        let status = self.child.wait()?;
        let (stdout, stderr) = (self.stdout.kept.finish(), self.stderr.kept.finish());
        Ok(ChildOutput { status, ended_for: self.ended_for, stdout, stderr })
    }

    /// Advances the phase; returns true when there is nothing left to wait for.
    fn is_over(&mut self) -> io::Result<bool> {
        let now = Instant::now();
        let ended = self.has_ended()?;
        match self.phase {
            Phase::Running { .. } if ended => self.phase = Phase::Lingering { until: now + LINGER },
            Phase::Running { .. } | Phase::Terminating { .. } if self.is_urgent() && !ended => self.kill(),
            Phase::Running { deadline } if deadline.is_some_and(|deadline| now >= deadline) => {
                self.terminate_for(EndedFor::Timeout, now);
            }
            Phase::Running { .. } if self.exceeds() => self.terminate_for(EndedFor::Excess, now),
            Phase::Running { .. } if self.stop.is_requested() => self.terminate(now),
            Phase::Terminating { until } if now >= until && !ended => self.kill(),
            _ => {}
        }
        Ok(match self.phase {
            Phase::Lingering { until } => self.is_quiet() || now >= until || self.is_urgent(),
            Phase::Terminating { .. } | Phase::Killed => ended,
            Phase::Running { .. } => false,
        })
    }

    /// Sends SIGTERM to the whole group.
    fn terminate(&mut self, now: Instant) {
        self.signal(Signal::TERM);
        self.phase = Phase::Terminating { until: now + self.grace };
    }

    fn terminate_for(&mut self, reason: EndedFor, now: Instant) {
        self.ended_for = Some(reason);
        self.terminate(now);
    }

    /// Whether its output is already useless.
    fn exceeds(&self) -> bool {
        self.excess == Excess::Refuse && self.stdout.kept.is_cut()
    }

    fn is_urgent(&self) -> bool {
        self.stop.is_urgent()
    }

    /// Kills the whole group.
    fn kill(&mut self) {
        self.signal(Signal::KILL);
        self.phase = Phase::Killed;
    }

    /// Whether the command itself has ended. Does not reap it.
    fn has_ended(&self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Ok(waitid(WaitId::Pid(self.group), options)?.is_some())
    }

    fn is_quiet(&self) -> bool {
        self.stdout.pipe.is_none() && self.stderr.pipe.is_none()
    }

    fn signal(&self, signal: Signal) {
        // A group that does not exist any more needs no signal.
        let _ = kill_process_group(self.group, signal);
    }

    /// Waits until something can be read or written, the command ends, or the phase is over.
    fn wait(&self) -> io::Result<()> {
        let outputs = [&self.stdout, &self.stderr].into_iter().filter_map(|output| output.pipe.as_ref());
        let mut polled: Vec<PollFd<'_>> = outputs.map(|pipe| PollFd::new(pipe, PollFlags::IN)).collect();
        polled.extend(self.stdin.as_ref().map(|pipe| PollFd::new(pipe, PollFlags::OUT)));
        if !matches!(self.phase, Phase::Lingering { .. }) {
            polled.extend(self.handle.as_ref().map(|handle| PollFd::new(handle, PollFlags::IN)));
        }
        let time = self
            .time_left()
            .map(|left| Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 }));
        match poll(&mut polled, time.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(errno) => Err(errno.into()),
        }
    }

    fn time_left(&self) -> Option<Duration> {
        let now = Instant::now();
        let next_check = now + STOP_CHECK;
        let until = match self.phase {
            Phase::Running { deadline } => {
                Some(deadline.map_or(next_check, |deadline| deadline.min(next_check)))
            }
            Phase::Terminating { until } | Phase::Lingering { until } => Some(until.min(next_check)),
            Phase::Killed => None,
        };
        let left = until.map(|until| until.saturating_duration_since(now));
        match &self.handle {
            Some(_) => left,
            None => Some(left.unwrap_or(EXIT_POLL).min(EXIT_POLL)),
        }
    }

    /// Writes as much input as the pipe accepts. A command may close the pipe before it has read everything.
    fn feed(&mut self) {
        let Some(pipe) = &self.stdin else { return };
        match rustix::io::write(pipe, self.input) {
            Ok(written) => self.input = &self.input[written..],
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(_) => self.input = &[],
        }
        if self.input.is_empty() {
            self.stdin = None;
        }
    }
}

impl OutputPipe {
    fn new(pipe: Option<OwnedFd>, limit: u64) -> io::Result<Self> {
        pipe.as_ref().map_or(Ok(()), set_nonblocking)?;
        Ok(Self { pipe, kept: Tail::new(limit), piece: Vec::with_capacity(PIPE) })
    }

    /// Reads once, without waiting. Returns whether there was anything.
    fn read(&mut self) -> io::Result<bool> {
        let Some(pipe) = &self.pipe else { return Ok(false) };
        self.piece.clear();
        match rustix::io::read(pipe, spare_capacity(&mut self.piece)) {
            Ok(0) => {
                self.pipe = None;
                Ok(false)
            }
            Ok(_) => {
                self.kept.push(&self.piece);
                Ok(true)
            }
            Err(Errno::INTR) => Ok(true),
            Err(Errno::AGAIN) => Ok(false),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Reads the content of the pipe, but no more than a pipe holds: the writer may be endless.
    fn drain(&mut self) -> io::Result<()> {
        let mut drained = 0;
        while drained < PIPE && self.read()? {
            drained += self.piece.len();
        }
        Ok(())
    }
}

fn set_nonblocking(pipe: &OwnedFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe.as_fd())?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}
