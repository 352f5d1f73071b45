//! Commands.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::{Request, Response, Sink};
use crate::error::Result;

/// A command to run: a program and its arguments, never a string for a shell to split.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Command {
    /// Program: a path, or a name to look for in `PATH`.
    pub program: String,
    /// Arguments.
    pub args: Vec<String>,
    /// Working directory; where Uphold runs unless set.
    pub dir: Option<PathBuf>,
    /// Variables added to the environment. It is inherited without params and what the service manager passed to Uphold; a
    /// command that runs as another user has that user's instead, see `run_as`.
    pub env: BTreeMap<String, String>,
    /// User and group to run as. Another user than ours has `HOME`, `USER`, `LOGNAME` and `SHELL` of its account, and of our
    /// environment only `PATH`, `LANG`, `LANGUAGE`, `LC_*`, `TZ`, `TERM` and the proxies.
    pub run_as: Option<(u32, u32)>,
    /// What the command reads; nothing unless set.
    pub stdin: Option<Vec<u8>>,
    /// After this long the whole process group is killed.
    pub timeout: Option<Duration>,
    /// Treatment of standard output beyond [`STDOUT_LIMIT`].
    pub excess: Excess,
    /// Whether to refuse a program that another user than root and the one who runs Uphold can have written.
    pub only_trusted: bool,
    /// Whether the last argument is a script that holds a secret: then it is passed so that no other user can read it.
    pub secret_script: bool,
}

/// Bytes of a command's standard output that are kept.
pub const STDOUT_LIMIT: u64 = 16 << 20;

/// Bytes of a command's standard error that are kept.
pub const STDERR_LIMIT: u64 = 1 << 20;

/// Treatment of a command whose standard output exceeds [`STDOUT_LIMIT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Excess {
    /// Its output is data: an incomplete one is an error, and the command is ended as soon as it is.
    #[default]
    Refuse,
    /// Its output is a log: the last part is kept, and [`Output::dropped`] counts the rest.
    Drop,
}

impl Command {
    /// `program` with these arguments.
    pub fn new<A: Into<String>>(program: impl Into<String>, args: impl IntoIterator<Item = A>) -> Self {
        Self { program: program.into(), args: args.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// `script` for `/bin/sh`.
    pub fn shell(script: impl Into<String>) -> Self {
        Self::new("/bin/sh", ["-c".to_owned(), script.into()])
    }
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Killed because it took too long.
    TimedOut,
}

/// What a command left behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended.
    pub exit: Exit,
    /// The last [`STDOUT_LIMIT`] bytes that it wrote to standard output.
    pub stdout: Vec<u8>,
    /// The last [`STDERR_LIMIT`] bytes that it wrote to standard error.
    pub stderr: Vec<u8>,
    /// Bytes that it wrote before those, to either, and that were not kept.
    pub dropped: u64,
}

impl Output {
    /// Output of which nothing was dropped.
    pub fn new(exit: Exit, stdout: impl Into<Vec<u8>>, stderr: impl Into<Vec<u8>>) -> Self {
        Self { exit, stdout: stdout.into(), stderr: stderr.into(), dropped: 0 }
    }

    /// Whether it ended with status 0.
    pub fn success(&self) -> bool {
        self.exit == Exit::Code(0)
    }
}

/// Running commands that only look. They run in a plan, too.
pub trait Probes: Send + Sync {
    /// Runs a command that changes nothing. An error means that it could not be started; how it
    /// ended is in the output.
    fn probe(&self, command: &Command) -> Result<Output>;

    /// Whether something accepts connections at this TCP port, asked for `patience` at most. An error
    /// means that it could not be found out, as when the name of the host is not known.
    fn listens(&self, host: &str, port: u16, patience: Duration) -> Result<bool>;

    /// Asks a server something that changes nothing there: `GET` or `HEAD`. Redirections are followed,
    /// but never from a safe connection to another. An error means that there was no whole answer; its
    /// status is for the caller to judge.
    fn fetch(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response>;
}

/// Running commands that change something.
pub trait Commands: Send + Sync {
    /// Runs a command. An error means that it could not be started; how it ended is in the output.
    fn run(&self, command: &Command) -> Result<Output>;

    /// Sends a request that changes something, there or here. Redirections are followed if that
    /// changes neither method nor body. Otherwise as [`fetch`](Probes::fetch).
    fn send(&self, request: &Request, sink: &mut Sink<'_>) -> Result<Response>;
}
